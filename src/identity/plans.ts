import type { CheckType } from '../model/monitor.ts';
import type { MonitorType } from '../monitor-types/registry.ts';

/** What a team may use: a named set of features and limits (contract 38.1). */
export interface Plan {
  name: string;
  /** Whether API tokens may be used; sessions always may. */
  apiAccess: boolean;
  /** Null for all of them. */
  monitorTypes: readonly MonitorType[] | null;
  checkTypes: readonly CheckType[] | null;
  /** Minutes; null for the least that there is. */
  minCheckInterval: number | null;
  /** Null without limit. */
  maxMonitors: number | null;
  checkUrl: boolean;
}

export interface Plans {
  /** The plan of a team; the default for null and for a name that is no longer in the file. */
  of(name: string | null): Plan;
  names: readonly string[];
}

/** Everything, without limit: what an installation without PLANS_FILE gives to all teams. */
export const FULL_PLAN: Plan = {
  name: 'Self-hosted',
  apiAccess: true,
  monitorTypes: null,
  checkTypes: null,
  minCheckInterval: null,
  maxMonitors: null,
  checkUrl: true,
};

export const FULL_PLANS: Plans = { of: () => FULL_PLAN, names: [FULL_PLAN.name] };
