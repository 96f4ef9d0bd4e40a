import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openApi, sharedApi, sentences, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { storeRounds } from '../../../test/support/history.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { roundOf } from '../../../test/support/rounds.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { addResult, encodeSummary, type Summary } from '../../engine/history/summary.ts';
import { NO_TIMINGS } from '../../model/check.ts';
import { SPAN_STATUSES, type SpanStatus } from '../../model/incident.ts';
import { type RollupName, rollupChanges } from '../../store/engine/rollups.ts';
import { changeSpans } from '../../store/engine/spans.ts';

/** The clock of a test API. */
const NOW = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const iso = (at: number) => new Date(at).toISOString();

async function read(api: TestApi, path: string): Promise<Record<string, unknown>> {
  const { status, body, text } = await api.call(api.vera, 'GET', `/api/v1/monitors/${path}`);
  expect(status, text).toBe(200);
  return body;
}

/** A monitor that was created long before the periods of these tests. */
async function createOld(api: TestApi): Promise<number> {
  const { id } = await api.create();
  await updateRows(api.database, 'monitor', { created_at: NOW - 400 * DAY }, { id });
  return id;
}

async function live(
  api: TestApi,
  monitorId: number,
  changes: readonly [SpanStatus, number][],
  observedUntil: number,
): Promise<void> {
  const { teamId } = api.alice;
  await api.database.transaction(async (tx) => {
    await changeSpans(
      tx,
      changes.map(([status, at]) => ({ monitorId, teamId, status, at })),
    );
    await tx
      .updateTable('monitor_state')
      .set({ observed_until: observedUntil })
      .where('monitor_id', '=', monitorId)
      .execute();
  });
}

const storeVoted = (api: TestApi, monitorId: number, votes: string, startedAt: number) =>
  storeRounds(api.database, [
    { round: roundOf(votes, { monitorId, startedAt }), kind: 'voted', class: 'up' },
  ]);

async function rollUp(
  api: TestApi,
  table: RollupName,
  monitorId: number,
  [at, responseTimeMs]: [number, number],
): Promise<void> {
  const summary: Summary = new Map();
  addResult(summary, { region: 'ash', vote: 'up', responseTimeMs, timings: NO_TIMINGS });
  const rollup = { monitorId, at, data: encodeSummary(summary) };
  await api.database.transaction((tx) => rollupChanges(tx).write(table, [rollup]));
}

const rolledUpUntil = (api: TestApi, period: number) =>
  api.database.transaction((tx) =>
    rollupChanges(tx).moveCursor('rollup_hour', { from: null, to: { period, monitor: 0 } }),
  );

eachDatabase((_name, open) => {
  describe('response times', () => {
    test('are columns by region and phase, with gaps and outages beside them [53.1, 53.2, 53.4, 53.5]', async () => {
      const api = await openApi(await open());
      const id = await createOld(api);
      await live(
        api,
        id,
        [
          ['online', NOW - 50 * MINUTE],
          ['offline', NOW - 30 * MINUTE],
          ['online', NOW - 29 * MINUTE],
          ['unobserved', NOW - 20 * MINUTE],
          ['degraded', NOW - 10 * MINUTE],
        ],
        NOW,
      );
      await storeVoted(api, id, 'uu', NOW - 50 * MINUTE);
      await storeVoted(api, id, 'dd', NOW - 30 * MINUTE);
      await storeVoted(api, id, 'u?', NOW - 10 * MINUTE);
      // Checks by hand are no part of it.
      const manual = roundOf('u', { monitorId: id, startedAt: NOW - 40 * MINUTE });
      await storeRounds(api.database, [{ round: manual, kind: 'manual', class: 'up' }]);

      const none = [null, null, null, null];
      expect(await read(api, `${id}/response-times?period=1h`)).toEqual({
        monitor_id: id,
        from: iso(NOW - HOUR),
        to: iso(NOW),
        step_seconds: 10,
        aggregate: 'median',
        phase_aggregate: 'mean',
        at: [50, 30, 30 - 1 / 6, 10].map((minutes) => iso(NOW - minutes * MINUTE)),
        regions: {
          ash: { p50: [20, null, null, 20], p95: [20, null, null, 20] },
          pdx: { p50: [20, null, null, null], p95: [20, null, null, null] },
        },
        all: {
          p50: [20, null, null, 20],
          p95: [20, null, null, 20],
          p99: [20, null, null, 20],
        },
        phases: { dns_ms: none, tcp_ms: none, tls_ms: none, ttfb_ms: none },
        outages: [
          { from: iso(NOW - 30 * MINUTE), to: iso(NOW - 29 * MINUTE), status: 'offline' },
          { from: iso(NOW - 10 * MINUTE), to: iso(NOW), status: 'degraded' },
        ],
        maintenance: [],
        unobserved: [
          { from: iso(NOW - HOUR), to: iso(NOW - 50 * MINUTE) },
          { from: iso(NOW - 20 * MINUTE), to: iso(NOW - 10 * MINUTE) },
        ],
        paused: [],
      });
    });

    test('have at most 1,000 outages of each status beside them, which cover all [53.5]', async () => {
      const api = await openApi(await open());
      const id = await createOld(api);
      const flaps = Array.from({ length: 1_100 }, (_, index) => NOW - 80 * DAY + index * HOUR);
      await live(
        api,
        id,
        [
          ['online', NOW - 89 * DAY],
          ['degraded', NOW - 85 * DAY],
          ...flaps.flatMap((at): [SpanStatus, number][] => [
            ['offline', at],
            ['online', at + MINUTE],
          ]),
          ['offline', NOW - DAY],
          ['online', NOW - DAY + MINUTE],
        ],
        NOW,
      );
      const { outages } = await read(api, `${id}/response-times?period=90d`);
      expect(outages).toEqual([
        { from: iso(NOW - 85 * DAY), to: iso(flaps[0]!), status: 'degraded' },
        // A thousandth of the period is two hours.
        { from: iso(flaps[0]!), to: iso(flaps.at(-1)! + MINUTE), status: 'offline', count: 1_100 },
        { from: iso(NOW - DAY), to: iso(NOW - DAY + MINUTE), status: 'offline' },
      ]);
      const day = await read(api, `${id}/response-times?from=${iso(flaps[1_000]!)}&to=${iso(NOW)}`);
      expect(day['outages']).toHaveLength(101);
    });

    test('come from hours and days where single results are not kept [53.3]', async () => {
      const api = await openApi(await open());
      const id = await createOld(api);
      await rollUp(api, 'rollup_hour', id, [NOW - 5 * DAY, 100]);
      await rollUp(api, 'rollup_hour', id, [NOW - 5 * DAY + HOUR, 200]);
      await rolledUpUntil(api, NOW - 2 * HOUR);
      await storeVoted(api, id, 'u', NOW - HOUR);
      await live(api, id, [['online', NOW - 10 * DAY]], NOW);
      const week = await read(api, `${id}/response-times?period=7d`);
      expect(week['step_seconds']).toBe(3_600);
      expect(week['at']).toEqual([NOW - 5 * DAY, NOW - 5 * DAY + HOUR, NOW - HOUR].map(iso));
      const { ash } = week['regions'] as Record<string, { p50: number[] }>;
      expect(ash!.p50.map((ms) => Math.round(ms / 10) * 10)).toEqual([100, 200, 20]);

      await rollUp(api, 'rollup_day', id, [NOW - 60 * DAY, 300]);
      const quarter = await read(api, `${id}/response-times?period=90d`);
      expect(quarter['step_seconds']).toBe(86_400);
      const days = [60, 59, 5, 1];
      expect(quarter['at']).toEqual(days.map((day) => iso(NOW - day * DAY)));
    });

    test('say when the monitor was paused and in maintenance [53.5]', async () => {
      const api = await openApi(await open());
      const { id } = await api.create();
      api.clock.stepWall(NOW + HOUR - api.clock.now());
      await api.call(api.alice, 'POST', `/api/v1/monitors/${id}/pause`);
      api.clock.stepWall(NOW + 2 * HOUR - api.clock.now());
      await api.call(api.alice, 'POST', `/api/v1/monitors/${id}/resume`);
      const started = await api.call(api.alice, 'POST', '/api/v1/maintenance-windows/start', {
        monitors: [id],
      });
      expect(started.status, started.text).toBe(201);
      api.clock.stepWall(NOW + 3 * HOUR - api.clock.now());
      const found = await read(api, `${id}/response-times`);
      expect(found).toMatchObject({
        at: [],
        regions: {},
        paused: [{ from: iso(NOW + HOUR), to: iso(NOW + 2 * HOUR) }],
        unobserved: [{ from: iso(NOW), to: iso(NOW + 3 * HOUR) }],
      });
      expect(found['maintenance']).toHaveLength(1);
    });
  });

  test('days have the figures of the uptime of each day, in the zone asked for, compressed [53.7, 53.8, 53.9, 1.35]', async () => {
    const api = await openApi(await open());
    const id = await createOld(api);
    // Clocks in Berlin are set back on 28 October 2029: that day has 25 hours.
    const start = Date.parse('2029-10-26T22:00:00Z');
    await live(
      api,
      id,
      [
        ['online', start],
        ['offline', start + 30 * HOUR],
        ['degraded', start + 40 * HOUR],
      ],
      start + 60 * HOUR,
    );
    api.clock.stepWall(start + 70 * HOUR - api.clock.now());
    const { data } = await read(api, `${id}/days?days=4&timezone=Europe/Berlin`);
    const days = data as Record<string, string>[];
    expect(days.map(({ date, status }) => [date, status])).toEqual([
      ['2029-10-26', 'unobserved'],
      ['2029-10-27', 'online'],
      ['2029-10-28', 'offline'],
      ['2029-10-29', 'degraded'],
    ]);
    for (const { date: _date, status: _status, imported: _imported, ...figures } of days) {
      const { from, to } = figures;
      const uptime = await read(api, `${id}/uptime?from=${from}&to=${to}`);
      expect(uptime).toMatchObject(figures);
    }
    expect(Date.parse(days[2]!['to']!) - Date.parse(days[2]!['from']!)).toBe(25 * HOUR);
    const all = await read(api, `${id}/days`);
    expect(all).toMatchObject({ timezone: 'UTC', data: { length: 90 } });
    const { headers, rawPayload } = await api.app.inject({
      url: `/api/v1/monitors/${id}/days`,
      headers: { authorization: `Bearer ${api.alice.token}`, 'accept-encoding': 'gzip' },
    });
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(JSON.parse(gunzipSync(rawPayload).toString())).toEqual(all);
  });

  test('days before the monitor was created are neither observed nor unobserved [53.8]', async () => {
    const api = await openApi(await open());
    const { id } = await api.create();
    api.clock.stepWall(NOW + 12 * HOUR - api.clock.now());
    const { data } = await read(api, `${id}/days?days=2`);
    expect(data).toMatchObject([
      { date: '2029-12-31', status: 'unobserved', observed_percent: null, unobserved_seconds: 0 },
      { date: '2030-01-01', status: 'unobserved', observed_percent: 0, unobserved_seconds: 43_200 },
    ]);
  });
});

test('days have the figures of the uptime of each day, whatever happened [53.8]', async () => {
  const at = fc.integer({ min: 0, max: 3 * 24 });
  const history = fc.record({
    changes: fc.uniqueArray(at, { minLength: 1, maxLength: 8 }),
    statuses: fc.array(fc.nat(3), { minLength: 8, maxLength: 8 }),
    observedUntil: at,
    zone: fc.constantFrom('UTC', 'America/New_York', 'Asia/Kathmandu'),
  });
  const api = await openApi(await openInMemory());
  await fc.assert(
    fc.asyncProperty(history, async ({ changes, statuses, observedUntil, zone }) => {
      const id = await createOld(api);
      const start = NOW - 3 * DAY;
      const spans = changes
        .toSorted((a, b) => a - b)
        .map((hour, index): [SpanStatus, number] => [
          SPAN_STATUSES[statuses[index]!]!,
          start + hour * HOUR,
        ]);
      await live(api, id, spans, start + observedUntil * HOUR);
      const { data } = await read(api, `${id}/days?days=4&timezone=${zone}`);
      for (const {
        date: _date,
        status: _status,
        imported: _imported,
        ...figures
      } of data as Record<string, string>[]) {
        const { from, to } = figures;
        if (from === to) continue;
        expect(await read(api, `${id}/uptime?from=${from}&to=${to}`)).toMatchObject(figures);
      }
    }),
    { numRuns: 30 },
  );
});

describe('wrong queries', () => {
  const shared = sharedApi();
  const zone = 'must be the IANA name of a time zone, such as Europe/Berlin';
  const period = 'must be one of 1h, 24h, 7d, 30d, 90d';
  const time = 'must be a date, or a date and time, such as 2030-01-31 or 2030-01-31T12:00:00Z';
  test.each<[string, Record<string, string>]>([
    ['response-times?period=2d', { period }],
    ['response-times?from=now', { from: time }],
    ['response-times?to=2029-13-01', { to: time }],
    ['response-times?period=1h&from=2029-12-01', { period: 'must be left out beside from and to' }],
    ['response-times?from=2031-01-01', { from: 'must be in the past' }],
    ['response-times?from=2029-12-31&to=2029-12-30T00:00:00Z', { to: 'must be after from' }],
    ['response-times?from=2028-01-01', { from: 'must be at most 400 days before to' }],
    ['days?days=0', { days: 'must be a whole number from 1 to 366' }],
    ['days?days=367', { days: 'must be a whole number from 1 to 366' }],
    ['days?timezone=Berlin', { timezone: zone }],
  ])('%s [53.6, 53.10]', async (path, errors) => {
    const api = await shared();
    const { id } = await api.create();
    const { status, body } = await api.call(api.vera, 'GET', `/api/v1/monitors/${id}/${path}`);
    expect([status, body['errors']]).toEqual([422, sentences(errors)]);
  });
});
