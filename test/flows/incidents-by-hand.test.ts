import { callOf } from '../support/call.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { callerOf } from '../support/people.ts';
import { createSecretBox } from '../../src/lib/secret-box.ts';
import { createIncidentService } from '../../src/resources/incidents/incidents.ts';
import { openEngineHarness } from '../support/engine-harness.ts';
import type { EngineHarness } from '../support/engine-harness.ts';
import { checkResult } from '../support/rounds.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const ALICE = callerOf({ personId: 1, teamId: 1 });

let harness: EngineHarness;
let service: ReturnType<typeof createIncidentService>;
beforeEach(async () => {
  harness = await openEngineHarness();
  const { database, clock } = harness;
  const secretBox = createSecretBox(['a key for tests']);
  const deps = { database, clock, secretBox, openSignup: false, baseUrl: () => '' };
  service = createIncidentService(deps);
});
afterEach(() => harness.close());

/** A monitor that is offline; its incident is 1. */
async function failing(): Promise<number> {
  const id = await harness.createMonitor({ check_interval: 5 });
  harness.targets.set(id, () => checkResult('down'));
  await harness.clock.runUntil(async () => (await harness.status(id)) === 'offline', MINUTE);
  return id;
}

test('a restart forgets neither that it was closed nor how often it has failed since', async () => {
  const id = await failing();
  await service.resolveIncident(callOf(ALICE, { id: 1 }));
  const before = harness.checks.length;
  await harness.clock.runUntil(() => harness.checks.length > before, 61 * SECOND);
  await harness.clock.advance(SECOND);
  await harness.restart();
  await harness.clock.advance(12 * SECOND);
  expect((await harness.incidents(id)).map(({ ended_at }) => ended_at === null)).toEqual([
    false,
    true,
  ]);
});

test('an edit clears the count, a pause too, and both keep in mind that it was closed', async () => {
  const id = await failing();
  await service.resolveIncident(callOf(ALICE, { id: 1 }));
  await harness.editMonitor(id, { url: 'http://other.example/' });
  await harness.clock.advance(5 * SECOND);
  await harness.editMonitor(id, { is_paused: 1 });
  await harness.clock.advance(MINUTE);
  await harness.editMonitor(id, { is_paused: 0 });
  await harness.clock.advance(5 * SECOND);
  expect(await harness.incidents(id)).toHaveLength(1);
  await harness.clock.advance(10 * SECOND);
  expect(await harness.incidents(id)).toHaveLength(2);
});

/** What webhook endpoints are notified of, with the incident that each event names. */
async function events(): Promise<string[]> {
  const rows = await harness.database.read
    .selectFrom('event')
    .select(['type', 'incident_id', 'payload'])
    .orderBy('id')
    .execute();
  return rows.map(({ type, incident_id: id, payload }) => {
    const { incident } = JSON.parse(payload) as { incident: { id: number } };
    expect(incident.id).toBe(id);
    return `${type} ${id}`;
  });
}

test('a pause between the two changes nothing', async () => {
  const id = await failing();
  await service.resolveIncident(callOf(ALICE, { id: 1 }));
  await harness.editMonitor(id, { is_paused: 1 });
  harness.targets.set(id, () => checkResult('up'));
  await harness.clock.advance(MINUTE);
  await harness.editMonitor(id, { is_paused: 0 });
  await harness.clock.runUntil(async () => (await harness.status(id)) === 'online', MINUTE);
  expect(await events()).toEqual(['monitor.down 1', 'monitor.up 1']);
});
