import { parseNewest } from '../../store/engine/monitor-state.ts';
import { timesOf } from '../../engine/history/times.ts';
import { uptime, type Interval, type Span } from '../../engine/history/uptime.ts';
import { endOfChain, isInScope } from '../../engine/maintenance/window.ts';
import type { Correction } from '../../model/correction.ts';
import type { SpanStatus } from '../../model/incident.ts';
import { unobservedSince } from '../../model/observation.ts';
import { isPushType, targetOf } from '../../monitor-types/registry.ts';
import type {
  CountingFacts,
  IdentifiedSpan,
  OverviewIncident,
  OverviewSettings,
  OverviewState,
} from '../../store/resources/monitor-overview.ts';
import { acknowledgedOfOverview } from '../incidents/facts.ts';
import { barOf, barStart, statusSince, viewNewest, worstIncident } from './overview-rules.ts';
import { percentagesOf } from './uptime-rules.ts';

const DAY_MS = 86_400_000;
export const UPTIME_DAYS = 90;
/** Observed share from which on it is left out: the uptime stands for the whole time. */
const WELL_OBSERVED_PERCENT = 99.5;
/** Figures are computed again after 30 to 60 seconds, by id, so that not all monitors of a team are due at once. */
const FIGURES_HOLD_MS = 30_000;

/** A monitor in memory: what was read of it, and what follows from that. */
export interface MonitorEntry {
  settings: OverviewSettings;
  state: OverviewState;
  /** The packed state (`readStateStamps`). */
  stamp: string;
  /** Groups for scopes: its own and that one's parent. */
  groupIds: number[];
  tags: string[];
  /** Seconds. Push monitors only. */
  lastDurationMs: number | null;
  spans: PackedSpans;
  figures: Figures | null;
  /** Time since which nothing is known of it (epoch ms); null while its status is known. */
  unobservedSince: number | null;
  /** JSON of its object in the answer; null when something in it changed. */
  json: string | null;
  /** Hash of the JSON: the entity tag of the answer is made of these, not of megabytes. */
  digest: string;
}

/** Bar and uptime, with the time until which they hold. */
interface Figures {
  bar: string;
  uptime: number | null;
  observed: number | null;
  validUntil: number;
}

/** Facts of the team that concern its monitors. */
export interface TeamFacts extends CountingFacts {
  regions: readonly string[];
  gaps: readonly Interval[];
  /** Newest mark of a process that takes pings (epoch ms); null where no monitor needs it. */
  aliveAt: number | null;
  incidents: ReadonlyMap<number, OverviewIncident[]>;
}

const STATUSES: readonly SpanStatus[] = ['online', 'degraded', 'offline', 'unobserved'];

/** Spans of a monitor in the order of time: id, status, start and end of each, in 32 bytes instead of about 100. */
export type PackedSpans = Float64Array;
const WIDTH = 4;
export const NO_SPANS: PackedSpans = new Float64Array(0);

/** Adds spans that were read again or are new. Of those with an id before the last one nothing can have changed. */
export function mergeSpans(known: PackedSpans, read: readonly IdentifiedSpan[], since: number) {
  const lastId = known.at(-WIDTH) ?? 0;
  const last = read.findLast(({ id }) => id === lastId);
  const newer = read.filter(({ id }) => id > lastId);
  const kept = last === undefined ? known : known.subarray(0, -WIDTH);
  const added = last === undefined ? newer : [last, ...newer];
  let first = 0;
  while (first < kept.length && kept[first + 3]! <= since) first += WIDTH;
  const merged = new Float64Array(kept.length - first + added.length * WIDTH);
  merged.set(kept.subarray(first));
  added.forEach(({ id, status, fromAt, toAt }, index) =>
    merged.set(
      [id, STATUSES.indexOf(status), fromAt, toAt ?? Infinity],
      kept.length - first + index * WIDTH,
    ),
  );
  return merged;
}

export function spansOf(packed: PackedSpans): Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < packed.length; at += WIDTH) {
    const to = packed[at + 3]!;
    spans.push({
      status: STATUSES[packed[at + 1]!]!,
      fromAt: packed[at + 2]!,
      toAt: to === Infinity ? null : to,
    });
  }
  return spans;
}

/** Id of the last span; 0 without any. */
export const lastSpanId = (packed: PackedSpans): number => packed.at(-WIDTH) ?? 0;

/** Whether the last span does not last or is of another status than the state, which shows that it was changed. */
export function isSpanOutdated({ spans, state, settings }: MonitorEntry): boolean {
  if (spans.length === 0) return state.status !== 'pending';
  if (settings.is_paused === 1) return false;
  return spans.at(-1) !== Infinity || STATUSES[spans.at(-3)!] !== state.status;
}

/** Computes bar and uptime unless they still hold. @returns whether anything changed. */
export function refreshFigures(entry: MonitorEntry, team: TeamFacts, now: number): boolean {
  const { settings, state, figures } = entry;
  if (figures !== null && now < figures.validUntil) return false;
  const { id, created_at: createdAt } = settings;
  const times = timesOf({
    spans: spansOf(entry.spans),
    observedUntil: state.observedUntil,
    excluded: maintenanceOf(entry, team),
    gaps: isPushType(settings.type) ? team.gaps : [],
    corrections: correctionsOf(team, id),
  });
  const from = Math.min(Math.max(now - UPTIME_DAYS * DAY_MS, createdAt), now);
  const found = percentagesOf(uptime({ ...times, from, to: now, now }));
  const isPaused = settings.is_paused === 1;
  const next: Figures = {
    bar: barOf({ ...times, createdAt, isPaused, from: barStart(now), now }),
    uptime: found.uptime_percent,
    observed: found.observed_percent,
    validUntil: Math.min(now + FIGURES_HOLD_MS + ((id * 7_919) % FIGURES_HOLD_MS), nextSlot(now)),
  };
  entry.figures = next;
  return (
    figures === null ||
    next.bar !== figures.bar ||
    next.uptime !== figures.uptime ||
    next.observed !== figures.observed
  );
}

/** Decides anew whether the status of a monitor is known. @returns whether that changed. */
export function refreshObserved(entry: MonitorEntry, { aliveAt }: TeamFacts, now: number): boolean {
  const { settings, state } = entry;
  const before = entry.unobservedSince;
  entry.unobservedSince = unobservedSince(
    {
      status: state.status,
      isPaused: settings.is_paused === 1,
      observedUntil: state.observedUntil,
      checkInterval: settings.check_interval,
      aliveAt,
    },
    now,
  );
  return entry.unobservedSince !== before;
}

/** All bars of an answer begin at the same time. */
const nextSlot = (now: number) => barStart(now) + DAY_MS;

const NO_CORRECTIONS: readonly Correction[] = [];
const correctionsOf = ({ corrections }: TeamFacts, id: number) =>
  corrections.get(id) ?? NO_CORRECTIONS;

function maintenanceOf({ settings, groupIds, tags }: MonitorEntry, { occurrences }: TeamFacts) {
  const monitor = { id: settings.id, groupIds, tags };
  return occurrences.filter((one) => isInScope(one, monitor));
}

const seconds = (ms: number) => Math.floor(ms / 1_000);

/**
 * A monitor as the answer shows it (contract 51.2). What is null, empty or false is left out, and the fields that differ
 * most between monitors come first: together this saves half of the bytes.
 */
export function viewEntry(entry: MonitorEntry, team: TeamFacts, now: number) {
  const { settings, state, figures, unobservedSince: observedUntil } = entry;
  const { id, type } = settings;
  const isPush = isPushType(type);
  const target = isPush ? null : targetOf(type, settings.url, settings.port);
  const monitored = JSON.parse(settings.monitored_regions) as string[];
  // The newest results say nothing of now when checks do not come.
  const results = observedUntil === null ? parseNewest(state.newest) : {};
  const newest = isPush ? null : viewNewest(results, monitored, team.regions);
  const checkTypes = JSON.parse(settings.check_types) as string[];
  const spans = spansOf(entry.spans);
  const isUnevenlyObserved = (figures?.observed ?? 100) < WELL_OBSERVED_PERCENT;
  const until = endOfChain(maintenanceOf(entry, team), now);
  const since = statusSince(spans, state.status, settings.created_at);
  return {
    id,
    name: settings.friendly_name ?? target ?? `#${id}`,
    ...(target !== null && { target }),
    since: seconds(since),
    ...(newest !== null && newest.responseMs !== null && { response_ms: newest.responseMs }),
    ...(figures !== null && figures.uptime !== null && { uptime_90d: figures.uptime }),
    ...(isUnevenlyObserved && { observed_90d: figures!.observed! }),
    ...(entry.groupIds.length > 0 && { group_id: entry.groupIds[0]! }),
    ...(entry.tags.length > 0 && { tags: entry.tags }),
    ...(isPush && viewJob(entry)),
    type,
    status: state.status,
    ...(observedUntil !== null && { observed_until: seconds(observedUntil) }),
    ...(settings.is_paused === 1 && { is_paused: true }),
    ...(until !== null && { maintenance_until: seconds(until) }),
    ...(checkTypes.length > 0 && { check_types: checkTypes }),
    ...(newest !== null && { regions: newest.letters }),
    bar: figures?.bar ?? '',
    ...viewIncident(team.incidents.get(id) ?? []),
  };
}

function viewJob({ settings, state, lastDurationMs }: MonitorEntry) {
  const { heartbeat_cron_expression: cron, heartbeat_timezone: timezone } = settings;
  const isPaused = settings.is_paused === 1;
  return {
    ...(state.lastPingAt !== null && { last_ping_at: seconds(state.lastPingAt) }),
    ...(state.nextExpectedAt !== null &&
      !isPaused && { next_expected_at: seconds(state.nextExpectedAt) }),
    ...(lastDurationMs !== null && { last_duration: lastDurationMs / 1_000 }),
    schedule:
      cron === null
        ? { interval: settings.heartbeat_interval ?? 0 }
        : { cron, timezone: timezone ?? 'UTC' },
  };
}

function viewIncident(open: readonly OverviewIncident[]) {
  const worst = worstIncident(open);
  if (worst === null) return {};
  return {
    incident: {
      id: worst.id,
      severity: worst.severity,
      cause: worst.root_cause,
      since: seconds(worst.started_at),
      ...acknowledgedOfOverview.view(worst),
      open: open.length,
    },
  };
}
