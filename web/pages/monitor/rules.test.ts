import { expect, it } from 'vitest';
import type { Incident } from '../../app/api.gen.ts';
import {
  conditionsOf,
  displayStatusOfDay,
  monitorDisplayStatus,
  newestByRegion,
  openIncidents,
  slotOf,
} from './rules.ts';

const NOW = 1_000_000;

it.each([
  ['online', false, undefined, 'online'],
  ['offline', false, NOW / 1_000 + 60, 'maintenance'],
  ['offline', false, NOW / 1_000 - 60, 'offline'],
  ['offline', true, NOW / 1_000 + 60, 'paused'],
  ['pending', false, undefined, 'pending'],
] as const)(
  '%s, paused %s, maintenance until %s: %s',
  (status, is_paused, until, displayStatus) => {
    const summary = until === undefined ? {} : { maintenance_until: until };
    expect(monitorDisplayStatus({ status, is_paused }, summary, NOW)).toBe(displayStatus);
  },
);

it('a monitor that is not observed is unknown, whatever it was', () => {
  const monitor = { status: 'online' as const, is_paused: false };
  expect(monitorDisplayStatus(monitor, { observed_until: 5 }, NOW)).toBe('unknown');
});

it('shows the worst open incident first, then the oldest', () => {
  const incidents = [
    incident(1, 'warning', '2026-01-01T00:00:00Z'),
    incident(2, 'critical', '2026-01-03T00:00:00Z'),
    incident(3, 'critical', '2026-01-02T00:00:00Z'),
    { ...incident(4, 'critical', '2026-01-01T00:00:00Z'), status: 'resolved' } as Incident,
  ];
  expect(openIncidents({ incidents }).map(({ id }) => id)).toEqual([3, 2, 1]);
});

it('finds the newest result of each region, in their order', () => {
  const results = [result('nbg', '2'), result('ash', '1'), result('nbg', '3'), result('sin', '9')];
  expect(newestByRegion(['ash', 'nbg', 'pdx'], results)).toEqual([
    { region: 'ash', result: results[1] },
    { region: 'nbg', result: results[2] },
    { region: 'pdx', result: null },
  ]);
});

it('writes each condition of the content', () => {
  const text = {
    contains: (phrase: string) => `+${phrase}`,
    lacks: (phrase: string) => `-${phrase}`,
  };
  const conditions = conditionsOf(
    {
      keyword_settings: {
        keywords: [
          { phrase: 'Basket', mode: 'must_contain' },
          { phrase: 'Error', mode: 'must_not_contain' },
        ],
      },
      json_assertion_settings: {
        assertions: [
          { path: 'status', operator: 'equals', value: 'ok' },
          { path: 'id', operator: 'exists' },
        ],
      },
    },
    text,
  );
  expect(conditions).toEqual(['+Basket', '-Error', 'status = "ok"', '∃ id']);
});

it('draws a day without any observation as such, never as up', () => {
  expect(slotOf({ status: 'unobserved' })).toBe('?');
  expect(displayStatusOfDay({ status: 'unobserved' })).toBe('unknown');
  expect(displayStatusOfDay({ status: 'maintenance' })).toBe('maintenance');
});

function incident(id: number, severity: Incident['severity'], started_at: string) {
  return { id, severity, started_at, status: 'open' } as Incident;
}

function result(region: string, checked_at: string) {
  return { region, checked_at };
}
