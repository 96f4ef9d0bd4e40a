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
import { checkUnobservedTime } from './unobserved-time.ts';
import { possibleClasses, turningPoints } from './ground-truth.ts';
import type { TrackedMonitor } from './commit-checker.ts';

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
