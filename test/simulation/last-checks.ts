import { checkAlertsAtTheEnd, checkNothingIsLate } from './alerts/end.ts';
import { isServed } from './alerts/side.ts';
import type { AlertSide } from './alerts/side.ts';
import { checkAtTheEnd } from './end.ts';
import { checkInspectionsAtTheEnd } from './inspection/end.ts';
import { checkPushesAtTheEnd } from './push/end.ts';
import { checkMaintenanceAtTheEnd } from './maintenance/end.ts';
import type { World } from './world.ts';

/** What holds of a world as a whole, once it was calm for long. */
export async function checkTheEnd(world: World): Promise<void> {
  const { plan, clock, troubles, operator, watcher, pushSide, alertSide } = world;
  const common = {
    database: world.database,
    disturbances: troubles.disturbances,
    isClockSteady: troubles.isClockSteady(),
    wallAt: troubles.wallAt,
    until: clock.monotonic(),
    random: world.random.fork('end'),
    looks: world.looks,
    violate: world.violate,
  };
  const monitors = { plan, operator, watched: watcher.watched };
  await checkAtTheEnd({ ...common, ...monitors, checks: world.probes.checks });
  if (plan.isInspected) await checkInspectionsAtTheEnd({ ...common, ...monitors });
  await checkPushesAtTheEnd({
    ...common,
    watcher: pushSide.watcher,
    attempts: pushSide.jobs.attempts,
  });
  if (alertSide !== null) await checkAlerts(world, alertSide);
}

/** Nothing else happens any more until everybody knows what there is to know. */
async function checkAlerts(world: World, side: AlertSide): Promise<void> {
  const { plan, database, clock, random, troubles, operator, looks, violate } = world;
  // What is on its way is sent once more by the life that takes over.
  const wasServed = await isServed(database);
  const options = () => ({
    database,
    side,
    now: clock.now(),
    isClockSteady: troubles.isClockSteady(),
    isUndisturbed: troubles.disturbances.length === 0 && !wasServed,
    looks,
    violate,
  });
  await checkNothingIsLate(options());
  if (world.violations.length > 0) return;
  await world.lives.tellTheRest();
  await checkAlertsAtTheEnd(options());
  if (plan.maintenance === null || !troubles.isClockSteady()) return;
  await checkMaintenanceAtTheEnd({
    database,
    side,
    monitors: operator.monitors,
    beganAt: troubles.wallAt(0),
    now: clock.now(),
    random: random.fork('maintenance at the end'),
    looks,
    violate,
  });
}
