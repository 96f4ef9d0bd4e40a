import { describe, expect, test } from 'vitest';
import { acceptedPlan } from '../../../test/support/accepted.ts';
import { openApi } from '../../../test/support/api.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { operatorContext, runCommand } from '../../../test/support/operator.ts';
import { COLLECTIONS } from '../../resources/nouns.ts';
import { SECTIONS } from '../document.ts';
import { EXPORTED_FIELDS, tocsin } from './tocsin.ts';

const NOW = Date.UTC(2030, 0, 1);

const read = (text: string, team?: string) =>
  tocsin.read({ file: 'export.json', text, now: NOW, ...(team !== undefined && { team }) });

const exported = (...teams: object[]) =>
  JSON.stringify({
    format: 'tocsin-export',
    version: 2,
    users: [{ id: 7, email: 'ann@example.com' }],
    teams,
  });

test('all fields of requests are known', () => {
  const known = COLLECTIONS.filter(({ kinds }) => kinds in EXPORTED_FIELDS).map(
    ({ kinds, declared }) => [
      kinds,
      Object.keys((declared as unknown as { fields: object }).fields).toSorted(),
    ],
  );
  const ours = Object.entries(EXPORTED_FIELDS).map(([section, names]) => [
    section,
    names.toSorted(),
  ]);
  expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(known));
});

test('an export comes back as a set that another team can have', async () => {
  const api = await openApi(await openInMemory());
  const make = async (path: string, body: object) => {
    const answer = await api.call(api.alice, 'POST', `/api/v1${path}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return (answer.body as { id: number }).id;
  };
  const group = await make('/groups', { name: 'Shop' });
  const router = await make('/monitors', {
    monitor_type: 'ping',
    url: 'router.example.com',
    check_interval: 1,
  });
  const shop = await make('/monitors', {
    url: 'https://shop.example.com',
    check_interval: 1,
    group_id: group,
    depends_on: [router],
    auth_type: 'bearer',
    auth_password: 's3cret',
  });
  const channel = await make('/alert-channels', {
    type: 'ntfy',
    name: 'Phone',
    settings: { topic: 's3cret' },
    quiet_hours: { from: '22:00', to: '07:00', timezone: 'UTC' },
  });
  await make('/alert-routes', {
    name: 'Shop',
    monitors: [shop],
    groups: [group],
    channels: [channel],
    escalation: [{ after_minutes: 5, channels: [channel], users: [] }],
  });
  const page = await make('/status-pages', {
    name: 'Ours',
    monitors: [{ id: shop }],
    groups: [{ name: 'Web', monitors: [shop] }],
  });
  await make('/reports', { name: 'Monthly', monitors: [shop], status_page_id: page });
  const { out } = await runCommand(operatorContext(api.database), ['export']);
  const { document } = read(out, 'ours');
  expect(document.monitors).toEqual([
    expect.objectContaining({ key: 'router.example.com', monitor_type: 'ping', check_interval: 1 }),
    {
      key: 'shop.example.com',
      monitor_type: 'http',
      friendly_name: 'https://shop.example.com',
      url: 'https://shop.example.com',
      check_interval: 1,
      group_id: 'shop',
      depends_on: ['router.example.com'],
      auth_type: 'bearer',
      auth_password: { from: `env MONITOR_${shop}_AUTH_PASSWORD` },
    },
  ]);
  expect(document.alert_routes).toMatchObject([
    { monitors: ['shop.example.com'], groups: ['shop'], escalation: [{ channels: ['phone'] }] },
  ]);
  const other = await openApi(await openInMemory());
  const { changes } = await acceptedPlan(other, document);
  expect(changes).toHaveLength(SECTIONS.flatMap((section) => document[section] ?? []).length);
});

describe('what is gone, over or not shown', () => {
  const monitor = { id: 1, monitor_type: 'http', url: 'https://example.com', check_interval: 1 };
  const all = {
    alert_channels: [{ id: 3, type: 'slack', name: 'Ops', settings: { webhook_url: '••••••••' } }],
  };

  test.each<[object, string]>([
    [
      { monitors: [{ id: 1, monitor_type: 'quantum' }] },
      'This release has no monitors of the type quantum.',
    ],
    [
      { alert_channels: [{ id: 1, type: 'new', name: 'x', settings: '••••••••' }] },
      'Its settings are not in the export',
    ],
    [{ maintenance_windows: [{ id: 1, name: 'x', status: 'over' }] }, 'It is over.'],
    [{ maintenance_windows: [{ id: 1, name: 'x', monitors: [99] }] }, 'All that it names is gone.'],
    [{ alert_routes: [{ id: 1, name: 'x', channels: [99] }] }, 'Those that it notifies are gone.'],
    [
      {
        groups: [
          { id: 1, name: 'A' },
          { id: 2, name: 'a' },
        ],
      },
      'It has no name of its own.',
    ],
    [{ incidents: [{ id: 1 }] }, 'A set does not have them.'],
  ])('%j is left out', (team, sentence) => {
    const { report } = read(exported({ slug: 'a', ...team }));
    expect(report.find(({ outcome }) => outcome === 'left_out')?.notes[0]).toContain(sentence);
  });

  test.each<[object, string]>([
    [
      { monitors: [{ ...monitor, request_headers: '••••••••' }] },
      'Its request_headers are left out',
    ],
    [
      {
        monitors: [
          { ...monitor, monitored_regions: ['a'] },
          { ...monitor, id: 2, monitored_regions: ['a', 'b'] },
        ],
      },
      'It is checked from all regions',
    ],
    [
      {
        monitors: [
          { id: 1, monitor_type: 'heartbeat', friendly_name: 'x', heartbeat_interval: 60 },
        ],
      },
      'new ping URL',
    ],
    [
      { ...all, alert_routes: [{ id: 1, name: 'x', users: [7], channels: [3] }] },
      'must be members of the team',
    ],
    [
      { status_pages: [{ id: 1, name: 'x', logo: 'data:', custom_domain: 'status.example.com' }] },
      'upload them again',
    ],
  ])('%j is reported', (team, sentence) => {
    const { report } = read(exported({ slug: 'a', ...team }));
    expect(report.flatMap(({ notes }) => notes).join(' ')).toContain(sentence);
  });

  test('a recurring window goes on with its next occurrence, and a service level with its monitor', () => {
    const window = {
      id: 1,
      name: 'x',
      rrule: 'FREQ=DAILY',
      starts_at: '2020-01-01T00:00:00Z',
      ends_at: '2020-01-01T01:00:00Z',
    };
    const { document } = read(
      exported({
        slug: 'a',
        monitors: [monitor],
        slos: [
          {
            monitor_id: 1,
            target_percent: 99.5,
            window_days: 7,
            burn_rate_alerts: true,
            created_at: '',
          },
        ],
        maintenance_windows: [
          {
            ...window,
            next_starts_at: '2030-01-02T00:00:00Z',
            next_ends_at: '2030-01-02T01:00:00Z',
          },
        ],
      }),
    );
    expect(document.monitors![0]!['slo']).toEqual({
      target_percent: 99.5,
      window_days: 7,
      burn_rate_alerts: true,
    });
    expect(document.maintenance_windows).toMatchObject([
      { starts_at: '2030-01-02T00:00:00Z', ends_at: '2030-01-02T01:00:00Z' },
    ]);
  });
});

test.each<[string, string | undefined, string]>([
  ['', undefined, 'export.json is empty. Give the file that `npm run tocsin -- export` writes.'],
  ['{', undefined, 'export.json ends too early.'],
  ['{"format": "other"}', undefined, 'export.json is no export of Tocsin.'],
  [
    '{"format": "tocsin-export", "version": 3}',
    undefined,
    'is an export of version 3, and version 2 is needed',
  ],
  [exported(), undefined, 'export.json has 0 teams. It has none.'],
  [exported({ slug: 'a' }, { slug: 'b' }), undefined, 'export.json has 2 teams. Name one of a, b.'],
  [exported({ slug: 'a' }, { slug: 'b' }), 'c', 'export.json has no team c. Name one of a, b.'],
])('refuses text %# of team %s', (text, team, message) => {
  expect(() => read(text, team)).toThrow(message);
});
