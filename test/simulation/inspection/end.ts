import type { Condition } from '../../../src/model/condition.ts';
import { INSPECTION_KINDS } from '../../../src/model/inspection.ts';
import type { InspectionKind, InspectionResult } from '../../../src/model/inspection.ts';
import type { Database } from '../../../src/store/database/contract.ts';
import { knownBetween, quietTimes } from '../expectations.ts';
import type { Disturbance, Looks, QuietTime } from '../expectations.ts';
import type { Operator, OwnedMonitor } from '../operator.ts';
import { inspectedName, inspectionsOf } from '../plan.ts';
import type { MonitorSettings, Plan } from '../plan.ts';
import { typeOf } from '../reference.ts';
import { timeOf } from '../story.ts';
import type { Watched } from '../watcher.ts';
import { LONGEST_ANSWER_MS, resultOf } from './answers.ts';
import type { Script, SightOf } from './plan.ts';
import { wordOf } from './words.ts';
import type { Word } from './words.ts';

export interface InspectionEndOptions {
  plan: Plan;
  database: Database;
  operator: Operator;
  watched: ReadonlyMap<number, Watched>;
  disturbances: Disturbance[];
  /** The wall clock never went back, so that an instant has one name. */
  isClockSteady: boolean;
  wallAt(at: number): number;
  until: number;
  looks: Looks;
  violate(rule: string): void;
}

const MINUTE = 60_000;
const PERIOD_MS = { ssl: 60 * MINUTE, dns: 5 * MINUTE, domain: 24 * 60 * MINUTE };
const RECHECK_MS = 60_000;
/** How long one that was taken up by a process that died is left alone, at most. */
const LEASE_MS = 110_000;
/** Taking one up takes a second, recording it some moments. */
const SLACK_MS = 2_500;
/** One may be under way for so long: an answer that never comes is waited for. */
const LONGEST_MS = { ssl: 16_000, dns: 21_000, domain: 41_000 };

/** What can only be said of inspections when the whole story is known. */
export async function checkInspectionsAtTheEnd(options: InspectionEndOptions): Promise<void> {
  const { operator, watched } = options;
  for (const monitor of operator.monitors.values()) {
    const known = watched.get(monitor.id);
    const violate = (rule: string) => options.violate(`monitor ${monitor.id}: ${rule}`);
    for (const kind of INSPECTION_KINDS) {
      if (known) checkInnocence({ ...options, violate }, monitor, kind, known);
      if (known && options.isClockSteady)
        checkQuietTimes({ ...options, violate }, monitor, kind, known);
    }
  }
  if (options.isClockSteady) await checkDueTimes(options);
}

/** A target of which no inspection could ever find anything wrong has no incident. */
function checkInnocence(
  options: InspectionEndOptions,
  { eras }: OwnedMonitor,
  kind: InspectionKind,
  { timeline }: Watched,
): void {
  const { wallAt, until, looks, violate } = options;
  const worst = wallAt(until);
  const isGood = eras.every(({ settings }) =>
    scriptOf(options.plan, settings, kind).every(({ value }) => {
      const word = wordAt(options, settings, kind, value, worst);
      return word === 'good' || word === 'unknown';
    }),
  );
  if (!isGood || !eras.some(({ settings }) => inspectionsOf(settings).includes(kind))) return;
  looks.inspectedInnocent += 1;
  const accused = timeline.find(({ open }) => open.includes(kind));
  if (accused) violate(`it has [${accused.open.join(', ')}] though its ${kind} was never bad`);
}

/** What is so for long enough is known. */
function checkQuietTimes(
  options: InspectionEndOptions,
  monitor: OwnedMonitor,
  kind: InspectionKind,
  watched: Watched,
): void {
  const { plan, disturbances, until, wallAt, looks, violate } = options;
  const points = (settings: MonitorSettings) =>
    scriptOf(plan, settings, kind).map(({ from }) => from);
  for (const quiet of quietTimes(plan, monitor, disturbances, until, points)) {
    const { from, to, era } = quiet;
    const { settings } = era;
    const script = scriptOf(plan, settings, kind);
    const sight = script.findLast((segment) => segment.from <= from)!.value;
    const first = firstLookMs(quiet, kind, script, disturbances);
    if (first === null || !inspectionsOf(settings).includes(kind)) continue;
    const word = wordAt(options, settings, kind, sight, wallAt(from));
    if (word === 'unknown' || word !== wordAt(options, settings, kind, sight, wallAt(to))) continue;
    const goodBy = from + first + LONGEST_ANSWER_MS;
    const by = word === 'good' ? goodBy : goodBy + RECHECK_MS + LONGEST_ANSWER_MS + 2 * SLACK_MS;
    if (by >= to) continue;
    looks[word === 'good' ? 'inspectedGood' : 'inspectedBad'] += 1;
    const wrong = knownBetween(watched, by, to).find(({ conditions, open }) =>
      word === 'good'
        ? conditions.some((one) => typeOf(one as Condition) === kind)
        : !conditions.includes(word) || !open.includes(typeOf(word)),
    );
    if (wrong)
      violate(
        `its ${kind} is ${word} since ${timeOf(from)}, by ${timeOf(by)} it must show, but [${wrong.open.join(', ')}] of [${wrong.conditions.join(', ')}] are open`,
      );
  }
}

/**
 * After how long the first look comes: at once where an edit began the time, else in its turn. Null where nobody can
 * tell: facts of a registration are used again for a day, and a registry that said nothing is left alone.
 */
function firstLookMs(
  { from, era, isAfterTrouble }: QuietTime,
  kind: InspectionKind,
  script: { from: number; value: SightOf[InspectionKind] }[],
  disturbances: Disturbance[],
): number | null {
  const isEdited = era.dueNow === 'edit' && era.from === from && !isAfterTrouble;
  if (kind === 'domain' && (script.length > 1 || !isEdited)) return null;
  const wasTroubled = disturbances.some((one) => one.from <= from && one.to > from - LEASE_MS);
  // It comes after the one that is under way, or was when its process died.
  if (isEdited) return SLACK_MS + (wasTroubled ? LEASE_MS : LONGEST_MS[kind]);
  return Math.max(PERIOD_MS[kind], LEASE_MS) + LONGEST_MS[kind] + SLACK_MS;
}

function scriptOf(
  plan: Plan,
  settings: MonitorSettings,
  kind: InspectionKind,
): { from: number; value: SightOf[InspectionKind] }[] {
  const { inspected } = plan.targets[settings.target]!;
  const scripts: { [Kind in InspectionKind]: Script<Kind> } = {
    ...inspected,
    domain: plan.registration,
  };
  return scripts[kind];
}

function wordAt(
  { wallAt }: InspectionEndOptions,
  settings: MonitorSettings,
  kind: InspectionKind,
  sight: SightOf[InspectionKind],
  now: number,
): Word {
  if (sight.kind === 'silent') return 'unknown';
  const result: InspectionResult = resultOf(sight, { origin: wallAt(0), now });
  return wordOf(kind, result, settings, now);
}

/** Nothing is lost: whatever runs will be looked at within its period, and was as soon as somebody could. */
async function checkDueTimes(options: InspectionEndOptions): Promise<void> {
  const { plan, database, operator, wallAt, until, looks, violate } = options;
  const now = wallAt(until);
  const rows = await database.read.selectFrom('inspection').selectAll().execute();
  const assigned = await database.read.selectFrom('monitor_inspection').selectAll().execute();
  for (const { id, eras } of operator.monitors.values()) {
    const { settings, isPaused, isDeleted, from } = eras.at(-1)!;
    const wanted = isDeleted
      ? []
      : inspectionsOf(settings).map((kind) => `${kind} ${inspectedName(plan, settings, kind)}`);
    const found = assigned
      .filter(({ monitor_id }) => monitor_id === id)
      .map(({ kind, target }) => `${kind} ${target}`);
    if (wanted.toSorted().join() !== found.toSorted().join())
      violate(`monitor ${id}: [${found.join()}] are assigned and should be [${wanted.join()}]`);
    if (isPaused || isDeleted) continue;
    for (const kind of inspectionsOf(settings)) {
      const target = inspectedName(plan, settings, kind);
      const row = rows.find((one) => one.kind === kind && one.target === target);
      looks.inspectedInTime += 1;
      const tell = (what: string) => violate(`monitor ${id}: ${kind} of ${target} ${what}`);
      const latest = now + PERIOD_MS[kind] + LONGEST_RETRY_MS;
      if (!row || row.next_at === null || row.next_at > latest) tell('is due too late, or never');
      else if (row.next_at < now - LEASE_MS - SLACK_MS)
        tell('should have been looked at long since');
      else if (row.inspected_at === null && until - from > LEASE_MS + LONGEST_MS[kind] + SLACK_MS)
        tell('was never looked at');
    }
  }
  const orphan = rows.find(
    ({ kind, target, next_at }) =>
      next_at === null && !assigned.some((one) => one.kind === kind && one.target === target),
  );
  if (orphan) violate(`${orphan.kind} of ${orphan.target} rests for ever, though nobody wants it`);
}

/** A registry may ask to be left alone for so long. */
const LONGEST_RETRY_MS = 20 * MINUTE;
