import { expect, test } from 'vitest';
import type { MemberRow } from '../../store/alerting/alert-facts.ts';
import { totalsOf } from './content.ts';

const NOW = 1_000_000;

/** An outage of a monitor of the same number. */
function row(id: number, incident: object | null = {}, more: Partial<MemberRow> = {}): MemberRow {
  const base = {
    id,
    type: 'uptime',
    root_cause: 'HTTP 503',
    started_at: 1_000 * id,
    ended_at: null,
    acknowledged_at: null,
  };
  return {
    alertId: 1,
    incidentId: id,
    monitorId: id,
    joinedAt: 1_000 * id,
    hasSuccessor: false,
    removedAt: null,
    removedSeverity: null,
    incident: incident && ({ ...base, ...incident } as MemberRow['incident']),
    ...more,
  };
}
const totals = (rows: MemberRow[]) => totalsOf(rows, (id) => id !== 999, NOW);

test('since the first of all, while one goes on', () => {
  const many = Array.from({ length: 500 }, (_, index) => row(index + 1));
  expect(totals([...many, row(501, { acknowledged_at: 5, ended_at: 600_000 })])).toEqual({
    from: 1_000,
    to: null,
    open: 500,
    acknowledged: 0,
    monitors: 501,
    isAllDown: true,
    isSameCause: true,
  });
});

test('until the last of all, also of what was deleted', () => {
  const ended = row(3, { ended_at: 9_000 });
  expect(totals([ended, row(4, null, { removedAt: 9_500 })])).toMatchObject({
    from: 3_000,
    to: 9_500,
    open: 0,
  });
  expect(totals([ended, row(999, {}, { removedAt: 12_000 })])).toMatchObject({ to: 12_000 });
});

test('other causes, types and acknowledgements', () => {
  const mixed = [
    row(1, { acknowledged_at: 5 }),
    row(2, { type: 'ssl' }),
    row(3, {}, { monitorId: 1 }),
  ];
  expect(totals(mixed)).toMatchObject({
    acknowledged: 1,
    monitors: 2,
    isAllDown: false,
    isSameCause: false,
  });
});
