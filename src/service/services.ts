import { createAccountService, type AccountService } from './account.ts';
import { createIncidentService, type IncidentService } from './incidents.ts';
import { createMonitorCheck, type CheckMonitor, type MonitorCheckDeps } from './monitor-check.ts';
import { createMonitorSchemas } from './monitor-input.ts';
import type { JudgeTarget } from './monitor-rules.ts';
import type { MonitorDefaults } from './monitor-settings.ts';
import { createMonitorService, type MonitorService } from './monitors.ts';

/** Everything a caller can do; HTTP and other edges are thin over it. */
export interface Services {
  account: AccountService;
  monitors: MonitorService;
  checkMonitor: CheckMonitor;
  incidents: IncidentService;
}

export interface ServicesDeps extends MonitorCheckDeps {
  /** REGIONS and DEFAULT_CHECK_INTERVAL. */
  defaults: MonitorDefaults;
  judgeTarget: JudgeTarget;
  /** Of this program, such as `0.1.0`. */
  version: string;
}

export function createServices(deps: ServicesDeps): Services {
  const { defaults, judgeTarget, version } = deps;
  const rules = { schemas: createMonitorSchemas(defaults.regions), defaults, judgeTarget };
  return {
    account: createAccountService({ name: 'Tocsin', version }),
    monitors: createMonitorService({ ...deps, rules }),
    checkMonitor: createMonitorCheck(deps),
    incidents: createIncidentService(deps),
  };
}
