/**
 * Runs all checks that need no running service: `npm run verify`. Prints each step and its time; fails if one failed.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

interface Step {
  name: string;
  command: string;
  args: string[];
  /** Whether its output is also shown when it passes. */
  showsOutput?: boolean;
}

interface Outcome {
  step: Step;
  output: string;
  ok: boolean;
  milliseconds: number;
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CODE = ['src', 'test', 'scripts', 'bench', 'web'];

/** Longest first. */
const STEPS: Step[] = [
  { name: 'types', command: 'tsc', args: ['--noEmit', '--pretty', 'false'] },
  { name: 'types of the pages', command: 'tsc', args: ['-p', 'src/api/pages/browser'] },
  { name: 'types of the dashboard', command: 'tsc', args: ['-p', 'web', '--pretty', 'false'] },
  { name: 'unused code and packages', command: 'knip', args: ['--no-progress'] },
  { name: 'lint', command: 'oxlint', args: ['--deny-warnings', ...CODE] },
  { name: 'format', command: 'oxfmt', args: ['--check', ...CODE] },
  { name: 'generated files', command: 'node', args: ['scripts/generate.ts', '--check'] },
  { name: 'contract', command: 'node', args: ['scripts/contract.ts'], showsOutput: true },
  { name: 'security document', command: 'node', args: ['scripts/security-document.ts'] },
  { name: 'size of the house', command: 'node', args: ['scripts/house.ts'] },
  { name: 'nothing left lying about', command: 'node', args: ['scripts/leftovers.ts'] },
];

const waiting = [...STEPS];
const outcomes: Outcome[] = [];
await Promise.all(
  Array.from({ length: Math.min(availableParallelism(), STEPS.length) }, async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const outcome = await run(step);
      outcomes.push(outcome);
      report(outcome);
    }
  }),
);

const failed = outcomes.filter((outcome) => !outcome.ok).map(({ step }) => step.name);
console.log(failed.length === 0 ? 'verified' : `failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Tools are found in node_modules/.bin first, so that they run on the Node that the lockfile pins. */
function run(step: Step): Promise<Outcome> {
  const started = performance.now();
  const PATH = [path.join(ROOT, 'node_modules', '.bin'), process.env['PATH']].join(path.delimiter);
  const child = spawn(step.command, step.args, {
    cwd: ROOT,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => {
    const settle = (ok: boolean) =>
      resolve({ step, output, ok, milliseconds: performance.now() - started });
    child.on('error', (error) => {
      output += `${step.command} can't be started (${error.message}). Run "npm ci" first.\n`;
      settle(false);
    });
    child.on('close', (status) => settle(status === 0));
  });
}

function report({ step, output, ok, milliseconds }: Outcome): void {
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${step.name} (${(milliseconds / 1000).toFixed(1)} s)`);
  if (!ok || step.showsOutput) console.log(output.trimEnd().replaceAll(/^/gm, '       '));
}
