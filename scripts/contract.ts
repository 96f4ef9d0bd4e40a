/** Fails for citations of docs/contract.md that name no statement, and lists the statements that no test cites. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  citationFaults,
  citationsInTests,
  citationsInText,
  readContract,
  untested,
} from './contract-check.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PLACES = ['*.md', '{bench,docs,examples,scripts,src,test,web}/**/*.{js,md,ts}'];

const files = globSync(PLACES, { cwd: ROOT }).map((path) => ({
  path,
  text: readFileSync(`${ROOT}${path}`, 'utf8'),
}));
const contract = readContract(readFileSync(`${ROOT}docs/contract.md`, 'utf8'));
const inText = files.flatMap(({ path, text }) => citationsInText(path, text));
const inTests = files
  .filter(({ path }) => path.endsWith('.test.ts'))
  .flatMap(({ path, text }) => citationsInTests(path, text));

const faults = [...contract.faults, ...citationFaults(contract, [...inText, ...inTests])];
for (const fault of faults) console.log(fault);
const missing = untested(contract, inTests);
console.log(
  `${contract.statements.size} statements, ${inText.length} citations in text, ${inTests.length} by tests; ` +
    `${missing.length} statements without a test${missing.length === 0 ? '' : ':'}`,
);
for (const number of missing) console.log(`  ${number} ${contract.statements.get(number)}`);
process.exitCode = faults.length > 0 ? 1 : 0;
