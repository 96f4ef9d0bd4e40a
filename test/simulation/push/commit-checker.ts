import type { Transaction } from 'kysely';
import type { RuleCoverage } from '../coverage.ts';
import type { Heartbeat, PingKind, ServiceGap } from '../../../src/model/heartbeat.ts';
import { listGapsAndSetbacks } from '../../../src/store/engine/process-marks.ts';
import { lockHeartbeats } from '../../../src/store/engine/heartbeats.ts';
import type { Schema } from '../../../src/store/database/contract.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import type { ProcessInstance } from '../process-instance.ts';
import type { ManualAction } from '../reference-model.ts';
import type { Story } from '../story.ts';
import type { Observed } from '../observed-rows.ts';
import type { WorldDatabase } from '../world-database.ts';
import type { Attempt } from './jobs.ts';
import { heartbeatFaults } from './state-differences.ts';
import type { OwnedPush } from './owner.ts';
import { nextTime, PushReferenceModel, SKEW_MS } from './reference-model.ts';
import type { PushEffect } from './reference-model.ts';
import { gapWithin, NOTES, PINGS } from './tracked-push.ts';
import type { FailureReport, StoredPing, TrackedPush } from './tracked-push.ts';

/** What one transaction is about to leave of push monitors. */
export type ObservedPushes = Awaited<ReturnType<PushChecker['observe']>>;

export interface PushCheckerOptions {
  clock: FakeClock;
  peek: WorldDatabase['peek'];
  pushes: ReadonlyMap<number, OwnedPush>;
  attempts: () => readonly Attempt[];
  /** Incidents that were deleted, or are being deleted. */
  erased: ReadonlySet<number>;
  /** When an incident of a monitor was last changed by hand: its sweep may be delayed by a settling time then. */
  manualActionAt: ReadonlyMap<number, number>;
  story: Story;
  coverage: RuleCoverage;
  isClockSteady(): boolean;
  /** Largest difference between the clocks of processes and database; if positive, wall times are ambiguous. */
  skewMs: number;
  /** Additional delay of sweeps where another process has to confirm that it received no ping either. */
  othersMs: number;
  /** Wall time of a virtual instant. */
  wallAt(at: number): number;
  /** When the last disturbance ended, in milliseconds since the world began; null during one. */
  undisturbedSince(): number | null;
  violate(rule: string): void;
}

/** Earliest evaluation of a missed ping after its deadline. */
const SETTLE_MS = 3_000;
/** Latest evaluation: sweeps run every second. */
const EVALUATED_MS = SETTLE_MS + 2_500;
/** Time after a disturbance in which marks and waiting pings may still arrive. */
const RECOVERY_MS = 8_000;
/** A ping counts for an expected time if it was sent at most this long before. */
const EARLY_MS = 60_000;

/** Checks every commit to push monitors against the rules. */
export class PushChecker {
  readonly tracked = new Map<number, TrackedPush>();
  readonly failureReports: FailureReport[] = [];
  readonly #options: PushCheckerOptions;
  #incidents: Observed['incidents'] = [];
  #commits = 0;
  /** The wall clock of the process that made the current commit. */
  #now: () => number;
  #lastNote = 0;

  constructor(options: PushCheckerOptions) {
    this.#options = options;
    this.#now = () => options.clock.now();
  }

  isPush(monitorId: number): boolean {
    return this.#options.pushes.has(monitorId);
  }

  async observe(tx: Transaction<Schema>) {
    const ids = [...this.#options.pushes.keys()];
    const states = await lockHeartbeats(tx, ids);
    const pings = [];
    for (const [id, { pingCount }] of states) {
      const known = this.tracked.get(id)?.reference.pings ?? 0;
      if (pingCount !== known) pings.push(...this.#options.peek(PINGS, [id, known]));
    }
    const notes = this.#options.peek(NOTES, [this.#lastNote, 'failed_again']);
    return { states, pings, notes, gaps: await listGapsAndSetbacks(tx, 0) };
  }

  /** @param seen rows of push monitors only. */
  committed(
    seen: Observed,
    { states, pings, notes, gaps: recorded }: ObservedPushes,
    instance: ProcessInstance,
  ): void {
    this.#now = () => instance.now();
    const { violate, story } = this.#options;
    const gaps = this.#shownOnce(recorded);
    this.#commits += 1;
    this.#applyManualActions(seen);
    const effects: string[] = [];
    for (const state of states.values()) {
      const found = this.#trackedOf(state.monitorId);
      const before = found.reference.status;
      this.#turn(found);
      const heard = pings.filter((ping) => ping.monitor_id === state.monitorId);
      const changes =
        heard.length > 0
          ? heard.flatMap((ping) => this.#recordPing(found, ping))
          : this.#checkSilentJob(found, state, gaps);
      effects.push(...changes.map((change) => `monitor ${state.monitorId}: ${change}`));
      const of = <Row extends { monitor_id: number }>(rows: Row[]) =>
        rows.filter((row) => row.monitor_id === state.monitorId);
      const rows = { incidents: of(seen.incidents), spans: of(seen.spans) };
      const { isClockSteady } = this.#options;
      const now = isClockSteady() ? this.#now() : null;
      for (const fault of heartbeatFaults(found, state, rows, { before, effects: changes, now }))
        violate(`monitor ${state.monitorId}: ${fault}`);
    }
    const events = seen.events.map(
      ({ monitor_id, type }) =>
        `monitor ${monitor_id}: ${type === 'monitor.heartbeat_missed' ? 'opens' : 'ends'}`,
    );
    const again = notes.map(({ monitor_id }) => `monitor ${monitor_id}: again`);
    const [is, should] = [[...events, ...again], effects].map((all) => all.toSorted().join(', '));
    if (is !== should) violate(`events and notes are [${is}] and should be [${should}]`);
    for (const { id, incident_id, type } of seen.events)
      story.add(`event ${id}: ${type} of incident ${incident_id}`);
    this.#incidents = seen.incidents;
    this.#lastNote = notes.at(-1)?.id ?? this.#lastNote;
  }

  /** Checks that everything overdue was evaluated. */
  look(): void {
    this.#now = () => this.#options.clock.now();
    for (const found of this.tracked.values()) {
      this.#turn(found);
      const { reference, push } = found;
      const lateMs = this.#lateMs(found, reference.deadline);
      if (lateMs > 0)
        this.#options.violate(
          `monitor ${push.id}: its missed ping is overdue for evaluation by ${lateMs} ms`,
        );
      const { clock, manualActionAt, skewMs } = this.#options;
      const closedAt = clock.now() - clock.monotonic() + (manualActionAt.get(push.id) ?? 0);
      const isNeverRearmed = reference.isMissed && reference.isClosed && !reference.isPaused;
      if (isNeverRearmed && this.#lateMs(found, closedAt) > 0)
        this.#options.violate(
          `monitor ${push.id}: its incident was closed by hand, but no ping is expected`,
        );
      if (reference.deadline !== null && this.#isAhead(reference.armedAt, SKEW_MS + skewMs))
        this.#demandSetBack(found);
      for (const run of reference.runs) {
        const late = this.#lateMs(found, this.#endOf(found, run));
        if (late > 0)
          this.#options.violate(
            `monitor ${push.id}: a run is overdue for evaluation by ${late} ms`,
          );
      }
    }
  }

  /** A deadline is not delayed by as much as the clock was set back. */
  #demandSetBack({ push }: TrackedPush): void {
    const { clock, manualActionAt, undisturbedSince, violate } = this.#options;
    const disturbedAt = undisturbedSince();
    if (disturbedAt === null) return;
    const touched = Math.max(push.eras.at(-1)!.from, manualActionAt.get(push.id) ?? 0);
    const since = Math.max(disturbedAt + RECOVERY_MS, touched);
    if (clock.monotonic() - since > EVALUATED_MS)
      violate(`monitor ${push.id}: its wait starts in the future`);
  }

  /** By how many milliseconds the evaluation of a deadline (epoch ms) is late now; zero or less if it is not. */
  #lateMs({ push }: TrackedPush, ranOutAt: number | null): number {
    const { clock, isClockSteady, undisturbedSince, manualActionAt, skewMs, othersMs } =
      this.#options;
    const disturbedAt = undisturbedSince();
    if (ranOutAt === null || disturbedAt === null || (!isClockSteady() && skewMs === 0)) return 0;
    const ranOut = clock.monotonic() - (clock.now() - ranOutAt);
    const touched = Math.max(push.eras.at(-1)!.from, manualActionAt.get(push.id) ?? 0);
    const since = Math.max(ranOut, disturbedAt + RECOVERY_MS, touched);
    return clock.monotonic() - since - EVALUATED_MS - skewMs - othersMs;
  }

  #trackedOf(id: number): TrackedPush {
    let found = this.tracked.get(id);
    if (!found) {
      const push = this.#options.pushes.get(id)!;
      const era = push.eras[0]!;
      found = {
        push,
        reference: new PushReferenceModel(era),
        eras: 1,
        armedSince: era.from,
        knownFrom: null,
      };
      this.tracked.set(id, found);
    }
    return found;
  }

  /** Applies the edits since the last commit. */
  #turn(found: TrackedPush): void {
    const { eras } = found.push;
    for (const era of eras.slice(found.eras)) {
      found.reference.turn(era);
      if (era.expectedAt !== null) found.armedSince = era.from;
      if (era.isPaused || era.isDeleted) found.knownFrom = null;
    }
    found.eras = eras.length;
  }

  #applyManualActions(seen: Observed): void {
    const { erased, violate } = this.#options;
    const here = new Map(seen.incidents.map((incident) => [incident.id, incident]));
    const known = new Map(this.#incidents.map((incident) => [incident.id, incident]));
    const take = (
      incident: Observed['incidents'][number],
      others: readonly Observed['incidents'][number][],
      action: ManualAction,
      at: number,
    ) => {
      const { id, monitor_id: monitorId, started_at: startedAt } = incident;
      const isOlderTwin = (other: typeof incident) =>
        other.monitor_id === monitorId && other.started_at === startedAt && other.id < id;
      const on = {
        type: 'heartbeat' as const,
        startedAt,
        place: others.filter(isOlderTwin).length,
      };
      this.#trackedOf(monitorId).reference.applyManualAction(action, on, at);
    };
    // Newest first, so that the positions of older ones do not change.
    for (const incident of this.#incidents.toSorted((a, b) => b.id - a.id)) {
      const now = here.get(incident.id);
      if (now && now.started_at !== incident.started_at)
        violate(`incident ${incident.id}changed its start`);
      if (now) continue;
      if (!erased.has(incident.id)) violate(`incident ${incident.id} vanished`);
      take(incident, this.#incidents, 'deleted', 0);
    }
    const left = this.#incidents.filter(({ id }) => here.has(id));
    for (const { incident_id, type, created_at } of seen.manualActions)
      take(known.get(incident_id)!, left, type as ManualAction, created_at);
  }

  #recordPing(found: TrackedPush, ping: StoredPing): PushEffect[] {
    const { violate, attempts, coverage, clock, story } = this.#options;
    const { reference, push } = found;
    const { number, kind, at } = ping;
    const wrong = (what: string) => violate(`monitor ${push.id}, ping ${number}: ${what}`);
    if (number !== reference.pings + 1) wrong(`it follows ping ${reference.pings}`);
    const attempt = attempts()[Number(ping.body)];
    if (!attempt || attempt.monitorId !== push.id) wrong('no job sent it');
    else {
      if (attempt.row !== null) wrong(`it repeats ping ${attempt.row.number}`);
      const isTrue =
        attempt.kind === kind &&
        attempt.takenAt === at &&
        attempt.runId === ping.run_id &&
        attempt.exitCode === ping.exit_code;
      if (!isTrue) wrong('it is not what was sent');
      attempt.row = { number, commit: this.#commits };
    }
    if (reference.isPaused) wrong('it was recorded though the monitor is paused or deleted');
    const armedAt = reference.armedAt;
    const { effects, durationMs } = reference.recordPing(
      kind as PingKind,
      at,
      ping.run_id,
      this.#now(),
    );
    if (reference.armedAt !== armedAt) found.armedSince = clock.monotonic();
    if (kind === 'success' || kind === 'failure') found.knownFrom ??= at;
    if (durationMs !== ping.duration_ms)
      wrong(`its run took ${durationMs} ms, but ${ping.duration_ms} is stored`);
    if (durationMs !== null) coverage.duration += 1;
    if (kind === 'failure') coverage.failed += 1;
    if (effects.includes('ends')) coverage.recovered += 1;
    story.add(`monitor ${push.id}: ping ${number} is ${ping.body}, ${kind}`);
    return effects;
  }

  /** Applies a sweep. */
  #checkSilentJob(found: TrackedPush, state: Heartbeat, gaps: readonly ServiceGap[]): PushEffect[] {
    const { coverage, clock } = this.#options;
    const { reference } = found;
    if (reference.isMissed && reference.isClosed && !state.isMissed) {
      reference.rearm(this.#now());
      found.armedSince = clock.monotonic();
      coverage.rearmed += 1;
    }
    this.#setBack(found, state);
    const faults = this.#evaluateRuns(found, state, gaps);
    for (let turn = 0; turn < 5 && reference.expectedAt !== state.expectedAt; turn += 1)
      this.#postpone(found, gaps);
    if (state.isMissed && !reference.isMissed) faults.push(this.#miss(found, gaps));
    const effects: PushEffect[] = [];
    for (const at of faults.toSorted((a, b) => a - b)) {
      effects.push(reference.fail(at));
      found.knownFrom ??= at;
    }
    return effects;
  }

  /** Applies a clock that was set back: waits and runs that started in the future start now. */
  #setBack(found: TrackedPush, state: Heartbeat): void {
    const { clock } = this.#options;
    const { reference } = found;
    const isOver = (at: number) => at <= this.#now();
    if (this.#isAhead(reference.armedAt) && reference.deadline !== null && isOver(state.armedAt)) {
      reference.setBack(state.armedAt);
      found.armedSince = clock.monotonic();
    }
    reference.runs.forEach((run, index) => {
      const startedAt = state.runs[index]?.startedAt;
      if (this.#isAhead(run.startedAt) && startedAt !== undefined && isOver(startedAt))
        run.startedAt = startedAt;
    });
  }

  /**
   * Adjusts gaps that were recorded before the clock was set back: one that ends in the future ends where times recur.
   */
  #shownOnce(gaps: readonly ServiceGap[]): ServiceGap[] {
    const setbacks = gaps.filter(({ from, to }) => from > to);
    return gaps.flatMap((gap) => {
      if (!this.#isAhead(gap.to)) return gap;
      const to = this.#shownAgain(gap.to, setbacks);
      return gap.from < to ? { ...gap, to } : [];
    });
  }

  /** Where a time that is ahead was shown once more, after all setbacks since. */
  #shownAgain(at: number, setbacks: readonly ServiceGap[]): number {
    if (!this.#isAhead(at)) return at;
    const shown = setbacks.filter(({ from, to }) => to < at && at <= from);
    // An unrecorded setback: all times until now are ambiguous.
    if (shown.length === 0) return this.#now();
    return this.#shownAgain(Math.max(...shown.map(({ to }) => to)), setbacks);
  }

  #isAhead(at: number, toleranceMs = SKEW_MS): boolean {
    return at > this.#now() + toleranceMs;
  }

  #evaluateRuns(found: TrackedPush, state: Heartbeat, gaps: readonly ServiceGap[]): number[] {
    const { coverage } = this.#options;
    const judged = new Set(
      state.runs.filter((run) => run.isJudged).map((run) => `${run.id} ${run.startedAt}`),
    );
    const faults: number[] = [];
    for (const run of found.reference.runs) {
      if (run.isJudged || !judged.has(`${run.runId} ${run.startedAt}`)) continue;
      const at = this.#endOf(found, run);
      run.isJudged = true;
      this.#checkTime(found, at);
      const { startedAt } = run;
      const wait = { armedAt: startedAt, from: startedAt, to: at! + SETTLE_MS };
      const isUnheard = gapWithin(gaps, wait) !== null;
      if (isUnheard) {
        coverage.excusedRuns += 1;
        continue;
      }
      coverage.overrun += 1;
      // Runs that started in the same millisecond are noted once.
      if (!faults.includes(at!)) faults.push(at!);
      this.#reportFailure(found, { of: 'run', from: run.startedAt, to: at!, runId: run.runId });
    }
    return faults;
  }

  #postpone({ reference, push, ...found }: TrackedPush, gaps: readonly ServiceGap[]): void {
    const { coverage, violate } = this.#options;
    const { settings, expectedAt, deadline } = reference;
    const gap = this.#gapWhileWaiting(reference, gaps);
    this.#checkTime({ reference, push, ...found }, deadline);
    if (gap === null || (reference.isPostponed && gap.to <= deadline!))
      return violate(`monitor ${push.id}: its deadline is postponed without a reason`);
    const isAnyTime = settings.schedule.kind === 'cron' || gap.from > gap.to;
    const from = isAnyTime ? Math.max(gap.to, expectedAt) : gap.to;
    reference.postpone(nextTime(settings, from), gap.to);
    coverage.postponed += 1;
  }

  #miss(found: TrackedPush, gaps: readonly ServiceGap[]): number {
    const { coverage, violate } = this.#options;
    const { reference, push } = found;
    const { deadline: at, isPostponed } = reference;
    this.#checkTime(found, at);
    const from = this.#waitedFrom(reference);
    const gap = this.#gapWhileWaiting(reference, gaps);
    if (gap !== null && (!isPostponed || gap.to > at!))
      violate(`monitor ${push.id}: it is reported for a time in which no process was listening`);
    if (this.#lateMs(found, at) > -EVALUATED_MS && gap === null) coverage.missed += 1;
    const isExcused = isPostponed && gap !== null;
    if (isExcused) coverage.missedAfterPostponement += 1;
    this.#reportFailure(found, { of: 'silence', from, to: at!, runId: null }, isExcused);
    reference.isMissed = true;
    return at!;
  }

  #reportFailure(
    { push, armedSince }: TrackedPush,
    what: Pick<FailureReport, 'of' | 'from' | 'to' | 'runId'>,
    isExcused = false,
  ): void {
    const isEdited = push.eras.at(-1)!.from > armedSince;
    const { clock, wallAt } = this.#options;
    const at = clock.monotonic();
    const isHurried = clock.now() - at > wallAt(armedSince) - armedSince;
    const circumstances = { isExcused, isEdited, isHurried, since: armedSince };
    this.failureReports.push({ ...what, ...circumstances, push, at, commit: this.#commits });
  }

  /** Checks that a deadline is evaluated neither before all pings sent in time can have arrived nor too late. */
  #checkTime(found: TrackedPush, ranOutAt: number | null): void {
    const { violate } = this.#options;
    const wrong = (what: string) => violate(`monitor ${found.push.id}: ${what}`);
    if (ranOutAt === null) wrong('it is evaluated though nothing is expected');
    else if (this.#now() - ranOutAt < SETTLE_MS) wrong('it is evaluated too early');
    const lateMs = this.#lateMs(found, ranOutAt);
    if (lateMs > 0) wrong(`it is evaluated ${lateMs} ms too late`);
  }

  /** The last gap while a ping was expected. A ping that arrives before the evaluation is in time, too. */
  #gapWhileWaiting(reference: PushReferenceModel, gaps: readonly ServiceGap[]): ServiceGap | null {
    const { armedAt, deadline } = reference;
    if (deadline === null) return null;
    return gapWithin(gaps, {
      armedAt,
      from: this.#waitedFrom(reference),
      to: deadline + SETTLE_MS,
    });
  }

  /**
   * Start of the time in which the ping was expected. If the job is not in step, as after an edit, it may ping at any
   * time within its interval.
   */
  #waitedFrom({ armedAt, expectedAt, lastSuccessAt, settings }: PushReferenceModel): number {
    const isInStep = settings.schedule.kind === 'cron' || lastSuccessAt === armedAt;
    return isInStep ? Math.max(armedAt, expectedAt - EARLY_MS) : armedAt;
  }

  #endOf({ reference }: TrackedPush, run: { startedAt: number; isJudged: boolean }): number | null {
    const { maxRuntimeMs } = reference.settings;
    const isOpen = maxRuntimeMs !== null && !run.isJudged && !reference.isPaused;
    return isOpen ? run.startedAt + maxRuntimeMs : null;
  }
}
