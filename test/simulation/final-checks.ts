import type { Database } from '../../src/store/database/contract.ts';
import { checkAlertsAtEnd, checkNothingIsLate } from './alerts/final-checks.ts';
import { isServed } from './alerts/environment.ts';
import type { AlertEnvironment } from './alerts/environment.ts';
import { checkMonitorsAtEnd } from './monitor-final-checks.ts';
import { checkInspectionsAtEnd } from './inspection/final-checks.ts';
import { checkPushesAtEnd } from './push/final-checks.ts';
import { checkMaintenanceAtEnd } from './maintenance/final-checks.ts';
import type { RuleCoverage } from './coverage.ts';
import type { Random } from './random.ts';
import type { Disturbance } from './stable-periods.ts';
import type { World } from './world.ts';

/** What the checks of a complete history have in common. */
export interface FinalCheckOptions {
  database: Database;
  disturbances: readonly Disturbance[];
  /** Whether the wall clock was never set back, so that each wall time is unambiguous. */
  isClockSteady: boolean;
  /** Wall time of a virtual instant. */
  wallAt(at: number): number;
  /** End of the history, in milliseconds since the world began. */
  until: number;
  random: Random;
  coverage: RuleCoverage;
  violate(rule: string): void;
}

/** Runs all checks that need the complete history of a world, after its calm period. */
export async function runFinalChecks(world: World): Promise<void> {
  const { scenario, clock, faultInjector, operator, checker, pushEnvironment, alertEnvironment } =
    world;
  const common: FinalCheckOptions = {
    database: world.database,
    disturbances: faultInjector.disturbances,
    isClockSteady: faultInjector.isClockSteady(),
    wallAt: faultInjector.wallAt,
    until: clock.monotonic(),
    random: world.random.fork('end'),
    coverage: world.coverage,
    violate: world.violate,
  };
  const monitors = { scenario, operator, tracked: checker.tracked };
  await checkMonitorsAtEnd({ ...common, ...monitors, checks: world.probes.checks });
  if (scenario.isInspected) await checkInspectionsAtEnd({ ...common, ...monitors });
  await checkPushesAtEnd({
    ...common,
    checker: pushEnvironment.checker,
    attempts: pushEnvironment.jobs.attempts,
  });
  if (alertEnvironment !== null) await checkAlerts(world, alertEnvironment);
}

/** Delivers everything that is still due, then checks alerts and maintenance. */
async function checkAlerts(world: World, environment: AlertEnvironment): Promise<void> {
  const { scenario, database, clock, random, faultInjector, operator, coverage, violate } = world;
  // A request in flight is sent again by the instance that takes over.
  const wasServed = await isServed(database);
  const options = () => ({
    database,
    environment,
    now: clock.now(),
    isClockSteady: faultInjector.isClockSteady(),
    isUndisturbed: faultInjector.disturbances.length === 0 && !wasServed,
    coverage,
    violate,
  });
  await checkNothingIsLate(options());
  if (world.violations.length > 0) return;
  await world.supervisor.deliverRemaining();
  await checkAlertsAtEnd(options());
  if (scenario.maintenance === null || !faultInjector.isClockSteady()) return;
  await checkMaintenanceAtEnd({
    database,
    environment,
    monitors: operator.monitors,
    beganAt: faultInjector.wallAt(0),
    now: clock.now(),
    random: random.fork('maintenance at the end'),
    coverage,
    violate,
  });
}
