import { describe, expect, test } from 'vitest';
import { openApi, sharedApi, type TestApi } from '../../test/support/api.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { LEAST, PULL } from '../../test/support/monitor-bodies.ts';
import { storePings, type TestPing } from '../../test/support/pings.ts';
import type { PingKind } from '../model/heartbeat.ts';

/** The clock stands at its end. */
const DAY_START = Date.UTC(2029, 11, 31);
const HOUR = 3_600_000;
const PUSH = { monitor_type: 'heartbeat', friendly_name: 'Backup', heartbeat_interval: 60 };

/** Of the last day, each kind at another hour. */
const at = (hour: number, kind: PingKind): TestPing => ({ at: DAY_START + hour * HOUR, kind });

/** Number and kind of what a page holds, and the total. */
async function list(api: TestApi, id: number, query = '') {
  const path = `/api/v1/monitors/${id}/pings?${query}`;
  const { status, body, text } = await api.call(api.vera, 'GET', path);
  expect(status, text).toBe(200);
  const pings = body['data'] as { id: number; kind: string }[];
  return { total: body['total'], pings: pings.map((ping) => `${ping.id} ${ping.kind}`) };
}

eachDatabase((_name, open) => {
  test('pings are shown as they came, the newest first [12.32, 12.33]', async () => {
    const api = await openApi(await open());
    const { id } = await api.create(PUSH);
    await storePings(api.database, id, [
      { at: DAY_START, kind: 'start', runId: 'one', userAgent: null },
      {
        at: DAY_START + 67_301,
        kind: 'failure',
        runId: 'one',
        exitCode: 3,
        durationMs: 67_301,
        sourceAddress: '2001:db8::7',
        body: 'No space left 😀\n',
        isBodyCut: true,
      },
    ]);
    const { status, body } = await api.call(api.vera, 'GET', `/api/v1/monitors/${id}/pings`);
    expect([status, body['total']]).toEqual([200, 2]);
    expect(body['data']).toEqual([
      {
        id: 2,
        kind: 'failure',
        received_at: '2029-12-31T00:01:07.301Z',
        duration_ms: 67_301,
        exit_code: 3,
        run_id: 'one',
        source_address: '2001:db8::7',
        user_agent: 'curl/8.5.0',
        body: 'No space left 😀\n',
        body_truncated: true,
      },
      {
        id: 1,
        kind: 'start',
        received_at: '2029-12-31T00:00:00.000Z',
        duration_ms: null,
        exit_code: null,
        run_id: 'one',
        source_address: '192.0.2.1',
        user_agent: null,
        body: null,
        body_truncated: false,
      },
    ]);
  });

  test('pages hold each ping once, with filters and without [12.32, 12.34]', async () => {
    const api = await openApi(await open());
    const { id } = await api.create(PUSH);
    const pings = Array.from({ length: 23 }, (_, index) =>
      at(index / 2, index % 3 === 0 ? 'failure' : 'success'),
    );
    await storePings(api.database, id, pings);
    const all = pings.map(({ kind }, index) => `${index + 1} ${kind}`).toReversed();
    const bad = all.filter((ping) => ping.endsWith('failure'));
    for (const [query, expected] of [
      ['', all],
      ['from=2029-12-31', all],
      ['kind=failure', bad],
    ] as const) {
      const found: string[] = [];
      for (let page = 1; page <= 5; page += 1) {
        const answer = await list(api, id, `${query}&per_page=7&page=${page}`);
        expect(answer.total).toBe(expected.length);
        found.push(...answer.pings);
      }
      expect(found).toEqual(expected);
    }
  });

  test('pings are those of the kind and the time [12.34]', async () => {
    const api = await openApi(await open());
    const { id } = await api.create(PUSH);
    await storePings(api.database, id, [
      at(-36, 'success'),
      at(-12, 'log'),
      at(1, 'start'),
      at(2, 'success'),
      { at: api.clock.now(), kind: 'failure' },
    ]);
    const found = async (query: string) => (await list(api, id, query)).pings.join(', ');
    expect(await found('')).toBe('5 failure, 4 success, 3 start, 2 log, 1 success');
    expect(await found('kind=success')).toBe('4 success, 1 success');
    expect(await found('from=2029-12-31')).toBe('5 failure, 4 success, 3 start');
    expect(await found('to=2029-12-30')).toBe('2 log, 1 success');
    expect(await found('from=2029-12-30&to=2029-12-30')).toBe('2 log');
    expect(await found('from=2029-12-31T01:00Z&to=2029-12-31T02:00Z')).toBe('3 start');
    expect(await found('from=2029-12-31T02:00%2B01:00&to=2040-01-01&kind=success')).toBe(
      '4 success',
    );
    expect(await found('kind=log&from=2029-12-31')).toBe('');
  });

  test('a monitor that checks has none [12.36]', async () => {
    const api = await openApi(await open());
    for (const type of PULL) {
      const { id } = await api.create(LEAST[type]);
      expect(await list(api, id)).toEqual({ total: 0, pings: [] });
      expect(await list(api, id, 'kind=success&page=3')).toEqual({ total: 0, pings: [] });
    }
  });
});

describe('questions about pings that are refused', () => {
  const shared = sharedApi();
  const moment = 'must be a date, or a date and time, such as 2030-01-31 or 2030-01-31T12:00:00Z.';

  test.each([
    ['kind=ok', { kind: 'kind must be one of success, failure, start, log.' }],
    [
      'kind=Success',
      { kind: 'kind must be one of success, failure, start, log (did you mean success?).' },
    ],
    ['kind=log&kind=start', { kind: 'kind must be one of success, failure, start, log.' }],
    ['from=yesterday&to=2029-02-30', { from: `from ${moment}`, to: `to ${moment}` }],
    ['to=1969-12-31', { to: 'to must not be before 1970.' }],
    ['from=2029-12-31&to=2029-12-30', { to: 'to must be after from.' }],
    ['from=2030-01-01T00:00Z', { from: 'from must be in the past.' }],
    [
      'page=0&per_page=101&kind=x',
      {
        page: 'page must be a whole number of at least 1.',
        per_page: 'per_page must be a whole number from 1 to 100.',
        kind: 'kind must be one of success, failure, start, log.',
      },
    ],
  ])('%s [12.35]', async (query, errors) => {
    const api = await shared();
    const { id } = await api.create(PUSH);
    const path = `/api/v1/monitors/${id}/pings?${query}`;
    const { status, body } = await api.call(api.vera, 'GET', path);
    const lists = Object.entries(errors).map(([field, text]) => [field, [text]]);
    expect([status, body['errors']]).toEqual([422, Object.fromEntries(lists)]);
  });

  test.each(['kind=&from=&to=&page=', 'to=2040-01-01', 'sort=kind', `page=${2 ** 53 - 1}`])(
    'not %s',
    async (query) => {
      const api = await shared();
      const { id } = await api.create(PUSH);
      await storePings(api.database, id, [{ at: DAY_START }]);
      expect((await list(api, id, query)).total).toBe(1);
    },
  );
});
