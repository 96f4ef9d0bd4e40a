/**
 * Plays all questions and prints what each takes, beside what it took when 48 tools were listed: `npm run bench -- tools`.
 * Fails when an answer is not as expected. `--before` plays the calls of that time, `--write=FILE` writes the figures.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { openDatabase } from '../../src/store/database/database.ts';
import { sendMessage } from '../support/tools.ts';
import { play, report, type Played } from './play.ts';
import { QUESTIONS } from './questions/index.ts';
import { openWorld } from './world.ts';

/** What a question takes: calls, bytes of their results, and bytes of the texts in them. Null where no tool answers it. */
type Cost = [calls: number, bytes: number, texts: number] | null;
export interface Figures {
  list: number;
  costs: Record<string, Cost>;
}

/** The figures of the revision before, with its calls. */
export const before = JSON.parse(
  readFileSync(new URL('./before.json', import.meta.url), 'utf8'),
) as Figures;

/** Plays the questions. @param options `--before`, `--write=FILE`. */
export async function run(options: readonly string[]): Promise<void> {
  const isBefore = options.includes('--before');
  const file = options.find((one) => one.startsWith('--write='))?.slice('--write='.length);
  const database = await openDatabase({ engine: 'sqlite', directory: ':memory:' });
  const world = await openWorld(database);
  const list = await sendMessage(world.api, world.tokens.owner, { method: 'tools/list' });
  const now: Figures = { list: Buffer.byteLength(list.text), costs: {} };
  let failed = 0;
  for (const question of QUESTIONS) {
    const former = isBefore ? question.before : undefined;
    now.costs[question.asks] = null;
    if (former === null) continue;
    const played = await play(world, former ? { ...question, calls: former } : question);
    now.costs[question.asks] = costOf(played);
    // What the calls of that time answered is not judged.
    if (former !== undefined || played.faults.length === 0) continue;
    failed += 1;
    console.error(report(played));
  }
  if (file === undefined) print(now);
  else writeFileSync(file, `${JSON.stringify(now)}\n`);
  console.log(`${QUESTIONS.length} questions, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
  await world.api.app.close();
  await database.close();
}

/** What the calls of a question took. */
export function costOf({ calls }: Played): Cost {
  const sum = (pick: (call: Played['calls'][number]) => number) =>
    calls.reduce((total, call) => total + pick(call), 0);
  return [calls.length, sum(({ bytes }) => bytes), sum(({ texts }) => texts)];
}

function beside(asks: string, one: Cost, other: Cost): void {
  const cells = [0, 1, 2].map((at) => `${one?.[at] ?? '–'} → ${other![at]}`);
  console.log(`| ${asks} | ${cells.join(' | ')} |`);
}

function print(now: Figures): void {
  console.log(`tools/list of an owner: ${before.list} → ${now.list} bytes\n`);
  console.log('| Question | Calls | Bytes | Of which text |\n|---|---|---|---|');
  for (const { asks } of QUESTIONS) beside(asks, before.costs[asks]!, now.costs[asks]!);
  const both = QUESTIONS.filter(({ asks }) => before.costs[asks] !== null);
  const total = ({ costs }: Figures): Cost =>
    both.reduce<[number, number, number]>(
      ([calls, bytes, texts], { asks }) => {
        const cost = costs[asks]!;
        return [calls + cost[0], bytes + cost[1], texts + cost[2]];
      },
      [0, 0, 0],
    );
  beside(`The ${both.length} that were answered before`, total(before), total(now));
}
