import { expect, test } from 'vitest';
import { openApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { ALL_TYPES, LEAST } from '../../../test/support/monitor-bodies.ts';
import { updateRows } from '../../../test/support/rows.ts';

const MONITORS = '/api/v1/monitors';

async function idsOf(api: TestApi, query: string): Promise<number[]> {
  const { status, body, text } = await api.call(api.alice, 'GET', `${MONITORS}?${query}`);
  expect(status, text).toBe(200);
  return (body['data'] as { id: number }[]).map(({ id }) => id);
}

eachDatabase((_name, open) => {
  test('pages cut a stable order: each monitor once [4.5, 4.18]', async () => {
    const api = await openApi(await open());
    const created = [];
    for (let index = 0; index < 7; index += 1)
      created.push((await api.create({ check_interval: 1 + (index % 2) })).id);
    for (const sort of ['url', 'status', 'check_interval', 'last_checked_at', 'created_at']) {
      const seen = [];
      for (const page of [1, 2, 3, 4])
        seen.push(...(await idsOf(api, `sort=${sort}&per_page=2&page=${page}`)));
      expect(seen.toSorted((a, b) => a - b)).toEqual(created);
    }
  });

  test('orders: newest first by default, nulls last, ties by id, texts byte by byte [4.12, 4.13, 4.16, 4.17, 4.18, 4.19, 4.20, 6.19]', async () => {
    const api = await openApi(await open());
    await api.create({}, api.mallory);
    const { id: a } = await api.create({ url: 'https://B.example', check_interval: 5 });
    await api.clock.advance(1_000);
    const { id: b } = await api.create({ url: 'https://a.example', check_interval: 1 });
    const { id: c } = await api.create({ url: 'https://ä.example', check_interval: 5 });
    const { id: d } = await api.create({ ...LEAST.heartbeat, url: null, check_interval: null });
    await updateRows(
      api.database,
      'monitor_state',
      { last_checked_at: 5, status: 'offline' },
      { monitor_id: b },
    );
    for (const [query, ids] of [
      ['', [d, c, b, a]],
      ['direction=asc', [a, b, c, d]],
      ['direction=desc', [d, c, b, a]],
      // The ping url of a push monitor is no part of this order.
      ['sort=url', [d, a, b, c]],
      ['sort=url&direction=desc', [c, b, a, d]],
      ['sort=check_interval', [b, a, c, d]],
      ['sort=check_interval&direction=desc', [c, a, b, d]],
      ['sort=last_checked_at', [b, a, c, d]],
      ['sort=last_checked_at&direction=desc', [b, d, c, a]],
      ['sort=created_at', [a, b, c, d]],
      ['sort=created_at&direction=desc', [d, c, b, a]],
      ['sort=status', [b, a, c, d]],
      ['sort=status&direction=desc', [d, c, a, b]],
    ] as const)
      expect([query, await idsOf(api, query)]).toEqual([query, ids]);
  });

  test('search matches part of the url whatever the case, and % _ \\ stand for themselves [4.21]', async () => {
    const api = await openApi(await open());
    const urls = [
      'https://x.example/100%25',
      'https://x.example/a_b',
      'https://x.example/aXb',
      'https://ÄÖ.example/',
    ];
    const ids: number[] = [];
    for (const url of urls)
      ids.push((await api.create({ url, friendly_name: 'needle', tags: ['needle'] })).id);
    const backslash = await api.create({ url: 'https://x.example/?\\d' });
    const found = async (search: string) =>
      (await idsOf(api, `sort=created_at&search=${encodeURIComponent(search)}`)).toSorted(
        (x, y) => x - y,
      );
    expect(await found('X.EXAMPLE')).toEqual([ids[0], ids[1], ids[2], backslash.id]);
    expect(await found('%')).toEqual([ids[0]]);
    expect(await found('_')).toEqual([ids[1]]);
    expect(await found('a_b')).toEqual([ids[1]]);
    expect(await found('\\')).toEqual([backslash.id]);
    expect(await found('äö')).toEqual([ids[3]]);
    expect(await found('needle')).toEqual([]);
    expect(await found("' or 1=1 --")).toEqual([]);
  });

  test('q also looks at the name and at each tag [4.22]', async () => {
    const api = await openApi(await open());
    const named = await api.create({ friendly_name: 'The Shop_Front' });
    const tagged = await api.create({ tags: ['prod"uction', 'EU'] });
    await api.create();
    expect(await idsOf(api, 'q=SHOP_')).toEqual([named.id]);
    expect(await idsOf(api, 'q=d%22u')).toEqual([tagged.id]);
    expect(await idsOf(api, 'q=eu')).toEqual([tagged.id]);
    expect(await idsOf(api, 'q=%2C')).toEqual([]);
    expect(await idsOf(api, 'q=%5B')).toEqual([]);
    expect(await idsOf(api, 'q=example.com')).toHaveLength(3);
  });

  test('filters by status, type and interval, and by all of them [4.23, 4.24]', async () => {
    const api = await openApi(await open());
    const ids: number[] = [];
    for (const type of ALL_TYPES) ids.push((await api.create(LEAST[type])).id);
    const { id: quick } = await api.create({ url: 'https://quick.example', check_interval: 0.5 });
    for (const [index, type] of ALL_TYPES.entries())
      expect((await idsOf(api, `type=${type}`)).at(-1)).toBe(ids[index]);
    expect(await idsOf(api, 'type=ping')).toEqual([ids[1]]);
    expect(await idsOf(api, 'interval=0.5')).toEqual([quick]);
    expect(await idsOf(api, 'interval=7')).toEqual([]);
    expect(await idsOf(api, 'interval=1.0')).toEqual([ids[2], ids[1], ids[0]]);
    for (const [index, status] of ['online', 'offline', 'degraded'].entries()) {
      await updateRows(
        api.database,
        'monitor_state',
        { status: status as 'online' },
        { monitor_id: ids[index]! },
      );
      expect(await idsOf(api, `status=${status}`)).toEqual([ids[index]]);
    }
    expect(await idsOf(api, 'status=pending')).toEqual([quick, ids[4], ids[3]]);
    expect(await idsOf(api, 'status=online&type=http&interval=1&search=COM')).toEqual([ids[0]]);
    expect(await idsOf(api, 'status=online&type=ping&interval=1&search=COM')).toEqual([]);
  });

  test('filters by tag: exactly, and by all of several [4.31]', async () => {
    const api = await openApi(await open());
    const both = await api.create({ tags: ['EU', 'shop, "big"'] });
    const one = await api.create({ tags: ['EU'] });
    const other = await api.create({ tags: ['eu', 'EU-west'] });
    await api.create({ tags: ['EU'] }, api.mallory);
    expect(await idsOf(api, 'tag=EU')).toEqual([one.id, both.id]);
    expect(await idsOf(api, 'tag=eu')).toEqual([other.id]);
    expect(await idsOf(api, 'tag=EU&tag=shop,%20%22big%22')).toEqual([both.id]);
    expect(await idsOf(api, 'tag=EU&tag=eu')).toEqual([]);
    expect(await idsOf(api, 'tag=nope')).toEqual([]);
    const put = (tags: string[]) => api.call(api.alice, 'PUT', `${MONITORS}/${one.id}`, { tags });
    await put(['new', 'new']);
    expect(await idsOf(api, 'tag=new')).toEqual([one.id]);
    expect(await idsOf(api, 'tag=EU')).toEqual([both.id]);
    await put([]);
    expect(await idsOf(api, 'tag=new')).toEqual([]);
    await api.call(api.alice, 'DELETE', `${MONITORS}/${both.id}`);
    expect(await idsOf(api, 'tag=EU')).toEqual([]);
  });

  test('filters by group with its subgroups, and by region, with all others [4.32, 4.33]', async () => {
    const api = await openApi(await open());
    const group = async (body: object, who = api.alice) =>
      (await api.call(who, 'POST', '/api/v1/groups', body)).body.id;
    const parent = await group({ name: 'Shops' });
    const child = await group({ name: 'Shops EU', parent_id: parent });
    const { id: a } = await api.create({ group_id: parent, monitored_regions: ['ash'] });
    const { id: b } = await api.create({ group_id: child, tags: ['x'], url: 'https://b.example' });
    const { id: c } = await api.create({ monitored_regions: ['pdx'] });
    expect(await idsOf(api, `group_id=${parent}`)).toEqual([b, a]);
    expect(await idsOf(api, `group_id=${child}`)).toEqual([b]);
    expect(await idsOf(api, 'region=ash')).toEqual([b, a]);
    expect(await idsOf(api, 'region=pdx&sort=created_at')).toEqual(
      [b, c].toSorted((x, y) => x - y),
    );
    const all = `group_id=${parent}&region=ash&tag=x&search=B.EX&q=b&type=http&status=pending&interval=1`;
    expect(await idsOf(api, all)).toEqual([b]);
    expect(await idsOf(api, `${all.replace('pending', 'online')}`)).toEqual([]);
    const { body } = await api.call(
      api.alice,
      'GET',
      `${MONITORS}?group_id=${parent}&tag=x&tag=x&per_page=1`,
    );
    expect([body['total'], body['last_page_url']]).toEqual([
      1,
      `https://up.example.com/api/v1/monitors?group_id=${parent}&tag=x&tag=x&per_page=1&page=1`,
    ]);
    const foreign = await group({ name: 'Theirs' }, api.mallory);
    for (const [query, field, predicate] of [
      [`group_id=${foreign}`, 'group_id', 'must be a group of your team'],
      ['group_id=x', 'group_id', 'must be a whole number of at least 1'],
      ['region=mars', 'region', 'must be one of ash, pdx, nbg, sin'],
      [`tag=${'x'.repeat(51)}`, 'tag.0', 'must be text of 1 to 50 characters'],
      ['tag=a&'.repeat(21), 'tag', 'must be given at most 20 times'],
    ] as const) {
      const refused = await api.call(api.alice, 'GET', `${MONITORS}?${query}`);
      expect([refused.status, refused.body['errors']]).toEqual([
        422,
        { [field]: [`${field} ${predicate}.`] },
      ]);
    }
  });
});
