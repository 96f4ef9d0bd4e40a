import type { Transaction } from 'kysely';
import type { IncidentType } from '../../src/model/condition.ts';
import type { Round } from '../../src/model/round.ts';
import type { Schema } from '../../src/store/database/contract.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { observeInspection } from './inspection/commit-checker.ts';
import type { InspectionChecker, ObservedInspection } from './inspection/commit-checker.ts';
import type { ProcessInstance } from './process-instance.ts';
import type { Statement } from './crashable-database.ts';
import type { Operator } from './operator.ts';
import { contentOf, inspectionsOf } from './scenario.ts';
import type { MonitorSettings, Scenario } from './scenario.ts';
import type { SeenCheck } from './probes.ts';
import type { ObservedPushes, PushChecker } from './push/commit-checker.ts';
import { createReferenceModel, worstOf } from './reference-model.ts';
import type { ManualAction, ExpectedChange, ReferenceModel } from './reference-model.ts';
import { beginningFault, spanFaults } from './spans.ts';
import type { Story } from './story.ts';
import { possibleClasses } from './ground-truth.ts';
import { conditionsOf, divideRows, NO_ROWS, observeRows } from './observed-rows.ts';
import type { Observed, ObservedIncident, ObservedState } from './observed-rows.ts';
import type { WorldDatabase } from './world-database.ts';

/** Everything that one transaction is about to leave. */
export interface ObservedAll {
  checked: Observed;
  pushed: Observed;
  pushes: ObservedPushes | null;
  /** Set for transactions of the inspector. */
  inspection: ObservedInspection | null;
}

/** What the checker knows of one monitor. */
export interface TrackedMonitor {
  reference: ReferenceModel;
  lastSlot: number;
  /** Each change of its recorded state, in virtual time. */
  timeline: { at: number; status: string; open: string[]; conditions: string[] }[];
  /** Counted rounds, by their start in virtual time. */
  counted: { at: number; round: Round }[];
}

export interface Submitted {
  instance: ProcessInstance;
  /** Start of the round in virtual time. */
  at: number;
  round: Round;
  isCounted: boolean;
}

export interface CommitCheckerOptions {
  scenario: Scenario;
  clock: FakeClock;
  peek: WorldDatabase['peek'];
  operator: Operator;
  checks: readonly SeenCheck[];
  /** Checks push monitors; null in worlds without any. */
  pushChecker: PushChecker | null;
  inspectionChecker(): InspectionChecker;
  story: Story;
  /** Whether the wall clock was never set back, so that each wall time is unambiguous. */
  isClockSteady(): boolean;
  violate(rule: string): void;
}

/** Event types that report the end of an incident. */
export const RESOLVING = /_(resolved|recovered)$|^monitor\.up$/;

/** Checks every commit against the rules. */
export function createCommitChecker({
  scenario,
  clock,
  peek,
  operator,
  checks,
  pushChecker,
  inspectionChecker,
  story,
  isClockSteady,
  violate,
}: CommitCheckerOptions) {
  const tracked = new Map<number, TrackedMonitor>();
  const submitted: Submitted[] = [];
  const usedChecks = new Set<number>();
  /** Start of the newest span of each monitor. */
  const spanBegan = new Map<number, number>();
  let incidents: ObservedIncident[] = [];
  /** Types of all incidents, including deleted ones. */
  const types = new Map<number, string>();
  const last = { event: 0, activity: 0 };

  const trackedOf = (id: number): TrackedMonitor => {
    let found = tracked.get(id);
    if (!found) {
      found = { reference: createReferenceModel(), lastSlot: -Infinity, timeline: [], counted: [] };
      tracked.set(id, found);
    }
    return found;
  };

  function committed(observed: ObservedAll, instance: ProcessInstance): void {
    const { checked: seen, pushed, pushes, inspection } = observed;
    last.event = Math.max(last.event, ...[seen, pushed].map((all) => all.events.at(-1)?.id ?? 0));
    last.activity = Math.max(
      last.activity,
      ...[seen, pushed].map((all) => all.manualActions.at(-1)?.id ?? 0),
    );
    if (pushes !== null) pushChecker?.committed(pushed, pushes, instance);
    const taken = applyManualActions(seen);
    compareTimes(seen, taken);
    const expectedNotices = inspection
      ? inspectionChecker().expectedNotices(inspection, instance)
      : [];
    const inspected = inspection ? inspectionChecker().committed(inspection, instance) : NO_CHANGES;
    const expectedEvents: string[] = [];
    for (const state of seen.states) {
      const of = <Row extends { monitor_id: number }>(rows: Row[]) =>
        rows.filter((row) => row.monitor_id === state.monitor_id);
      const found = inspected.get(state.monitor_id);
      const { rounds, changes } = found
        ? { rounds: 1, changes: found }
        : countRounds(state, instance);
      for (const { kind, type, hasEvent } of changes)
        if (hasEvent) expectedEvents.push(`monitor ${state.monitor_id}: ${type} ${kind}`);
      compareWithReference(state, of(seen.incidents));
      if (rounds === 1 && isClockSteady()) compareBeginning(state, of(seen.spans), changes);
      for (const fault of spanFaults(of(seen.spans), state))
        violate(`monitor ${state.monitor_id}: ${fault}`);
      const span = of(seen.spans).at(-1);
      if (span) spanBegan.set(state.monitor_id, span.from_at);
      note(state, of(seen.incidents));
    }
    compareEvents(seen, expectedEvents, expectedNotices);
    incidents = seen.incidents;
  }

  async function observeAll(
    tx: Transaction<Schema>,
    statements: readonly Statement[],
  ): Promise<ObservedAll> {
    const all = observeRows(peek, last);
    const inspection = await observeInspection(tx, statements);
    if (pushChecker === null)
      return { checked: all, pushed: { ...all, ...NO_ROWS }, pushes: null, inspection };
    return {
      ...divideRows(all, (id) => pushChecker.isPush(id)),
      pushes: await pushChecker.observe(tx),
      inspection,
    };
  }

  /** @param known the incidents that exist at that moment, to distinguish those of one type and start. */
  function take(
    incident: ObservedIncident,
    known: readonly ObservedIncident[],
    action: ManualAction,
    at: number,
  ): void {
    const { id, monitor_id, type, started_at: startedAt } = incident;
    const isAlike = (other: ObservedIncident) =>
      other.monitor_id === monitor_id && other.type === type && other.started_at === startedAt;
    const place = known.filter((other) => isAlike(other) && other.id < id).length;
    trackedOf(monitor_id).reference.applyManualAction(
      action,
      { type: type as IncidentType, startedAt, place },
      at,
    );
  }

  /** Applies the manual actions since the last commit, before its rounds. Returns the affected incidents. */
  function applyManualActions(seen: Observed): Set<number> {
    const here = new Set(seen.incidents.map(({ id }) => id));
    const known = new Map(incidents.map((incident) => [incident.id, incident]));
    // Newest first, so that the positions of older ones do not change.
    for (const incident of incidents.toSorted((a, b) => b.id - a.id)) {
      if (here.has(incident.id)) continue;
      if (!operator.erased.has(incident.id)) violate(`incident ${incident.id} vanished`);
      take(incident, incidents, 'deleted', 0);
    }
    const left = incidents.filter(({ id }) => here.has(id));
    for (const { incident_id, type, created_at } of seen.manualActions) {
      const incident = known.get(incident_id);
      if (!incident || (type !== 'resolved' && type !== 'reopened'))
        violate(`incident ${incident_id}: ${type} without a matching action`);
      else take(incident, left, type, created_at);
    }
    return new Set(seen.manualActions.map((action) => action.incident_id));
  }

  function compareTimes(seen: Observed, applyManualAction: Set<number>): void {
    const before = new Map(incidents.map((incident) => [incident.id, incident]));
    for (const incident of seen.incidents) {
      const known = before.get(incident.id);
      if (!known) continue;
      const isChanged = known.ended_at !== null && incident.ended_at !== known.ended_at;
      if (isChanged && !applyManualAction.has(incident.id))
        violate(`incident ${incident.id} changed after its end`);
      if (known.started_at !== incident.started_at)
        violate(`incident ${incident.id}changed its start`);
    }
  }

  /** Each change emits one event in its own transaction, and there are no others. */
  function compareEvents(seen: Observed, expected: string[], expectedNotices: number[]): void {
    for (const { id, type } of seen.incidents) types.set(id, type);
    const notices = seen.events.filter(({ type }) => type === 'monitor.dns_changed');
    const [to, of] = [notices.map(({ monitor_id }) => monitor_id), expectedNotices].map((ids) =>
      ids.toSorted().join(),
    );
    if (to !== of)
      violate(`changed records are reported for monitors [${to}] and should be for [${of}]`);
    const found = seen.events
      .filter((event) => !notices.includes(event))
      .map(({ monitor_id, incident_id, type }) => {
        const kind = RESOLVING.test(type) ? 'ends' : 'opens';
        return `monitor ${monitor_id}: ${types.get(incident_id ?? 0)} ${kind}`;
      });
    const differ = expected.toSorted().join(', ') !== found.toSorted().join(', ');
    if (differ) violate(`events are [${found.join(', ')}] and should be [${expected.join(', ')}]`);
    for (const { id, incident_id, type } of seen.events)
      story.add(`event ${id}: ${type} of incident ${incident_id}`);
  }

  /** Finds the rounds that this commit counted: those of this process between the previous slot and the current one. */
  function countRounds(
    state: ObservedState,
    instance: ProcessInstance,
  ): { rounds: number; changes: ExpectedChange[] } {
    const monitor = trackedOf(state.monitor_id);
    const slot = state.last_slot ?? -Infinity;
    const changes: ExpectedChange[] = [];
    if (slot === monitor.lastSlot) return { rounds: 0, changes };
    let rounds = 0;
    if (slot < monitor.lastSlot) violate(`monitor ${state.monitor_id}: its slot went back`);
    if (state.is_paused === 1)
      violate(`monitor ${state.monitor_id}: a round counted though it is paused or deleted`);
    for (const one of submitted) {
      const { round } = one;
      const isIt =
        one.instance === instance &&
        round.monitorId === state.monitor_id &&
        round.revision === state.revision;
      if (!isIt || one.isCounted || round.slot <= monitor.lastSlot || round.slot > slot) continue;
      one.isCounted = true;
      rounds += 1;
      monitor.lastSlot = round.slot;
      changes.push(...count(monitor, one));
    }
    if (monitor.lastSlot !== slot) {
      violate(
        `monitor ${state.monitor_id}: slot ${slot} is not that of a round of its revision and this process`,
      );
      monitor.lastSlot = slot;
    }
    return { rounds, changes };
  }

  function compareBeginning(
    state: ObservedState,
    spans: Observed['spans'],
    changes: ExpectedChange[],
  ): void {
    const before = trackedOf(state.monitor_id).timeline.at(-1)?.status ?? 'pending';
    if (before === state.status) return;
    // Of simultaneous changes, those that are as severe as the old or new status.
    const isBad = [before, state.status].includes('offline');
    const timesOf = (kind: ExpectedChange['kind'], isOnlyCritical: boolean) =>
      changes.flatMap(({ at, isCritical, ...change }) =>
        change.kind === kind && at !== null && (isCritical || !isOnlyCritical) ? [at] : [],
      );
    const opened = timesOf('opens', isBad);
    const ended = timesOf('ends', isBad && state.status !== 'online');
    const previousFrom = spanBegan.get(state.monitor_id) ?? null;
    const status = { before, now: state.status };
    const fault = beginningFault(spans, status, { opened, ended }, previousFrom);
    // It may have been online for a moment before a less severe condition began.
    const lesser = timesOf('opens', false).filter((at) => at > Math.max(...ended));
    const isWellBetween =
      lesser.length > 0 &&
      beginningFault(spans, status, { opened, ended: [Math.min(...lesser)] }, previousFrom) ===
        null;
    if (fault && !isWellBetween) violate(`monitor ${state.monitor_id}: ${fault}`);
  }

  function count(monitor: TrackedMonitor, { at, round }: Submitted): ExpectedChange[] {
    const votes = round.results.map(({ region, vote }) => `${region} ${vote}`).join(', ');
    const { roundClass, changes } = monitor.reference.count(round);
    story.add(
      `monitor ${round.monitorId}: the round of slot ${round.slot} counts as ${roundClass} (${votes})`,
    );
    monitor.counted.push({ at, round });
    traceVotes(round);
    const eras =
      operator.monitors
        .get(round.monitorId)
        ?.eras.filter((era) => era.revision === round.revision) ?? [];
    const settings = eras[0]?.settings;
    if (!settings)
      violate(
        `monitor ${round.monitorId}: revision ${round.revision} counted, but it never existed`,
      );
    else if (!possibleClasses(scenario, settings, at).has(roundClass)) {
      violate(
        `monitor ${round.monitorId}: a round counts as ${roundClass}, which its targets rule out`,
      );
    }
    const isSet = eras.some((era) => isRoundOf(round, era.settings));
    if (!isSet) violate(`monitor ${round.monitorId}: a round used settings that it never had`);
    return changes;
  }

  /** Each vote is the result of that region's check in that round, and no check votes twice. */
  function traceVotes(round: Round): void {
    for (const result of round.results) {
      const check =
        result.remoteAddress === null ? undefined : checks[Number(result.remoteAddress)];
      const isTrue =
        check !== undefined &&
        check.monitorId === round.monitorId &&
        check.region === result.region &&
        check.result?.vote === result.vote &&
        check.wall === result.checkedAt;
      if (!isTrue)
        violate(
          `monitor ${round.monitorId}: the vote of ${result.region} is not the result of its probe`,
        );
      else if (usedChecks.has(check.number))
        violate(`monitor ${round.monitorId}: check ${check.number} voted twice`);
      else usedChecks.add(check.number);
    }
  }

  function compareWithReference(state: ObservedState, found: ObservedIncident[]): void {
    const { reference } = trackedOf(state.monitor_id);
    const stored = found.map(
      ({ type, started_at, ended_at }) => `${type} ${started_at} to ${ended_at}`,
    );
    const expected = reference.incidents.map(
      ({ type, startedAt, endedAt }) => `${type} ${startedAt} to ${endedAt}`,
    );
    if (stored.toSorted().join(', ') !== expected.toSorted().join(', ')) {
      violate(
        `monitor ${state.monitor_id}: incidents are [${stored.join(', ')}] and should be [${expected.join(', ')}]`,
      );
    }
    if (state.status !== reference.status) {
      violate(
        `monitor ${state.monitor_id}: its status is ${state.status} and should be ${reference.status}`,
      );
    }
    const open = found
      .filter((incident) => incident.ended_at === null)
      .map((incident) => incident.type);
    if (new Set(open).size < open.length)
      violate(`monitor ${state.monitor_id}: two open incidents of one type: ${open.join(', ')}`);
    const conditions = conditionsOf(state);
    if (state.status !== 'pending' && state.status !== worstOf(conditions)) {
      violate(
        `monitor ${state.monitor_id}: it is ${state.status}while its conditions are [${conditions.join(', ')}]`,
      );
    }
  }

  function note(state: ObservedState, found: ObservedIncident[]): void {
    const { timeline } = trackedOf(state.monitor_id);
    const open = found
      .filter((incident) => incident.ended_at === null)
      .map((incident) => incident.type);
    const conditions = conditionsOf(state);
    const newest = timeline.at(-1);
    const isSame =
      newest?.status === state.status &&
      newest.open.join() === open.join() &&
      newest.conditions.join() === conditions.join();
    if (isSame) return;
    timeline.push({ at: clock.monotonic(), status: state.status, open, conditions });
    story.add(
      `monitor ${state.monitor_id} is ${state.status}${open.length > 0 ? `, open: ${open.join(', ')}` : ''}`,
    );
  }

  return {
    tracked,
    referenceOf: (id: number) => trackedOf(id).reference,
    submitted,
    observe: observeAll,
    committed,
  };
}

const NO_CHANGES: ReadonlyMap<number, ExpectedChange[]> = new Map();

/** Whether the round used these settings. */
function isRoundOf({ settings: of }: Round, settings: MonitorSettings): boolean {
  return (
    settings.failureThreshold === of.failureThreshold &&
    settings.recoveryThreshold === of.recoveryThreshold &&
    settings.intervalMs === of.intervalMs &&
    settings.slowResponseThresholdMs === of.slowResponseThresholdMs &&
    settings.checkBothFamilies === of.checkBothFamilies &&
    contentOf(settings) === of.content &&
    inspectionsOf(settings).join() === of.inspections.join()
  );
}
