import { may, type Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { EDITORS_FIELDS, SECRET_FIELDS } from '../../monitor-types/settings.ts';
import type { MonitorReads, MonitorRow, MonitorStamp } from '../../store/resources/monitors.ts';
import { viewMonitor, type ViewDeps } from './view.ts';

type View = ReturnType<typeof viewMonitor>;

/** Cached views of monitors. */
export interface MonitorViews {
  /** Views in the order of the ids, without monitors that no longer exist. */
  of(caller: Caller, ids: readonly number[]): Promise<View[]>;
}

/** Maximum number of cached views, of about 2 kB each. */
const MAX_CACHED = 5_000;

interface CachedView {
  stamp: MonitorStamp;
  view: View;
  /** Epoch milliseconds of the next check, which changes then. */
  validUntil: number;
  /** Whether it is the view of callers who may update, or of the others; null when they see the same. */
  isForEditors: boolean | null;
}

/**
 * Caches the views of monitors, since lists repeat them and most fields change only by edits. A request reads only the
 * stamps that show which views are still valid. Monitors with secrets are never cached; one with settings that only
 * editors see is cached for those who see the same of it.
 */
export function createMonitorViews(
  deps: ViewDeps & { clock: Pick<Clock, 'now'> },
  reads: MonitorReads,
): MonitorViews {
  const { clock } = deps;
  const cached = new Map<number, CachedView>();

  function cache(row: MonitorRow, view: View, isEditor: boolean): void {
    cached.delete(row.id);
    if (holdsSecret(row)) return;
    const validUntil = view.next_check_at === null ? Infinity : Date.parse(view.next_check_at);
    const isForEditors = hasEditorsField(row) ? isEditor : null;
    cached.set(row.id, { stamp: stampOf(row), view, validUntil, isForEditors });
    if (cached.size > MAX_CACHED) cached.delete(cached.keys().next().value!);
  }

  return {
    async of(caller, ids) {
      const now = clock.now();
      const isEditor = may(caller, 'update');
      const found = new Map<number, View>();
      for (const stamp of await reads.stamps(caller.team.id, ids)) {
        const known = cached.get(stamp.id);
        const isForCaller = (known?.isForEditors ?? isEditor) === isEditor;
        if (known && isForCaller && now < known.validUntil && isSame(known.stamp, stamp)) {
          found.set(stamp.id, known.view);
        }
      }
      const others = ids.filter((id) => !found.has(id));
      for (const row of await reads.whole(caller.team.id, others)) {
        const view = viewMonitor(row, caller, deps, now);
        cache(row, view, isEditor);
        found.set(row.id, view);
      }
      return ids.flatMap((id) => found.get(id) ?? []);
    },
  };
}

function holdsSecret(row: MonitorRow): boolean {
  return SECRET_FIELDS.some((name) => row[name] !== null);
}

function hasEditorsField(row: MonitorRow): boolean {
  return EDITORS_FIELDS.some((name) => (row as Record<string, unknown>)[name] !== null);
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
