import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Vote } from '../../src/model/check.ts';
import { sleep } from '../../src/lib/clock.ts';
import { openEngineHarness } from '../support/engine-harness.ts';
import type { EngineHarness } from '../support/engine-harness.ts';
import { checkResult } from '../support/rounds.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let harness: EngineHarness;
beforeEach(async () => void (harness = await openEngineHarness()));
afterEach(() => harness.close());

/** From now on the target answers so, in all regions or only in these. */
function turn(id: number, vote: Vote, regions?: string[]): void {
  harness.targets.set(id, (region) =>
    checkResult(!regions || regions.includes(region) ? vote : 'up'),
  );
}

const types = async (id: number) => (await harness.incidents(id)).map((one) => one.type);
const open = async (id: number) =>
  (await harness.incidents(id)).filter((one) => one.ended_at === null).map((one) => one.type);

/** A monitor that was seen to be up. */
async function watched(fields = {}): Promise<number> {
  const id = await harness.createMonitor(fields);
  await harness.clock.runUntil(async () => (await harness.status(id)) === 'online', MINUTE);
  return id;
}

describe('an outage', () => {
  test('ends with the first good round, and everything belongs together [21.38, 28.1]', async () => {
    const id = await watched();
    turn(id, 'down');
    await harness.clock.advance(2 * MINUTE);
    turn(id, 'up');
    const healedAt = harness.clock.now();
    await harness.clock.runUntil(async () => (await harness.status(id)) === 'online', 31 * SECOND);
    const incidents = await harness.incidents(id);
    expect(incidents).toHaveLength(1);
    expect(incidents[0]!.ended_at).toBeGreaterThanOrEqual(healedAt);
    const read = harness.database.read;
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
});

describe('regions', () => {
  test('three of four dead: the last can not declare an outage until they are gone for an hour [18.3]', async () => {
    const id = await watched();
    ['pdx', 'nbg', 'sin'].forEach((region) => harness.deadRegions.add(region));
    turn(id, 'down');
    await harness.clock.advance(5 * MINUTE);
    expect(await open(id)).toEqual(['regional']);
    await harness.clock.advance(60 * MINUTE);
    expect(await open(id)).toEqual(['uptime']);
  });

  test('all dead: nothing changes and the time is unobserved [18.4]', async () => {
    const id = await watched();
    ['ash', 'pdx', 'nbg', 'sin'].forEach((region) => harness.deadRegions.add(region));
    turn(id, 'down');
    await harness.clock.advance(10 * MINUTE);
    expect([await harness.status(id), await types(id)]).toEqual(['online', []]);
    turn(id, 'up');
    harness.deadRegions.clear();
    await harness.clock.advance(MINUTE);
    const query = harness.database.read
      .selectFrom('status_span')
      .select(['status', 'from_at', 'to_at']);
    const spans = await query.orderBy('id').execute();
    expect(spans.map((span) => span.status)).toEqual(['online', 'unobserved', 'online']);
    expect(spans[1]!.to_at! - spans[1]!.from_at).toBeGreaterThan(9 * MINUTE);
  });
});

describe('our own faults', () => {
  test('a restart in the middle of a confirmation goes on with it [18.21]', async () => {
    const id = await watched();
    turn(id, 'down');
    await harness.clock.runUntil(() => harness.checks.length >= 8, 31 * SECOND);
    await harness.clock.advance(SECOND);
    await harness.restart();
    await harness.clock.advance(10 * SECOND);
    expect(await open(id)).toEqual(['uptime']);
  });

  test('being away for an hour raises nothing and is unobserved [24.13]', async () => {
    const id = await watched();
    harness.clock.freeze(60 * MINUTE);
    await harness.clock.advance(2 * MINUTE);
    expect([await harness.status(id), await types(id)]).toEqual(['online', []]);
    const spans = await harness.database.read.selectFrom('status_span').select('status').execute();
    expect(spans.map((span) => span.status)).toEqual(['online', 'unobserved', 'online']);
  });

  test('a database that is away: results wait and are judged in their order [24.15]', async () => {
    const id = await watched();
    harness.setDatabaseDown(true);
    turn(id, 'down');
    const failedAt = harness.clock.now();
    await harness.clock.advance(5 * MINUTE);
    turn(id, 'up');
    await harness.clock.advance(MINUTE);
    expect(harness.recorder.waiting()).toBeGreaterThan(8);
    harness.setDatabaseDown(false);
    await harness.clock.advance(10 * SECOND);
    expect(harness.recorder.waiting()).toBe(0);
    const incidents = await harness.incidents(id);
    expect(incidents).toMatchObject([{ type: 'uptime' }]);
    expect(incidents[0]!.started_at - failedAt).toBeLessThanOrEqual(30 * SECOND);
    expect(incidents[0]!.ended_at! - failedAt).toBeGreaterThanOrEqual(5 * MINUTE);
    const spans = await harness.database.read.selectFrom('status_span').select('status').execute();
    expect(spans.map((span) => span.status)).toEqual(['online', 'offline', 'online']);
  });

  test('more results than may wait are dropped, counted, and their time is unobserved [24.16]', async () => {
    await harness.close();
    harness = await openEngineHarness({ capacity: 2 });
    const id = await watched();
    harness.setDatabaseDown(true);
    turn(id, 'down');
    await harness.clock.advance(20 * MINUTE);
    turn(id, 'up');
    await harness.clock.advance(2 * MINUTE);
    harness.setDatabaseDown(false);
    await harness.clock.advance(MINUTE);
    expect(harness.recorder.counters.rounds_dropped).toBeGreaterThan(30);
    const spans = await harness.database.read
      .selectFrom('status_span')
      .select(['status', 'from_at', 'to_at'])
      .orderBy('id')
      .execute();
    const unobserved = spans.filter((span) => span.status === 'unobserved');
    expect(unobserved).toHaveLength(1);
    expect(unobserved[0]!.to_at! - unobserved[0]!.from_at).toBeGreaterThan(18 * MINUTE);
    expect([await harness.status(id), await open(id)]).toEqual(['online', []]);
  });

  test.each([-2 * 60 * MINUTE, 2 * 60 * MINUTE])(
    'a clock that steps by %d ms stops nothing [40.12]',
    async (step) => {
      const id = await watched();
      harness.clock.stepWall(step);
      await harness.clock.advance(MINUTE);
      expect([await harness.status(id), await types(id)]).toEqual(['online', []]);
      turn(id, 'down');
      await harness.clock.advance(MINUTE);
      expect(await open(id)).toEqual(['uptime']);
      turn(id, 'up');
      await harness.clock.advance(MINUTE);
      expect(await open(id)).toEqual([]);
      const ended = await harness.incidents(id);
      expect(ended[0]!.ended_at).toBeGreaterThanOrEqual(ended[0]!.started_at);
    },
  );
});

/** A monitor whose failing checks are out and come back in 5 s. */
async function failingSlowly(): Promise<number> {
  const id = await watched({ failure_threshold: 1 });
  harness.targets.set(id, async () => {
    await sleep(harness.clock, 5 * SECOND);
    return checkResult('down');
  });
  await harness.clock.runUntil(() => harness.checks.length >= 8, 31 * SECOND);
  return id;
}

describe('while a round is under way', () => {
  test('an edit takes its vote away and looks anew at once [14.6]', async () => {
    const id = await failingSlowly();
    harness.targets.delete(id);
    await harness.editMonitor(id, { url: 'http://other.example/' });
    await harness.clock.advance(6 * SECOND);
    expect([await harness.status(id), await types(id)]).toEqual(['online', []]);
    expect(harness.checks.length).toBeGreaterThanOrEqual(12);
  });
});
