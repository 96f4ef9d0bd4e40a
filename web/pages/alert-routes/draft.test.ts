import { expect, it } from 'vitest';
import { bodyOf, draftOf, NEW_ROUTE, withStep } from './draft.ts';

const ROUTE = {
  id: 1,
  name: 'Shop',
  monitors: [3],
  groups: [],
  tags: ['prod'],
  severities: ['critical' as const],
  channels: [7],
  users: [],
  reminder_minutes: 30,
  escalation: [{ after_minutes: 15, channels: [], users: [2] }],
  sort_order: 0,
  scope: 'some' as const,
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
};

it('sends a stored route as it is', () => {
  const { id: _id, sort_order: _order, scope: _scope, ...rest } = ROUTE;
  const { created_at: _created, updated_at: _updated, ...settings } = rest;
  expect(bodyOf(draftOf(ROUTE))).toEqual(settings);
});

it('does not turn a route that matches nothing into one for all monitors', () => {
  const gone = { ...ROUTE, monitors: [], tags: [], scope: 'nothing' as const };
  expect(draftOf(gone).scope.isAll).toBe(false);
  expect(draftOf({ ...gone, scope: 'everything' }).scope.isAll).toBe(true);
});

it('adds steps a quarter of an hour apart, each with a key of its own', () => {
  const steps = withStep(withStep(NEW_ROUTE.escalation));
  expect(steps.map(({ after_minutes, key }) => [after_minutes, key])).toEqual([
    ['15', 0],
    ['30', 1],
  ]);
});
