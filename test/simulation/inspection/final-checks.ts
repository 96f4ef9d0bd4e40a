import type { FinalCheckOptions } from '../final-checks.ts';
import type { Condition } from '../../../src/model/condition.ts';
import { INSPECTION_KINDS } from '../../../src/model/inspection.ts';
import type { InspectionKind, InspectionResult } from '../../../src/model/inspection.ts';
import { knownBetween, stablePeriods } from '../stable-periods.ts';
import type { Disturbance, StablePeriod } from '../stable-periods.ts';
import type { Operator, OwnedMonitor } from '../operator.ts';
import { inspectedName, inspectionsOf } from '../scenario.ts';
import type { MonitorSettings, Scenario } from '../scenario.ts';
import { typeOf } from '../reference-model.ts';
import { timeOf } from '../story.ts';
import type { TrackedMonitor } from '../commit-checker.ts';
import { LONGEST_ANSWER_MS, resultOf } from './answers.ts';
import type { Script, InspectionView } from './scenario.ts';
import { findingOf } from './findings.ts';
import type { Finding } from './findings.ts';

export interface InspectionEndOptions extends FinalCheckOptions {
  scenario: Scenario;
  operator: Operator;
  tracked: ReadonlyMap<number, TrackedMonitor>;
}

const MINUTE = 60_000;
const PERIOD_MS = { ssl: 60 * MINUTE, dns: 5 * MINUTE, domain: 24 * 60 * MINUTE };
const RECHECK_MS = 60_000;
/** Longest time for which the inspection of a crashed process stays leased. */
const LEASE_MS = 110_000;
/** Time to claim and to record an inspection. */
const SLACK_MS = 2_500;
/** Longest duration of an inspection, including one that is never answered. */
const LONGEST_MS = { ssl: 16_000, dns: 21_000, domain: 41_000 };

/** Checks of inspections that need the complete history of the world. */
export async function checkInspectionsAtEnd(options: InspectionEndOptions): Promise<void> {
  const { operator, tracked } = options;
  for (const monitor of operator.monitors.values()) {
    const known = tracked.get(monitor.id);
    const violate = (rule: string) => options.violate(`monitor ${monitor.id}: ${rule}`);
    for (const kind of INSPECTION_KINDS) {
      if (known) checkInnocence({ ...options, violate }, monitor, kind, known);
      if (known && options.isClockSteady)
        checkStablePeriods({ ...options, violate }, monitor, kind, known);
    }
  }
  if (options.isClockSteady) await checkDueTimes(options);
}

/** A target that was never bad has no incident. */
function checkInnocence(
  options: InspectionEndOptions,
  { eras }: OwnedMonitor,
  kind: InspectionKind,
  { timeline }: TrackedMonitor,
): void {
  const { wallAt, until, coverage, violate } = options;
  const worst = wallAt(until);
  const isGood = eras.every(({ settings }) =>
    scriptOf(options.scenario, settings, kind).every(({ value }) => {
      const finding = findingAt(options, settings, kind, value, worst);
      return finding === 'good' || finding === 'unknown';
    }),
  );
  if (!isGood || !eras.some(({ settings }) => inspectionsOf(settings).includes(kind))) return;
  coverage.inspectedAlwaysGood += 1;
  const unexpected = timeline.find(({ open }) => open.includes(kind));
  if (unexpected)
    violate(`it has [${unexpected.open.join(', ')}] though its ${kind} was never bad`);
}

/** A finding that lasts long enough is recorded. */
function checkStablePeriods(
  options: InspectionEndOptions,
  monitor: OwnedMonitor,
  kind: InspectionKind,
  tracked: TrackedMonitor,
): void {
  const { scenario, disturbances, until, wallAt, coverage, violate } = options;
  const points = (settings: MonitorSettings) =>
    scriptOf(scenario, settings, kind).map(({ from }) => from);
  for (const period of stablePeriods(scenario, monitor, disturbances, until, points)) {
    const { from, to, era } = period;
    const { settings } = era;
    const script = scriptOf(scenario, settings, kind);
    const view = script.findLast((segment) => segment.from <= from)!.value;
    const first = firstLookMs(period, kind, script, disturbances);
    if (first === null || !inspectionsOf(settings).includes(kind)) continue;
    const finding = findingAt(options, settings, kind, view, wallAt(from));
    if (finding === 'unknown' || finding !== findingAt(options, settings, kind, view, wallAt(to)))
      continue;
    const goodBy = from + first + LONGEST_ANSWER_MS;
    const by = finding === 'good' ? goodBy : goodBy + RECHECK_MS + LONGEST_ANSWER_MS + 2 * SLACK_MS;
    if (by >= to) continue;
    coverage[finding === 'good' ? 'inspectedGood' : 'inspectedBad'] += 1;
    const wrong = knownBetween(tracked, by, to).find(({ conditions, open }) =>
      finding === 'good'
        ? conditions.some((one) => typeOf(one as Condition) === kind)
        : !conditions.includes(finding) || !open.includes(typeOf(finding)),
    );
    if (wrong)
      violate(
        `its ${kind} is ${finding} since ${timeOf(from)}, so it must be recorded by ${timeOf(by)}, but [${wrong.open.join(', ')}] of the conditions [${wrong.conditions.join(', ')}] are open`,
      );
  }
}

/**
 * Time until the first inspection of the period: at once after an edit, else on schedule. Null if unknown: facts of a
 * registration are reused for a day, and a registry that gave no answer is not asked again for a while.
 */
function firstLookMs(
  { from, era, isAfterDisturbance }: StablePeriod,
  kind: InspectionKind,
  script: { from: number; value: InspectionView[InspectionKind] }[],
  disturbances: readonly Disturbance[],
): number | null {
  const isEdited = era.dueNow === 'edit' && era.from === from && !isAfterDisturbance;
  if (kind === 'domain' && (script.length > 1 || !isEdited)) return null;
  const wasDisturbed = disturbances.some((one) => one.from <= from && one.to > from - LEASE_MS);
  // It follows the inspection in flight, or the one that was in flight when its process died.
  if (isEdited) return SLACK_MS + (wasDisturbed ? LEASE_MS : LONGEST_MS[kind]);
  return Math.max(PERIOD_MS[kind], LEASE_MS) + LONGEST_MS[kind] + SLACK_MS;
}

function scriptOf(
  scenario: Scenario,
  settings: MonitorSettings,
  kind: InspectionKind,
): { from: number; value: InspectionView[InspectionKind] }[] {
  const { inspected } = scenario.targets[settings.target]!;
  const scripts: { [Kind in InspectionKind]: Script<Kind> } = {
    ...inspected,
    domain: scenario.registration,
  };
  return scripts[kind];
}

function findingAt(
  { wallAt }: InspectionEndOptions,
  settings: MonitorSettings,
  kind: InspectionKind,
  view: InspectionView[InspectionKind],
  now: number,
): Finding {
  if (view.kind === 'silent') return 'unknown';
  const result: InspectionResult = resultOf(view, { origin: wallAt(0), now });
  return findingOf(kind, result, settings, now);
}

/** No inspection is lost: each assigned one is scheduled within its interval and is not overdue. */
async function checkDueTimes(options: InspectionEndOptions): Promise<void> {
  const { scenario, database, operator, wallAt, until, coverage, violate } = options;
  const now = wallAt(until);
  const rows = await database.read.selectFrom('inspection').selectAll().execute();
  const assigned = await database.read.selectFrom('monitor_inspection').selectAll().execute();
  for (const { id, eras } of operator.monitors.values()) {
    const { settings, isPaused, isDeleted, from } = eras.at(-1)!;
    const wanted = isDeleted
      ? []
      : inspectionsOf(settings).map((kind) => `${kind} ${inspectedName(scenario, settings, kind)}`);
    const found = assigned
      .filter(({ monitor_id }) => monitor_id === id)
      .map(({ kind, target }) => `${kind} ${target}`);
    if (wanted.toSorted().join() !== found.toSorted().join())
      violate(`monitor ${id}: [${found.join()}] are assigned and should be [${wanted.join()}]`);
    if (isPaused || isDeleted) continue;
    for (const kind of inspectionsOf(settings)) {
      const target = inspectedName(scenario, settings, kind);
      const row = rows.find((one) => one.kind === kind && one.target === target);
      coverage.inspectedInTime += 1;
      const complain = (what: string) => violate(`monitor ${id}: ${kind} of ${target} ${what}`);
      const latest = now + PERIOD_MS[kind] + LONGEST_RETRY_MS;
      if (!row || row.next_at === null || row.next_at > latest)
        complain('is due too late, or never');
      else if (row.next_at < now - LEASE_MS - SLACK_MS) complain('is overdue');
      else if (row.inspected_at === null && until - from > LEASE_MS + LONGEST_MS[kind] + SLACK_MS)
        complain('was never inspected');
    }
  }
  const orphan = rows.find(
    ({ kind, target, next_at }) =>
      next_at === null && !assigned.some((one) => one.kind === kind && one.target === target),
  );
  if (orphan) violate(`${orphan.kind} of ${orphan.target} is kept though no monitor needs it`);
}

/** Longest retry delay that a registry may ask for. */
const LONGEST_RETRY_MS = 20 * MINUTE;
