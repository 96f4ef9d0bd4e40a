/**
 * Judges a run: `node test/soak/judge.ts FOLDER DATABASE_URL [SLACK_MS]`. It reads what targets, receiver and pinger
 * recorded in the folder, and the tables. It shares no code with the program under test. Prints figures and problems, and
 * exits with 1 if there is a problem.
 */
import { judge } from './judge/rules.ts';
import { readRecords } from './judge/records.ts';
import { readTables } from './judge/tables.ts';
import { report } from './judge/figures.ts';

const LEASE_MS = 10_000;
const DEFAULT_SLACK_MS = 3_000;

const [folder, url, slack] = process.argv.slice(2);
if (folder === undefined || url === undefined) {
  console.error('Usage: node test/soak/judge.ts FOLDER DATABASE_URL [SLACK_MS]');
  process.exit(2);
}
const records = readRecords(folder);
const tables = await readTables(url);
const bounds = { leaseMs: LEASE_MS, slackMs: Number(slack ?? DEFAULT_SLACK_MS) };
for (const line of report(records, tables, bounds.leaseMs)) console.log(line);
const problems = judge(records, tables, bounds);
for (const problem of problems) console.log(`PROBLEM: ${problem}`);
console.log(problems.length === 0 ? 'No problems.' : `${problems.length} problems.`);
process.exitCode = problems.length === 0 ? 0 : 1;
