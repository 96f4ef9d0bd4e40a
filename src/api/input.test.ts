import { beforeAll, describe, expect, test } from 'vitest';
import { openApi, sharedApi } from '../../test/support/api.ts';
import { openDatabase } from '../store/database/database.ts';

const MONITORS = '/api/v1/monitors';

describe('bad bodies of a create', () => {
  const api = sharedApi();
  const good = { url: 'https://example.com', check_interval: 1 };
  const object = 'must be a JSON object: names and values in braces';

  // What is wrong with a single field stands in monitor-input.test.ts.
  const table: [body: unknown, field: string, predicate: string][] = [
    [
      { ...good, url: 'http://0xA9FEA9FE/latest' },
      'url',
      'aims at 169.254.169.254, which is a link-local address: only the operator can allow that, by ALLOW_PRIVATE_TARGETS',
    ],
    [
      { ...good, monitor_type: 'ping', url: 'ssh://u@example.com' },
      'url',
      'must not hold a user name or password',
    ],
    [
      { ...good, request_headers: { a: '1', A: '2' } },
      'request_headers',
      'must not hold a name twice, whatever the case',
    ],
    [
      { ...good, http_method: 'HEAD', request_body: 'x' },
      'request_body',
      'is for the methods POST, PUT and PATCH, but http_method is HEAD',
    ],
    ['[]', 'body', object],
    ['null', 'body', object],
    ['"text"', 'body', object],
    ['1', 'body', object],
  ];

  test.each(table)('%j: %s', async (body, field, predicate) => {
    const { call, alice } = await api();
    const { status, body: answer } = await call(alice, 'POST', MONITORS, body);
    expect(status).toBe(422);
    const errors = answer['errors'] as Record<string, string[]>;
    expect(errors[field]).toEqual([`${field} ${predicate}.`]);
    expect(answer['message']).toContain(Object.values(errors)[0]![0]);
  });

  test('are told all at once', async () => {
    const { call, alice } = await api();
    const body = {
      monitor_type: 'port',
      url: 'a b',
      port: 'x',
      tags: [1],
      request_timeout: 0,
      check_interval: '5',
      auth_type: 'basic',
    };
    const { body: answer } = await call(alice, 'POST', MONITORS, body);
    expect(Object.keys(answer['errors'] as object).toSorted()).toEqual([
      'auth_type',
      'check_interval',
      'port',
      'request_timeout',
      'tags.0',
      'url',
    ]);
    expect(answer['message']).toMatch(/ \(and 5 more errors\)$/);
  });

  test('an empty body lacks what is required', async () => {
    const { call, alice } = await api();
    const { status, body: answer } = await call(alice, 'POST', MONITORS, '');
    expect([status, Object.keys(answer['errors'] as object)]).toEqual([
      422,
      ['url', 'check_interval'],
    ]);
  });

  test('the operator may set a default interval', async () => {
    const database = await openDatabase({ engine: 'sqlite', directory: ':memory:' });
    const lenient = await openApi(database, { defaults: { regions: ['ash'], checkInterval: 5 } });
    for (const check_interval of [undefined, null, '']) {
      expect(await lenient.create({ check_interval })).toMatchObject({ check_interval: 5 });
    }
  });
});

describe('bad updates', () => {
  const api = sharedApi();
  test.each([
    [{ url: null }, 'url', 'is required: give an absolute http or https URL'],
    [{ check_interval: null }, 'check_interval', /^is required/],
    [
      { monitor_type: 'ping' },
      'monitor_type',
      "can't be changed: it is http; create a new monitor instead",
    ],
    [{ monitor_type: 7 }, 'monitor_type', /^can't be changed/],
    [{ http_method: 'GET' }, 'http_method', /^can't be GET while a request_body is set/],
    [{ tags: 'x' }, 'tags', 'must be an array of texts'],
  ])('%j', async (body, field, predicate) => {
    const { call, create, alice } = await api();
    const { id } = await create({ http_method: 'POST', request_body: 'x' });
    const { status, body: answer } = await call(alice, 'PUT', `${MONITORS}/${id}`, body);
    expect(status).toBe(422);
    const [sentence = ''] = (answer['errors'] as Record<string, string[]>)[field] ?? [];
    expect(sentence.slice(field.length + 1)).toMatch(
      typeof predicate === 'string' ? `${predicate}.` : predicate,
    );
  });
});

describe('bad queries', () => {
  const api = sharedApi();
  // The monitor of which a list of incidents is asked for.
  beforeAll(async () => (await api()).create());

  test.each([
    [
      MONITORS,
      'sort=name',
      'sort',
      'must be one of url, status, check_interval, last_checked_at, created_at',
    ],
    [MONITORS, 'direction=up', 'direction', 'must be one of asc, desc'],
    [MONITORS, 'status=down', 'status', 'must be one of online, offline, degraded, pending'],
    [MONITORS, 'type=tcp', 'type', 'must be one of http, ping, port, heartbeat, cron'],
    [MONITORS, 'interval=x', 'interval', 'must be a number from 0.5 to 60'],
    [MONITORS, 'page=0', 'page', 'must be a whole number of at least 1'],
    [MONITORS, 'page=1&page=2', 'page', 'must be a whole number of at least 1'],
    [MONITORS, 'per_page=101', 'per_page', 'must be a whole number from 1 to 100'],
    [MONITORS, 'per_page=1e1', 'per_page', 'must be a whole number from 1 to 100'],
    [MONITORS, 'search=%00', 'search', 'must not hold a NUL character or half a character'],
    ['/api/incidents', 'monitor_id=x', 'monitor_id', 'must be a whole number of at least 1'],
    ...['/api/incidents', `${MONITORS}/1/incidents`].flatMap((path) => [
      [path, 'page=1.5', 'page', 'must be a whole number of at least 1'],
      [path, 'per_page=-1', 'per_page', 'must be a whole number from 1 to 100'],
      [path, 'status=closed', 'status', 'must be one of open, resolved'],
      [
        path,
        'type=fire',
        'type',
        'must be one of uptime, keyword, json_assertion, ssl, domain, dns, regional, dual_stack, slow_response, heartbeat, manual',
      ],
      [path, 'severity=high', 'severity', 'must be one of critical, warning, info'],
      [path, 'start_date=2030-02-30', 'start_date', 'must be a date such as 2030-01-31'],
      [path, 'end_date=yesterday', 'end_date', 'must be a date such as 2030-01-31'],
      [path, 'sort=id', 'sort', 'must be one of started_at, ended_at, duration, status'],
      [path, 'direction=up', 'direction', 'must be one of asc, desc'],
    ]),
  ] as [string, string, string, string][])(
    '%s?%s [4.3, 4.25, 4.30]',
    async (path, query, field, predicate) => {
      const { call, alice } = await api();
      const { status, body } = await call(alice, 'GET', `${path}?${query}`);
      expect([status, body['errors']]).toEqual([422, { [field]: [`${field} ${predicate}.`] }]);
    },
  );

  test('all faults of a query are told at once [2.10]', async () => {
    const { call, alice } = await api();
    const { body } = await call(alice, 'GET', `${MONITORS}?sort=x&status=x&page=0&per_page=0`);
    expect(Object.keys(body['errors'] as object).toSorted()).toEqual([
      'page',
      'per_page',
      'sort',
      'status',
    ]);
  });

  test('empty and unknown parameters count as not given [1.17]', async () => {
    const { call, alice } = await api();
    const { status } = await call(alice, 'GET', `${MONITORS}?search=&status=&page=&sort=&foo=bar`);
    expect(status).toBe(200);
  });
});
