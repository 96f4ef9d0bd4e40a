import { expect } from 'vitest';
import type { Database } from '../../src/store/database/contract.ts';

/**
 * Asserts the invariants of every database: at most one open incident per monitor and type; an opening activity and
 * event for each incident, and one of each for its end; contiguous spans without overlap.
 */
export async function expectSoundHistory(database: Database): Promise<void> {
  const { read } = database;
  const incidents = await read.selectFrom('incident').selectAll().orderBy('id').execute();
  const open = incidents.filter((one) => one.ended_at === null);
  expect(repeated(open.map((one) => `${one.monitor_id} ${one.type}`))).toEqual([]);
  for (const one of incidents) {
    if (one.ended_at !== null) expect(one.ended_at).toBeGreaterThanOrEqual(one.started_at);
  }

  const expected = incidents
    .flatMap((one) => [
      `${one.id} opened`,
      ...(one.ended_at === null ? [] : [`${one.id} resolved`]),
    ])
    .toSorted();
  const activities = await read.selectFrom('activity').select(['incident_id', 'type']).execute();
  expect(activities.map((one) => `${one.incident_id} ${one.type}`).toSorted()).toEqual(expected);
  const events = await read.selectFrom('event').select(['incident_id', 'type']).execute();
  expect(events.map((one) => `${one.incident_id} ${changeOf(one.type)}`).toSorted()).toEqual(
    expected,
  );

  const spans = await read
    .selectFrom('status_span')
    .select(['monitor_id', 'status', 'from_at', 'to_at'])
    .orderBy('monitor_id')
    .orderBy('id')
    .execute();
  spans.forEach((span, index) => {
    const next = spans[index + 1];
    const isLast = next?.monitor_id !== span.monitor_id;
    expect(span.to_at, JSON.stringify([span, next])).toBe(isLast ? null : next!.from_at);
    if (span.to_at !== null) expect(span.to_at).toBeGreaterThanOrEqual(span.from_at);
    if (!isLast) expect(next!.status, JSON.stringify([span, next])).not.toBe(span.status);
  });
}

const GOOD_NEWS = /\.(up|\w*recovered|\w*resolved)$/;

const changeOf = (eventType: string) => (GOOD_NEWS.test(eventType) ? 'resolved' : 'opened');

const repeated = (values: string[]) =>
  values.filter((value, index) => values.indexOf(value) !== index);
