import { describe, expect, test } from 'vitest';
import { openApi, sharedApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { storeRounds } from '../../../test/support/history.ts';
import { roundOf } from '../../../test/support/rounds.ts';
import { addResult, encodeSummary, type Summary } from '../../engine/history/summary.ts';
import { NO_TIMINGS } from '../../model/check.ts';
import { OBSERVED_INDEFINITELY } from '../../model/heartbeat.ts';
import type { SpanStatus } from '../../model/incident.ts';
import { uptimeOf } from '../../engine/history/stored-uptime.ts';
import { insertGap, writeMark } from '../../store/engine/process-marks.ts';
import type { RecordedRound } from '../../store/engine/round-codec.ts';
import { type RollupName, rollupChanges } from '../../store/engine/rollups.ts';
import { changeSpans } from '../../store/engine/spans.ts';
import { updateRows } from '../../../test/support/rows.ts';

/** The clock stands at the end of this day. */
const DAY_START = Date.UTC(2029, 11, 31);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PUSH = { monitor_type: 'heartbeat', friendly_name: 'Backup', heartbeat_interval: 60 };

const voted = (
  monitorId: number,
  votes: string,
  startedAt: number,
  overrides: Parameters<typeof roundOf>[1] = {},
): RecordedRound => ({
  round: roundOf(votes, { monitorId, startedAt, ...overrides }),
  kind: 'voted',
  class: 'up',
});

async function read(api: TestApi, path: string): Promise<Record<string, unknown>> {
  const { status, body, text } = await api.call(api.vera, 'GET', `/api/v1/monitors/${path}`);
  expect(status, text).toBe(200);
  return body;
}

const dataOf = async (api: TestApi, path: string) =>
  (await read(api, path))['data'] as Record<string, unknown>[];

/** A monitor that was there long before the day: a period begins no earlier than the monitor. */
async function createOld(api: TestApi, body?: Record<string, unknown>): Promise<{ id: number }> {
  const { id } = await api.create(body);
  await updateRows(api.database, 'monitor', { created_at: DAY_START - 40 * DAY }, { id });
  return { id };
}

/** A day of one monitor: `online` at `00:00`, and so on until the last verdict ends. */
async function live(
  api: TestApi,
  monitorId: number,
  changes: [SpanStatus, string][],
  observedUntil: number,
): Promise<void> {
  const spans = changes.map(([status, time]) => ({
    monitorId,
    teamId: api.alice.teamId,
    status,
    at: Date.parse(`2029-12-31T${time}:00Z`),
  }));
  await api.database.transaction(async (tx) => {
    await changeSpans(tx, spans);
    await tx
      .updateTable('monitor_state')
      .set({ observed_until: observedUntil })
      .where('monitor_id', '=', monitorId)
      .execute();
  });
}

/** This service was away: from and to in hours of the day. */
const away = (api: TestApi, ...gaps: [number, number][]) =>
  api.database.transaction(async (tx) => {
    for (const [from, to] of gaps)
      await insertGap(tx, { from: DAY_START + from * HOUR, to: DAY_START + to * HOUR });
  });

/** A roll-up of so many checks that took so long. */
async function rollUp(
  api: TestApi,
  table: RollupName,
  monitorId: number,
  at: number,
  [count, responseTimeMs]: [number, number],
): Promise<void> {
  const summary: Summary = new Map();
  const result = { region: 'ash', vote: 'up', responseTimeMs, timings: NO_TIMINGS } as const;
  for (let index = 0; index < count; index++) addResult(summary, result);
  await api.database.transaction((tx) =>
    rollupChanges(tx).write(table, [{ monitorId, at, data: encodeSummary(summary) }]),
  );
}

const rolledUpUntil = (api: TestApi, period: number) =>
  api.database.transaction((tx) =>
    rollupChanges(tx).moveCursor('rollup_hour', { from: null, to: { period, monitor: 0 } }),
  );

/** The percentiles of checks that all took so long: within 2.5 %. */
const about = (ms: number) => expect.closeTo(ms, 1 - Math.floor(Math.log10(ms)));

const times = (ms: number, count: number) => ({
  p50: about(ms),
  p95: about(ms),
  p99: about(ms),
  count,
});

eachDatabase((_name, open) => {
  describe('results', () => {
    test('show what each region saw, the newest round first [24.1]', async () => {
      const api = await openApi(await open());
      const { id } = await createOld(api);
      const noon = DAY_START + DAY / 2;
      const stale = { ...voted(id, 'u', noon + MINUTE), kind: 'stale' } as const;
      const timings = { dnsMs: 1.5, tcpMs: 2, tlsMs: null, ttfbMs: 10.1, totalMs: 13.6 };
      const manual = { ...voted(id, 'u', noon + 2 * MINUTE), kind: 'manual' } as const;
      Object.assign(manual.round.results[0]!, { timings, responseTimeMs: 13.6, statusCode: 204 });
      await storeRounds(api.database, [voted(id, 'ud?', noon), stale, manual]);

      const none = { dns_ms: null, tcp_ms: null, tls_ms: null, ttfb_ms: null, total_ms: 20 };
      const ash = {
        region: 'ash',
        is_up: true,
        vote: 'up',
        response_time: 20,
        status_code: 200,
        error: null,
        failure_code: null,
        remote_address: null,
        timings: none,
      };
      const silent = { is_up: null, response_time: null, status_code: null };
      expect(await dataOf(api, `${id}/results`)).toEqual([
        {
          ...ash,
          checked_at: '2029-12-31T12:02:00.000Z',
          kind: 'manual',
          response_time: 13.6,
          status_code: 204,
          timings: { dns_ms: 1.5, tcp_ms: 2, tls_ms: null, ttfb_ms: 10.1, total_ms: 13.6 },
        },
        { ...ash, checked_at: '2029-12-31T12:01:00.000Z', kind: 'stale' },
        { ...ash, checked_at: '2029-12-31T12:00:00.000Z', kind: 'voted' },
        {
          ...ash,
          ...silent,
          region: 'pdx',
          checked_at: '2029-12-31T12:00:00.001Z',
          kind: 'voted',
          is_up: false,
          vote: 'down',
          error: 'Connection refused by 10.0.0.1 port 80',
          failure_code: 'connection_refused',
          remote_address: '10.0.0.1',
        },
        {
          ...ash,
          ...silent,
          region: 'nbg',
          checked_at: '2029-12-31T12:00:00.002Z',
          kind: 'voted',
          vote: 'unknown',
          error: 'The probe was lost',
          failure_code: 'probe_lost',
        },
      ]);
    });

    test('are those of the period, the region and the page [24.2]', async () => {
      const api = await openApi(await open());
      const { id } = await createOld(api);
      const other = await createOld(api);
      const noons = [0, 1, 2, 3].map((days) => DAY_START + DAY / 2 - days * DAY);
      await storeRounds(api.database, [
        ...noons.map((at) => voted(id, 'uu', at)),
        voted(other.id, 'uuuu', noons[0]!),
      ]);
      const found = async (query: string) =>
        (await dataOf(api, `${id}/results?${query}`)).map(
          (one) => `${String(one['checked_at']).slice(8, 10)} ${String(one['region'])}`,
        );
      expect(await found('')).toEqual(['31 ash', '31 pdx']);
      expect(await found('from=2029-12-30')).toEqual(['31 ash', '31 pdx', '30 ash', '30 pdx']);
      expect(await found('from=2029-12-29&to=2029-12-30&region=pdx')).toEqual(['30 pdx', '29 pdx']);
      expect(await found('from=2029-12-29T12:00Z&to=2029-12-30T12:00Z')).toEqual([
        '29 ash',
        '29 pdx',
      ]);
      expect(await found('to=2029-12-29')).toEqual(['29 ash', '29 pdx']);
      expect(await found('from=2029-12-01&per_page=3&page=2')).toEqual([
        '30 pdx',
        '29 ash',
        '29 pdx',
      ]);
      expect(await found('from=2029-12-01&per_page=3&page=9')).toEqual([]);
      expect(await found('from=2029-12-01&to=2029-12-02')).toEqual([]);
      expect(await found('region=sin')).toEqual([]);
    });

    test('pages of rounds that differ hold each result once', async () => {
      const api = await openApi(await open());
      const { id } = await createOld(api);
      const votes = ['u', 'uuu', 'uud?', 'uu', 'uuuu'];
      const rounds = Array.from({ length: 23 }, (_, index) =>
        voted(id, votes[index % 5]!, DAY_START + DAY / 2 + index * MINUTE),
      );
      await storeRounds(api.database, rounds);
      const found: string[] = [];
      for (let page = 1; page <= 10; page += 1) {
        const data = await dataOf(api, `${id}/results?per_page=7&page=${page}`);
        found.push(...data.map((one) => `${String(one['checked_at'])} ${String(one['region'])}`));
      }
      const expected = rounds
        .toReversed()
        .flatMap(({ round }) =>
          round.results.map((one) => `${new Date(one.checkedAt).toISOString()} ${one.region}`),
        );
      expect(found).toEqual(expected);
    });
  });

  describe('uptime', () => {
    test('of a day with everything in it [24.4]', async () => {
      const api = await openApi(await open());
      const { id } = await createOld(api);
      const changes: [SpanStatus, string][] = [
        ['online', '00:00'],
        ['degraded', '06:00'],
        ['offline', '08:00'],
        ['online', '08:02'],
        ['unobserved', '12:00'],
        ['offline', '13:00'],
        ['unobserved', '14:00'],
        ['offline', '15:00'],
        ['online', '16:00'],
      ];
      await live(api, id, changes, DAY_START + 23 * HOUR);
      expect(await read(api, `${id}/uptime?from=2029-12-31&to=2029-12-31`)).toEqual({
        monitor_id: id,
        from: '2029-12-31T00:00:00.000Z',
        to: '2030-01-01T00:00:00.000Z',
        uptime_percent: 90.317,
        observed_percent: 87.5,
        up_seconds: 61_080,
        degraded_seconds: 7_200,
        down_seconds: 7_320,
        excluded_seconds: 0,
        unobserved_seconds: 10_800,
        incidents: 2,
        mttr_seconds: 3_660,
        mtbf_seconds: 34_140,
        response_time: { p50: null, p95: null, p99: null, count: 0 },
        corrected: true,
        uncorrected: null,
      });
    });

    test('of a monitor that was never seen is not known', async () => {
      const api = await openApi(await open());
      for (const { id } of [await createOld(api), await createOld(api, PUSH)]) {
        expect(await read(api, `${id}/uptime`)).toEqual({
          monitor_id: id,
          from: '2029-12-02T00:00:00.000Z',
          to: '2030-01-01T00:00:00.000Z',
          uptime_percent: null,
          observed_percent: 0,
          up_seconds: 0,
          degraded_seconds: 0,
          down_seconds: 0,
          excluded_seconds: 0,
          unobserved_seconds: 2_592_000,
          incidents: 0,
          mttr_seconds: null,
          mtbf_seconds: null,
          response_time: { p50: null, p95: null, p99: null, count: 0 },
          corrected: true,
          uncorrected: null,
        });
      }
    });

    test('is never rounded up to 100 [24.9]', async () => {
      const api = await openApi(await open());
      const { id } = await createOld(api);
      const downAt = DAY_START + 5 * HOUR;
      await live(api, id, [['online', '00:00']], DAY_START + DAY);
      const [offline, online] = [
        { monitorId: id, teamId: 1, status: 'offline', at: downAt },
        { monitorId: id, teamId: 1, status: 'online', at: downAt + 1 },
      ] as const;
      const change = { from: '2029-12-31', to: '2030-01-01' };
      expect(await read(api, `${id}/uptime?from=${change.from}`)).toMatchObject({
        uptime_percent: 100,
        observed_percent: 100,
      });
      await api.database.transaction((tx) => changeSpans(tx, [offline, online]));
      expect(await read(api, `${id}/uptime?from=${change.from}`)).toMatchObject({
        uptime_percent: 99.999,
        observed_percent: 100,
        up_seconds: 86_399.999,
        down_seconds: 0.001,
      });
    });

    describe('while nobody listened for pings', () => {
      const day = 'uptime?from=2029-12-31&to=2029-12-31';

      test('is unobserved for push monitors, and for those alone [24.19]', async () => {
        const api = await openApi(await open());
        const [push, pull] = [await createOld(api, PUSH), await createOld(api)];
        for (const { id } of [push, pull]) {
          const changes: [SpanStatus, string][] = [
            ['online', '00:00'],
            ['offline', '10:00'],
            ['online', '14:00'],
          ];
          await live(api, id, changes, OBSERVED_INDEFINITELY);
        }
        // Across two days, across a change, within an outage, overlapping that.
        await away(api, [-3, 1], [9, 10.5], [12, 12.5], [12.25, 13]);
        const whole = { up_seconds: 20 * 3_600, down_seconds: 4 * 3_600, unobserved_seconds: 0 };
        expect(await read(api, `${pull.id}/${day}`)).toMatchObject({ ...whole, incidents: 1 });
        expect(await read(api, `${push.id}/${day}`)).toMatchObject({
          uptime_percent: 87.804,
          observed_percent: 85.416,
          up_seconds: 18 * 3_600,
          down_seconds: 2.5 * 3_600,
          unobserved_seconds: 3.5 * 3_600,
          incidents: 1,
          mttr_seconds: 2.5 * 3_600,
        });
        const path = `${push.id}/uptime?from=2029-12-31T08:00Z&to=2029-12-31T14:00Z&interval=hour`;
        const hours = (await dataOf(api, path)).map((part) => part['unobserved_seconds']);
        expect(hours).toEqual([0, 3_600, 1_800, 0, 3_600, 0]);
        expect((await read(api, `${push.id}/${day}T08:30Z`))['unobserved_seconds']).toBe(3_600);
      });

      test('is unobserved while it lasts', async () => {
        const api = await openApi(await open());
        const { id } = await createOld(api, PUSH);
        await live(api, id, [['online', '00:00']], OBSERVED_INDEFINITELY);
        const markAgo = (ms: number) =>
          api.database.transaction((tx) => writeMark(tx, api.clock.now() - ms));
        const unobserved = async () => (await read(api, `${id}/${day}`))['unobserved_seconds'];
        expect(await unobserved()).toBe(0);
        await markAgo(10_000);
        expect(await unobserved()).toBe(0);
        await markAgo(2 * HOUR);
        expect(await unobserved()).toBe(7_200);
        await away(api, [23, 24]);
        expect(await unobserved()).toBe(7_200);
      });
    });

    test('response times come from days, hours, and the rounds since', async () => {
      const api = await openApi(await open());
      const [one, other] = [await createOld(api), await createOld(api)];
      const rolledUp = DAY_START + 22 * HOUR;
      for (const { id } of [one, other]) {
        await rollUp(api, 'rollup_day', id, DAY_START - 60 * DAY, [1_000, 500]);
        await rollUp(api, 'rollup_hour', id, DAY_START + 10 * HOUR, [90, 10]);
        await rollUp(api, 'rollup_hour', id, DAY_START + 11 * HOUR, [6, 100]);
        // The hour that is being rolled up: its rounds are counted instead.
        await rollUp(api, 'rollup_hour', id, rolledUp, [4, 1]);
      }
      await rolledUpUntil(api, rolledUp);
      await storeRounds(api.database, [
        voted(one.id, 'uu', rolledUp - MINUTE, { responseTimeMs: 1 }),
        voted(one.id, 'uud?', rolledUp, { responseTimeMs: 200 }),
        voted(one.id, 'uu', rolledUp + HOUR, { responseTimeMs: 200 }),
        { ...voted(one.id, 'uu', rolledUp + MINUTE), kind: 'stale' },
        { ...voted(one.id, 'u', rolledUp + 2 * MINUTE), kind: 'manual' },
      ]);
      const timesOf = async (query: string) =>
        (await read(api, `${one.id}/uptime?${query}`))['response_time'];
      expect(await timesOf('from=2029-12-31')).toEqual({
        p50: about(10),
        p95: about(100),
        p99: about(200),
        count: 100,
      });
      expect(await timesOf('from=2029-11-01T12:00Z')).toMatchObject({
        count: 1_100,
        p50: about(500),
      });
      expect(await timesOf('from=2029-11-02')).toMatchObject({ count: 100 });
      expect(await timesOf('from=2029-12-31T10:59Z&to=2029-12-31T11:00Z')).toMatchObject({
        count: 90,
      });
      expect(await timesOf('from=2029-12-31T22:30Z')).toMatchObject({ count: 2 });
    });

    test('hours and days of a chart', async () => {
      const api = await openApi(await open());
      const { id } = await createOld(api);
      await live(
        api,
        id,
        [
          ['online', '00:00'],
          ['offline', '10:30'],
          ['online', '11:15'],
        ],
        DAY_START + DAY,
      );
      await rollUp(api, 'rollup_hour', id, DAY_START + 10 * HOUR, [90, 10]);
      await rolledUpUntil(api, DAY_START + 11 * HOUR);
      await storeRounds(api.database, [voted(id, 'uuu', DAY_START + 11 * HOUR + 20 * MINUTE)]);
      const empty = { p50: null, p95: null, p99: null, count: 0 };
      const path = `${id}/uptime?from=2029-12-31T10:15Z&to=2029-12-31T12:15Z&interval=hour`;
      const parts = (await dataOf(api, path)).map((part) => [
        String(part['from']).slice(11, 16),
        String(part['to']).slice(11, 16),
        part['up_seconds'],
        part['down_seconds'],
        part['uptime_percent'],
        part['incidents'],
        part['response_time'],
      ]);
      expect(parts).toEqual([
        ['10:15', '11:00', 900, 1_800, 33.333, 1, times(10, 90)],
        ['11:00', '12:00', 2_700, 900, 75, 1, times(20, 3)],
        ['12:00', '12:15', 900, 0, 100, 0, empty],
      ]);
      const days = await dataOf(api, `${id}/uptime?from=2029-12-30&interval=day`);
      expect(days).toMatchObject([
        { from: '2029-12-30T00:00:00.000Z', unobserved_seconds: 86_400, uptime_percent: null },
        { from: '2029-12-31T00:00:00.000Z', down_seconds: 2_700, incidents: 1 },
      ]);
    });

    test('of many monitors at once, in their order', async () => {
      const api = await openApi(await open());
      const ids: number[] = [];
      for (let index = 0; index < 12; index += 1) {
        const { id } = await createOld(api);
        ids.unshift(id);
        await live(api, id, [['online', '00:00']], DAY_START + index * HOUR);
      }
      const period = { from: DAY_START, to: DAY_START + DAY, now: DAY_START + DAY };
      const found = await uptimeOf(api.database, ids, period);
      expect(found.map(({ monitorId }) => monitorId)).toEqual(ids);
      const hours = found.map(({ whole }) => whole.upMs / HOUR);
      expect(hours).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    });
  });
});

describe('what is refused', () => {
  const shared = sharedApi();
  const moment = 'must be a date, or a date and time, such as 2030-01-31 or 2030-01-31T12:00:00Z.';
  test.each([
    ['results', 'from=yesterday', { from: `from ${moment}` }],
    ['results', 'from=2029-02-30', { from: `from ${moment}` }],
    ['results', 'from=2029-12-31&from=2029-12-30', { from: `from ${moment}` }],
    ['results', 'to=1969-12-31', { to: 'to must not be before 1970.' }],
    ['results', 'from=2029-12-31&to=2029-12-30', { to: 'to must be after from.' }],
    ['results', 'from=2029-12-31T10:00Z&to=2029-12-31T10:00Z', { to: 'to must be after from.' }],
    ['results', 'from=2030-01-01T00:00Z', { from: 'from must be in the past.' }],
    [
      'results',
      'from=2030-01-02&region=mars',
      {
        from: 'from must be in the past.',
        region: 'region must be one of ash, pdx, nbg, sin.',
      },
    ],
    [
      'results',
      'from=x&per_page=101',
      { from: `from ${moment}`, per_page: 'per_page must be a whole number from 1 to 100.' },
    ],
    ['results', 'page=0', { page: 'page must be a whole number of at least 1.' }],
    ['uptime', 'from=soon&to=later', { from: `from ${moment}`, to: `to ${moment}` }],
    ['uptime', 'from=2029-12-31&to=2029-12-29', { to: 'to must be after from.' }],
    ['uptime', 'from=2028-11-26', { from: 'from must be at most 400 days before to.' }],
    [
      'uptime',
      'from=2029-11-30T23:59Z&interval=hour',
      { from: 'from must be at most 31 days before to with interval=hour.' },
    ],
    ['uptime', 'interval=minute', { interval: 'interval must be one of hour, day.' }],
  ])('%s?%s [24.3, 24.5]', async (route, query, errors) => {
    const api = await shared();
    const { id } = await createOld(api);
    const path = `/api/v1/monitors/${id}/${route}?${query}`;
    const { status, body } = await api.call(api.vera, 'GET', path);
    const lists = Object.entries(errors).map(([field, text]) => [field, [text]]);
    expect([status, body['errors']]).toEqual([422, Object.fromEntries(lists)]);
  });

  test.each([
    ['results', ''],
    ['results', 'from=&to=&region=&page='],
    ['results', 'to=2040-01-01'],
    ['uptime', 'from=2028-11-27&to=2040-01-01'],
    ['uptime', 'from=2029-12-01&interval=hour'],
    ['uptime', 'from=2029-12-31T12:00:00%2B02:00'],
  ])('not %s?%s', async (route, query) => {
    const api = await shared();
    const { id } = await createOld(api, PUSH);
    const path = `/api/v1/monitors/${id}/${route}?${query}`;
    expect((await api.call(api.vera, 'GET', path)).status).toBe(200);
  });
});
