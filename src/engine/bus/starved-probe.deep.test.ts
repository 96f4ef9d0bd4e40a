import { afterAll, expect, test, vi } from 'vitest';
import { httpCheck } from '../../../test/support/probing.ts';
import { startTarget } from '../../../test/support/target-server.ts';
import { sleep, systemClock } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import type { CheckResult } from '../../model/check.ts';
import type { AnyRequest } from '../../monitor-types/registry.ts';
import { createLocalBus } from './local.ts';

vi.setConfig({ testTimeout: 240_000 });

const FOR_MS = 25_000;
const ANSWERS_AFTER_MS = 300;
const LIMITS_MS = [2_000, 5_000];

const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

/** Milliseconds for which the probe is suspended and then runs, in turn. */
const PATTERNS: [string, () => [suspendedMs: number, runsMs: number]][] = [
  ['suspended for 0.2 to 3 s now and then', () => [between(200, 3_000), between(500, 3_000)]],
  ['that gets a twentieth of its time', () => [95, 5]],
];

const between = (from: number, to: number) => from + Math.random() * (to - from);

test.each(PATTERNS)(
  'a probe %s calls no healthy target down nor a silent one up, and finds it once it runs [18.10]',
  async (_name, next) => {
    const [healthy, silent] = await Promise.all([startTarget(), startTarget()]);
    closing.push(healthy.close, silent.close);
    await Promise.all([healthy.heal(ANSWERS_AFTER_MS), silent.hang()]);
    const bus = await createLocalBus({
      regions: ['here'],
      vantage: 'office',
      version: '0.0.0',
      workers: 1,
      settings: { allowPrivateTargets: 'true', dnsServers: null, rdapBootstrapFile: null },
      environment: process.env,
      clock: systemClock,
      log: silentLog,
    });
    closing.push(() => bus.close());
    const pid = bus.processes()[0]!.pid!;
    const endsAt = Date.now() + FOR_MS;

    const suspend = async () => {
      while (Date.now() < endsAt) {
        const [suspendedMs, runsMs] = next();
        process.kill(pid, 'SIGSTOP');
        await sleep(systemClock, suspendedMs);
        process.kill(pid, 'SIGCONT');
        await sleep(systemClock, runsMs);
      }
    };
    const check = async (request: AnyRequest, seen: CheckResult[]) => {
      while (Date.now() < endsAt) {
        seen.push(await bus.check('here', { ...request, teamId: 1 }));
        await sleep(systemClock, between(20, 120));
      }
    };
    const [well, dead]: [CheckResult[], CheckResult[]] = [[], []];
    await Promise.all([
      suspend(),
      ...LIMITS_MS.flatMap((timeoutMs) => [
        check(httpCheck(healthy.url(), { timeoutMs }), well),
        check(httpCheck(healthy.url(), { timeoutMs, monitorId: 2 }), well),
        check(
          { type: 'port', monitorId: 3, timeoutMs, host: '127.0.0.1', port: healthy.port },
          well,
        ),
        check(httpCheck(silent.url(), { timeoutMs, monitorId: 4 }), dead),
      ]),
    ]);
    expect(well.filter(({ vote }) => vote === 'down')).toEqual([]);
    expect(well.filter(({ vote }) => vote === 'up').length).toBeGreaterThan(10);
    expect(dead.filter(({ vote }) => vote === 'up')).toEqual([]);
    const afterwards = await bus.check('here', {
      ...httpCheck(silent.url(), { timeoutMs: LIMITS_MS[0]!, monitorId: 4 }),
      teamId: 1,
    });
    expect(afterwards).toMatchObject({ vote: 'down', failure: { code: 'no_response' } });
  },
);
