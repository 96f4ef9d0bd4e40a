import { expect, test } from 'vitest';
import { changesOf, fieldText } from './audit-values.ts';

const NAMES = {
  monitors: [{ id: 7, name: 'Shop' }],
  groups: [{ id: 7, name: 'Data' }],
  people: [{ id: 2, name: 'Bo' }],
  tags: [],
};
const NAMING = { now: Date.parse('2030-01-02T00:00:00Z'), zone: 'UTC', names: NAMES };
const ADA = { id: 1, name: 'Ada <ada@example.com>' };
const INVITED = { type: 'invitation', id: 3, name: 'bo@example.com' } as const;

test.each([
  [null, null, []],
  [null, { name: 'Shop', id: 3, tags: [] }, ['Name: null → Shop']],
  [{ name: 'Shop' }, null, ['Name: Shop → null']],
  [
    { tags: ['a'], port: 80, group_id: null },
    { tags: ['a', 'b'], port: 81, group_id: 7 },
    ['Tags: a → a, b', 'Port: 80 → 81', 'Group: null → Data'],
  ],
  [{ monitors: [7, 8] }, { monitors: [] }, ['Monitors: Shop, #8 → null']],
  [null, { is_paused: true, acknowledged_at: '2030-01-01T00:00:00Z', acknowledged_by: 1 }, []],
  [null, { acknowledged_by: 2 }, ['Acknowledged by: null → Bo']],
  [{ ends_at: '2030-01-01T14:02:00.000Z' }, null, ['Ends at: yesterday, 14:02 → null']],
  [
    { quiet_hours: null },
    { quiet_hours: { from: '22:00', allow_critical: true } },
    ['Quiet hours: null → From: 22:00; Allow critical: Yes'],
  ],
  // A secret that was replaced looks the same before and after.
  [
    { auth_password: '••••••••' },
    { auth_password: '••••••••' },
    ['Auth password: •••••••• → ••••••••'],
  ],
  [null, { email: 'bo@example.com', role: 'viewer' }, ['Role: null → Viewer']],
  [
    null,
    { kind: 'webhook', period: 'last_month' },
    ['Kind: null → Webhook', 'Period: null → last month'],
  ],
  [{ logo: null }, { logo: 'kfcu0po9' }, ['Logo: null → a new image']],
  [{ logo_dark: 'kfcu0po9' }, { logo_dark: '26cdbZXT' }, ['Logo for dark: an image → a new image']],
  [
    { monitored_regions: ['nbg'] },
    { monitored_regions: ['nbg', 'own'] },
    ['Monitored regions: Nuremberg → Nuremberg, own'],
  ],
  [{ severities: ['info'] }, { severities: ['critical'] }, ['Severities: Info → Critical']],
])('from %j to %j these fields change', (before, after, changes) => {
  const found = changesOf({ before, after, actor: ADA, target: INVITED }, NAMING);
  expect(found.map(({ label, before: was, after: is }) => `${label}: ${was} → ${is}`)).toEqual(
    changes,
  );
});

test('a field is called as in its form', () => {
  expect(['check_interval', 'webhook_url', 'timezone', 'rrule', 'url'].map(fieldText)).toEqual([
    'Interval',
    'Webhook address',
    'Time zone',
    'Repeats',
    'URL',
  ]);
});
