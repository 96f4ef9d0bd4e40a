import type { Database } from '../../src/store/database/contract.ts';
import { listResults } from '../../src/store/engine/result-history.ts';
import type { FinalCheckOptions } from './final-checks.ts';
import type { RuleCoverage } from './coverage.ts';
import { checkBlips } from './blips.ts';
import {
  checkCriticalPace,
  checkPromptness,
  checkStablePeriod,
  stablePeriods,
} from './stable-periods.ts';
import type { Operator, OwnedMonitor } from './operator.ts';
import type { Scenario } from './scenario.ts';
import type { SeenCheck } from './probes.ts';
import { possibleClasses, turningPoints } from './ground-truth.ts';
import type { TrackedMonitor } from './commit-checker.ts';
import { uptime } from '../../src/engine/history/uptime.ts';
import type { SpanStatus } from '../../src/model/incident.ts';
import { coverageMs } from './reference-model.ts';
import { timeOf } from './story.ts';

interface StoredHistory {
  spans: { status: string; from_at: number; to_at: number | null }[];
  observedUntil: number | null;
}

interface UnobservedTimeOptions extends FinalCheckOptions {
  monitor: OwnedMonitor;
  history: StoredHistory;
}

/** Checks that time without checks counts as unobserved and that all parts of a period add up. */
function checkUnobservedTime(options: UnobservedTimeOptions): void {
  const { monitor, history, disturbances, wallAt, until, coverage, violate } = options;
  const now = wallAt(until);
  const uptimeBetween = (from: number, to: number) =>
    uptime({
      spans: history.spans.map((span) => ({
        status: span.status as SpanStatus,
        fromAt: span.from_at,
        toAt: span.to_at,
      })),
      observedUntil: history.observedUntil,
      from,
      to,
      now,
    });
  const observed = (from: number, to: number) => to - from - uptimeBetween(from, to).unobservedMs;
  const expectUnobserved = (from: number, to: number, why: string) => {
    if (to <= from) return false;
    const wrong = observed(from, to);
    if (wrong > 0)
      violate(
        `${wrong} ms between ${timeOf(from - wallAt(0))} and ${timeOf(to - wallAt(0))} count as observed, though ${why}`,
      );
    return true;
  };

  monitor.eras.forEach((era, index) => {
    if (!era.isPaused && !era.isDeleted) return;
    const next = monitor.eras[index + 1];
    if (expectUnobserved(era.wall, next ? next.wall : now, 'it was paused or deleted'))
      coverage.paused += 1;
  });

  for (const { from, to, kind } of disturbances) {
    if (kind !== 'away' && kind !== 'frozen') continue;
    const intervals = monitor.eras
      .filter((era) => era.from <= to)
      .map((era) => era.settings.intervalMs);
    if (intervals.length === 0) continue;
    const spoken = coverageMs(Math.max(...intervals), true);
    // If the clock is set forward at the same instant, a round may have started just before.
    const end = wallAt(to - 1) + 1;
    if (expectUnobserved(wallAt(from) + spoken, end, `the process was ${kind}`)) coverage.away += 1;
  }

  checkPartition(options, uptimeBetween, now);
}

/** The parts of any period add up to it, and none is negative. */
function checkPartition(
  { random, wallAt, monitor, coverage, violate }: UnobservedTimeOptions,
  uptimeBetween: (from: number, to: number) => ReturnType<typeof uptime>,
  now: number,
): void {
  for (let draw = 0; draw < 5; draw += 1) {
    const from = random.integer(wallAt(0) - 60_000, now);
    const to = random.integer(from, now + 60_000);
    const { upMs, degradedMs, downMs, excludedMs, unobservedMs } = uptimeBetween(from, to);
    const parts = [upMs, degradedMs, downMs, excludedMs, unobservedMs];
    coverage.partition += 1;
    if (
      parts.some((part) => part < 0) ||
      parts.reduce((sum, part) => sum + part, 0) !== to - from
    ) {
      violate(
        `monitor ${monitor.id}: ${parts.join(' + ')} is not the ${to - from} ms of its period`,
      );
    }
  }
}

export interface MonitorEndOptions extends FinalCheckOptions {
  scenario: Scenario;
  operator: Operator;
  tracked: ReadonlyMap<number, TrackedMonitor>;
  checks: readonly SeenCheck[];
}

/** Checks of monitors that need the complete history of the world. */
export async function checkMonitorsAtEnd(options: MonitorEndOptions): Promise<void> {
  const { scenario, operator, tracked, disturbances, until, coverage } = options;
  for (const monitor of operator.monitors.values()) {
    const violate = (rule: string) => options.violate(`monitor ${monitor.id}: ${rule}`);
    const checks = options.checks.filter(({ monitorId }) => monitorId === monitor.id);
    const known = tracked.get(monitor.id) ?? NEVER_SEEN;
    for (const period of stablePeriods(scenario, monitor, disturbances, until)) {
      checkStablePeriod(period, known, coverage, violate);
      checkCriticalPace(period, known, violate);
      checkPromptness(period, checks, coverage, violate);
    }
    checkInnocence(scenario, monitor, known, coverage, violate);
    checkBlips(scenario, monitor, known, violate);
    if (!options.isClockSteady) continue;
    const history = await readHistory(options.database, monitor.id);
    checkUnobservedTime({ ...options, monitor, history, violate });
    await checkRows(options, monitor, known, violate);
  }
}

const NEVER_SEEN: TrackedMonitor = {
  reference: {
    status: 'pending',
    incidents: [],
    count: () => {
      throw new Error('No round was recorded.');
    },
    inspect: () => {
      throw new Error('No inspection was recorded.');
    },
    applyManualAction: () => undefined,
  },
  lastSlot: -Infinity,
  timeline: [],
  counted: [],
};

/** A target that no region could ever see fail has no incident. */
function checkInnocence(
  scenario: Scenario,
  monitor: OwnedMonitor,
  { timeline }: TrackedMonitor,
  coverage: RuleCoverage,
  violate: (rule: string) => void,
): void {
  const isGood = monitor.eras.every(({ settings }) =>
    turningPoints(scenario, settings).every((at) => {
      const classes = possibleClasses(scenario, settings, at);
      return !classes.has('down') && !classes.has('regional');
    }),
  );
  if (!isGood) return;
  coverage.alwaysUp += 1;
  const unexpected = timeline.find(
    ({ open }) => open.includes('uptime') || open.includes('regional'),
  );
  if (unexpected)
    violate(`it has [${unexpected.open.join(', ')}] though no region could see it fail`);
}

async function readHistory(database: Database, id: number) {
  const spans = await database.read
    .selectFrom('status_span')
    .select(['status', 'from_at', 'to_at'])
    .where('monitor_id', '=', id)
    .orderBy('id')
    .execute();
  const state = await database.read
    .selectFrom('monitor_state')
    .select('observed_until')
    .where('monitor_id', '=', id)
    .executeTakeFirst();
  return { spans, observedUntil: state?.observed_until ?? null };
}

/** Each counted round has one row of history, and no other row is marked as having voted. */
async function checkRows(
  { database, wallAt, until }: MonitorEndOptions,
  { id }: OwnedMonitor,
  { counted }: TrackedMonitor,
  violate: (rule: string) => void,
): Promise<void> {
  const period = { from: wallAt(0), to: wallAt(until) + 1 };
  const { results } = await listResults(database, id, { ...period, page: 1, perPage: 100_000 });
  const voted = new Set(
    results.flatMap(({ kind, startedAt }) => (kind === 'voted' ? [startedAt] : [])),
  );
  const expected = new Set(counted.map(({ round }) => round.startedAt));
  const missing = [...expected].filter((at) => !voted.has(at));
  const extra = [...voted].filter((at) => !expected.has(at));
  if (missing.length + extra.length > 0) {
    violate(
      `${missing.length} counted rounds have no row, ${extra.length} rows with votes did not count`,
    );
  }
}
