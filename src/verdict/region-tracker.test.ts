import { expect, test } from 'vitest';
import { eachDatabase } from '../../test/support/databases.ts';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { checkResult, REGIONS, roundOf } from '../../test/support/rounds.ts';
import { silentLog } from '../lib/log.ts';
import type { CheckResult } from '../model/check.ts';
import type { MonitorStatus } from '../model/monitor.ts';
import type { Round } from '../model/round.ts';
import type { Database } from '../store/contract.ts';
import { readRegionHealth } from '../store/region-health.ts';
import { createRegionTracker, type RegionTracker } from './region-tracker.ts';

const START = Date.UTC(2030, 0, 1);
const UP = (): MonitorStatus => 'online';
const nowhere = {} as Database;

function trackerOver(database: Database, regions: readonly string[] = REGIONS) {
  const clock = createFakeClock({ now: START });
  const tracker = createRegionTracker({ database, clock, log: silentLog, regions });
  return { clock, tracker };
}

const TIMED_OUT: Partial<CheckResult> = {
  failure: { code: 'connection_timeout', text: 'Connection timed out' },
};

/** A round of a host and an address of its own, `d` being a time-out. */
function seen(monitorId: number, votes: string, now: number, host = `h${monitorId}.test`): Round {
  const round = roundOf(votes, { monitorId, host, startedAt: now - 100, finishedAt: now });
  const results = round.results.map((result) => {
    const failure = result.vote === 'down' ? TIMED_OUT : {};
    return { ...result, ...failure, remoteAddress: `10.0.${monitorId}.1` };
  });
  return { ...round, results };
}

/** One round of each of so many monitors within a minute, by their votes. */
function minute(
  tracker: RegionTracker,
  from: number,
  count: number,
  votesOf: (monitorId: number) => string,
): Round[] {
  return Array.from({ length: count }, (_, index) => {
    const now = from + Math.round((index * 60_000) / count);
    return tracker.judge([seen(index + 1, votesOf(index + 1), now)], UP, now)[0]!;
  });
}

const LETTERS = { up: 'u', down: 'd', unknown: '?' };

const votes = ({ results }: Round) => results.map(({ vote }) => LETTERS[vote]).join('');

test('a region that alone fails is quarantined, its votes are unknown, and it comes back', () => {
  const { tracker } = trackerOver(nowhere);
  minute(tracker, START, 20, () => 'uuuu');
  const broken = minute(tracker, START + 60_000, 20, () => 'duuu');
  expect(broken.map(votes)).toEqual([...Array(4).fill('duuu'), ...Array(16).fill('?uuu')]);
  expect([...tracker.quarantines().keys()]).toEqual(['ash']);
  expect(tracker.quarantines().get('ash')!.reason).toBe(
    "5 of 5 unrelated targets can't be reached from ash alone, while other regions reach them",
  );
  expect(broken.at(-1)!.results[0]).toMatchObject({
    vote: 'unknown',
    responseTimeMs: null,
    failure: {
      code: 'probe_no_network',
      text: "Not counted, as the region's own network is in doubt; it saw: Connection timed out",
    },
  });
  const recovering = minute(tracker, START + 120_000, 20, () => 'uuuu');
  expect(recovering.map((round) => round.results[0]!.vote)).toEqual(Array(20).fill('unknown'));
  const next = minute(tracker, START + 180_000, 20, () => 'uuuu');
  // Well is when fewer than a tenth fail, and that must last for a minute.
  expect(next.map((round) => round.results[0]!.vote).indexOf('up')).toBe(18);
  expect(tracker.quarantines().size).toBe(0);
});

test.each<[string, number, (monitorId: number) => string]>([
  ['four targets fail from one region alone', 20, (id) => (id <= 4 ? 'duuu' : 'uuuu')],
  ['every target is down everywhere, but they are few', 9, () => 'dddd'],
  ['half of the targets are down everywhere', 40, (id) => (id % 2 === 0 ? 'dddd' : 'uuuu')],
  ['a quarter fails from one region alone', 40, (id) => (id % 4 === 0 ? 'uudu' : 'uuuu')],
])('%s: no region is quarantined', (_name, count, votesOf) => {
  const { tracker } = trackerOver(nowhere);
  minute(tracker, START, count, () => 'uuuu');
  for (const offset of [60_000, 120_000, 180_000]) {
    const rounds = minute(tracker, START + offset, count, votesOf);
    expect(rounds.map(votes)).toEqual(rounds.map(({ monitorId }) => votesOf(monitorId)));
  }
});

test.each([
  ['one host', (_id: number) => 'shop.example.com', (id: number) => `10.0.${id}.1`],
  ['one network', (id: number) => `h${id}.test`, (id: number) => `10.0.0.${id}`],
  ['one network of IPv6', (id: number) => `h${id}.test`, (id: number) => `2001:db8:1::${id}`],
])('an outage of %s quarantines nothing, from one region or from all', (_name, host, address) => {
  for (const failing of ['duuu', 'dddd']) {
    const { tracker } = trackerOver(nowhere);
    const rounds = Array.from({ length: 40 }, (_, index) => {
      const round = seen(index + 1, failing, START + index, host(index + 1));
      const results = round.results.map((one) => ({ ...one, remoteAddress: address(index + 1) }));
      return { ...round, results };
    });
    const judged = tracker.judge(rounds, UP, START + 100);
    expect(new Set(judged.map(votes))).toEqual(new Set([failing]));
  }
});

test('names of one domain that are gone have one cause, those of many have another one', () => {
  const gone = { failure: { code: 'dns_timeout', text: 'Look-up timed out' } } as const;
  for (const [domain, isDoubted] of [
    [() => 'example.com', false],
    [(id: number) => `example${id}.com`, true],
  ] as const) {
    const { tracker } = trackerOver(nowhere);
    const rounds = Array.from({ length: 12 }, (_, index) => {
      const round = seen(index, 'dddd', START, `www${index}.${domain(index)}`);
      const results = round.results.map((one) => ({ ...one, ...gone, remoteAddress: null }));
      return { ...round, results };
    });
    tracker.judge(rounds, UP, START);
    expect(tracker.quarantines().size).toBe(isDoubted ? 4 : 0);
  }
});

test('when nearly all is gone everywhere at once it is our own network, until half of it answers', () => {
  const { tracker } = trackerOver(nowhere);
  minute(tracker, START, 30, () => 'uuuu');
  minute(tracker, START + 60_000, 30, () => 'dddd');
  expect([...tracker.quarantines().keys()]).toEqual(REGIONS);
  expect(tracker.quarantines().get('sin')!.reason).toContain('our own network is suspected');
  minute(tracker, START + 120_000, 30, () => 'dddd');
  const back = minute(tracker, START + 180_000, 30, () => 'uuuu').map(votes);
  expect(back[0]).toBe('????');
  // As soon as half of them answered.
  expect(back.indexOf('uuuu')).toBe(14);
});

test('targets that were down before say nothing of our network', () => {
  const { tracker } = trackerOver(nowhere);
  const rounds = Array.from({ length: 30 }, (_, index) => seen(index, 'dddd', START));
  tracker.judge(rounds, () => 'offline', START);
  expect(tracker.quarantines().size).toBe(0);
  tracker.judge(rounds, () => undefined, START + 2_000);
  expect(tracker.quarantines().size).toBe(0);
});

test('an installation with a single region is judged, too', () => {
  const { tracker } = trackerOver(nowhere, ['ash']);
  minute(tracker, START, 20, () => 'u');
  minute(tracker, START + 60_000, 20, () => 'd');
  expect([...tracker.quarantines().keys()]).toEqual(['ash']);
  minute(tracker, START + 180_000, 20, () => 'u');
  expect(tracker.quarantines().size).toBe(0);
});

test("the operator's own targets have the last word", () => {
  const { tracker } = trackerOver(nowhere);
  const gone = (now: number) =>
    tracker.judge(
      Array.from({ length: 30 }, (_, index) => seen(index, 'dddd', now)),
      UP,
      now,
    );
  tracker.selfChecked('ash', 'answered', START);
  gone(START + 1_000);
  expect(tracker.quarantines().size).toBe(0);
  tracker.selfChecked('pdx', 'silent', START + 2_000);
  expect([...tracker.quarantines().keys()]).toEqual(['pdx']);
  tracker.selfChecked('pdx', 'answered', START + 3_000);
  expect(tracker.quarantines().size).toBe(0);
});

test('regions that nobody knows of, and rounds without a host, are left alone', () => {
  const { tracker } = trackerOver(nowhere, ['nbg']);
  minute(tracker, START, 20, () => 'duuu');
  expect(tracker.quarantines().size).toBe(0);
  const rounds = Array.from({ length: 20 }, (_, index) => {
    const { host: _host, ...round } = seen(index, 'uudu', START + 60_000);
    return round;
  });
  expect(tracker.judge(rounds, UP, START + 60_000).map(votes)).toEqual(Array(20).fill('uudu'));
});

eachDatabase((_name, open) => {
  test('a quarantine is stored when it begins and ends, and outlives a restart', async () => {
    const database = await open();
    const { tracker } = trackerOver(database);
    const rows = () => readRegionHealth(database.read);
    minute(tracker, START, 20, () => 'uuuu');
    await tracker.save();
    expect(await rows()).toEqual([]);
    minute(tracker, START + 60_000, 20, () => 'duuu');
    await tracker.save();
    const [row] = await rows();
    expect(row).toMatchObject({ region: 'ash', quarantined_at: row!.changed_at, told_at: null });

    const { tracker: next } = trackerOver(database);
    await next.load();
    expect(next.quarantines().get('ash')).toMatchObject({ since: row!.quarantined_at });
    const judged = next.judge([seen(1, 'duuu', START + 121_000)], UP, START + 121_000);
    expect(votes(judged[0]!)).toBe('?uuu');
    minute(next, START + 180_000, 20, () => 'uuuu');
    minute(next, START + 240_000, 20, () => 'uuuu');
    expect(next.quarantines().size).toBe(0);
    await next.save();
    expect(await rows()).toMatchObject([{ region: 'ash', quarantined_at: null }]);
  });

  test('what could not be stored is stored later', async () => {
    const database = await open();
    let isAway = true;
    const departing = new Proxy(database, {
      get(target, name: keyof Database) {
        if (name === 'transaction' && isAway) return () => Promise.reject(new Error('away'));
        const value = target[name];
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const { tracker } = trackerOver(departing);
    tracker.selfChecked('ash', 'silent', START);
    await tracker.save();
    expect(await readRegionHealth(database.read)).toEqual([]);
    isAway = false;
    await tracker.save();
    expect(await readRegionHealth(database.read)).toMatchObject([{ quarantined_at: START }]);
  });
});

test('the address that a region spoke to does not matter where it is not one', () => {
  const { tracker } = trackerOver(nowhere);
  const rounds = Array.from({ length: 6 }, (_, index) => {
    const round = seen(index, 'duuu', START);
    const results = round.results.map((one) => ({
      ...one,
      ...(one.vote === 'up' && checkResult('up')),
      remoteAddress: 'x',
    }));
    return { ...round, results };
  });
  tracker.judge(rounds, UP, START);
  expect([...tracker.quarantines().keys()]).toEqual(['ash']);
});
