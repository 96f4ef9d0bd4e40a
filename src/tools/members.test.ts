import { expect, test } from 'vitest';
import { openApi } from '../../test/support/api.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { contentOf, refusalOf } from '../../test/support/tools.ts';

const member = (id: number, name: string, role: string) => ({ id, name, role, status: 'active' });

test('members come with their roles, and with detail their e-mail addresses; never how they sign in', async () => {
  const api = await openApi(await openInMemory());
  const expected = [
    member(api.alice.personId, 'Alice', 'owner'),
    member(api.ed.personId, 'Ed', 'editor'),
    member(api.vera.personId, 'Vera', 'viewer'),
  ];
  expect(await contentOf(api, api.vera, 'list_members')).toEqual({
    total: 3,
    members: expected,
    next_cursor: null,
  });
  const { members } = await contentOf(api, api.vera, 'list_members', { detail: true, limit: 1 });
  expect(members).toEqual([
    { ...expected[0], email: 'alice@example.com', added_at: '2030-01-01T00:00:00.000Z' },
  ]);
  const theirs = await contentOf(api, api.mallory, 'list_members');
  expect(theirs['members']).toMatchObject([{ name: 'Mallory' }]);
  const refusal = await refusalOf(api, api.vera, 'list_members', { role: 'owner' });
  expect(Object.keys(refusal.fields!)).toEqual(['role']);
});
