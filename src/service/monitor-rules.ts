import { isDeepStrictEqual } from 'node:util';
import { MONITOR_TYPES, PULL_TYPES, type HttpMethod, type PullType } from '../model/monitor.ts';
import { parseHost } from '../net/host.ts';
import { hostOf } from '../schedule/request.ts';
import { Findings, readBody } from './input.ts';
import type { MonitorInput, MonitorSchemas } from './monitor-input.ts';
import {
  defaultSettings,
  overlay,
  type MonitorDefaults,
  type MonitorSettings,
} from './monitor-settings.ts';

/**
 * Whether checks may aim at a host. Null for a name, which is judged when it is checked. The reason completes "the
 * address …".
 */
export type JudgeTarget = (
  host: string,
) => { allowed: true } | { allowed: false; reason: string } | null;

export interface MonitorRules {
  schemas: MonitorSchemas;
  defaults: MonitorDefaults;
  judgeTarget: JudgeTarget;
}

const METHODS_WITH_BODY: readonly HttpMethod[] = ['POST', 'PUT', 'PATCH'];
const LONGEST_URL = 2048;

/** A new monitor from a body. Throws InvalidInput with everything that is wrong. */
export function planCreate(
  body: unknown,
  rules: MonitorRules,
): { type: PullType; settings: MonitorSettings } {
  const findings = new Findings();
  const type = typeToCreate(body, findings);
  const input = readBody(rules.schemas[type], body, findings) as MonitorInput;
  const settings = overlay(defaultSettings(rules.defaults), input, rules.defaults);
  if (settings.check_interval === undefined && rules.defaults.checkInterval !== null) {
    settings.check_interval = rules.defaults.checkInterval;
  }
  requireFields(type, settings, findings, rules);
  judgeTogether(type, settings, input, findings, rules);
  findings.throwIfAny();
  return { type, settings: settings as MonitorSettings };
}

/**
 * What a partial update makes of a monitor: its new settings and the names of those that differ from the stored.
 * Throws InvalidInput with everything that is wrong.
 */
export function planUpdate(
  type: PullType,
  stored: MonitorSettings,
  body: unknown,
  rules: MonitorRules,
): { settings: MonitorSettings; changed: (keyof MonitorSettings)[] } {
  const findings = new Findings();
  refuseOtherType(type, body, findings);
  const input = readBody(rules.schemas[type], body, findings) as MonitorInput;
  const settings = overlay(stored, input, rules.defaults);
  requireFields(type, settings, findings, rules);
  judgeTogether(type, settings, input, findings, rules);
  findings.throwIfAny();
  const names = Object.keys(settings) as (keyof MonitorSettings)[];
  return {
    settings,
    changed: names.filter((name) => !isDeepStrictEqual(settings[name], stored[name])),
  };
}

/** http where the field is absent, null or wrong. */
function typeToCreate(body: unknown, findings: Findings): PullType {
  const given = givenType(body);
  if (given === null) return 'http';
  if (isPullType(given)) return given;
  const isKnown = (MONITOR_TYPES as readonly unknown[]).includes(given);
  if (isKnown)
    findings.add(
      'monitor_type',
      `can't be ${given} yet in this version: use ${PULL_TYPES.join(', ')}`,
    );
  else findings.add('monitor_type', `must be one of ${MONITOR_TYPES.join(', ')}`);
  return 'http';
}

function refuseOtherType(type: PullType, body: unknown, findings: Findings): void {
  const given = givenType(body);
  if (given === null || given === type) return;
  findings.add('monitor_type', `can't be changed: it is ${type}; create a new monitor instead`);
}

function givenType(body: unknown): unknown {
  const given =
    typeof body === 'object' && body !== null && 'monitor_type' in body ? body.monitor_type : null;
  return given === '' ? null : given;
}

function isPullType(value: unknown): value is PullType {
  return (PULL_TYPES as readonly unknown[]).includes(value);
}

function requireFields(
  type: PullType,
  settings: Partial<MonitorSettings>,
  findings: Findings,
  { defaults }: MonitorRules,
): void {
  const demand = (field: keyof MonitorSettings, hint: string) => {
    if ((settings[field] ?? null) === null && !findings.has(field))
      findings.add(field, `is required: ${hint}`);
  };
  demand(
    'url',
    type === 'http'
      ? 'give an absolute http or https URL'
      : 'give a host name, an IP address or a URL',
  );
  if (defaults.checkInterval === null) {
    demand(
      'check_interval',
      'give minutes from 0.5 to 60, or have the operator set DEFAULT_CHECK_INTERVAL',
    );
  }
  if (type === 'port') demand('port', 'give a TCP port from 1 to 65535');
}

/** The rules that need more than one field, or the installation. */
function judgeTogether(
  type: PullType,
  settings: Partial<MonitorSettings>,
  input: MonitorInput,
  findings: Findings,
  rules: MonitorRules,
): void {
  if (typeof input.url === 'string') {
    const fault = urlFault(type, input.url, rules.judgeTarget);
    if (fault !== null) findings.add('url', fault);
  }
  const hasBody = (settings.request_body ?? null) !== null;
  const method = settings.http_method ?? 'GET';
  if (hasBody && !METHODS_WITH_BODY.includes(method) && !findings.has('http_method')) {
    const field = input.request_body === undefined ? 'http_method' : 'request_body';
    findings.add(
      field,
      field === 'request_body'
        ? `is for the methods POST, PUT and PATCH, but http_method is ${method}`
        : `can't be ${method} while a request_body is set: send request_body null with it`,
    );
  }
}

/** What is wrong with a url, as a predicate; null when nothing is (completions, section 5). */
export function urlFault(type: PullType, url: string, judgeTarget: JudgeTarget): string | null {
  if (url.length > LONGEST_URL) return `must have at most ${LONGEST_URL} characters`;
  if (!url.isWellFormed() || /[\p{Cc}]|^\s|\s$/u.test(url))
    return 'must not hold control characters or outer spaces';
  const host = type === 'http' ? httpHost(url) : targetHost(url);
  if (host === null) {
    return type === 'http'
      ? 'must be an absolute http or https URL, such as https://example.com'
      : 'must be a host name, an IP address or a URL whose host is used, such as example.com';
  }
  if (hasCredentials(url)) return 'must not hold a user name or password';
  const judgement = judgeTarget(host);
  if (judgement === null || judgement.allowed) return null;
  return `aims at ${host}, which ${judgement.reason}: only the operator can allow that, by ALLOW_PRIVATE_TARGETS`;
}

function httpHost(url: string): string | null {
  const parsed = /^https?:\/\//i.test(url) ? URL.parse(url) : null;
  return parsed === null ? null : knownHost(parsed.hostname);
}

function targetHost(url: string): string | null {
  const host = url.includes('://') ? hostOf(url) : url;
  return host === null ? null : knownHost(host);
}

function knownHost(text: string): string | null {
  const host = parseHost(text);
  if (host === null) return null;
  return host.kind === 'address' ? host.address : host.name;
}

function hasCredentials(url: string): boolean {
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  return authority?.includes('@') ?? false;
}
