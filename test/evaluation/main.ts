/** Plays all questions and prints a table: `npm run evaluate`. Fails when an answer is not as expected. */
import { openDatabase } from '../../src/store/database/database.ts';
import { callTool } from '../support/tools.ts';
import { play, report } from './play.ts';
import { QUESTIONS } from './questions/index.ts';
import { openWorld } from './world.ts';

const database = await openDatabase({ engine: 'sqlite', directory: ':memory:' });
const world = await openWorld(database);
// What is loaded and prepared once is no part of the times.
await callTool(world.api, world.tokens.owner, 'list_monitors');
let failed = 0;
console.log('| Question | Calls | Bytes | ms |\n|---|---|---|---|');
for (const question of QUESTIONS) {
  const played = await play(world, question);
  const sum = (pick: (call: { bytes: number; ms: number }) => number) =>
    Math.round(played.calls.reduce((total, call) => total + pick(call), 0));
  const tools = played.calls.map(({ tool }) => tool).join(', ');
  console.log(
    `| ${question.asks} | ${tools} | ${sum(({ bytes }) => bytes)} | ${sum(({ ms }) => ms)} |`,
  );
  if (played.faults.length === 0) continue;
  failed += 1;
  console.error(report(played));
}
console.log(`${QUESTIONS.length} questions, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
await world.api.app.close();
await database.close();
