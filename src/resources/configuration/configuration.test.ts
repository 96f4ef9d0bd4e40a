import { expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import type { Plan } from './run.ts';

const PLAN = '/api/v1/configuration/plan';
const APPLY = '/api/v1/configuration/apply';

const SHOP = {
  name: 'shop',
  groups: [
    { key: 'eu', name: 'Europe', parent_id: 'shop' },
    { key: 'shop', name: 'Shop' },
  ],
  monitors: [
    {
      key: 'website',
      friendly_name: 'Website',
      url: 'https://example.com',
      check_interval: 1,
      group_id: 'eu',
      tags: ['shop'],
      depends_on: ['router'],
      slo: { target_percent: 99.5 },
    },
    {
      key: 'router',
      monitor_type: 'ping',
      url: '198.51.100.7',
      check_interval: 5,
      is_paused: true,
    },
    {
      key: 'backup',
      monitor_type: 'cron',
      friendly_name: 'Backup',
      heartbeat_cron_expression: '0 2 * * *',
    },
  ],
  alert_channels: [
    {
      key: 'on-call',
      type: 'ntfy',
      name: 'On call',
      settings: { topic: { from: 'env TOPIC', value: 'tocsin-x7' } },
    },
  ],
  alert_routes: [
    {
      key: 'shop',
      name: 'Shop',
      groups: ['shop'],
      channels: ['on-call'],
      users: ['alice@example.com'],
    },
  ],
  webhook_endpoints: [
    { key: 'chat', name: 'Chat', url: { from: 'env HOOK', value: 'https://hooks.example.com/a' } },
  ],
  maintenance_windows: [
    {
      key: 'nightly',
      name: 'Nightly',
      monitors: ['website'],
      starts_at: '2030-01-06T02:00',
      ends_at: '2030-01-06T03:00',
      rrule: 'FREQ=WEEKLY',
      timezone: 'Europe/Berlin',
    },
  ],
  status_pages: [
    {
      key: 'public',
      name: 'Status',
      monitors: [{ id: 'website', label: 'Shop' }],
      groups: [{ name: 'All', monitors: ['website'] }],
      access: { type: 'password', password: { from: 'env PAGE', value: 'correct horse battery' } },
    },
  ],
  reports: [
    {
      key: 'monthly',
      name: 'Monthly',
      monitors: ['website'],
      group_id: 'shop',
      status_page_id: 'public',
    },
  ],
  update_templates: [
    { key: 'outage', name: 'Outage', state: 'investigating', text: 'We look into it.' },
  ],
};

async function planOf(api: TestApi, document: object, more: object = {}) {
  const { status, body, text } = await api.call(api.alice, 'POST', PLAN, { document, ...more });
  expect(status, text).toBe(200);
  return body as unknown as Plan;
}

async function apply(api: TestApi, document: object, more: object = {}) {
  const { status, body, text } = await api.call(api.alice, 'POST', APPLY, { document, ...more });
  expect(status, text).toBe(200);
  return body as unknown as Plan;
}

eachDatabase((_name, open) => {
  it('plans a set, applies it, and has nothing left to do', async () => {
    const api = await openApi(await open());
    const plan = await planOf(api, SHOP);
    expect(plan.is_empty).toBe(false);
    expect(plan.changes.map(({ action, section, key }) => `${action} ${section} ${key}`)).toEqual([
      'create groups eu',
      'create groups shop',
      'create monitors website',
      'create monitors router',
      'create monitors backup',
      'create alert_channels on-call',
      'create alert_routes shop',
      'create webhook_endpoints chat',
      'create maintenance_windows nightly',
      'create status_pages public',
      'create reports monthly',
      'create update_templates outage',
    ]);
    expect((await api.call(api.alice, 'GET', '/api/v1/monitors')).body['total']).toBe(0);
    const done = await apply(api, SHOP);
    expect(done.fingerprint).toBe(plan.fingerprint);
    const again = await planOf(api, SHOP);
    expect(again.changes).toEqual([]);
    expect(again.drift).toEqual([]);
    expect(again.is_empty).toBe(true);
  });
});
