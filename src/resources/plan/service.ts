import type { Plans } from '../../identity/plans.ts';
import { CHECK_TYPES } from '../../model/monitor.ts';
import { MONITOR_TYPES } from '../../monitor-types/registry.ts';
import type { Database } from '../../store/database/contract.ts';
import { countMonitors } from '../../store/resources/monitors.ts';
import { type Call } from '../common/operation.ts';

/** Features and limits of the caller's team, and its usage. */
export function createPlanService(deps: { database: Database; plans: Plans }) {
  const { database, plans } = deps;
  return {
    async getPlan({ caller }: Call) {
      const plan = plans.of(caller.team.plan);
      const monitors = await countMonitors(database.read, caller.team.id);
      return {
        name: plan.name,
        features: {
          api_access: plan.apiAccess,
          check_url: plan.checkUrl,
          monitor_types: plan.monitorTypes ?? MONITOR_TYPES,
          check_types: plan.checkTypes ?? CHECK_TYPES,
        },
        limits: {
          min_check_interval: plan.minCheckInterval,
          max_monitors: plan.maxMonitors,
          max_monitors_per_host: plan.maxMonitorsPerHost,
        },
        usage: { monitors },
      };
    },
  };
}
