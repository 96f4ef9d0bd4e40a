import { expect, test } from 'vitest';
import { openApi } from '../../test/support/api.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { callTool, contentOf } from '../../test/support/tools.ts';

const SECRET = 'planted-secret';

test('names the fields that changed, with values that can be no secret [50.27]', async () => {
  const api = await openApi(await openInMemory());
  const { id } = await api.create({ url: `https://shop.example.com/?key=${SECRET}` });
  await api.call(api.ed, 'PUT', `/api/v1/monitors/${id}`, {
    check_interval: 3,
    friendly_name: 'Shop',
    url: `https://shop.example.com/?other=${SECRET}`,
    request_headers: { 'X-Key': SECRET },
    tags: [SECRET],
  });
  await api.call(api.ed, 'POST', `/api/v1/monitors/${id}/pause`);
  const args = { target_type: 'monitor', target_id: id };
  const { entries } = await contentOf(api, api.alice, 'list_audit_log', args);
  expect(entries.map((one: { action: string }) => one.action)).toEqual([
    'monitor.paused',
    'monitor.updated',
    'monitor.created',
  ]);
  expect(entries[1]).toMatchObject({ actor: 'Ed', target: 'Shop', via: 'token' });
  expect(entries[1].changes).toEqual(
    expect.arrayContaining([
      { field: 'check_interval', before: 1, after: 3 },
      { field: 'friendly_name', before: null, after: 'Shop' },
      { field: 'url' },
    ]),
  );
  // The name of a monitor without one is its address.
  expect(entries[2]).toMatchObject({ target: 'https://shop.example.com/?…', changes: [] });
  const detailed = await callTool(api, api.alice, 'list_audit_log', { ...args, detail: true });
  expect(JSON.stringify(detailed)).not.toContain(SECRET);
  expect(JSON.stringify(detailed)).not.toContain('ed@example.com');
});

test('shows the address of somebody who is invited with detail alone [50.27]', async () => {
  const api = await openApi(await openInMemory());
  await api.call(api.alice, 'POST', '/api/v1/users/invitations', {
    email: 'new@acme.example',
    role: 'viewer',
  });
  const targetOf = async (args: object) =>
    (await contentOf(api, api.alice, 'list_audit_log', { action: 'invitation.created', ...args }))
      .entries[0].target;
  expect(await targetOf({})).toBe('…@acme.example');
  expect(await targetOf({ detail: true })).toBe('new@acme.example');
});
