import { isDeepStrictEqual } from 'node:util';
import type { Plan } from '../../identity/plans.ts';
import { CHECK_TYPES, type CheckType } from '../../model/monitor.ts';
import type { MonitorType } from '../../monitor-types/registry.ts';
import { CONTENT_CHECKS } from '../../monitor-types/content-check.ts';
import { Problem } from '../common/errors.ts';
import type { MonitorInput } from '../../monitor-types/definition.ts';
import type { MonitorSettings } from '../../monitor-types/fields.ts';

/** What an edit of a monitor newly asks of the plan of its team. What it leaves as it was asks for nothing. */
export interface PlanDemand {
  /** Null for an existing monitor, whose type stays. */
  monitorType: MonitorType | null;
  checkTypes: readonly CheckType[];
  /** Minutes; null for a push monitor, and where it does not change. */
  checkInterval: number | null;
}

/**
 * The sub-checks that an input turns on, by name or by the settings of one, and those whose settings it changes. The
 * others of the stored monitor are older than the plan, and may stay.
 *
 * @param input the sound fields of a body.
 */
export function checkTypesAskedFor(
  input: Pick<MonitorInput, 'check_types' | 'keyword_settings' | 'json_assertion_settings'>,
  stored: Pick<
    MonitorSettings,
    'check_types' | 'keyword_settings' | 'json_assertion_settings'
  > | null,
): CheckType[] {
  const sent = CONTENT_CHECKS.filter(({ field }) => input[field]);
  const named = new Set<CheckType>([...(input.check_types ?? []), ...sent.map(({ type }) => type)]);
  const changed = sent
    .filter(({ field }) => !isDeepStrictEqual(input[field], stored?.[field]))
    .map(({ type }) => type as CheckType);
  const isNew = (type: CheckType) =>
    !(stored?.check_types.includes(type) ?? false) || changed.includes(type);
  return CHECK_TYPES.filter((type) => named.has(type) && isNew(type));
}

/** Throws where the plan does not allow what an edit asks for: all of it in one message (contract 38.2, 38.12). */
export function demandOfPlan(plan: Plan, { monitorType, checkTypes, checkInterval }: PlanDemand) {
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
      `does not include the check ${types} ${inWords(missing)}: leave ${them} out${settingsOf(missing)}, or change the plan`,
    );
  }
  if (checkInterval !== null && minCheckInterval !== null && checkInterval < minCheckInterval) {
    refusals.push(
      `allows a check_interval of at least ${minutes(minCheckInterval)}: send ${minCheckInterval} or more, or change the plan`,
    );
  }
  if (refusals.length > 0) throw refusal(plan, refusals);
}

/** Whether the plan limits how many monitors there are at all; only then they need to be counted. */
export function limitsMonitors(plan: Plan): boolean {
  return plan.maxMonitors !== null;
}

/**
 * Throws when there can't be one more monitor.
 *
 * @param count of the team's monitors, paused ones too.
 */
export function demandRoom(plan: Plan, count: number): void {
  const { maxMonitors } = plan;
  if (maxMonitors === null || count < maxMonitors) return;
  throw refusal(plan, [
    maxMonitors === 0
      ? 'allows no monitors: change the plan'
      : `allows at most ${maxMonitors} ${maxMonitors === 1 ? 'monitor' : 'monitors'}: delete one, or change the plan`,
  ]);
}

/** Throws unless the plan includes the check of a URL without a monitor. */
export function demandCheckUrl(plan: Plan): void {
  if (plan.checkUrl) return;
  throw refusal(plan, [
    'does not include check-url: create a monitor for the URL, or change the plan',
  ]);
}

function refusal({ name }: Plan, reasons: readonly string[]): Problem {
  return new Problem(
    'forbidden',
    reasons.map((reason) => `The plan "${name}" ${reason}.`).join(' '),
  );
}

function useOneOf(names: readonly string[]): string {
  return names.length === 0 ? '' : `use ${inWords(names, 'or')}, or `;
}

/** The fields that turn sub-checks on by themselves. */
function settingsOf(types: readonly CheckType[]): string {
  const fields = CONTENT_CHECKS.filter(({ type }) => types.includes(type));
  return fields.length === 0 ? '' : ` with ${inWords(fields.map(({ field }) => field))}`;
}

function inWords(names: readonly string[], joint: 'and' | 'or' = 'and'): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} ${joint} ${names.at(-1)}`;
}

function minutes(count: number): string {
  return `${count} ${count === 1 ? 'minute' : 'minutes'}`;
}
