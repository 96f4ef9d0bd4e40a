import { readGaps } from '../../engine/history/stored-uptime.ts';
import type { Clock } from '../../lib/clock.ts';
import { createTurns } from '../../lib/turns.ts';
import { isPushType } from '../../monitor-types/registry.ts';
import type { Database } from '../../store/database/contract.ts';
import { readMark } from '../../store/engine/process-marks.ts';
import {
  type EditStamp,
  type IdentifiedSpan,
  type OverviewSettings,
  overviewStore,
} from '../../store/resources/monitor-overview.ts';
import {
  isSpanOutdated,
  lastSpanId,
  mergeSpans,
  NO_SPANS,
  refreshFigures,
  refreshObserved,
  UPTIME_DAYS,
  type MonitorEntry,
  type TeamFacts,
} from './monitor-entry.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Above this number of monitors, reads run away from the main thread. */
const QUICK_MONITORS = 2_000;
const BATCH_SIZE = 1_000;
/** Time after which what decides how time counts is read again, even if nobody of the team changed anything. */
const COUNTING_FACTS_HOLD_MS = 20_000;
/** Maintenance is read ahead, so that its start needs no read. */
const AHEAD_MS = 60 * MINUTE_MS;
/**
 * Postgres commits rows in another order than that of their ids. Spans are read again from the newest id of a minute
 * ago, longer than a transaction takes.
 */
const COMMIT_MS = MINUTE_MS;
/** Number of newest spans that are read again during the first minute. */
const UNCERTAIN_SPANS = 2_000;

const UNCHANGED = { added: [], isOther: false };

/** The monitors of a team in memory. Only what changed is read again, whichever process changed it. */
export interface TeamMonitors {
  readonly entries: ReadonlyMap<number, MonitorEntry>;
  readonly facts: TeamFacts;
  /**
   * Reads what changed, and sets the `json` of what looks different to null. Calls must not overlap, and none may follow
   * one that failed: what was read is incomplete then.
   */
  refresh(): Promise<void>;
}

export function createTeamMonitors(
  { database, clock }: { database: Database; clock: Pick<Clock, 'now' | 'monotonic'> },
  teamId: number,
  regions: readonly string[],
): TeamMonitors {
  const entries = new Map<number, MonitorEntry>();
  const facts: TeamFacts = {
    regions,
    groups: [],
    occurrences: [],
    corrections: new Map(),
    gaps: [],
    aliveAt: null,
    incidents: new Map(),
  };
  let stamp: EditStamp | null = null;
  let states = '';
  let countingKey = '';
  let activeKey = '';
  let countedAt = -Infinity;
  let incidentKeys = new Map<number, string>();
  /** Newest ids of spans with the monotonic time at which they were read. */
  let marks: { at: number; id: number }[] = [];

  const reader = () => (entries.size > QUICK_MONITORS ? database.scan : database.read);

  async function refresh(): Promise<void> {
    const now = clock.now();
    const read = await overviewStore(database.read).editStamp(teamId);
    const isEdited = read.edits !== stamp?.edits;
    const isAudited = read.audited !== stamp?.audited;
    const { added, isOther } = isEdited ? await refreshSettings() : UNCHANGED;
    const changed = await refreshStates();
    await refreshSpans(added, changed, now);
    const isDue = clock.monotonic() - countedAt >= COUNTING_FACTS_HOLD_MS;
    if (isOther || isAudited || isDue) await refreshCounting(now);
    await refreshIncidents();
    refreshMaintenance(now);
    await refreshMark();
    const turns = createTurns();
    for (const entry of entries.values()) {
      const isObservedChanged = refreshObserved(entry, facts, now);
      if (refreshFigures(entry, facts, now) || isObservedChanged) entry.json = null;
      await turns();
    }
    // Last: what failed is read again.
    stamp = read;
  }

  /** @returns ids of monitors that are new, and whether anything changed. */
  async function refreshSettings(): Promise<{ added: number[]; isOther: boolean }> {
    const versions = await overviewStore(database.scan).versions(teamId);
    const gone = [...entries.keys()].filter((id) => !versions.has(id));
    for (const id of gone) entries.delete(id);
    const edited = [...versions].flatMap(([id, version]) =>
      entries.get(id)?.settings.version === version ? [] : id,
    );
    if (edited.length === 0) return { added: [], isOther: gone.length > 0 };
    const added: number[] = [];
    for (const settings of await overviewStore(reader()).settings(edited)) {
      const known = entries.get(settings.id);
      if (known === undefined) added.push(settings.id);
      entries.set(settings.id, { ...(known ?? newEntry(settings)), ...ofSettings(settings) });
    }
    sortEntries();
    return { added, isOther: true };
  }

  /** New monitors have the greatest ids, except for those whose creation was committed later. */
  function sortEntries(): void {
    const ordered = [...entries].toSorted(([one], [other]) => one - other);
    entries.clear();
    for (const [id, entry] of ordered) entries.set(id, entry);
  }

  /** @returns ids of monitors whose state changed. */
  async function refreshStates(): Promise<number[]> {
    const packed = await overviewStore(reader()).stateStamps(teamId);
    const isAllRead = [...entries.values()].every((entry) => entry.stamp !== '');
    if (packed === states && isAllRead) return [];
    const stamps = new Map<number, string>();
    for (const one of packed.split(',')) {
      const id = Number(one.slice(0, one.indexOf(' ')));
      const entry = entries.get(id);
      if (entry !== undefined && entry.stamp !== one) stamps.set(id, one);
    }
    const changed = [...stamps.keys()];
    if (changed.length > 0) await readChangedStates(changed, stamps);
    states = packed;
    return changed;
  }

  async function readChangedStates(
    changed: readonly number[],
    stamps: ReadonlyMap<number, string>,
  ): Promise<void> {
    const jobs = changed.filter((id) => isPushType(entries.get(id)!.settings.type));
    const [read, durations] = await Promise.all([
      overviewStore(reader()).states(changed),
      overviewStore(reader()).lastDurations(jobs),
    ]);
    for (const state of read) {
      const entry = entries.get(state.id)!;
      entry.state = state;
      entry.stamp = stamps.get(state.id)!;
      entry.lastDurationMs = durations.get(state.id) ?? null;
      entry.json = null;
    }
  }

  async function refreshSpans(added: readonly number[], changed: readonly number[], now: number) {
    const since = now - UPTIME_DAYS * DAY_MS;
    const newest = await overviewStore(database.read).newestSpan();
    const at = clock.monotonic();
    if (marks.length === 0) marks = [{ at, id: newest - UNCERTAIN_SPANS }];
    for (let index = 0; index < added.length; index += BATCH_SIZE) {
      const slice = added.slice(index, index + BATCH_SIZE);
      addSpans(await overviewStore(database.scan).spansSince(slice, since), since);
    }
    const isNew = new Set(added);
    const known = (id: number) => !isNew.has(id) && entries.has(id);
    const outdated = changed.filter((id) => known(id) && isSpanOutdated(entries.get(id)!));
    const keys = await overviewStore(database.read).spanKeysAfter(teamId, marks[0]!.id);
    const after = keys.filter(
      ({ id, monitorId }) => entries.has(monitorId) && id > lastIdOf(monitorId),
    );
    const continued = [...outdated, ...after.map(({ monitorId }) => monitorId)];
    const lastIds = continued.map(lastIdOf).filter((id) => id > 0);
    const wanted = new Set([...lastIds, ...after.map(({ id }) => id)]);
    addSpans(await overviewStore(reader()).spans([...wanted]), since);
    // The oldest mark that is certain, and those after it.
    const certain = marks.findLastIndex((mark) => at - mark.at >= COMMIT_MS);
    marks = [...marks.slice(Math.max(0, certain)), { at, id: newest }];
  }

  const lastIdOf = (monitorId: number) => lastSpanId(entries.get(monitorId)!.spans);

  function addSpans(read: readonly IdentifiedSpan[], since: number): void {
    for (const [id, spans] of Map.groupBy(read, ({ monitorId }) => monitorId)) {
      const entry = entries.get(id);
      if (entry === undefined) continue;
      entry.spans = mergeSpans(entry.spans, spans, since);
      expire(entry);
    }
  }

  /** Groups, maintenance, corrections and gaps: when one changes, all figures of the team are computed again. */
  async function refreshCounting(now: number): Promise<void> {
    const period = { from: now - UPTIME_DAYS * DAY_MS, to: now + AHEAD_MS };
    const ids = [...entries.keys()];
    const read = await overviewStore(reader()).countingFacts(teamId, ids, period);
    facts.gaps = await readGaps(database, period.from, now);
    countedAt = clock.monotonic();
    const key = JSON.stringify([read.groups, read.occurrences, [...read.corrections], facts.gaps]);
    Object.assign(facts, read);
    const parents = new Map(read.groups.map((group) => [group.id, group.parent_id]));
    for (const entry of entries.values()) {
      entry.groupIds = groupIdsOf(entry.settings.group_id, parents);
      if (key !== countingKey) expire(entry);
    }
    countingKey = key;
  }

  async function refreshIncidents(): Promise<void> {
    const open = await overviewStore(database.read).openIncidents(teamId);
    facts.incidents = Map.groupBy(open, (one) => one.monitor_id);
    const keys = new Map([...facts.incidents].map(([id, of]) => [id, JSON.stringify(of)]));
    for (const id of new Set([...keys.keys(), ...incidentKeys.keys()])) {
      const entry = entries.get(id);
      if (entry !== undefined && keys.get(id) !== incidentKeys.get(id)) entry.json = null;
    }
    incidentKeys = keys;
  }

  /** Whether pings are taken decides until when the status of push monitors is known. */
  async function refreshMark(): Promise<void> {
    const isAsked = [...entries.values()].some(({ settings }) => isPushType(settings.type));
    facts.aliveAt = isAsked ? await readMark(database.read) : null;
  }

  /** The start and the end of maintenance are no change of a row. */
  function refreshMaintenance(now: number): void {
    const active = facts.occurrences.filter(({ from, to }) => from <= now && to > now);
    const key = JSON.stringify(active);
    if (key !== activeKey) for (const entry of entries.values()) expire(entry);
    activeKey = key;
  }

  return { entries, facts, refresh };
}

/** Lets figures and JSON of a monitor be made anew. */
function expire(entry: MonitorEntry): void {
  entry.json = null;
  if (entry.figures !== null) entry.figures.validUntil = -Infinity;
}

function newEntry(settings: OverviewSettings): MonitorEntry {
  const { id } = settings;
  const state = {
    id,
    status: 'pending',
    observedUntil: null,
    newest: '{}',
    lastPingAt: null,
    nextExpectedAt: null,
    pingCount: 0,
  };
  const blank = { stamp: '', lastDurationMs: null, spans: NO_SPANS, figures: null, digest: '' };
  return { ...ofSettings(settings), state, groupIds: [], unobservedSince: null, ...blank };
}

/** What follows from settings that were read. Groups follow later, and figures are computed again. */
function ofSettings(settings: OverviewSettings) {
  const tags = JSON.parse(settings.tags) as string[];
  return { settings, tags, figures: null, json: null };
}

/** A group of a monitor and its parent; none when it was deleted meanwhile. */
function groupIdsOf(id: number | null, parents: ReadonlyMap<number, number | null>): number[] {
  const parent = id === null ? undefined : parents.get(id);
  if (id === null || parent === undefined) return [];
  return parent === null ? [id] : [id, parent];
}
