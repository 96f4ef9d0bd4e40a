import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Report } from './report.ts';

/** Characters of a failed benchmark's output that its error shows. */
const SHOWN = 2_000;

/**
 * Runs a benchmark in the tree of a folder and returns its tables. It has a process group and a temporary folder of its
 * own, so that nothing is left behind if it is killed.
 *
 * @throws an error with the end of its output if it fails, or when the signal is aborted.
 */
export function runInTree(
  folder: string,
  words: readonly string[],
  signal?: AbortSignal,
): Promise<Report[]> {
  return new Promise((resolve, reject) => {
    const scratch = mkdtempSync(path.join(os.tmpdir(), 'tocsin-run-'));
    // Postgres runs as another user in a folder below.
    chmodSync(scratch, 0o755);
    const child = spawn(process.execPath, ['bench/main.ts', ...words], {
      cwd: folder,
      env: { ...process.env, TMPDIR: scratch },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    const take = (chunk: Buffer) => void (output += chunk.toString());
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const stop = () => {
      killGroup(child.pid);
      removeFolder(scratch);
    };
    process.once('exit', stop);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    child.once('error', reject);
    // A benchmark that failed may leave a service that holds its output open.
    child.once('exit', stop);
    child.once('close', (code) => {
      process.off('exit', stop);
      signal?.removeEventListener('abort', stop);
      if (signal?.aborted) reject(new Error(`${words[0]} took too long.`));
      else if (code !== 0) reject(new Error(`${words.join(' ')} failed:\n${output.slice(-SHOWN)}`));
      else resolve(readReports(output));
    });
  });
}

function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // The group has ended.
  }
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // A process that is about to end has written to it meanwhile; the system clears temporary folders.
  }
}

/** The tables in the output of a benchmark: its JSON lines. */
export function readReports(output: string): Report[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{"benchmark":'))
    .map((line) => JSON.parse(line) as Report);
}
