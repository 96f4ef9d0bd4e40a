import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Plan } from '../../identity/plans.ts';
import { CHECK_TYPES, type CheckType } from '../../model/monitor.ts';
import { MONITOR_TYPES } from '../../monitor-types/registry.ts';
import { requestedCheckTypes, requireFeatures, requireMonitorCapacity } from './gate.ts';
import { Problem } from '../common/errors.ts';

const FREE: Plan = {
  name: 'Free',
  apiAccess: true,
  monitorTypes: ['http', 'ping'],
  checkTypes: ['ssl'],
  minCheckInterval: 5,
  maxMonitors: 10,
  maxMonitorsPerHost: 2,
  checkUrl: false,
};
const NOTHING = { monitorType: null, checkTypes: [], checkInterval: null, host: null };

const anyDemand = fc.record({
  monitorType: fc.constantFrom(null, ...MONITOR_TYPES),
  checkTypes: fc.subarray([...CHECK_TYPES]),
  checkInterval: fc.constantFrom(null, 0.5, 1, 4.999, 5, 60),
  host: fc.option(fc.record({ host: fc.constant('example.com'), others: fc.nat(3) })),
});
const anyPlan = fc.record({
  name: fc.constant('Any'),
  apiAccess: fc.boolean(),
  monitorTypes: fc.option(fc.subarray([...MONITOR_TYPES])),
  checkTypes: fc.option(fc.subarray([...CHECK_TYPES])),
  minCheckInterval: fc.constantFrom(null, 0.5, 1, 5),
  maxMonitors: fc.option(fc.nat(3)),
  maxMonitorsPerHost: fc.option(fc.integer({ min: 1, max: 3 })),
  checkUrl: fc.boolean(),
});

/** What is said to whoever goes beyond a plan; null when it is allowed. */
function refusalOf(demand: () => void): string | null {
  try {
    demand();
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    expect((error as Problem).code).toBe('forbidden');
    return (error as Problem).message;
  }
}

test.for([
  [{ monitorType: 'http' }, null],
  [{ checkTypes: ['ssl'], checkInterval: 5 }, null],
  [
    { monitorType: 'cron' },
    'The plan "Free" does not include cron monitors: use http or ping, or change the plan.',
  ],
  [
    { checkTypes: ['ssl', 'dns'] },
    'The plan "Free" does not include the check type dns: leave it out, or change the plan.',
  ],
  [
    { checkTypes: ['dns', 'domain', 'keyword'] },
    'The plan "Free" does not include the check types dns, domain and keyword: leave them out with keyword_settings, or change the plan.',
  ],
  [
    { checkInterval: 4.9 },
    'The plan "Free" allows a check_interval of at least 5 minutes: send 5 or more, or change the plan.',
  ],
  [{ host: { host: 'example.com', others: 1 } }, null],
  [
    { host: { host: 'example.com', others: 2 } },
    'The plan "Free" allows at most 2 monitors of one host, and example.com has 2: delete one, or change the plan.',
  ],
  [
    { monitorType: 'port', checkInterval: 1 },
    'The plan "Free" does not include port monitors: use http or ping, or change the plan. The plan "Free" allows a check_interval of at least 5 minutes: send 5 or more, or change the plan.',
  ],
] as const)('%j', ([demand, message]) => {
  expect(refusalOf(() => requireFeatures(FREE, { ...NOTHING, ...demand }))).toBe(message);
});

test('a plan without any type, and one of a single minute, are told in words', () => {
  const plan = { ...FREE, monitorTypes: [], minCheckInterval: 1 };
  expect(
    refusalOf(() => requireFeatures(plan, { ...NOTHING, monitorType: 'http', checkInterval: 0.5 })),
  ).toBe(
    'The plan "Free" does not include http monitors: change the plan. The plan "Free" allows a check_interval of at least 1 minute: send 1 or more, or change the plan.',
  );
});

test('exactly what is not in the plan is refused', () => {
  fc.assert(
    fc.property(anyPlan, anyDemand, (plan, demand) => {
      const { monitorType, checkTypes, checkInterval, host } = demand;
      const isAllowed =
        (monitorType === null || (plan.monitorTypes ?? MONITOR_TYPES).includes(monitorType)) &&
        checkTypes.every((type) => (plan.checkTypes ?? CHECK_TYPES).includes(type)) &&
        (checkInterval ?? 60) >= (plan.minCheckInterval ?? 0) &&
        (host?.others ?? 0) < (plan.maxMonitorsPerHost ?? Infinity);
      const message = refusalOf(() => requireFeatures(plan, demand));
      expect(message === null).toBe(isAllowed);
      if (message !== null) expect(message).toContain('The plan "Any" ');
    }),
  );
});

test.for([
  [10, 9, null],
  [10, 10, 'The plan "Free" allows at most 10 monitors: delete one, or change the plan.'],
  [10, 12, 'The plan "Free" allows at most 10 monitors: delete one, or change the plan.'],
  [1, 1, 'The plan "Free" allows at most 1 monitor: delete one, or change the plan.'],
  [0, 0, 'The plan "Free" allows no monitors: change the plan.'],
  [null, 1_000_000, null],
] as const)('with room for %j, %j monitors leave room or not', ([maxMonitors, count, message]) => {
  expect(refusalOf(() => requireMonitorCapacity({ ...FREE, maxMonitors }, count))).toBe(message);
});

describe('the check types that an input asks for', () => {
  const KEYWORDS = { keywords: [{ phrase: 'a', mode: 'must_contain' }] };
  const OTHERS = { keywords: [{ phrase: 'b', mode: 'must_contain' }] };
  const off = { check_types: [] as CheckType[], keyword_settings: null };
  const on = { check_types: ['ssl', 'keyword'] as CheckType[], keyword_settings: KEYWORDS };

  test.for<[what: string, ...rest: [object, object | null, string[]]]>([
    ['none, of a new monitor', {}, null, []],
    ['those it names', { check_types: ['ssl', 'dns'] }, null, ['ssl', 'dns']],
    ['one whose settings it has', { keyword_settings: KEYWORDS }, null, ['keyword']],
    ['null turns nothing on', { check_types: null, keyword_settings: null }, null, []],
    ['none that stays on', { check_types: ['ssl', 'keyword'] }, on, []],
    ['none when it says nothing of them', {}, on, []],
    ['one that it adds', { check_types: ['keyword', 'ssl', 'dns'] }, on, ['dns']],
    ['none when it takes one away', { check_types: ['keyword'] }, on, []],
    ['none when settings come as they are', { keyword_settings: { ...KEYWORDS } }, on, []],
    ['one whose settings change', { keyword_settings: OTHERS }, on, ['keyword']],
    ['none when settings go', { keyword_settings: null }, on, []],
    ['one that was off', { keyword_settings: KEYWORDS }, off, ['keyword']],
    [
      'one that was off, by settings that are kept',
      { keyword_settings: KEYWORDS },
      { ...on, check_types: [] },
      ['keyword'],
    ],
    [
      'one that was off, by its name',
      { check_types: ['keyword'] },
      { ...on, check_types: [] },
      ['keyword'],
    ],
  ])('%s', ([_what, input, stored, asked]) => {
    const before = stored && { json_assertion_settings: null, ...off, ...stored };
    expect(requestedCheckTypes(input, before)).toEqual(asked);
  });
});
