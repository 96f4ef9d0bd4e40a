import { expect, test } from 'vitest';
import { openApi } from '../../test/support/api.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { giveToken } from '../../test/support/people.ts';
import { contentOf, refusalOf } from '../../test/support/tools.ts';

async function withShops() {
  const api = await openApi(await openInMemory());
  const made = [];
  for (const name of ['Shop', 'Old shop', 'Shopping list'])
    made.push(await api.create({ friendly_name: name, tags: ['shop'] }));
  const unnamed = await api.create({ url: 'https://blog.example.com/?key=secret' });
  return { api, ids: made.map(({ id }) => id), unnamed: unnamed.id };
}

test('an argument that takes an id takes a name, whole or in part [50.25]', async () => {
  const { api, ids, unnamed } = await withShops();
  for (const [name, id] of [
    ['Shop', ids[0]],
    ['SHOP', ids[0]],
    ['old', ids[1]],
    ['shopping', ids[2]],
    ['blog.example', unnamed],
    [String(ids[1]), ids[1]],
  ])
    expect([
      name,
      (await contentOf(api, api.vera, 'get_monitor', { monitor_id: name })).id,
    ]).toEqual([name, id]);
});

test('lists of ids take names [50.25]', async () => {
  const { api, ids } = await withShops();
  const args = { action: 'pause', ids: ['Shop', ids[1], 'shopping list'], dry_run: true };
  expect((await contentOf(api, api.ed, 'change_monitors', args)).monitor_ids).toEqual(ids);
});

test('a name of several things or of none is refused, with the ids to choose from [50.25]', async () => {
  const { api, ids } = await withShops();
  const several = await refusalOf(api, api.vera, 'get_monitor', { monitor_id: 'hop' });
  expect(several.fields!['monitor_id']![0]).toContain(`"hop" fits 3 monitors`);
  for (const [at, name] of ['Shop', 'Old shop', 'Shopping list'].entries())
    expect(several.fields!['monitor_id']![0]).toContain(`${ids[at]} (${name})`);
  const none = await refusalOf(api, api.vera, 'get_monitor', { monitor_id: 'Nothing' });
  expect(none.fields).toEqual({
    monitor_id: ['monitor_id names no monitor of your team: "Nothing".'],
  });
  const other = await refusalOf(api, api.mallory, 'get_monitor', { monitor_id: 'Shop' });
  expect(other.fields!['monitor_id']![0]).toContain('names no monitor');
});

test('an incident goes by its monitor, the open one first [50.25]', async () => {
  const { api, ids } = await withShops();
  const report = async (status: string, minutes: number) => {
    const at = (ago: number) => new Date(api.clock.now() - ago * 60_000).toISOString();
    const body = {
      monitor_id: ids[0],
      started_at: at(minutes),
      status,
      ...(status === 'resolved' && { ended_at: at(minutes - 1) }),
    };
    return (await api.call(api.alice, 'POST', '/api/v1/incidents', body)).body['id'] as number;
  };
  const shown = async (name: string) =>
    (await contentOf(api, api.vera, 'get_incident', { incident_id: name })).id;
  const over = await report('resolved', 10);
  expect(await shown('Shop')).toBe(over);
  const open = await report('open', 60);
  await report('resolved', 5);
  expect(await shown('Shop')).toBe(open);
  const { fields } = await refusalOf(api, api.vera, 'get_incident', { incident_id: 'Old shop' });
  expect(fields).toEqual({ incident_id: ['incident_id "Old shop" has had no incident.'] });
});

test('a caller who may not list things finds none by their names [50.25]', async () => {
  const { api } = await withShops();
  const writer = await giveToken(api.database, api.alice, {
    now: api.clock.now(),
    permissions: ['update'],
  });
  const args = { monitor_id: 'Shop' };
  expect(await refusalOf(api, writer, 'pause_monitor', args)).toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('"read"'),
  });
  const channel = { of: 'channel', id: 'On call' };
  expect((await refusalOf(api, api.ed, 'list_deliveries', channel)).code).toBe('forbidden');
});
