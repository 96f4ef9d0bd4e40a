import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultFigures, quantile } from './figures.ts';
import { addRecord, planFile, readRecords } from './records.ts';
import type { Fault, ReceivedProblem, Records } from './records.ts';
import { judge } from './rules.ts';
import type { Tables } from './tables.ts';

const BOUNDS = { leaseMs: 10_000, slackMs: 3_000 };
const START = Date.UTC(2030, 0, 1);
/** Epoch milliseconds of that second of the run. */
const s = (second: number) => START + second * 1_000;
const RUN = { from: s(100), to: s(700) };
const OUTAGE = { from: 305, to: 395 };
const MONITOR = 11;
const JOB = 12;

interface World {
  records: Records;
  tables: Tables;
}

const ROLE_AWAY: Fault = {
  kind: 'role_away',
  at: s(300),
  until: s(450),
  process: null,
  role: 'worker',
  shards: [],
  movedMs: null,
};
const told = (what: 'opened' | 'ended', second: number): ReceivedProblem => ({
  at: s(second),
  type: `installation.problem_${what}`,
  kind: 'role_missing',
  subject: 'worker',
});

/** Seconds at which the target is asked: every 30 s, and once for the recheck. */
const askedAt = [...Array.from({ length: 23 }, (_, index) => 30 * (index + 1)), 340];

/** Ten minutes in which everything went well, with an outage of 90 s. */
function soundWorld(): World {
  const isUp = (second: number) => second < OUTAGE.from || second >= OUTAGE.to;
  const kill: Fault = {
    kind: 'kill',
    at: s(205),
    until: null,
    process: 'whole-1',
    shards: [MONITOR],
    movedMs: 8_000,
  };
  return {
    records: {
      plan: { monitors: [{ id: MONITOR, intervalMs: 30_000 }], jobs: [JOB], ...RUN, skewMs: 0 },
      requests: askedAt.map((second) => ({ monitor: MONITOR, at: s(second), up: isUp(second) })),
      outages: [{ monitor: MONITOR, from: s(OUTAGE.from), to: s(OUTAGE.to) }],
      events: [
        { at: s(341), id: 'msg_1', event: 'monitor.down', monitor: MONITOR, incident: 1 },
        // Repeated, since the process that sent it died.
        { at: s(343), id: 'msg_1', event: 'monitor.down', monitor: MONITOR, incident: 1 },
        { at: s(421), id: 'msg_2', event: 'monitor.up', monitor: MONITOR, incident: 1 },
      ],
      pings: [1, 2, 3].map((n) => ({ monitor: JOB, at: s(150 + n), mark: `ping ${n}` })),
      faults: [kill],
      problems: [],
    },
    tables: {
      incidents: [{ id: 1, monitor: MONITOR, type: 'uptime', from: s(330), to: s(420) }],
      spans: [
        { id: 1, monitor: MONITOR, status: 'online', from: s(30), to: s(330) },
        { id: 2, monitor: MONITOR, status: 'offline', from: s(330), to: s(420) },
        { id: 3, monitor: MONITOR, status: 'online', from: s(420), to: null },
      ],
      rounds: askedAt.map((second) => ({ monitor: MONITOR, at: s(second) - 40 })),
      pings: [1, 2, 3].map((n) => ({ monitor: JOB, number: n, mark: `ping ${n}` })),
      pending: 0,
    },
  };
}

const judged = (change: (world: World) => void): string[] => {
  const world = soundWorld();
  change(world);
  return judge(world.records, world.tables, BOUNDS);
};

const without = <T>(list: T[], isGone: (one: T) => boolean) =>
  void list.splice(0, list.length, ...list.filter((one) => !isGone(one)));

test('a sound run has no problems', () => {
  expect(judged(() => {})).toEqual([]);
});

describe('a broken run', () => {
  const cases: [string, (world: World) => void, RegExp][] = [
    [
      'a check was left out',
      ({ records, tables }) => {
        without(records.requests, ({ at }) => at === s(210));
        without(tables.rounds, ({ at }) => at === s(210) - 40);
      },
      /no check for 60\.0 s from .*, 30\.0 s more than its interval of 30\.0 s/,
    ],
    [
      'no check came after some time',
      ({ records, tables }) => {
        without(records.requests, ({ at }) => at > s(600));
        without(tables.rounds, ({ at }) => at > s(600));
      },
      /no check for 100\.0 s/,
    ],
    [
      'an outage was not noticed',
      ({ records, tables }) => {
        tables.incidents = [];
        tables.spans = [{ ...tables.spans[0]!, to: null }];
        records.events = [];
      },
      /outage from .* for 90\.0 s has no incident/,
    ],
    [
      'an outage has two incidents',
      ({ tables, records }) => {
        tables.incidents[0]!.to = s(350);
        tables.incidents.push({
          id: 2,
          monitor: MONITOR,
          type: 'uptime',
          from: s(360),
          to: s(420),
        });
        records.events.push(
          { at: s(422), id: 'msg_3', event: 'monitor.down', monitor: MONITOR, incident: 2 },
          { at: s(423), id: 'msg_4', event: 'monitor.up', monitor: MONITOR, incident: 2 },
        );
      },
      /has 2 incidents/,
    ],
    [
      'an incident starts late',
      ({ tables }) => void (tables.incidents[0]!.from = s(360)),
      /its incident starts 55\.0 s late/,
    ],
    [
      'an incident ends before its outage',
      ({ tables }) => void (tables.incidents[0]!.to = s(380)),
      /its incident ends 15\.0 s before it/,
    ],
    [
      'an incident ends long after its outage',
      ({ tables }) => void (tables.incidents[0]!.to = s(450)),
      /its incident ends 55\.0 s after it/,
    ],
    [
      'an incident never ends',
      ({ tables, records }) => {
        tables.incidents[0]!.to = null;
        without(records.events, ({ event }) => event === 'monitor.up');
      },
      /its incident is still open/,
    ],
    [
      'an incident without outage',
      ({ tables, records }) => {
        tables.incidents.push({
          id: 2,
          monitor: MONITOR,
          type: 'uptime',
          from: s(500),
          to: s(520),
        });
        records.events.push(
          { at: s(501), id: 'msg_3', event: 'monitor.down', monitor: MONITOR, incident: 2 },
          { at: s(521), id: 'msg_4', event: 'monitor.up', monitor: MONITOR, incident: 2 },
        );
      },
      /incident 2 \(uptime\) from .* has no outage/,
    ],
    [
      'a job that called all the time is said to be silent',
      ({ tables }) =>
        void tables.incidents.push({
          id: 2,
          monitor: JOB,
          type: 'heartbeat',
          from: s(500),
          to: null,
        }),
      /monitor 12: incident 2 \(heartbeat\) from .* has no outage/,
    ],
    [
      'two open incidents of one monitor',
      ({ tables }) =>
        void tables.incidents.push({ ...tables.incidents[0]!, id: 2, from: s(340), to: null }),
      /incidents 1 and 2 overlap/,
    ],
    [
      'no message of the end',
      ({ records }) => void without(records.events, ({ event }) => event === 'monitor.up'),
      /incident 1 \(uptime\): 0 events monitor\.up/,
    ],
    [
      'two messages of the beginning under two ids',
      ({ records }) => void (records.events[1]!.id = 'msg_9'),
      /incident 1 \(uptime\): 2 events monitor\.down/,
    ],
    [
      'the end is told before the beginning',
      ({ records }) => void (records.events = records.events.toReversed()),
      /event monitor\.up of incident 1 came out of order/,
    ],
    [
      'an event of an incident that does not exist',
      ({ records }) => void (records.events[2]!.incident = 7),
      /event monitor\.up of incident 7, which does not exist/,
    ],
    ['a delivery that waits', ({ tables }) => void (tables.pending = 1), /1 deliveries were never/],
    [
      'an acknowledged ping is lost',
      ({ tables }) => void tables.pings.pop(),
      /job 12: ping ping 3 of .* is lost/,
    ],
    [
      'a ping is stored twice',
      ({ tables }) => void tables.pings.push({ monitor: JOB, number: 4, mark: 'ping 2' }),
      /ping ping 2 is stored twice/,
    ],
    [
      'a number of a ping is left out',
      ({ tables }) => void (tables.pings[2]!.number = 4),
      /the numbers of its pings skip before 4/,
    ],
    [
      'time without status',
      ({ tables }) => void (tables.spans[2]!.from = s(421)),
      /its statuses cover 599000 of 600000 ms/,
    ],
    [
      'time with two statuses',
      ({ tables }) => void (tables.spans[1]!.to = s(425)),
      /its statuses cover 605000 of 600000 ms/,
    ],
    [
      'spans that end and begin apart',
      ({ tables }) => void (tables.spans[1]!.to = s(425)),
      /span 2 ends at \d+, the next one starts at \d+/,
    ],
    [
      'downtime that the target did not have',
      ({ tables }) =>
        void (tables.spans = [
          { id: 1, monitor: MONITOR, status: 'offline', from: s(30), to: null },
        ]),
      /offline from .* without outage/,
    ],
    [
      'downtime that lasts on',
      ({ tables }) => {
        tables.spans[1]!.to = s(500);
        tables.spans[2]!.from = s(500);
      },
      /offline for 105\.0 s after its outage/,
    ],
    [
      'a round is stored twice',
      ({ tables }) => void tables.rounds.push({ monitor: MONITOR, at: s(510) }),
      /the round of 00:08:30\.000 has no request of its own/,
    ],
    [
      'a process that gets SIGTERM is cut off',
      ({ records }) => {
        const stop = { ...records.faults[0]!, kind: 'stop' as const };
        records.faults.push({ ...stop, exitCode: 0 }, { ...stop, exitCode: 1 });
      },
      /^whole-1 ended with 1 after SIGTERM at 00:03:25\.000$/,
    ],
    [
      'a role that is away is not reported',
      ({ records }) => void records.faults.push(ROLE_AWAY),
      /^no process had the role worker from 00:05:00\.000 to 00:07:30\.000, unreported$/m,
    ],
    [
      'its return is not reported',
      ({ records }) => {
        records.faults.push(ROLE_AWAY);
        records.problems.push(told('opened', 400));
      },
      /^no process had the role worker from .*: the report of its return is missing$/m,
    ],
    [
      'a role is missed that was there',
      ({ records }) => void records.problems.push(told('opened', 200)),
      /^the role worker was reported as missing at 00:03:20\.000$/m,
    ],
    [
      'nothing was tried',
      ({ records }) => void (records.faults = []),
      /nothing was tried: no faults/,
    ],
  ];
  test.each(cases)('%s', (_, change, expected) => {
    expect(judged(change).join('\n')).toMatch(expected);
  });
});

describe('what is excused', () => {
  const away: Fault = {
    kind: 'postgres_fast',
    at: s(205),
    until: s(235),
    process: null,
    shards: [],
    movedMs: null,
  };
  const leaveOut = ({ records, tables }: World) => {
    without(records.requests, ({ at }) => at === s(210));
    without(tables.rounds, ({ at }) => at === s(210) - 40);
  };

  test('a check that was due while Postgres was away', () => {
    expect(
      judged((world) => {
        leaveOut(world);
        world.records.faults.push(away);
      }),
    ).toEqual([]);
  });

  test('not one that was due when Postgres was back', () => {
    const problems = judged((world) => {
      leaveOut(world);
      world.records.faults.push({ ...away, at: s(190), until: s(205) });
    });
    expect(problems).toHaveLength(1);
  });

  test('a check whose next owner a fault befell, too', () => {
    const problems = (second: Partial<Fault>) =>
      judged(({ records, tables }) => {
        records.requests.find(({ at }) => at === s(210))!.at = s(228);
        tables.rounds.find(({ at }) => at === s(210) - 40)!.at = s(228) - 40;
        records.faults.push({ ...records.faults[0]!, at: s(214), process: 'whole-2', ...second });
      });
    expect(problems({})).toEqual([]);
    expect(problems({ shards: [MONITOR + 1] })).toHaveLength(1);
    expect(problems({ at: s(190) })).toHaveLength(1);
  });

  test('a role that was away, and of which the operators were told', () => {
    expect(
      judged(({ records }) => {
        records.faults.push(ROLE_AWAY);
        records.problems.push(told('opened', 400), told('ended', 530));
      }),
    ).toEqual([]);
  });

  test('an outage that nobody could see the end of while a role was away', () => {
    const longAway = { ...ROLE_AWAY, at: s(380), until: s(530) };
    expect(
      judged(({ records, tables }) => {
        without(records.requests, ({ at }) => at > s(380) && at < s(535));
        without(tables.rounds, ({ at }) => at > s(380) && at < s(535));
        tables.incidents[0]!.to = s(540) - 40;
        tables.spans[1]!.to = s(540) - 40;
        tables.spans[2]!.from = s(540) - 40;
        records.faults.push(longAway);
        records.problems.push(told('opened', 480), told('ended', 600));
      }),
    ).toEqual([]);
  });

  test('a short outage that nobody noticed, and one that was', () => {
    const short = { monitor: MONITOR, from: s(505), to: s(525) };
    expect(judged(({ records }) => void records.outages.push(short))).toEqual([]);
  });
});

describe('figures', () => {
  test('lateness of checks that came due after a fault, of the monitors that it befell', () => {
    const { records } = soundWorld();
    records.requests.find(({ at }) => at === s(210))!.at = s(217);
    expect(faultFigures(records, BOUNDS.leaseMs)).toEqual([
      {
        fault: 'kill whole',
        faults: 1,
        checks: 1,
        p50: 7_000,
        p99: 7_000,
        max: 7_000,
        movedMs: 8_000,
      },
    ]);
    records.faults[0]!.shards = [MONITOR + 1];
    expect(faultFigures(records, BOUNDS.leaseMs)[0]).toMatchObject({ checks: 0, max: 0 });
  });

  test.each([
    [[], 0.5, 0],
    [[3, 1, 2], 0.5, 2],
    [[3, 1, 2], 1, 3],
  ])('quantile of %j at %d is %d', (values, share, expected) => {
    expect(quantile(values, share)).toBe(expected);
  });
});

test('records come back as they were written', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tocsin-records-'));
  const { records } = soundWorld();
  for (const one of records.requests) addRecord(folder, 'requests', one);
  for (const one of records.faults) addRecord(folder, 'faults', one);
  writeFileSync(planFile(folder), JSON.stringify(records.plan));
  const read = readRecords(folder);
  rmSync(folder, { recursive: true });
  expect(read).toEqual({ ...records, outages: [], events: [], pings: [], problems: [] });
});
