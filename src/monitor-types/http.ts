import type { Credentials } from '../model/check.ts';
import type { HttpMethod } from '../model/monitor.ts';
import { contentCheckOf } from './content-check.ts';
import { resolveCredentials } from './credentials.ts';
import type { Findings, PullTypeDefinition, SettingsEdit } from './definition.ts';
import type { MonitorSettings } from './fields.ts';
import { resolveSubChecks } from './sub-checks.ts';
import { INTERVAL_HINT } from './target.ts';

const METHODS_WITH_BODY: readonly HttpMethod[] = ['POST', 'PUT', 'PATCH'];
/** Shared by all requests without headers: there may be 100,000 of them. */
const NO_HEADERS: Record<string, string> = {};

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
  urlForm: () => 'an absolute http or https URL, such as https://example.com',
  resolve(edit, findings) {
    const { stored, base, input } = edit;
    const resolved = {
      ...resolveSubChecks(base, input, findings),
      ...resolveCredentials(stored, input, findings),
    };
    judgeRequestBody(edit, findings);
    return resolved;
  },
  request(settings, base) {
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
      verifySsl: settings.verify_ssl,
      errorTextDetection: settings.error_text_detection,
      ...(isSslOn(settings) ? { isCertificateInspected: true } : {}),
      ...(content === null ? {} : { content }),
      // The others send theirs unasked; digest waits for the server's challenge.
      ...(settings.auth_type === 'digest' && credentials !== null ? { digest: credentials } : {}),
    };
  },
} as const satisfies PullTypeDefinition;

function judgeRequestBody({ settings, input }: SettingsEdit, findings: Findings): void {
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
  return type && username && password ? { username, password } : null;
}

/** Of an http url there is no certificate to inspect: where a redirect leads to one, it counts as before. */
function isSslOn({ url, check_types }: MonitorSettings): boolean {
  return /^https:/i.test(url) && check_types.includes('ssl');
}

/**
 * Basic is RFC 7617 in UTF-8. With bearer (RFC 6750) the token is the user name (contract 16.12). It takes the
 * place of an Authorization header that was given by hand.
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
      : `Bearer ${username}`;
  return { ...Object.fromEntries(others), Authorization: value };
}
