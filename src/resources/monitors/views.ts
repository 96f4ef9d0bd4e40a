import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { SECRET_FIELDS } from '../../monitor-types/settings.ts';
import type { MonitorReads, MonitorRow, MonitorStamp } from '../../store/resources/monitors.ts';
import { viewMonitor, type ViewDeps } from './view.ts';

type View = ReturnType<typeof viewMonitor>;

/** How the monitors of a page look. */
export interface MonitorViews {
  /** In the order of the ids; those that are gone are left out. */
  of(caller: Caller, ids: readonly number[]): Promise<View[]>;
}

/** About 2 kB each. */
const KEPT = 5_000;

interface Kept {
  stamp: MonitorStamp;
  view: View;
  /** Epoch milliseconds of its next check: from then on another one is the next. */
  until: number;
}

/**
 * Lists show the same monitors again and again, and most of what they show changes only when somebody edits them: so
 * views are kept, and each request reads just what tells whether they still hold. One that looks different to
 * different callers, as it holds secrets, is never kept.
 */
export function createMonitorViews(
  deps: ViewDeps & { clock: Pick<Clock, 'now'> },
  reads: MonitorReads,
): MonitorViews {
  const { clock } = deps;
  const kept = new Map<number, Kept>();

  function keep(row: MonitorRow, view: View): void {
    kept.delete(row.id);
    if (holdsSecret(row)) return;
    const until = view.next_check_at === null ? Infinity : Date.parse(view.next_check_at);
    kept.set(row.id, { stamp: stampOf(row), view, until });
    if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
  }

  return {
    async of(caller, ids) {
      const now = clock.now();
      const found = new Map<number, View>();
      for (const stamp of await reads.stamps(caller.team.id, ids)) {
        const known = kept.get(stamp.id);
        if (known && now < known.until && isSame(known.stamp, stamp)) {
          found.set(stamp.id, known.view);
        }
      }
      const others = ids.filter((id) => !found.has(id));
      for (const row of await reads.whole(caller.team.id, others)) {
        const view = viewMonitor(row, caller, deps, now);
        keep(row, view);
        found.set(row.id, view);
      }
      return ids.flatMap((id) => found.get(id) ?? []);
    },
  };
}

function holdsSecret(row: MonitorRow): boolean {
  return SECRET_FIELDS.some((name) => row[name] !== null);
}

const STAMP_FIELDS = [
  'id',
  'version',
  'group_id',
  'depends_on',
  'status',
  'last_slot',
  'last_checked_at',
  'run_at',
  'last_heartbeat_at',
  'heartbeat_expected_at',
] as const satisfies (keyof MonitorStamp)[];

function stampOf(row: MonitorRow): MonitorStamp {
  return Object.fromEntries(
    STAMP_FIELDS.map((name) => [name, row[name]]),
  ) as unknown as MonitorStamp;
}

function isSame(a: MonitorStamp, b: MonitorStamp): boolean {
  return STAMP_FIELDS.every((name) => a[name] === b[name]);
}
