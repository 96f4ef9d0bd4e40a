import { spawn } from 'node:child_process';
import { isIP } from 'node:net';
import type { Clock } from '../../lib/clock.ts';
import type { EchoOutcome } from './icmp-client.ts';

/** Sends echoes to an address literal with a system program. Never rejects. */
export type PingProgram = (
  address: string,
  deps: { clock: Clock; signal: AbortSignal; timeoutMs: number },
) => Promise<EchoOutcome>;

const OUTPUT_LIMIT = 8192;

/** Runs `ping` of iputils or busybox: an echo per second until the first reply. */
export const runPing: PingProgram = (address, { clock, signal, timeoutMs }) => {
  const family = isIP(address);
  if (family === 0)
    return Promise.resolve({ kind: 'unable', reason: `"${address}" is not an IP address` });
  if (signal.aborted)
    return Promise.resolve({ kind: 'unable', reason: 'no time was left for the ping program' });

  return new Promise((resolve) => {
    const startedAt = clock.monotonic();
    // A fallback in case this process dies; normally the signal ends the program on time.
    const seconds = String(Math.ceil(timeoutMs / 1000) + 1);
    const child = spawn('ping', [`-${family}`, '-c', '1', '-w', seconds, address], {
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    });
    let output = '';
    let errorOutput = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(0, OUTPUT_LIMIT);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errorOutput = (errorOutput + text).slice(0, OUTPUT_LIMIT);
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (signal.aborted) resolve({ kind: 'silent' });
      else if (error.code === 'ENOENT')
        resolve({ kind: 'unable', reason: 'there is no ping program' });
      else resolve({ kind: 'unable', reason: `the ping program did not start (${error.code})` });
    });
    child.once('close', (code) => {
      if (signal.aborted) resolve({ kind: 'silent' });
      else resolve(readPingOutput({ code, output, errorOutput }, clock.monotonic() - startedAt));
    });
  });
};

/** Interprets the program's exit. `elapsedMs` is used if no round-trip time was printed. */
export function readPingOutput(
  ended: { code: number | null; output: string; errorOutput: string },
  elapsedMs: number,
): EchoOutcome {
  const { code, output, errorOutput } = ended;
  if (code === 0) {
    const printed = /time[=<]\s?([\d.]+) ?ms/.exec(output)?.[1];
    return { kind: 'reply', roundTripMs: printed === undefined ? elapsedMs : Number(printed) };
  }
  if (/network is unreachable|no route to host|cannot assign requested/i.test(errorOutput))
    return { kind: 'no_route' };
  if (/unreachable|prohibited|filtered/i.test(output)) return { kind: 'unreachable', reason: null };
  if (code === 1 && errorOutput.trim() === '') return { kind: 'silent' };
  const said = errorOutput.trim().split('\n')[0] || `exit code ${code}`;
  return { kind: 'unable', reason: `the ping program failed (${said})` };
}
