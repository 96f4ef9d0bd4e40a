import { expect, test } from 'vitest';
import type { Plan } from '../../resources/configuration/plan.ts';
import { driftText, planText } from './print.ts';

const PLAIN = { isDetailed: false, hasColors: false };
const named = { kind: 'monitor', section: 'monitors' as const, id: 1 };
const field = (name: string, before: unknown, after: unknown, isSecret = false) => ({
  field: name,
  before,
  after,
  is_secret: isSecret,
});

const EMPTY: Plan = {
  name: 'shop',
  fingerprint: 'f',
  is_empty: true,
  changes: [],
  drift: [],
  left_alone: { monitors: 3 },
  kept: [],
  warnings: [],
};

const PLAN: Plan = {
  ...EMPTY,
  is_empty: false,
  changes: [
    {
      action: 'create',
      ...named,
      key: 'website',
      name: 'Website',
      fields: [field('type', null, 'http')],
    },
    { action: 'create', ...named, key: 'plain', name: 'plain', fields: [] },
    {
      action: 'update',
      ...named,
      key: 'api',
      name: 'API',
      fields: [field('check_interval', 1, 5)],
    },
    {
      action: 'update',
      ...named,
      key: 'two',
      name: 'T\u001b[31mwo',
      fields: [
        field('auth_password', '••••••••', '••••••••', true),
        field('tags', null, ['a', 'x'.repeat(80)]),
      ],
    },
    { action: 'adopt', ...named, key: 'old', name: 'Old', fields: [field('port', 1, null)] },
    { action: 'retire', ...named, key: 'past', name: 'past', fields: [] },
    { action: 'delete', ...named, key: 'gone', name: 'Gone', fields: [field('port', 1, null)] },
  ],
  drift: [
    {
      action: 'updated',
      ...named,
      key: 'api',
      name: 'API',
      fields: [{ field: 'check_interval', applied: 5, current: 1 }],
      changed_by: [
        { actor: 'Ann\u202e <ann@example.com>', at: '2026-11-21T12:00:00Z', verb: 'updated' },
      ],
    },
    { action: 'deleted', ...named, key: 'two', name: 'Two', fields: [], changed_by: [] },
  ],
  kept: [{ ...named, key: 'kept', name: 'Kept' }],
  warnings: ['Look\nhere.'],
};

test('a plan is shown with a line for each thing', () => {
  expect(planText(PLAN, PLAIN)).toBe(`+ monitors website  "Website"
+ monitors plain
~ monitors api  check_interval 1 → 5
~ monitors two  "T\\u001b[31mwo"
    auth_password (secret) changes
    tags none → ["a","${'x'.repeat(54)}…
= monitors old  port 1 → none
- monitors past  is paused and released, as it has a history: --delete-history deletes it
- monitors gone  "Gone"

Changed by others since it was last applied:
! monitors api  check_interval 5 → 1  (updated by Ann\\u202e <ann@example.com> at 2026-11-21T12:00:00Z)
! monitors two  deleted

  monitors kept is no longer in the files and stays: see --prune and --delete-history.

Warning: Look\\u000ahere.

2 to create, 2 to change, 1 to delete, 1 to pause and release, 1 to take over.
`);
});

test('every field is shown with --detailed, and what is left alone', () => {
  const text = planText(PLAN, { ...PLAIN, isDetailed: true });
  expect(text).toContain('+ monitors website  "Website"\n    type http\n');
  expect(text).toContain('~ monitors api  "API"\n    check_interval 1 → 5\n');
  expect(text).toContain(`    tags none → ["a","${'x'.repeat(80)}"]\n`);
  expect(text).toContain('\n3 monitors of no set, or another one, are left alone.\n');
});

test('marks have colors where they are seen', () => {
  const text = planText(PLAN, { ...PLAIN, hasColors: true });
  expect(text.startsWith('\u001b[32m+\u001b[0m monitors website')).toBe(true);
});

test('nothing to do, and no drift', () => {
  expect(planText(EMPTY, PLAIN)).toBe('Nothing to do.\n');
  expect(driftText(EMPTY, PLAIN)).toBe('No drift.\n');
  expect(driftText(PLAN, PLAIN)).toMatch(
    /^! monitors api .*\n! monitors two {2}deleted\n2 drifted\.\n$/,
  );
});
