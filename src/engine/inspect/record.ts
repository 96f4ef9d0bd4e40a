import type { Transaction } from 'kysely';
import { insertInfoEvents, recordOutcomes } from '../record/record.ts';
import type { IncidentChange } from '../../model/incident.ts';
import type { InspectionResult, InspectionSettings } from '../../model/inspection.ts';
import { shardOf } from '../../model/monitor.ts';
import type { MonitorState } from '../../model/state.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  endInspection,
  lockInspection,
  inspectedMonitors,
  suspendInspection,
} from '../../store/engine/inspections.ts';
import type {
  ClaimedInspection,
  LockedInspection,
  InspectedMonitorRow,
} from '../../store/engine/inspections.ts';
import { scheduleNow } from '../../store/resources/monitor-changes.ts';
import { lockStates, writeStates } from '../../store/engine/monitor-state.ts';
import type { Schema } from '../../store/database/schema.ts';
import { nextVersion } from '../../store/engine/shards.ts';
import {
  insertCertificate,
  insertMonitorActivities,
  insertRecordSet,
} from '../../store/engine/target-history.ts';
import { isRecheckComing } from '../record/condition.ts';
import { evaluateInspection } from './evaluate.ts';
import { describeChange, findingFor } from './finding.ts';
import { nextRunAfter } from './pace.ts';
import { readStoredTarget } from './target.ts';
import type { FollowUp } from './pace.ts';

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
      const held = await lockInspection(tx, claimed);
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
        if (!isRecheckComing(state, now)) await scheduleNow(tx, id, version, now);
    });
  }
}

/** No monitor of the target runs any more. */
export async function recordPause(database: Database, claimed: ClaimedInspection): Promise<void> {
  await database.transaction(async (tx) => {
    const held = await lockInspection(tx, claimed);
    if (held !== null) await suspendInspection(tx, held);
  });
}

interface Slice {
  claimed: ClaimedInspection;
  seen: InspectionReport;
  /** The change of the target; null if there is none. */
  change: string | null;
  rows: InspectedMonitorRow[];
  /** By monitor. */
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
  tx: Transaction<Schema>,
  { claimed, seen, change, rows, states, now }: Slice,
): Promise<{ followUp: FollowUp; worse: number[] }> {
  const running = rows.filter((row) => states.get(row.id)?.isPaused === false);
  const results = await recordOutcomes(tx, now, {
    states,
    observations: running,
    monitorOf: (row) => row.id,
    decide(state, row) {
      const { kind, target } = claimed;
      const plain = { kind, target: readStoredTarget(target).target };
      const finding = findingFor(plain, seen.result, settingsOf(row), now);
      const inspection = { kind, target, finding, result: seen.result, at: seen.at };
      const decision = evaluateInspection(state!, inspection);
      const notes = change === null ? [] : noteOf(claimed, state!, change, seen.at);
      const outcome = { ...decision, incidents: [...notes, ...decision.incidents] };
      const { tracks, status } = decision.state;
      const isOffline = status === 'offline' && state!.status !== 'offline';
      const isSlow = (row.check_interval ?? 0) > LONGEST_CRITICAL_INTERVAL;
      const isOpen = (tracks[kind]?.open ?? null) !== null;
      const followUp = { recheckAfterMs: decision.recheckAfterMs, isOpen };
      return { outcome, result: { followUp, worseId: isOffline && isSlow ? row.id : null } };
    },
    async keep() {
      if (change === null) return;
      const concerned = rows.flatMap((row) => states.get(row.id) ?? []);
      await recordTargetChange(tx, claimed, concerned, change, now);
    },
    write: writeStates,
  });
  return {
    followUp: results.map((result) => result.followUp).reduce(mergeFollowUps, NO_FOLLOW_UP),
    worse: results.flatMap(({ worseId }) => worseId ?? []),
  };
}

function settingsOf(row: InspectedMonitorRow): InspectionSettings {
  return {
    sslExpiryThreshold: row.ssl_expiry_threshold,
    domainExpiryThreshold: row.domain_expiry_threshold,
    verifySsl: row.verify_ssl === 1,
  };
}

/** A line in the log of the incident that the target has, if it has one. */
function noteOf(
  { kind }: ClaimedInspection,
  { monitorId, teamId, tracks, status }: MonitorState,
  text: string,
  at: number,
): IncidentChange[] {
  const condition = tracks[kind]?.open ?? null;
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

/**
 * A changed certificate is an activity; a changed set of records an activity and an event of severity info, no
 * incident (contract 23.10, 23.16).
 */
async function recordTargetChange(
  tx: Transaction<Schema>,
  { kind }: ClaimedInspection,
  states: MonitorState[],
  change: string,
  now: number,
): Promise<void> {
  await insertMonitorActivities(
    tx,
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
  tx: Transaction<Schema>,
  held: LockedInspection,
  { result, at, isNew }: InspectionReport,
  { count, followUp, now }: { count: number; followUp: FollowUp; now: number },
): Promise<void> {
  if (count === 0) return suspendInspection(tx, held);
  const unknownRun = result.state === 'unknown' ? held.unknownRun + 1 : 0;
  if (isNew) await insertHistory(tx, held, result, at);
  // Facts that were known before stay as old as they are.
  const seenAt = isNew ? at : (held.knownAt ?? at);
  const nextMs = nextRunAfter(held, result, unknownRun, followUp);
  const isLeftAlone = held.kind === 'domain' && result.state === 'unknown';
  await endInspection(
    tx,
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
  tx: Transaction<Schema>,
  { kind, target, facts: before }: ClaimedInspection,
  result: InspectionResult,
  at: number,
): Promise<void> {
  if (result.state !== 'known') return;
  const { facts } = result;
  const isChanged = before === null || describeChange(kind, before, result) !== null;
  if (!isChanged) return;
  if ('records' in facts) await insertRecordSet(tx, target, facts, at);
  if ('certificate' in facts) await insertCertificate(tx, target, facts, at);
}
