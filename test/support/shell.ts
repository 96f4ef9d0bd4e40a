import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';

/** Environment of a shell, as a new user has it. */
export interface ShellOptions {
  /** Working directory. */
  cwd: string;
  env: Record<string, string | undefined>;
}

/** A bash that runs one command after another. */
export interface Shell {
  /** Runs a command. @returns its output, standard error included. */
  run(command: string): Promise<string>;
  /** Ends the shell and what it has started. */
  close(): Promise<void>;
}

/** A program on a terminal of its own. */
export interface Terminal {
  /**
   * Waits until everything that it has shown, without colors and carriage returns, matches. Throws with the last lines of the screen when it does not in time, or when the program has
   * ended without it.
   */
  shows(pattern: RegExp, withinMs: number): Promise<void>;
  /** Types keys, such as `\x03` for Ctrl-C. */
  type(keys: string): void;
  close(): Promise<void>;
}

const DONE = '—done—';

/** Starts a shell. */
export function openShell(options: ShellOptions): Shell {
  const bash = spawn('bash', ['--noprofile', '--norc'], { ...options, detached: true });
  let output = '';
  bash.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  bash.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return {
    async run(command) {
      output = '';
      bash.stdin.write(`{ ${command}\n} 2>&1\necho '${DONE}'\n`);
      while (!output.includes(DONE)) await once(bash.stdout, 'data');
      return output.slice(0, output.indexOf(DONE)).trim();
    },
    close: () => end(bash),
  };
}

const READ_EVERY_MS = 50;

/** Runs a command on a terminal. */
export function openTerminal(command: string, options: ShellOptions): Terminal {
  const script = spawn('script', ['-qfec', command, '/dev/null'], { ...options, detached: true });
  let shown = '';
  script.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  script.stderr.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  const closed = once(script, 'close');
  const screen = () => stripVTControlCharacters(shown).replaceAll('\r', '');
  return {
    async shows(pattern, withinMs) {
      const timeout = AbortSignal.timeout(withinMs);
      let hasEnded = false;
      void closed.then(() => (hasEnded = true));
      while (!pattern.test(screen())) {
        if (timeout.aborted || hasEnded) {
          const reason = hasEnded ? 'The program ended' : `Nothing in ${withinMs / 1000} s`;
          throw new Error(`${reason} that matches ${pattern}. Its last lines:\n${tail(screen())}`);
        }
        await Promise.race([
          once(script.stdout, 'data', { signal: timeout }).catch(() => {}),
          closed,
        ]);
        // What was drawn meanwhile is read at once.
        await sleep(READ_EVERY_MS);
      }
    },
    type: (keys) => void script.stdin.write(keys),
    close: () => end(script),
  };
}

function tail(text: string): string {
  return text.trimEnd().split('\n').slice(-10).join('\n');
}

/** Kills a process and its group. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  process.kill(-child.pid!, 'SIGKILL');
  await exit;
}
