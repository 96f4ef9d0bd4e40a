import { expect, test } from 'vitest';
import { relatedTo } from './rules.ts';

const incident = (id: number, changes: object = {}) => ({
  id,
  monitor_id: id,
  root_cause: `Cause ${id}`,
  started_at: '2030-01-01T12:00:00.000Z',
  ...changes,
});
const MONITORS = [
  { id: 1, target: 'https://shop.example.com/cart', group_id: 5 },
  { id: 2, target: 'shop.example.com:5432' },
  { id: 3, target: 'https://example.org' },
  { id: 4, target: 'https://example.net', group_id: 5 },
];

test.each([
  ['the same host', incident(2), true],
  ['the same group', incident(4), true],
  ['what it depends on', incident(6), true],
  ['the same words', incident(3, { root_cause: 'Cause 1' }), true],
  ['the same monitor', incident(9, { monitor_id: 1 }), true],
  ['nothing in common', incident(3), false],
  ['no cause in common', incident(3, { root_cause: null }), false],
  ['the same host, later', incident(2, { started_at: '2030-01-01T12:31:00.000Z' }), false],
])('%s', (_what, other, isRelated) => {
  expect(relatedTo(incident(1), [incident(1), other], MONITORS, [6])).toEqual(
    isRelated ? [other] : [],
  );
});
