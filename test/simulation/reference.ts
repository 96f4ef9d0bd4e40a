import type { Condition, IncidentType } from '../../src/model/condition.ts';
import type { InspectionKind } from '../../src/model/inspection.ts';
import type { MonitorStatus } from '../../src/model/monitor.ts';
import type { Round, RoundClass } from '../../src/model/round.ts';
import type { Word } from './inspection/words.ts';
import { readVotes } from './votes.ts';
import type { Look } from './votes.ts';

/**
 * A second reading of the contract, sections 18 and 19: it shares no code with src/engine/verdict and goes about it in
 * another way. It keeps the whole history of a monitor's looks, and reads runs off its end.
 */
export interface Reference {
  readonly status: MonitorStatus;
  readonly incidents: readonly ExpectedIncident[];
  /** The round counts: what does it change? */
  count(round: Round): Counted;
  /** An inspection counts. */
  inspect(look: InspectionLook): ExpectedChange[];
  /** Somebody did that to an incident, at that time (epoch ms). */
  byHand(deed: Deed, on: ChosenIncident, at: number): void;
}

export interface InspectionLook {
  kind: InspectionKind;
  target: string;
  word: Word;
  /** When the answer came (epoch ms), and of which settings of the monitor it is. */
  at: number;
  revision: number;
}

export type Deed = 'resolved' | 'reopened' | 'deleted';

export interface Counted {
  roundClass: RoundClass;
  changes: ExpectedChange[];
}

/** A trouble begins or ends; not all are told, since somebody may have closed the incident before. */
export interface ExpectedChange {
  kind: 'opens' | 'ends';
  type: IncidentType;
  /** Null for one that only has an incident again. */
  at: number | null;
  isTold: boolean;
  isCritical: boolean;
}

/** Names one incident of a monitor. */
export interface ChosenIncident extends Pick<ExpectedIncident, 'type' | 'startedAt'> {
  /** How many older incidents have the same type and beginning. After the clock was set back, there may be some. */
  place: number;
}

export interface ExpectedIncident {
  type: IncidentType;
  startedAt: number;
  endedAt: number | null;
}

/** What concerns one kind of trouble: the looks at it, and what is confirmed. */
interface Trouble {
  looks: Look[];
  confirmed: Condition | null;
  /** Its record; null when somebody closed it. */
  incident: ExpectedIncident | null;
  /** Those that somebody closed since the condition began: their end is sent with its end. */
  closedByHand: ExpectedIncident[];
  /** The round that the next one of the run has to keep its distance from. */
  spacedFrom: Round | null;
  /** Of the last inspection. */
  revision: number | null;
  target: string | null;
}

interface Thresholds {
  failureThreshold: number;
  recoveryThreshold: number;
}

/** "Inspections that fail are confirmed by one recheck after 60 s", or a moment less by the wall clock. */
const RECHECK_MS = 59_000;
const OF_INSPECTIONS: Thresholds = { failureThreshold: 2, recoveryThreshold: 1 };

const CRITICAL: Condition[] = [
  'uptime',
  'keyword',
  'json_assertion',
  'ssl_invalid',
  'domain_expired',
];

/** The status of a monitor that was looked at and suffers from these. */
export function worstOf(conditions: readonly string[]): 'online' | 'degraded' | 'offline' {
  if (CRITICAL.some((condition) => conditions.includes(condition))) return 'offline';
  return conditions.length > 0 ? 'degraded' : 'online';
}

/** Certificates and registrations that get worse have an incident of the same type again. */
export function typeOf(condition: Condition): IncidentType {
  if (condition === 'ssl_invalid' || condition === 'ssl_expiring') return 'ssl';
  if (condition === 'domain_expired' || condition === 'domain_expiring') return 'domain';
  return condition;
}

function newTrouble(): Trouble {
  return {
    looks: [],
    confirmed: null,
    incident: null,
    closedByHand: [],
    spacedFrom: null,
    revision: null,
    target: null,
  };
}

function finish(trouble: Trouble, at: number): ExpectedChange[] {
  const { incident, closedByHand } = trouble;
  const type = typeOf(trouble.confirmed!);
  const isCritical = CRITICAL.includes(trouble.confirmed!);
  if (incident) incident.endedAt = Math.max(at, incident.startedAt);
  Object.assign(trouble, { confirmed: null, incident: null, closedByHand: [] });
  const end = { kind: 'ends', type, isCritical } as const;
  return [
    { ...end, at: incident?.endedAt ?? at, isTold: incident !== null },
    ...closedByHand.map(() => ({ ...end, at: null, isTold: true })),
  ];
}

/**
 * What a round says of one kind of trouble, given when it came: one that would lengthen a run says nothing when it began
 * less than 10 s, or 20 s from the third on, after the end of the round before it in that run. A second of this may be
 * missing, since a recheck is timed by the wall clock.
 */
function spaced(trouble: Trouble, look: Look, round: Round): Look {
  const { looks, confirmed, incident, spacedFrom } = trouble;
  const isHeld = isBad(look) && confirmed === look.says && incident !== null;
  if (isHeld) return { ...look, isSettled: true };
  if (!isBad(look) && look.says !== 'good') return look;
  const before = isBad(look)
    ? trailing(looks, (one) => isBad(one) && !one.isSettled)
    : confirmed === null
      ? []
      : trailing(
          looks.filter(({ says }) => says !== 'closed'),
          ({ says }) => says === 'good',
        );
  const neededMs = [0, 10_000][before.length] ?? 20_000;
  const passedMs =
    spacedFrom === null || neededMs === 0 ? Infinity : passedBetween(spacedFrom, round);
  const isEarly = passedMs < neededMs - 1_000;
  // By a clock that was set back nobody can tell how long it was: it is waited for anew.
  if (!isEarly || passedMs < -60_000) trouble.spacedFrom = round;
  return isEarly ? { says: 'unknown', at: Infinity } : look;
}

function isBad({ says }: Look): boolean {
  return !['good', 'off', 'unknown', 'closed'].includes(says);
}

/** From the end of the one to the beginning of the other; of two processes only the wall clock knows. */
function passedBetween(one: Round, other: Round): number {
  return one.steady!.process === other.steady!.process
    ? other.steady!.startedAt - one.steady!.finishedAt
    : other.startedAt - one.finishedAt;
}

export function createReference(): Reference {
  const incidents: ExpectedIncident[] = [];
  const rounds = {
    reach: newTrouble(),
    content: newTrouble(),
    families: newTrouble(),
    slow: newTrouble(),
  };
  const inspections = { ssl: newTrouble(), dns: newTrouble(), domain: newTrouble() };
  const troubles = [...Object.values(rounds), ...Object.values(inspections)];
  let revision: number | null = null;
  let coveredUntil = Infinity;
  let wasUp = false;

  function begin(trouble: Trouble, condition: Condition, at: number): ExpectedChange {
    const isAnew = trouble.confirmed === condition;
    const type = typeOf(condition);
    let incident = incidents.find((one) => one.type === type && one.endedAt === null);
    if (!incident) incidents.push((incident = { type, startedAt: at, endedAt: null }));
    trouble.confirmed = condition;
    trouble.incident = incident;
    const isCritical = CRITICAL.includes(condition);
    return { kind: 'opens', type, at: isAnew ? null : at, isTold: true, isCritical };
  }

  function judge(trouble: Trouble, thresholds: Thresholds, seenAt: number): ExpectedChange[] {
    const { failureThreshold, recoveryThreshold } = thresholds;
    const { looks, confirmed, incident } = trouble;
    const { says } = looks.at(-1)!;
    if (says === 'unknown' || says === 'closed') return [];
    if (says === 'off') return confirmed ? finish(trouble, seenAt) : [];
    if (says === 'good') {
      const real = looks.filter((look) => look.says !== 'closed');
      const run = trailing(real, (look) => look.says === 'good');
      const isOver = confirmed && run.length >= recoveryThreshold;
      return isOver ? finish(trouble, run[0]!.at) : [];
    }
    if (confirmed === says && incident) return [];
    const isOther = confirmed !== null && confirmed !== says;
    const run = trailing(looks, (look) =>
      isOther ? look.says === says : !['good', 'off', 'closed'].includes(look.says),
    );
    if (run.length < failureThreshold) return [];
    const at = run[0]!.at;
    looks.at(-1)!.isSettled = true;
    return isOther
      ? [...finish(trouble, at), begin(trouble, says, at)]
      : [begin(trouble, says, at)];
  }

  return {
    get status() {
      const conditions = troubles.flatMap(({ confirmed }) => confirmed ?? []);
      return wasUp ? worstOf(conditions) : 'pending';
    },
    incidents,
    count(round) {
      const { settings, startedAt } = round;
      const isContinued = round.revision === revision && startedAt <= coveredUntil;
      if (!isContinued) for (const trouble of Object.values(rounds)) trouble.looks = [];
      revision = round.revision;
      const { roundClass, ...looks } = readVotes(round);
      const other = rounds.content.confirmed;
      // The one kind of content check was exchanged for the other one.
      const isExchanged = other !== null && other !== kindOfContent(round);
      if (isExchanged && roundClass !== 'unknown') looks.content = { says: 'off', at: startedAt };
      const changes: ExpectedChange[] = [];
      for (const name of ['reach', 'content', 'families', 'slow'] as const) {
        rounds[name].looks.push(spaced(rounds[name], looks[name], round));
        changes.push(...judge(rounds[name], settings, startedAt));
      }
      if (roundClass !== 'unknown') {
        for (const kind of ['ssl', 'dns', 'domain'] as const) {
          if (settings.inspections.includes(kind)) continue;
          inspections[kind].looks.push({ says: 'off', at: startedAt });
          changes.push(...judge(inspections[kind], OF_INSPECTIONS, startedAt));
        }
        const isUndecided = isRunning(rounds.reach) || isRunning(rounds.content);
        coveredUntil = startedAt + coverageMs(settings.intervalMs, isUndecided);
      }
      // Whatever rounds confirmed has made the monitor known, too.
      wasUp ||= roundClass === 'up' || Object.values(rounds).some((one) => one.confirmed !== null);
      return { roundClass, changes };
    },
    inspect({ kind, target, word, at, revision: under }) {
      const trouble = inspections[kind];
      const changes: ExpectedChange[] = [];
      if (trouble.revision !== under) {
        trouble.looks = [];
        // What was confirmed of another target is over.
        const isMoved = trouble.target !== null && trouble.target !== target;
        if (isMoved && trouble.confirmed) changes.push(...finish(trouble, at));
      }
      [trouble.revision, trouble.target] = [under, target];
      if (isBeforeLast(trouble, word, at)) trouble.looks = [];
      trouble.looks.push({ says: isTooSoon(trouble, word, at) ? 'unknown' : word, at });
      changes.push(...judge(trouble, OF_INSPECTIONS, at));
      return changes;
    },
    byHand(deed, on, at) {
      const alike = incidents.filter(
        ({ type, startedAt }) => type === on.type && startedAt === on.startedAt,
      );
      const found = alike[on.place];
      if (!found) return;
      const isOpen = found.endedAt === null;
      if (deed !== 'deleted' && isOpen !== (deed === 'resolved')) return;
      const trouble = troubles.find(
        ({ confirmed }) => confirmed !== null && typeOf(confirmed) === found.type,
      );
      if (deed === 'reopened') {
        found.endedAt = null;
        if (!trouble) return;
        trouble.incident = found;
        trouble.closedByHand = trouble.closedByHand.filter((one) => one !== found);
        return;
      }
      if (trouble?.incident === found) {
        trouble.incident = null;
        trouble.closedByHand.push(found);
        trouble.looks.push({ says: 'closed', at: Infinity });
      }
      if (deed === 'deleted') incidents.splice(incidents.indexOf(found), 1);
      else found.endedAt = Math.max(at, found.startedAt);
    },
  };
}

/**
 * How long a verdict speaks for the monitor: until the next look, and a little longer. While one waits for rechecks,
 * which come up to 20 s after the end of a round, that is later by as much.
 */
export function coverageMs(intervalMs: number, isUndecided: boolean): number {
  return intervalMs + (isUndecided ? 20_000 : 0) + Math.max(5_000, 0.1 * intervalMs);
}

function kindOfContent({ settings }: Round): Condition {
  return settings.content === 'json' ? 'json_assertion' : 'keyword';
}

/** The clock was set back since the last look of the run: how long ago that was is not known, and the run begins anew. */
function isBeforeLast({ looks }: Trouble, word: Word, at: number): boolean {
  const last = looks.findLast(({ says }) => says !== 'unknown');
  return isBad({ says: word, at }) && last !== undefined && isBad(last) && last.at > at + 1_000;
}

/** A bad look confirms nothing so shortly after the one that it would have to confirm. */
function isTooSoon(trouble: Trouble, word: Word, at: number): boolean {
  const last = trouble.looks.findLast(({ says }) => says !== 'unknown');
  if (word === 'good' || word === 'unknown' || !last || !isRunning(trouble)) return false;
  return at >= last.at && at < last.at + RECHECK_MS;
}

/** Whether the last look that told anything began to confirm something, or to end it. */
function isRunning({ looks, confirmed, incident }: Trouble): boolean {
  const telling = looks.filter(({ says }) => says !== 'unknown');
  const last = telling.at(-1)?.says;
  if (last === undefined || last === 'off') return false;
  if (last === 'good') return confirmed !== null;
  // A recovery that had begun goes on.
  if (last === 'closed') return confirmed !== null && telling.at(-2)?.says === 'good';
  return confirmed !== last || incident === null;
}

/** The longest run at the end of which all say so; looks that saw nothing neither count nor break it. */
function trailing(looks: Look[], isSuch: (look: Look) => boolean): Look[] {
  const telling = looks.filter((look) => look.says !== 'unknown');
  const before = telling.findLastIndex((look) => !isSuch(look));
  return telling.slice(before + 1);
}
