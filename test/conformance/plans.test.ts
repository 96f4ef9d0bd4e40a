import { describe, expect, it } from 'vitest';
import { giveSession } from '../support/people.ts';
import { givePlan, TEST_PLANS } from '../support/plans.ts';
import {
  ASSERTIONS,
  client,
  expectRefused,
  expectStatus,
  freshApi,
  KEYWORDS,
  PULL_TYPES,
  REQUIRED,
  TYPES,
  type Answer,
} from './support.ts';

/** A team on a plan of TEST_PLANS; the default includes everything. */
function teamOn(plan: string | null, rest: object = {}) {
  const opened = freshApi({ plans: TEST_PLANS, ...rest }).then(async (api) => {
    await givePlan(api, plan);
    return api;
  });
  return { ...client(() => opened), opened };
}

/** 403 with `message` and `error`, which name the plan and what it limits. */
function expectBeyond({ status, body, text }: Answer, plan: string, limit: RegExp): void {
  expect(status, text).toBe(403);
  expect(body['message']).toContain(`"${plan}"`);
  expect(body['message']).toMatch(limit);
  expect(body['error']).toBe(body['message']);
}

describe('a restricted plan', () => {
  const { post, get, put, del, monitor, opened } = teamOn('Free');
  const allowed = { ...REQUIRED.http, check_interval: 5 };

  it.each(TYPES)('a monitor of a type that is not included is 403: %s [38.2]', async (type) => {
    const fields = (PULL_TYPES as readonly string[]).includes(type) ? { check_interval: 5 } : {};
    const answer = await post('/monitors', { ...REQUIRED[type], ...fields });
    if (type === 'port' || type === 'cron') return expectBeyond(answer, 'Free', new RegExp(type));
    expectStatus(answer, 201);
    await del(`/monitors/${answer.body.id}`);
  });

  it('monitor_type is http when it is left out, and that is judged by the plan [38.2]', async () => {
    const onlyCron = { ...TEST_PLANS.of('Free'), monitorTypes: ['cron' as const] };
    const { post: create } = teamOn(null, { plans: { of: () => onlyCron, names: ['Free'] } });
    expectBeyond(await create('/monitors', allowed), 'Free', /http/);
  });

  it.each([
    ['domain', {}],
    ['keyword', { keyword_settings: KEYWORDS }],
    ['json', { json_assertion_settings: ASSERTIONS }],
  ])('a check type that is not included is 403: %s [38.3]', async (type, settings) => {
    const body = { ...allowed, check_types: ['ssl', type], ...settings };
    expectBeyond(await post('/monitors', body), 'Free', new RegExp(type));
  });

  it('check types that are included can be used [38.3]', async () => {
    const { id } = await monitor('http', { check_interval: 5, check_types: ['ssl', 'dns'] });
    await del(`/monitors/${id}`);
  });

  it.each([
    ['keyword_settings', KEYWORDS],
    ['json_assertion_settings', ASSERTIONS],
  ])('%s with content are 403, whatever check_types says [38.4]', async (field, settings) => {
    const named = { ...allowed, check_types: [], [field]: settings };
    expectBeyond(await post('/monitors', named), 'Free', new RegExp(field));
    expectBeyond(await post('/monitors', { ...allowed, [field]: settings }), 'Free', /check type/);
    const { id } = await monitor('http', { check_interval: 5, [field]: {} });
    expectBeyond(await put(`/monitors/${id}`, { [field]: settings }), 'Free', /check type/);
    await del(`/monitors/${id}`);
  });

  it('an interval below the minimum of the plan is 403, on create and update [38.5]', async () => {
    const refused = await post('/monitors', { ...allowed, check_interval: 4.5 });
    expectBeyond(refused, 'Free', /5 minutes/);
    const { id } = await monitor('http', { check_interval: 5 });
    expectBeyond(await put(`/monitors/${id}`, { check_interval: 1 }), 'Free', /5 minutes/);
    expect((await get(`/monitors/${id}`)).body['check_interval']).toBe(5);
    await del(`/monitors/${id}`);
  });

  it('a body that is wrong elsewhere is 403 all the same [38.6]', async () => {
    const body = { url: 'not a url', check_interval: 1, failure_threshold: 99 };
    expectBeyond(await post('/monitors', body), 'Free', /5 minutes/);
  });

  it('a field that is malformed itself is 422 [38.7]', async () => {
    expectRefused(await post('/monitors', { ...allowed, check_interval: 0.1 }), 'check_interval');
    expectRefused(await post('/monitors', { ...allowed, check_types: ['smtp'] }), 'check_types.0');
  });

  it('check-url that is not included is 403 [38.8]', async () => {
    expectBeyond(await get('/check-url?url=https://example.com'), 'Free', /check-url/);
    expectBeyond(await get('/check-url'), 'Free', /check-url/);
    expect((await opened).checks).toEqual([]);
  });
});

describe('a plan with a monitor count', () => {
  const { post, get, del, monitor } = teamOn('Free');
  const allowed = { ...REQUIRED.http, check_interval: 5 };
  const used = async () => (await get('/plan', 'vera')).body['usage'];

  it('its monitor count used up is 403, and a deleted monitor leaves room [38.9]', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 3; count++)
      ids.push((await monitor('http', { check_interval: 5 })).id);
    expectBeyond(await post('/monitors', allowed), 'Free', /at most 3 monitors/);
    expectStatus(await post(`/monitors/${ids[0]}/pause`), 200);
    expectBeyond(await post('/monitors', allowed), 'Free', /at most 3 monitors/);
    expect(await used()).toEqual({ monitors: 3 });
    expectStatus(await del(`/monitors/${ids[0]}`), 204);
    expect(await used()).toEqual({ monitors: 2 });
    expectStatus(await post('/monitors', allowed), 201);
  });

  it('GET /plan tells features, limits and usage [38.11]', async () => {
    const { status, body } = await get('/plan', 'vera');
    expect([status, body]).toEqual([
      200,
      {
        name: 'Free',
        features: {
          api_access: true,
          check_url: false,
          monitor_types: ['http', 'ping', 'heartbeat'],
          check_types: ['ssl', 'dns'],
        },
        limits: { min_check_interval: 5, max_monitors: 3 },
        usage: { monitors: expect.any(Number) },
      },
    ]);
  });
});

describe('a plan that was changed later', () => {
  const { put, get, post, monitor, opened } = teamOn(null);

  it('lets what exceeds it be renamed, lowered, paused and resumed, and nothing be raised [38.12]', async () => {
    const { id } = await monitor('http', {
      check_interval: 1,
      check_types: ['domain'],
      keyword_settings: KEYWORDS,
    });
    await givePlan(await opened, 'Free');
    const path = `/monitors/${id}`;
    expectStatus(await put(path, { friendly_name: 'Shop' }), 200);
    expectStatus(await post(`${path}/pause`), 200);
    expectStatus(await post(`${path}/resume`), 200);
    expectBeyond(await put(path, { check_interval: 0.5 }), 'Free', /5 minutes/);
    expectStatus(await put(path, { check_interval: 10 }), 200);
    expectStatus(await put(path, { keyword_settings: null }), 200);
    expectBeyond(await put(path, { keyword_settings: KEYWORDS }), 'Free', /keyword/);
    const { body } = await get(path);
    expect([body['check_interval'], body['check_types']]).toEqual([10, ['domain']]);
  });
});

describe('a plan without API access', () => {
  const { get, post, put, call, opened } = teamOn('By hand');

  it('refuses tokens on what belongs to the team, and no session [38.13]', async () => {
    for (const path of ['/monitors', '/incidents', '/groups', '/users', '/plan'])
      expectBeyond(await get(path), 'By hand', /API access/);
    expectBeyond(await post('/monitors', REQUIRED.http), 'By hand', /API access/);
    expectBeyond(await put('/monitors/1', {}), 'By hand', /API access/);
    const api = await opened;
    const session = await giveSession(api.database, api.alice, { now: api.clock.now() });
    const created = await api.call(session, 'POST', '/api/v1/monitors', REQUIRED.http);
    expectStatus(created, 201);
    expectStatus(await api.call(session, 'GET', '/api/v1/monitors'), 200);
  });

  it('leaves tokens what needs only a valid one [38.14]', async () => {
    for (const path of ['', '/test', '/teams']) expectStatus(await get(path), 200);
    expectStatus(await call('mallory', 'GET', '/monitors'), 200);
  });
});

describe('the plans of an installation', () => {
  it('without PLANS_FILE include everything without limit [38.1]', async () => {
    const { get, post } = client(() => freshApi());
    expect((await get('/plan')).body['limits']).toEqual({
      min_check_interval: null,
      max_monitors: null,
    });
    for (const type of TYPES) {
      const isPull = (PULL_TYPES as readonly string[]).includes(type);
      const body = { ...REQUIRED[type], ...(isPull && { check_interval: 0.5 }) };
      expectStatus(await post('/monitors', body), 201);
    }
    const content = {
      keyword: { keyword_settings: KEYWORDS },
      json: { json_assertion_settings: ASSERTIONS },
    };
    for (const [type, settings] of Object.entries(content)) {
      const body = { ...REQUIRED.http, check_types: ['ssl', 'dns', 'domain', type], ...settings };
      expectStatus(await post('/monitors', body), 201);
    }
    expectStatus(await get('/check-url?url=https://example.com'), 200);
  });

  it('a limit that is left out is unlimited [38.1]', async () => {
    const { post } = teamOn(null);
    for (let count = 0; count < 5; count++)
      expectStatus(await post('/monitors', { ...REQUIRED.port, check_interval: 0.5 }), 201);
  });
});
