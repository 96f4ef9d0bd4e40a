import { MONITOR_TYPES } from '../../monitor-types/registry.ts';
import { describe, expect, test } from 'vitest';
import { openApi, type Answer, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { ALL_TYPES, LEAST } from '../../../test/support/monitor-bodies.ts';
import { API, bodyFor, ROUTES, withId, withPermission } from '../../../test/support/owned.ts';
import { giveSession, giveToken } from '../../../test/support/people.ts';
import { givePlan, TEST_PLANS } from '../../../test/support/plans.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { warnOfMissingPlans } from '../../identity/plans.ts';
import { silentLog } from '../../lib/log.ts';
import type { Database } from '../../store/database/contract.ts';

const MONITORS = `${API}/monitors`;

async function freeApi(database: Database, rest: object = {}): Promise<TestApi> {
  const api = await openApi(database, { plans: TEST_PLANS, ...rest });
  await givePlan(api, 'Free');
  return api;
}

const body = (fields: object = {}) => ({
  url: 'https://example.com',
  check_interval: 5,
  ...fields,
});
const refusedWith = (message: unknown) => [403, { message, error: message }];
const seen = ({ status, body: shown }: Answer) => [status, shown];

const NO_ROOM = 'The plan "Free" allows at most 3 monitors: delete one, or change the plan.';

eachDatabase((_name, open) => {
  test('monitors created at once never pass the limit [38.10]', async () => {
    const api = await freeApi(await open());
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.call(api.ed, 'POST', MONITORS, body())),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array(3).fill(201), ...Array(7).fill(403)]);
    for (const answer of answers.filter(({ status }) => status === 403))
      expect(seen(answer)).toEqual(refusedWith(NO_ROOM));
    const { body: page } = await api.call(api.vera, 'GET', MONITORS);
    expect(page['total']).toBe(3);
    const usage = (await api.call(api.vera, 'GET', `${API}/plan`)).body['usage'];
    expect(usage).toEqual({ monitors: 3 });
  });

  test('deleted monitors leave room, paused ones do not, and other teams have their own [38.9]', async () => {
    const api = await freeApi(await open());
    const ids: number[] = [];
    const used = async () => (await api.call(api.vera, 'GET', `${API}/plan`)).body['usage'];
    for (let count = 0; count < 3; count++) ids.push((await api.create(body())).id);
    expect((await api.call(api.alice, 'POST', `${MONITORS}/${ids[0]}/pause`)).status).toBe(200);
    expect(seen(await api.call(api.alice, 'POST', MONITORS, body()))).toEqual(refusedWith(NO_ROOM));
    expect((await api.call(api.mallory, 'POST', MONITORS, body())).status).toBe(201);
    expect(await used()).toEqual({ monitors: 3 });
    expect((await api.call(api.alice, 'DELETE', `${MONITORS}/${ids[1]}`)).status).toBe(204);
    expect(await used()).toEqual({ monitors: 2 });
    expect((await api.call(api.alice, 'POST', MONITORS, body())).status).toBe(201);
    expect(seen(await api.call(api.alice, 'POST', MONITORS, body()))).toEqual(refusedWith(NO_ROOM));
  });

  test('plans that are gone are told of once for all teams that have them', async () => {
    const api = await freeApi(await open());
    const warned: object[] = [];
    const log = {
      ...silentLog,
      warn: (fields: object, message: string) => void warned.push([fields, message]),
    };
    await warnOfMissingPlans({ database: api.database, plans: TEST_PLANS, log });
    expect(warned).toEqual([]);
    await givePlan(api, 'Gold');
    await warnOfMissingPlans({ database: api.database, plans: TEST_PLANS, log });
    const message = 'Teams have a plan that PLANS_FILE does not hold.';
    expect(warned).toEqual([[{ plan: 'Gold', teams: 1, default_plan: 'Full' }, message]]);
    expect((await api.call(api.vera, 'GET', `${API}/plan`)).body['name']).toBe('Full');
  });
});

const JSON_SETTINGS = {
  json_assertion_settings: { assertions: [{ path: 'a', operator: 'exists' }] },
};

describe('what is judged first', () => {
  const opened = openInMemory().then((database) => freeApi(database));
  const CRON = LEAST.cron;

  const KEYWORDS = { keywords: [{ phrase: 'a', mode: 'must_contain' }] };

  // What is refused by the plan says so, and names what of it.
  test.for<[what: string, body: object, answer: number | RegExp]>([
    ['a type that is not included', CRON, /cron/],
    ['the same in a body that is wrong elsewhere', { ...CRON, friendly_name: 7 }, /cron/],
    ['another one', { ...LEAST.port, check_interval: 5 }, /port/],
    ['a type that is included', LEAST.heartbeat, 201],
    ['a type that is none', body({ monitor_type: 'telepathy' }), 422],
    ['an interval that is too short', body({ check_interval: 4.5 }), /5 minutes/],
    ['the same in a body that is wrong', { url: 7, check_interval: 4.5 }, /5 minutes/],
    ['an interval that is none', body({ check_interval: 0.1 }), 422],
    ['an interval that is text', body({ check_interval: '1' }), 422],
    ['no interval', body({ check_interval: null }), 422],
    ['check types that are included', body({ check_types: ['ssl', 'dns'] }), 201],
    ['a check type that is not included', body({ check_types: ['ssl', 'domain'] }), /domain/],
    ['the same in a body that is wrong elsewhere', { check_types: ['domain'] }, /domain/],
    ['a check type that is none', body({ check_types: ['domain', 'smtp'] }), 422],
    ['a check type without the settings it needs', body({ check_types: ['keyword'] }), /keyword/],
    ['one with them', body({ check_types: ['ssl', 'json'], ...JSON_SETTINGS }), /json/],
    ['settings that turn it on', body({ keyword_settings: KEYWORDS }), /check type keyword/],
    [
      'the same beside a list without it',
      body({ check_types: [], ...JSON_SETTINGS }),
      /json_asser/,
    ],
    ['settings that are wrong', body({ keyword_settings: { keywords: [{ mode: 'maybe' }] } }), 422],
    ['settings without content', body({ keyword_settings: { keywords: [] }, url: 7 }), 422],
    ['all of them wrong', { monitor_type: 1, check_interval: [], check_types: 'domain' }, 422],
  ])('%s: %j [38.2, 38.3, 38.4, 38.5, 38.6, 38.7]', async ([_what, sent, wanted]) => {
    const api = await opened;
    const answer = await api.call(api.ed, 'POST', MONITORS, sent);
    const isRefused = wanted instanceof RegExp;
    expect([answer.status, answer.text]).toEqual([isRefused ? 403 : wanted, expect.any(String)]);
    if (answer.status === 201) await api.call(api.alice, 'DELETE', `${MONITORS}/${answer.body.id}`);
    if (!isRefused) return;
    expect(answer.body['message']).toMatch(/^The plan "Free" /);
    expect(answer.body['message']).toMatch(wanted);
    expect(answer.body['error']).toBe(answer.body['message']);
  });

  test('monitor_type is http where it is left out, and that is judged by the plan [38.2]', async () => {
    const onlyCron = { ...TEST_PLANS.of('Free'), monitorTypes: ['cron' as const] };
    const plans = { of: () => onlyCron, names: ['Free'] };
    const api = await openApi(await openInMemory(), { plans });
    const { status, body: shown } = await api.call(api.ed, 'POST', MONITORS, body());
    expect([status, shown['message']]).toEqual([403, expect.stringMatching(/http/)]);
  });

  test('checking an address is not included, and nothing is asked [38.8]', async () => {
    const api = await opened;
    for (const query of ['?url=https://example.com', '']) {
      const { status, body: shown } = await api.call(api.ed, 'GET', `${API}/check-url${query}`);
      expect([status, shown['message']]).toEqual([
        403,
        expect.stringMatching(/^The plan "Free" .*check-url/),
      ]);
    }
    expect(api.checks).toEqual([]);
  });

  test('whoever may not create is told that, and a body that is no JSON is no JSON', async () => {
    const api = await opened;
    const { status, body: shown } = await api.call(api.vera, 'POST', MONITORS, CRON);
    expect([status, shown['message']]).toEqual([403, expect.stringMatching(/^Your role in this/)]);
    expect((await api.call(api.ed, 'POST', MONITORS, '{')).status).toBe(400);
    expect((await api.call(api.ed, 'POST', MONITORS, [])).status).toBe(422);
  });

  test('a monitor of another team is not there, whatever the body asks', async () => {
    const api = await opened;
    const { id } = await api.create(body(), api.mallory);
    const path = `${MONITORS}/${id}`;
    expect((await api.call(api.ed, 'PUT', path, { check_interval: 1 })).status).toBe(404);
  });
});

test('where there is no room left, that is said whatever the body is', async () => {
  const api = await freeApi(await openInMemory());
  for (let count = 0; count < 3; count++) await api.create(body());
  for (const sent of [{}, { url: 7 }, body({ check_interval: 1 }), []])
    expect(seen(await api.call(api.ed, 'POST', MONITORS, sent))).toEqual(refusedWith(NO_ROOM));
});

test('an interval that DEFAULT_CHECK_INTERVAL fills in is judged, too', async () => {
  const defaults = { regions: ['ash'], checkInterval: 1 };
  const api = await freeApi(await openInMemory(), { defaults });
  const message =
    'The plan "Free" allows a check_interval of at least 5 minutes: send 5 or more, or change the plan.';
  const create = (fields: object) =>
    api.call(api.ed, 'POST', MONITORS, { url: 'https://example.com', ...fields });
  expect(seen(await create({}))).toEqual(refusedWith(message));
  const created = await create({ check_interval: 5 });
  expect(created.status).toBe(201);
  const path = `${MONITORS}/${created.body.id}`;
  const unset = await api.call(api.ed, 'PUT', path, { check_interval: null });
  expect(seen(unset)).toEqual(refusedWith(message));
  expect((await api.call(api.ed, 'PUT', path, { friendly_name: 'Shop' })).status).toBe(200);
});

describe('a monitor that is older than the plan', () => {
  const KEYWORDS = { keywords: [{ phrase: 'Welcome', mode: 'must_contain' }] };
  const OTHERS = { keywords: [{ phrase: 'Goodbye', mode: 'must_contain' }] };
  const SENT = {
    url: 'https://example.com',
    check_interval: 1,
    check_types: ['ssl', 'domain', 'keyword'],
    keyword_settings: KEYWORDS,
  };
  const opened = openInMemory().then((database) => openApi(database, { plans: TEST_PLANS }));

  test.for<[what: string, change: object, status: number]>([
    ['is renamed', { friendly_name: 'Shop', tags: ['a'] }, 200],
    ['is sent back as it is', { ...SENT, friendly_name: 'Shop' }, 200],
    ['is looked at as seldom as the plan allows', { check_interval: 5 }, 200],
    ['is not looked at more often than that', { check_interval: 4 }, 403],
    ['loses a check type', { check_types: ['ssl', 'keyword'] }, 200],
    ['loses its keywords', { keyword_settings: null }, 200],
    ['gets a check type that is included', { check_types: [...SENT.check_types, 'dns'] }, 200],
    ['gets no other keywords', { keyword_settings: OTHERS }, 403],
    ['gets no check type that is not included', { keyword_settings: null, ...JSON_SETTINGS }, 403],
    ['is not judged for what is malformed', { check_interval: 'often', check_types: 7 }, 422],
  ])('%s: %j [38.4, 38.5, 38.12]', async ([_what, change, status]) => {
    const api = await opened;
    await givePlan(api, null);
    const { id } = await api.create(SENT);
    await givePlan(api, 'Free');
    const answer = await api.call(api.ed, 'PUT', `${MONITORS}/${id}`, change);
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
    if (status === 403) expect(answer.body['message']).toMatch(/^The plan "Free" /);
  });

  test('of a type that is not included any more is changed, paused, resumed and checked [38.12]', async () => {
    const api = await opened;
    await givePlan(api, null);
    const { id } = await api.create({ monitor_type: 'port', url: 'example.com', port: 443 });
    await givePlan(api, 'Free');
    const path = `${MONITORS}/${id}`;
    const port = await api.call(api.ed, 'PUT', path, { port: 8443, monitor_type: 'port' });
    expect(port.status).toBe(200);
    for (const action of ['pause', 'resume', 'check'])
      expect((await api.call(api.ed, 'POST', `${path}/${action}`)).status).toBe(200);
  });
});

describe('a plan without API access', () => {
  const shared = openInMemory().then(async (database) => {
    const api = await openApi(database, { plans: TEST_PLANS });
    await givePlan(api, 'By hand');
    return api;
  });
  const message =
    'The plan "By hand" of this team does not include API access: use the dashboard, or change the plan.';

  test.for(ROUTES)(
    '$name ($method $path) by a token and by a session [38.13, 38.14]',
    async (route) => {
      const api = await shared;
      const path = withId(route, 999_999);
      const sent = bodyFor(route, {});
      const ofTeam = withPermission(route).some(({ role }) => role !== null);
      const byToken = await api.call(api.alice, route.method, path, sent);
      if (ofTeam) expect(seen(byToken)).toEqual(refusedWith(message));
      else expect(byToken.body?.['message']).not.toBe(message);
      // Whatever else such a request lacks.
      const session = await giveSession(api.database, api.alice, { now: api.clock.now() });
      const bySession = await api.call(session, route.method, path, sent);
      expect(bySession.status).not.toBe(401);
      expect(bySession.body?.['message']).not.toBe(message);
    },
  );

  test('says so before it looks at what a token or a body lacks', async () => {
    const api = await shared;
    const token = await giveToken(api.database, api.vera, {
      permissions: [],
      now: api.clock.now(),
    });
    expect(seen(await api.call(token, 'POST', MONITORS, '{'))).toEqual(refusedWith(message));
    expect((await api.call(api.mallory, 'GET', MONITORS)).status).toBe(200);
  });
});

test.for<[name: string | null, shown: object]>([
  [
    null,
    {
      name: 'Self-hosted',
      features: {
        api_access: true,
        check_url: true,
        monitor_types: MONITOR_TYPES,
        check_types: ['ssl', 'dns', 'domain', 'keyword', 'json'],
      },
      limits: { min_check_interval: null, max_monitors: null, max_monitors_per_host: null },
      usage: { monitors: 0 },
    },
  ],
  [
    'Free',
    {
      name: 'Free',
      features: {
        api_access: true,
        check_url: false,
        monitor_types: ['http', 'ping', 'heartbeat'],
        check_types: ['ssl', 'dns'],
      },
      limits: { min_check_interval: 5, max_monitors: 3, max_monitors_per_host: null },
      usage: { monitors: 0 },
    },
  ],
])(
  'the plan %s is shown with its features, limits and usage [38.1, 38.11]',
  async ([name, plan]) => {
    const database = await openInMemory();
    const api = await (name === null ? openApi(database) : freeApi(database));
    const { status, body: shown } = await api.call(api.vera, 'GET', `${API}/plan`);
    expect([status, shown]).toEqual([200, plan]);
  },
);

test.each([
  ['without PLANS_FILE', {}],
  ['with a plan that limits nothing', { plans: TEST_PLANS }],
])('%s everything is included without limit [38.1]', async (_what, overrides) => {
  const api = await openApi(await openInMemory(), overrides);
  const ssl = ['ssl', 'dns', 'domain'];
  for (const fields of [
    ...ALL_TYPES.map((type) => ({ ...LEAST[type], check_interval: 0.5 })),
    {
      check_types: [...ssl, 'keyword'],
      keyword_settings: { keywords: [{ phrase: 'a', mode: 'must_contain' }] },
    },
    {
      check_types: [...ssl, 'json'],
      json_assertion_settings: { assertions: [{ path: 'a', operator: 'exists' }] },
    },
  ])
    await api.create(fields);
  const asked = await api.call(api.ed, 'GET', `${API}/check-url?url=https://example.com`);
  expect(asked.status).toBe(200);
});
