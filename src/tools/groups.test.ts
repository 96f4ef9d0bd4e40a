import { expect, test } from 'vitest';
import { openApi } from '../../test/support/api.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { contentOf, refusalOf } from '../../test/support/tools.ts';

const PRODUCTION = {
  id: 1,
  name: 'Production',
  description: 'What customers see',
  parent_id: null,
  sort_order: 10,
  monitors_count: 0,
};

async function withGroup() {
  const api = await openApi(await openInMemory());
  const args = { name: 'Production', description: 'What customers see', sort_order: 10 };
  const made = await contentOf(api, api.ed, 'create_group', args);
  return { api, made };
}

const namesOf = ({ groups }: Record<string, any>) =>
  groups.map(({ name }: { name: string }) => name);

test('groups are created, listed and shown', async () => {
  const { api, made } = await withGroup();
  expect(made).toEqual(PRODUCTION);
  await api.create({ group_id: 1 });
  const shown = { ...PRODUCTION, monitors_count: 1 };
  expect(await contentOf(api, api.vera, 'list_groups')).toEqual({
    total: 1,
    groups: [shown],
    next_cursor: null,
  });
  expect(await contentOf(api, api.vera, 'get_group', { group_id: 1 })).toEqual(shown);
  expect(await contentOf(api, api.mallory, 'list_groups')).toMatchObject({ total: 0, groups: [] });
});

test('a list that comes whole is read page by page', async () => {
  const { api } = await withGroup();
  for (const name of ['B', 'C']) await contentOf(api, api.ed, 'create_group', { name });
  const first = await contentOf(api, api.vera, 'list_groups', { limit: 2 });
  expect([first['total'], namesOf(first)]).toEqual([3, ['B', 'C']]);
  const second = await contentOf(api, api.vera, 'list_groups', { cursor: first['next_cursor'] });
  expect([namesOf(second), second['next_cursor']]).toEqual([['Production'], null]);
});

test('an update replaces the whole group', async () => {
  const { api } = await withGroup();
  const changed = await contentOf(api, api.ed, 'update_group', { group_id: 1, name: 'Staging' });
  expect(changed).toEqual({ ...PRODUCTION, name: 'Staging', description: null, sort_order: 0 });
});

test('a group is deleted after a dry run that shows it, and its monitors stay', async () => {
  const { api } = await withGroup();
  const monitor = await api.create({ group_id: 1 });
  const args = { group_id: 1 };
  const { confirmation, target } = await contentOf(api, api.ed, 'delete_group', args);
  expect(target).toEqual({ ...PRODUCTION, monitors_count: 1 });
  await contentOf(api, api.ed, 'delete_group', { ...args, dry_run: false, confirmation });
  expect((await refusalOf(api, api.ed, 'get_group', args)).code).toBe('not_found');
  const { status } = await api.call(api.ed, 'GET', `/api/v1/monitors/${monitor.id}`);
  expect(status).toBe(200);
});
