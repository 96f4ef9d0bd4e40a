import { expect, test } from 'vitest';
import { openInMemory } from '../../test/support/memory-database.ts';
import { openApi } from '../../test/support/api.ts';

const WALLS = '/api/v1/walls';
const pathOf = (url: unknown) => `/api/v1/wall${new URL(String(url)).search}`;

test('everybody who has the link of a wall sees names and statuses, and nothing else [62.2]', async () => {
  const api = await openApi(await openInMemory());
  const target = { url: 'https://shop.example.com/?key=secret', tags: ['hidden'] };
  await api.create({ ...target, friendly_name: 'Shop' });
  await api.call(api.alice, 'POST', '/api/v1/groups', { name: 'Web' });
  const { body: wall } = await api.call(api.ed, 'POST', WALLS, { name: 'Office' });
  const { status, body, text } = await api.call(null, 'GET', pathOf(wall['url']));
  expect([status, body]).toMatchObject([
    200,
    { name: 'Office', groups: [{ name: 'Web' }], monitors: [{ name: 'Shop', status: 'pending' }] },
  ]);
  expect(text).not.toMatch(/shop\.example\.com|secret|hidden/);
  expect(Object.keys((body['monitors'] as object[])[0]!).toSorted()).toEqual([
    'id',
    'name',
    'since',
    'status',
  ]);
});

test('a monitor without a name is shown by its host, and not by its address [62.2]', async () => {
  const api = await openApi(await openInMemory());
  await api.create({ url: 'https://shop.example.com/pay?key=secret', friendly_name: '' });
  const { body: wall } = await api.call(api.ed, 'POST', WALLS, { name: 'Office' });
  const { body, text } = await api.call(null, 'GET', pathOf(wall['url']));
  expect(body['monitors']).toMatchObject([{ name: 'shop.example.com' }]);
  expect(text).not.toMatch(/secret|pay/);
});

test('walls end with their team [62.2]', async () => {
  const api = await openApi(await openInMemory());
  const { body: wall } = await api.call(api.ed, 'POST', WALLS, { name: 'Office' });
  const { body: team } = await api.call(api.alice, 'GET', `/api/v1/teams/${api.alice.teamId}`);
  const name = encodeURIComponent(String(team['name']));
  const path = `/api/v1/teams/${api.alice.teamId}?name=${name}`;
  expect((await api.call(api.alice, 'DELETE', path)).status).toBe(204);
  expect((await api.call(null, 'GET', pathOf(wall['url']))).status).toBe(404);
});

test('a deleted wall ends its link, and no other token opens one [62.1, 62.2]', async () => {
  const api = await openApi(await openInMemory());
  const { body: first } = await api.call(api.ed, 'POST', WALLS, { name: 'Office' });
  await api.call(api.ed, 'DELETE', `${WALLS}/${String(first['id'])}`);
  const { body: second } = await api.call(api.ed, 'POST', WALLS, { name: 'Office' });
  expect((await api.call(null, 'GET', pathOf(first['url']))).status).toBe(404);
  expect((await api.call(null, 'GET', pathOf(second['url']))).status).toBe(200);
  const forged = String(second['url']).replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
  expect((await api.call(null, 'GET', pathOf(forged))).status).toBe(404);
  expect((await api.call(null, 'GET', '/api/v1/wall')).status).toBe(404);
  const byViewer = await api.call(api.vera, 'POST', WALLS, { name: 'Mine' });
  expect(byViewer.status).toBe(403);
});
