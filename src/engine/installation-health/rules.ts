import { CLOCK_TOLERANCE_MS } from '../../lib/clock.ts';
import {
  PROBLEM_KINDS,
  type InstallationSummary,
  type ProblemKind,
  type ProcessReport,
  type InstallationProblem,
  type StoredProblem,
} from '../../model/installation-health.ts';

export interface InstallationFacts {
  reports: readonly ProcessReport[];
  shards: ReadonlyMap<string, number>;
  unownedShards: number;
  deliveries: {
    waiting: number;
    oldestDueAt: number | null;
  };
  workerRan: InstallationSummary['workerRan'];
  regions: readonly string[];
}

interface Finding {
  /** Region, role or configuration set; empty for the whole installation. */
  subject: string;
  value: number | null;
  processes: readonly string[];
}

interface Rule {
  /** Time for which it must be observed before it counts, milliseconds. */
  lastsMs: number;
  /** @param isOpen whether the problem counts already: it then ends at a better value than the one that it began at. */
  find(facts: InstallationFacts, now: number, isOpen: (subject: string) => boolean): Finding[];
}

/** A process that has not reported for this time is taken to be gone, or stuck. It reports every 5 s. */
const SILENT_MS = 30_000;

const MINUTE_MS = 60_000;
const MIB = 1024 * 1024;

/** Thresholds at which a problem begins, and those at which it ends. */
const LIMITS = {
  lagMs: { begins: 30_000, ends: 10_000 },
  /** Of the checks of the last minute; fewer late ones than `lateChecks` are no problem. */
  lateShare: { begins: 0.5, ends: 0.25 },
  lateChecks: 20,
  deliveryMs: { begins: 5 * MINUTE_MS, ends: MINUTE_MS },
  freeBytes: { begins: 500 * MIB, ends: 600 * MIB },
  clockMs: { begins: CLOCK_TOLERANCE_MS, ends: CLOCK_TOLERANCE_MS / 2 },
} as const;

/** Roles that an installation needs at least one process of. */
const NEEDED_ROLES = ['api', 'scheduler', 'worker'] as const;

const seconds = (ms: number): number => Math.round(ms / 1_000);
const names = (reports: readonly ProcessReport[]) => reports.map(({ name }) => name).toSorted();

const offset = ({ clockOffsetMs }: ProcessReport): number => Math.abs(clockOffsetMs ?? 0);
const free = ({ freeBytes }: ProcessReport): number => freeBytes ?? Infinity;

/** A finding about the whole installation, in the processes that it was observed in. */
function foundIn(
  reports: readonly ProcessReport[],
  value: (worst: ProcessReport[]) => number | null,
): Finding[] {
  if (reports.length === 0) return [];
  return [{ subject: '', value: value([...reports]), processes: names(reports) }];
}

const isLive = ({ seenAt }: ProcessReport, now: number): boolean => now - seenAt <= SILENT_MS;

const limit = (which: { begins: number; ends: number }, isOpen: boolean) =>
  isOpen ? which.ends : which.begins;

export const RULES: Readonly<Record<ProblemKind, Rule>> = {
  rounds_late: {
    lastsMs: MINUTE_MS,
    find({ reports }, now, isOpen) {
      const late = reports.filter((one) => isLive(one, now) && isLate(one, isOpen('')));
      return foundIn(late, (all) => seconds(Math.max(...all.map(({ lagMs }) => lagMs ?? 0))));
    },
  },
  deliveries_waiting: {
    lastsMs: 0,
    find({ deliveries: { oldestDueAt }, workerRan: ran }, _now, isOpen) {
      // Only while a worker ran: what was due when Tocsin was stopped is no problem once it runs.
      const waitedMs =
        oldestDueAt === null || ran === null ? 0 : ran.until - Math.max(oldestDueAt, ran.from);
      if (waitedMs < limit(LIMITS.deliveryMs, isOpen(''))) return [];
      return [{ subject: '', value: seconds(waitedMs), processes: [] }];
    },
  },
  region_without_probe: {
    lastsMs: MINUTE_MS,
    find({ reports, regions }, now) {
      const reaching = reports.filter((one) => isLive(one, now) && one.probes !== null);
      // Without a scheduler, those that ask probes for people know.
      const schedulers = reaching.filter(({ roles }) => roles.includes('scheduler'));
      const checking = schedulers.length > 0 ? schedulers : reaching;
      return regions.flatMap((region) => {
        const without = checking.filter(({ probes }) => (probes![region] ?? 0) === 0);
        return without.length === 0
          ? []
          : [{ subject: region, value: null, processes: names(without) }];
      });
    },
  },
  shards_unowned: {
    lastsMs: MINUTE_MS,
    find: ({ unownedShards: count }) =>
      count === 0 ? [] : [{ subject: '', value: count, processes: [] }],
  },
  process_silent: {
    lastsMs: MINUTE_MS - SILENT_MS,
    find({ reports, shards }, now) {
      const live = new Set(reports.filter((one) => isLive(one, now)).map(({ id }) => id));
      const silent = [...shards.keys()].filter((id) => !live.has(id));
      if (silent.length === 0) return [];
      const value = silent.reduce((sum, id) => sum + shards.get(id)!, 0);
      const known = new Map(reports.map(({ id, name }) => [id, name]));
      const processes = silent.map((id) => known.get(id) ?? id).toSorted();
      return [{ subject: '', value, processes }];
    },
  },
  role_missing: {
    lastsMs: MINUTE_MS,
    find({ reports }, now) {
      const live = reports.filter((one) => isLive(one, now));
      return NEEDED_ROLES.filter((role) => !live.some(({ roles }) => roles.includes(role))).map(
        (role) => ({ subject: role, value: null, processes: [] }),
      );
    },
  },
  clock_off: {
    lastsMs: MINUTE_MS,
    find({ reports }, now, isOpen) {
      const least = limit(LIMITS.clockMs, isOpen(''));
      const off = reports.filter((one) => isLive(one, now) && offset(one) > least);
      return foundIn(off, (all) => Math.round(Math.max(...all.map(offset))));
    },
  },
  files_refused: {
    lastsMs: 0,
    find: ({ reports }, now) =>
      foundIn(
        reports.filter((one) => isLive(one, now) && one.isRefusingFiles),
        () => null,
      ),
  },
  disk_low: {
    lastsMs: 0,
    find({ reports }, now, isOpen) {
      const least = limit(LIMITS.freeBytes, isOpen(''));
      const low = reports.filter((one) => isLive(one, now) && free(one) < least);
      return foundIn(low, (all) => Math.min(...all.map(free)));
    },
  },
  discovery_failing: {
    lastsMs: 5 * MINUTE_MS,
    find({ reports }, now) {
      const live = reports.filter((one) => isLive(one, now));
      const sets = new Set(live.flatMap(({ failingDiscoveries }) => failingDiscoveries));
      return [...sets].toSorted().map((subject) => {
        const failing = live.filter((one) => one.failingDiscoveries.includes(subject));
        return { subject, value: null, processes: names(failing) };
      });
    },
  },
};

function isLate({ lagMs, checksDue, checksLate }: ProcessReport, isOpen: boolean): boolean {
  if ((lagMs ?? 0) >= limit(LIMITS.lagMs, isOpen)) return true;
  const late = checksLate ?? 0;
  return late >= LIMITS.lateChecks && late >= limit(LIMITS.lateShare, isOpen) * (checksDue ?? 0);
}

/** The time in which a worker runs, once more is known. A break that is too short to be noticed is none. Pure. */
export function extendWorkerRun(
  ran: InstallationSummary['workerRan'],
  reports: readonly ProcessReport[],
  now: number,
): InstallationSummary['workerRan'] {
  if (!reports.some((one) => isLive(one, now) && one.roles.includes('worker'))) return ran;
  const isUnbroken = ran !== null && now - ran.until <= SILENT_MS;
  return { from: isUnbroken ? Math.min(ran.from, now) : now, until: now };
}

/** Sums up the facts for people and for the body of a watchdog ping. */
export function summaryOf(facts: InstallationFacts, now: number): InstallationSummary {
  const live = facts.reports.filter((one) => isLive(one, now));
  const sum = (of: (report: ProcessReport) => number | null) =>
    live.reduce((total, one) => total + (of(one) ?? 0), 0);
  const known = live.flatMap(({ freeBytes }) => freeBytes ?? []);
  const { waiting, oldestDueAt } = facts.deliveries;
  return {
    scheduleLagMs: Math.max(0, ...live.map(({ lagMs }) => lagMs ?? 0)),
    checksDue: sum(({ checksDue }) => checksDue),
    checksLate: sum(({ checksLate }) => checksLate),
    deliveriesWaiting: waiting,
    oldestDeliverySeconds: oldestDueAt === null ? 0 : Math.max(0, seconds(now - oldestDueAt)),
    regionsWithoutProbe: RULES.region_without_probe
      .find(facts, now, () => false)
      .map(({ subject }) => subject),
    unownedShards: facts.unownedShards,
    processes: live.length,
    freeBytes: known.length === 0 ? null : Math.min(...known),
    workerRan: facts.workerRan,
  };
}

export type OpenProblem = StoredProblem & { seenAt: number; openedAt: number };

/** A problem must not be observed for this time before it counts as ended. */
const CLEAR_MS = 60_000;

interface Evaluation {
  /** All problems from now on; those that ended are among them until the operator webhook was notified. */
  problems: StoredProblem[];
  opened: OpenProblem[];
  ended: OpenProblem[];
}

/** Evaluations come every 5 s. After a longer time without one, nothing is known to have lasted. */
const GAP_MS = 30_000;

/** @param evaluatedAt time of the evaluation that found `before`. */
export function evaluateInstallation(
  before: readonly StoredProblem[],
  facts: InstallationFacts,
  { now, evaluatedAt }: { now: number; evaluatedAt: number | null },
): Evaluation {
  const evaluation: Evaluation = { problems: [], opened: [], ended: [] };
  const hasGap = evaluatedAt === null || now - evaluatedAt > GAP_MS;
  const known = hasGap ? before.map(afterGap) : before;
  for (const kind of PROBLEM_KINDS) {
    const stored = new Map(
      known.filter((one) => one.kind === kind).map((one) => [one.subject, one]),
    );
    const isOpen = (subject: string) => isOpenProblem(stored.get(subject));
    const found = new Map(
      RULES[kind].find(facts, now, isOpen).map((finding) => [finding.subject, finding]),
    );
    for (const subject of new Set([...stored.keys(), ...found.keys()])) {
      const one = stored.get(subject) ?? neverSeen(kind, subject);
      const finding = found.get(subject);
      const next = finding === undefined ? notFound(one, now) : observed(one, finding, now);
      if (!isOpenProblem(one) && isOpenProblem(next)) evaluation.opened.push(next);
      if (isOpenProblem(one) && !isOpenProblem(next)) evaluation.ended.push(one);
      if (next.seenAt !== null || next.notifiedOpenedAt !== null) evaluation.problems.push(next);
    }
  }
  return evaluation;
}

export function isOpenProblem(problem: StoredProblem | undefined): problem is OpenProblem {
  return problem !== undefined && problem.openedAt !== null;
}

/** A problem as others see it. */
export function shownProblem(problem: OpenProblem): InstallationProblem {
  const { kind, subject, seenAt: since, value, processes } = problem;
  return { kind, subject, since, value, processes };
}

function neverSeen(kind: ProblemKind, subject: string): StoredProblem {
  return {
    kind,
    subject,
    seenAt: null,
    openedAt: null,
    clearSince: null,
    value: null,
    processes: [],
    notifiedOpenedAt: null,
  };
}

function observed(one: StoredProblem, { value, processes }: Finding, now: number): StoredProblem {
  // A clock that was set back must not make a problem last for longer than it did, nor keep it from counting.
  const seenAt = Math.min(one.seenAt ?? now, now);
  const isLongEnough = now - seenAt >= RULES[one.kind].lastsMs;
  const openedAt = one.openedAt ?? (isLongEnough ? now : null);
  return { ...one, seenAt, openedAt, clearSince: null, value, processes };
}

function notFound(one: StoredProblem, now: number): StoredProblem {
  if (!isOpenProblem(one)) return neverSeenAgain(one);
  const clearSince = Math.min(one.clearSince ?? now, now);
  return now - clearSince >= CLEAR_MS ? neverSeenAgain(one) : { ...one, clearSince };
}

/** A problem that counts still does; how long it was or was not observed is measured anew. */
function afterGap(one: StoredProblem): StoredProblem {
  return isOpenProblem(one) ? { ...one, clearSince: null } : neverSeenAgain(one);
}

function neverSeenAgain(one: StoredProblem): StoredProblem {
  return { ...neverSeen(one.kind, one.subject), notifiedOpenedAt: one.notifiedOpenedAt };
}
