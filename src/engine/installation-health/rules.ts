import { CLOCK_TOLERANCE_MS } from '../../lib/clock.ts';
import type {
  InstallationSummary,
  ProblemKind,
  ProcessReport,
} from '../../model/installation-health.ts';

/** Everything that is evaluated, as the database shows it at one moment. */
export interface InstallationFacts {
  /** Reports of all processes, also old ones. */
  reports: readonly ProcessReport[];
  /** Number of shards that each process has leased, by its id. */
  shards: ReadonlyMap<string, number>;
  /** Shards that no process has leased. */
  unownedShards: number;
  deliveries: {
    /** Events, alerts and queues that are due. */
    waiting: number;
    /** When the first of them became due, epoch ms; null when none is. */
    oldestDueAt: number | null;
  };
  workerRan: InstallationSummary['workerRan'];
  /** Codes of the regions of the installation. */
  regions: readonly string[];
}

/** Observation of a problem. */
export interface Finding {
  /** Region or role; empty for the whole installation. */
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
export const SILENT_MS = 30_000;

const MINUTE_MS = 60_000;
const MIB = 1024 * 1024;

/** Thresholds at which a problem begins, and those at which it ends. */
export const LIMITS = {
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
const names = (reports: readonly ProcessReport[]): string[] =>
  reports.map(({ name }) => name).toSorted();

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

export const isLive = ({ seenAt }: ProcessReport, now: number): boolean =>
  now - seenAt <= SILENT_MS;

const limit = (which: { begins: number; ends: number }, isOpen: boolean): number =>
  isOpen ? which.ends : which.begins;

/** The rule of each kind. */
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
  disk_low: {
    lastsMs: 0,
    find({ reports }, now, isOpen) {
      const least = limit(LIMITS.freeBytes, isOpen(''));
      const low = reports.filter((one) => isLive(one, now) && free(one) < least);
      return foundIn(low, (all) => Math.min(...all.map(free)));
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
