import { describe, expect, test } from 'vitest';
import { sharedApi } from '../../test/support/api.ts';
import { LEAST } from '../../test/support/monitor-bodies.ts';
import { headerOf } from './ignored-fields.ts';

const MONITORS = '/api/v1/monitors';
const HTTP = { ...LEAST.http };

describe('the header X-Ignored-Fields [1.17]', () => {
  const api = sharedApi();

  test.for<[method: 'GET' | 'POST', path: string, body: object | undefined, ignored?: string]>([
    ['GET', `${MONITORS}?tags=nope`, undefined, 'tags'],
    ['GET', `${MONITORS}?tags=&per_page=1&Status=online`, undefined, 'tags, Status'],
    ['GET', `${MONITORS}?search=x&page=`, undefined],
    ['GET', '/api/v1/plan?fields=name', undefined, 'fields'],
    [
      'GET',
      '/api/v1/check-url?url=https://example.com&regions[]=ash&region=ash',
      undefined,
      'region',
    ],
    ['POST', MONITORS, HTTP],
    ['POST', MONITORS, { ...HTTP, monitor_type: 'http', port: null, heartbeat_grace: '' }],
    ['POST', MONITORS, { ...HTTP, name: 'Shop', interval: 5 }, 'name, interval'],
    ['POST', MONITORS, { ...HTTP, port: 80, heartbeat_grace: 5 }, 'port, heartbeat_grace'],
    [
      'POST',
      MONITORS,
      { ...LEAST.cron, url: 'https://x.example', check_interval: 5 },
      'url, check_interval',
    ],
    ['POST', `${MONITORS}?dry_run=1`, { ...HTTP, name: 'Shop' }, 'dry_run, name'],
    ['POST', '/api/v1/groups', { name: 'Shops', colour: 'red' }, 'colour'],
  ])('%s %s %j', async ([method, path, body, ignored]) => {
    const { call, alice } = await api();
    const answer = await call(alice, method, path, body);
    expect([200, 201]).toContain(answer.status);
    expect(answer.headers['x-ignored-fields']).toBe(ignored);
  });

  test('is on invalid requests, too, for what was read', async () => {
    const { call, alice } = await api();
    const body = { ...HTTP, name: 'Shop', check_interval: 'often' };
    const refused = await call(alice, 'POST', MONITORS, body);
    expect([refused.status, refused.headers['x-ignored-fields']]).toEqual([422, 'name']);
    const list = await call(alice, 'GET', `${MONITORS}?tags=nope&status=x`);
    expect([list.status, list.headers['x-ignored-fields']]).toEqual([422, 'tags']);
  });

  test('is absent where the request was refused before it was read', async () => {
    const { call, alice, vera } = await api();
    const unknown = await call(alice, 'PUT', `${MONITORS}/999999?x=1`, { friendly_name: 'x' });
    expect([unknown.status, unknown.headers['x-ignored-fields']]).toEqual([404, undefined]);
    const forbidden = await call(vera, 'POST', MONITORS, { name: 'x' });
    expect([forbidden.status, forbidden.headers['x-ignored-fields']]).toEqual([403, undefined]);
  });

  test('names what an action without a body was sent', async () => {
    const { call, create, alice } = await api();
    const { id } = await create();
    const paused = await call(alice, 'POST', `${MONITORS}/${id}/pause`, { until: 'tomorrow' });
    expect([paused.status, paused.headers['x-ignored-fields']]).toEqual([200, 'until']);
    for (const body of ['[1]', '"x"', undefined]) {
      const { status, headers } = await call(alice, 'POST', `${MONITORS}/${id}/pause`, body);
      expect([status, headers['x-ignored-fields']]).toEqual([200, undefined]);
    }
  });

  test('is absent when a monitor is sent back without the fields of the server', async () => {
    const { call, create, alice } = await api();
    const { id, ...monitor } = await create();
    const { headers } = await call(alice, 'PUT', `${MONITORS}/${id}`, monitor);
    expect(headers['x-ignored-fields']).toBe(
      'ping_url, status, observed_until, is_paused, last_checked_at, next_check_at, last_heartbeat_at, heartbeat_expected_at, created_at, updated_at',
    );
  });
});

describe('names chosen by clients are safe in a header [1.17]', () => {
  test.for<[names: string[], header: string]>([
    [['a', 'b'], 'a, b'],
    [['filter[tag]', '$top', '"x"'], 'filter[tag], $top, "x"'],
    [['a,b', 'a%2Cb'], 'a%2Cb, a%252Cb'],
    [['x\r\nSet-Cookie: a=b'], 'x%0D%0ASet-Cookie:%20a=b'],
    [['\0\t\x7f é'], '%00%09%7F%20%C3%A9'],
    [['\ud800', '__proto__'], '%EF%BF%BD, __proto__'],
    [['x'.repeat(100)], 'x'.repeat(64)],
    [['x'.repeat(62) + 'é'], 'x'.repeat(62)],
    [['é'.repeat(100)], '%C3%A9'.repeat(10)],
    [['same', 'same'], 'same'],
    [
      Array.from({ length: 30 }, (_, at) => `n${at}`),
      Array.from({ length: 20 }, (_, at) => `n${at}`).join(', '),
    ],
  ])('%j', ([names, header]) => {
    expect(headerOf(names)).toBe(header);
  });

  test('in requests, too', async () => {
    const { call, alice } = await sharedApi()();
    const body = JSON.parse('{"name":"Safe","__proto__":1,"a\\r\\nb":1,"":1,"constructor":1}');
    const { status, headers } = await call(alice, 'POST', '/api/v1/groups?x%0D%0Ay=1', body);
    expect([status, headers['x-ignored-fields']]).toEqual([
      201,
      'x%0D%0Ay, __proto__, a%0D%0Ab, constructor',
    ]);
  });
});
