import { describe, expect, test } from 'vitest';
import { processReport } from '../../../test/support/process-reports.ts';
import type { ProblemKind, ProcessReport } from '../../model/installation-health.ts';
import { extendWorkerRun, RULES, summaryOf, type InstallationFacts } from './rules.ts';

const NOW = Date.UTC(2030, 0, 1);
const SECOND = 1_000;
const MIB = 1024 * 1024;

const report = (changes: Partial<ProcessReport> = {}) =>
  processReport({ seenAt: NOW - 2 * SECOND, probes: { ash: 1, pdx: 2 }, ...changes });

function facts(changes: Partial<InstallationFacts> = {}): InstallationFacts {
  return {
    reports: [report()],
    shards: new Map([['a', 256]]),
    unownedShards: 0,
    deliveries: { waiting: 0, oldestDueAt: null },
    workerRan: { from: 0, until: NOW },
    regions: ['ash', 'pdx'],
    ...changes,
  };
}

const reports = (...changes: Partial<ProcessReport>[]): Partial<InstallationFacts> => ({
  reports: changes.map(report),
});
const due = (secondsAgo: number): Partial<InstallationFacts> => ({
  deliveries: { waiting: 3, oldestDueAt: NOW - secondsAgo * SECOND },
});
const b = { id: 'b', name: 'b:3000' };

test('nothing is found of an installation that works', () => {
  for (const rule of Object.values(RULES)) {
    expect(rule.find(facts(), NOW, () => false)).toEqual([]);
    expect(rule.find(facts(), NOW, () => true)).toEqual([]);
  }
});

type Found = [subject: string, value: number | null, ...processes: string[]][];

describe('a problem is found', () => {
  test.each<
    [
      kind: ProblemKind,
      name: string,
      changes: Partial<InstallationFacts>,
      begins: Found,
      lasts: Found,
    ]
  >([
    ['rounds_late', 'in time', reports({ lagMs: 9_999 }), [], []],
    ['rounds_late', 'a little late', reports({ lagMs: 29_999 }), [], [['', 30, 'a:3000']]],
    ['rounds_late', 'late', reports({ lagMs: 30_000 }), [['', 30, 'a:3000']], [['', 30, 'a:3000']]],
    [
      'rounds_late',
      'late in one of two processes',
      reports({ lagMs: 0 }, { ...b, lagMs: 300_000 }),
      [['', 300, 'b:3000']],
      [['', 300, 'b:3000']],
    ],
    [
      'rounds_late',
      'late in both: the later one has the value',
      reports({ lagMs: 40_000 }, { ...b, lagMs: 50_000 }),
      [['', 50, 'a:3000', 'b:3000']],
      [['', 50, 'a:3000', 'b:3000']],
    ],
    [
      'rounds_late',
      'late in a process that is gone',
      reports({}, { ...b, lagMs: 300_000, seenAt: NOW - 31 * SECOND }),
      [],
      [],
    ],
    ['rounds_late', 'without a schedule', reports({ lagMs: null, checksDue: null }), [], []],
    [
      'rounds_late',
      'half of the checks late',
      reports({ checksDue: 40, checksLate: 20 }),
      [['', 0, 'a:3000']],
      [['', 0, 'a:3000']],
    ],
    [
      'rounds_late',
      'a third of them',
      reports({ checksDue: 90, checksLate: 30 }),
      [],
      [['', 0, 'a:3000']],
    ],
    ['rounds_late', 'all, but few', reports({ checksDue: 19, checksLate: 19 }), [], []],
    ['deliveries_waiting', 'for a moment', due(59), [], []],
    ['deliveries_waiting', 'for minutes', due(299), [], [['', 299]]],
    ['deliveries_waiting', 'for long', due(300), [['', 300]], [['', 300]]],
    ['deliveries_waiting', 'due in the future', due(-300), [], []],
    [
      'deliveries_waiting',
      'for long, and a worker runs for a moment',
      { ...due(900), workerRan: { from: NOW - 59 * SECOND, until: NOW } },
      [],
      [],
    ],
    [
      'deliveries_waiting',
      'for long, and a worker runs for minutes',
      { ...due(900), workerRan: { from: NOW - 300 * SECOND, until: NOW } },
      [['', 300]],
      [['', 300]],
    ],
    [
      'deliveries_waiting',
      'for long, of which a worker ran for a while',
      { ...due(900), workerRan: { from: 0, until: NOW - 700 * SECOND } },
      [],
      [['', 200]],
    ],
    ['deliveries_waiting', 'while no worker ever ran', { ...due(900), workerRan: null }, [], []],
    [
      'region_without_probe',
      'one without a probe',
      reports({ probes: { ash: 1, pdx: 0 } }),
      [['pdx', null, 'a:3000']],
      [['pdx', null, 'a:3000']],
    ],
    [
      'region_without_probe',
      'one that one of two processes does not reach',
      reports({}, { ...b, probes: { ash: 4 } }),
      [['pdx', null, 'b:3000']],
      [['pdx', null, 'b:3000']],
    ],
    ['region_without_probe', 'a process that checks nothing', reports({ probes: null }), [], []],
    [
      'region_without_probe',
      'one that an api does not reach beside a scheduler that does',
      reports({}, { ...b, roles: ['api'], probes: {} }),
      [],
      [],
    ],
    [
      'region_without_probe',
      'one that never had a probe, as the api sees it when no scheduler is left',
      reports(
        { roles: ['scheduler'], seenAt: NOW - 31 * SECOND },
        { ...b, roles: ['api'], probes: { ash: 1, pdx: 0 } },
      ),
      [['pdx', null, 'b:3000']],
      [['pdx', null, 'b:3000']],
    ],
    [
      'region_without_probe',
      'a process that is gone',
      reports({}, { ...b, probes: {}, seenAt: NOW - 40 * SECOND }),
      [],
      [],
    ],
    ['shards_unowned', 'some', { unownedShards: 128 }, [['', 128]], [['', 128]]],
    [
      'process_silent',
      'an owner that does not report any more',
      {
        ...reports({}, { ...b, seenAt: NOW - 31 * SECOND }),
        shards: new Map([
          ['a', 128],
          ['b', 128],
        ]),
      },
      [['', 128, 'b:3000']],
      [['', 128, 'b:3000']],
    ],
    [
      'process_silent',
      'an owner that never reported',
      {
        shards: new Map([
          ['a', 250],
          ['x', 6],
        ]),
      },
      [['', 6, 'x']],
      [['', 6, 'x']],
    ],
    [
      'process_silent',
      'a process that is gone and owns nothing',
      reports({}, { ...b, seenAt: NOW - 3_000 * SECOND }),
      [],
      [],
    ],
    [
      'role_missing',
      'no worker',
      reports({ roles: ['api', 'scheduler'] }),
      [['worker', null]],
      [['worker', null]],
    ],
    [
      'role_missing',
      'each role in a process of its own',
      reports({ roles: ['api'] }, { ...b, roles: ['scheduler', 'worker'] }),
      [],
      [],
    ],
    [
      'role_missing',
      'a worker that is gone',
      reports(
        { roles: ['api', 'scheduler'] },
        { ...b, roles: ['worker'], seenAt: NOW - 31 * SECOND },
      ),
      [['worker', null]],
      [['worker', null]],
    ],
    ['clock_off', 'within half a second', reports({ clockOffsetMs: -500 }), [], []],
    [
      'clock_off',
      'within a second',
      reports({ clockOffsetMs: 1_000 }),
      [],
      [['', 1_000, 'a:3000']],
    ],
    [
      'clock_off',
      'behind',
      reports({}, { ...b, clockOffsetMs: -1_001 }),
      [['', 1_001, 'b:3000']],
      [['', 1_001, 'b:3000']],
    ],
    ['files_refused', 'all are right', reports(), [], []],
    [
      'files_refused',
      'one of two processes',
      reports({}, { ...b, isRefusingFiles: true }),
      [['', null, 'b:3000']],
      [['', null, 'b:3000']],
    ],
    ['disk_low', 'enough', reports({ freeBytes: 600 * MIB }), [], []],
    [
      'disk_low',
      'a little more than needed',
      reports({ freeBytes: 500 * MIB }),
      [],
      [['', 500 * MIB, 'a:3000']],
    ],
    [
      'disk_low',
      'too little',
      reports({ freeBytes: 499 * MIB }),
      [['', 499 * MIB, 'a:3000']],
      [['', 499 * MIB, 'a:3000']],
    ],
    [
      'discovery_failing',
      'two sets, one of them in two processes',
      reports(
        { failingDiscoveries: ['docker'] },
        { ...b, failingDiscoveries: ['cluster', 'docker'] },
      ),
      [
        ['cluster', null, 'b:3000'],
        ['docker', null, 'a:3000', 'b:3000'],
      ],
      [
        ['cluster', null, 'b:3000'],
        ['docker', null, 'a:3000', 'b:3000'],
      ],
    ],
    [
      'discovery_failing',
      'a process that is gone',
      reports({}, { ...b, failingDiscoveries: ['docker'], seenAt: NOW - 31 * SECOND }),
      [],
      [],
    ],
  ])('%s: %s', (kind, _, changes, begins, lasts) => {
    const find = (isOpen: boolean) =>
      RULES[kind]
        .find(facts(changes), NOW, () => isOpen)
        .map(({ subject, value, processes }) => [subject, value, ...processes]);
    expect(find(false)).toEqual(begins);
    expect(find(true)).toEqual(lasts);
  });
});

test('the summary counts live processes only', () => {
  const gone = report({ ...b, lagMs: 90_000, freeBytes: 1, seenAt: NOW - 31 * SECOND });
  const others = [
    report({ lagMs: 7_000, checksDue: 30, checksLate: 2, freeBytes: 900 * MIB }),
    report({ ...b, lagMs: null, checksDue: 10, checksLate: 1, probes: { ash: 1, pdx: 0 } }),
  ];
  const all = { reports: [gone, ...others], unownedShards: 4, ...due(12) };
  expect(summaryOf(facts(all), NOW)).toEqual({
    scheduleLagMs: 7_000,
    checksDue: 40,
    checksLate: 3,
    deliveriesWaiting: 3,
    oldestDeliverySeconds: 12,
    regionsWithoutProbe: ['pdx'],
    unownedShards: 4,
    processes: 2,
    freeBytes: 900 * MIB,
    workerRan: { from: 0, until: NOW },
  });
});

describe('the time in which a worker ran', () => {
  const ran = { from: NOW - 3_600 * SECOND, until: NOW - 5 * SECOND };
  const old = { ...ran, until: NOW - 31 * SECOND };
  const api = report({ roles: ['api'] });
  test.each([
    ['goes on', ran, [report()], { from: ran.from, until: NOW }],
    ['goes on with another one', ran, [report(b)], { from: ran.from, until: NOW }],
    ['begins with the first one', null, [report()], { from: NOW, until: NOW }],
    ['begins anew after a break', old, [report()], { from: NOW, until: NOW }],
    ['stays as it was without one', ran, [api, report({ seenAt: NOW - 31 * SECOND })], ran],
    ['is none before the first', null, [api], null],
  ])('%s', (_, before, seen, expected) => {
    expect(extendWorkerRun(before, seen, NOW)).toEqual(expected);
  });
});
