import { inspectionSettingsOf } from '../../monitor-types/settings.ts';
import { createHash } from 'node:crypto';
import { changeSpans } from '../../store/engine/spans.ts';
import { applyIncidentChanges, decideInOrder, insertInfoEvents } from '../record/record.ts';
import type { IncidentChange } from '../../model/incident.ts';
import type { InspectionResult, InspectionKind } from '../../model/inspection.ts';
import { shardOf } from '../../model/monitor.ts';
import type { MonitorState } from '../../model/state.ts';
import type { Database, Tx } from '../../store/database/contract.ts';
import {
  inspectedMonitors,
  type ClaimedInspection,
  type LockedInspection,
  type InspectedMonitorRow,
  inspectionRuns,
} from '../../store/engine/inspections.ts';
import { monitorChanges } from '../../store/resources/monitor-changes.ts';
import { lockStates, writeStates } from '../../store/engine/monitor-state.ts';
import { nextVersion } from '../../store/engine/shards.ts';
import { targetHistoryChanges } from '../../store/engine/target-history.ts';
import { isRecheckComing } from '../record/condition.ts';
import { evaluateInspection } from './evaluate.ts';
import { describeChange, findingFor } from './finding.ts';
import { readStoredTarget } from './target.ts';

/** Monitors of one target that are recorded in one transaction. */
const AT_ONCE = 250;

/** An inspection's result and its time (epoch ms). `isNew` is false for known facts that are evaluated again. */
export interface InspectionReport {
  result: InspectionResult;
  at: number;
  isNew: boolean;
}

/**
 * Records what was found for each monitor of the target, then ends the inspection. Should another process have claimed it
 * up meanwhile, because this took longer than its lease, nothing more is done, and `false` is answered. A crash in
 * between repeats it.
 */
export async function recordInspection(
  database: Database,
  claimed: ClaimedInspection,
  seen: InspectionReport,
  now: number,
): Promise<boolean> {
  const change = seen.isNew ? describeChange(claimed.kind, claimed.facts, seen.result) : null;
  let followUp = NO_FOLLOW_UP;
  let count = 0;
  let afterId = 0;
  for (let slice = AT_ONCE; slice === AT_ONCE;) {
    const done = await database.transaction(async (tx) => {
      const list = () => inspectedMonitors(tx, claimed, afterId, AT_ONCE);
      const listed = await list();
      // States before inspections: rounds and edits lock them in this order.
      const ids = listed.map((row) => row.id);
      const states = await lockStates(tx, ids);
      const held = await inspectionRuns(tx).lock(claimed);
      if (held === null) return null;
      // Their edits have ended: a monitor whose target was being changed has its new target now.
      const rows = (await list()).filter((row) => states.has(row.id));
      const judging = { claimed, seen, change, rows, states, now };
      const recorded = await recordSlice(tx, judging);
      const merged = mergeFollowUps(followUp, recorded.followUp);
      const sum = { count: count + rows.length, followUp: merged };
      // Together with the last slice: an inspection that was recorded and not ended would be recorded and notified again.
      if (listed.length < AT_ONCE) await end(tx, held, seen, { ...sum, now });
      return { slice: listed.length, lastId: ids.at(-1) ?? afterId, worse: recorded.worse, ...sum };
    });
    if (done === null) return false;
    ({ slice, count, followUp, lastId: afterId } = done);
    await scheduleRoundsSooner(database, done.worse, now);
  }
  return true;
}

/**
 * While a critical condition is open, rounds come at least every minute (contract 14.12, 22.16): those of monitors
 * with a longer interval begin now, and each round asks for the next one from then on. Apart from the recording, because
 * edits lock a shard before the states of its monitors.
 */
async function scheduleRoundsSooner(
  database: Database,
  monitorIds: readonly number[],
  now: number,
): Promise<void> {
  for (const [shard, ids] of Map.groupBy(monitorIds, shardOf)) {
    await database.transaction(async (tx) => {
      const version = await nextVersion(tx, shard);
      const states = await lockStates(tx, ids);
      for (const [id, state] of states)
        if (!isRecheckComing(state, now)) await monitorChanges(tx).scheduleNow(id, version, now);
    });
  }
}

/** No monitor of the target runs any more. */
export async function recordPause(database: Database, claimed: ClaimedInspection): Promise<void> {
  await database.transaction(async (tx) => {
    const held = await inspectionRuns(tx).lock(claimed);
    if (held !== null) await inspectionRuns(tx).suspend(held);
  });
}

interface Slice {
  claimed: ClaimedInspection;
  seen: InspectionReport;
  change: string | null;
  rows: InspectedMonitorRow[];
  states: Map<number, MonitorState>;
  now: number;
}

const NO_FOLLOW_UP: FollowUp = { recheckAfterMs: null, isOpen: false };

function mergeFollowUps(one: FollowUp, other: FollowUp): FollowUp {
  const rechecks = [one.recheckAfterMs, other.recheckAfterMs].filter((wait) => wait !== null);
  return {
    recheckAfterMs: rechecks.length === 0 ? null : Math.min(...rechecks),
    isOpen: one.isOpen || other.isOpen,
  };
}

/** Minutes. */
const LONGEST_CRITICAL_INTERVAL = 1;

/** Returns what these monitors need of the next run, and those whose rounds are due sooner from now on. */
async function recordSlice(
  tx: Tx,
  { claimed, seen, change, rows, states, now }: Slice,
): Promise<{ followUp: FollowUp; worse: number[] }> {
  const running = rows.filter((row) => states.get(row.id)?.isPaused === false);
  const { results, incidents, spans, changes } = decideInOrder(states, running, {
    monitorOf: (row) => row.id,
    decide(state, row) {
      const { kind, target } = claimed;
      const plain = { kind, target: readStoredTarget(target).target };
      const finding = findingFor(plain, seen.result, inspectionSettingsOf(row), now);
      const inspection = { kind, target, finding, result: seen.result, at: seen.at };
      const decision = evaluateInspection(state!, inspection);
      const notes = change === null ? [] : noteOf(claimed, state!, change, seen.at);
      const outcome = { ...decision, incidents: [...notes, ...decision.incidents] };
      const { confirmations, status } = decision.state;
      const isOffline = status === 'offline' && state!.status !== 'offline';
      const isSlow = (row.check_interval ?? 0) > LONGEST_CRITICAL_INTERVAL;
      const isOpen = (confirmations[kind]?.open ?? null) !== null;
      const followUp = { recheckAfterMs: decision.recheckAfterMs, isOpen };
      return { outcome, result: { followUp, worseId: isOffline && isSlow ? row.id : null } };
    },
  });
  if (change !== null) {
    const concerned = rows.flatMap((row) => states.get(row.id) ?? []);
    await recordTargetChange(tx, claimed, concerned, change, now);
  }
  await applyIncidentChanges(tx, incidents, now);
  await changeSpans(tx, spans);
  await writeStates(tx, changes);
  return {
    followUp: results.map((result) => result.followUp).reduce(mergeFollowUps, NO_FOLLOW_UP),
    worse: results.flatMap(({ worseId }) => worseId ?? []),
  };
}

function noteOf(
  { kind }: ClaimedInspection,
  { monitorId, teamId, confirmations, status }: MonitorState,
  text: string,
  at: number,
): IncidentChange[] {
  const condition = confirmations[kind]?.open ?? null;
  if (condition === null) return [];
  return [
    {
      kind: 'note',
      activity: 'target_changed',
      monitorId,
      teamId,
      type: kind,
      condition,
      at,
      status: { previous: status, current: status },
      text,
    },
  ];
}

/** A changed set of DNS records is an event of severity info, too, and no incident (contract 23.10, 23.16). */
async function recordTargetChange(
  tx: Tx,
  { kind }: ClaimedInspection,
  states: MonitorState[],
  change: string,
  now: number,
): Promise<void> {
  await targetHistoryChanges(tx).insertActivities(
    states.map(({ teamId, monitorId }) => ({
      team_id: teamId,
      monitor_id: monitorId,
      type: kind === 'dns' ? 'dns_changed' : 'certificate_changed',
      description: `${change}.`,
      created_at: now,
    })),
  );
  if (kind === 'dns') await insertInfoEvents(tx, 'monitor.dns_changed', states, change, now);
}

async function end(
  tx: Tx,
  held: LockedInspection,
  { result, at, isNew }: InspectionReport,
  { count, followUp, now }: { count: number; followUp: FollowUp; now: number },
): Promise<void> {
  if (count === 0) return inspectionRuns(tx).suspend(held);
  const unknownRun = result.state === 'unknown' ? held.unknownRun + 1 : 0;
  if (isNew) await insertHistory(tx, held, result, at);
  // Facts that were known before stay as old as they are.
  const seenAt = isNew ? at : (held.knownAt ?? at);
  const nextMs = nextRunAfter(held, result, unknownRun, followUp);
  const isLeftAlone = held.kind === 'domain' && result.state === 'unknown';
  await inspectionRuns(tx).end(
    held,
    { result, at: seenAt },
    {
      nextAt:
        held.isRequestedSince && !isLeftAlone
          ? now
          : nextOf(followUp.recheckAfterMs === null ? seenAt : at, nextMs, now),
      // One that found nothing out is still to come: what was known before confirms nothing.
      isRecheck: followUp.recheckAfterMs !== null,
      isOpen: followUp.isOpen,
      unknownRun,
    },
  );
}

/** Counted from when the facts were found, since others may have asked for them before; never in the past. */
function nextOf(seenAt: number, afterMs: number, now: number): number {
  return Math.max(seenAt + afterMs, now + SOONEST_MS);
}

const SOONEST_MS = 10_000;

/** One row for each time that the target is another one. */
async function insertHistory(
  tx: Tx,
  { kind, target, facts: before }: ClaimedInspection,
  result: InspectionResult,
  at: number,
): Promise<void> {
  if (result.state !== 'known') return;
  const { facts } = result;
  const isChanged = before === null || describeChange(kind, before, result) !== null;
  if (!isChanged) return;
  if ('records' in facts) await targetHistoryChanges(tx).insertRecordSet(target, facts, at);
  if ('certificate' in facts) await targetHistoryChanges(tx).insertCertificate(target, facts, at);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Interval of each kind of inspection (contract 22.1). */
const PERIOD_MS: Record<InspectionKind, number> = {
  ssl: HOUR_MS,
  dns: 5 * MINUTE_MS,
  domain: 24 * HOUR_MS,
};

/** When nothing was found out it is tried again sooner, then less and less often, at last at the ordinary pace. */
const FIRST_RETRY_MS: Record<InspectionKind, number> = {
  ssl: 5 * MINUTE_MS,
  dns: MINUTE_MS,
  domain: HOUR_MS,
};

/** While a monitor of the target has a condition of that kind its end is waited for. */
const OPEN_PERIOD_MS: Record<InspectionKind, number> = {
  ssl: MINUTE_MS,
  dns: MINUTE_MS,
  domain: 6 * HOUR_MS,
};

/** Many targets that began together come apart by that share of the period. */
const SPREAD = 0.1;

export const TIMEOUT_MS: Record<InspectionKind, number> = {
  ssl: 15_000,
  dns: 20_000,
  domain: 40_000,
};

/**
 * Facts of a registration serve all its monitors for nearly a day: registries are not asked again at each edit. Shorter
 * than any pace, so that the daily run itself asks.
 */
const DOMAIN_KNOWN_MS = 21 * HOUR_MS;
/** An edit, or a requested run, may be about a renewal. */
const OPEN_DOMAIN_KNOWN_MS = HOUR_MS;
/** The recheck itself asks. */
const UNCONFIRMED_KNOWN_MS = 55_000;

/** Whether what is known will do, without asking anybody. */
export function isStillKnown(
  inspection: {
    kind: InspectionKind;
    knownAt: number | null;
    isRecheck: boolean;
    isOpen: boolean;
  },
  now: number,
): boolean {
  const { kind, knownAt, isRecheck, isOpen } = inspection;
  if (kind !== 'domain' || knownAt === null || now < knownAt) return false;
  const keptMs = isRecheck ? UNCONFIRMED_KNOWN_MS : isOpen ? OPEN_DOMAIN_KNOWN_MS : DOMAIN_KNOWN_MS;
  return now - knownAt < keptMs;
}

interface FollowUp {
  recheckAfterMs: number | null;
  isOpen: boolean;
}

/** @param unknownRun number of results in a row that found nothing out, this one included. */
export function nextRunAfter(
  { kind, target }: { kind: InspectionKind; target: string },
  result: InspectionResult,
  unknownRun: number,
  { recheckAfterMs, isOpen }: FollowUp,
): number {
  if (result.state === 'unknown') {
    const retryMs = FIRST_RETRY_MS[kind] * 2 ** Math.min(unknownRun - 1, 20);
    return Math.max(Math.min(retryMs, PERIOD_MS[kind]), result.retryAfterMs ?? 0);
  }
  if (recheckAfterMs !== null) return recheckAfterMs;
  const periodMs = isOpen ? OPEN_PERIOD_MS[kind] : PERIOD_MS[kind];
  return Math.round(periodMs * (1 - SPREAD * share(target)));
}

/** 0 to 1, always the same for a target. */
function share(target: string): number {
  return createHash('sha256').update(target).digest().readUInt32BE() / 2 ** 32;
}
