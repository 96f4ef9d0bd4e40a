import { describe, expect, it } from 'vitest';
import { checkResult } from '../support/rounds.ts';
import {
  client,
  expectStatus,
  ISO_TIME,
  openLine,
  SECOND,
  REQUIRED,
  type Answer,
  type MonitorType,
} from './support.ts';

const { open, get, post, put, monitor, token } = client();

interface Field {
  type: MonitorType;
  accepted: unknown[];
  refused: unknown[];
  /** Of a monitor that was created without the field. */
  default?: unknown;
}

const http = (accepted: unknown[], refused: unknown[], byDefault: unknown): Field => ({
  type: 'http',
  accepted,
  refused,
  default: byDefault,
});

const FIELDS: Record<string, Field> = {
  http_method: http(
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
    ['TRACE', 'CONNECT', 'FETCH', 7],
    'GET',
  ),
  accepted_status_codes: http(
    [['200'], ['2xx'], ['200', '3xx', '404', '5xx']],
    [['20'], ['2000'], ['abc'], [200], '200', ['x'], ['099']],
    null,
  ),
  follow_redirects: http([true, false], ['true', 1, 'no'], true),
  request_timeout: http([1, 30, 60], [0, 61, -1, true], 30),
  request_headers: http(
    [{ 'X-A': '1' }, { 'User-Agent': 'Mine' }, manyHeaders(50)],
    [
      manyHeaders(51),
      { 'X-A': 1 },
      { 'X-A': null },
      { 'X A': '1' },
      { 'X-A': '1\r\nX-B: 2' },
      ['X-A'],
      'X-A: 1',
    ],
    null,
  ),
  verify_ssl: http([true, false], ['yes', 0], true),
  ssl_expiry_threshold: http([1, 365], [0, 366], 14),
  domain_expiry_threshold: http([1, 365], [0, 366], 30),
  slow_response_threshold: http([100, 60_000], [99, 60_001], null),
  error_text_detection: http([true, false], ['yes', 1], false),
  failure_threshold: http([1, 10], [0, 11], 2),
  recovery_threshold: http([1, 10], [0, 11], 1),
  check_both_families: http([true, false], ['yes', 1], false),
  tags: http(
    [[], ['a'], Array.from({ length: 20 }, (_, index) => `tag ${index}`)],
    [Array.from({ length: 21 }, (_, index) => `tag ${index}`), [1], 'a', { a: 'b' }],
    [],
  ),
  friendly_name: http(['Shop', 'Ä 東京 🛎'], [7, ['x'], {}], null),
  port: { type: 'port', accepted: [1, 65_535], refused: [0, 65_536, 1.5, -1, true] },
  heartbeat_interval: {
    type: 'heartbeat',
    accepted: [30, 2_592_000],
    refused: [29, 2_592_001, 30.5, true],
  },
  heartbeat_grace: {
    type: 'heartbeat',
    accepted: [0, 86_400],
    refused: [-1, 86_401, 0.5],
    default: 60,
  },
  heartbeat_timezone: {
    type: 'cron',
    accepted: ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'],
    refused: ['Mars/Olympus', 'Berlin', '+02:00', 2],
    default: 'UTC',
  },
  heartbeat_wait_for_first_ping: {
    type: 'heartbeat',
    accepted: [true, false],
    refused: ['yes', 1],
    default: false,
  },
  heartbeat_max_runtime: {
    type: 'cron',
    accepted: [1, 604_800],
    refused: [0, 604_801, 1.5],
    default: null,
  },
};

function manyHeaders(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, 'x']));
}

/** `[field, type, value]` for each value. */
const cases = (which: 'accepted' | 'refused') =>
  Object.entries(FIELDS).flatMap(([field, { type, [which]: values }]) =>
    values.map((value) => ({ field, type, value, shown: JSON.stringify(value).slice(0, 40) })),
  );

function expectFault({ status, body, text }: Answer, field: string): void {
  expect(status, text).toBe(422);
  const fields = Object.keys(body['errors'] as object).map((name) => name.split('.', 1)[0]);
  expect(new Set(fields), text).toEqual(new Set([field]));
}

describe('fields of monitors', () => {
  it.each(cases('accepted'))(
    '$field of a $type monitor may be $shown [7.6, 7.15, 7.16, 7.17, 7.18, 7.19, 7.20, 7.21, 7.22, 7.23, 7.24, 7.25, 7.27, 7.28, 7.29, 7.30, 7.31, 7.32, 7.33, 7.34, 7.35]',
    async ({ field, type, value }) => {
      const made = await monitor(type, { [field]: value });
      expect(made[field]).toEqual(value);
      const changed = await put(`/monitors/${(await monitor(type)).id}`, { [field]: value });
      expect(changed.body[field], changed.text).toEqual(value);
    },
  );

  it.each(cases('refused'))(
    '$field of a $type monitor must not be $shown [7.1]',
    async ({ field, type, value }) => {
      expectFault(await post('/monitors', { ...REQUIRED[type], [field]: value }), field);
      const made = await monitor(type);
      expectFault(await put(`/monitors/${made.id}`, { [field]: value }), field);
      expect((await get(`/monitors/${made.id}`)).body[field]).toEqual(made[field]);
    },
  );

  it.each(Object.entries(FIELDS).filter(([, field]) => 'default' in field))(
    '%s has its default when it is not given [7.2]',
    async (name, { type, default: expected }) => {
      expect((await monitor(type))[name]).toEqual(expected);
    },
  );

  it('check_types are none when they are not given [7.11]', async () => {
    for (const type of ['http', 'ping', 'heartbeat'] as const)
      expect((await monitor(type))['check_types']).toEqual([]);
  });

  it.each(['POST', 'PUT', 'PATCH'])(
    'request_body is for %s, at most 10000 long [7.26]',
    async (method) => {
      const body = 'x'.repeat(10_000);
      const made = await monitor('http', { http_method: method, request_body: body });
      expect(made['request_body']).toBe(body);
      expectFault(
        await post('/monitors', {
          ...REQUIRED.http,
          http_method: method,
          request_body: `${body}x`,
        }),
        'request_body',
      );
    },
  );

  it('request_headers and request_body are shown only to tokens with update, else null [7.36]', async () => {
    const secret = { request_headers: { 'X-Key': 'k' }, request_body: 'b', http_method: 'POST' };
    const { id } = await monitor('http', secret);
    const reader = await token(['read', 'create']);
    const hidden = { request_headers: null, request_body: null };
    expect((await get(`/monitors/${id}`)).body).toMatchObject(secret);
    expect((await get(`/monitors/${id}`, reader)).body).toMatchObject(hidden);
    expect((await get(`/monitors/${id}`, 'vera')).body).toMatchObject(hidden);
    const listed = (await get('/monitors?per_page=100', reader)).body['data'] as { id: number }[];
    expect(listed.find((one) => one.id === id)).toMatchObject(hidden);
    const created = await post('/monitors', { ...REQUIRED.http, ...secret }, reader);
    expect(created.body).toMatchObject(hidden);
  });

  it('request_headers and request_body are encrypted at rest [35.9]', async () => {
    const { database } = await open();
    const marks = ['header-in-clear-text', 'body-in-clear-text'];
    const { id } = await monitor('http', {
      http_method: 'POST',
      request_headers: { 'X-Key': marks[0] },
      request_body: marks[1],
    });
    const row = await database.read
      .selectFrom('monitor')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    for (const mark of marks) expect(JSON.stringify(row)).not.toContain(mark);
  });

  it.each([
    [0.5, 60, 27],
    [1, 60, 54],
    [0.5, 10, 10],
    [5, 60, 60],
  ])(
    'the deadline of a check never passes 90 %% of the interval: every %d minutes, request_timeout %d s [15.1]',
    async (minutes, timeout, deadline) => {
      const line = await openLine();
      const { id } = await line.monitor('http', {
        check_interval: minutes,
        request_timeout: timeout,
      });
      const deadlines = new Set<number>();
      line.house.targets.set(id, (_region, { timeoutMs }) => {
        deadlines.add(timeoutMs);
        return checkResult('up');
      });
      await line.until(id, 'online');
      await line.house.close();
      expect([...deadlines]).toEqual([deadline * SECOND]);
    },
  );

  it('created_at, updated_at and next_check_at are times [6.23]', async () => {
    const made = await monitor();
    for (const field of ['created_at', 'updated_at', 'next_check_at'])
      expect(made[field], field).toMatch(ISO_TIME);
  });

  it('a change moves updated_at on and leaves created_at [6.24]', async () => {
    const { clock } = await open();
    const made = await monitor();
    await clock.advance(5_000);
    const changed = await put(`/monitors/${made.id}`, { friendly_name: 'Moved' });
    expectStatus(changed, 200);
    expect(changed.body['created_at']).toBe(made['created_at']);
    expect(Date.parse(changed.body['updated_at'] as string)).toBe(
      Date.parse(made['updated_at'] as string) + 5_000,
    );
  });
});
