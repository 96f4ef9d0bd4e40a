import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Vote } from '../../src/model/check.ts';
import { sleep } from '../../src/lib/clock.ts';
import { openHouse } from '../support/house.ts';
import type { House } from '../support/house.ts';
import { checkResult } from '../support/rounds.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let house: House;
beforeEach(async () => void (house = await openHouse()));
afterEach(() => house.close());

/** From now on the target answers so, in all regions or only in these. */
function turn(id: number, vote: Vote, regions?: string[]): void {
  house.targets.set(id, (region) =>
    checkResult(!regions || regions.includes(region) ? vote : 'up'),
  );
}

const types = async (id: number) => (await house.incidents(id)).map((one) => one.type);
const open = async (id: number) =>
  (await house.incidents(id)).filter((one) => one.ended_at === null).map((one) => one.type);

/** A monitor that was seen to be up. */
async function watched(fields = {}): Promise<number> {
  const id = await house.createMonitor(fields);
  await house.clock.runUntil(async () => (await house.status(id)) === 'online', MINUTE);
  return id;
}

describe('an outage', () => {
  test('ends with the first good round, and everything belongs together [21.38, 28.1]', async () => {
    const id = await watched();
    turn(id, 'down');
    await house.clock.advance(2 * MINUTE);
    turn(id, 'up');
    const healedAt = house.clock.now();
    await house.clock.runUntil(async () => (await house.status(id)) === 'online', 31 * SECOND);
    const incidents = await house.incidents(id);
    expect(incidents).toHaveLength(1);
    expect(incidents[0]!.ended_at).toBeGreaterThanOrEqual(healedAt);
    const read = house.database.read;
    const events = await read
      .selectFrom('event')
      .select(['type', 'payload'])
      .orderBy('id')
      .execute();
    expect(events.map((event) => event.type)).toEqual(['monitor.down', 'monitor.up']);
    expect(JSON.parse(events[1]!.payload)).toMatchObject({
      event: 'monitor.up',
      status: { current: 'online', previous: 'offline', is_regional_issue: false },
      incident: { id: 1 },
    });
    const activities = await read.selectFrom('activity').select('type').orderBy('id').execute();
    expect(activities.map((activity) => activity.type)).toEqual(['opened', 'resolved']);
    const evidence = await read.selectFrom('incident_evidence').select('region').execute();
    expect(evidence).toHaveLength(4);
    const spans = await read
      .selectFrom('status_span')
      .select(['status', 'from_at', 'to_at'])
      .execute();
    expect(spans.map((span) => span.status)).toEqual(['online', 'offline', 'online']);
    expect(spans[1]).toMatchObject({
      from_at: incidents[0]!.started_at,
      to_at: incidents[0]!.ended_at,
    });
  });

  test('of many monitors at once is one incident each', async () => {
    await house.close();
    house = await openHouse({ shards: 208 });
    const ids: number[] = [];
    for (let count = 0; count < 200; count++) ids.push(await house.createMonitor());
    await house.clock.advance(31 * SECOND);
    ids.forEach((id) => turn(id, 'down'));
    await house.clock.advance(42 * SECOND);
    const incidents = await house.database.read
      .selectFrom('incident')
      .select('monitor_id')
      .where('ended_at', 'is', null)
      .execute();
    expect(new Set(incidents.map((one) => one.monitor_id)).size).toBe(200);
    expect(incidents).toHaveLength(200);
  });
});

describe('regions', () => {
  test('three of four dead: the last can not declare an outage until they are gone for an hour [18.3]', async () => {
    const id = await watched();
    ['pdx', 'nbg', 'sin'].forEach((region) => house.deadRegions.add(region));
    turn(id, 'down');
    await house.clock.advance(5 * MINUTE);
    expect(await open(id)).toEqual(['regional']);
    await house.clock.advance(60 * MINUTE);
    expect(await open(id)).toEqual(['uptime']);
  });

  test('all dead: nothing changes and the time is unobserved [18.4]', async () => {
    const id = await watched();
    ['ash', 'pdx', 'nbg', 'sin'].forEach((region) => house.deadRegions.add(region));
    turn(id, 'down');
    await house.clock.advance(10 * MINUTE);
    expect([await house.status(id), await types(id)]).toEqual(['online', []]);
    turn(id, 'up');
    house.deadRegions.clear();
    await house.clock.advance(MINUTE);
    const query = house.database.read
      .selectFrom('status_span')
      .select(['status', 'from_at', 'to_at']);
    const spans = await query.orderBy('id').execute();
    expect(spans.map((span) => span.status)).toEqual(['online', 'unobserved', 'online']);
    expect(spans[1]!.to_at! - spans[1]!.from_at).toBeGreaterThan(9 * MINUTE);
  });

  test('a probe that loses its checks votes for nothing [18.2]', async () => {
    const id = await watched();
    turn(id, 'unknown', ['ash']);
    await house.clock.advance(5 * MINUTE);
    expect([await house.status(id), await types(id)]).toEqual(['online', []]);
  });
});

describe('our own faults', () => {
  test('a restart in the middle of a confirmation goes on with it [18.21]', async () => {
    const id = await watched();
    turn(id, 'down');
    await house.clock.runUntil(() => house.checks.length >= 8, 31 * SECOND);
    await house.clock.advance(SECOND);
    await house.restart();
    await house.clock.advance(10 * SECOND);
    expect(await open(id)).toEqual(['uptime']);
  });

  test('a restart while checks are out counts nothing twice', async () => {
    const id = await watched();
    house.targets.set(id, async () => {
      await sleep(house.clock, 5 * SECOND);
      return checkResult('down');
    });
    await house.clock.runUntil(() => house.checks.length >= 8, 31 * SECOND);
    await house.restart();
    await house.clock.advance(2 * MINUTE);
    expect(await types(id)).toEqual(['uptime']);
  });

  test('being away for an hour raises nothing and is unobserved [24.13]', async () => {
    const id = await watched();
    house.clock.freeze(60 * MINUTE);
    await house.clock.advance(2 * MINUTE);
    expect([await house.status(id), await types(id)]).toEqual(['online', []]);
    const spans = await house.database.read.selectFrom('status_span').select('status').execute();
    expect(spans.map((span) => span.status)).toEqual(['online', 'unobserved', 'online']);
  });

  test('a database that is away: results wait and are judged in their order [24.15]', async () => {
    const id = await watched();
    house.setDatabaseAway(true);
    turn(id, 'down');
    const failedAt = house.clock.now();
    await house.clock.advance(5 * MINUTE);
    turn(id, 'up');
    await house.clock.advance(MINUTE);
    expect(house.recorder.waiting()).toBeGreaterThan(8);
    house.setDatabaseAway(false);
    await house.clock.advance(10 * SECOND);
    expect(house.recorder.waiting()).toBe(0);
    const incidents = await house.incidents(id);
    expect(incidents).toMatchObject([{ type: 'uptime' }]);
    expect(incidents[0]!.started_at - failedAt).toBeLessThanOrEqual(30 * SECOND);
    expect(incidents[0]!.ended_at! - failedAt).toBeGreaterThanOrEqual(5 * MINUTE);
    const spans = await house.database.read.selectFrom('status_span').select('status').execute();
    expect(spans.map((span) => span.status)).toEqual(['online', 'offline', 'online']);
  });

  test('more results than may wait are dropped, counted, and their time is unobserved [24.16]', async () => {
    await house.close();
    house = await openHouse({ capacity: 2 });
    const id = await watched();
    house.setDatabaseAway(true);
    turn(id, 'down');
    await house.clock.advance(20 * MINUTE);
    turn(id, 'up');
    await house.clock.advance(2 * MINUTE);
    house.setDatabaseAway(false);
    await house.clock.advance(MINUTE);
    expect(house.recorder.counters.rounds_dropped).toBeGreaterThan(30);
    const spans = await house.database.read
      .selectFrom('status_span')
      .select(['status', 'from_at', 'to_at'])
      .orderBy('id')
      .execute();
    const unobserved = spans.filter((span) => span.status === 'unobserved');
    expect(unobserved).toHaveLength(1);
    expect(unobserved[0]!.to_at! - unobserved[0]!.from_at).toBeGreaterThan(18 * MINUTE);
    expect([await house.status(id), await open(id)]).toEqual(['online', []]);
  });

  test.each([-2 * 60 * MINUTE, 2 * 60 * MINUTE])(
    'a clock that steps by %d ms stops nothing [40.12]',
    async (step) => {
      const id = await watched();
      house.clock.stepWall(step);
      await house.clock.advance(MINUTE);
      expect([await house.status(id), await types(id)]).toEqual(['online', []]);
      turn(id, 'down');
      await house.clock.advance(MINUTE);
      expect(await open(id)).toEqual(['uptime']);
      turn(id, 'up');
      await house.clock.advance(MINUTE);
      expect(await open(id)).toEqual([]);
      const ended = await house.incidents(id);
      expect(ended[0]!.ended_at).toBeGreaterThanOrEqual(ended[0]!.started_at);
    },
  );
});

describe('a slow target', () => {
  test('has one round in flight at a time and is not skipped', async () => {
    let [running, most] = [0, 0];
    const id = await house.createMonitor({ monitored_regions: '["ash"]' });
    house.targets.set(id, async (_region, request) => {
      most = Math.max(most, ++running);
      await sleep(house.clock, request.timeoutMs);
      running--;
      return checkResult('up', { responseTimeMs: request.timeoutMs });
    });
    await house.clock.advance(10 * MINUTE);
    expect(most).toBe(1);
    expect(house.checks.length).toBeGreaterThanOrEqual(20);
    expect(house.scheduler.counters.slots_skipped).toBe(0);
  });
});

/** A monitor whose failing checks are out and come back in 5 s. */
async function failingSlowly(): Promise<number> {
  const id = await watched({ failure_threshold: 1 });
  house.targets.set(id, async () => {
    await sleep(house.clock, 5 * SECOND);
    return checkResult('down');
  });
  await house.clock.runUntil(() => house.checks.length >= 8, 31 * SECOND);
  return id;
}

describe('while a round is under way', () => {
  test('an edit takes its vote away and looks anew at once [14.6]', async () => {
    const id = await failingSlowly();
    house.targets.delete(id);
    await house.editMonitor(id, { url: 'http://other.example/' });
    await house.clock.advance(6 * SECOND);
    expect([await house.status(id), await types(id)]).toEqual(['online', []]);
    expect(house.checks.length).toBeGreaterThanOrEqual(12);
  });
});
