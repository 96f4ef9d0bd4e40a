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
  checkUrl: boolean;
}

export interface Plans {
  /** Returns a plan by name; the default for null and for names the file no longer holds. */
  of(name: string | null): Plan;
  names: readonly string[];
}

/** Unlimited plan of all teams in an installation without PLANS_FILE. */
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
