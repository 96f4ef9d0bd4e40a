import { may, type Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { EDITORS_FIELDS, SECRET_FIELDS } from '../../monitor-types/settings.ts';
import type { MonitorPage } from '../../store/resources/monitor-list.ts';
import type { MonitorReads, MonitorRow } from '../../store/resources/monitors.ts';
import { viewMonitor, type ViewDeps } from './view.ts';

/** Views of the monitors of a page, written as JSON. */
export interface WrittenViews {
  /** In the order of the page, without monitors that no longer exist. */
  texts: string[];
  /** Epoch milliseconds until which they are valid while the stamps of the page stay; 0 for those that must not be kept. */
  validUntil: number;
}

/** Cached views of monitors. */
export interface MonitorViews {
  of(caller: Caller, page: Pick<MonitorPage, 'ids' | 'stamps'>): Promise<WrittenViews>;
}

/** Maximum number of cached views, of about 1.2 kB each. */
const MAX_CACHED = 5_000;

interface CachedView {
  /** Line of the stamps of its page. */
  stamp: string;
  text: string;
  /** Epoch milliseconds at which a time in it changes; 0 for a view that is not cached. */
  validUntil: number;
  /** Whether it is the view of callers who may update, or of the others; null when they see the same. */
  isForEditors: boolean | null;
}

/**
 * Caches the views of monitors as JSON, since lists repeat them and most fields change only by edits. The stamps of a page
 * show which views are still valid. Monitors with secrets are never cached; one with settings that only editors see is
 * cached for those who see the same of it.
 */
export function createMonitorViews(
  deps: ViewDeps & { clock: Pick<Clock, 'now'> },
  reads: MonitorReads,
): MonitorViews {
  const { clock } = deps;
  const cached = new Map<number, CachedView>();

  function cache(row: MonitorRow, view: CachedView): void {
    cached.delete(row.id);
    if (view.validUntil === 0) return;
    cached.set(row.id, view);
    if (cached.size > MAX_CACHED) cached.delete(cached.keys().next().value!);
  }

  return {
    async of(caller, { ids, stamps }) {
      const now = clock.now();
      const isEditor = may(caller, 'update');
      const found = new Map<number, CachedView>();
      const outdated = new Map<number, string>();
      for (const stamp of linesOf(stamps)) {
        const id = Number.parseInt(stamp, 10);
        const known = cached.get(id);
        const isForCaller = (known?.isForEditors ?? isEditor) === isEditor;
        if (known?.stamp === stamp && isForCaller && now < known.validUntil) found.set(id, known);
        else outdated.set(id, stamp);
      }
      for (const row of await reads.whole(caller.team.id, [...outdated.keys()])) {
        const view = viewMonitor(row, caller, deps, now);
        const written: CachedView = {
          stamp: outdated.get(row.id)!,
          text: JSON.stringify(view),
          validUntil: holdsSecret(row) ? 0 : nextChange(row, view),
          isForEditors: hasEditorsField(row) ? isEditor : null,
        };
        cache(row, written);
        found.set(row.id, written);
      }
      const inOrder = ids.flatMap((id) => found.get(id) ?? []);
      return {
        texts: inOrder.map(({ text }) => text),
        validUntil: Math.min(...inOrder.map(({ validUntil }) => validUntil)),
      };
    },
  };
}

/** The next check changes when it is due, and what is known of a push monitor with the next mark of a process. */
function nextChange(
  row: MonitorRow,
  { next_check_at: next, observed_until: known }: ReturnType<typeof viewMonitor>,
): number {
  const at = row.check_interval === null ? known : next;
  return at === null ? Infinity : Date.parse(at);
}

function linesOf(stamps: string): string[] {
  return stamps === '' ? [] : stamps.split('\n');
}

function holdsSecret(row: MonitorRow): boolean {
  return SECRET_FIELDS.some((name) => row[name] !== null);
}

function hasEditorsField(row: MonitorRow): boolean {
  return EDITORS_FIELDS.some((name) => (row as Record<string, unknown>)[name] !== null);
}
