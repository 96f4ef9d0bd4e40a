import { describe, expect, it } from 'vitest';
import { changeSpans } from '../../src/store/engine/spans.ts';
import {
  at,
  client,
  expectRefused,
  expectStatus,
  freshApi,
  ISO_TIME,
  MINUTE,
  NOW,
  type Json,
} from '../support/client.ts';
import { insertRows } from '../support/rows.ts';

const { get, post, put, del, monitor, open } = client();
const WINDOWS = '/maintenance-windows';
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const COLUMNS = {
  name: 'Planned work',
  starts_at: NOW + HOUR,
  ends_at: NOW + 2 * HOUR,
  rrule: null,
  timezone: 'UTC',
  monitors: '[]',
  groups: '[]',
  tags: '["of nobody"]',
  good_rounds: null,
  created_at: NOW,
  updated_at: NOW,
};

/** From the first to the second, so long after the time at which the tests stand; for monitors that no test has. */
const fields = (from: number, to: number, more: object = {}) => ({
  name: 'Planned work',
  starts_at: at(from),
  ends_at: at(to),
  tags: ['of nobody'],
  ...more,
});

async function planned(from: number, to: number, more: object = {}): Promise<Json> {
  const answer = await post(WINDOWS, fields(from, to, more));
  expectStatus(answer, 201);
  return answer.body;
}

/** A monitor that was online for two hours, and offline for the last one before now. */
async function failing(): Promise<Json> {
  const { database, alice } = await open();
  const made = await monitor();
  await database.transaction(async (tx) => {
    const of = { monitorId: made.id, teamId: alice.teamId };
    await changeSpans(tx, [
      { ...of, status: 'online', at: NOW - 3 * HOUR },
      { ...of, status: 'offline', at: NOW - HOUR },
    ]);
    await tx
      .updateTable('monitor_state')
      .set({ observed_until: NOW })
      .where('monitor_id', '=', made.id)
      .execute();
    await tx
      .updateTable('monitor')
      .set({ created_at: NOW - 3 * HOUR })
      .where('id', '=', made.id)
      .execute();
  });
  return made;
}

const uptimeOf = async (id: number) =>
  (await get(`/monitors/${id}/uptime?from=${at(-3 * HOUR)}&to=${at(0)}`)).body;

const excluded = async ({ id }: Json) => (await uptimeOf(id))['excluded_seconds'];

describe('maintenance windows', () => {
  it('the list has pages, what is to come before what is over, or sorted [27.1]', async () => {
    const opened = freshApi();
    const { database, alice } = await opened;
    const { get: list, post: create } = client(() => opened);
    const over = { ...COLUMNS, name: 'Over', team_id: alice.teamId };
    await insertRows(database, 'maintenance_window', over);
    for (const [name, from] of [
      ['Soon', HOUR],
      ['Later', 2 * HOUR],
    ] as const) {
      await create(WINDOWS, fields(from, 3 * HOUR, { name }));
    }
    const names = async (query: string) =>
      ((await list(`${WINDOWS}?${query}`)).body['data'] as Json[]).map(({ name }) => name);
    expect(await names('')).toEqual(['Later', 'Soon', 'Over']);
    expect(await names('per_page=2&page=2')).toEqual(['Over']);
    expect(await names('sort=name')).toEqual(['Later', 'Over', 'Soon']);
    expect(await names('sort=starts_at&direction=desc')).toEqual(['Later', 'Soon', 'Over']);
    expectStatus(await list(`${WINDOWS}?sort=ends`), 422);
  });

  it('a team has room for so many that are to come, and no more [27.2]', async () => {
    const opened = freshApi();
    const { database, alice } = await opened;
    const { post: create } = client(() => opened);
    const over = { ...COLUMNS, team_id: alice.teamId };
    const scheduled = Array.from({ length: 499 }, () => ({ ...over, next_at: NOW + HOUR }));
    // Those that are over take no room.
    await insertRows(database, 'maintenance_window', [...scheduled, over]);
    expectStatus(await create(WINDOWS, fields(HOUR, 2 * HOUR)), 201);
    expectRefused(await create(WINDOWS, fields(HOUR, 2 * HOUR)), 'maintenance_windows');
    expectRefused(await create(`${WINDOWS}/start`, {}), 'maintenance_windows');
    expectStatus(await create(WINDOWS, fields(HOUR, 2 * HOUR), 'mallory'), 201);
  });

  it('one that comes once has a name, starts_at and ends_at [27.3]', async () => {
    const made = await planned(HOUR, 2 * HOUR);
    expect(made).toEqual({
      id: expect.any(Number),
      name: 'Planned work',
      description: null,
      starts_at: at(HOUR),
      ends_at: at(2 * HOUR),
      rrule: null,
      timezone: 'UTC',
      monitors: [],
      groups: [],
      tags: ['of nobody'],
      good_rounds: null,
      announce: true,
      monitors_covered: 0,
      warnings: [expect.any(String)],
      status: 'scheduled',
      active_until: null,
      next_starts_at: at(HOUR),
      next_ends_at: at(2 * HOUR),
      created_at: expect.stringMatching(ISO_TIME),
      updated_at: expect.stringMatching(ISO_TIME),
    });
    expect((await get(`${WINDOWS}/${made.id}`)).body).toEqual(made);
    expectStatus(await get(`${WINDOWS}/${made.id}`, 'mallory'), 404);
  });

  it('one that recurs has an rrule and an IANA zone [27.4]', async () => {
    const recurring = { rrule: 'FREQ=DAILY;COUNT=9', timezone: 'Europe/Berlin' };
    expect(await planned(-HOUR, HOUR, recurring)).toMatchObject({
      ...recurring,
      status: 'active',
      active_until: at(HOUR),
      next_starts_at: at(DAY - HOUR),
      next_ends_at: at(DAY + HOUR),
    });
    expect(await planned(-3 * DAY, HOUR - 3 * DAY, { rrule: 'FREQ=DAILY;COUNT=2' })).toMatchObject({
      status: 'over',
      next_starts_at: null,
    });
  });

  it.each([
    ['2030-02-01T12:00', 'Europe/Berlin', '2030-02-01T11:00:00.000Z'],
    ['2030-02-01 12:00:30', 'America/New_York', '2030-02-01T17:00:30.000Z'],
    ['2030-02-01T12:00+05:30', 'Europe/Berlin', '2030-02-01T06:30:00.000Z'],
    ['2030-02-01T12:00', undefined, '2030-02-01T12:00:00.000Z'],
    ['2030-02-01T12:00', null, '2030-02-01T12:00:00.000Z'],
    // Skipped by summer time: later by the hour that is missing.
    ['2030-03-31T02:30', 'Europe/Berlin', '2030-03-31T01:30:00.000Z'],
    // Repeated at its end: the first of the two.
    ['2030-10-27T02:30', 'Europe/Berlin', '2030-10-27T00:30:00.000Z'],
  ])('%s in %s is %s [27.7]', async (time, timezone, instant) => {
    const ends = new Date(Date.parse(instant) + HOUR).toISOString();
    const made = await planned(HOUR, 2 * HOUR, { starts_at: time, ends_at: ends, timezone });
    expect(made).toMatchObject({ starts_at: instant });
  });

  it('a change reads its times in the stored timezone [27.7]', async () => {
    const { id } = await planned(HOUR, 2 * HOUR, { timezone: 'Europe/Berlin' });
    const changed = { starts_at: '2030-02-01T12:00', ends_at: '2030-02-01T13:00' };
    expect((await put(`${WINDOWS}/${id}`, changed)).body).toMatchObject({
      starts_at: '2030-02-01T11:00:00.000Z',
      ends_at: '2030-02-01T12:00:00.000Z',
    });
    const moved = await put(`${WINDOWS}/${id}`, { ...changed, timezone: 'Asia/Tokyo' });
    expect(moved.body).toMatchObject({ starts_at: '2030-02-01T03:00:00.000Z' });
    const unknown = await put(`${WINDOWS}/${id}`, { ...changed, timezone: 'Nowhere' });
    expect([unknown.status, Object.keys(unknown.body['errors'] as object)]).toEqual([
      422,
      ['timezone'],
    ]);
  });

  it('answers tell how many monitors are covered, and warn of none [27.28]', async () => {
    const none = await planned(HOUR, 2 * HOUR, { tags: ['covered', 'typo'] });
    const warnings = [expect.stringMatching(/covers no monitor/)];
    expect(none).toMatchObject({ monitors_covered: 0, warnings });
    const made = await monitor('http', { tags: ['covered'] });
    await post(`/monitors/${made.id}/pause`);
    const path = `${WINDOWS}/${none['id'] as number}`;
    expect((await get(path)).body).toMatchObject({ monitors_covered: 1, warnings: [] });
    const listed = (await get(`${WINDOWS}?per_page=100`)).body['data'] as Json[];
    expect(listed.find(({ id }) => id === none['id'])).toMatchObject({ monitors_covered: 1 });
    const changed = await put(path, { tags: ['typo'] });
    expect(changed.body).toMatchObject({ monitors_covered: 0, warnings });
    const started = await post(`${WINDOWS}/start`, { monitors: [made.id], tags: ['covered'] });
    expect(started.body).toMatchObject({ monitors_covered: 1, warnings: [] });
    const all = await planned(HOUR, 2 * HOUR, { tags: [] });
    const { total } = (await get('/monitors')).body;
    expect(all).toMatchObject({ monitors_covered: total });
  });

  it('it is for monitors, groups or tags of the team [27.8]', async () => {
    const { id } = await monitor();
    const group = await post('/groups', { name: 'Maintained' });
    const scope = { monitors: [id], groups: [group.body.id], tags: ['shop'] };
    expect(await planned(HOUR, 2 * HOUR, scope)).toMatchObject(scope);
    const theirs = await monitor('http', {}, 'mallory');
    const wrong = { monitors: [id, theirs.id], groups: [999_999], tags: [''] };
    const refused = await post(WINDOWS, fields(HOUR, 2 * HOUR, wrong));
    expectRefused(refused, 'monitors.1', 'groups.0', 'tags.0');
  });

  it('what is missing or wrong is refused [27.11, 27.12]', async () => {
    const empty = await post(WINDOWS, {});
    expectRefused(empty, 'name', 'starts_at', 'ends_at');
    const wrong: [number, number, object, string][] = [
      [HOUR, HOUR, {}, 'ends_at'],
      [0, 31 * DAY + 1, {}, 'ends_at'],
      [-90 * DAY - 1, -90 * DAY, {}, 'starts_at'],
      [0, HOUR, { starts_at: 'tomorrow' }, 'starts_at'],
      [0, HOUR, { rrule: 'FREQ=HOURLY' }, 'rrule'],
      [0, HOUR, { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }, 'rrule'],
      [0, HOUR, { rrule: 'FREQ=DAILY;UNTIL=20200101' }, 'rrule'],
      [0, HOUR, { timezone: 'Mars/Phobos' }, 'timezone'],
    ];
    for (const [from, to, more, field] of wrong)
      expectRefused(await post(WINDOWS, fields(from, to, more)), field);
  });

  it('a change replaces what is present [27.13]', async () => {
    const made = await planned(HOUR, 2 * HOUR, { tags: ['shop'], good_rounds: 3 });
    const path = `${WINDOWS}/${made.id}`;
    const longer = await put(path, { ends_at: at(3 * HOUR), good_rounds: null });
    expectStatus(longer, 200);
    expect(longer.body).toMatchObject({
      name: 'Planned work',
      tags: ['shop'],
      good_rounds: null,
      next_ends_at: at(3 * HOUR),
    });
    expectRefused(await put(path, { name: null }), 'name');
    expectRefused(await put(path, { ends_at: at(0) }), 'ends_at');
    const gone = await monitor();
    expectStatus(await put(path, { monitors: [gone.id] }), 200);
    await del(`/monitors/${gone.id}`);
    const sent = await put(path, (await get(path)).body);
    expect([sent.status, sent.body['monitors']]).toEqual([200, [gone.id]]);
  });

  it('one call starts maintenance with a hard end [27.15]', async () => {
    const short = await post(`${WINDOWS}/start`, { minutes: 20, tags: ['shop'] });
    expect(short.body).toMatchObject({
      status: 'active',
      starts_at: at(0),
      active_until: at(20 * MINUTE),
      tags: ['shop'],
      good_rounds: 5,
    });
    const plain = await post(`${WINDOWS}/start`);
    expect(plain.body).toMatchObject({ active_until: at(HOUR), monitors: [] });
    const byTime = await post(`${WINDOWS}/start`, { good_rounds: null });
    expect(byTime.body['good_rounds']).toBeNull();
    const wrong = { minutes: 1_441, good_rounds: 101, monitors: [0] };
    const refused = await post(`${WINDOWS}/start`, wrong);
    expectRefused(refused, 'minutes', 'good_rounds', 'monitors.0');
  });

  it('one call ends what runs, and nothing else [27.18]', async () => {
    const once = await post(`${WINDOWS}/start`, { minutes: 20 });
    const ended = await post(`${WINDOWS}/${once.body.id}/end`);
    expect(ended.body).toMatchObject({ status: 'over', active_until: null });
    expectStatus(await post(`${WINDOWS}/${once.body.id}/end`), 409);
    const daily = await planned(-HOUR, HOUR, { rrule: 'FREQ=DAILY' });
    expect((await post(`${WINDOWS}/${daily.id}/end`)).body).toMatchObject({
      status: 'scheduled',
      next_starts_at: at(DAY - HOUR),
    });
  });

  it('downtime inside is excluded from uptime and shown apart [27.23]', async () => {
    const { id } = await failing();
    expect(await uptimeOf(id)).toMatchObject({ down_seconds: 3_600, excluded_seconds: 0 });
    await planned(-30 * MINUTE, 30 * MINUTE, { monitors: [id] });
    expect(await uptimeOf(id)).toMatchObject({
      up_seconds: 7_200,
      down_seconds: 1_800,
      excluded_seconds: 1_800,
      uptime_percent: 80,
      incidents: 1,
    });
    await planned(-HOUR, -15 * MINUTE, { monitors: [id] });
    expect(await uptimeOf(id)).toMatchObject({
      down_seconds: 0,
      excluded_seconds: 3_600,
      uptime_percent: 100,
      incidents: 0,
    });
  });

  it('a group means its subgroups, and a tag every monitor that has it [27.9]', async () => {
    const parent = await post('/groups', { name: 'Above' });
    const child = await post('/groups', { name: 'Below', parent_id: parent.body.id });
    const [inGroup, tagged, other] = [await failing(), await failing(), await failing()];
    await put(`/monitors/${inGroup.id}`, { group_id: child.body.id });
    await put(`/monitors/${tagged.id}`, { tags: ['old', 'shop-1'] });
    await planned(-HOUR, HOUR, { groups: [parent.body.id], tags: ['shop-1', 'shop-2'] });
    expect([await excluded(inGroup), await excluded(tagged), await excluded(other)]).toEqual([
      3_600, 3_600, 0,
    ]);
  });

  it('a tag means the monitors that have it now, also for the past [27.10]', async () => {
    const { id } = await failing();
    await put(`/monitors/${id}`, { tags: ['moved'] });
    await planned(-HOUR, HOUR, { tags: ['moved'] });
    expect(await excluded({ id })).toBe(3_600);
    await put(`/monitors/${id}`, { tags: [] });
    expect(await excluded({ id })).toBe(0);
  });

  it('what has passed stays excluded when a window is changed or deleted [27.24]', async () => {
    const { id } = await failing();
    const window = await planned(-HOUR, HOUR, { monitors: [id] });
    const path = `${WINDOWS}/${window.id}`;
    await put(path, { starts_at: at(HOUR), ends_at: at(2 * HOUR) });
    expect(await uptimeOf(id)).toMatchObject({ excluded_seconds: 3_600 });
    await del(path);
    expect(await uptimeOf(id)).toMatchObject({ excluded_seconds: 3_600 });
  });

  it('one that recurs changes from the change on [27.25]', async () => {
    const { id } = await failing();
    const recurring = { monitors: [id], rrule: 'FREQ=DAILY' };
    const window = await planned(-DAY - HOUR, -DAY - HOUR / 2, recurring);
    expect(await uptimeOf(id)).toMatchObject({ excluded_seconds: 1_800 });
    const changed = await put(`${WINDOWS}/${window.id}`, { ends_at: at(-DAY + HOUR) });
    expect(changed.body).toMatchObject({ status: 'active', active_until: at(HOUR) });
    expect(await uptimeOf(id)).toMatchObject({ excluded_seconds: 1_800 });
  });
});
