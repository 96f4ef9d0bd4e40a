import { describe, expect, it } from 'vitest';
import {
  at,
  client,
  expectRefused,
  expectStatus,
  freshApi,
  idsOf,
  ISO_TIME,
  MINUTE,
  SECOND,
  type Json,
  names,
} from './support.ts';

const { open, get, post, put, del, monitor, incident } = client();
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const KEYS = names(`
  id monitor_id type severity status root_cause started_at ended_at duration
  duration_seconds acknowledged_at acknowledged_by is_regional region monitor
  created_at updated_at
`).toSorted();

/** What `POST /incidents` requires. */
const required = (monitorId: number, fields: object = {}) => ({
  monitor_id: monitorId,
  started_at: at(-MINUTE),
  status: 'open',
  ...fields,
});

const fresh = async (fields: object = {}) => incident((await monitor()).id, fields);
const refuse = async (fields: object, ...faults: string[]) =>
  expectRefused(await post('/incidents', required((await monitor()).id, fields)), ...faults);

/** Incidents of a team of their own. */
function shelf() {
  const opened = freshApi();
  const calls = client(() => opened);
  return {
    ...calls,
    found: async (query: string, path = '/incidents') => idsOf(await calls.get(`${path}?${query}`)),
  };
}

describe('incidents', () => {
  it('POST /incidents creates one with what was supplied [21.1]', async () => {
    const { id } = await monitor();
    const answer = await post('/incidents', {
      monitor_id: id,
      started_at: '2029-12-31T23:00:00Z',
      status: 'open',
      root_cause: 'The cable was cut',
    });
    expectStatus(answer, 201);
    expect(answer.body).toMatchObject({
      monitor_id: id,
      status: 'open',
      root_cause: 'The cable was cut',
      started_at: '2029-12-31T23:00:00.000Z',
      ended_at: null,
    });
    expect((await get(`/incidents/${answer.body.id}`)).body).toMatchObject(answer.body);
  });

  it.each(['monitor_id', 'started_at', 'status'])('%s is required [21.2]', async (field) => {
    const whole: Record<string, unknown> = required((await monitor()).id);
    const { [field]: _omitted, ...rest } = whole;
    expectRefused(await post('/incidents', rest), field);
    expectRefused(await post('/incidents', { ...rest, [field]: null }), field);
  });

  it.each([
    ['monitor_id', 'x'],
    ['monitor_id', 1.5],
    ['monitor_id', '1'],
    ['started_at', 'yesterday'],
    ['started_at', 1_893_456_000],
    ['started_at', '2029-02-30T00:00:00Z'],
    ['status', 'closed'],
    ['status', 1],
    ['root_cause', 7],
  ])('%s must not be %j [21.3]', async (field, value) => refuse({ [field]: value }, field));

  it('all errors of a new incident are told at once [2.10]', async () => {
    expectRefused(
      await post('/incidents', { root_cause: [], started_at: 'x' }),
      'monitor_id',
      'root_cause',
      'started_at',
      'status',
    );
  });

  it('root_cause is optional [21.5]', async () => {
    expect((await fresh())['root_cause']).toBeNull();
    expect((await fresh({ root_cause: null }))['root_cause']).toBeNull();
    expect((await fresh({ root_cause: '' }))['root_cause']).toBeNull();
  });

  it('PUT changes status, root_cause or both [21.13]', async () => {
    const { id } = await fresh();
    const cause = await put(`/incidents/${id}`, { root_cause: 'First' });
    expect([cause.status, cause.body['root_cause'], cause.body['status']]).toEqual([
      200,
      'First',
      'open',
    ]);
    const status = await put(`/incidents/${id}`, { status: 'resolved' });
    expect([status.body['root_cause'], status.body['status']]).toEqual(['First', 'resolved']);
    const both = await put(`/incidents/${id}`, { status: 'open', root_cause: 'Second' });
    expect([both.body['root_cause'], both.body['status']]).toEqual(['Second', 'open']);
  });

  it.each([
    ['status', 'closed'],
    ['status', null],
    ['root_cause', 7],
  ])('PUT refuses %s %j [21.3]', async (field, value) => {
    const { id } = await fresh();
    expectRefused(await put(`/incidents/${id}`, { [field]: value }), field);
  });

  it('resolve sets ended_at and calculates duration [21.16]', async () => {
    const { clock } = await open();
    const { id } = await fresh({ started_at: new Date(clock.now() - 15 * MINUTE).toISOString() });
    const answer = await post(`/incidents/${id}/resolve`);
    expectStatus(answer, 200);
    expect(answer.body).toMatchObject({
      id,
      status: 'resolved',
      ended_at: new Date(clock.now()).toISOString(),
      duration: 15,
    });
  });

  it('DELETE takes the incident away [21.21]', async () => {
    const { id } = await fresh();
    const gone = await del(`/incidents/${id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expectStatus(await get(`/incidents/${id}`), 404);
    expectStatus(await del(`/incidents/${id}`), 404);
  });

  it('GET of one shows its monitor and its activities [21.22]', async () => {
    const { id, monitor_id } = await fresh();
    const { body } = await get(`/incidents/${id}`);
    expect(body['monitor']).toMatchObject({ id: monitor_id, url: 'https://example.com' });
    expect(body['activities']).toBeInstanceOf(Array);
  });

  it('the object has all its fields, on every route that answers one [21.23]', async () => {
    const made = await fresh();
    const path = `/incidents/${made.id}`;
    const listed = await get(`/incidents?monitor_id=${String(made['monitor_id'])}`);
    const shapes = [
      made,
      (await put(path, { root_cause: 'x' })).body,
      (await post(`${path}/acknowledge`)).body['incident'] as Json,
      (await post(`${path}/resolve`)).body,
      (listed.body['data'] as Json[])[0]!,
    ];
    for (const shape of shapes) expect(Object.keys(shape).toSorted()).toEqual(KEYS);
    expect(Object.keys((await get(path)).body).toSorted()).toEqual(
      [...KEYS, 'activities', 'evidence'].toSorted(),
    );
  });

  it('monitor is embedded with id, url and friendly_name, in lists too [21.24]', async () => {
    const { id } = await monitor('http', { friendly_name: 'Shop' });
    const made = await incident(id);
    const expected = { id, url: 'https://example.com', friendly_name: 'Shop' };
    expect(made['monitor']).toEqual(expected);
    const listed = await get(`/incidents?monitor_id=${id}`);
    expect((listed.body['data'] as Json[])[0]!['monitor']).toEqual(expected);
    expect((await get(`/incidents/${made.id}`)).body['monitor']).toEqual(expected);
  });

  it('activities are entries of id, type, description, user and created_at [21.25]', async () => {
    const { id } = await fresh();
    await post(`/incidents/${id}/acknowledge`);
    await post(`/incidents/${id}/resolve`);
    const activities = (await get(`/incidents/${id}`)).body['activities'] as Json[];
    expect(activities.length).toBeGreaterThanOrEqual(3);
    for (const activity of activities) {
      expect(Object.keys(activity).toSorted()).toEqual(
        ['id', 'type', 'description', 'user', 'created_at'].toSorted(),
      );
      expect(activity['description']).toMatch(/\w+ \w+/);
      expect(activity['created_at']).toMatch(ISO_TIME);
    }
  });

  it.each([
    [10 * SECOND, 1],
    [MINUTE, 1],
    [80 * SECOND, 1],
    [100 * SECOND, 2],
    [15 * MINUTE, 15],
    [15 * MINUTE + 20 * SECOND, 15],
    [15 * MINUTE + 40 * SECOND, 16],
    [26 * HOUR, 1560],
  ])(
    'duration is whole minutes, rounded, at least 1: %d ms are %d [21.26]',
    async (span, minutes) => {
      const made = await fresh({
        started_at: at(-DAY * 2),
        status: 'resolved',
        ended_at: at(span - DAY * 2),
      });
      expect([made['duration'], made['duration_seconds']]).toEqual([minutes, span / SECOND]);
    },
  );

  it('duration is null while it is open [21.26]', async () => {
    expect((await fresh())['duration']).toBeNull();
  });

  it('a resolved incident may be created with ended_at [21.9]', async () => {
    const made = await fresh({
      started_at: at(-2 * HOUR),
      status: 'resolved',
      ended_at: at(-HOUR),
    });
    expect(made).toMatchObject({ status: 'resolved', ended_at: at(-HOUR), duration: 60 });
  });

  it('ended_at must not lie before started_at [21.10]', async () => {
    await refuse({ status: 'resolved', ended_at: at(-MINUTE - 1) }, 'ended_at');
    const made = await fresh({ status: 'resolved', ended_at: at(-MINUTE) });
    expect(made['ended_at']).toBe(at(-MINUTE));
  });

  it('without ended_at a resolved one ends now, never before started_at [21.11]', async () => {
    expect(await fresh({ status: 'resolved' })).toMatchObject({ ended_at: at(0) });
    expect(await fresh({ status: 'resolved', started_at: at(3 * MINUTE) })).toMatchObject({
      started_at: at(3 * MINUTE),
      ended_at: at(3 * MINUTE),
    });
  });

  it('started_at may lie at most 5 minutes in the future [21.12]', async () => {
    expect((await fresh({ started_at: at(5 * MINUTE) }))['started_at']).toBe(at(5 * MINUTE));
    await refuse({ started_at: at(5 * MINUTE + SECOND) }, 'started_at');
  });

  it('PUT status open on a resolved one reopens it: ended_at and duration are null again [21.14]', async () => {
    const { id } = await fresh({ status: 'resolved' });
    const answer = await put(`/incidents/${id}`, { status: 'open' });
    expectStatus(answer, 200);
    expect(answer.body).toMatchObject({ status: 'open', ended_at: null, duration: null });
  });

  it('resolve is idempotent [21.17]', async () => {
    const { monitor: make, incident: trouble, open: opened, post: send } = shelf();
    const made = await trouble((await make()).id);
    const first = await send(`/incidents/${made.id}/resolve`);
    await (await opened()).clock.advance(MINUTE);
    const second = await send(`/incidents/${made.id}/resolve`);
    expectStatus(second, 200);
    expect(second.body).toEqual(first.body);
  });

  it('each change by hand moves updated_at on [21.20]', async () => {
    const { monitor: make, incident: trouble, open: opened, post: send, put: change } = shelf();
    const { clock } = await opened();
    const { id } = await trouble((await make()).id);
    const seen: unknown[] = [];
    for (const act of [
      () => change(`/incidents/${id}`, { root_cause: 'Found' }),
      () => send(`/incidents/${id}/acknowledge`),
      () => send(`/incidents/${id}/resolve`),
      () => change(`/incidents/${id}`, { status: 'open' }),
    ]) {
      await clock.advance(MINUTE);
      const { body } = await act();
      seen.push(((body['incident'] as Json | undefined) ?? body)['updated_at']);
    }
    expect(seen).toEqual([1, 2, 3, 4].map((minutes) => at(minutes * MINUTE)));
  });

  it('acknowledge answers success, message and incident [21.18]', async () => {
    const { alice } = await open();
    const { id } = await fresh();
    const answer = await post(`/incidents/${id}/acknowledge`);
    expectStatus(answer, 200);
    expect(answer.body).toEqual({
      success: true,
      message: expect.stringMatching(/\w+ \w+/),
      incident: expect.objectContaining({ id, acknowledged_at: at(0), status: 'open' }),
    });
    const shown = answer.body['incident'] as Json;
    expect(JSON.stringify(shown['acknowledged_by'])).toContain(String(alice.personId));
  });

  it('what was never acknowledged has acknowledged_at and acknowledged_by null [21.19]', async () => {
    expect(await fresh()).toMatchObject({ acknowledged_at: null, acknowledged_by: null });
  });

  it('an incident by hand is of type manual and critical when no severity is given [21.7]', async () => {
    expect(await fresh()).toMatchObject({
      type: 'manual',
      severity: 'critical',
      is_regional: false,
      region: null,
    });
  });

  it('it leaves the status of the monitor unchanged [21.7]', async () => {
    const { id } = await monitor();
    await incident(id);
    expect((await get(`/monitors/${id}`)).body['status']).toBe('pending');
  });

  it('several may be open on one monitor [21.8]', async () => {
    const { id } = await monitor();
    await incident(id);
    await incident(id);
    expect(idsOf(await get(`/monitors/${id}/incidents?status=open`))).toHaveLength(2);
    const third = await incident(id, { status: 'resolved' });
    expectStatus(await put(`/incidents/${third.id}`, { status: 'open' }), 200);
  });

  it.each(['critical', 'warning', 'info'])(
    'POST /incidents also takes severity %s [21.6]',
    async (severity) => {
      expect((await fresh({ severity }))['severity']).toBe(severity);
    },
  );

  it('another severity is refused [21.6]', async () => refuse({ severity: 'fatal' }, 'severity'));

  it('a monitor_id that is unknown or of another team is 422 [21.4]', async () => {
    const theirs = await monitor('http', {}, 'mallory');
    for (const id of [999_999, 0, theirs.id])
      expectRefused(await post('/incidents', required(id)), 'monitor_id');
  });
});
