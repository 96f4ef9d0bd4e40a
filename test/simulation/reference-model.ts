import type { Condition, IncidentType } from '../../src/model/condition.ts';
import type { InspectionKind } from '../../src/model/inspection.ts';
import type { MonitorStatus } from '../../src/model/monitor.ts';
import type { Round, RoundClass } from '../../src/model/round.ts';
import type { Finding } from './inspection/findings.ts';
import { readVotes } from './round-observations.ts';
import type { Observation } from './round-observations.ts';

/**
 * An independent implementation of the contract, sections 18 and 19. It shares no code with src/engine/verdict and
 * works differently: it keeps all observations of a monitor and derives runs from the end of that list.
 */
export interface ReferenceModel {
  readonly status: MonitorStatus;
  readonly incidents: readonly ExpectedIncident[];
  /** Applies a counted round and returns what it changes. */
  count(round: Round): Counted;
  /** Applies an inspection and returns what it changes. */
  inspect(observation: InspectionObservation): ExpectedChange[];
  /** Applies a manual action on an incident at that time (epoch ms). */
  applyManualAction(action: ManualAction, on: ChosenIncident, at: number): void;
}

export interface InspectionObservation {
  kind: InspectionKind;
  target: string;
  finding: Finding;
  /** When the result arrived (epoch ms), and the revision of the monitor's settings. */
  at: number;
  revision: number;
}

export type ManualAction = 'resolved' | 'reopened' | 'deleted';

export interface Counted {
  roundClass: RoundClass;
  changes: ExpectedChange[];
}

/** A condition begins or ends. It emits no event if its incident was closed by hand before. */
export interface ExpectedChange {
  kind: 'opens' | 'ends';
  type: IncidentType;
  /** Null for a condition that was open before and only gets an incident again. */
  at: number | null;
  hasEvent: boolean;
  isCritical: boolean;
}

/** Identifies one incident of a monitor. */
export interface ChosenIncident extends Pick<ExpectedIncident, 'type' | 'startedAt'> {
  /** Number of older incidents with the same type and start; more than zero only after the clock was set back. */
  place: number;
}

export interface ExpectedIncident {
  type: IncidentType;
  startedAt: number;
  endedAt: number | null;
}

/** The observations of one kind of condition, and the confirmed one. */
interface Track {
  observations: Observation[];
  confirmed: Condition | null;
  /** Its incident; null if it was closed by hand. */
  incident: ExpectedIncident | null;
  /** Incidents that were closed by hand since the condition began: their end is sent when it ends. */
  closedManually: ExpectedIncident[];
  /** The round from which the next one of the run must keep its distance. */
  spacedFrom: Round | null;
  /** Revision of the last inspection. */
  revision: number | null;
  target: string | null;
}

interface Thresholds {
  failureThreshold: number;
  recoveryThreshold: number;
}

/** A failed inspection is confirmed by one recheck after 60 s, or slightly less by the wall clock. */
const RECHECK_MS = 59_000;
const INSPECTION_THRESHOLDS: Thresholds = { failureThreshold: 2, recoveryThreshold: 1 };

const CRITICAL: Condition[] = [
  'uptime',
  'keyword',
  'json_assertion',
  'ssl_invalid',
  'domain_expired',
];

/** The status of a checked monitor with these conditions. */
export function worstOf(conditions: readonly string[]): 'online' | 'degraded' | 'offline' {
  if (CRITICAL.some((condition) => conditions.includes(condition))) return 'offline';
  return conditions.length > 0 ? 'degraded' : 'online';
}

/** The type of a condition's incident: warnings and failures of certificates, registrations and budgets share one type. */
export function typeOf(condition: Condition): IncidentType {
  if (condition === 'ssl_invalid' || condition === 'ssl_expiring') return 'ssl';
  if (condition === 'domain_expired' || condition === 'domain_expiring') return 'domain';
  if (condition === 'error_budget_fast' || condition === 'error_budget_slow') return 'error_budget';
  return condition;
}

function newTrack(): Track {
  return {
    observations: [],
    confirmed: null,
    incident: null,
    closedManually: [],
    spacedFrom: null,
    revision: null,
    target: null,
  };
}

function close(track: Track, at: number): ExpectedChange[] {
  const { incident, closedManually } = track;
  const type = typeOf(track.confirmed!);
  const isCritical = CRITICAL.includes(track.confirmed!);
  if (incident) incident.endedAt = Math.max(at, incident.startedAt);
  Object.assign(track, { confirmed: null, incident: null, closedManually: [] });
  const end = { kind: 'ends', type, isCritical } as const;
  return [
    { ...end, at: incident?.endedAt ?? at, hasEvent: incident !== null },
    ...closedManually.map(() => ({ ...end, at: null, hasEvent: true })),
  ];
}

/**
 * Ignores an observation that would extend a run too early: within 10 s of the previous round in that run, or 20 s from
 * the third on. One second less is tolerated, since rechecks are timed by the wall clock.
 */
function spaced(track: Track, observation: Observation, round: Round): Observation {
  const { observations, confirmed, incident, spacedFrom } = track;
  const isHeld = isBad(observation) && confirmed === observation.finding && incident !== null;
  if (isHeld) return { ...observation, isSettled: true };
  if (!isBad(observation) && observation.finding !== 'good') return observation;
  const before = isBad(observation)
    ? trailing(observations, (one) => isBad(one) && !one.isSettled)
    : confirmed === null
      ? []
      : trailing(
          observations.filter(({ finding }) => finding !== 'closed'),
          ({ finding }) => finding === 'good',
        );
  const neededMs = [0, 10_000][before.length] ?? 20_000;
  const passedMs =
    spacedFrom === null || neededMs === 0 ? Infinity : passedBetween(spacedFrom, round);
  const isEarly = passedMs < neededMs - 1_000;
  // After the clock was set back, the distance is unknown and starts anew.
  if (!isEarly || passedMs < -60_000) track.spacedFrom = round;
  return isEarly ? { finding: 'unknown', at: Infinity } : observation;
}

function isBad({ finding }: Observation): boolean {
  return !['good', 'off', 'unknown', 'closed'].includes(finding);
}

/** Time between two rounds. Rounds of different processes are compared by wall time. */
function passedBetween(one: Round, other: Round): number {
  return one.steady!.process === other.steady!.process
    ? other.steady!.startedAt - one.steady!.finishedAt
    : other.startedAt - one.finishedAt;
}

export function createReferenceModel(): ReferenceModel {
  const incidents: ExpectedIncident[] = [];
  const rounds = {
    reach: newTrack(),
    content: newTrack(),
    families: newTrack(),
    slow: newTrack(),
  };
  const inspections = { ssl: newTrack(), dns: newTrack(), domain: newTrack() };
  const tracks = [...Object.values(rounds), ...Object.values(inspections)];
  let revision: number | null = null;
  let coveredUntil = Infinity;
  let wasUp = false;

  function open(track: Track, condition: Condition, at: number): ExpectedChange {
    const isAnew = track.confirmed === condition;
    const type = typeOf(condition);
    let incident = incidents.find((one) => one.type === type && one.endedAt === null);
    if (!incident) incidents.push((incident = { type, startedAt: at, endedAt: null }));
    track.confirmed = condition;
    track.incident = incident;
    const isCritical = CRITICAL.includes(condition);
    return { kind: 'opens', type, at: isAnew ? null : at, hasEvent: true, isCritical };
  }

  function evaluate(track: Track, thresholds: Thresholds, seenAt: number): ExpectedChange[] {
    const { failureThreshold, recoveryThreshold } = thresholds;
    const { observations, confirmed, incident } = track;
    const { finding } = observations.at(-1)!;
    if (finding === 'unknown' || finding === 'closed') return [];
    if (finding === 'off') return confirmed ? close(track, seenAt) : [];
    if (finding === 'good') {
      const real = observations.filter((observation) => observation.finding !== 'closed');
      const run = trailing(real, (observation) => observation.finding === 'good');
      const isOver = confirmed && run.length >= recoveryThreshold;
      return isOver ? close(track, run[0]!.at) : [];
    }
    if (confirmed === finding && incident) return [];
    const isOther = confirmed !== null && confirmed !== finding;
    const run = trailing(observations, (observation) =>
      isOther
        ? observation.finding === finding
        : !['good', 'off', 'closed'].includes(observation.finding),
    );
    if (run.length < failureThreshold) return [];
    const at = run[0]!.at;
    observations.at(-1)!.isSettled = true;
    return isOther ? [...close(track, at), open(track, finding, at)] : [open(track, finding, at)];
  }

  return {
    get status() {
      const conditions = tracks.flatMap(({ confirmed }) => confirmed ?? []);
      return wasUp ? worstOf(conditions) : 'pending';
    },
    incidents,
    count(round) {
      const { settings, startedAt } = round;
      const isContinued = round.revision === revision && startedAt <= coveredUntil;
      if (!isContinued) for (const track of Object.values(rounds)) track.observations = [];
      revision = round.revision;
      const { roundClass, ...observations } = readVotes(round);
      const other = rounds.content.confirmed;
      // The kind of the content check was changed.
      const isExchanged = other !== null && other !== kindOfContent(round);
      if (isExchanged && roundClass !== 'unknown')
        observations.content = { finding: 'off', at: startedAt };
      const changes: ExpectedChange[] = [];
      for (const name of ['reach', 'content', 'families', 'slow'] as const) {
        rounds[name].observations.push(spaced(rounds[name], observations[name], round));
        changes.push(...evaluate(rounds[name], settings, startedAt));
      }
      if (roundClass !== 'unknown') {
        for (const kind of ['ssl', 'dns', 'domain'] as const) {
          if (settings.inspections.includes(kind)) continue;
          inspections[kind].observations.push({ finding: 'off', at: startedAt });
          changes.push(...evaluate(inspections[kind], INSPECTION_THRESHOLDS, startedAt));
        }
        const isUndecided = isRunning(rounds.reach) || isRunning(rounds.content);
        coveredUntil = startedAt + coverageMs(settings.intervalMs, isUndecided);
      }
      // A confirmed condition makes the monitor known, too.
      wasUp ||= roundClass === 'up' || Object.values(rounds).some((one) => one.confirmed !== null);
      return { roundClass, changes };
    },
    inspect({ kind, target, finding, at, revision: under }) {
      const track = inspections[kind];
      const changes: ExpectedChange[] = [];
      if (track.revision !== under) {
        track.observations = [];
        // Conditions of the previous target end.
        const isMoved = track.target !== null && track.target !== target;
        if (isMoved && track.confirmed) changes.push(...close(track, at));
      }
      [track.revision, track.target] = [under, target];
      if (isBeforeLast(track, finding, at)) track.observations = [];
      track.observations.push({ finding: isTooSoon(track, finding, at) ? 'unknown' : finding, at });
      changes.push(...evaluate(track, INSPECTION_THRESHOLDS, at));
      return changes;
    },
    applyManualAction(action, on, at) {
      const alike = incidents.filter(
        ({ type, startedAt }) => type === on.type && startedAt === on.startedAt,
      );
      const found = alike[on.place];
      if (!found) return;
      const isOpen = found.endedAt === null;
      if (action !== 'deleted' && isOpen !== (action === 'resolved')) return;
      const track = tracks.find(
        ({ confirmed }) => confirmed !== null && typeOf(confirmed) === found.type,
      );
      if (action === 'reopened') {
        found.endedAt = null;
        if (!track) return;
        track.incident = found;
        track.closedManually = track.closedManually.filter((one) => one !== found);
        return;
      }
      if (track?.incident === found) {
        track.incident = null;
        track.closedManually.push(found);
        track.observations.push({ finding: 'closed', at: Infinity });
      }
      if (action === 'deleted') incidents.splice(incidents.indexOf(found), 1);
      else found.endedAt = Math.max(at, found.startedAt);
    },
  };
}

/**
 * How long a verdict covers the monitor: until the next round plus a margin. While rechecks are pending, which start up
 * to 20 s after the end of a round, that much longer.
 */
export function coverageMs(intervalMs: number, isUndecided: boolean): number {
  return intervalMs + (isUndecided ? 20_000 : 0) + Math.max(5_000, 0.1 * intervalMs);
}

function kindOfContent({ settings }: Round): Condition {
  return settings.content === 'json' ? 'json_assertion' : 'keyword';
}

/** Whether the clock was set back since the last observation of the run, so that the run starts anew. */
function isBeforeLast({ observations }: Track, finding: Finding, at: number): boolean {
  const last = observations.findLast((one) => one.finding !== 'unknown');
  return (
    isBad({ finding: finding, at }) && last !== undefined && isBad(last) && last.at > at + 1_000
  );
}

/** Whether a bad observation comes too early to confirm the previous one. */
function isTooSoon(track: Track, finding: Finding, at: number): boolean {
  const last = track.observations.findLast((one) => one.finding !== 'unknown');
  if (finding === 'good' || finding === 'unknown' || !last || !isRunning(track)) return false;
  return at >= last.at && at < last.at + RECHECK_MS;
}

/** Whether the last decisive observation started a confirmation or a recovery. */
function isRunning({ observations, confirmed, incident }: Track): boolean {
  const decisive = observations.filter(({ finding }) => finding !== 'unknown');
  const last = decisive.at(-1)?.finding;
  if (last === undefined || last === 'off') return false;
  if (last === 'good') return confirmed !== null;
  // A recovery in progress continues.
  if (last === 'closed') return confirmed !== null && decisive.at(-2)?.finding === 'good';
  return confirmed !== last || incident === null;
}

/** The longest run of matching observations at the end. Unknown ones neither count nor break it. */
function trailing(
  observations: Observation[],
  isSuch: (observation: Observation) => boolean,
): Observation[] {
  const decisive = observations.filter((observation) => observation.finding !== 'unknown');
  const before = decisive.findLastIndex((observation) => !isSuch(observation));
  return decisive.slice(before + 1);
}
