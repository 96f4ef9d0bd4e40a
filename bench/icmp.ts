import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { systemClock as clock } from '../src/lib/clock.ts';
import { silentLog } from '../src/lib/log.ts';
import { createIcmpClient, type EchoOutcome } from '../src/probe/icmp/icmp-client.ts';
import { inParallel, measureFping } from './peers.ts';
import { ratio, report } from './report.ts';

const ECHOES = 50_000;
/** As many as fping asks, at once as it does. */
const HOSTS = 254;
const PROGRAMS = 100;
/** Sent to all hosts each. */
const FPING_ROUNDS = 200;

/** Echoes per second to this machine through our sockets, and with one `ping` program per check, four at a time. */
export async function run(): Promise<void> {
  const icmp = createIcmpClient({ clock, log: silentLog });
  let turn = 0;
  const echo = async () => {
    const host = `127.0.1.${1 + (turn++ % HOSTS)}`;
    const outcome = await new Promise<EchoOutcome>((resolve) => void icmp.echo(host, resolve));
    if (outcome.kind !== 'reply') throw new Error(`No reply: ${JSON.stringify(outcome)}`);
  };
  await inParallel(ECHOES / 10, HOSTS, echo);
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  await inParallel(ECHOES, HOSTS, echo);
  const { user, system } = process.cpuUsage(before);
  const perSecond = ECHOES / ((performance.now() - startedAt) / 1000);
  await icmp.close();
  const perCpuSecond = ECHOES / ((user + system) / 1e6);
  const fping = await measureFping(FPING_ROUNDS);
  const byProgram = await programsPerSecond();
  report('icmp', [
    { name: 'echoes', value: perSecond, unit: '/s' },
    { name: 'CPU each', value: (user + system) / ECHOES, unit: 'µs' },
    { name: 'echoes per CPU second', value: perCpuSecond },
    { name: '`fping`, echoes per CPU second', value: fping ?? 'not installed' },
    ratio('echoes / `fping`, per CPU second', perCpuSecond, fping, 1),
    { name: '`ping` programs', value: byProgram ?? '–', unit: '/s' },
    ratio('echoes / programs', perSecond, byProgram, 100),
  ]);
}

const ping = () => promisify(execFile)('ping', ['-c', '1', '-n', '127.0.0.1']);

async function programsPerSecond(): Promise<number | null> {
  try {
    await ping();
  } catch {
    return null;
  }
  const startedAt = performance.now();
  await inParallel(PROGRAMS, 4, ping);
  return PROGRAMS / ((performance.now() - startedAt) / 1000);
}
