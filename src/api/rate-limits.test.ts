import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LIMITS, openApi, type Answer, type TestApi } from '../../test/support/api.ts';
import { giveToken } from '../../test/support/people.ts';
import { createRateLimits } from '../identity/rate-limits.ts';
import type { OpenDatabase } from '../store/database/database.ts';
import { DatabaseUnavailable } from '../store/database/errors.ts';
import type { ApiDeps } from './deps.ts';
import { openInMemory } from '../../test/support/memory-database.ts';

const MONITORS = '/api/v1/monitors';
const clock = { now: () => Date.now() };

// Only the date: real timers must go on for what answers the requests.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) });
});

const opened: { api: TestApi; database: OpenDatabase }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const { api, database } of opened.splice(0)) {
    await api.app.close();
    await database.close();
  }
});

async function limited(
  edge: Partial<Pick<ApiDeps, 'trustProxy'>> = {},
  limits = LIMITS,
): Promise<TestApi> {
  const database = await openInMemory();
  const rateLimits = createRateLimits({ limits, clock });
  const api = await openApi(database, {}, { rateLimits, ...edge });
  opened.push({ api, database });
  return api;
}

/** The headers of a budget, as numbers. */
function budgetOf({ headers }: Pick<Answer, 'headers'>) {
  const number = (name: string) => Number(headers[`x-ratelimit-${name}`]);
  return { limit: number('limit'), remaining: number('remaining'), reset: number('reset') };
}

async function times(count: number, call: () => Promise<Answer>): Promise<Answer> {
  let last = await call();
  for (let made = 1; made < count; made++) last = await call();
  return last;
}

describe('the standard budget', () => {
  test('the 120th request is answered, the 121st refused, and the next window is fresh [5.1, 5.9, 5.10, 5.11, 5.12]', async () => {
    const api = await limited();
    const get = () => api.call(api.alice, 'GET', MONITORS);
    const reset = Date.now() / 1000 + 60;
    const first = await get();
    expect([first.status, budgetOf(first)]).toEqual([200, { limit: 120, remaining: 119, reset }]);
    const last = await times(119, get);
    expect([last.status, budgetOf(last)]).toEqual([200, { limit: 120, remaining: 0, reset }]);
    vi.setSystemTime(Date.now() + 22_400);
    const refused = await times(200, get);
    const message = 'The limit of 120 requests a minute is reached: try again in 38 seconds.';
    expect([refused.status, refused.body]).toEqual([
      429,
      { message, error: message, retry_after: 38 },
    ]);
    expect([budgetOf(refused), refused.headers['retry-after']]).toEqual([
      { limit: 120, remaining: 0, reset },
      '38',
    ]);
    vi.setSystemTime(Date.now() + 37_600);
    const fresh = await get();
    expect([fresh.status, budgetOf(fresh)]).toEqual([
      200,
      { limit: 120, remaining: 119, reset: reset + 60 },
    ]);
  });

  test('is shared by all tokens of a person, and by nobody else [5.1]', async () => {
    const api = await limited();
    const other = await giveToken(api.database, api.alice, { now: api.clock.now() });
    await api.call(api.alice, 'GET', '/api');
    expect(budgetOf(await api.call(other, 'GET', '/api/v1/')).remaining).toBe(118);
    expect(budgetOf(await api.call(api.ed, 'GET', '/api')).remaining).toBe(119);
    expect(budgetOf(await api.call(api.mallory, 'GET', '/api')).remaining).toBe(119);
  });

  test('every answer costs one; a refused request changes nothing [5.2, 5.12]', async () => {
    const api = await limited();
    const requests: [who: TestApi['alice'], method: string, path: string, body?: unknown][] = [
      [api.alice, 'GET', MONITORS],
      [api.alice, 'HEAD', MONITORS],
      [api.alice, 'POST', MONITORS, { url: 'https://example.com', check_interval: 1 }],
      [api.alice, 'GET', '/api/nothing'],
      [api.alice, 'GET', '/api/v1/%zz'],
      [api.alice, 'PATCH', MONITORS],
      [api.alice, 'GET', `${MONITORS}/999999`],
      [api.alice, 'GET', `${MONITORS}/%zz`],
      [api.alice, 'GET', `${MONITORS}?page=0`],
      [api.alice, 'POST', MONITORS, '{'],
      [api.alice, 'POST', MONITORS, `"${'a'.repeat(1024 * 1024)}"`],
      [api.alice, 'DELETE', `${MONITORS}/1`],
    ];
    const seen = [];
    for (const [index, [who, method, path, body]] of requests.entries()) {
      const answer = await api.call(who, method, path, body);
      expect(budgetOf(answer)).toMatchObject({ limit: 120, remaining: 119 - index });
      seen.push(answer.status);
    }
    expect(seen).toEqual([200, 200, 201, 404, 404, 405, 404, 404, 422, 400, 413, 204]);
    const forbidden = await api.call(api.vera, 'DELETE', `${MONITORS}/1`);
    expect([forbidden.status, budgetOf(forbidden).remaining]).toEqual([403, 119]);
    await times(120, () => api.call(api.alice, 'GET', '/api'));
    const create = { url: 'https://example.com', check_interval: 1 };
    expect((await api.call(api.alice, 'POST', MONITORS, create)).status).toBe(429);
    expect((await api.call(api.ed, 'GET', MONITORS)).body['total']).toBe(0);
  });
});

test('manual checks have a separate budget [5.3]', async () => {
  const api = await limited();
  const [{ id }, other] = [await api.create(), await api.create()];
  const check = () => api.call(api.alice, 'POST', `${MONITORS}/${id}/check`);
  await times(10, () => api.call(api.alice, 'POST', `${MONITORS}/${other.id}/check`));
  const last = await times(10, check);
  expect([last.status, budgetOf(last)]).toMatchObject([200, { limit: 20, remaining: 0 }]);
  const refused = await check();
  expect([refused.status, budgetOf(refused)]).toMatchObject([429, { limit: 20, remaining: 0 }]);
  expect(api.checks).toHaveLength(20);
  // The creates, and this; GET is no way to check, and so no manual check.
  const wrongMethod = await api.call(api.alice, 'GET', `${MONITORS}/${id}/check`);
  expect([wrongMethod.status, budgetOf(wrongMethod)]).toMatchObject([
    405,
    { limit: 120, remaining: 117 },
  ]);
  expect((await api.call(api.ed, 'POST', `/api/monitors/${id}/check/`)).status).toBe(200);
});

test('tests of webhook endpoints have a budget of their own [5.3]', async () => {
  const api = await limited();
  const endpoints = '/api/v1/webhook-endpoints';
  const body = { name: 'Chat', url: 'https://example.com' };
  const { id } = (await api.call(api.alice, 'POST', endpoints, body)).body;
  const send = () => api.call(api.alice, 'POST', `${endpoints}/${id}/test`);
  const last = await times(10, send);
  expect([last.status, budgetOf(last)]).toMatchObject([202, { limit: 10, remaining: 0 }]);
  expect((await send()).status).toBe(429);
  // The endpoint was created.
  expect(budgetOf(await api.call(api.alice, 'GET', MONITORS)).remaining).toBe(118);
});

test('checks of an address have a budget of their own, also when they are refused [5.3]', async () => {
  const api = await limited();
  const { id } = await api.create();
  const ask = (url: string, who = api.alice) =>
    api.call(who, 'GET', `/api/v1/check-url?url=${url}`);
  const last = await times(19, () => ask('https://example.com'));
  expect([last.status, budgetOf(last)]).toMatchObject([200, { limit: 20, remaining: 1 }]);
  expect((await ask('x')).status).toBe(422);
  expect((await ask('https://example.com')).status).toBe(429);
  expect((await ask('https://example.com', api.ed)).status).toBe(200);
  const check = await api.call(api.alice, 'POST', `${MONITORS}/${id}/check`);
  expect(budgetOf(check)).toMatchObject({ limit: 20, remaining: 19 });
  expect(budgetOf(await api.call(api.alice, 'GET', MONITORS)).remaining).toBe(118);
});

test('each limit can be set [5.17]', async () => {
  const own = { ...LIMITS, standard: 7, monitor_check: 3, check_url: 4, anonymous: 5 };
  const api = await limited({}, own);
  const { id } = await api.create();
  for (const [who, method, path, limit, remaining] of [
    [api.alice, 'GET', MONITORS, 7, 5],
    [api.alice, 'POST', `${MONITORS}/${id}/check`, 3, 2],
    [api.alice, 'GET', '/api/v1/check-url?url=https://example.com', 4, 3],
    [null, 'GET', MONITORS, 5, 4],
  ] as const)
    expect(budgetOf(await api.call(who, method, path))).toMatchObject({ limit, remaining });
});

async function anonymous(api: TestApi, from: string, path = MONITORS, forwarded?: string) {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const answer = await api.app.inject({ url: path, remoteAddress: from, headers });
  return { status: answer.statusCode, ...budgetOf(answer) };
}

describe('requests without a valid token', () => {
  test('are counted by address, and are 429 beyond the limit [5.6]', async () => {
    const api = await limited();
    const paths = [MONITORS, '/api', '/api/nothing', '/api/v1/%zz', '/%61pi/v1/nothing'];
    for (const [index, path] of paths.entries()) {
      expect(await anonymous(api, '192.0.2.1', path)).toMatchObject({
        status: 401,
        limit: 120,
        remaining: 119 - index,
      });
    }
    for (let made = 5; made < 119; made++) await anonymous(api, '192.0.2.1');
    const { alice } = api;
    const call = (token: string | null) => {
      const headers = token === null ? {} : { authorization: `Bearer ${token}` };
      return api.app.inject({ url: MONITORS, remoteAddress: '192.0.2.1', headers });
    };
    expect((await call('wrong')).statusCode).toBe(401);
    const refused = await call('wrong');
    expect([refused.statusCode, refused.json()]).toMatchObject([429, { retry_after: 60 }]);
    expect((await call(null)).statusCode).toBe(429);
    expect((await call(alice.token)).statusCode).toBe(200);
    expect(await anonymous(api, '192.0.2.2')).toMatchObject({ status: 401, remaining: 119 });
    vi.setSystemTime(Date.now() + 60_000);
    expect((await call('wrong')).statusCode).toBe(401);
  });

  test('an IPv6 network of 64 bits is one client', async () => {
    const api = await limited();
    await anonymous(api, '2001:db8:1:2::1');
    expect(await anonymous(api, '2001:db8:1:2:ffff::9')).toMatchObject({ remaining: 118 });
    expect(await anonymous(api, '2001:db8:1:3::1')).toMatchObject({ remaining: 119 });
  });

  test('behind a trusted proxy are counted by client', async () => {
    const api = await limited({ trustProxy: ['10.0.0.1'] });
    await anonymous(api, '10.0.0.1', MONITORS, '192.0.2.1');
    expect(await anonymous(api, '10.0.0.1', '/api/%zz', '192.0.2.1')).toMatchObject({
      remaining: 118,
    });
    expect(await anonymous(api, '10.0.0.1', MONITORS, '192.0.2.2')).toMatchObject({
      remaining: 119,
    });
    // A stranger may claim what it likes.
    await anonymous(api, '198.51.100.1', MONITORS, '192.0.2.1');
    expect(await anonymous(api, '198.51.100.1', MONITORS, '192.0.2.3')).toMatchObject({
      remaining: 118,
    });
  });
});

describe('headers', () => {
  const HEADERS = [
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
    'x-request-id',
  ];

  test('paths outside /api have no budget', async () => {
    const api = await limited();
    for (const path of ['/healthz', '/readyz', '/metrics', '/nothing', '/apiary', '/']) {
      const { headers } = await api.call(api.alice, 'GET', path);
      expect([path, ...HEADERS.map((name) => name in headers)]).toEqual([
        path,
        false,
        false,
        false,
        true,
      ]);
    }
    expect(budgetOf(await api.call(api.alice, 'GET', '/api')).remaining).toBe(119);
  });

  test('an internal error costs one and shows it', async () => {
    const api = await limited();
    api.database.transaction = async () => {
      throw new Error('a fault');
    };
    const body = { url: 'https://example.com', check_interval: 1 };
    const answer = await api.call(api.alice, 'POST', MONITORS, body);
    expect([answer.status, budgetOf(answer)]).toMatchObject([500, { limit: 120, remaining: 119 }]);
    expect(answer.headers['x-request-id']).toBe(answer.body['request_id']);
  });

  test('an unavailable database shows the budget of the address, and takes nothing', async () => {
    const api = await limited();
    await api.call(null, 'GET', MONITORS);
    vi.spyOn(api.authenticator, 'authenticate').mockRejectedValue(new DatabaseUnavailable('away'));
    const answer = await times(3, () => api.call(api.alice, 'GET', MONITORS));
    expect([answer.status, budgetOf(answer)]).toMatchObject([503, { limit: 120, remaining: 119 }]);
    expect(HEADERS.filter((name) => !(name in answer.headers))).toEqual([]);
  });

  test('without limits they show a full budget [5.18]', async () => {
    const database = await openInMemory();
    const api = await openApi(database);
    opened.push({ api, database });
    const answer = await times(130, () => api.call(api.alice, 'GET', MONITORS));
    const reset = Date.now() / 1000 + 60;
    expect([answer.status, budgetOf(answer)]).toEqual([200, { limit: 120, remaining: 120, reset }]);
    const bad = await times(130, () => api.call(null, 'GET', MONITORS));
    expect([bad.status, budgetOf(bad)]).toEqual([401, { limit: 120, remaining: 120, reset }]);
  });
});

test('what lies outside the API has a budget by client address [5.22]', async () => {
  const { app, alice, call } = await limited({}, { ...LIMITS, web: 6 });
  const ask = (url: string, remoteAddress = '192.0.2.1') => app.inject({ url, remoteAddress });
  const paths = ['/healthz', '/metrics', '/docs', '/openapi.json', '/sign-in', '/nowhere'];
  const statuses = [];
  for (const path of paths) statuses.push((await ask(path)).statusCode);
  // The dashboard, which has the page to sign in, is not built here.
  expect(statuses).toEqual([200, 200, 200, 200, 503, 404]);
  for (const path of [...paths, '/readyz', '/tocsin-run']) {
    const refused = await ask(path);
    expect([path, refused.statusCode, refused.json()]).toMatchObject([
      path,
      429,
      { message: expect.stringContaining('The limit of 6 requests a minute'), retry_after: 60 },
    ]);
    expect(refused.headers['retry-after']).toBe('60');
  }
  expect((await ask('/healthz', '192.0.2.2')).statusCode).toBe(200);
  expect((await call(alice, 'GET', '/api/v1/test')).status).toBe(200);
});
