import { nextDeadline } from '../../../src/engine/heartbeat/state.ts';
import type { Heartbeat } from '../../../src/model/heartbeat.ts';
import { beginningFault, spanFaults } from '../spans.ts';
import type { Observed } from '../commit-checker.ts';
import type { OwnedPush } from './owner.ts';
import type { PushSettings } from './scenario.ts';
import type { PushReferenceModel, PushEffect } from './reference-model.ts';

/** What one commit changed of a monitor. */
export interface Changes {
  /** Its status before. */
  before: string;
  effects: PushEffect[];
  /** Epoch milliseconds; null when the clock was set back, so that an instant has two names. */
  now: number | null;
}

/** What is wrong with what is stored of a push monitor, held against what should be. */
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
    isFailing: state.tracks.heartbeat?.open === 'heartbeat',
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

/** Downtime begins and ends with what made it so. */
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

/** Silence is looked at in time; what has run out already may be looked at now, as after an edit. */
function lateLook(
  { settings }: PushReferenceModel,
  state: Heartbeat,
  now: number | null,
): string | null {
  const next = nextDeadline(state, expectationOf(settings));
  const by = next === null ? Infinity : Math.max(next, now ?? Infinity);
  const isInTime = next === null || (state.dueAt !== null && state.dueAt <= by);
  return isInTime ? null : `it is looked at ${state.dueAt}, its next deadline is ${next}`;
}

function expectationOf({ schedule, graceMs, waitsForFirstPing, maxRuntimeMs }: PushSettings) {
  // When a ping is expected after others has no part in when silence is looked at.
  const own = { schedule: { intervalSeconds: schedule.everyMs / 1_000 } };
  return { ...own, graceMs, waitsForFirstPing, maxRuntimeMs };
}
