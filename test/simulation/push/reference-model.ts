import type { PingKind } from '../../../src/model/heartbeat.ts';
import type { ChosenIncident, ManualAction, ExpectedIncident } from '../reference-model.ts';
import type { PushEra } from './owner.ts';
import type { PushSettings } from './scenario.ts';

/** Largest difference between the clocks of two processes. */
export const SKEW_MS = 1_000;

/** Effects of a ping or a missed ping: an event, or only an entry in the incident's activity log (`again`). */
export type PushEffect = 'opens' | 'ends' | 'again';

/** A run that started and has not finished, as far as the service knows. */
export interface BegunRun {
  runId: string | null;
  startedAt: number;
  isJudged: boolean;
}

/**
 * An independent implementation of the contract, sections 11 to 13. It shares no code with src/engine/heartbeat. It
 * receives what happened to one push monitor and derives its state. All times are epoch milliseconds.
 */
export class PushReferenceModel {
  settings: PushSettings;
  expectedAt: number;
  /** Since when the next ping is expected. */
  armedAt: number;
  isPaused = false;
  isMissed = false;
  isPostponed = false;
  pings = 0;
  lastSuccessAt: number | null = null;
  /** Time of the latest success or failure. */
  #lastWordAt: number | null = null;
  runs: BegunRun[] = [];
  readonly incidents: ExpectedIncident[] = [];
  /** Time of the ping or deadline that last changed its status. */
  changedAt: number | null = null;
  #isFailing = false;
  /** Its open incident; null if it was closed by hand. */
  #incident: ExpectedIncident | null = null;
  /** Incidents that were closed by hand while the job failed: their end is sent with the recovery. */
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

  /** Whether the job fails and its incident was closed by hand. */
  get isClosed(): boolean {
    return this.#isFailing && this.#incident === null;
  }

  /** When the next ping is overdue; null if none is expected. */
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

  /** The incident was closed by hand while the job was silent, which was noticed at `now`. */
  rearm(now: number): void {
    this.expectedAt = nextTime(this.settings, now);
    this.armedAt = now;
    this.isMissed = false;
  }

  /** The clock was set back to before the start of the current wait: a whole interval is waited again. */
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

  /** Applies a recorded ping. */
  recordPing(
    kind: PingKind,
    at: number,
    runId: string | null,
    now: number,
  ): { effects: PushEffect[]; durationMs: number | null } {
    const isFirstWord = this.settings.waitsForFirstPing && this.pings === 0 && !this.isMissed;
    const wasSaid = (afterMs: number) =>
      this.#lastWordAt !== null && at + afterMs < this.#lastWordAt && this.#lastWordAt <= now;
    if (kind === 'start' && wasSaid(SKEW_MS)) {
      this.pings += 1;
      return { effects: [], durationMs: null };
    }
    const durationMs = this.#follow(kind, at, runId, now);
    this.pings += 1;
    if (kind === 'success' || kind === 'failure') {
      // A later one was stored first.
      if (wasSaid(0)) {
        this.isPostponed = false;
        return { effects: [], durationMs };
      }
      this.#lastWordAt = at;
    }
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

  #follow(kind: PingKind, at: number, runId: string | null, now: number): number | null {
    if (kind === 'log') return null;
    if (kind === 'start') {
      if (runId !== null) this.runs = this.runs.filter((run) => run.runId !== runId);
      this.runs.push({ runId, startedAt: at, isJudged: false });
      return null;
    }
    const isLater = ({ startedAt }: BegunRun) => startedAt > at + SKEW_MS && startedAt <= now;
    const index = this.runs.findLastIndex((run) => run.runId === runId && !isLater(run));
    if (index === -1) return null;
    const [run] = this.runs.splice(index, 1);
    return Math.max(0, at - run!.startedAt);
  }

  /** Applies a failure, an overrun or a missed ping. */
  fail(at: number): PushEffect {
    if (this.#isFailing && this.#incident !== null) return 'again';
    let incident = this.incidents.find(({ endedAt }) => endedAt === null);
    if (!incident)
      this.incidents.push((incident = { type: 'heartbeat', startedAt: at, endedAt: null }));
    // Spans that were already recorded are not changed.
    if (!this.#isFailing) this.changedAt = Math.max(at, this.changedAt ?? at);
    this.#isFailing = true;
    this.#incident = incident;
    this.#isKnown = true;
    return 'opens';
  }

  #recover(at: number): PushEffect[] {
    // A reopened incident ends with the next success, too.
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

  applyManualAction(action: ManualAction, on: ChosenIncident, at: number): void {
    const found = this.incidents.filter(({ startedAt }) => startedAt === on.startedAt)[on.place];
    if (!found) return;
    const isOpen = found.endedAt === null;
    if (action !== 'deleted' && isOpen !== (action === 'resolved')) return;
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

/** The next expected time after `at`: an interval later, or the next multiple of the period. */
export function nextTime({ schedule: { kind, everyMs } }: PushSettings, at: number): number {
  return kind === 'interval' ? at + everyMs : at - (at % everyMs) + everyMs;
}

/**
 * The next expected time after a ping. A cron ping counts for the next scheduled time if it is at most the grace period
 * or a minute early and closer to that time than to the previous one.
 */
function timeAfterPing(settings: PushSettings, expectedAt: number, at: number): number {
  const next = nextTime(settings, at);
  const { schedule, graceMs } = settings;
  if (schedule.kind === 'interval') return next;
  const isLate = at >= expectedAt && at - expectedAt <= graceMs;
  const earlyMs = next - at;
  const isEarly = earlyMs <= Math.max(graceMs, 60_000) && 2 * earlyMs <= schedule.everyMs;
  return isEarly && !isLate ? next + schedule.everyMs : next;
}
