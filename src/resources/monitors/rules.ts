import { isDeepStrictEqual } from 'node:util';
import type { Plan } from '../../identity/plans.ts';
import {
  MONITOR_TYPES,
  isPushType,
  type HttpMethod,
  type MonitorType,
} from '../../model/monitor.ts';
import { resolveSubChecks } from '../../monitor-types/sub-checks.ts';
import { resolveCredentials } from '../../monitor-types/credentials.ts';
import { Findings, readBody } from '../common/input.ts';
import type { DependencyFault } from './dependencies.ts';
import type { MonitorSchemas } from './input.ts';
import {
  defaultSettings,
  overlay,
  type MonitorDefaults,
  type MonitorInput,
  type MonitorSettings,
} from './settings.ts';
import { checkTypesAskedFor, demandOfPlan } from '../plan/gate.ts';
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

const METHODS_WITH_BODY: readonly HttpMethod[] = ['POST', 'PUT', 'PATCH'];

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
): { settings: MonitorSettings; changed: (keyof MonitorSettings)[] } {
  const findings = new Findings();
  refuseOtherType(type, body, findings);
  const settings = settle({ type, stored, body, rules, team }, findings);
  findings.throwIfAny();
  const names = Object.keys(settings) as (keyof MonitorSettings)[];
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
  const { type, stored, body, rules, team } = edit;
  const input = readBody(rules.schemas[type], body, findings) as MonitorInput;
  const defaults = defaultSettings(type, rules.defaults);
  const base = stored ?? defaults;
  const settings = overlay(base, input, defaults);
  if (type === 'http') {
    Object.assign(settings, resolveSubChecks(base, input, findings));
    Object.assign(settings, resolveCredentials(stored, input, findings));
  }
  requireFields(type, settings, findings);
  if (!isPushType(type) && typeof input.url === 'string') {
    const fault = urlFault(type, input.url, rules.judgeTarget);
    if (fault !== null) findings.add('url', fault);
  }
  if (typeof input.group_id === 'number' && !team.isGroup(input.group_id)) {
    findings.add('group_id', UNKNOWN_GROUP);
  }
  if (!findings.has('depends_on')) {
    for (const { field, predicate } of team.dependencyFaults) findings.add(field, predicate);
  }
  judgeRequestBody(settings, input, findings);
  demandAllowed(edit, { input, settings }, findings);
  return settings;
}

/** A field that is no value of its kind asks a plan for nothing. */
function demandAllowed(
  { type, stored, team: { plan } }: Edit,
  { input, settings }: { input: MonitorInput; settings: MonitorSettings },
  findings: Findings,
): void {
  const interval = findings.has('check_interval') ? null : settings.check_interval;
  demandOfPlan(plan, {
    monitorType: stored !== null || findings.has('monitor_type') ? null : type,
    checkTypes: checkTypesAskedFor(input, stored),
    checkInterval: interval === stored?.check_interval ? null : interval,
  });
}

/** http where the field is absent, null or wrong. */
function typeToCreate(body: unknown, findings: Findings): MonitorType {
  const given = givenType(body);
  if (given === null) return 'http';
  if ((MONITOR_TYPES as readonly unknown[]).includes(given)) return given as MonitorType;
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

const A_HOST = 'give a host name, an IP address or a URL';
const AN_INTERVAL = 'give minutes from 0.5 to 60, or have the operator set DEFAULT_CHECK_INTERVAL';
const A_NAME = 'give the job a name';

/** What each type can't do without, and what to do about it. */
const REQUIRED: Readonly<
  Record<MonitorType, readonly [field: keyof MonitorSettings, hint: string][]>
> = {
  http: [
    ['url', 'give an absolute http or https URL'],
    ['check_interval', AN_INTERVAL],
  ],
  ping: [
    ['url', A_HOST],
    ['check_interval', AN_INTERVAL],
  ],
  port: [
    ['url', A_HOST],
    ['port', 'give a TCP port from 1 to 65535'],
    ['check_interval', AN_INTERVAL],
  ],
  heartbeat: [
    ['friendly_name', A_NAME],
    ['heartbeat_interval', 'give seconds from 30 to 2592000'],
  ],
  cron: [
    ['friendly_name', A_NAME],
    ['heartbeat_cron_expression', 'give 5 fields such as "0 3 * * *"'],
  ],
};

function requireFields(type: MonitorType, settings: MonitorSettings, findings: Findings): void {
  for (const [field, hint] of REQUIRED[type]) {
    const isMissing = (settings[field] ?? '') === '';
    if (isMissing && !findings.has(field)) findings.add(field, `is required: ${hint}`);
  }
}

function judgeRequestBody(
  settings: MonitorSettings,
  input: MonitorInput,
  findings: Findings,
): void {
  // A body that no key opens any more is one, too.
  const hasBody = settings.request_body !== null;
  const method = settings.http_method;
  if (!hasBody || METHODS_WITH_BODY.includes(method) || findings.has('http_method')) return;
  if (input.request_body === undefined) {
    findings.add(
      'http_method',
      `can't be ${method} while a request_body is set: send request_body null with it`,
    );
  } else {
    findings.add(
      'request_body',
      `is for the methods POST, PUT and PATCH, but http_method is ${method}`,
    );
  }
}
