import { beforeEach, describe, expect, test } from 'vitest';
import { createRegions } from '../../src/model/regions.ts';
import { openApi, type TestApi } from '../support/api.ts';
import { openInMemory } from '../support/memory-database.ts';
import type { TestPerson } from '../support/people.ts';
import { callTool, refusalOf } from '../support/tools.ts';
import { REGIONS } from '../support/rounds.ts';

/** The first team, and the id that it gets. */
const ALICES_TEAM = 1;
const OFFICE = { code: 'office', title: 'Office Berlin' };
const SHARED = REGIONS.map((code) => ({ code, title: code.toUpperCase() }));
const INSIDE = 'https://10.0.0.5/';
const inside = (more: object = {}) => ({
  url: INSIDE,
  check_interval: 1,
  friendly_name: 'Intranet',
  monitored_regions: ['office'],
  ...more,
});

const targetRule = (host: string) =>
  host === '10.0.0.5' ? ({ allowed: false, reason: 'is a private address' } as const) : null;

let api: TestApi;
beforeEach(async () => {
  const regions = createRegions(SHARED, [{ ...OFFICE, teamId: ALICES_TEAM }]);
  api = await openApi(await openInMemory(), { regions, targetRule });
  const { id } = await api.database.read
    .selectFrom('team')
    .select('id')
    .where('slug', '=', 'ours')
    .executeTakeFirstOrThrow();
  expect(id).toBe(ALICES_TEAM);
});

async function errorsOf(who: TestPerson, method: string, path: string, body?: object) {
  const { status, body: answer, text } = await api.call(who, method, `/api/v1${path}`, body);
  expect(status, text).toBe(422);
  return (answer as unknown as { errors: Record<string, string[]> }).errors;
}

/** Stores a list of regions as one that was saved when the region was another team's. */
async function storeRegions(id: unknown, codes: readonly string[]): Promise<void> {
  await api.database.transaction((tx) =>
    tx
      .updateTable('monitor')
      .set({ monitored_regions: JSON.stringify(codes) })
      .where('id', '=', id as number)
      .execute(),
  );
}

describe('the team of a private region', () => {
  test('lists it after the shared ones, and nobody else does [14.22]', async () => {
    const codesOf = async (who: TestPerson) => {
      const { body } = await api.call(who, 'GET', '/api/v1/regions');
      return (body as unknown as { data: { code: string; is_private?: boolean }[] }).data;
    };
    const ours = await codesOf(api.vera);
    expect(ours.map(({ code }) => code)).toEqual([...REGIONS, 'office']);
    expect(ours.at(-1)).toMatchObject({ title: 'Office Berlin', is_private: true });
    expect(ours.slice(0, -1).some((region) => 'is_private' in region)).toBe(false);
    const theirs = await codesOf(api.mallory);
    expect(theirs).toEqual(ours.slice(0, -1));
    const { structuredContent } = await callTool(api, api.mallory, 'list_regions');
    expect(JSON.stringify(structuredContent)).not.toMatch(/"office","title"|Berlin/);
    const listed = await callTool(api, api.alice, 'list_regions');
    expect(JSON.stringify(listed.structuredContent)).toContain('"is_private":true');
  });

  test('uses it only where it names it [14.23]', async () => {
    const monitor = await api.create();
    expect(monitor['monitored_regions']).toEqual(REGIONS);
    await api.call(api.alice, 'GET', '/api/v1/check-url?url=https://example.com/');
    expect(api.checks.map(({ region }) => region)).toEqual(REGIONS);
    const { id } = await api.create({ monitored_regions: ['ash', 'office'] });
    const list = await api.call(api.alice, 'GET', '/api/v1/monitors?region=office');
    expect(list.body['data']).toMatchObject([{ id }]);
    const overview = await api.call(api.alice, 'GET', '/api/v1/monitors/overview');
    expect(overview.body['regions']).toEqual([...REGIONS, 'office']);
  });

  test('may aim at private addresses from there alone [14.24]', async () => {
    const created = await api.create(inside());
    expect(created).toMatchObject({ url: INSIDE, monitored_regions: ['office'] });
    for (const regions of [undefined, ['office', 'ash'], ['ash']])
      expect(
        await errorsOf(api.alice, 'POST', '/monitors', inside({ monitored_regions: regions })),
      ).toEqual({ url: [expect.stringContaining('which is a private address')] });
    const path = `/monitors/${created['id']}`;
    for (const regions of [null, ['ash'], ['office', 'ash']])
      expect(await errorsOf(api.alice, 'PUT', path, { monitored_regions: regions })).toEqual({
        monitored_regions: [expect.stringContaining('must stay private regions')],
      });
    const renamed = await api.call(api.alice, 'PUT', `/api/v1${path}`, { friendly_name: 'Wiki' });
    expect(renamed.status).toBe(200);
    const moved = { url: 'https://example.com/', monitored_regions: ['ash'] };
    expect((await api.call(api.alice, 'PUT', `/api/v1${path}`, moved)).status).toBe(200);
  });

  test('checks a private address at once from there alone [10.13]', async () => {
    const ask = (regions: string) =>
      api.call(api.alice, 'GET', `/api/v1/check-url?url=${INSIDE}${regions}`);
    for (const regions of ['', '&regions=office,ash', '&regions=ash'])
      expect((await ask(regions)).status).toBe(422);
    expect(api.checks).toEqual([]);
    const { body } = await ask('&regions[]=office');
    expect(body).toMatchObject({ total_regions: 1, results: [{ name: 'Office Berlin' }] });
    expect(api.checks.map(({ region }) => region)).toEqual(['office']);
  });

  test('has its inspections run there, under a name that no other team shares [22.17]', async () => {
    const { id } = await api.create(inside({ check_types: ['ssl'] }));
    await api.call(api.alice, 'POST', `/api/v1/monitors/${id}/check`);
    await api.call(api.alice, 'POST', '/api/v1/monitors/test', inside({ check_types: ['ssl'] }));
    expect(api.inspectionRegions).toEqual(['office', 'office']);
    expect(api.inspections).toMatchObject([{ host: '10.0.0.5', port: 443 }, { host: '10.0.0.5' }]);
    const mixed = { url: 'https://shop.test/', check_types: ['ssl'] };
    await api.create({ ...mixed, monitored_regions: ['office', 'ash'] });
    await api.create({ ...mixed, monitored_regions: ['office'] });
    await api.create(mixed, api.mallory);
    const rows = await api.database.read.selectFrom('inspection').select('target').execute();
    expect(rows.map(({ target }) => target).toSorted()).toEqual([
      'office@1 10.0.0.5:443',
      'office@1 shop.test:443',
      'shop.test:443',
    ]);
  });
});

const unnamed = (value: unknown, code: string) => JSON.stringify(value).replaceAll(code, 'CODE');

describe('another team', () => {
  const EVERYWHERE: [what: string, method: string, path: string, body: (code: string) => object][] =
    [
      ['creates', 'POST', '/monitors', (code) => inside({ monitored_regions: [code] })],
      ['tests', 'POST', '/monitors/test', (code) => inside({ monitored_regions: [code] })],
    ];

  test.each(EVERYWHERE)(
    'that %s hears what it hears of a region that does not exist [14.25]',
    async (_what, method, path, body) => {
      const [foreign, unknown] = [
        await errorsOf(api.mallory, method, path, body('office')),
        await errorsOf(api.mallory, method, path, body('moon')),
      ];
      expect(foreign['monitored_regions'] ?? foreign['monitored_regions.0']).toBeDefined();
      expect(unnamed(foreign, 'office')).toBe(unnamed(unknown, 'moon'));
      expect(JSON.stringify(foreign)).not.toContain('office');
      expect(api.checks).toEqual([]);
      expect(api.inspections).toEqual([]);
    },
  );

  test('is refused the region by every other route in the same way [14.25]', async () => {
    const { id } = await api.create({}, api.mallory);
    const answersFor = async (code: string) => [
      await errorsOf(api.mallory, 'PUT', `/monitors/${id}`, { monitored_regions: [code] }),
      await errorsOf(api.mallory, 'GET', `/monitors?region=${code}`),
      await errorsOf(api.mallory, 'GET', `/monitors/${id}/results?region=${code}`),
      await errorsOf(api.mallory, 'GET', `/check-url?url=https://example.com/&regions=${code}`),
      await errorsOf(api.mallory, 'POST', '/monitors/actions', {
        action: 'pause',
        filter: { region: code },
      }),
      (
        await api.call(
          api.mallory,
          'POST',
          '/api/v1/monitors/validate',
          inside({ monitored_regions: [code] }),
        )
      ).body,
      (
        await api.call(api.mallory, 'POST', '/api/v1/monitors/bulk', {
          monitors: [inside({ monitored_regions: [code] })],
        })
      ).body,
      await refusalOf(api, api.mallory, 'create_monitor', inside({ monitored_regions: [code] })),
    ];
    const foreign = await answersFor('office');
    expect(unnamed(foreign, 'office')).toBe(unnamed(await answersFor('moon'), 'moon'));
    expect(JSON.stringify(foreign)).not.toContain('Berlin');
    expect(api.checks).toEqual([]);
  });

  test('whose monitor names the region of old is not checked there [14.25]', async () => {
    const { id } = await api.create({ check_types: ['ssl'] }, api.mallory);
    await storeRegions(id, ['office']);
    const check = await api.call(api.mallory, 'POST', `/api/v1/monitors/${id}/check`);
    expect([check.status, check.text]).toEqual([503, expect.stringContaining('No probe')]);
    const tested = await api.call(api.mallory, 'POST', '/api/v1/monitors/test', { id });
    expect(tested.body).toMatchObject({ verdict: { status: 'unknown' } });
    expect(api.checks).toEqual([]);
    expect(api.inspections).toEqual([]);
    const { body } = await api.call(api.mallory, 'GET', '/api/v1/attention');
    expect(body['data']).toMatchObject([{ kind: 'region', severity: 'critical' }]);
  });
});

test('a monitor that loses its region goes on with the others, or says that none is left [14.26]', async () => {
  const { id } = await api.create();
  await storeRegions(id, ['lost', 'nbg']);
  api.deadRegions.add('lost');
  const { body } = await api.call(api.alice, 'POST', `/api/v1/monitors/${id}/check`);
  expect(body).toMatchObject({ uptime: { checked_from_region: 'nbg' } });
  await storeRegions(id, ['lost']);
  const without = await api.call(api.alice, 'POST', `/api/v1/monitors/${id}/check`);
  expect([without.status, without.text]).toEqual([503, expect.stringContaining('No probe')]);
  const attention = await api.call(api.alice, 'GET', '/api/v1/attention');
  expect(attention.body['data']).toMatchObject([
    { kind: 'region', severity: 'critical', text: expect.stringContaining('lost') },
  ]);
});
