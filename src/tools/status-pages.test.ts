import { expect, test } from 'vitest';
import { BASE_URL, openApi } from '../../test/support/api.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { updateRows } from '../../test/support/rows.ts';
import { callTool, contentOf } from '../../test/support/tools.ts';

const SECRETS = {
  password: 'open-sesame-9',
  css: '.planted-css{}',
  query: 'planted-query',
  address: 'reader@planted.example',
};

async function withPage() {
  const api = await openApi(await openInMemory());
  const shop = await api.create({ url: `https://shop.example.com/?key=${SECRETS.query}` });
  const job = await api.create({
    monitor_type: 'heartbeat',
    heartbeat_interval: 60,
    friendly_name: 'Backup',
  });
  const blog = await api.create({ friendly_name: 'Blog' });
  const states = { shop: 'online', job: 'offline', blog: 'online' };
  for (const [name, status] of Object.entries(states)) {
    const { id } = { shop, job, blog }[name]!;
    await updateRows(api.database, 'monitor_state', { status } as object, { monitor_id: id });
  }
  const made = await api.call(api.alice, 'POST', '/api/v1/status-pages', {
    name: 'Acme',
    description: 'How we are doing',
    custom_domain: 'status.acme.example',
    settings: { custom_css: SECRETS.css },
    access: { type: 'password', password: SECRETS.password },
    monitors: [{ id: shop.id }, { id: job.id }, { id: blog.id, label: 'News' }],
    groups: [{ name: 'Inside', monitors: [job.id] }],
  });
  expect(made.status, made.text).toBe(201);
  const id = made.body.id;
  const subscriber = { email: SECRETS.address };
  await api.call(api.alice, 'POST', `/api/v1/status-pages/${id}/subscribers`, subscriber);
  await updateRows(api.database, 'status_page', { domain_error: 'No record, only evil text' });
  return { api, id, shop, job, blog };
}

const ACME = {
  name: 'Acme',
  url: `${BASE_URL}/status/acme`,
  access: 'password',
  services_total: 3,
  services_not_online: 1,
  warnings: [expect.stringContaining('status.acme.example is not verified yet')],
};

const MORE = {
  custom_domain: 'status.acme.example',
  domain_verified: false,
  description: 'How we are doing',
  language: 'en',
  timezone: 'UTC',
  updated_at: '2030-01-01T00:00:00.000Z',
};

test('pages are listed with their addresses and what is not online', async () => {
  const { api, id } = await withPage();
  const compact = await contentOf(api, api.vera, 'list_status_pages', { search: 'acm' });
  expect(compact).toEqual({ total: 1, status_pages: [{ id, ...ACME }], next_cursor: null });
  const detailed = await contentOf(api, api.vera, 'list_status_pages', { detail: true });
  expect(detailed['status_pages']).toEqual([{ id, ...ACME, ...MORE }]);
  const theirs = await contentOf(api, api.mallory, 'list_status_pages');
  expect(theirs).toEqual({ total: 0, status_pages: [], next_cursor: null });
});

test('a page shows its services, those that are not online first', async () => {
  const { api, id, shop, job, blog } = await withPage();
  const args = { status_page_id: id };
  const { content, structuredContent } = await callTool(api, api.vera, 'get_status_page', args);
  expect(structuredContent).toEqual({
    id,
    ...ACME,
    services: [
      { monitor_id: job.id, name: `${BASE_URL}/ping/…`, status: 'offline', group: 'Inside' },
      {
        monitor_id: shop.id,
        name: 'https://shop.example.com/?…',
        status: 'online',
        group: null,
      },
      { monitor_id: blog.id, name: 'News', status: 'online', group: null },
    ],
  });
  expect(content[0]!.text).toContain(
    `Status page ${id}, Acme, is at ${BASE_URL}/status/acme. It shows 3 services, 1 of them not online.`,
  );
  const detailed = await contentOf(api, api.vera, 'get_status_page', { ...args, detail: true });
  expect(detailed).toMatchObject({
    ...MORE,
    domain_error: { from_target: 'No record, only evil text' },
  });
});

test('no secret of a page is in any answer [50.16]', async () => {
  const { api, id, job } = await withPage();
  const { body: stored } = await api.call(api.alice, 'GET', `/api/v1/monitors/${job.id}`);
  const [, pingToken = ''] = /\/ping\/(.{20,})/.exec(String(stored['ping_url']))!;
  const answers = [
    await callTool(api, api.alice, 'list_status_pages', { detail: true }),
    await callTool(api, api.alice, 'get_status_page', { status_page_id: id, detail: true }),
  ];
  const shown = JSON.stringify(answers);
  for (const secret of [...Object.values(SECRETS), pingToken, 'tocsin-verification'])
    expect(shown).not.toContain(secret);
});
