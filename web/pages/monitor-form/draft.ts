import type { MonitorDetail, MonitorSettings } from '../../app/api.gen.ts';
import { CHECK_FIELDS } from '../../app/fields.gen.ts';
import { parseExactly, type ExactNumber } from '../../lib/exact-json.ts';
import { faceOf, type MonitorType } from '../../lib/monitor-types.ts';
import { withScheme } from '../check/reach.ts';
import { amountOf, numberOf, secondsOf, type Amount } from './amount.ts';
import {
  notificationDraft,
  notificationSettings,
  type NotificationDraft,
} from './notification-draft.ts';

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
export interface Draft extends CheckDraft {
  type: MonitorType;
  url: string;
  friendly_name: string;
  group_id: string;
  tags: string;
  /** Empty for all regions, those that are added later too. */
  monitored_regions: string[];
  http_method: Method;
  request_headers: { name: string; value: string }[];
  request_body: string;
  auth_type: Auth | '';
  auth_username: string;
  auth_password: string;
  accepted_status_codes: string;
  inspections: ('ssl' | 'dns' | 'domain')[];
  content: 'none' | 'keyword' | 'json';
  keywords: Required<Keyword>[];
  searchTarget: 'html' | 'text';
  assertions: { path: string; operator: Operator; value: string }[];
  depends_on: number[];
  heartbeat_interval: Amount;
  heartbeat_cron_expression: string;
  heartbeat_timezone: string;
  heartbeat_grace: Amount;
  heartbeat_wait_for_first_ping: boolean;
  heartbeat_max_runtime: Amount;
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
    ...checkDraft((name) => CHECK_FIELDS[name].unset),
    check_interval: '1',
    url: '',
    friendly_name: '',
    group_id: '',
    tags: '',
    monitored_regions: [],
    http_method: 'GET',
    request_headers: [],
    request_body: '',
    auth_type: '',
    auth_username: '',
    auth_password: '',
    accepted_status_codes: '',
    inspections: faceOf(type).isWeb ? ['ssl'] : [],
    content: 'none',
    keywords: [],
    searchTarget: 'html',
    assertions: [],
    depends_on: [],
    heartbeat_interval: { text: '1', unit: 'h' },
    heartbeat_cron_expression: '0 3 * * *',
    heartbeat_timezone: zone,
    heartbeat_grace: { text: '5', unit: 'min' },
    heartbeat_wait_for_first_ping: true,
    heartbeat_max_runtime: { text: '', unit: 'h' },
    notification: notificationDraft(null, zone),
  };
}

type CheckField = keyof typeof CHECK_FIELDS;
const CHECK_NAMES = Object.keys(CHECK_FIELDS) as CheckField[];

/** Numbers and switches of a check in the form: numbers are texts as they are typed. */
type CheckDraft = {
  [Name in CheckField]: (typeof CHECK_FIELDS)[Name]['unset'] extends boolean ? boolean : string;
};

function checkDraft(valueOf: (name: CheckField) => boolean | number | null): CheckDraft {
  const values = CHECK_NAMES.map((name) => {
    const value = valueOf(name);
    return [name, typeof value === 'boolean' ? value : written(value)];
  });
  return Object.fromEntries(values) as CheckDraft;
}

/** Those that monitors of this kind use. */
function checkBody(draft: Draft, of: 'pull' | 'http' | 'port'): object {
  const names = CHECK_NAMES.filter((name) => CHECK_FIELDS[name].of === of);
  return Object.fromEntries(
    names.map((name) => {
      const value = draft[name];
      return [name, typeof value === 'boolean' ? value : numberOf(value)];
    }),
  );
}

function written(value: number | null): string {
  return value === null ? '' : String(value);
}

/** Draft of a stored monitor. @param zone IANA name of the person's time zone, for what the monitor does not set */
export function draftOf(monitor: MonitorDetail, zone: string): Draft {
  const empty = emptyDraft(monitor.monitor_type, zone);
  return {
    ...empty,
    ...checkDraft((name) => monitor[name]),
    url: faceOf(monitor.monitor_type).isPush ? '' : monitor.url,
    friendly_name: monitor.friendly_name ?? '',
    group_id: written(monitor.group_id),
    tags: monitor.tags.join(', '),
    monitored_regions: monitor.monitored_regions,
    http_method: monitor.http_method ?? 'GET',
    request_headers: Object.entries(monitor.request_headers ?? {}).map(([name, value]) => ({
      name,
      value,
    })),
    request_body: monitor.request_body ?? '',
    auth_type: monitor.auth_type ?? '',
    auth_username: monitor.auth_username ?? '',
    auth_password: monitor.auth_type === null ? '' : KEPT,
    accepted_status_codes: (monitor.accepted_status_codes ?? []).join(', '),
    inspections: monitor.check_types.filter(
      (type) => type === 'ssl' || type === 'dns' || type === 'domain',
    ),
    ...contentOf(monitor),
    depends_on: monitor.depends_on,
    heartbeat_interval:
      monitor.heartbeat_interval === null
        ? empty.heartbeat_interval
        : amountOf(monitor.heartbeat_interval),
    heartbeat_cron_expression: monitor.heartbeat_cron_expression ?? empty.heartbeat_cron_expression,
    heartbeat_timezone: monitor.heartbeat_timezone ?? zone,
    heartbeat_grace:
      monitor.heartbeat_grace === null ? empty.heartbeat_grace : amountOf(monitor.heartbeat_grace),
    heartbeat_wait_for_first_ping: monitor.heartbeat_wait_for_first_ping ?? false,
    heartbeat_max_runtime: amountOf(monitor.heartbeat_max_runtime, 'h'),
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
export function withAuth(
  { auth_type: before, auth_password: password }: Draft,
  auth: Draft['auth_type'],
): Partial<Draft> {
  const isOther = (before === 'bearer') !== (auth === 'bearer');
  return { auth_type: auth, auth_password: isOther && password === KEPT ? '' : password };
}

/** Draft of another monitor with the same settings. Secrets that are not shown can't be copied. */
export function copyOf(draft: Draft, name: string): Draft {
  return { ...draft, friendly_name: name, auth_password: '' };
}

/** Body of a request that saves a draft. Texts that are no numbers are sent as they are, for the API to say what is wrong. */
export function bodyOf(draft: Draft): MonitorSettings {
  const body: Record<string, unknown> = {
    monitor_type: draft.type,
    friendly_name: textOrNull(draft.friendly_name),
    group_id: numberOf(draft.group_id),
    tags: listOf(draft.tags),
    depends_on: draft.depends_on,
    notification_settings: notificationSettings(draft.notification),
    ...(faceOf(draft.type).isPush ? pushBody(draft) : pullBody(draft)),
  };
  return body as MonitorSettings;
}

function pushBody(draft: Draft): Record<string, unknown> {
  return {
    ...(faceOf(draft.type).schedule === 'interval'
      ? { heartbeat_interval: secondsOf(draft.heartbeat_interval) }
      : {
          heartbeat_cron_expression: draft.heartbeat_cron_expression.trim(),
          heartbeat_timezone: draft.heartbeat_timezone,
        }),
    heartbeat_grace: secondsOf(draft.heartbeat_grace),
    heartbeat_wait_for_first_ping: draft.heartbeat_wait_for_first_ping,
    heartbeat_max_runtime: secondsOf(draft.heartbeat_max_runtime),
  };
}

function pullBody(draft: Draft): Record<string, unknown> {
  const { isWeb, hasPort } = faceOf(draft.type);
  return {
    url: isWeb ? withScheme(draft.url) : draft.url.trim(),
    monitored_regions: draft.monitored_regions.length === 0 ? null : draft.monitored_regions,
    check_types: checkTypesOf(draft),
    ...checkBody(draft, 'pull'),
    ...(hasPort && checkBody(draft, 'port')),
    ...(isWeb && httpBody(draft)),
  };
}

function checkTypesOf({ type, inspections, content }: Draft): CheckType[] {
  const { isWeb } = faceOf(type);
  const fitting = inspections.filter((one) => one !== 'ssl' || isWeb);
  return isWeb && content !== 'none' ? [...fitting, content] : fitting;
}

function httpBody(draft: Draft): Record<string, unknown> {
  const codes = listOf(draft.accepted_status_codes);
  const hasBody =
    draft.http_method === 'POST' || draft.http_method === 'PUT' || draft.http_method === 'PATCH';
  return {
    http_method: draft.http_method,
    request_headers: headersOf(draft.request_headers),
    request_body: hasBody ? textOrNull(draft.request_body) : null,
    accepted_status_codes: codes.length === 0 ? null : codes,
    ...checkBody(draft, 'http'),
    auth_type: draft.auth_type === '' ? null : draft.auth_type,
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
function credentialsOf({
  auth_type: auth,
  auth_username: username,
  auth_password: password,
}: Draft): object {
  if (auth === '') return { auth_username: null, auth_password: null };
  const hasName = auth !== 'bearer' || password === KEPT;
  return { auth_username: hasName ? textOrNull(username) : null, auth_password: password };
}

function headersOf(headers: Draft['request_headers']): Record<string, string> | null {
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
