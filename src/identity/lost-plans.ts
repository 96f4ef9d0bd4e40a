import type { Log } from '../lib/log.ts';
import type { Database } from '../store/database/contract.ts';
import { countTeamsByPlan } from '../store/people/team-plans.ts';
import type { Plans } from './plans.ts';

/** Warns of plans that teams were given and that are no longer there: those teams have the default. */
export async function tellOfLostPlans(deps: {
  database: Database;
  plans: Plans;
  log: Log;
}): Promise<void> {
  const { database, plans, log } = deps;
  const given = await countTeamsByPlan(database.read);
  for (const { plan, teams } of given.filter((one) => !plans.names.includes(one.plan))) {
    const [have, they] = teams === 1 ? ['team has', 'It has'] : ['teams have', 'They have'];
    log.warn(
      { plan, teams },
      `${teams} ${have} the plan ${JSON.stringify(plan)}, which PLANS_FILE does not hold. ${they} the default, ${JSON.stringify(plans.of(null).name)}, until it does, or until another is given.`,
    );
  }
}
