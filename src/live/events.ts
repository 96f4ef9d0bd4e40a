import { isInScope } from '../engine/maintenance/window.ts';
import type { Database } from '../store/database/contract.ts';
import type { RecentPing } from '../store/engine/recent-rounds.ts';
import type { StoredRound } from '../store/engine/result-history.ts';
import type { LiveChange } from '../store/resources/live-changes.ts';
import {
  readBegunOccurrences,
  readLiveMonitors,
  type BegunOccurrence,
  type LiveMonitor,
} from '../store/resources/live-facts.ts';
import {
  scopedMonitors,
  type ScopedMonitor,
  scopedMonitorRows,
} from '../store/resources/scoped-monitors.ts';

/**
 * Names of events. `hello` is the first one of a stream; after `reset` its client reads everything again; `alive` keeps the
 * connection open, and shows a client without news that it still is.
 */
export const EVENT_NAMES = [
  'hello',
  'reset',
  'status',
  'incident',
  'monitor',
  'settings',
  'result',
  'ping',
  'alive',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

export const INCIDENT_STATES = [
  'opened',
  'updated',
  'acknowledged',
  'resolved',
  'reopened',
  'deleted',
] as const;

export const MONITOR_CHANGES = ['created', 'updated', 'deleted'] as const;

/** Time after its end for which an occurrence counts as one that may just have ended. */
const ENDED_MS = 3_600_000;

/** An event about changes, and the newest of the changes that it reports. */
export interface ChangeEvent {
  name: EventName;
  data: object;
  id: number;
}

/** What is known about the objects of changes of one team. */
interface ChangeFacts {
  monitors: ReadonlyMap<number, LiveMonitor>;
  /** Of the monitors for which there may be an occurrence, and of all of a team whose maintenance changed. */
  scoped: ReadonlyMap<number, ScopedMonitor>;
  /** Occurrences of the team that have begun; some may be over. */
  occurrences: readonly BegunOccurrence[];
}

/** Ids of monitors whose maintenance may have changed: those that an occurrence of a changed window covers. */
function maintainedBy(
  windowIds: ReadonlySet<number>,
  { scoped, occurrences }: Pick<ChangeFacts, 'scoped' | 'occurrences'>,
): number[] {
  const changed = occurrences.filter(({ windowId }) => windowIds.has(windowId));
  return [...scoped.values()]
    .filter((monitor) => changed.some((one) => isInScope(one, monitor)))
    .map(({ id }) => id);
}

/**
 * Makes the events of changes of one team, in the order of the newest change of each: several changes of one monitor,
 * incident or list make one event, which shows the state when it is sent.
 *
 * @param changes by id.
 */
function eventsOf(changes: readonly LiveChange[], facts: ChangeFacts, now: number): ChangeEvent[] {
  const events = new Map<string, ChangeEvent>();
  const put = (key: string, event: ChangeEvent) => {
    // Again at the end, so that the events stay in the order of their ids.
    events.delete(key);
    events.set(key, event);
  };
  const putStatus = (monitorId: number, id: number) => {
    const monitor = facts.monitors.get(monitorId);
    if (monitor === undefined) return;
    const inMaintenance = isInMaintenance(monitorId, facts, now);
    put(`status ${monitorId}`, { name: 'status', data: viewStatus(monitor, inMaintenance), id });
  };
  for (const { id, kind, change, monitorId, subjectId } of changes) {
    if (kind === 'status') putStatus(monitorId!, id);
    else if (kind === 'incident') {
      // The incidents of a deleted monitor are deleted with it.
      if (change === 'deleted' && !facts.monitors.has(monitorId!)) continue;
      const key = `incident ${subjectId}`;
      const before = events.get(key)?.data as { state: string } | undefined;
      const state = change === 'updated' ? (before?.state ?? change) : change;
      put(key, { name: 'incident', data: { id: subjectId, monitor_id: monitorId, state }, id });
    } else if (kind === 'monitor') {
      const key = `monitor ${monitorId}`;
      const before = events.get(key)?.data as { change: string } | undefined;
      const isNew = change === 'updated' && before?.change === 'created';
      put(key, {
        name: 'monitor',
        data: { id: monitorId, change: isNew ? 'created' : change },
        id,
      });
      putStatus(monitorId!, id);
    } else if (kind === 'maintenance') {
      for (const covered of maintainedBy(new Set([subjectId!]), facts)) putStatus(covered, id);
    } else put(`settings ${change}`, { name: 'settings', data: { what: change }, id });
  }
  return [...events.values()];
}

function isInMaintenance(monitorId: number, facts: ChangeFacts, now: number): boolean {
  const monitor = facts.scoped.get(monitorId);
  if (monitor === undefined) return false;
  return facts.occurrences.some(
    (one) => one.from <= now && one.to > now && isInScope(one, monitor),
  );
}

function viewStatus({ id, status, isPaused, since, cause }: LiveMonitor, inMaintenance: boolean) {
  return {
    monitor_id: id,
    status,
    is_paused: isPaused,
    in_maintenance: inMaintenance,
    since: since === null ? null : isoTime(since),
    cause,
  };
}

/** Reads the current state of what changed, in a few statements for all teams, and makes the events of each team. */
export async function readEvents(
  { read }: Database,
  changes: readonly LiveChange[],
  now: number,
): Promise<Map<number, ChangeEvent[]>> {
  const byTeam = Map.groupBy(changes, ({ teamId }) => teamId);
  if (byTeam.size === 0) return new Map();
  const named = new Set(changes.flatMap(({ monitorId }) => monitorId ?? []));
  const isAboutStatus = changes.some(({ kind }) => kind !== 'settings' && kind !== 'incident');
  const occurrences = isAboutStatus
    ? await readBegunOccurrences(read, byTeam.keys(), { since: now - ENDED_MS, now })
    : [];
  const scoped = await readScoped(read, changes, { named, occurrences });
  const maintenanceOf = (teamId: number) => ({
    scoped: new Map(scoped.filter((one) => one.teamId === teamId).map((one) => [one.id, one])),
    occurrences: occurrences.filter((one) => one.teamId === teamId),
  });
  const teams = [...byTeam].map(([teamId, ofTeam]) => {
    const windows = ofTeam.flatMap(({ kind, subjectId }) =>
      kind === 'maintenance' ? subjectId! : [],
    );
    const maintenance = maintenanceOf(teamId);
    for (const id of maintainedBy(new Set(windows), maintenance)) named.add(id);
    return { teamId, ofTeam, maintenance };
  });
  const monitors = named.size === 0 ? new Map() : await readLiveMonitors(read, named);
  return new Map(
    teams.map(({ teamId, ofTeam, maintenance }) => [
      teamId,
      eventsOf(ofTeam, { monitors, ...maintenance }, now),
    ]),
  );
}

/** The monitors that occurrences may cover: all of a team whose maintenance changed, else those that changed. */
async function readScoped(
  read: Database['read'],
  changes: readonly LiveChange[],
  { named, occurrences }: { named: ReadonlySet<number>; occurrences: readonly BegunOccurrence[] },
): Promise<ScopedMonitor[]> {
  if (occurrences.length === 0) return [];
  const whole = new Set(
    changes.flatMap(({ kind, teamId, subjectId }) =>
      kind === 'maintenance' && occurrences.some(({ windowId }) => windowId === subjectId)
        ? teamId
        : [],
    ),
  );
  const found = await Promise.all(
    [...whole].map((teamId) => scopedMonitorRows(read, teamId).all()),
  );
  return [...(await scopedMonitors(read, [...named])), ...found.flat()];
}

export function viewRound({ monitorId, startedAt, kind, class: verdict, results }: StoredRound) {
  return {
    monitor_id: monitorId,
    started_at: isoTime(startedAt),
    kind,
    verdict,
    regions: results.map(({ region, vote, checkedAt, responseTimeMs, statusCode, ...rest }) => ({
      region,
      vote,
      checked_at: isoTime(checkedAt),
      response_time: tenths(responseTimeMs),
      status_code: statusCode,
      failure_code: rest.failureCode,
    })),
  };
}

export function viewPing({ monitorId, number, at, kind, exitCode, durationMs }: RecentPing) {
  return {
    monitor_id: monitorId,
    number,
    received_at: isoTime(at),
    kind,
    exit_code: exitCode,
    duration_ms: durationMs,
  };
}

/** An event as it is sent, but for its id (WHATWG HTML, section 9.2.6). JSON has no line breaks. */
export function eventText(name: EventName, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n`;
}

const isoTime = (at: number) => new Date(at).toISOString();
const tenths = (ms: number | null) => (ms === null ? null : Math.round(ms * 10) / 10);
