import { isDeepStrictEqual } from 'node:util';
import type { Plan } from '../../identity/plans.ts';
import { unknownWord } from '../../lib/schemas.ts';
import type { Region } from '../../model/monitor.ts';
import { isInsideOnly, perTeam, type Regions } from '../../model/regions.ts';
import type { MonitorInput, PullTypeDefinition } from '../../monitor-types/definition.ts';
import type { Field, MonitorDefaults } from '../../monitor-types/field.ts';
import { FIELDS, type FieldName, type MonitorSettings } from '../../monitor-types/fields.ts';
import {
  definitionOf,
  isMonitorType,
  MONITOR_TYPES,
  type MonitorType,
  PUSH,
} from '../../monitor-types/registry.ts';
import { defaultSettings, FIELD_LIST } from '../../monitor-types/settings.ts';
import { markRead } from '../common/ignored-fields.ts';
import { Findings, readBody, fieldIn } from '../common/input.ts';
import { requestedCheckTypes, requireFeatures, type HostUse } from '../plan/gate.ts';
import type { DependencyError } from './dependencies.ts';
import { createMonitorSchemas, type MonitorSchemas } from './input.ts';
import { urlError, type TargetRule } from './target-url.ts';

/** Rules for the monitors of a team. */
export interface MonitorRules {
  schemas: MonitorSchemas;
  defaults: MonitorDefaults;
  isShared(region: Region): boolean;
  /** The rule for the targets of a monitor that is checked from these regions. */
  targetRuleFor(regions: readonly Region[]): TargetRule;
}

/** Rules for the monitors of a team by its id. */
export type RulesOfTeams = (teamId: number) => MonitorRules;

/**
 * A monitor that is checked from private regions of its team alone may name any address: nothing but the probes there
 * connects to it, and their own ALLOW_PRIVATE_TARGETS decides. All others go by the rule of this installation.
 */
export function createMonitorRules(deps: {
  regions: Regions;
  defaults: MonitorDefaults;
  targetRule: TargetRule;
}): RulesOfTeams {
  const { regions, defaults, targetRule } = deps;
  const schemas = perTeam(regions, createMonitorSchemas);
  return (teamId) => ({
    schemas: schemas(teamId),
    defaults,
    isShared: (region) => regions.isShared(region),
    targetRuleFor: (codes) => (isInsideOnly(regions, teamId, codes) ? () => null : targetRule),
  });
}

/** Rules for a body that depend on the team. */
export interface TeamRules {
  /** True when the group in the body, if any, belongs to the team. */
  isGroupKnown: boolean;
  /** Errors of the monitors in `depends_on` of the body. */
  dependencyErrors: readonly DependencyError[];
  plan: Plan;
  /** Use of the host of the `url` in the body; null for none, for that of the stored monitor, and without a limit. */
  hostUse: HostUse | null;
}

export const UNKNOWN_GROUP = 'must be a group of your team';

/**
 * Reads a new monitor from a body. Throws InvalidInput with all errors, or first a Problem when the team's plan does not
 * include a feature.
 */
export function readNewMonitor(body: unknown, rules: MonitorRules, team: TeamRules) {
  const findings = new Findings();
  const type = typeToCreate(body, findings);
  const settings = settle({ type, stored: null, body, rules, team }, findings);
  findings.throwIfAny();
  return { type, settings };
}

/**
 * Reads a partial update from a body. Returns all settings and the names of the changed ones. Throws like
 * `readNewMonitor`; the plan limits only changed settings, since the monitor may be older than the plan.
 */
export function readMonitorUpdate(
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

/** Settings after an edit; valid only without findings. */
function settle(edit: Edit, findings: Findings): MonitorSettings {
  const { stored, body, rules, team } = edit;
  const type = definitionOf(edit.type);
  const input = readBody(rules.schemas.get(type.name)!, body, findings) as MonitorInput;
  markReadForAllTypes(body);
  const defaults = defaultSettings(type, rules.defaults);
  const base = stored ?? defaults;
  const settings = overlay(base, input, defaults);
  Object.assign(settings, type.resolve?.({ stored, base, input, settings }, findings));
  for (const [field, hint] of type.required) {
    const isMissing = (settings[field] ?? '') === '';
    if (isMissing && !findings.has(field)) findings.add(field, `is required: ${hint}`);
  }
  if (type.kind === 'pull') requireAllowedTarget(edit, type, { input, settings }, findings);
  if (typeof input.group_id === 'number' && !team.isGroupKnown) {
    findings.add('group_id', UNKNOWN_GROUP);
  }
  if (!findings.has('depends_on')) {
    for (const { field, predicate } of team.dependencyErrors) findings.add(field, predicate);
  }
  requireAllowed(edit, { input, settings }, findings);
  return settings;
}

/**
 * Checks a url that is sent, and the stored one of a monitor that leaves private regions, which were the only ones that
 * could reach it.
 */
function requireAllowedTarget(
  { stored, rules }: Edit,
  type: PullTypeDefinition,
  { input, settings }: { input: MonitorInput; settings: MonitorSettings },
  findings: Findings,
): void {
  const targetRule = rules.targetRuleFor(settings.monitored_regions);
  if (typeof input.url === 'string') {
    const error = urlError(type, input.url, targetRule, type.credentialsHint);
    if (error !== null) findings.add('url', error);
    return;
  }
  if (stored === null || stored.monitored_regions.every((region) => rules.isShared(region))) return;
  const error = urlError(type, stored.url, targetRule);
  if (input.monitored_regions === undefined || error === null) return;
  findings.add('monitored_regions', `must stay private regions of your team: the url ${error}`);
}

/** Nothing is ignored in `monitor_type`, nor in a field of another type that is null, as the answer shows it. */
function markReadForAllTypes(body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  const unset = FIELD_LIST.map(({ name }) => name).filter((name) => {
    const value = (body as Record<string, unknown>)[name];
    return value === null || value === '';
  });
  markRead(body, ['monitor_type', ...unset]);
}

/** Overlays the fields of an input; null restores the default, and settings in blocks keep those that are not sent. */
function overlay(base: MonitorSettings, input: MonitorInput, defaults: MonitorSettings) {
  const unset: Record<string, unknown> = { ...defaults };
  const given = Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, value == null ? unset[name] : merged(name, base, value)]);
  return { ...base, ...Object.fromEntries(given) };
}

function merged(name: string, base: MonitorSettings, value: NonNullable<unknown>): unknown {
  const { merge } = FIELDS[name as FieldName] as Field;
  return merge === undefined ? value : merge(base[name as FieldName], value);
}

/** Checks the requested features against the plan; invalid fields request none. */
function requireAllowed(
  { type, stored, team: { plan, hostUse } }: Edit,
  { input, settings }: { input: MonitorInput; settings: MonitorSettings },
  findings: Findings,
): void {
  const interval = findings.has('check_interval') ? null : settings.check_interval;
  requireFeatures(plan, {
    monitorType: stored !== null || findings.has('monitor_type') ? null : type,
    checkTypes: requestedCheckTypes(input, stored),
    checkInterval: interval === stored?.check_interval ? null : interval,
    host: findings.has('url') || !settings.url ? null : hostUse,
  });
}

/** Type of a new monitor; http when the field is absent, null or invalid. */
function typeToCreate(body: unknown, findings: Findings): MonitorType {
  const given = givenType(body);
  if (given === null) return 'http';
  if (isMonitorType(given)) return given;
  findings.add('monitor_type', unknownWord(given, MONITOR_TYPES, OTHER_TYPES));
  return 'http';
}

const AS_CHECK_TYPE = 'for this, use http with check_types';

/** What serves for types of other services. */
const OTHER_TYPES = {
  https: 'for https, use http with an https URL',
  tcp: 'for a TCP port, use port',
  icmp: 'for ICMP echoes, use ping',
  push: `for jobs that call, use ${PUSH.or}`,
  keyword: AS_CHECK_TYPE,
  json: AS_CHECK_TYPE,
  ssl: AS_CHECK_TYPE,
  dns: AS_CHECK_TYPE,
  domain: AS_CHECK_TYPE,
};

function refuseOtherType(type: MonitorType, body: unknown, findings: Findings): void {
  const given = givenType(body);
  if (given === null || given === type) return;
  findings.add('monitor_type', `can't be changed: it is ${type}; create a new monitor instead`);
}

function givenType(body: unknown): unknown {
  const given = fieldIn(body, 'monitor_type');
  return given === '' ? null : given;
}
