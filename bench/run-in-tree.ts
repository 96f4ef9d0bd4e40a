import { spawn } from 'node:child_process';
import type { Report } from './report.ts';

/** Characters of a failed benchmark's output that its error shows. */
const SHOWN = 2_000;

/**
 * Runs a benchmark in the tree of a folder, as a process group of its own, and returns its tables.
 *
 * @throws an error with the end of its output if it fails, or when the signal is aborted.
 */
export function runInTree(
  folder: string,
  words: readonly string[],
  signal?: AbortSignal,
): Promise<Report[]> {
  return new Promise((resolve, reject) => {
    // The group includes the services, which a killed benchmark would leave behind.
    const child = spawn(process.execPath, ['bench/main.ts', ...words], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    const take = (chunk: Buffer) => void (output += chunk.toString());
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    const stop = () => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // The group has ended.
      }
    };
    process.once('exit', stop);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('exit', stop);
      signal?.removeEventListener('abort', stop);
      stop();
      if (signal?.aborted) reject(new Error(`${words[0]} took too long.`));
      else if (code !== 0) reject(new Error(`${words.join(' ')} failed:\n${output.slice(-SHOWN)}`));
      else resolve(readReports(output));
    });
  });
}

/** The tables in the output of a benchmark: its JSON lines. */
export function readReports(output: string): Report[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{"benchmark":'))
    .map((line) => JSON.parse(line) as Report);
}
