import { callOf } from '../../../test/support/call.ts';
import { expect, it } from 'vitest';
import { openApi, sharedApi, type Json, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { storeExpiry } from '../../../test/support/overviews.ts';
import { callerOf } from '../../../test/support/people.ts';
import { listExpirations } from './expirations.ts';

const EXPIRATIONS = '/api/v1/expirations';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const get = (api: TestApi, query = '', who = api.alice) =>
  api.call(who, 'GET', `${EXPIRATIONS}${query}`);

async function rows(api: TestApi, query = '', who = api.alice): Promise<Json[]> {
  return (await get(api, query, who)).body['data'] as Json[];
}

const targets = async (api: TestApi, query = '') =>
  (await rows(api, query)).map(({ target }) => target);

const monitor = (api: TestApi, host: string, more: object = {}) =>
  api.create({ url: `https://${host}`, check_types: ['ssl', 'domain'], ...more });

eachDatabase((_name, open) => {
  it('lists certificates and registrations, the soonest first [47.9, 47.10]', async () => {
    const api = await openApi(await open());
    const now = api.clock.now();
    const { id } = await monitor(api, 'www.one.com', { friendly_name: 'One' });
    const two = await monitor(api, 'two.net', {
      ssl_expiry_threshold: 3,
      domain_expiry_threshold: 60,
    });
    await monitor(api, 'unknown.org');
    await storeExpiry(api, 'ssl', 'www.one.com:443', now + 12 * DAY + HOUR);
    await storeExpiry(api, 'domain', 'one.com', now - HOUR);
    await storeExpiry(api, 'ssl', 'two.net:443', now + 30 * DAY);
    await storeExpiry(api, 'domain', 'two.net', now + 30 * DAY + 2 * HOUR);
    await api.clock.advance(HOUR);
    const { status, body } = await get(api);
    expect([status, body['total'], body['path']]).toEqual([
      200,
      3,
      `https://up.example.com${EXPIRATIONS}`,
    ]);
    const named = { id, name: 'One', url: 'https://www.one.com' };
    const [expired, soon, later] = body['data'] as Json[];
    expect(expired).toEqual({
      type: 'domain',
      monitor: named,
      target: 'one.com',
      expires_at: '2029-12-31T23:00:00.000Z',
      days_left: -1,
      issuer: null,
      registrar: 'A registrar',
      checked_at: '2030-01-01T00:00:00.000Z',
      threshold_days: 30,
    });
    expect(soon).toEqual({
      type: 'ssl',
      monitor: named,
      target: 'www.one.com:443',
      expires_at: '2030-01-13T01:00:00.000Z',
      days_left: 12,
      issuer: 'R11',
      registrar: null,
      checked_at: '2030-01-01T00:00:00.000Z',
      threshold_days: 14,
    });
    expect(later).toMatchObject({ monitor: { id: two.id }, threshold_days: 3, days_left: 29 });
  });

  it('is narrowed by time and type; what has expired is always listed [47.9]', async () => {
    const api = await openApi(await open());
    const now = api.clock.now();
    await monitor(api, 'one.com');
    await storeExpiry(api, 'ssl', 'one.com:443', now - DAY);
    await storeExpiry(api, 'domain', 'one.com', now + 7 * DAY);
    for (const [query, expected] of [
      ['?within_days=0', ['one.com:443']],
      ['?within_days=6', ['one.com:443']],
      ['?within_days=7', ['one.com:443', 'one.com']],
      ['?type=domain', ['one.com']],
      ['?type=ssl', ['one.com:443']],
      ['?type=domain&within_days=6', []],
      ['?per_page=1', ['one.com:443']],
      ['?per_page=1&page=2', ['one.com']],
    ] as const)
      expect([query, await targets(api, query)]).toEqual([query, expected]);
    const after = await get(api, '?per_page=1&page=3');
    expect(after.body).toMatchObject({ total: 2, data: [], from: null, last_page: 2 });
  });

  it('leaves out what is not known, switched off, deleted or of another team [47.10, 47.18]', async () => {
    const api = await openApi(await open());
    const now = api.clock.now();
    const { id: without } = await monitor(api, 'off.com');
    const { id: gone } = await monitor(api, 'gone.com');
    await api.create({ url: 'https://theirs.com', check_types: ['ssl'] }, api.mallory);
    await monitor(api, 'dateless.com', { check_types: ['domain'] });
    for (const host of ['off.com:443', 'gone.com:443', 'theirs.com:443'])
      await storeExpiry(api, 'ssl', host, now + DAY);
    await storeExpiry(api, 'domain', 'dateless.com', null);
    expect(await targets(api)).toEqual(['off.com:443', 'gone.com:443']);
    await api.call(api.alice, 'PUT', `/api/v1/monitors/${without}`, { check_types: [] });
    await api.call(api.alice, 'DELETE', `/api/v1/monitors/${gone}`);
    expect(await targets(api)).toEqual([]);
    expect((await rows(api, '', api.mallory)).map(({ target }) => target)).toEqual([
      'theirs.com:443',
    ]);
  });

  it('lists a shared target for each monitor, with one statement [47.11]', async () => {
    const database = await open();
    const api = await openApi(database);
    const now = api.clock.now();
    for (const path of ['a', 'b', 'c'])
      await monitor(api, `one.com/${path}`, { check_types: ['ssl'] });
    await storeExpiry(api, 'ssl', 'one.com:443', now + DAY);
    let statements = 0;
    const scan = database.scan.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        statements += 1;
        return result;
      },
    });
    const list = listExpirations.create({ database: { ...database, scan }, clock: api.clock });
    const found = await list(callOf(callerOf(api.alice)));
    expect(found.data.map(({ monitor: { url } }) => url)).toEqual([
      'https://one.com/a',
      'https://one.com/b',
      'https://one.com/c',
    ]);
    expect(statements).toBe(1);
  });
});

it('tells no more of a target than since the monitor was created', async () => {
  const api = await openApi(await openInMemory());
  await api.create({ url: 'https://one.com', check_types: ['ssl'] }, api.mallory);
  await storeExpiry(api, 'ssl', 'one.com:443', api.clock.now() + DAY);
  await api.clock.advance(HOUR);
  await monitor(api, 'one.com', { check_types: ['ssl'] });
  expect((await rows(api))[0]).toMatchObject({ checked_at: '2030-01-01T01:00:00.000Z' });
});

const shared = sharedApi();

it.each([
  ['within_days=-1', 'within_days', 'within_days must be a whole number from 0 to 3650.'],
  ['within_days=3651', 'within_days', 'within_days must be a whole number from 0 to 3650.'],
  ['type=dns', 'type', 'type must be one of ssl, domain.'],
  ['per_page=101', 'per_page', 'per_page must be a whole number from 1 to 100.'],
  ['page=0', 'page', 'page must be a whole number of at least 1.'],
])('refuses ?%s [47.9]', async (query, field, message) => {
  const { status, body } = await get(await shared(), `?${query}`);
  expect([status, body['errors']]).toEqual([422, { [field]: [message] }]);
});
