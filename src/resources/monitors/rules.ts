import { isDeepStrictEqual } from 'node:util';
import type { Plan } from '../../identity/plans.ts';
import type { MonitorDefaults, MonitorInput } from '../../monitor-types/definition.ts';
import type { FieldName, MonitorSettings } from '../../monitor-types/fields.ts';
import {
  definitionOf,
  isMonitorType,
  MONITOR_TYPES,
  type MonitorType,
} from '../../monitor-types/registry.ts';
import { defaultSettings } from '../../monitor-types/settings.ts';
import { Findings, readBody } from '../common/input.ts';
import { requestedCheckTypes, requireFeatures } from '../plan/gate.ts';
import type { DependencyFault } from './dependencies.ts';
import type { MonitorSchemas } from './input.ts';
import { urlFault, type JudgeTarget } from './target-url.ts';

export interface MonitorRules {
  schemas: MonitorSchemas;
  defaults: MonitorDefaults;
  judgeTarget: JudgeTarget;
}

/** Whether an id is that of a group of the caller's team. */
export type IsGroup = (id: number) => boolean;

/** What a body is judged by that differs from team to team. */
export interface TeamRules {
  isGroup: IsGroup;
  /** What is wrong with the monitors that the body says it depends on. */
  dependencyFaults: readonly DependencyFault[];
  plan: Plan;
}

export const UNKNOWN_GROUP = 'must be a group of your team';

/**
 * A new monitor from a body. Throws InvalidInput with everything that is wrong; what the team's plan does not allow is
 * refused before that, as no mending of the rest would help.
 */
export function planCreate(
  body: unknown,
  rules: MonitorRules,
  team: TeamRules,
): { type: MonitorType; settings: MonitorSettings } {
  const findings = new Findings();
  const type = typeToCreate(body, findings);
  const settings = settle({ type, stored: null, body, rules, team }, findings);
  findings.throwIfAny();
  return { type, settings };
}

/**
 * What a partial update makes of a monitor: its new settings and the names of those that differ from the stored.
 * Throws InvalidInput with everything that is wrong, and before that what the team's plan does not allow. What the body
 * does not change is not judged by the plan, which may be newer than the monitor.
 */
export function planUpdate(
  type: MonitorType,
  stored: MonitorSettings,
  body: unknown,
  rules: MonitorRules,
  team: TeamRules,
): { settings: MonitorSettings; changed: FieldName[] } {
  const findings = new Findings();
  refuseOtherType(type, body, findings);
  const settings = settle({ type, stored, body, rules, team }, findings);
  findings.throwIfAny();
  const names = Object.keys(settings) as FieldName[];
  return {
    settings,
    changed: names.filter((name) => !isDeepStrictEqual(settings[name], stored[name])),
  };
}

interface Edit {
  type: MonitorType;
  /** Null for a new monitor. */
  stored: MonitorSettings | null;
  body: unknown;
  rules: MonitorRules;
  team: TeamRules;
}

/** The settings after an edit; they are of use only when nothing was found. */
function settle(edit: Edit, findings: Findings): MonitorSettings {
  const { stored, body, rules, team } = edit;
  const type = definitionOf(edit.type);
  const input = readBody(rules.schemas.get(type.name)!, body, findings) as MonitorInput;
  const defaults = defaultSettings(type, rules.defaults);
  const base = stored ?? defaults;
  const settings = overlay(base, input, defaults);
  Object.assign(settings, type.resolve?.({ stored, base, input, settings }, findings));
  for (const [field, hint] of type.required) {
    const isMissing = (settings[field] ?? '') === '';
    if (isMissing && !findings.has(field)) findings.add(field, `is required: ${hint}`);
  }
  if (type.kind === 'pull' && typeof input.url === 'string') {
    const fault = urlFault(type, input.url, rules.judgeTarget);
    if (fault !== null) findings.add('url', fault);
  }
  if (typeof input.group_id === 'number' && !team.isGroup(input.group_id)) {
    findings.add('group_id', UNKNOWN_GROUP);
  }
  if (!findings.has('depends_on')) {
    for (const { field, predicate } of team.dependencyFaults) findings.add(field, predicate);
  }
  demandAllowed(edit, { input, settings }, findings);
  return settings;
}

/** The base with the input's fields over it: null puts the default back. */
function overlay(
  base: MonitorSettings,
  input: MonitorInput,
  defaults: MonitorSettings,
): MonitorSettings {
  const unset: Record<string, unknown> = { ...defaults };
  const given = Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, value ?? unset[name]]);
  return { ...base, ...Object.fromEntries(given) };
}

/** A field that is no value of its kind asks a plan for nothing. */
function demandAllowed(
  { type, stored, team: { plan } }: Edit,
  { input, settings }: { input: MonitorInput; settings: MonitorSettings },
  findings: Findings,
): void {
  const interval = findings.has('check_interval') ? null : settings.check_interval;
  requireFeatures(plan, {
    monitorType: stored !== null || findings.has('monitor_type') ? null : type,
    checkTypes: requestedCheckTypes(input, stored),
    checkInterval: interval === stored?.check_interval ? null : interval,
  });
}

/** http where the field is absent, null or wrong. */
function typeToCreate(body: unknown, findings: Findings): MonitorType {
  const given = givenType(body);
  if (given === null) return 'http';
  if (isMonitorType(given)) return given;
  findings.add('monitor_type', `must be one of ${MONITOR_TYPES.join(', ')}`);
  return 'http';
}

function refuseOtherType(type: MonitorType, body: unknown, findings: Findings): void {
  const given = givenType(body);
  if (given === null || given === type) return;
  findings.add('monitor_type', `can't be changed: it is ${type}; create a new monitor instead`);
}

function givenType(body: unknown): unknown {
  const given =
    typeof body === 'object' && body !== null && 'monitor_type' in body ? body.monitor_type : null;
  return given === '' ? null : given;
}
