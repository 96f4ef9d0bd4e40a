import type { Standing } from '../../lib/standing.ts';
import { duration, relative, clock } from '../../lib/format.ts';
import { causeText } from '../../parts/cause.tsx';
import { words } from '../../words/index.ts';
import type { OverviewMonitor } from './overview-types.ts';
import { countStandings, type Row } from './rows.ts';

/** Names in a sentence; more are counted. */
const MAX_NAMES = 3;

/** Sentence that answers "Is anything down right now?", the shape before it, and a second sentence with names. */
export function summary(rows: readonly Row[]): { standing: Standing; title: string; text: string } {
  const counts = countStandings(rows);
  const { monitors } = words;
  const total = rows.length;
  const isRestUp = counts.online > 0 && counts.unknown === 0;
  const down = namesOf(rows, 'offline');
  const slow = namesOf(rows, 'degraded');
  if (down.length > 0) {
    return {
      standing: 'offline',
      title: monitors.down(counts.offline, total),
      text: sentences(
        `${listOf(down)}.`,
        slow.length > 0 && monitors.degradedToo(listOf(slow)),
        isRestUp && monitors.restIsUp,
      ),
    };
  }
  if (slow.length > 0) {
    return {
      standing: 'degraded',
      title: monitors.degraded(counts.degraded, total),
      text: sentences(`${listOf(slow)}.`, isRestUp && monitors.restIsUp),
    };
  }
  const text = monitors.asides(counts);
  if (counts.online > 0)
    return { standing: 'online', title: monitors.allUp(counts.online, total), text };
  return counts.maintenance > 0
    ? { standing: 'maintenance', title: monitors.noneWatched(total), text }
    : { standing: 'pending', title: monitors.nothingSeen(total), text };
}

function sentences(...parts: (string | false)[]): string {
  return parts.filter(Boolean).join(' ');
}

function namesOf(rows: readonly Row[], wanted: Standing): string[] {
  return rows.flatMap(({ standing, monitor }) => (standing === wanted ? [monitor.name] : []));
}

/** Names as a list in a sentence; the first ones, and how many more there are. */
export function listOf(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES);
  const more = names.length - shown.length;
  const parts = more > 0 ? [...shown, words.monitors.andMore(more)] : shown;
  return new Intl.ListFormat(words.time.locale, { type: 'conjunction' }).format(parts);
}

/** Cause of an open incident; a sentence too where none is known. */
export function openCause(cause: string | null): string {
  return cause === null ? words.monitors.causeUnknown : causeText(cause);
}

/** Second line of a row: what is wrong, else what is watched. */
export function subtitle(
  monitor: OverviewMonitor,
  standing: Standing,
  { now, zone }: { now: number; zone: string },
): string {
  const { incident, maintenance_until: until, target, since } = monitor;
  const time = (seconds: number) => ago(seconds, { now, zone });
  if (standing === 'paused') return words.monitors.pausedSince(time(since));
  if (until !== undefined && standing === 'maintenance')
    return words.monitors.maintenanceUntil(clock(until * 1_000, zone, words.time.locale));
  if (incident !== undefined) return openCause(incident.cause);
  if (monitor.schedule !== undefined) return jobLine(monitor, { now, zone });
  if (standing === 'pending') return words.monitors.firstResultSoon;
  const content = (monitor.check_types ?? []).some((type) => type === 'keyword' || type === 'json');
  return content ? words.monitors.contentChecked(target ?? '') : (target ?? '');
}

/** The clock of a row stands for a while: what happened meanwhile is not in the future. */
function ago(seconds: number, { now, zone }: { now: number; zone: string }): string {
  return relative(Math.min(seconds * 1_000, now), now, zone, words.time);
}

function jobLine(
  { last_ping_at: last, last_duration: took, schedule, next_expected_at: next }: OverviewMonitor,
  { now, zone }: { now: number; zone: string },
): string {
  const { monitors, time } = words;
  if (last === undefined) return monitors.waitsForPing;
  const at = ago(last, { now, zone });
  const ran =
    took === undefined ? monitors.called(at) : monitors.ran(at, duration(took * 1_000, time));
  if (schedule?.interval !== undefined)
    return `${ran} · ${monitors.every(duration(schedule.interval * 1_000, time))}`;
  if (next === undefined || schedule?.timezone === undefined) return ran;
  return `${ran} · ${monitors.nextAt(clock(next * 1_000, schedule.timezone, time.locale), schedule.timezone)}`;
}

/** What of a group is not up: "1 down, 1 degraded". */
export function groupAside(rows: readonly Row[]): { down: string; rest: string } {
  const { offline, degraded, maintenance, paused, pending } = countStandings(rows);
  const { monitors } = words;
  const rest = [
    degraded > 0 ? monitors.countDegraded(degraded) : '',
    maintenance > 0 ? monitors.countMaintenance(maintenance) : '',
    paused > 0 ? monitors.countPaused(paused) : '',
    pending > 0 ? monitors.countPending(pending) : '',
  ].filter(Boolean);
  return { down: offline > 0 ? monitors.countDown(offline) : '', rest: rest.join(', ') };
}

/** What the squares of the regions show, as words. */
export function regionsLabel(letters: string, regions: readonly string[]): string {
  return [...letters]
    .flatMap((letter, index) => {
      const word = REGION_WORDS[letter]?.();
      const region = regions[index] ?? '';
      return word === undefined ? [] : [`${regionName(region)} ${word}`];
    })
    .join(', ');
}

const REGION_WORDS: Record<string, () => string> = {
  u: () => words.monitors.regionUp,
  d: () => words.monitors.regionDown,
  '?': () => words.monitors.regionUnknown,
};

function regionName(region: string): string {
  return (words.regions as Record<string, string>)[region] ?? region;
}
