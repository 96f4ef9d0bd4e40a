import type { PingKind } from '../../../src/model/heartbeat.ts';
import type { ManualAction, ExpectedIncident } from '../reference-model.ts';
import type { PushEra } from './owner.ts';
import type { PushSettings } from './scenario.ts';

/** What others are told of, and what only the incident's log tells. */
export type PushEffect = 'opens' | 'ends' | 'again';

/** A run that began and did not finish, as far as we know. */
export interface BegunRun {
  runId: string | null;
  startedAt: number;
  isJudged: boolean;
}

/**
 * A second reading of the contract, sections 11 to 13: it shares no code with src/engine/heartbeat. It is told what
 * happened to one push monitor, and knows how it stands then. All times are epoch milliseconds.
 */
export class PushReferenceModel {
  settings: PushSettings;
  expectedAt: number;
  /** Since when that ping is waited for. */
  armedAt: number;
  isPaused = false;
  isMissed = false;
  isPostponed = false;
  pings = 0;
  lastSuccessAt: number | null = null;
  runs: BegunRun[] = [];
  readonly incidents: ExpectedIncident[] = [];
  /** When what changed its status newly was. */
  changedAt: number | null = null;
  #isFailing = false;
  /** The record of what it suffers from; null when somebody closed it. */
  #incident: ExpectedIncident | null = null;
  /** Those that somebody closed while it failed: their end is sent with the recovery. */
  #closedManually: ExpectedIncident[] = [];
  #isKnown = false;

  constructor({ settings, expectedAt, wall }: PushEra) {
    this.settings = settings;
    this.expectedAt = expectedAt!;
    this.armedAt = wall;
  }

  get status(): 'pending' | 'online' | 'offline' {
    if (this.#isFailing) return 'offline';
    return this.#isKnown ? 'online' : 'pending';
  }

  /** Its job fails, and somebody closed the incident that said so. */
  get isClosed(): boolean {
    return this.#isFailing && this.#incident === null;
  }

  /** When silence means something; null when it never does. */
  get deadline(): number | null {
    const isWaiting = this.settings.waitsForFirstPing && this.pings === 0;
    return this.isPaused || this.isMissed || isWaiting
      ? null
      : this.expectedAt + this.settings.graceMs;
  }

  turn(era: PushEra): void {
    this.settings = era.settings;
    this.isPaused = era.isPaused || era.isDeleted;
    if (era.expectedAt !== null) this.expectPing(era.expectedAt, era.wall);
    if (era.isResumed) this.runs = [];
  }

  expectPing(expectedAt: number, now: number): void {
    this.expectedAt = expectedAt;
    this.armedAt = now;
    this.isMissed = false;
    this.isPostponed = false;
  }

  /** Somebody closed the incident while the job was silent, and that was seen at `now`. */
  rearm(now: number): void {
    this.expectedAt = nextTime(this.settings, now);
    this.armedAt = now;
    this.isMissed = false;
  }

  /** The clock was set back to `now`, before the time since which that ping is waited for: a whole wait passes. */
  setBack(now: number): void {
    const { settings, expectedAt, armedAt } = this;
    const isCron = settings.schedule.kind === 'cron';
    this.expectedAt = isCron
      ? Math.min(expectedAt, nextTime(settings, now + expectedAt - armedAt - 1))
      : nextTime(settings, now);
    this.armedAt = now;
  }

  postpone(expectedAt: number, armedAt: number): void {
    this.expectedAt = expectedAt;
    this.armedAt = armedAt;
    this.isPostponed = true;
  }

  /** A ping was recorded. */
  recordPing(
    kind: PingKind,
    at: number,
    runId: string | null,
  ): { effects: PushEffect[]; durationMs: number | null } {
    const isFirstWord = this.settings.waitsForFirstPing && this.pings === 0 && !this.isMissed;
    const durationMs = this.#follow(kind, at, runId);
    this.pings += 1;
    if (kind === 'success' || kind === 'failure') this.isPostponed = false;
    if (kind === 'success' || kind === 'failure' || isFirstWord) {
      this.expectedAt = timeAfterPing(this.settings, this.expectedAt, at);
      this.armedAt = at;
      this.isMissed = false;
    }
    if (kind === 'failure') return { effects: [this.fail(at)], durationMs };
    if (kind !== 'success') return { effects: [], durationMs };
    this.lastSuccessAt = at;
    return { effects: this.#recover(at), durationMs };
  }

  #follow(kind: PingKind, at: number, runId: string | null): number | null {
    if (kind === 'log') return null;
    if (kind === 'start') {
      if (runId !== null) this.runs = this.runs.filter((run) => run.runId !== runId);
      this.runs.push({ runId, startedAt: at, isJudged: false });
      return null;
    }
    const index = this.runs.findLastIndex((run) => run.runId === runId);
    if (index === -1) return null;
    const [run] = this.runs.splice(index, 1);
    return Math.max(0, at - run!.startedAt);
  }

  /** It failed, or ran over its time, or did not call. */
  fail(at: number): PushEffect {
    if (this.#isFailing && this.#incident !== null) return 'again';
    let incident = this.incidents.find(({ endedAt }) => endedAt === null);
    if (!incident)
      this.incidents.push((incident = { type: 'heartbeat', startedAt: at, endedAt: null }));
    // What was said before can't be undone.
    if (!this.#isFailing) this.changedAt = Math.max(at, this.changedAt ?? at);
    this.#isFailing = true;
    this.#incident = incident;
    this.#isKnown = true;
    return 'opens';
  }

  #recover(at: number): PushEffect[] {
    // One that somebody opened again ends with the next success, too.
    const incident = this.#incident ?? this.incidents.find(({ endedAt }) => endedAt === null);
    if (this.#isFailing || !this.#isKnown) this.changedAt = at;
    const effects: PushEffect[] = this.#closedManually.map(() => 'ends');
    this.#isFailing = false;
    this.#incident = null;
    this.#closedManually = [];
    this.#isKnown = true;
    if (incident === undefined) return effects;
    incident.endedAt = Math.max(at, incident.startedAt);
    return [...effects, 'ends'];
  }

  applyManualAction(action: ManualAction, on: ExpectedIncident, at: number): void {
    const found = this.incidents.find(
      (one) =>
        one.startedAt === on.startedAt &&
        (action === 'deleted' || (one.endedAt === null) === (action === 'resolved')),
    );
    if (!found) return;
    if (action === 'reopened') {
      found.endedAt = null;
      if (this.#isFailing) this.#incident = found;
      this.#closedManually = this.#closedManually.filter((one) => one !== found);
      return;
    }
    if (this.#incident === found) {
      this.#incident = null;
      this.#closedManually.push(found);
    }
    if (action === 'deleted') this.incidents.splice(this.incidents.indexOf(found), 1);
    else found.endedAt = Math.max(at, found.startedAt);
  }
}

/** When a ping is expected after `at`, be it an interval later or at the next multiple of so many minutes. */
export function nextTime({ schedule: { kind, everyMs } }: PushSettings, at: number): number {
  return kind === 'interval' ? at + everyMs : at - (at % everyMs) + everyMs;
}

/** A cron ping that is up to the grace or a minute early, and nearer to that time than to the one before, is for it. */
function timeAfterPing(settings: PushSettings, expectedAt: number, at: number): number {
  const next = nextTime(settings, at);
  const { schedule, graceMs } = settings;
  if (schedule.kind === 'interval') return next;
  const isLate = at >= expectedAt && at - expectedAt <= graceMs;
  const earlyMs = next - at;
  const isEarly = earlyMs <= Math.max(graceMs, 60_000) && 2 * earlyMs <= schedule.everyMs;
  return isEarly && !isLate ? next + schedule.everyMs : next;
}
