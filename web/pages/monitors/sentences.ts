import type { View } from '../../app/regions.ts';
import type { OverviewMonitor } from '../../app/api.gen.ts';
import type { DisplayStatus } from '../../lib/display-status.ts';
import { clock, count, day, dayAndTime, duration, relative } from '../../lib/format.ts';
import { causeText } from '../../parts/cause.tsx';
import { words } from '../../words/index.ts';
import { countByStatus, type Row } from './rows.ts';

const { monitors } = words;

/** Names in a sentence; more are counted. */
const MAX_NAMES = 3;

/** Sentence that answers "Is anything down right now?", the shape before it, and a second sentence with names. */
interface Summary {
  displayStatus: DisplayStatus;
  title: string;
  text: string;
}

/** What the head of the list is made of. */
interface Situation {
  total: number;
  counts: Record<DisplayStatus, number>;
  /** Names by displayStatus. */
  names: (displayStatus: DisplayStatus) => string[];
  /** Monitors with an open incident, a warning at least, that are neither down nor degraded now. */
  held: readonly Row[];
  /** How all that is not named is. */
  rest: string | false;
  now: number;
}

/**
 * The head of the list: the first of these that applies. It is green only when no incident is shown and all that is watched is
 * observed. Pure.
 */
export function summary(rows: readonly Row[], now: number): Summary {
  const counts = countByStatus(rows);
  // Of 10,000 rows, few are looked at more than once.
  const shown = rows.filter(
    ({ displayStatus, monitor }) => displayStatus !== 'online' || monitor.incident !== undefined,
  );
  const held = shown.filter(isHeld);
  const others = { ...counts };
  for (const { displayStatus } of held) others[displayStatus] -= 1;
  const situation: Situation = {
    total: rows.length,
    counts,
    names: (wanted) =>
      shown.flatMap(({ displayStatus, monitor }) =>
        displayStatus === wanted ? [monitor.name] : [],
      ),
    held,
    rest: restOf(others),
    now,
  };
  const unknown = shown.filter(isUnknown);
  const { offline, degraded, online, maintenance } = counts;
  const isAnySeen = offline + degraded + online + maintenance > 0;
  if (unknown.length > 0 && !isAnySeen) return notObservedFor(unknown, now);
  if (offline > 0) return someDown(situation);
  if (situation.held.length > 0) return incidentsOpen(situation);
  if (degraded > 0) return someDegraded(situation);
  if (unknown.length > 0) return someUnknown(situation);
  const text = asidesOf(counts);
  const { total } = situation;
  if (online > 0)
    return { displayStatus: 'online', title: words.monitors.allUp(online, total), text };
  return maintenance > 0
    ? { displayStatus: 'maintenance', title: words.monitors.noneWatched(total), text }
    : { displayStatus: 'pending', title: words.monitors.nothingSeen(total), text };
}

function restOf(others: Record<DisplayStatus, number>): string | false {
  const asides = asidesOf(others);
  if (asides === '') return others.online > 0 && monitors.restIsUp;
  return monitors.restIs([countsOf(others, ['online']), asides].filter(Boolean).join(', '));
}

/** How many monitors are in each of these states, without those that none is in: "1 in maintenance, 2 paused". */
function countsOf(
  counts: Record<DisplayStatus, number>,
  states: readonly DisplayStatus[],
  texts = monitors.counts,
): string {
  return states
    .filter((state) => counts[state] > 0)
    .map((state) => texts[state].replace('#', count(counts[state])))
    .join(', ');
}

function asidesOf(counts: Record<DisplayStatus, number>): string {
  const texts = { ...monitors.counts, pending: monitors.waitingFirst };
  return countsOf(counts, ['maintenance', 'paused', 'pending'], texts);
}

const isUnknown = ({ displayStatus }: Row): boolean => displayStatus === 'unknown';

function isHeld({ displayStatus, monitor: { incident } }: Row): boolean {
  const isNamed = displayStatus === 'offline' || displayStatus === 'degraded';
  return incident !== undefined && incident.severity !== 'info' && !isNamed;
}

function notObservedFor(unknown: readonly Row[], now: number): Summary {
  const until = Math.max(...unknown.map(({ monitor }) => monitor.observed_until ?? 0)) * 1_000;
  const of = (status: OverviewMonitor['status']) =>
    unknown.flatMap(({ monitor }) => (monitor.status === status ? [monitor.name] : []));
  const [down, slow] = [of('offline'), of('degraded')];
  return {
    displayStatus: 'unknown',
    title: monitors.notObservedFor(duration(now - until)),
    text: sentences(
      down.length > 0 && monitors.wasDown(listOf(down)),
      slow.length > 0 && monitors.wasDegraded(listOf(slow)),
      down.length + slow.length === 0 && monitors.wasUp,
    ),
  };
}

function someDown(situation: Situation): Summary {
  const { counts, total, names } = situation;
  return {
    displayStatus: 'offline',
    title: words.monitors.down(counts.offline, total),
    text: sentences(
      `${listOf(names('offline'))}.`,
      alsoDegraded(situation),
      ...heldBy(situation),
      alsoUnknown(situation),
      situation.rest,
    ),
  };
}

function incidentsOpen(situation: Situation): Summary {
  const open = situation.held.reduce((sum, { monitor }) => sum + (monitor.incident?.open ?? 0), 0);
  return {
    displayStatus: 'degraded',
    title: words.monitors.incidentsOpen(open),
    text: sentences(
      ...heldBy(situation),
      alsoDegraded(situation),
      alsoUnknown(situation),
      situation.rest,
    ),
  };
}

function someDegraded(situation: Situation): Summary {
  const { counts, total, names, rest } = situation;
  return {
    displayStatus: 'degraded',
    title: words.monitors.degraded(counts.degraded, total),
    text: sentences(`${listOf(names('degraded'))}.`, alsoUnknown(situation), rest),
  };
}

function someUnknown({ counts, total, names, rest }: Situation): Summary {
  return {
    displayStatus: 'unknown',
    title: words.monitors.unobserved(counts.unknown, total),
    text: sentences(`${listOf(names('unknown'))}.`, rest),
  };
}

function alsoDegraded({ names }: Situation): string | false {
  const slow = names('degraded');
  return slow.length > 0 && words.monitors.degradedToo(listOf(slow));
}

/** Those with an incident come first. */
function alsoUnknown({ names, held }: Situation): string | false {
  const first = held.filter(isUnknown).map(({ monitor }) => monitor.name);
  const unknown = [...new Set([...first, ...names('unknown')])];
  return unknown.length > 0 && `${words.status.unknown}: ${listOf(unknown)}.`;
}

/** The monitors with incidents by why they do not count as down: "In maintenance: Redis." */
function heldBy({ held }: Situation): string[] {
  const byStatus = Map.groupBy(
    held.filter((row) => !isUnknown(row)),
    ({ displayStatus }) => displayStatus,
  );
  return [...byStatus].map(
    ([displayStatus, rows]) =>
      `${words.status[displayStatus]}: ${listOf(rows.map(({ monitor }) => monitor.name))}.`,
  );
}

function sentences(...parts: (string | false)[]): string {
  return parts.filter(Boolean).join(' ');
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
  displayStatus: DisplayStatus,
  { now, zone }: { now: number; zone: string },
): string {
  const { incident, maintenance_until: until, target } = monitor;
  if (displayStatus === 'paused') return [words.status.paused, target].filter(Boolean).join(' · ');
  if (displayStatus === 'unknown') return lastSeen(monitor, now);
  if (until !== undefined && displayStatus === 'maintenance')
    return words.monitors.maintenanceUntil(clock(until * 1_000, zone));
  if (incident !== undefined) return openCause(incident.cause);
  if (monitor.schedule !== undefined) return jobLine(monitor, { now, zone });
  if (displayStatus === 'pending') return words.status.pending;
  const content = (monitor.check_types ?? []).some((type) => type === 'keyword' || type === 'json');
  return content ? words.monitors.contentChecked(target ?? '') : (target ?? '');
}

/** What was last seen of a monitor that is not observed: "Was down for 3 min when it was last observed, 2 min ago". */
export function lastSeen(
  {
    status,
    since,
    observed_until: until = since,
  }: Pick<OverviewMonitor, 'status' | 'since' | 'observed_until'>,
  now: number,
): string {
  const agoMs = Math.max(0, now - until * 1_000);
  const lastedMs = Math.max(0, until - since) * 1_000;
  const [lasted, silence] = [duration(lastedMs), duration(agoMs)];
  return words.monitors.lastSeen(words.status[status].toLowerCase(), lasted, silence);
}

/** The clock of a row stands for a while: what happened meanwhile is not in the future. */
function ago(seconds: number, { now, zone }: { now: number; zone: string }): string {
  return relative(Math.min(seconds * 1_000, now), now, zone);
}

function jobLine(
  { last_ping_at: last, last_duration: took, schedule, next_expected_at: next }: OverviewMonitor,
  { now, zone }: { now: number; zone: string },
): string {
  if (last === undefined) return monitors.waitsForPing;
  const at = ago(last, { now, zone });
  const ran = took === undefined ? monitors.called(at) : monitors.ran(at, duration(took * 1_000));
  if (schedule?.interval !== undefined)
    return `${ran} · ${words.labels.every(duration(schedule.interval * 1_000))}`;
  if (next === undefined || schedule?.timezone === undefined) return ran;
  return `${ran} · ${monitors.nextAt(dayUnlessToday(next * 1_000, now, schedule.timezone), schedule.timezone)}`;
}

/** Writes a time to come: "14:02", or "14 Mar, 14:02" on another day. */
function dayUnlessToday(at: number, now: number, zone: string): string {
  const { time } = words;
  return day(at, now, zone) === time.today ? clock(at, zone) : dayAndTime(at, now, zone);
}

/** What of a group is not up: "1 down, 1 degraded". */
export function groupAside(rows: readonly Row[]): { down: string; rest: string } {
  const counts = countByStatus(rows);
  const others = ['degraded', 'unknown', 'maintenance', 'paused', 'pending'] as const;
  return { down: countsOf(counts, ['offline']), rest: countsOf(counts, others) };
}

/** What the squares of the places show, as words. */
export function viewsLabel(views: readonly View[]): string {
  return views.map(({ name, letter }) => `${name} ${VIEW_WORDS[letter]()}`).join(', ');
}

const VIEW_WORDS = {
  u: () => words.monitors.regionUp,
  d: () => words.monitors.regionDown,
  '?': () => words.monitors.regionUnknown,
};

/** Which of the places see a problem: "2 of 3 places see it"; the name of the only one, where several regions share it. */
export function whoSees(views: readonly View[]): string {
  const down = views.filter(({ letter }) => letter === 'd').length;
  const [only] = views;
  if (down === 0 || only === undefined) return '';
  if (views.length === 1) return only.isShared ? words.monitors.seenFrom(only.name) : '';
  return words.monitors.agree(down, views.length);
}
