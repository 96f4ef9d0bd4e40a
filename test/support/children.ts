import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Child {
  process: ChildProcess;
  /** Its lines on stdout. */
  lines: AsyncIterableIterator<string>;
  /** Kills it with SIGKILL and resolves when it has exited. */
  kill(): Promise<void>;
}

/** Runs a task of store-child.ts with the current Node. `prefix` is a program that starts it, such as `prlimit …`. */
export function startStoreChild(task: string, argument: string, prefix: string[] = []): Child {
  const script = fileURLToPath(new URL('./store-child.ts', import.meta.url));
  const [program, ...rest] = [...prefix, process.execPath, script, task, argument];
  const child = spawn(program!, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return {
    process: child,
    lines,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** The next line; throws if the child exited without one. */
export async function nextLine(child: Child): Promise<string> {
  const { value, done } = await child.lines.next();
  if (done) throw new Error('The child process ended before it said anything more.');
  return value as string;
}
