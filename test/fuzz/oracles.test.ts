import { describe, expect, test } from 'vitest';
import { contract } from '../support/openapi.ts';
import { createPool } from './pool.ts';
import { truthOf } from './truth.ts';

describe('objects of another team', () => {
  const pool = createPool();
  pool.learn('mallory', 'POST', '/api/v1/monitors', 201, { id: 7 });
  pool.learn('mallory', 'POST', '/api/groups', 201, { id: 7 });
  pool.learn('alice', 'POST', '/api/v1/monitors', 201, { id: 8 });

  test.for<[path: string, answer: unknown, sees: string[]]>([
    ['/api/v1/monitors/7', { id: 7 }, ['monitors/7']],
    ['/api/monitors?page=1', { data: [{ id: 8 }, { id: 7 }] }, ['monitors/7']],
    ['/api/v1/monitors/8', { id: 8, group_id: 7 }, ['groups/7']],
    ['/api/v1/incidents', { data: [{ id: 7, monitor: { id: 8 } }] }, []],
    ['/api/v1/incidents/1', { id: 1, monitor_id: 7 }, ['monitors/7']],
    ['/api/v1/monitors/8/incidents', { data: [{ id: 7, monitor_id: 8 }] }, []],
    ['/api/v1/groups/7', { id: 7 }, ['groups/7']],
    ['/api/v1/users', { data: [{ id: 7 }] }, []],
  ])('is noticed in %s', ([path, answer, sees]) => {
    const told = sees.map((what) => `alice sees ${what}, which another team owns.`);
    expect(pool.foreignIn('alice', path, answer)).toEqual(told);
    expect(pool.foreignIn('mallory', path, answer).join()).not.toContain('/7');
  });

  test("ids are of existing objects, mostly of the caller's team", () => {
    expect(pool.idOf({ existing: 'monitors', pick: 1 }, 'alice')).toBe(8);
    expect(pool.idOf({ existing: 'monitors', pick: 1 }, 'mallory')).toBe(7);
    expect(pool.idOf({ existing: 'incidents', pick: 1 }, 'alice')).toBe(1);
    pool.learn('alice', 'DELETE', '/api/v1/monitors/8', 204, undefined);
    expect(pool.idOf({ existing: 'monitors', pick: 1 }, 'alice')).toBe(1);
  });
});

describe('requests accepted against the document', () => {
  const truth = truthOf(contract().document);
  const create = contract().find({ method: 'POST', path: '/api/v1/monitors' })!;
  const list = contract().find({ method: 'GET', path: '/api/v1/monitors' })!;
  const liesOf = (body: object, answer: object = { monitor_type: 'http' }) =>
    truth.liesOf(create, { query: [], body, answer });

  test.for<[string, object, object, string]>([
    ['beyond a bound', { check_interval: 61 }, { monitor_type: 'http' }, '/check_interval'],
    ['a wrong type', { tags: 'a' }, { monitor_type: 'http' }, '/tags'],
    ['not as sent', { tags: ['a'] }, { tags: ['b'] }, 'tags came back as ["b"]'],
  ])('%s', ([, body, answer, told]) => {
    expect(liesOf(body, answer).join()).toContain(told);
  });

  test.for<[string, object, object]>([
    [
      'blank and null',
      { check_interval: '', tags: null, notification_settings: '' },
      { monitor_type: 'http', tags: [], notification_settings: null },
    ],
    ['a field of another type', { port: 'x', url: 'a' }, { monitor_type: 'ping' }],
    ['the same', { tags: ['a'] }, { monitor_type: 'http', tags: ['a'] }],
    ['unknown fields', { color: 1 }, { monitor_type: 'http' }],
    [
      'an empty list in place of settings',
      { notification_settings: [], keyword_settings: [] },
      { monitor_type: 'http', notification_settings: null, keyword_settings: null },
    ],
  ])('nothing: %s', ([, body, answer]) => {
    expect(liesOf(body, answer)).toEqual([]);
  });

  test.for<[query: [string, string][], told: string]>([
    [[['page', '0']], 'The parameter page was'],
    [[['page', 'x']], 'The parameter page was'],
    [[['sort', 'id']], 'The parameter sort was'],
    [
      [
        ['page', '1'],
        ['page', '2'],
      ],
      'given 2 times',
    ],
  ])('a query: %o', ([query, told]) => {
    expect(truth.liesOf(list, { query, body: undefined, answer: {} }).join()).toContain(told);
    const sound: [string, string][] = [
      ['page', '2'],
      ['q', ''],
      ['x', 'y'],
    ];
    expect(truth.liesOf(list, { query: sound, body: undefined, answer: {} })).toEqual([]);
  });
});

describe('answers of overviews against their rules', () => {
  const truth = truthOf(contract().document);
  const liesOf = (path: string, answer: object, query: [string, string][] = []) => {
    const found = contract().find({ method: 'GET', path: `/api/v1${path}` })!;
    return truth.liesOf(found, { query, body: undefined, answer });
  };
  const COUNTS = { online: 1, offline: 0, degraded: 0, pending: 0, paused: 1 };
  const summary = { monitors: 2, ...COUNTS, in_maintenance: 0 };
  const incident = { kind: 'incident', severity: 'critical', incident_id: 1 };
  const paused = { kind: 'paused', severity: 'info', incident_id: null };
  const attention = { summary, total: 2, data: [incident, paused] };
  const [soon, late] = [
    { type: 'ssl', expires_at: '2030-01-02T00:00:00.000Z', days_left: 1 },
    { type: 'domain', expires_at: '2030-02-02T00:00:00.000Z', days_left: 32 },
  ];
  const [bad, good] = [
    { uptime_percent: 99, downtime_seconds: 10 },
    { uptime_percent: null, downtime_seconds: 0 },
  ];
  const uptime = { monitors: 2, monitors_measured: 2, by_status: COUNTS, downtime_seconds: 10 };

  test.for<[path: string, answer: object, told: string, query?: [string, string][]]>([
    ['/attention', { ...attention, summary: { ...summary, paused: 2 } }, 'counts a monitor twice'],
    ['/attention', { ...attention, summary: { ...summary, in_maintenance: 3 } }, 'in maintenance'],
    ['/attention', { ...attention, data: [paused, incident] }, 'not ordered by severity'],
    ['/attention', { ...attention, data: [incident] }, 'Items miss'],
    ['/attention', attention, 'Items miss', [['limit', '1']]],
    [
      '/attention',
      { ...attention, data: [{ ...incident, incident_id: null }, paused] },
      'kind incident has incident null',
    ],
    ['/expirations', { data: [late, soon] }, 'Wrong order'],
    ['/expirations', { data: [soon, late] }, 'expires too late'],
    ['/uptime-summary', { ...uptime, monitors: 3, worst: [bad, good] }, 'counts otherwise'],
    ['/uptime-summary', { ...uptime, worst: [bad] }, 'Monitors miss'],
    ['/uptime-summary', { ...uptime, worst: [good, bad] }, 'do not come first'],
    ['/uptime-summary', { ...uptime, worst: [bad, bad] }, 'no sum'],
  ])('%s %o', ([path, answer, told, query]) => {
    expect(liesOf(path, answer, query).join()).toContain(told);
  });

  test('sound ones have none', () => {
    expect(liesOf('/attention', attention)).toEqual([]);
    expect(liesOf('/expirations', { data: [soon, late] }, [['within_days', '32']])).toEqual([]);
    expect(liesOf('/uptime-summary', { ...uptime, worst: [bad, good] })).toEqual([]);
    expect(liesOf('/uptime-summary', { ...uptime, worst: [bad] }, [['limit', '1']])).toEqual([]);
  });
});
