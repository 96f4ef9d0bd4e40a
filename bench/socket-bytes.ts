import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { RunningTotals } from './running-totals.ts';

const run = promisify(execFile);

/** Bytes that a server on a local TCP port received and sent. */
export interface SocketBytes {
  received: number;
  sent: number;
}

/** Whether bytes can be counted here: without `ss` of iproute2, they are all 0. */
export async function canCountSocketBytes(program = 'ss'): Promise<boolean> {
  return run(program, ['-V']).then(
    () => true,
    () => false,
  );
}

/** Reads the counters of a port's connections. Call `read` every second or so: those that have closed keep their last values. */
export function watchSocketBytes(port: number): { read(): Promise<SocketBytes> } {
  const totals = new RunningTotals();
  return {
    async read() {
      const text = await run('ss', ['-tinH', `sport = :${port}`]).then(
        ({ stdout }) => stdout,
        () => '',
      );
      for (const { peer, received, sent } of parseSocketBytes(text)) {
        totals.set(`${peer} received`, 'received', received);
        totals.set(`${peer} sent`, 'sent', sent);
      }
      const sums = totals.sums();
      return { received: sums.get('received') ?? 0, sent: sums.get('sent') ?? 0 };
    },
  };
}

/** Reads the output of `ss -tin`: a line with the addresses of a connection, then one with its figures. */
export function parseSocketBytes(text: string): (SocketBytes & { peer: string })[] {
  return text
    .replaceAll(/\n\s+/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => ({
      peer: line.trim().split(/\s+/)[4] ?? '',
      received: Number(/\bbytes_received:(\d+)/.exec(line)?.[1] ?? 0),
      sent: Number(/\bbytes_acked:(\d+)/.exec(line)?.[1] ?? 0),
    }));
}
