import { MONITOR_TYPES } from '../monitor-types/registry.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedApi } from '../../test/support/api.ts';

const MONITORS = '/api/v1/monitors';

describe('bad bodies of a create', () => {
  const api = sharedApi();

  test.each(['[]', 'null', '"text"', '1', 'true'])('%s is not an object [2.11]', async (body) => {
    const { call, alice } = await api();
    const answer = await call(alice, 'POST', MONITORS, body);
    const message = 'body must be a JSON object: names and values in braces.';
    expect([answer.status, answer.body]).toMatchObject([422, { errors: { body: [message] } }]);
    expect(answer.body['message']).toContain(message);
  });

  test('are reported all at once, the first in the message [2.8, 2.10]', async () => {
    const { call, alice } = await api();
    const body = {
      monitor_type: 'port',
      url: 'a b',
      port: 'x',
      check_types: ['none'],
      monitored_regions: ['moon'],
      http_method: 'TRACE',
      follow_redirects: 'yes',
      failure_threshold: 11,
      group_id: 999_999,
      tags: [1],
      request_timeout: 0,
      check_interval: '5',
      auth_type: 'basic',
    };
    const { body: answer } = await call(alice, 'POST', MONITORS, body);
    const errors = answer['errors'] as Record<string, string[]>;
    expect(Object.keys(errors).toSorted()).toEqual([
      'auth_type',
      'check_interval',
      'check_types.0',
      'failure_threshold',
      'follow_redirects',
      'group_id',
      'http_method',
      'monitored_regions.0',
      'port',
      'request_timeout',
      'tags.0',
      'url',
    ]);
    const [first] = Object.values(errors).flat();
    expect(answer['message']).toBe(`${first} (and 11 more errors)`);
  });

  test('an empty body lacks what is required [6.3]', async () => {
    const { call, alice } = await api();
    const { status, body: answer } = await call(alice, 'POST', MONITORS, '');
    expect([status, Object.keys(answer['errors'] as object)]).toEqual([
      422,
      ['url', 'check_interval'],
    ]);
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
    [MONITORS, 'type=tcp', 'type', `must be one of ${MONITOR_TYPES.join(', ')}`],
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
        'must be one of uptime, keyword, json_assertion, ssl, domain, dns, regional, dual_stack, slow_response, heartbeat, error_budget, manual',
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

  test('all mistakes of a query are reported at once [2.10]', async () => {
    const { call, alice } = await api();
    const { body } = await call(alice, 'GET', `${MONITORS}?sort=x&status=x&page=0&per_page=0`);
    expect(Object.keys(body['errors'] as object).toSorted()).toEqual([
      'page',
      'per_page',
      'sort',
      'status',
    ]);
  });

  test('empty and unknown parameters are ignored [1.17]', async () => {
    const { call, alice } = await api();
    const { status } = await call(alice, 'GET', `${MONITORS}?search=&status=&page=&sort=&foo=bar`);
    expect(status).toBe(200);
  });
});
