import { describe, expect, test } from 'vitest';
import { openApi } from '../../test/support/api.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { callTool, contentOf, refusalOf, resultOf } from '../../test/support/tools.ts';

async function withMonitors() {
  const api = await openApi(await openInMemory());
  const shop = await api.create({ friendly_name: 'Shop', tags: ['shop'] });
  await api.create({ friendly_name: 'Blog' });
  return { api, shop };
}

describe('start_maintenance', () => {
  test('covers the monitors that it names, and ends early unless told otherwise', async () => {
    const { api, shop } = await withMonitors();
    const args = { name: 'Release', minutes: 20, monitors: [shop.id] };
    const { content, structuredContent } = await callTool(api, api.ed, 'start_maintenance', args);
    expect(structuredContent).toEqual({
      id: 1,
      name: 'Release',
      status: 'active',
      active_until: '2030-01-01T00:20:00.000Z',
      next_starts_at: null,
      next_ends_at: null,
      is_for_whole_team: false,
      monitors_covered: 1,
      good_rounds: 5,
      warnings: [],
      rrule: null,
    });
    expect(content[0]!.text).toContain(
      'Maintenance 1, Release, is active until 2030-01-01T00:20:00.000Z. It covers 1 monitor.',
    );
  });

  test('takes null for good_rounds, and says so in its schema', async () => {
    const { api } = await withMonitors();
    const args = { tags: ['shop'], good_rounds: null };
    const shown = await contentOf(api, api.ed, 'start_maintenance', args);
    expect(shown).toMatchObject({ good_rounds: null, monitors_covered: 1 });
    const { tools } = await resultOf<{ tools: { name: string; inputSchema: any }[] }>(api, api.ed, {
      method: 'tools/list',
    });
    const { properties } = tools.find(({ name }) => name === 'start_maintenance')!.inputSchema;
    expect(properties.good_rounds.type).toEqual(['integer', 'null']);
    expect(properties.minutes.type).toBe('integer');
  });

  test('says when it covers the whole team', async () => {
    const { api } = await withMonitors();
    const { content, structuredContent } = await callTool(api, api.ed, 'start_maintenance');
    expect(structuredContent).toMatchObject({ is_for_whole_team: true, monitors_covered: 2 });
    expect(content[0]!.text).toContain('It covers the whole team, 2 monitors.');
  });
});

describe('maintenance windows', () => {
  const PLANNED = {
    name: 'Database upgrades',
    starts_at: '2030-01-06T02:00:00Z',
    ends_at: '2030-01-06T03:30:00Z',
    rrule: 'FREQ=WEEKLY;BYDAY=SU',
  };

  test.each([
    ['start_maintenance', {}],
    ['schedule_maintenance', PLANNED],
  ])('%s says nothing to visitors that nobody agreed to [50.17]', async (tool, args) => {
    const { api } = await withMonitors();
    const said = { ...args, description: 'Pay at https://example.org instead.' };
    expect((await refusalOf(api, api.ed, tool, said)).fields).toHaveProperty('description');
    expect(await contentOf(api, api.ed, 'list_maintenance')).toMatchObject({ total: 0 });
  });

  test('are scheduled, listed compactly, and shown with detail', async () => {
    const { api, shop } = await withMonitors();
    const other = Array.from({ length: 30 }, (_, at) => `tag-${at}`);
    const args = { ...PLANNED, timezone: 'Europe/Berlin', monitors: [shop.id], tags: other };
    const made = await contentOf(api, api.ed, 'schedule_maintenance', args);
    const compact = {
      id: made['id'],
      name: 'Database upgrades',
      status: 'scheduled',
      active_until: null,
      next_starts_at: '2030-01-06T02:00:00.000Z',
      next_ends_at: '2030-01-06T03:30:00.000Z',
      is_for_whole_team: false,
      monitors_covered: 1,
      good_rounds: null,
      warnings: [],
      rrule: 'FREQ=WEEKLY;BYDAY=SU',
    };
    expect(made).toEqual(compact);
    expect(await contentOf(api, api.vera, 'list_maintenance')).toEqual({
      total: 1,
      maintenance_windows: [compact],
      next_cursor: null,
    });
    const detailed = { maintenance_id: made['id'], detail: true };
    expect(await contentOf(api, api.vera, 'get_maintenance', detailed)).toEqual({
      ...compact,
      starts_at: '2030-01-06T02:00:00.000Z',
      ends_at: '2030-01-06T03:30:00.000Z',
      timezone: 'Europe/Berlin',
      monitors_total: 1,
      monitors: [shop.id],
      groups_total: 0,
      groups: [],
      tags_total: 30,
      tags: other,
    });
  });

  test('that cover nothing warn', async () => {
    const { api } = await withMonitors();
    const shown = await contentOf(api, api.ed, 'schedule_maintenance', {
      ...PLANNED,
      tags: ['shpo'],
    });
    expect(shown['warnings']).toEqual([expect.stringContaining('covers no monitor')]);
  });

  test('end once: the second time there is nothing to end', async () => {
    const { api } = await withMonitors();
    await contentOf(api, api.ed, 'start_maintenance');
    await api.clock.advance(60_000);
    const args = { maintenance_id: 1 };
    expect(await contentOf(api, api.ed, 'end_maintenance', args)).toMatchObject({
      status: 'over',
      active_until: null,
    });
    const refusal = await refusalOf(api, api.ed, 'end_maintenance', args);
    expect(refusal.code).toBe('conflict');
  });

  test('are deleted after a dry run that shows them', async () => {
    const { api } = await withMonitors();
    await contentOf(api, api.ed, 'schedule_maintenance', PLANNED);
    const args = { maintenance_id: 1 };
    const { confirmation, target } = await contentOf(api, api.ed, 'delete_maintenance', args);
    expect(target).toMatchObject({ id: 1, name: 'Database upgrades', is_for_whole_team: true });
    const done = { ...args, dry_run: false, confirmation };
    expect(await contentOf(api, api.ed, 'delete_maintenance', done)).toMatchObject({
      is_done: true,
    });
    expect(await contentOf(api, api.ed, 'list_maintenance')).toMatchObject({ total: 0 });
  });
});
