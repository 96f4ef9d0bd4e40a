import { expect, test } from 'vitest';
import { openApi } from '../../test/support/api.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { giveToken } from '../../test/support/people.ts';
import { callTool, contentOf, refusalOf } from '../../test/support/tools.ts';

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

test('a change asks which of several incidents of a monitor is meant [50.25]', async () => {
  const { api, ids } = await withShops();
  const report = async (status: string, minutes: number) => {
    const at = (ago: number) => new Date(api.clock.now() - ago * 60_000).toISOString();
    const ended = status === 'resolved' && { ended_at: at(minutes - 1) };
    const body = { monitor_id: ids[0], started_at: at(minutes), status, ...ended };
    return (await api.call(api.alice, 'POST', '/api/v1/incidents', body)).body['id'] as number;
  };
  const past = [await report('resolved', 90), await report('resolved', 80)];
  const args = { incident_id: 'Shop' };
  const asked = async (tool: string, more: object = {}) =>
    (await refusalOf(api, api.alice, tool, { ...args, ...more })).fields!['incident_id']![0];
  expect(await asked('delete_item', { kind: 'incident' })).toBe(
    `incident_id "Shop" has several incidents: give the id of one, such as ${past[1]} (manual, since 2029-12-31T22:40:00.000Z), ${past[0]} (manual, since 2029-12-31T22:30:00.000Z).`,
  );
  const first = await report('open', 60);
  const acknowledged = await contentOf(api, api.alice, 'acknowledge_incident', args);
  expect(acknowledged['id']).toBe(first);
  await report('open', 50);
  for (const tool of ['acknowledge_incident', 'resolve_incident', 'delete_incident'])
    expect([tool, await asked(tool)]).toEqual([
      tool,
      expect.stringContaining('"Shop" has several open incidents'),
    ]);
  const update = { state: 'identified', text: 'The cause is known.' };
  expect(await asked('add_incident_update', update)).toContain(`${first} (manual, since`);
  const { status } = await contentOf(api, api.alice, 'get_incident', { incident_id: first });
  expect(status).toBe('open');
});

test('a name is looked for beyond the first hundred things [50.25]', async () => {
  const { api, ids } = await withShops();
  for (const at of Array(100).keys())
    await api.create({ friendly_name: `Shop ${at}`, url: `https://s${at}.example.com` });
  const shop = await contentOf(api, api.vera, 'get_monitor', { monitor_id: 'shop' });
  expect(shop['id']).toBe(ids[0]);
});

test('a change by a part of a name says what it took [50.25]', async () => {
  const { api, ids } = await withShops();
  const textOf = async (name: string) => {
    const args = { action: 'pause', ids: [name] };
    return (await callTool(api, api.ed, 'change_monitors', args)).content[0]!.text;
  };
  expect(await textOf('old')).toMatch(
    new RegExp(`^"old" was taken for ${ids[1]} \\(Old shop\\)\\.\\n`),
  );
  expect(await textOf('OLD shop')).not.toContain('taken');
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
