import { nextDeadline } from '../../../src/engine/heartbeat/state.ts';
import type { Heartbeat } from '../../../src/model/heartbeat.ts';
import { beginningFault, spanFaults } from '../spans.ts';
import type { Observed } from '../observed-rows.ts';
import type { OwnedPush } from './owner.ts';
import type { PushSettings } from './scenario.ts';
import type { PushReferenceModel, PushEffect } from './reference-model.ts';

/** What one commit changed of a push monitor. */
export interface Changes {
  /** Status before the commit. */
  before: string;
  effects: PushEffect[];
  /** Epoch milliseconds; null if the clock was set back, so that wall times are ambiguous. */
  now: number | null;
}

/** Differences between the stored state of a push monitor and the reference model. */
export function heartbeatFaults(
  { push, reference }: { push: OwnedPush; reference: PushReferenceModel },
  state: Heartbeat,
  { incidents, spans }: Pick<Observed, 'incidents' | 'spans'>,
  changes: Changes,
): string[] {
  const faults = differences(reference, state, incidents);
  const open = incidents.filter((incident) => incident.ended_at === null);
  if (open.length > 1) faults.push(`${open.length} incidents are open`);
  if (state.revision !== push.eras.at(-1)!.revision)
    faults.push(`revision ${state.revision} is not its newest`);
  faults.push(...spanFaults(spans, { status: reference.status }));
  const beginning = wrongBeginning(reference, spans, changes);
  if (beginning !== null) faults.push(beginning);
  const due = lateLook(reference, state, changes.now);
  if (due !== null) faults.push(due);
  return faults;
}

function differences(
  reference: PushReferenceModel,
  state: Heartbeat,
  incidents: Observed['incidents'],
): string[] {
  const is = {
    status: state.status,
    isPaused: state.isPaused,
    isMissed: state.isMissed,
    isPostponed: state.isPostponed,
    expectedAt: state.expectedAt,
    armedAt: state.armedAt,
    pings: state.pingCount,
    lastSuccessAt: state.lastHeartbeatAt,
    runs: state.runs.map(({ id, startedAt, isJudged = false }) => `${id} ${startedAt} ${isJudged}`),
    incidents: incidents.map((one) => `${one.started_at} to ${one.ended_at}`).toSorted(),
    isFailing: state.confirmations.heartbeat?.open === 'heartbeat',
  };
  const should: typeof is = {
    status: reference.status,
    isPaused: reference.isPaused,
    isMissed: reference.isMissed,
    isPostponed: reference.isPostponed,
    expectedAt: reference.expectedAt,
    armedAt: reference.armedAt,
    pings: reference.pings,
    lastSuccessAt: reference.lastSuccessAt,
    runs: reference.runs.map((run) => `${run.runId} ${run.startedAt} ${run.isJudged}`),
    incidents: reference.incidents.map((one) => `${one.startedAt} to ${one.endedAt}`).toSorted(),
    isFailing: reference.status === 'offline',
  };
  return Object.entries(is).flatMap(([name, value]) => {
    const found = JSON.stringify(value);
    const expected = JSON.stringify(should[name as keyof typeof is]);
    return found === expected ? [] : [`its ${name} is ${found} and should be ${expected}`];
  });
}

/** Downtime begins and ends with the ping or deadline that caused it. */
function wrongBeginning(
  { status, changedAt }: PushReferenceModel,
  spans: Observed['spans'],
  { before, effects, now }: Changes,
): string | null {
  if (now === null || effects.length !== 1 || before === status || changedAt === null) return null;
  const opened = effects[0] === 'opens' ? [changedAt] : [];
  const ended = effects[0] === 'ends' ? [changedAt] : [];
  return beginningFault(spans, { before, now: status }, { opened, ended });
}

/** The next sweep is scheduled for the next deadline; an overdue deadline may be due now, as after an edit. */
function lateLook(
  { settings }: PushReferenceModel,
  state: Heartbeat,
  now: number | null,
): string | null {
  const next = nextDeadline(state, expectationOf(settings));
  const by = next === null ? Infinity : Math.max(next, now ?? Infinity);
  const isInTime = next === null || (state.dueAt !== null && state.dueAt <= by);
  return isInTime ? null : `its sweep is due at ${state.dueAt}, but its next deadline is ${next}`;
}

function expectationOf({ schedule, graceMs, waitsForFirstPing, maxRuntimeMs }: PushSettings) {
  // The schedule itself does not affect when the sweep is due.
  const own = { schedule: { intervalSeconds: schedule.everyMs / 1_000 } };
  return { ...own, graceMs, waitsForFirstPing, maxRuntimeMs };
}
