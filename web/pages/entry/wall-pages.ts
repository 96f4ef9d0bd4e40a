import type { WallView } from '../../app/api.gen.ts';
import { displayStatusOf, type DisplayStatus } from '../../lib/display-status.ts';
import type { Words } from '../../words/index.ts';

export type WallMonitor = WallView['monitors'][number] & { displayStatus: DisplayStatus };

/** Time from an answer to the next question. */
export const POLL_MS = 10_000;
/** Without an answer for this long the screen says so: three polls, and a while for the last one. */
const SILENT_MS = 32_000;

/** Since when (epoch ms) there is no news, where that is longer than a poll that was lost; null while there is. */
export function silentSince(news: number, now: number): number | null {
  return now - news < SILENT_MS ? null : news;
}

/** Monitors that a screen shows at once, large enough to be read from five meters. */
const ON_A_PAGE = 24;
/** Those that need a look come first. */
const ORDER: readonly DisplayStatus[] = [
  'offline',
  'degraded',
  'unknown',
  'maintenance',
  'pending',
  'paused',
  'online',
];

function shown(monitor: WallView['monitors'][number]): WallMonitor {
  const displayStatus = displayStatusOf({
    status: monitor.status,
    is_paused: monitor.is_paused === true,
    in_maintenance: monitor.maintenance_until !== undefined,
    is_unobserved: monitor.observed_until !== undefined,
  });
  return { ...monitor, displayStatus };
}

const orderOf = (a: WallMonitor, b: WallMonitor) =>
  ORDER.indexOf(a.displayStatus) - ORDER.indexOf(b.displayStatus) || a.name.localeCompare(b.name);

/** Pages of a screen: a group each, or parts of a large one; monitors without a group come last, under the name of the team. */
export function pagesOf({
  team,
  groups,
  monitors,
}: Pick<WallView, 'team' | 'groups' | 'monitors'>) {
  const known = new Set(groups.map(({ id }) => id));
  const parts = [
    ...groups.map(({ id, name }) => ({ name, own: monitors.filter((one) => one.group_id === id) })),
    { name: team, own: monitors.filter(({ group_id: id }) => id === undefined || !known.has(id)) },
  ];
  return parts.flatMap(({ name, own }) => {
    const sorted = own.map(shown).toSorted(orderOf);
    const pages = Array.from({ length: Math.ceil(sorted.length / ON_A_PAGE) }, (_, index) =>
      sorted.slice(index * ON_A_PAGE, (index + 1) * ON_A_PAGE),
    );
    return pages.map((page) => ({ name, monitors: page }));
  });
}

/** The sentence of a screen. What is paused or in maintenance on purpose is no problem. */
export function headlineOf(
  monitors: WallView['monitors'],
  w: Words['walls'],
): { text: string; displayStatus: DisplayStatus } {
  const all = monitors.map(shown);
  const count = (status: DisplayStatus) =>
    all.filter(({ displayStatus }) => displayStatus === status).length;
  const [down, degraded, unknown] = [count('offline'), count('degraded'), count('unknown')];
  if (all.length === 0) return { text: w.none, displayStatus: 'pending' };
  if (down > 0) return { text: w.down(down, all.length), displayStatus: 'offline' };
  if (degraded > 0) return { text: w.degraded(degraded, all.length), displayStatus: 'degraded' };
  if (unknown > 0) return { text: w.unknown(unknown), displayStatus: 'unknown' };
  return { text: w.allUp(count('online')), displayStatus: 'online' };
}
