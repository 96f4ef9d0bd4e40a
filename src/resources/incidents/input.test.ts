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

describe('bodies that are refused', () => {
  test.each<[object, Record<string, string>]>([
    [
      { monitor_id: undefined },
      { monitor_id: 'is required: give the id of a monitor of your team' },
    ],
    [{ monitor_id: null }, { monitor_id: 'is required: give the id of a monitor of your team' }],
    [{ monitor_id: '1' }, { monitor_id: AN_ID }],
    [{ monitor_id: 1.5 }, { monitor_id: AN_ID }],
    [{ monitor_id: 0 }, { monitor_id: AN_ID }],
    [{ monitor_id: 1e300 }, { monitor_id: AN_ID }],
    [{ monitor_id: 999_999 }, { monitor_id: 'must be the id of a monitor of your team' }],
    [
      { started_at: '' },
      { started_at: 'is required: give a date and time such as 2030-01-31T12:00:00Z' },
    ],
    [{ started_at: 1_893_456_000_000 }, { started_at: A_TIME }],
    [{ started_at: 'yesterday' }, { started_at: A_TIME }],
    [{ started_at: '2029-12-31' }, { started_at: A_TIME }],
    [{ started_at: '2029-02-29T12:00:00Z' }, { started_at: A_TIME }],
    [{ started_at: '2029-11-31T12:00:00Z' }, { started_at: A_TIME }],
    [{ started_at: '2029-00-10T12:00:00Z' }, { started_at: A_TIME }],
    [{ started_at: '2029-12-31T24:00:00Z' }, { started_at: A_TIME }],
    [{ started_at: '2029-12-31T23:60:00Z' }, { started_at: A_TIME }],
    [{ started_at: '2029-12-31T23:59:60Z' }, { started_at: A_TIME }],
    [{ started_at: '2029-12-31T23:59:00+24:00' }, { started_at: A_TIME }],
    [{ started_at: '2029-12-31T23:59:00 UTC' }, { started_at: A_TIME }],
    [{ started_at: '1969-12-31T23:59:59.999Z' }, { started_at: 'must not be before 1970' }],
    [{ started_at: '1970-01-01T00:00:00+01:00' }, { started_at: 'must not be before 1970' }],
    [{ started_at: '2030-01-01T00:05:00.001Z' }, { started_at: LATER }],
    [{ started_at: '9999-12-31T00:00:00Z' }, { started_at: LATER }],
    [{ status: null }, { status: 'is required: give one of open, resolved' }],
    [{ status: 'closed' }, { status: A_STATUS }],
    [{ severity: 'high' }, { severity: 'must be one of critical, warning, info' }],
    [{ root_cause: 5 }, { root_cause: 'must be text of 1 to 2000 characters' }],
    [{ root_cause: 'x'.repeat(2_001) }, { root_cause: 'must be text of 1 to 2000 characters' }],
    [{ root_cause: 'a\0b' }, { root_cause: 'must not hold a NUL character or half a character' }],
    [{ ended_at: NOW }, { ended_at: 'is for resolved incidents only: leave it out, or send null' }],
    [{ status: 'resolved', ended_at: 'x' }, { ended_at: A_TIME }],
    [{ status: 'resolved', ended_at: '2030-01-01T00:05:00.001Z' }, { ended_at: LATER }],
    [
      { status: 'resolved', ended_at: '2029-12-31T23:59:59.999Z' },
      { ended_at: 'must not be before started_at' },
    ],
    [
      {
        monitor_id: 999_999,
        started_at: 'x',
        status: 'x',
        severity: 'x',
        root_cause: 1,
        ended_at: 1,
      },
      {
        monitor_id: 'must be the id of a monitor of your team',
        started_at: A_TIME,
        status: A_STATUS,
        severity: 'must be one of critical, warning, info',
        root_cause: 'must be text of 1 to 2000 characters',
        ended_at: A_TIME,
      },
    ],
  ])('POST %j [2.10, 21.2, 21.3, 21.4, 21.6, 21.10, 21.12]', async (fields, errors) => {
    const api = await shared();
    const good = { monitor_id: await sharedMonitor(), started_at: NOW, status: 'open' };
    const { status, body } = await api.call(api.alice, 'POST', INCIDENTS, { ...good, ...fields });
    expect([status, body['errors']]).toEqual([422, sentences(errors)]);
  });

  test.each<[unknown, Record<string, string>]>([
    [{ status: null }, { status: A_STATUS }],
    [{ status: '' }, { status: A_STATUS }],
    [
      { status: 'closed', root_cause: [] },
      { status: A_STATUS, root_cause: 'must be text of 1 to 2000 characters' },
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
  test.each<[object, object]>([
    [{ started_at: '2029-12-31T23:00:00Z' }, { started_at: '2029-12-31T23:00:00.000Z' }],
    [{ started_at: '2029-12-31T23:00:00' }, { started_at: '2029-12-31T23:00:00.000Z' }],
    [{ started_at: '2029-12-31 23:00' }, { started_at: '2029-12-31T23:00:00.000Z' }],
    [
      { started_at: '2029-12-31T23:00:00.123456+02:00' },
      { started_at: '2029-12-31T21:00:00.123Z' },
    ],
    [{ started_at: '2029-12-31T20:00:00.5-0330' }, { started_at: '2029-12-31T23:30:00.500Z' }],
    [{ started_at: '2028-02-29t12:00:00z' }, { started_at: '2028-02-29T12:00:00.000Z' }],
    [{ started_at: '1970-01-01T00:00:00Z' }, { started_at: '1970-01-01T00:00:00.000Z' }],
    [{ started_at: '2030-01-01T00:05:00Z' }, { started_at: '2030-01-01T00:05:00.000Z' }],
    ...['critical', 'warning', 'info'].map((severity): [object, object] => [
      { severity },
      { severity },
    ]),
    [
      { severity: null, root_cause: '', ended_at: null, duration: 99, foo: 1 },
      { severity: 'critical', root_cause: null, duration: null },
    ],
    [{ root_cause: 'é'.repeat(2_000) }, { root_cause: 'é'.repeat(2_000) }],
    [
      { status: 'resolved', started_at: '2029-12-31T23:45:00Z' },
      { status: 'resolved', ended_at: NOW, duration: 15, duration_seconds: 900 },
    ],
    [
      { status: 'resolved', started_at: '2030-01-01T00:05:00Z' },
      { ended_at: '2030-01-01T00:05:00.000Z', duration: 1 },
    ],
    [
      { status: 'resolved', started_at: NOW, ended_at: NOW },
      { ended_at: NOW, duration: 1, duration_seconds: 0 },
    ],
    [
      { status: 'resolved', ended_at: '2030-01-01T00:05:00Z' },
      { ended_at: '2030-01-01T00:05:00.000Z', duration: 5 },
    ],
    ...(
      [
        [10, 1],
        [60, 1],
        [80, 1],
        [100, 2],
        [15 * 60 + 20, 15],
        [15 * 60 + 40, 16],
        [26 * 3600, 1560],
      ] as const
    ).map(([seconds, duration]): [object, object] => [
      { status: 'resolved', started_at: new Date(Date.parse(NOW) - seconds * 1000).toISOString() },
      { ended_at: NOW, duration, duration_seconds: seconds },
    ]),
  ])(
    'POST %j [1.14, 1.17, 21.1, 21.5, 21.6, 21.9, 21.10, 21.11, 21.12, 21.26]',
    async (fields, expected) => {
      const api = await shared();
      expect(await report(api, fields)).toMatchObject(expected);
    },
  );

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
