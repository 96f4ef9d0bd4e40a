import type { MonitorDetail, MonitorSettings } from '../../app/api.gen.ts';
import { MONITOR_FIELDS } from '../../app/fields.gen.ts';
import { parseExactly, type ExactNumber } from '../../lib/exact-json.ts';
import { faceOf, type MonitorType } from '../../lib/monitor-types.ts';
import { withScheme } from '../check/reach.ts';
import {
  amountOf,
  listOf,
  notificationDraft,
  notificationSettings,
  numberOf,
  secondsOf,
  textOrNull,
  type Amount,
} from './parts.ts';

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

/** How the form holds a field of the API: texts as they are typed. */
interface Field<Held> {
  /** What a new monitor has: the API's own default. */
  empty: Held;
  /** What is stored, as the form holds it. */
  hold: (stored: never) => Held;
  /** What a request sends. Texts that are no numbers are sent as they are, for the API to say what is wrong. */
  send: (held: Held) => unknown;
}

const number = (empty = ''): Field<string> => ({
  empty,
  hold: (stored: number | null) => (stored === null ? '' : String(stored)),
  send: numberOf,
});
const line = (empty = '', send: (held: string) => unknown = textOrNull): Field<string> => ({
  empty,
  hold: (stored: string | null) => stored ?? empty,
  send,
});
const flag = (empty: boolean): Field<boolean> => ({
  empty,
  hold: (stored: boolean | null) => stored ?? false,
  send: (held) => held,
});
const list = (send: (held: string[]) => unknown): Field<string> => ({
  empty: '',
  hold: (stored: readonly string[] | null) => (stored ?? []).join(', '),
  send: (held) => send(listOf(held)),
});
const amount = (empty: Amount): Field<Amount> => ({
  empty,
  hold: (stored: number | null) => (stored === null ? empty : amountOf(stored)),
  send: secondsOf,
});
const choice = <Value>(
  empty: Value,
  send: (held: Value) => unknown = (held) => held,
): Field<Value> => ({ empty, hold: (stored: Value | null) => stored ?? empty, send });
const orNull = <Item>(items: readonly Item[]) => (items.length === 0 ? null : items);

const headers: Field<{ name: string; value: string }[]> = {
  empty: [],
  hold: (stored: Record<string, string> | null) =>
    Object.entries(stored ?? {}).map(([name, value]) => ({ name, value })),
  send: (held) => {
    const named = held.filter(({ name, value }) => name.trim() !== '' || value !== '');
    return named.length === 0
      ? null
      : Object.fromEntries(named.map(({ name, value }) => [name.trim(), value]));
  },
};

/** Fields that the form holds in a way of their own, or begins with another value than the API. */
const SPECIAL = {
  tags: list((tags) => tags),
  depends_on: choice<number[]>([]),
  check_interval: number('1'),
  /** Empty for all regions, those that are added later too. */
  monitored_regions: choice<string[]>([], orNull),
  http_method: choice<Method>('GET'),
  request_headers: headers,
  accepted_status_codes: list(orNull),
  heartbeat_interval: amount({ text: '1', unit: 'h' }),
  heartbeat_grace: amount({ text: '5', unit: 'min' }),
  heartbeat_wait_for_first_ping: flag(true),
  heartbeat_max_runtime: amount({ text: '', unit: 'h' }),
  heartbeat_cron_expression: line('0 3 * * *', (held) => held.trim()),
  heartbeat_timezone: line('', (held) => held),
};

/** Fields that are parts of what the form holds under another name. */
const PARTS = [
  'url',
  'check_types',
  'notification_settings',
  'keyword_settings',
  'json_assertion_settings',
  'auth_type',
  'auth_username',
  'auth_password',
] as const;

type Table = typeof MONITOR_FIELDS;
type FieldName = Exclude<keyof Table, (typeof PARTS)[number]>;
/** Cards that draw controls from the table. */
type Card = 'request' | 'answer';

interface Row {
  /** The types that use it; all without it. */
  of?: string;
  kind: string;
  unset?: string | number | boolean;
  unit?: 'minutes' | 'seconds' | 'ms' | 'days';
  card?: Card;
}

const NAMES = (Object.keys(MONITOR_FIELDS) as (keyof Table)[]).filter(
  (name): name is FieldName => !(PARTS as readonly string[]).includes(name),
);

export const rowOf = (name: FieldName): Row => MONITOR_FIELDS[name];

/** A switch, a number or a text, as the table describes it. */
function plain({ kind, unset = '' }: Row): Field<boolean> | Field<string> {
  if (typeof unset === 'boolean') return flag(unset);
  return kind === 'number' ? number(String(unset)) : line(String(unset));
}

const FIELDS = {
  ...Object.fromEntries(NAMES.map((name) => [name, plain(rowOf(name))])),
  ...SPECIAL,
} as typeof SPECIAL & {
  [Of in Exclude<FieldName, keyof typeof SPECIAL>]: Field<
    Table[Of]['kind'] extends 'boolean' ? boolean : string
  >;
};

function isTaken(name: FieldName, type: MonitorType): boolean {
  const { of } = rowOf(name);
  return of === undefined || faceOf(type).takes.includes(of);
}

/** Fields of a type whose controls a card draws from the table. */
export function cardFields(card: Card, type: MonitorType): FieldName[] {
  return NAMES.filter((name) => rowOf(name).card === card && isTaken(name, type));
}

function mapped(valueOf: (field: Field<unknown>, name: FieldName) => unknown, names = NAMES) {
  return Object.fromEntries(
    names.map((name) => [name, valueOf(FIELDS[name] as Field<unknown>, name)]),
  );
}

/** Settings of a monitor as the form holds them. */
export type Draft = { [Name in keyof typeof FIELDS]: (typeof FIELDS)[Name]['empty'] } & {
  type: MonitorType;
  url: string;
  inspections: ('ssl' | 'dns' | 'domain')[];
  auth_type: Auth | '';
  auth_username: string;
  auth_password: string;
  content: 'none' | 'keyword' | 'json';
  keywords: Required<Keyword>[];
  searchTarget: 'html' | 'text';
  assertions: { path: string; operator: Operator; value: string }[];
  notification: ReturnType<typeof notificationDraft>;
};

export const EMPTY_KEYWORD: Required<Keyword> = {
  phrase: '',
  mode: 'must_contain',
  case_sensitive: false,
};
export const EMPTY_ASSERTION = { path: '', operator: 'equals' as const, value: '' };

/** Operators of assertions that compare with nothing. */
export const WITHOUT_VALUE: readonly Operator[] = ['exists', 'not_exists'];

/** Draft of a new monitor. @param zone IANA name of the person's time zone */
export function emptyDraft(type: MonitorType, zone: string): Draft {
  return {
    ...(mapped(({ empty }) => empty) as Draft),
    heartbeat_timezone: zone,
    type,
    url: '',
    inspections: faceOf(type).checkTypes.includes('ssl') ? ['ssl'] : [],
    auth_type: '',
    auth_username: '',
    auth_password: '',
    content: 'none',
    keywords: [],
    searchTarget: 'html',
    assertions: [],
    notification: notificationDraft(null, zone),
  };
}

/** Draft of a stored monitor. @param zone IANA name of the person's time zone, for what the monitor does not set */
export function draftOf(monitor: MonitorDetail, zone: string): Draft {
  const { monitor_type: type, check_types, keyword_settings, json_assertion_settings } = monitor;
  return {
    ...(mapped(({ hold }, name) => hold(monitor[name] as never)) as Draft),
    heartbeat_timezone: monitor.heartbeat_timezone ?? zone,
    type,
    url: faceOf(type).isPush ? '' : monitor.url,
    inspections: check_types.filter((one) => one === 'ssl' || one === 'dns' || one === 'domain'),
    auth_type: monitor.auth_type ?? '',
    auth_username: monitor.auth_username ?? '',
    auth_password: monitor.auth_type === null ? '' : KEPT,
    content: check_types.find((one) => one === 'keyword' || one === 'json') ?? 'none',
    keywords: (keyword_settings?.keywords ?? []).map((one) => ({ ...EMPTY_KEYWORD, ...one })),
    searchTarget: keyword_settings?.search_target ?? 'html',
    assertions: (json_assertion_settings?.assertions ?? []).map(({ path, operator, value }) => ({
      path,
      operator,
      value: value === undefined ? '' : writtenValue(value),
    })),
    notification: notificationDraft(monitor.notification_settings, zone),
  };
}

/** Whether one of these fields differs from that of a new monitor. */
export function isAnySet(draft: Draft, ...names: FieldName[]): boolean {
  return names.some((name) => JSON.stringify(draft[name]) !== JSON.stringify(FIELDS[name].empty));
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

/** Body of a request that saves a draft. */
export function bodyOf(draft: Draft): MonitorSettings {
  const { type, inspections, content } = draft;
  const { isPush, isWeb, checkTypes } = faceOf(type);
  const fitting = inspections.filter((one) => checkTypes.includes(one));
  const body: Record<string, unknown> = {
    monitor_type: type,
    ...mapped(
      ({ send }, name) => send(draft[name]),
      NAMES.filter((name) => isTaken(name, type)),
    ),
    notification_settings: notificationSettings(draft.notification),
    ...(!isPush && {
      url: isWeb ? withScheme(draft.url) : draft.url.trim(),
      check_types: isWeb && content !== 'none' ? [...fitting, content] : fitting,
    }),
    ...(isWeb && {
      ...(!WITH_BODY.includes(draft.http_method) && { request_body: null }),
      ...credentialsOf(draft),
      keyword_settings:
        content === 'keyword'
          ? { keywords: draft.keywords, search_target: draft.searchTarget }
          : null,
      json_assertion_settings:
        content === 'json' ? { assertions: draft.assertions.map(assertionOf) } : null,
    }),
  };
  return body as MonitorSettings;
}

/** Methods of requests that have a body. */
export const WITH_BODY: readonly Method[] = ['POST', 'PUT', 'PATCH'];

/** A token stands in the place of the password. One that is stored as a user name stays there until it is replaced. */
function credentialsOf({
  auth_type: auth,
  auth_username: username,
  auth_password: password,
}: Draft): object {
  const auth_type = auth === '' ? null : auth;
  if (auth_type === null) return { auth_type, auth_username: null, auth_password: null };
  const hasName = auth !== 'bearer' || password === KEPT;
  return {
    auth_type,
    auth_username: hasName ? textOrNull(username) : null,
    auth_password: password,
  };
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
