import { expect, test } from 'vitest';
import { LIMITS, openApi } from '../../../test/support/api.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { LEAST } from '../../../test/support/monitor-bodies.ts';
import { createRateLimits } from '../../identity/rate-limits.ts';
import { checkLimits } from '../../model/outgoing.ts';

const clock = { now: () => Date.now() };
const HOST = 'shop.example.com';

async function world(limits: { check_team: number; check_host: number }) {
  const rateLimits = createRateLimits({ limits: { ...LIMITS, ...limits }, clock });
  const api = await openApi(await openInMemory(), {}, { rateLimits });
  const { alice, ed, mallory } = api;
  const checkUrl = (who: typeof alice, url: string) =>
    api.call(who, 'GET', `/api/v1/check-url?url=${encodeURIComponent(url)}`);
  return { api, alice, ed, mallory, checkUrl };
}

test('checks by hand of a team at one host are limited together, for all members and ways to start them [10.14, 5.24]', async () => {
  const { api, alice, ed, checkUrl } = await world({ check_team: 100, check_host: 4 });
  const body = { ...LEAST.http, url: `https://${HOST.toUpperCase()}:8443/a` };
  const created = await api.call(alice, 'POST', '/api/v1/monitors', body);
  const check = `/api/v1/monitors/${created.body['id']}/check`;
  expect((await api.call(alice, 'POST', check)).status).toBe(200);
  expect((await api.call(alice, 'POST', '/api/v1/monitors/test', body)).status).toBe(200);
  expect((await checkUrl(alice, `https://${HOST}/b`)).status).toBe(200);
  expect((await checkUrl(ed, `http://${HOST}.`)).status).toBe(200);
  const before = api.checks.length;
  for (const refused of [
    await checkUrl(alice, `https://${HOST}/c`),
    await api.call(alice, 'POST', check),
    await api.call(alice, 'POST', '/api/v1/monitors/test', body),
  ]) {
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.body).toMatchObject({
      message: expect.stringMatching(
        /^Your team has started 4 checks of shop\.example\.com by hand within a minute, which is the limit: try again in \d+ seconds\.$/,
      ),
    });
  }
  expect(api.checks).toHaveLength(before);
  expect((await checkUrl(alice, 'https://other.example.com/')).status).toBe(200);
});

test('a refused check costs neither the person nor the team anything [5.12]', async () => {
  const { alice, checkUrl } = await world({ check_team: 2, check_host: 2 });
  const remaining = async (url: string) => {
    const { status, headers } = await checkUrl(alice, url);
    return [status, Number(headers['x-ratelimit-remaining'])];
  };
  expect(await remaining('https://a.example.com/')).toEqual([200, 19]);
  expect(await remaining('https://a.example.com/')).toEqual([200, 18]);
  for (let count = 0; count < 5; count += 1)
    expect(await remaining('https://a.example.com/')).toEqual([429, 17]);
  const { body } = await checkUrl(alice, 'https://b.example.com/');
  expect(body['message']).toContain('Your team has started 2 checks by hand within a minute');
});

test('another team has a count of its own', async () => {
  const { alice, mallory, checkUrl } = await world({ check_team: 1, check_host: 1 });
  expect((await checkUrl(alice, `https://${HOST}/`)).status).toBe(200);
  expect((await checkUrl(alice, `https://${HOST}/`)).status).toBe(429);
  expect((await checkUrl(mallory, `https://${HOST}/`)).status).toBe(200);
});

test.each([
  [false, { check_team: 400, check_host: 120 }],
  [true, { check_team: 120, check_host: 40 }],
])('limits of a team follow from what a person may start; open sign-up: %s', (open, limits) => {
  expect(checkLimits(40, open)).toEqual(limits);
});
