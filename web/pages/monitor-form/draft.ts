import type { MonitorDetail, MonitorSettings } from '../../client/types.gen.ts';
import { parseExactly, type ExactNumber } from '../../lib/exact-json.ts';
import { amountOf, numberOf, secondsOf, type Amount } from './amount.ts';
import {
  notificationDraft,
  notificationSettings,
  type NotificationDraft,
} from './notification-draft.ts';
import { withScheme } from '../check/reach.ts';

export type MonitorType = MonitorDetail['monitor_type'];
export type CheckType = MonitorDetail['check_types'][number];
export type Method = NonNullable<MonitorDetail['http_method']>;
type Auth = NonNullable<MonitorDetail['auth_type']>;
type Keyword = NonNullable<NonNullable<MonitorDetail['keyword_settings']>['keywords']>[number];
type Assertion = NonNullable<
  NonNullable<MonitorDetail['json_assertion_settings']>['assertions']
>[number];
export type Operator = Assertion['operator'];
type AssertionValue = NonNullable<Assertion['value']> | ExactNumber | null;

/** Stands for a stored secret that is not shown: sent back, it keeps the secret. */
export const KEPT = '••••••••';

/** Settings of a monitor as the form holds them: texts as they are typed. */
export interface Draft {
  type: MonitorType;
  url: string;
  port: string;
  name: string;
  group: string;
  tags: string;
  /** Minutes. */
  interval: string;
  /** Empty for all regions, those that are added later too. */
  regions: string[];
  method: Method;
  headers: { name: string; value: string }[];
  body: string;
  auth: Auth | '';
  username: string;
  password: string;
  followRedirects: boolean;
  /** Seconds. */
  timeout: string;
  statusCodes: string;
  verifySsl: boolean;
  errorText: boolean;
  bothFamilies: boolean;
  inspections: ('ssl' | 'dns' | 'domain')[];
  /** Days. */
  sslDays: string;
  domainDays: string;
  content: 'none' | 'keyword' | 'json';
  keywords: Required<Keyword>[];
  searchTarget: 'html' | 'text';
  assertions: { path: string; operator: Operator; value: string }[];
  /** Milliseconds. */
  slow: string;
  failures: string;
  recoveries: string;
  dependsOn: number[];
  every: Amount;
  cron: string;
  zone: string;
  grace: Amount;
  waitForFirst: boolean;
  maxRuntime: Amount;
  notification: NotificationDraft;
}

export const EMPTY_KEYWORD: Required<Keyword> = {
  phrase: '',
  mode: 'must_contain',
  case_sensitive: false,
};
export const EMPTY_ASSERTION = { path: '', operator: 'equals' as const, value: '' };

/** Operators of assertions that compare with nothing. */
export const WITHOUT_VALUE: readonly Operator[] = ['exists', 'not_exists'];

/** Draft of a new monitor, with the API's own defaults. @param zone IANA name of the person's time zone */
export function emptyDraft(type: MonitorType, zone: string): Draft {
  return {
    type,
    url: '',
    port: '',
    name: '',
    group: '',
    tags: '',
    interval: '1',
    regions: [],
    method: 'GET',
    headers: [],
    body: '',
    auth: '',
    username: '',
    password: '',
    followRedirects: true,
    timeout: '30',
    statusCodes: '',
    verifySsl: true,
    errorText: false,
    bothFamilies: false,
    inspections: type === 'http' ? ['ssl'] : [],
    sslDays: '14',
    domainDays: '30',
    content: 'none',
    keywords: [],
    searchTarget: 'html',
    assertions: [],
    slow: '',
    failures: '2',
    recoveries: '1',
    dependsOn: [],
    every: { text: '1', unit: 'h' },
    cron: '0 3 * * *',
    zone,
    grace: { text: '5', unit: 'min' },
    waitForFirst: true,
    maxRuntime: { text: '', unit: 'h' },
    notification: notificationDraft(null, zone),
  };
}

function written(value: number | null): string {
  return value === null ? '' : String(value);
}

/** Draft of a stored monitor. @param zone IANA name of the person's time zone, for what the monitor does not set */
export function draftOf(monitor: MonitorDetail, zone: string): Draft {
  const empty = emptyDraft(monitor.monitor_type, zone);
  return {
    ...empty,
    url: isPush(monitor.monitor_type) ? '' : monitor.url,
    port: written(monitor.port),
    name: monitor.friendly_name ?? '',
    group: written(monitor.group_id),
    tags: monitor.tags.join(', '),
    interval: written(monitor.check_interval),
    regions: monitor.monitored_regions,
    method: monitor.http_method ?? 'GET',
    headers: Object.entries(monitor.request_headers ?? {}).map(([name, value]) => ({
      name,
      value,
    })),
    body: monitor.request_body ?? '',
    auth: monitor.auth_type ?? '',
    username: monitor.auth_username ?? '',
    password: monitor.auth_type === null ? '' : KEPT,
    followRedirects: monitor.follow_redirects,
    timeout: written(monitor.request_timeout),
    statusCodes: (monitor.accepted_status_codes ?? []).join(', '),
    verifySsl: monitor.verify_ssl,
    errorText: monitor.error_text_detection,
    bothFamilies: monitor.check_both_families,
    inspections: monitor.check_types.filter(
      (type) => type === 'ssl' || type === 'dns' || type === 'domain',
    ),
    sslDays: written(monitor.ssl_expiry_threshold),
    domainDays: written(monitor.domain_expiry_threshold),
    ...contentOf(monitor),
    slow: written(monitor.slow_response_threshold),
    failures: written(monitor.failure_threshold),
    recoveries: written(monitor.recovery_threshold),
    dependsOn: monitor.depends_on,
    every: monitor.heartbeat_interval === null ? empty.every : amountOf(monitor.heartbeat_interval),
    cron: monitor.heartbeat_cron_expression ?? empty.cron,
    zone: monitor.heartbeat_timezone ?? zone,
    grace: monitor.heartbeat_grace === null ? empty.grace : amountOf(monitor.heartbeat_grace),
    waitForFirst: monitor.heartbeat_wait_for_first_ping ?? false,
    maxRuntime: amountOf(monitor.heartbeat_max_runtime, 'h'),
    notification: notificationDraft(monitor.notification_settings, zone),
  };
}

type ContentDraft = Pick<Draft, 'content' | 'keywords' | 'searchTarget' | 'assertions'>;

function contentOf({
  check_types,
  keyword_settings,
  json_assertion_settings,
}: MonitorDetail): ContentDraft {
  return {
    content: check_types.includes('keyword')
      ? 'keyword'
      : check_types.includes('json')
        ? 'json'
        : 'none',
    keywords: (keyword_settings?.keywords ?? []).map((one) => ({ ...EMPTY_KEYWORD, ...one })),
    searchTarget: keyword_settings?.search_target ?? 'html',
    assertions: (json_assertion_settings?.assertions ?? []).map(({ path, operator, value }) => ({
      path,
      operator,
      value: value === undefined ? '' : writtenValue(value),
    })),
  };
}

/** Change to another way to sign in: a stored password is none of its tokens, and the reverse. */
export function withAuth({ auth: before, password }: Draft, auth: Draft['auth']): Partial<Draft> {
  const isOther = (before === 'bearer') !== (auth === 'bearer');
  return { auth, password: isOther && password === KEPT ? '' : password };
}

/** Draft of another monitor with the same settings. Secrets that are not shown can't be copied. */
export function copyOf(draft: Draft, name: string): Draft {
  return { ...draft, name, password: '' };
}

export function isPush(type: MonitorType): boolean {
  return type === 'heartbeat' || type === 'cron';
}

/** Body of a request that saves a draft. Texts that are no numbers are sent as they are, for the API to say what is wrong. */
export function bodyOf(draft: Draft): MonitorSettings {
  const body: Record<string, unknown> = {
    monitor_type: draft.type,
    friendly_name: textOrNull(draft.name),
    group_id: numberOf(draft.group),
    tags: listOf(draft.tags),
    depends_on: draft.dependsOn,
    notification_settings: notificationSettings(draft.notification),
    ...(isPush(draft.type) ? pushBody(draft) : pullBody(draft)),
  };
  return body as MonitorSettings;
}

function pushBody(draft: Draft): Record<string, unknown> {
  return {
    ...(draft.type === 'heartbeat'
      ? { heartbeat_interval: secondsOf(draft.every) }
      : { heartbeat_cron_expression: draft.cron.trim(), heartbeat_timezone: draft.zone }),
    heartbeat_grace: secondsOf(draft.grace),
    heartbeat_wait_for_first_ping: draft.waitForFirst,
    heartbeat_max_runtime: secondsOf(draft.maxRuntime),
  };
}

function pullBody(draft: Draft): Record<string, unknown> {
  return {
    url: draft.type === 'http' ? withScheme(draft.url) : draft.url.trim(),
    check_interval: numberOf(draft.interval),
    monitored_regions: draft.regions.length === 0 ? null : draft.regions,
    failure_threshold: numberOf(draft.failures),
    recovery_threshold: numberOf(draft.recoveries),
    request_timeout: numberOf(draft.timeout),
    slow_response_threshold: numberOf(draft.slow),
    check_both_families: draft.bothFamilies,
    check_types: checkTypesOf(draft),
    domain_expiry_threshold: numberOf(draft.domainDays),
    ...(draft.type === 'port' && { port: numberOf(draft.port) }),
    ...(draft.type === 'http' && httpBody(draft)),
  };
}

function checkTypesOf({ type, inspections, content }: Draft): CheckType[] {
  const fitting = inspections.filter((one) => one !== 'ssl' || type === 'http');
  return type === 'http' && content !== 'none' ? [...fitting, content] : fitting;
}

function httpBody(draft: Draft): Record<string, unknown> {
  const codes = listOf(draft.statusCodes);
  const hasBody = draft.method === 'POST' || draft.method === 'PUT' || draft.method === 'PATCH';
  return {
    http_method: draft.method,
    request_headers: headersOf(draft.headers),
    request_body: hasBody ? textOrNull(draft.body) : null,
    accepted_status_codes: codes.length === 0 ? null : codes,
    follow_redirects: draft.followRedirects,
    verify_ssl: draft.verifySsl,
    ssl_expiry_threshold: numberOf(draft.sslDays),
    error_text_detection: draft.errorText,
    auth_type: draft.auth === '' ? null : draft.auth,
    ...credentialsOf(draft),
    keyword_settings:
      draft.content === 'keyword'
        ? { keywords: draft.keywords, search_target: draft.searchTarget }
        : null,
    json_assertion_settings:
      draft.content === 'json' ? { assertions: draft.assertions.map(assertionOf) } : null,
  };
}

/** A token stands in the place of the password. One that is stored as a user name stays there until it is replaced. */
function credentialsOf({ auth, username, password }: Draft): object {
  if (auth === '') return { auth_username: null, auth_password: null };
  const hasName = auth !== 'bearer' || password === KEPT;
  return { auth_username: hasName ? textOrNull(username) : null, auth_password: password };
}

function headersOf(headers: Draft['headers']): Record<string, string> | null {
  const named = headers.filter(({ name, value }) => name.trim() !== '' || value !== '');
  if (named.length === 0) return null;
  return Object.fromEntries(named.map(({ name, value }) => [name.trim(), value]));
}

function assertionOf({ path, operator, value }: Draft['assertions'][number]): object {
  if (WITHOUT_VALUE.includes(operator)) return { path, operator };
  return { path, operator, value: readValue(value) };
}

/** Reads a value as JSON where it is one: 5, true, null, "5"; any other text stands for itself. */
export function readValue(text: string): AssertionValue {
  try {
    const value = parseExactly(text);
    const isScalar = typeof value !== 'object' || value === null || /^[-\d]/.test(text.trim());
    if (isScalar) return value as AssertionValue;
  } catch {
    // Plain text.
  }
  return text;
}

/** Writes a value so that `readValue` reads the same: a text that looks like a number stands in quotes. */
export function writtenValue(value: AssertionValue): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return readValue(value) === value ? value : JSON.stringify(value);
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text;
}

function listOf(text: string): string[] {
  return text
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter(Boolean);
}
