import { isDeepStrictEqual } from 'node:util';
import type { Plan } from '../../identity/plans.ts';
import { CHECK_TYPES, type CheckType } from '../../model/monitor.ts';
import type { MonitorType } from '../../monitor-types/registry.ts';
import { CONTENT_CHECKS, hasNoContent } from '../../monitor-types/content-settings.ts';
import { Problem } from '../common/errors.ts';
import type { MonitorInput } from '../../monitor-types/definition.ts';
import type { MonitorSettings } from '../../monitor-types/fields.ts';

/** The host of a monitor, and how many others of its team have it. */
export interface HostUse {
  host: string;
  others: number;
}

/** Features that an edit of a monitor adds; unchanged settings need no permission of the plan. */
export interface RequestedFeatures {
  /** Null for an existing monitor, since its type cannot change. */
  monitorType: MonitorType | null;
  checkTypes: readonly CheckType[];
  /** Minutes; null for a push monitor, and when it does not change. */
  checkInterval: number | null;
  /** Null for no host, and when it does not change. */
  host: HostUse | null;
}

/**
 * Check types that an input turns on, by name or by their settings, and those whose settings it changes. Others may
 * stay even if the plan no longer includes them.
 *
 * @param input the valid fields of a body.
 */
export function requestedCheckTypes(
  input: Pick<MonitorInput, 'check_types' | 'keyword_settings' | 'json_assertion_settings'>,
  stored: Pick<
    MonitorSettings,
    'check_types' | 'keyword_settings' | 'json_assertion_settings'
  > | null,
): CheckType[] {
  const sent = CONTENT_CHECKS.filter(({ field, list }) => !hasNoContent(input[field], list));
  const named = new Set<CheckType>([...(input.check_types ?? []), ...sent.map(({ type }) => type)]);
  const changed = sent
    .filter(({ field }) => !isDeepStrictEqual(input[field], stored?.[field]))
    .map(({ type }) => type as CheckType);
  const isNew = (type: CheckType) =>
    !(stored?.check_types.includes(type) ?? false) || changed.includes(type);
  return CHECK_TYPES.filter((type) => named.has(type) && isNew(type));
}

/** Throws one Problem with all features that the plan does not include (contract 38.2, 38.12). */
export function requireFeatures(
  plan: Plan,
  { monitorType, checkTypes, checkInterval, host }: RequestedFeatures,
): void {
  const refusals: string[] = [];
  const { monitorTypes, minCheckInterval } = plan;
  if (monitorType !== null && monitorTypes !== null && !monitorTypes.includes(monitorType)) {
    refusals.push(
      `does not include ${monitorType} monitors: ${useOneOf(monitorTypes)}change the plan`,
    );
  }
  const missing = checkTypes.filter((type) => plan.checkTypes?.includes(type) === false);
  if (missing.length > 0) {
    const [types, them] = missing.length === 1 ? ['type', 'it'] : ['types', 'them'];
    refusals.push(
      `does not include the check ${types} ${joinWords(missing)}: leave ${them} out${settingsOf(missing)}, or change the plan`,
    );
  }
  if (checkInterval !== null && minCheckInterval !== null && checkInterval < minCheckInterval) {
    refusals.push(
      `allows a check_interval of at least ${minutes(minCheckInterval)}: send ${minCheckInterval} or more, or change the plan`,
    );
  }
  const usedUp = hostRefusal(plan, host);
  if (usedUp !== null) refusals.push(usedUp);
  if (refusals.length > 0) throw refusal(plan, refusals);
}

/** True when the plan limits the number of monitors, of all or by host, so that they need to be counted. */
export function limitsMonitors({ maxMonitors, maxMonitorsPerHost }: Plan): boolean {
  return maxMonitors !== null || maxMonitorsPerHost !== null;
}

/**
 * Throws when the plan does not allow another monitor.
 *
 * @param count number of the team's monitors, paused ones included.
 */
export function requireMonitorCapacity(plan: Plan, count: number): void {
  const { maxMonitors } = plan;
  if (maxMonitors === null || count < maxMonitors) return;
  throw refusal(plan, [
    maxMonitors === 0
      ? 'allows no monitors: change the plan'
      : `allows at most ${maxMonitors} ${maxMonitors === 1 ? 'monitor' : 'monitors'}: delete one, or change the plan`,
  ]);
}

/** Throws when the plan does not allow another monitor of that host. */
export function requireHostCapacity(plan: Plan, use: HostUse | null): void {
  const usedUp = hostRefusal(plan, use);
  if (usedUp !== null) throw refusal(plan, [usedUp]);
}

function hostRefusal({ maxMonitorsPerHost: limit }: Plan, use: HostUse | null): string | null {
  if (limit === null || use === null || use.others < limit) return null;
  return `allows at most ${limit} ${limit === 1 ? 'monitor' : 'monitors'} of one host, and ${use.host} has ${use.others}: delete one, or change the plan`;
}

/** Throws unless the plan includes checking a URL without a monitor. */
export function requireCheckUrl(plan: Plan): void {
  if (plan.checkUrl) return;
  throw refusal(plan, [
    'does not include check-url: create a monitor for the URL, or change the plan',
  ]);
}

/** What is asked for is beyond the plan of the team. */
export class BeyondPlan extends Problem {
  constructor(message: string) {
    super('forbidden', message);
  }
}

function refusal({ name }: Plan, reasons: readonly string[]): BeyondPlan {
  return new BeyondPlan(reasons.map((reason) => `The plan "${name}" ${reason}.`).join(' '));
}

function useOneOf(names: readonly string[]): string {
  return names.length === 0 ? '' : `use ${joinWords(names, 'or')}, or `;
}

/** Names the settings that turn on check types. */
function settingsOf(types: readonly CheckType[]): string {
  const fields = CONTENT_CHECKS.filter(({ type }) => types.includes(type));
  return fields.length === 0 ? '' : ` with ${joinWords(fields.map(({ field }) => field))}`;
}

function joinWords(names: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} ${conjunction} ${names.at(-1)}`;
}

function minutes(count: number): string {
  return `${count} ${count === 1 ? 'minute' : 'minutes'}`;
}
