import type { CheckRequest } from '../model/check.ts';
import type { ContentCheck } from '../model/content.ts';
import { AUTH_TYPES, type HttpMethod, type CheckType } from '../model/monitor.ts';
import { contentCheckOf, CONTENT_CHECKS, hasNoContent } from './content-settings.ts';
import type { PullTypeDefinition, SettingsEdit } from './definition.ts';
import type { Findings } from './field.ts';
import type { MonitorSettings } from './fields.ts';
import { INTERVAL_HINT } from './common.ts';
import { resolveHeaders } from './input-schemas.ts';
import { MASK } from '../lib/secret-box.ts';

const METHODS_WITH_BODY: readonly HttpMethod[] = ['POST', 'PUT', 'PATCH'];
/** Methods that change nothing at the target (RFC 9110, section 9.2.1). */
const SAFE_METHODS: readonly HttpMethod[] = ['GET', 'HEAD', 'OPTIONS'];
/** Shared by all requests without headers: there may be 100,000 of them. */
const NO_HEADERS: Record<string, string> = {};

export interface HttpCheckRequest extends CheckRequest {
  type: 'http';
  /** Absolute http or https URL, exactly as the user wrote it. */
  url: string;
  method: HttpMethod;
  headers: Record<string, string>;
  body: string | null;
  /** `200`, `"200"`, `"2xx"` or `"200-299"`; null accepts 2xx and 3xx. */
  acceptedStatusCodes: (string | number)[] | null;
  /** Follows up to 5 redirects. */
  followRedirects: boolean;
  /** Whether an invalid certificate is none of its business. */
  acceptsAnyCertificate?: boolean;
  /**
   * Reports a certificate fault in `certificateFault` instead of failing the check: the certificate is inspected
   * separately and affects only `ssl` (contract 16.22).
   */
  isCertificateInspected?: boolean;
  errorTextDetection: boolean;
  /** Captures what a good response consists of, too, for a person who looks at it. */
  capturesAll?: boolean;
  /** For digest authentication (RFC 7616), which needs the server's challenge. */
  digest?: Credentials;
  content?: ContentCheck;
}

export interface Credentials {
  username: string;
  password: string;
}

/** Does a URL answer as it should? */
export const http = {
  name: 'http',
  kind: 'pull',
  takes: ['pull', 'http'],
  required: [['url', 'give an absolute http or https URL'], INTERVAL_HINT],
  checkTypes: ['ssl', 'dns', 'domain', 'keyword', 'json'],
  events: {
    open: { name: 'monitor.down', when: 'An http monitor can’t be reached.' },
    resolve: {
      name: 'monitor.up',
      when: 'An http monitor can be reached again. Where some regions still fail, `monitor.degraded` follows.',
    },
  },
  eventExample: {
    monitor: { id: 7, name: 'Shop', url: 'https://shop.example.com' },
    cause: 'HTTP 503',
  },
  example: {
    url: 'https://example.com/login',
    friendly_name: 'Sign-in page',
    check_interval: 1,
    check_types: ['ssl'],
    keyword_settings: {
      keywords: [{ phrase: 'Welcome back', mode: 'must_contain', case_sensitive: false }],
      search_target: 'text',
    },
    auth_type: 'basic',
    auth_username: 'watcher',
    auth_password: 'a secret',
    tags: ['shop'],
  },
  hostIn: (url) => (/^https?:\/\//i.test(url) ? (URL.parse(url)?.hostname ?? null) : null),
  shownTarget(url) {
    const parsed = URL.parse(url);
    return parsed && `${parsed.host}${parsed.pathname === '/' ? '' : parsed.pathname}`;
  },
  credentialsHint: ': send them as auth_username and auth_password, with auth_type basic',
  urlForm: 'an absolute http or https URL',
  urlExample: 'https://example.com',
  resolve(edit, findings) {
    const { stored, base, input } = edit;
    const resolved = {
      ...resolveSubChecks(base, input, findings),
      ...resolveCredentials(stored, input, findings),
      ...resolveHeaders(base.request_headers, input.request_headers, findings),
    };
    checkRequestBody(edit, findings);
    return resolved;
  },
  request(settings, base): HttpCheckRequest {
    const credentials = credentialsOf(settings);
    const content = contentCheckOf(
      settings.check_types,
      settings.keyword_settings,
      settings.json_assertion_settings,
    );
    return {
      ...base,
      type: 'http',
      url: settings.url,
      method: settings.http_method,
      headers: withAuthorization(settings, credentials),
      body: settings.request_body ?? null,
      acceptedStatusCodes: settings.accepted_status_codes,
      followRedirects: settings.follow_redirects,
      errorTextDetection: settings.error_text_detection,
      ...(settings.verify_ssl ? {} : { acceptsAnyCertificate: true }),
      ...(isSslOn(settings) ? { isCertificateInspected: true } : {}),
      ...(content === null ? {} : { content }),
      // The others send theirs unasked; digest waits for the server's challenge.
      ...(settings.auth_type === 'digest' && credentials !== null ? { digest: credentials } : {}),
    };
  },
  hostAsked: ({ url }: HttpCheckRequest) => URL.parse(url)?.hostname ?? null,
  lightRequest({ content: _content, ...request }: HttpCheckRequest) {
    return SAFE_METHODS.includes(request.method) ? { ...request, errorTextDetection: false } : null;
  },
} as const satisfies PullTypeDefinition;

function checkRequestBody({ settings, input }: SettingsEdit, findings: Findings): void {
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

function credentialsOf(settings: MonitorSettings): Credentials | null {
  const { auth_type: type, auth_username: username, auth_password: password } = settings;
  if (!type || !password || username === undefined) return null;
  if (username === null && type !== 'bearer') return null;
  return { username: username ?? '', password };
}

/** False for an http url, which has no certificate to inspect. One that a redirect leads to still counts. */
function isSslOn({ url, check_types }: MonitorSettings): boolean {
  return /^https:/i.test(url) && check_types.includes('ssl');
}

/**
 * Basic is RFC 7617 in UTF-8. With bearer (RFC 6750) the token is the user name, or the password without one (contract
 * 16.12). It takes the place of an Authorization header that was given by hand.
 */
function withAuthorization(
  { request_headers, auth_type: authType }: MonitorSettings,
  credentials: Credentials | null,
): Record<string, string> {
  const headers = request_headers ?? NO_HEADERS;
  if (credentials === null) return headers;
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization');
  if (authType === 'digest') return Object.fromEntries(others);
  const { username, password } = credentials;
  const value =
    authType === 'basic'
      ? `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`
      : `Bearer ${username || password}`;
  return { ...Object.fromEntries(others), Authorization: value };
}

type CheckCredentials = Pick<MonitorSettings, 'auth_type' | 'auth_username' | 'auth_password'>;

type CredentialsInput = { [Name in keyof CheckCredentials]?: CheckCredentials[Name] };

const NO_CREDENTIALS: CheckCredentials = {
  auth_type: null,
  auth_username: null,
  auth_password: null,
};

const SECRETS = ['auth_username', 'auth_password'] as const;

/**
 * The credentials after an input (contract 8.28). `auth_type: null` clears all three; a type needs both others, sent or
 * stored, but a bearer token may stand alone as the password.
 *
 * @param stored null for a new monitor.
 */
function resolveCredentials(
  stored: CheckCredentials | null,
  input: CredentialsInput,
  findings: Findings,
): CheckCredentials {
  if (input.auth_type === null && stored !== null) return NO_CREDENTIALS;
  // Whoever calls may know more of the monitor than its credentials.
  const { auth_type, auth_username, auth_password } = stored ?? NO_CREDENTIALS;
  const known: CheckCredentials = { auth_type, auth_username, auth_password };
  const result = { ...known, ...unmask(known, input, findings) };
  if (input.auth_type === null) return NO_CREDENTIALS;
  const wasSent = SECRETS.some((field) => (input[field] ?? null) !== null);
  if (result.auth_type === null) {
    if (wasSent && !findings.has('auth_type')) {
      findings.add(
        'auth_type',
        `is required with auth_username and auth_password: one of ${AUTH_TYPES.join(', ')}`,
      );
    }
    return NO_CREDENTIALS;
  }
  if (!isTokenAlone(result, known, input)) demandBoth(result, findings);
  refuseColon(result, input, findings);
  return result;
}

function unmask(stored: CheckCredentials, input: CredentialsInput, findings: Findings) {
  const sent = Object.fromEntries(
    (['auth_type', ...SECRETS] as const)
      .filter((field) => input[field] !== undefined)
      .map((field) => [field, input[field]]),
  ) as CredentialsInput;
  for (const field of SECRETS) {
    if (sent[field] !== MASK) continue;
    if (stored[field] === null) {
      findings.add(
        field,
        `is a placeholder, and nothing is stored that it could stand for: send the value itself`,
      );
    }
    sent[field] = stored[field];
  }
  return sent;
}

/** A stored password beside a user name was never sent: it does not become the token by itself. */
function isTokenAlone(
  { auth_type, auth_username, auth_password }: CheckCredentials,
  stored: CheckCredentials,
  { auth_password: sent = null }: CredentialsInput,
): boolean {
  if (auth_type !== 'bearer' || auth_username !== null || auth_password === null) return false;
  const wasAlone = stored.auth_type === 'bearer' && stored.auth_username === null;
  return wasAlone || (sent !== null && sent !== MASK);
}

function demandBoth(credentials: CheckCredentials, findings: Findings): void {
  for (const field of SECRETS) {
    if (credentials[field] !== null || findings.has(field)) continue;
    const hint =
      credentials.auth_type !== 'bearer'
        ? 'to check without credentials, send auth_type null'
        : field === 'auth_username'
          ? 'or send the token as auth_password, alone'
          : 'send the token here, without auth_username';
    findings.add(field, `is required with auth_type ${credentials.auth_type}: ${hint}`);
  }
}

/** RFC 7617, section 2: the first colon ends the user name. */
function refuseColon(credentials: CheckCredentials, input: CredentialsInput, findings: Findings) {
  if (credentials.auth_type !== 'basic' || !credentials.auth_username?.includes(':')) return;
  if (input.auth_username === undefined) {
    findings.add('auth_type', "can't be basic while the auth_username holds a colon");
  } else {
    findings.add('auth_username', 'must not hold a colon with auth_type basic');
  }
}

type SubChecks = Pick<
  MonitorSettings,
  'check_types' | 'keyword_settings' | 'json_assertion_settings'
>;

type SubCheckInput = { [Name in keyof SubChecks]?: SubChecks[Name] | null | undefined };

/**
 * The sub-checks after an input (contract 8.13, 8.18): settings with content turn theirs on, whatever `check_types`
 * says; settings that are unset without `check_types` turn it off; `check_types` without one whose settings are stored
 * turns it off, and the settings stay. One that has no settings is a fault, and so are both kinds at once.
 */
function resolveSubChecks(stored: SubChecks, input: SubCheckInput, findings: Findings): SubChecks {
  const result: SubChecks = {
    check_types: [
      ...(input.check_types === undefined ? stored.check_types : (input.check_types ?? [])),
    ],
    keyword_settings: pick(input.keyword_settings, stored.keyword_settings),
    json_assertion_settings: pick(input.json_assertion_settings, stored.json_assertion_settings),
  };
  const sent = CONTENT_CHECKS.filter(
    // Settings with a fault of their own were sent, too.
    ({ field, list }) => !hasNoContent(input[field], list) || findings.has(field),
  ).map(({ field }) => field);
  const isOn = (type: CheckType) => result.check_types.includes(type);
  for (const { type, field, list } of CONTENT_CHECKS) {
    if (sent.includes(field) && !isOn(type)) result.check_types.push(type);
    const isUnset = input[field] !== undefined && hasNoContent(input[field], list);
    if (isUnset && !findings.has(field) && input.check_types === undefined) {
      result.check_types = result.check_types.filter((name) => name !== type);
    }
    if (isOn(type) && hasNoContent(result[field], list) && !findings.has(field)) {
      findings.add(field, `is required by the check type ${type}: send it, or leave ${type} out`);
    }
  }
  if (isOn('keyword') && isOn('json')) refuseBoth(sent, findings);
  return result;
}

function refuseBoth(sent: readonly string[], findings: Findings): void {
  if (sent.length === 0) {
    findings.add('check_types', 'must not name both keyword and json: a monitor has one of them');
  }
  for (const field of sent) {
    const other = field === 'keyword_settings' ? 'json_assertion_settings' : 'keyword_settings';
    findings.add(field, `can't be used beside ${other}: send null for one of them`);
  }
}

function pick<Value>(sent: Value | null | undefined, stored: Value | null): Value | null {
  return sent === undefined ? stored : sent;
}
