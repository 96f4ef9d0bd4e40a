import { nextShare, createTurns } from '../lib/turns.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createPoller } from '../lib/poller.ts';
import type { IncidentChange, IncidentOpening, IncidentResolution } from '../model/incident.ts';
import type { MonitorStatus } from '../model/monitor.ts';
import type { Database, Tx } from '../store/database/contract.ts';
import { isAway, isBusy, isUnavailable } from '../store/database/errors.ts';
import { incidentChanges } from '../store/engine/incident-changes.ts';
import { lockStates } from '../store/engine/monitor-state.ts';
import {
  setNextEvaluations,
  type DueSlo,
  type SloRow,
  sloChanges,
  sloRows,
} from '../store/resources/slos.ts';
import { readTimes } from './history/stored-uptime.ts';
import { applyIncidentChanges } from './record/record.ts';
import type { Times } from './history/times.ts';
import { allowedShare, type Objective } from './history/error-budget.ts';
import { uptime } from './history/uptime.ts';

/** Watches how fast error budgets burn, and opens and resolves incidents about it. */

const INTERVAL_MS = 1_000;
export const EVALUATION_MS = 60_000;
/** SLOs per batch: a few milliseconds of the main thread. */
const AT_ONCE = 50;
const POSTPONE_MS = 300_000;

interface Transition {
  slo: DueSlo;
  next: Burn | null;
  cause: string;
}

export function createBudgetWatch(deps: { database: Database; clock: Clock; log: Log }) {
  const { database, clock, log } = deps;

  const poller = createPoller({
    run,
    clock,
    intervalMs: INTERVAL_MS,
    isUnavailable,
    // Log: It is tried again.
    onFailure: (error) => log.error({ error }, 'Error budgets could not be evaluated.'),
  });

  /** Evaluates all that is due once; rejects when the database is unavailable. */
  async function run(): Promise<void> {
    const turns = createTurns();
    while (!poller.isStopped && (await sloRows(database.read).isAnyDue(clock.now()))) {
      const due = await sloRows(database.read).due(clock.now(), AT_ONCE);
      if (due.length === 0) return;
      await evaluate(due);
      if (due.length < AT_ONCE) return;
      await turns();
    }
  }

  async function evaluate(due: readonly DueSlo[]): Promise<void> {
    const transitions = await transitionsOf(due);
    const changed = new Set(transitions.map(({ slo }) => slo.monitor_id));
    // Each is a transaction of its own: a bad row must not stop the others.
    for (const transition of transitions) await recordAlone(transition);
    const steady = due.filter((slo) => !changed.has(slo.monitor_id));
    const now = clock.now();
    const times = steady.map(({ monitor_id: id }) => [id, nextEvaluation(id, now)]);
    await database.transaction((tx) => setNextEvaluations(tx, times));
  }

  async function transitionsOf(due: readonly DueSlo[]): Promise<Transition[]> {
    const now = clock.now();
    const ids = due.map((slo) => slo.monitor_id);
    const times = await readTimes(database, ids, { from: now - LONGEST_WINDOW_MS, to: now, now });
    return due.flatMap((row) => {
      const own = times.get(row.monitor_id)!;
      const slo = { targetPercent: row.target_percent, windowDays: row.window_days };
      const next = nextBurn(own, slo, row.burning as Burn | null, now);
      // Not burning, but with an incident that a person reopened: it ends now.
      const isReopened = next === null && row.open_incident_id !== null;
      if (next === row.burning && !isReopened) return [];
      return [{ slo: row, next, cause: next === null ? '' : burnCause(own, slo, next, now) }];
    });
  }

  async function recordAlone(transition: Transition): Promise<void> {
    const { monitor_id: id } = transition.slo;
    try {
      await database.transaction((tx) => record(tx, transition, clock.now()));
    } catch (error) {
      if (isAway(error)) throw error;
      // It stays due.
      if (isBusy(error)) return;
      // Log: The monitor whose SLO has the fault. The others go on.
      log.error({ error, monitor_id: id }, 'An error budget could not be evaluated.');
      const at = clock.now() + POSTPONE_MS;
      await database.transaction((tx) => setNextEvaluations(tx, [[id, at]]));
    }
  }

  return {
    start: () => poller.start(INTERVAL_MS),
    run /** Waits for a run in progress. Never rejects. */,
    stop: () => poller.stop(),
  };
}

/** Opens, replaces or resolves the incident of a budget, unless another process or a person was first. */
async function record(tx: Tx, { slo, next, cause }: Transition, now: number) {
  const id = slo.monitor_id;
  // The order of locks of rounds: first the state of the monitor.
  const state = (await lockStates(tx, [id])).get(id);
  const stored = (await sloChanges(tx).lock([id])).get(id);
  if (stored === undefined) return;
  if (state === undefined) return sloChanges(tx).update(id, { next_at: null });
  if (stored.next_at !== slo.next_at || stored.updated_at !== slo.updated_at) return;
  const open = await openIncidentOf(tx, id);
  const changes: IncidentChange[] = [];
  if (stored.burning !== null || open !== null)
    changes.push(resolution(stored, open, { status: state.status, into: next, now }));
  if (next !== null) changes.push(opening(stored, next, { status: state.status, cause, now }));
  await applyIncidentChanges(tx, changes, now);
  const opened = next === null ? null : await openIncidentOf(tx, id);
  await sloChanges(tx).update(id, {
    burning: next,
    incident_id: opened?.id ?? null,
    burning_since: opened?.started_at ?? null,
    next_at: nextEvaluation(id, now),
  });
}

/** Ends the incident about an SLO that a person removes, or whose alerts they switch off. */
export async function endBurn(tx: Tx, slo: SloRow, now: number): Promise<void> {
  const id = slo.monitor_id;
  const state = (await lockStates(tx, [id])).get(id);
  const open = await openIncidentOf(tx, id);
  if (state === undefined || (slo.burning === null && open === null)) return;
  const end = resolution(slo, open, { status: state.status, into: null, now });
  await applyIncidentChanges(tx, [{ ...end, reason: 'switched_off' }], now);
}

async function openIncidentOf(tx: Tx, monitorId: number) {
  const [open = null] = await incidentChanges(tx).open([{ monitorId, type: 'error_budget' }]);
  return open;
}

const conditionOf = (burn: string) => (burn === 'fast' ? 'error_budget_fast' : 'error_budget_slow');

function baseOf({ monitor_id: monitorId, team_id: teamId }: SloRow, status: MonitorStatus) {
  // A budget changes no status.
  const same = { previous: status, current: status };
  return { monitorId, teamId, type: 'error_budget', status: same } as const;
}

function resolution(
  slo: SloRow,
  open: { id: number } | null,
  { status, into, now }: { status: MonitorStatus; into: Burn | null; now: number },
): IncidentResolution {
  const base = baseOf(slo, status);
  // Webhook endpoints were notified of an incident that a person closed since: its end is sent now.
  const isClosed = slo.incident_id !== null && open?.id !== slo.incident_id;
  const closed = isClosed ? [{ id: slo.incident_id!, startedAt: slo.burning_since! }] : undefined;
  return {
    ...base,
    kind: 'resolve',
    condition: conditionOf(slo.burning ?? 'slow'),
    at: now,
    reason: into === null ? 'recovered' : 'changed_over',
    into: into === null ? null : conditionOf(into),
    ...(closed && { closedByHand: closed }),
  };
}

function opening(
  slo: SloRow,
  burn: Burn,
  { status, cause, now }: { status: MonitorStatus; cause: string; now: number },
): IncidentOpening {
  return {
    ...baseOf(slo, status),
    kind: 'open',
    condition: conditionOf(burn),
    severity: burn === 'fast' ? 'critical' : 'warning',
    at: now,
    rootCause: cause,
    failureCode: burn === 'fast' ? 'budget_burns_fast' : 'budget_burns_slowly',
    regions: null,
    evidence: [],
    from: slo.burning === null ? null : conditionOf(slo.burning),
  };
}

export function nextEvaluation(monitorId: number, now: number): number {
  return nextShare(monitorId, EVALUATION_MS, now);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How an error budget burns: fast is critical, slow a warning. */
export type Burn = 'fast' | 'slow';

interface BurnRule {
  longMs: number;
  shortMs: number;
  share: number;
}

/** Multiwindow, multi-burn-rate alerts of Google's SRE Workbook, chapter 5: 14.4 and 6 with a window of 30 days. */
export const BURN_RULES: Record<Burn, BurnRule> = {
  fast: { longMs: HOUR_MS, shortMs: 5 * MINUTE_MS, share: 0.02 },
  slow: { longMs: 6 * HOUR_MS, shortMs: 30 * MINUTE_MS, share: 0.05 },
};

/** Time before now that the rules read. */
const LONGEST_WINDOW_MS = BURN_RULES.slow.longMs;
/** A budget of fewer days would burn within minutes of any downtime. */
const MIN_WINDOW_DAYS = 7;
/** Time in which there must be downtime for an alert to begin. */
const NOW_MS = BURN_RULES.fast.shortMs;
/** An alert ends when over this many short windows the budget burns at less than `RECOVERY_SHARE` of its rate. */
const RECOVERY_WINDOWS = 3;
const RECOVERY_SHARE = 0.5;

/** Downtime of the last `lengthMs` as a multiple of what the target allows in that time. */
export function burnRate(
  times: Times,
  { targetPercent }: Pick<Objective, 'targetPercent'>,
  lengthMs: number,
  now: number,
): number {
  return downMs(times, lengthMs, now) / (lengthMs * allowedShare(targetPercent));
}

export function thresholdOf(burn: Burn, { windowDays }: Pick<Objective, 'windowDays'>): number {
  const { share, longMs } = BURN_RULES[burn];
  return (share * Math.max(windowDays, MIN_WINDOW_DAYS) * DAY_MS) / longMs;
}

/**
 * Decides how a budget burns. An alert begins when the long and the short window reach the threshold and the last five
 * minutes do too; it lasts until the budget burns clearly slower, so that a target that flaps does not begin many. None
 * begins during maintenance.
 *
 * @param before how it burned at the last evaluation.
 */
export function nextBurn(
  times: Times,
  slo: Objective,
  before: Burn | null,
  now: number,
): Burn | null {
  const mayBegin = !times.excluded.some(({ from, to }) => from <= now && now < to);
  for (const burn of ['fast', 'slow'] as const) {
    if (
      before === burn
        ? !hasSlowed(times, slo, burn, now)
        : mayBegin && isBurning(times, slo, burn, now)
    )
      return burn;
  }
  return null;
}

function isBurning(times: Times, slo: Objective, burn: Burn, now: number): boolean {
  const { longMs, shortMs } = BURN_RULES[burn];
  const threshold = thresholdOf(burn, slo);
  return [longMs, shortMs, NOW_MS].every(
    (lengthMs) => burnRate(times, slo, lengthMs, now) >= threshold,
  );
}

function hasSlowed(times: Times, slo: Objective, burn: Burn, now: number): boolean {
  const lengthMs = RECOVERY_WINDOWS * BURN_RULES[burn].shortMs;
  return burnRate(times, slo, lengthMs, now) < RECOVERY_SHARE * thresholdOf(burn, slo);
}

/** Cause of an incident, a sentence without a full stop. */
export function burnCause(times: Times, slo: Objective, burn: Burn, now: number): string {
  const { longMs } = BURN_RULES[burn];
  const rate = burnRate(times, slo, longMs, now);
  const spent =
    (100 * downMs(times, longMs, now)) /
    (slo.windowDays * DAY_MS * allowedShare(slo.targetPercent));
  const days = slo.windowDays === 1 ? '1 day' : `${slo.windowDays} days`;
  const last = burn === 'fast' ? 'the last hour' : 'the last 6 hours';
  return `The error budget of ${days} (target ${slo.targetPercent} %) burned ${tenths(rate)} times as fast as it lasts: ${last} spent ${tenths(spent)} % of it`;
}

function downMs({ spans, observedUntil, excluded }: Times, lengthMs: number, now: number) {
  const period = { from: now - lengthMs, to: now, now };
  return uptime({ spans, observedUntil, excluded, ...period }).downMs;
}

const tenths = (value: number) => (Math.round(value * 10) / 10).toFixed(1);
