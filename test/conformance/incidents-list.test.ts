import { describe, expect, it } from 'vitest';
import { at, client, expectRefused, expectStatus, freshApi, idsOf, MINUTE } from './support.ts';

const { get, monitor } = client();
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What `POST /incidents` requires. */
const required = (monitorId: number, fields: object = {}) => ({
  monitor_id: monitorId,
  started_at: at(-MINUTE),
  status: 'open',
  ...fields,
});

/** Incidents of a team of their own. */
function shelf() {
  const opened = freshApi();
  const calls = client(() => opened);
  return {
    ...calls,
    found: async (query: string, path = '/incidents') => idsOf(await calls.get(`${path}?${query}`)),
  };
}

describe('lists of incidents', () => {
  it('the list is filtered by monitor_id [4.26]', async () => {
    const { monitor: make, incident: trouble, found } = shelf();
    const [one, other] = [(await make()).id, (await make()).id];
    const [first, second] = [(await trouble(one)).id, (await trouble(other)).id];
    expect(await found(`monitor_id=${one}`)).toEqual([first]);
    expect(await found(`monitor_id=${other}`)).toEqual([second]);
    expect(await found('monitor_id=999999')).toEqual([]);
  });

  it('the list is filtered by status [4.27]', async () => {
    const { monitor: make, incident: trouble, found } = shelf();
    const { id } = await make();
    const [first, second] = [await trouble(id), await trouble(id, { status: 'resolved' })];
    expect(await found('status=open')).toEqual([first.id]);
    expect(await found('status=resolved')).toEqual([second.id]);
  });

  it('the list holds the incidents of the team and no others [21.27]', async () => {
    const { post: send, monitor: make, incident: trouble, found, get: read } = shelf();
    const ours = await trouble((await make()).id);
    const theirs = await make('http', {}, 'mallory');
    expectStatus(await send('/incidents', required(theirs.id), 'mallory'), 201);
    expect(await found('')).toEqual([ours.id]);
    expect((await read('/incidents', 'mallory')).body['total']).toBe(1);
  });

  it.each([
    ['started_at', 0],
    ['ended_at', 1],
    ['duration', 2],
    ['status', 3],
  ])('the list is sorted by %s [4.14]', async (sort, which) => {
    const { monitor: make, incident: trouble, found } = shelf();
    const { id } = await make();
    const span = (start: number, end: number | null) =>
      trouble(id, {
        started_at: at(start * HOUR),
        ...(end === null ? { status: 'open' } : { status: 'resolved', ended_at: at(end * HOUR) }),
      });
    const [a, b, c] = [await span(-9, -1), await span(-3, -2), await span(-6, null)];
    const ascending = [
      [a.id, c.id, b.id],
      [b.id, a.id, c.id],
      [b.id, a.id, c.id],
      [c.id, a.id, b.id],
    ][which]!;
    const answered = await found(`sort=${sort}&direction=asc`);
    expect(answered).toEqual(ascending);
  });

  it('GET /monitors/{id}/incidents lists those of that monitor, by the same filters [21.28]', async () => {
    const { monitor: make, incident: trouble, found } = shelf();
    const [one, other] = [(await make()).id, (await make()).id];
    const first = await trouble(one, { started_at: at(-3 * DAY) });
    const second = await trouble(one, { status: 'resolved', severity: 'info' });
    await trouble(other);
    const path = `/monitors/${one}/incidents`;
    expect(await found('', path)).toEqual([second.id, first.id]);
    expect(await found('status=open', path)).toEqual([first.id]);
    expect(await found('severity=info', path)).toEqual([second.id]);
    expect(await found('type=uptime', path)).toEqual([]);
    expect(await found('end_date=2029-12-30', path)).toEqual([first.id]);
    expect(await found('sort=started_at', path)).toEqual([first.id, second.id]);
  });

  it('the list is in the envelope of all lists [4.1]', async () => {
    expect((await get('/incidents')).body).toMatchObject({
      data: expect.any(Array),
      current_page: 1,
      per_page: 20,
      path: 'https://up.example.com/api/v1/incidents',
    });
  });

  it('without sort the newest started_at comes first; direction turns it [4.15]', async () => {
    const { monitor: make, incident: trouble, found } = shelf();
    const { id } = await make();
    const ids: number[] = [];
    for (const start of [-2, -9, -1])
      ids.push((await trouble(id, { started_at: at(start * HOUR) })).id);
    const [b, a, c] = ids;
    expect(await found('')).toEqual([c, b, a]);
    expect(await found('direction=asc')).toEqual([a, b, c]);
    expect(await found('direction=desc')).toEqual([c, b, a]);
  });

  it('an explicit sort without direction is ascending [4.16]', async () => {
    const { monitor: make, incident: trouble, found } = shelf();
    const { id } = await make();
    const [late, early] = [await trouble(id), await trouble(id, { started_at: at(-HOUR) })];
    expect(await found('sort=started_at')).toEqual([early.id, late.id]);
  });

  it('incidents without an end come last, whichever way [4.19]', async () => {
    const { monitor: make, incident: trouble, found } = shelf();
    const { id } = await make();
    const [still, ended] = [await trouble(id), await trouble(id, { status: 'resolved' })];
    for (const sort of ['ended_at', 'duration']) {
      for (const direction of ['asc', 'desc'])
        expect(await found(`sort=${sort}&direction=${direction}`)).toEqual([ended.id, still.id]);
    }
  });

  it('the list is filtered by type and by severity [4.28]', async () => {
    const { monitor: make, incident: trouble, found } = shelf();
    const { id } = await make();
    const [warning] = [await trouble(id, { severity: 'warning' }), await trouble(id)];
    expect(await found('severity=warning')).toEqual([warning!.id]);
    expect(await found('type=manual')).toHaveLength(2);
    expect(await found('type=uptime')).toEqual([]);
  });

  it('start_date and end_date are whole UTC days, both inclusive [4.29]', async () => {
    const { monitor: make, incident: trouble, found } = shelf();
    const { id } = await make();
    const ids: number[] = [];
    for (const time of [
      '2029-12-09T23:59:59.999Z',
      '2029-12-10T00:00:00.000Z',
      '2029-12-11T23:59:59.999Z',
      '2029-12-12T00:00:00.000Z',
    ])
      ids.push((await trouble(id, { started_at: time })).id);
    const [before, first, last, after] = ids;
    expect(await found('sort=started_at&start_date=2029-12-10&end_date=2029-12-11')).toEqual([
      first,
      last,
    ]);
    expect(await found('sort=started_at&start_date=2029-12-10')).toEqual([first, last, after]);
    expect(await found('sort=started_at&end_date=2029-12-11')).toEqual([before, first, last]);
    expect(await found('start_date=2029-12-12&end_date=2029-12-12')).toEqual([after]);
  });

  it('an unknown filter value, sort or direction is 422 on that parameter [4.30]', async () => {
    const { id } = await monitor();
    for (const path of ['/incidents', `/monitors/${id}/incidents`]) {
      for (const [parameter, value] of [
        ['status', 'closed'],
        ['type', 'fire'],
        ['severity', 'fatal'],
        ['sort', 'root_cause'],
        ['direction', 'up'],
        ['start_date', 'yesterday'],
        ['end_date', '2029-02-30'],
      ])
        expectRefused(await get(`${path}?${parameter}=${value}`), parameter!);
    }
    expectRefused(await get('/incidents?monitor_id=x'), 'monitor_id');
  });
});
