import { describe, expect, test } from 'vitest';
import { sentences, sharedApi, type Json, type TestApi } from '../../../test/support/api.ts';

const INCIDENTS = '/api/v1/incidents';
/** What the clock of the tests shows. */
const NOW = '2030-01-01T00:00:00.000Z';

async function report(api: TestApi, fields: object): Promise<Json> {
  const body = { monitor_id: await sharedMonitor(), started_at: NOW, status: 'open', ...fields };
  const answer = await api.call(api.alice, 'POST', INCIDENTS, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

const shared = sharedApi();
let monitorId: Promise<number> | null = null;

/** A monitor for all inputs of the tables. */
function sharedMonitor(): Promise<number> {
  return (monitorId ??= shared().then(async (api) => (await api.create()).id));
}

const A_TIME = 'must be a date and time such as 2030-01-31T12:00:00Z';
const AN_ID = 'must be a whole number, the id of a monitor of your team';
const A_STATUS = 'must be one of open, resolved';
const LATER = 'must not be more than 5 minutes in the future';
const A_TEXT = 'must be text of 1 to 2000 characters';
const EARLY = '1970-01-01T00:00:00+01:00';
const NO_TIMES = [
  '2029-02-29T12:00:00Z',
  '2029-11-31T12:00:00Z',
  '2029-00-10T12:00:00Z',
  '2029-12-31T24:00:00Z',
  '2029-12-31T23:60:00Z',
  '2029-12-31T23:59:60Z',
  '2029-12-31T23:59:00+24:00',
  '2029-12-31T23:59:00 UTC',
];

/** Status and errors of a new incident with these fields. */
async function refusal(fields: object) {
  const { call, alice } = await shared();
  const good = { monitor_id: await sharedMonitor(), started_at: NOW, status: 'open' };
  const { status, body } = await call(alice, 'POST', INCIDENTS, { ...good, ...fields });
  return [status, body['errors']];
}

describe('bodies that are refused', () => {
  test.each<[string, string, unknown[]]>([
    ['monitor_id', 'is required: give the id of a monitor of your team', [undefined, null]],
    ['monitor_id', AN_ID, ['1', 1.5, 0, 1e300]],
    ['monitor_id', 'must be the id of a monitor of your team', [999_999]],
    ['started_at', 'is required: give a date and time such as 2030-01-31T12:00:00Z', ['']],
    ['started_at', A_TIME, [1_893_456_000_000, 'yesterday', '2029-12-31', ...NO_TIMES]],
    ['started_at', 'must not be before 1970', ['1969-12-31T23:59:59.999Z', EARLY]],
    ['started_at', LATER, ['2030-01-01T00:05:00.001Z', '9999-12-31T00:00:00Z']],
    ['status', 'is required: give one of open, resolved', [undefined]],
    ['status', A_STATUS, ['closed', null]],
    ['severity', 'must be one of critical, warning, info', ['high']],
    ['root_cause', A_TEXT, [5, 'x'.repeat(2_001)]],
    ['root_cause', 'must not hold a NUL character or half a character', ['a\0b']],
    ['ended_at', 'is for resolved incidents only: leave it out, or send null', [NOW]],
  ])('POST, %s %s: %j [21.2, 21.3, 21.4, 21.6, 21.12]', async (field, fault, values) => {
    for (const value of values)
      expect(await refusal({ [field]: value })).toEqual([422, sentences({ [field]: fault })]);
  });

  test.each([
    ['x', A_TIME],
    ['2030-01-01T00:05:00.001Z', LATER],
    ['2029-12-31T23:59:59.999Z', 'must not be before started_at'],
  ])('POST resolved, ended_at %j %s [21.10]', async (ended_at, fault) => {
    const answer = await refusal({ status: 'resolved', ended_at });
    expect(answer).toEqual([422, sentences({ ended_at: fault })]);
  });

  test('POST, all that is wrong [2.10]', async () => {
    const texts = { started_at: 'x', status: 'x', severity: 'x' };
    const errors = {
      monitor_id: 'must be the id of a monitor of your team',
      started_at: A_TIME,
      status: A_STATUS,
      severity: 'must be one of critical, warning, info',
      root_cause: A_TEXT,
      ended_at: A_TIME,
    };
    const answer = await refusal({ monitor_id: 999_999, ...texts, root_cause: 1, ended_at: 1 });
    expect(answer).toEqual([422, sentences(errors)]);
  });

  test.each<[unknown, Record<string, string>]>([
    [{ status: null }, { status: A_STATUS }],
    [{ status: '' }, { status: A_STATUS }],
    [
      { status: 'closed', root_cause: [] },
      { status: A_STATUS, root_cause: A_TEXT },
    ],
    ['[]', { body: 'must be a JSON object: names and values in braces' }],
  ])('PUT %j [2.10, 21.3]', async (sent, errors) => {
    const api = await shared();
    const { id } = await report(api, {});
    const { status, body } = await api.call(api.alice, 'PUT', `${INCIDENTS}/${id}`, sent);
    expect([status, body['errors']]).toEqual([422, sentences(errors)]);
    const after = await api.call(api.alice, 'GET', `${INCIDENTS}/${id}`);
    expect(after.body['activities']).toHaveLength(1);
  });

  test("another team's monitor and a deleted one are no monitors [21.4]", async () => {
    const api = await shared();
    const theirs = await api.create({}, api.mallory);
    const gone = await api.create();
    await api.call(api.alice, 'DELETE', `/api/v1/monitors/${gone.id}`);
    for (const { id } of [theirs, gone]) {
      const body = { monitor_id: id, started_at: NOW, status: 'open' };
      const answer = await api.call(api.alice, 'POST', INCIDENTS, body);
      expect([answer.status, answer.body['message']]).toEqual([
        422,
        'monitor_id must be the id of a monitor of your team.',
      ]);
    }
  });
});

describe('bodies that are accepted', () => {
  test.each([
    ['2029-12-31T23:00:00Z', '2029-12-31T23:00:00.000Z'],
    ['2029-12-31T23:00:00', '2029-12-31T23:00:00.000Z'],
    ['2029-12-31 23:00', '2029-12-31T23:00:00.000Z'],
    ['2029-12-31T23:00:00.123456+02:00', '2029-12-31T21:00:00.123Z'],
    ['2029-12-31T20:00:00.5-0330', '2029-12-31T23:30:00.500Z'],
    ['2028-02-29t12:00:00z', '2028-02-29T12:00:00.000Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['2030-01-01T00:05:00Z', '2030-01-01T00:05:00.000Z'],
  ])('POST, started_at %s is %s [21.1]', async (sent, started_at) => {
    expect(await report(await shared(), { started_at: sent })).toMatchObject({ started_at });
  });

  test.each(['critical', 'warning', 'info'])('POST, severity %s [21.6]', async (severity) => {
    expect(await report(await shared(), { severity })).toMatchObject({ severity });
  });

  const EMPTY = { severity: null, root_cause: '', ended_at: null, duration: 99, foo: 1 };
  const AHEAD = '2030-01-01T00:05:00.000Z';
  test.each<[object, object]>([
    [EMPTY, { severity: 'critical', root_cause: null, duration: null }],
    [{ root_cause: 'é'.repeat(2_000) }, { root_cause: 'é'.repeat(2_000) }],
    [
      { status: 'resolved', started_at: AHEAD },
      { ended_at: AHEAD, duration: 1 },
    ],
    [
      { status: 'resolved', ended_at: NOW },
      { ended_at: NOW, duration: 1, duration_seconds: 0 },
    ],
    [
      { status: 'resolved', ended_at: AHEAD },
      { ended_at: AHEAD, duration: 5 },
    ],
  ])('POST %j [1.14, 1.17, 21.5, 21.9, 21.11, 21.12]', async (fields, expected) => {
    expect(await report(await shared(), fields)).toMatchObject(expected);
  });

  test.each([
    [10, 1],
    [60, 1],
    [80, 1],
    [100, 2],
    [15 * 60, 15],
    [15 * 60 + 20, 15],
    [15 * 60 + 40, 16],
    [26 * 3600, 1560],
  ])('POST, resolved after %i seconds is %i minutes [21.11, 21.26]', async (seconds, duration) => {
    const started_at = new Date(Date.parse(NOW) - seconds * 1000).toISOString();
    const answer = await report(await shared(), { status: 'resolved', started_at });
    const ended = { status: 'resolved', ended_at: NOW, duration, duration_seconds: seconds };
    expect(answer).toMatchObject(ended);
  });

  test('actions come with no body, with an empty one, and with any [1.7]', async () => {
    const api = await shared();
    for (const action of ['resolve', 'acknowledge']) {
      for (const body of [undefined, '', {}, { foo: 1 }]) {
        const { id } = await report(api, {});
        const answer = await api.call(api.alice, 'POST', `${INCIDENTS}/${id}/${action}`, body);
        expect(answer.status).toBe(200);
      }
    }
  });
});
