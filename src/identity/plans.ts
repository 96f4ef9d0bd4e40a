import type { CheckType } from '../model/monitor.ts';
import type { MonitorType } from '../monitor-types/registry.ts';

/** A subscription: a named set of features and limits (contract 38.1). */
export interface Plan {
  name: string;
  /** Allows API tokens; sessions are always allowed. */
  apiAccess: boolean;
  /** Null for all. */
  monitorTypes: readonly MonitorType[] | null;
  checkTypes: readonly CheckType[] | null;
  /** Minutes; null for the general minimum. */
  minCheckInterval: number | null;
  /** Null for unlimited. */
  maxMonitors: number | null;
  /** Monitors of a team with the same host; null for unlimited. */
  maxMonitorsPerHost: number | null;
  checkUrl: boolean;
}

export interface Plans {
  /** Returns a plan by name; the default for null and for names the file no longer holds. */
  of(name: string | null): Plan;
  names: readonly string[];
}

/** Unlimited plan of all teams in an installation without PLANS_FILE and OPEN_SIGNUP. */
export const FULL_PLAN: Plan = {
  name: 'Self-hosted',
  apiAccess: true,
  monitorTypes: null,
  checkTypes: null,
  minCheckInterval: null,
  maxMonitors: null,
  maxMonitorsPerHost: null,
  checkUrl: true,
};

export const FULL_PLANS: Plans = { of: () => FULL_PLAN, names: [FULL_PLAN.name] };

/** Default plan with OPEN_SIGNUP and without PLANS_FILE: nobody can use the installation against one host. */
export const OPEN_PLAN: Plan = {
  ...FULL_PLAN,
  name: 'Open sign-up',
  minCheckInterval: 1,
  maxMonitors: 50,
  maxMonitorsPerHost: 10,
};

/** The operator gives the unlimited plan to teams by name. */
const OPEN_PLANS: Plans = {
  of: (name) => (name === FULL_PLAN.name ? FULL_PLAN : OPEN_PLAN),
  names: [OPEN_PLAN.name, FULL_PLAN.name],
};

/** The plans of an installation without PLANS_FILE. */
export function builtInPlans({ openSignup }: { openSignup: boolean }): Plans {
  return openSignup ? OPEN_PLANS : FULL_PLANS;
}
