import { spawn } from 'node:child_process';
import { isIP } from 'node:net';
import type { Clock } from '../../lib/clock.ts';
import type { EchoOutcome } from './icmp-client.ts';

/** Sends echoes to a literal address with a program of the system. Never rejects. */
export type PingProgram = (
  address: string,
  deps: { clock: Clock; signal: AbortSignal; timeoutMs: number },
) => Promise<EchoOutcome>;

const OUTPUT_LIMIT = 8192;

/** The `ping` of iputils or busybox: an echo each second until the first reply. */
export const runPing: PingProgram = (address, { clock, signal, timeoutMs }) => {
  const family = isIP(address);
  if (family === 0)
    return Promise.resolve({ kind: 'unable', reason: `"${address}" is no IP address` });
  if (signal.aborted) return Promise.resolve({ kind: 'silent' });

  return new Promise((resolve) => {
    const startedAt = clock.monotonic();
    // Its own limit is only for the case that this process dies; the signal ends it on time.
    const seconds = String(Math.ceil(timeoutMs / 1000) + 1);
    const child = spawn('ping', [`-${family}`, '-c', '1', '-w', seconds, address], {
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    });
    let output = '';
    let complaint = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(0, OUTPUT_LIMIT);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(0, OUTPUT_LIMIT);
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (signal.aborted) resolve({ kind: 'silent' });
      else if (error.code === 'ENOENT')
        resolve({ kind: 'unable', reason: 'there is no ping program' });
      else resolve({ kind: 'unable', reason: `the ping program did not start (${error.code})` });
    });
    child.once('close', (code) => {
      if (signal.aborted) resolve({ kind: 'silent' });
      else resolve(readPingOutput({ code, output, complaint }, clock.monotonic() - startedAt));
    });
  });
};

/** What the program's end tells. `elapsedMs` stands in where it printed no round trip. */
export function readPingOutput(
  ended: { code: number | null; output: string; complaint: string },
  elapsedMs: number,
): EchoOutcome {
  const { code, output, complaint } = ended;
  if (code === 0) {
    const printed = /time[=<]\s?([\d.]+) ?ms/.exec(output)?.[1];
    return { kind: 'reply', roundTripMs: printed === undefined ? elapsedMs : Number(printed) };
  }
  if (/network is unreachable|no route to host|cannot assign requested/i.test(complaint))
    return { kind: 'no_route' };
  if (/unreachable|prohibited|filtered/i.test(output)) return { kind: 'unreachable', reason: null };
  if (code === 1 && complaint.trim() === '') return { kind: 'silent' };
  const said = complaint.trim().split('\n')[0] || `exit code ${code}`;
  return { kind: 'unable', reason: `the ping program failed (${said})` };
}
