import { expect, test } from 'vitest';
import { kindOf, nextState, shortAddress, displayStatusOf } from './facts.ts';

test.each([
  ['incident', 'investigating', 'identified'],
  ['incident', 'monitoring', 'resolved'],
  ['incident', 'resolved', 'resolved'],
  ['maintenance', 'scheduled', 'in_progress'],
] as const)('the next update of %s %s suggests %s', (kind, state, next) => {
  expect(nextState({ kind, state })).toBe(next);
});

test.each([
  ['https://up.example.com/status/acme', '/status/acme'],
  ['https://up.example.com/tocsin/status/acme', '/tocsin/status/acme'],
  ['https://status.acme.example/', 'status.acme.example'],
  ['https://status.acme.example', 'status.acme.example'],
])('%s is shown as %s', (url, text) => {
  expect(shortAddress({ url })).toBe(text);
});

test('states belong to a kind', () => {
  expect(kindOf('monitoring')).toBe('incident');
  expect(kindOf('completed')).toBe('maintenance');
});

const OPEN = {
  id: 1,
  kind: 'incident',
  title: null,
  impact: 'minor',
  started_at: '',
  planned_until: null,
  monitors: [],
  status_pages: [],
  post_mortem: null,
  state: 'investigating',
  ended_at: null,
  origin: 'person',
  incidents: [],
  created_at: '',
  updated_at: '',
} as const satisfies Parameters<typeof displayStatusOf>[0];

test.each([
  [{}, 'degraded'],
  [{ impact: 'critical' }, 'offline'],
  [{ ended_at: '2026-11-23T00:00:00Z' }, 'online'],
  [{ kind: 'maintenance', state: 'scheduled' }, 'pending'],
  [{ kind: 'maintenance', state: 'in_progress' }, 'maintenance'],
] as const)('shape of %j', (changes, displayStatus) => {
  expect(
    displayStatusOf({ ...OPEN, ...changes, monitors: [], status_pages: [], incidents: [] }),
  ).toBe(displayStatus);
});
