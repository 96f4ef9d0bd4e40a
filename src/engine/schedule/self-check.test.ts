import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { checkResult } from '../../../test/support/rounds.ts';
import { silentLog } from '../../lib/log.ts';
import type { CheckResult, Vote } from '../../model/check.ts';
import type { PortCheckRequest } from '../../monitor-types/port.ts';
import type { AnyRequest } from '../../monitor-types/registry.ts';
import type { Region } from '../../model/monitor.ts';
import { createSelfCheck } from './self-check.ts';

const TWO = [
  { host: '192.0.2.1', port: 53 },
  { host: 'a.example', port: 443 },
];

const alwaysUp = (_host: string, _region: Region): CheckResult => checkResult('up');

/** Creates a self-check and records its requests and what it reports. */
function setUp(options: { regions?: Region[]; targets?: typeof TWO } = {}) {
  const { regions = ['ash'], targets = TWO } = options;
  const clock = createFakeClock();
  const reported: string[] = [];
  const asked: [Region, AnyRequest][] = [];
  const warnings: object[] = [];
  let answer = alwaysUp;
  let saves = 0;
  const selfCheck = createSelfCheck({
    clock,
    regions,
    targets,
    log: { ...silentLog, warn: (fields: object) => void warnings.push(fields) },
    bus: {
      async check(region, request) {
        asked.push([region, request as AnyRequest]);
        return answer((request as PortCheckRequest).host, region);
      },
    },
    tracker: {
      recordSelfCheck: (region, outcome) => void reported.push(`${region} ${outcome}`),
      save: async () => void (saves += 1),
    },
  });
  return {
    clock,
    reported,
    asked,
    warnings,
    selfCheck,
    saves: () => saves,
    answerBy: (by: typeof alwaysUp) => void (answer = by),
    vote: (vote: Vote) => void (answer = () => checkResult(vote)),
  };
}

test('each region checks every target every 15 s, and one answer suffices', async () => {
  const { clock, reported, asked, selfCheck, answerBy, saves } = setUp({ regions: ['ash', 'pdx'] });
  answerBy((host, region) => checkResult(region === 'ash' && host === 'a.example' ? 'up' : 'down'));
  selfCheck.start();
  await clock.settle();
  expect(asked).toHaveLength(4);
  expect(asked[0]).toEqual([
    'ash',
    { type: 'port', monitorId: 0, timeoutMs: 5_000, host: '192.0.2.1', port: 53 },
  ]);
  expect(reported).toEqual(['ash answered']);
  await clock.advance(15_000);
  // A region that never reached a target counts as silent after the second failure.
  expect(reported).toEqual(['ash answered', 'ash answered', 'pdx silent']);
  expect(saves()).toBe(2);
  selfCheck.stop();
  await clock.advance(60_000);
  expect(asked).toHaveLength(8);
  expect(clock.pending().timers).toBe(0);
});

test('a region that once reached a target is silent at the first failure, until one answers [25.15]', async () => {
  const { clock, reported, selfCheck, vote } = setUp();
  selfCheck.start();
  for (const next of ['down', 'down', 'up', 'down'] as const) {
    await clock.settle();
    vote(next);
    await clock.advance(15_000);
  }
  selfCheck.stop();
  expect(reported.map((line) => line.slice(4))).toEqual([
    'answered',
    'silent',
    'silent',
    'answered',
    'silent',
  ]);
});

test('reports nothing without a probe or for targets that are not allowed', async () => {
  const { clock, reported, warnings, selfCheck, vote, answerBy } = setUp();
  vote('unknown');
  selfCheck.start();
  await clock.advance(60_000);
  const failure = { code: 'target_not_allowed', text: 'is a private address' } as const;
  answerBy(() => checkResult('down', { failure }));
  await clock.advance(60_000);
  expect(reported).toEqual([]);
  expect(warnings).toEqual([{ target: '192.0.2.1:53', reason: 'is a private address' }]);
  selfCheck.stop();
});

test('is disabled without targets', async () => {
  const { clock, asked, selfCheck } = setUp({ targets: [] });
  selfCheck.start();
  await clock.advance(60_000);
  expect(asked).toEqual([]);
  selfCheck.stop();
});
