import { setTimeout as pause } from 'node:timers/promises';
import { createLocalBus, type LocalBus } from '../src/engine/bus/local.ts';
import { systemClock } from '../src/lib/clock.ts';
import { silentLog } from '../src/lib/log.ts';
import type { HttpCheckRequest } from '../src/monitor-types/http.ts';
import { PLAIN_GET } from './plain-get.ts';
import { atLeast, ms, none, report } from './report.ts';
import { startTarget } from './target.ts';

/** Numbers of concurrent checks: the first is enough to keep a probe process busy. */
const BACKLOGS = [256, 4_000, 16_000];
const MEASURE_MS = 4_000;
/** The first batch of a backlog is not counted: a service never sends that many at once. */
const RAMP_MS = 2_000;
/** Every backlog is measured this many times and the best figure counts, since other programs use the machine. */
const TURNS = 2;
const TEAMS = 20;
/** Equal for each backlog, so that backlogs differ in nothing else. */
const TARGETS = 16_000;

/** Checks per second of a probe process that is given far more than it can do. */
export async function run(): Promise<void> {
  const target = await startTarget({ host: '0.0.0.0' });
  const { port } = target;
  const bus = await createLocalBus({
    regions: ['ash'],
    vantage: 'bench',
    version: '0.0.0',
    workers: 1,
    settings: { allowPrivateTargets: 'true', dnsServers: null, rdapBootstrapFile: null },
    environment: process.env,
    clock: systemClock,
    log: silentLog,
  });
  const best = new Map<number, Measured>();
  await measure(bus, port, BACKLOGS[0]!, 2_000);
  for (let turn = 0; turn < TURNS; turn++) {
    for (const backlog of BACKLOGS) {
      const measured = await measure(bus, port, backlog, MEASURE_MS);
      if (measured.perSecond > (best.get(backlog)?.perSecond ?? 0)) best.set(backlog, measured);
    }
  }
  await bus.close();
  target.stop();
  const saturated = best.get(BACKLOGS[0]!)!.perSecond;
  report(
    'overload, one probe process, HTTP',
    [...best].flatMap(([backlog, { perSecond, notUp, responseMs }]) => [
      { name: `${backlog} asked for at once`, value: perSecond, unit: 'checks/s' },
      ...(backlog === BACKLOGS[0]
        ? []
        : [atLeast('  of the saturated rate', perSecond / saturated, 0.9)]),
      none('  not up', notUp),
      ms('  mean response time', responseMs),
    ]),
  );
}

interface Measured {
  perSecond: number;
  notUp: number;
  /** Over the results that have a response time. */
  responseMs: number;
}

/** Keeps that many checks pending; each finished check is replaced by a new one. */
async function measure(
  bus: LocalBus,
  port: number,
  backlog: number,
  forMs: number,
): Promise<Measured> {
  const over = new AbortController();
  let done = 0;
  let notUp = 0;
  let timed = 0;
  let totalMs = 0;
  let asked = 0;
  const one = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const result = await bus.check('ash', requestTo(asked++ % TARGETS, port));
      if (over.signal.aborted) return;
      if (performance.now() < countedFrom) continue;
      done++;
      if (result.vote !== 'up') notUp++;
      if (result.responseTimeMs === null) continue;
      timed++;
      totalMs += result.responseTimeMs;
    }
  };
  const countedFrom = performance.now() + RAMP_MS;
  const all = Array.from({ length: backlog }, () => one());
  await pause(RAMP_MS + forMs);
  over.abort();
  const perSecond = done / ((performance.now() - countedFrom) / 1_000);
  await Promise.all(all);
  return { perSecond, notUp, responseMs: totalMs / timed };
}

function requestTo(index: number, port: number): HttpCheckRequest {
  return {
    ...PLAIN_GET,
    monitorId: index,
    teamId: index % TEAMS,
    timeoutMs: 27_000,
    url: `http://127.5.${Math.floor(index / 250) % 250}.${1 + (index % 250)}:${port}/`,
  };
}
