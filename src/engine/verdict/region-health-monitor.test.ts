import { describe, expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { checkResult, REGIONS, roundOf } from '../../../test/support/rounds.ts';
import { silentLog } from '../../lib/log.ts';
import type { CheckResult } from '../../model/check.ts';
import type { MonitorStatus } from '../../model/monitor.ts';
import type { Round } from '../../model/round.ts';
import type { Database } from '../../store/database/contract.ts';
import { probeHealth } from '../../store/engine/probe-health.ts';
import { RegionHealthMonitor } from './region-health-monitor.ts';

const START = Date.UTC(2030, 0, 1);
const UP = (): MonitorStatus => 'online';
const nowhere = {} as Database;

function trackerOver(
  database: Database,
  regions: readonly string[] = REGIONS,
  probeHost: string | null = null,
) {
  const clock = createFakeClock({ now: START });
  const parts = { database, clock, log: silentLog, regions };
  const tracker = new RegionHealthMonitor({ ...parts, probeHost: () => probeHost });
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
    return { ...result, ...failure, remoteAddress: `203.0.${monitorId}.1` };
  });
  return { ...round, results };
}

/** One round of each of so many monitors within a minute, by their votes. */
function minute(
  tracker: RegionHealthMonitor,
  from: number,
  count: number,
  votesOf: (monitorId: number) => string,
): Round[] {
  return Array.from({ length: count }, (_, index) => {
    const now = from + Math.round((index * 60_000) / count);
    return tracker.suppressVotes([seen(index + 1, votesOf(index + 1), now)], UP, now)[0]!;
  });
}

/** Nobody answers who is asked now, as far as questions are due; the machines say nothing. */
function ask(tracker: RegionHealthMonitor, now: number): number {
  let asked = 0;
  for (let at = now; at < now + 20_000; at += 1_000) {
    for (const question of tracker.questions(at)) {
      asked += 1;
      tracker.recordAnswers(question, [], at);
    }
  }
  return asked;
}

const LETTERS = { up: 'u', down: 'd', unknown: '?' };

const votes = ({ results }: Round) => results.map(({ vote }) => LETTERS[vote]).join('');

test('failures that a doubted network explains are unknown, answers count, and it ends by answers [25.8, 25.13]', () => {
  const { tracker } = trackerOver(nowhere);
  minute(tracker, START, 20, () => 'uuuu');
  // What is asked is silent, too.
  const broken = minute(tracker, START + 60_000, 20, () => 'duuu');
  expect(broken.map(votes)).toEqual(Array(20).fill('duuu'));
  expect(ask(tracker, START + 120_000)).toBeGreaterThan(0);
  expect([...tracker.quarantines().keys()]).toEqual(['ash']);
  expect(tracker.quarantines().get('ash')!.reason).toBe(
    "20 of 20 unrelated targets that were up can't be reached from ash alone, while other regions reach them, so our own network is suspected",
  );
  const now = START + 145_000;
  const [suppressed] = tracker.suppressVotes([seen(1, 'duuu', now)], UP, now);
  expect(votes(suppressed!)).toBe('?uuu');
  expect(suppressed!.results[0]).toMatchObject({
    responseTimeMs: null,
    failure: {
      code: 'probe_no_network',
      text: "Not counted, as the probe's own network is in doubt; it saw: Connection timed out",
    },
  });
  expect(tracker.takeReleased()).toEqual([]);
  const [answered] = tracker.suppressVotes([seen(2, 'uuuu', now + 1_000)], UP, now + 1_000);
  expect(votes(answered!)).toBe('uuuu');
  tracker.suppressVotes([seen(3, 'uuuu', now + 2_000)], UP, now + 2_000);
  expect(tracker.quarantines().size).toBe(0);
  // Whose failures were suppressed are due now, and once.
  expect(tracker.takeReleased()).toEqual([1]);
  expect(tracker.takeReleased()).toEqual([]);
  // A check that began before the end and ends after it does not count, either.
  const late = seen(4, 'duuu', now + 3_000);
  const began = late.results.map((result) => ({ ...result, checkedAt: now - 20_000 }));
  expect(votes(tracker.suppressVotes([{ ...late, results: began }], UP, now + 3_000)[0]!)).toBe(
    '?uuu',
  );
  expect(tracker.takeReleased()).toEqual([4]);
  expect(votes(tracker.suppressVotes([seen(5, 'duuu', now + 4_000)], UP, now + 4_000)[0]!)).toBe(
    'duuu',
  );
});

test.each<[string, (tracker: RegionHealthMonitor) => void, RegExp]>([
  [
    'one region fails',
    (tracker) => void minute(tracker, START + 60_000, 20, () => 'duuu'),
    /by some of the checks from office, while its other checks reach them, so our own network/,
  ],
  [
    'all fail',
    (tracker) => void minute(tracker, START + 60_000, 20, () => 'dddd'),
    /can't be reached from office since the same moment, so our own network/,
  ],
  [
    'the targets of the operator are silent',
    (tracker) => tracker.recordSelfCheck('ash', 'silent', START + 100_000),
    /^None of the targets in SELF_CHECK_TARGETS answers from office$/,
  ],
])('one machine for all regions, %s: the reason names no region', (_, fail, reason) => {
  const { tracker } = trackerOver(nowhere, REGIONS, 'office');
  minute(tracker, START, 20, () => 'uuuu');
  fail(tracker);
  ask(tracker, START + 120_000);
  const given = tracker.quarantines().get('ash')!.reason;
  expect(given).toMatch(reason);
  expect(given).not.toMatch(new RegExp(`\\b(regions?|${REGIONS.join('|')})\\b`));
});

test('nothing is doubted before it was asked, and answers of a sample clear the suspicion [25.3]', () => {
  const { tracker } = trackerOver(nowhere, ['ash']);
  minute(tracker, START, 40, () => 'u');
  minute(tracker, START + 60_000, 20, () => 'd');
  const now = START + 122_000;
  const [question] = tracker.questions(now);
  expect(question).toMatchObject({ scope: null, fault: 'uplink', regions: ['ash'], size: 5 });
  // Each is asked once.
  expect(tracker.questions(now + 5_000)).toEqual([]);
  for (const monitorId of [31, 32, 33]) {
    const { results, host } = seen(monitorId, 'u', now);
    const result = { ...results[0]!, checkedAt: now };
    tracker.recordSample({ monitorId, host: host!, scope: null, result, at: now + 100 });
  }
  tracker.recordAnswers(question!, [], now + 200);
  expect(tracker.questions(now + 20_000)).toEqual([]);
  expect(tracker.quarantines().size).toBe(0);
});

test('names of one domain that are gone have one cause, those of many have another one', () => {
  const gone = { failure: { code: 'dns_timeout', text: 'Look-up timed out' } } as const;
  for (const [domain, isQuarantined] of [
    [() => 'example.com', false],
    [(id: number) => `example${id}.com`, true],
  ] as const) {
    const { tracker } = trackerOver(nowhere);
    const rounds = Array.from({ length: 12 }, (_, index) => {
      const round = seen(index, 'dddd', START, `www${index}.${domain(index)}`);
      const results = round.results.map((one) => ({ ...one, ...gone, remoteAddress: null }));
      return { ...round, results };
    });
    tracker.suppressVotes(rounds, UP, START);
    ask(tracker, START + 1_000);
    expect(tracker.quarantines().size).toBe(isQuarantined ? 4 : 0);
  }
});

test('targets that were down before say nothing of our network', () => {
  const { tracker } = trackerOver(nowhere);
  const rounds = Array.from({ length: 30 }, (_, index) => seen(index, 'dddd', START));
  tracker.suppressVotes(rounds, () => 'offline', START);
  expect(ask(tracker, START + 1_000)).toBe(0);
  expect(tracker.quarantines().size).toBe(0);
  tracker.suppressVotes(rounds, () => undefined, START + 2_000);
  expect(tracker.quarantines().size).toBe(0);
});

/** Everything is found to be gone, and is asked. */
function loseAll(tracker: RegionHealthMonitor, now: number): void {
  const rounds = Array.from({ length: 30 }, (_, index) => seen(index, 'dddd', now));
  tracker.suppressVotes(rounds, UP, now);
  ask(tracker, now + 1_000);
}

describe("the operator's own targets", () => {
  test('have the last word', () => {
    const { tracker } = trackerOver(nowhere);
    minute(tracker, START - 60_000, 30, () => 'uuuu');
    loseAll(tracker, START);
    expect(tracker.quarantines().size).toBe(4);
    tracker.recordSelfCheck('ash', 'answered', START + 25_000);
    expect(tracker.quarantines().size).toBe(0);
    ask(tracker, START + 26_000);
    expect(tracker.quarantines().size).toBe(0);
    tracker.recordSelfCheck('pdx', 'silent', START + 50_000);
    expect([...tracker.quarantines().keys()]).toEqual(['pdx']);
    tracker.recordSelfCheck('pdx', 'answered', START + 51_000);
    expect(tracker.quarantines().size).toBe(0);
  });

  test('count for 45 s after their answer and no longer', () => {
    const { tracker } = trackerOver(nowhere);
    minute(tracker, START - 60_000, 30, () => 'uuuu');
    const rounds = Array.from({ length: 30 }, (_, index) => seen(index, 'dddd', START));
    tracker.suppressVotes(rounds, UP, START);
    tracker.recordSelfCheck('ash', 'answered', START + 1_000);
    ask(tracker, START + 2_000);
    expect(tracker.quarantines().size).toBe(0);
    // Nobody has been able to ask them since.
    ask(tracker, START + 45_000);
    expect(tracker.quarantines().size).toBe(4);
  });

  test('that are silent hide nothing while other targets answer', () => {
    const { tracker } = trackerOver(nowhere, ['ash']);
    minute(tracker, START, 20, () => 'u');
    tracker.recordSelfCheck('ash', 'silent', START + 70_000);
    expect(tracker.quarantines().size).toBe(1);
    minute(tracker, START + 70_500, 20, (id) => (id % 5 === 0 ? 'u' : 'd'));
    expect(tracker.quarantines().size).toBe(0);
    tracker.recordSelfCheck('ash', 'silent', START + 131_000);
    expect(tracker.quarantines().size).toBe(0);
  });
});

test('regions that nobody knows of, and rounds without a host, are left alone', () => {
  const { tracker } = trackerOver(nowhere, ['nbg']);
  minute(tracker, START, 20, () => 'duuu');
  expect(tracker.quarantines().size).toBe(0);
  const rounds = Array.from({ length: 20 }, (_, index) => {
    const { host: _host, ...round } = seen(index, 'uudu', START + 60_000);
    return round;
  });
  expect(tracker.suppressVotes(rounds, UP, START + 60_000).map(votes)).toEqual(
    Array(20).fill('uudu'),
  );
});

eachDatabase((_name, open) => {
  test('a quarantine is stored when it begins and ends, and outlives a restart [25.17]', async () => {
    const database = await open();
    const { tracker } = trackerOver(database);
    const rows = () => probeHealth(database.read).regions();
    minute(tracker, START, 20, () => 'uuuu');
    await tracker.save();
    expect(await rows()).toEqual([]);
    minute(tracker, START + 60_000, 20, () => 'duuu');
    ask(tracker, START + 120_000);
    await tracker.save();
    const [row] = await rows();
    expect(row).toMatchObject({
      region: 'ash',
      quarantined_at: row!.changed_at,
      notified_at: null,
    });

    const { tracker: next } = trackerOver(database);
    await next.load();
    expect(next.quarantines().get('ash')).toMatchObject({ since: row!.quarantined_at });
    const judged = next.suppressVotes([seen(1, 'duuu', START + 141_000)], UP, START + 141_000);
    expect(votes(judged[0]!)).toBe('?uuu');
    minute(next, START + 180_000, 20, () => 'uuuu');
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
    tracker.recordSelfCheck('ash', 'silent', START);
    await tracker.save();
    expect(await probeHealth(database.read).regions()).toEqual([]);
    isAway = false;
    await tracker.save();
    expect(await probeHealth(database.read).regions()).toMatchObject([{ quarantined_at: START }]);
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
  tracker.suppressVotes(rounds, UP, START);
  ask(tracker, START + 1_000);
  expect([...tracker.quarantines().keys()]).toEqual(['ash']);
});

const office = (round: Round) => ({ ...round.results[0]!, region: 'office' });

test('what private regions see is neither evidence against a network nor for it, and is never suppressed', () => {
  const { tracker } = trackerOver(nowhere);
  minute(tracker, START, 20, () => 'uuuu');
  for (let id = 1; id <= 20; id += 1) {
    const now = START + 60_000 + id * 1_000;
    const down = office(seen(id, 'dddd', now));
    const inside = { ...seen(id, 'dddd', now), results: [down] };
    const mixed = { ...seen(id, 'uuuu', now), results: [...seen(id, 'uuuu', now).results, down] };
    const counted = tracker.suppressVotes([inside, mixed], UP, now);
    expect(counted.map(votes)).toEqual(['d', 'uuuud']);
  }
  expect(tracker.isHealthy()).toBe(true);
  expect(ask(tracker, START + 90_000)).toBe(0);
  expect(tracker.quarantines().size).toBe(0);
});
