import { getDomain } from 'tldts';
import { parseJsonPath } from '../../lib/json-path.ts';
import { HTTP_METHODS } from '../../model/monitor.ts';
import {
  basic,
  bearer,
  bodyUpTo,
  expiryFields,
  headersOf,
  hostTarget,
  httpTarget,
  limited,
  nameOf,
  phraseUpTo,
  statusCodesOf,
  takesBody,
  type Target,
  typed,
} from './common.ts';
import { jsonIn, type Row } from './kuma-tables.ts';
import { quoted, type Notes } from './notes.ts';
import { isOn, listOf, numberOf, objectOf, textOf, type Given } from './values.ts';

/** What a monitor of Uptime Kuma becomes; a sentence when it has no counterpart. */
export type KumaMonitor = Target | string;

/** Settings of Uptime Kuma that concern all monitors: days before something expires. */
export interface KumaSettings {
  tlsExpiryDays: number | undefined;
  domainExpiryDays: number | undefined;
}

type Translate = (row: Row, notes: Notes, settings: KumaSettings) => KumaMonitor;

const TYPES: Readonly<Record<string, Translate>> = {
  http,
  keyword: http,
  'json-query': http,
  ping: (row, notes, settings) => ({ type: 'ping', fields: hostFields(row, notes, settings) }),
  port,
  tcp: port,
  dns,
  push,
};

/** What serves for types that Tocsin lacks. */
const HINTS: readonly (readonly [types: RegExp, hint: string])[] = [
  [
    /^(mysql|postgres|sqlserver|mongodb|redis|oracledb|mqtt|rabbitmq|smtp|grpc-keyword)$/,
    ' A port monitor can watch its port.',
  ],
  [/^real-browser$/, ' An http monitor can look for a keyword in the page.'],
  [/^(docker|system-service|pm2|manual)$/, ' A heartbeat monitor can be called by a job there.'],
];

/** Translates a monitor that is no group. */
export function kumaMonitor(row: Row, notes: Notes, settings: KumaSettings): KumaMonitor {
  const type = textOf(row['type']) ?? '';
  if (!Object.hasOwn(TYPES, type)) {
    const [, hint = ''] = HINTS.find(([types]) => types.test(type)) ?? [];
    return `Tocsin has no monitors of the type ${quoted(type || 'none')}.${hint}`;
  }
  if (isOn(row['upside_down']))
    return 'It is upside down, so it is up while its target fails: Tocsin has no such monitors.';
  const translated = TYPES[type]!(row, notes, settings);
  if (typeof translated === 'string') return translated;
  const fields = {
    friendly_name: nameOf(row['name'], 255, 'Monitor', notes),
    ...translated.fields,
  };
  return { ...translated, fields };
}

const MAX_TIMEOUT_SECONDS = 60;

/** Fields of the types that probes check. */
function checkFields(row: Row, notes: Notes): Given {
  const interval = numberOf(row['interval']) ?? 60;
  const timeout = numberOf(row['timeout']) ?? 0;
  const retries = numberOf(row['maxretries']);
  if (row['proxy_id'] != null && row['proxy_id'] !== '')
    notes.change('It went through a proxy: Tocsin connects directly.');
  // Without one it is 80 % of the interval.
  const wait = timeout > 0 ? timeout : interval * 0.8;
  if (timeout > MAX_TIMEOUT_SECONDS)
    notes.remark(`It waits ${MAX_TIMEOUT_SECONDS} seconds for an answer instead of ${timeout}.`);
  return {
    request_timeout: Math.ceil(Math.min(Math.max(wait, 1), MAX_TIMEOUT_SECONDS)),
    ...limited(notes, { check_interval: interval, failure_threshold: (retries ?? NaN) + 1 }),
  };
}

function hostFields(row: Row, notes: Notes, settings: KumaSettings): Given {
  const url = hostTarget(row['hostname'] ?? row['url']);
  const domain = watchesDomain(row, url) ? days(settings.domainExpiryDays) : undefined;
  return { ...checkFields(row, notes), url, ...expiryFields(notes, { domain }) };
}

function port(row: Row, notes: Notes, settings: KumaSettings): KumaMonitor {
  const alert = textOf(row['expected_tls_alert']) ?? 'none';
  if (alert !== '' && alert !== 'none') return 'It expects a TLS alert: Tocsin has no such check.';
  if (/^(secure|starttls)$/.test(textOf(row['smtp_security']) ?? ''))
    notes.change('The certificate behind the port is not checked.');
  const given = URL.parse(textOf(row['url']) ?? '')?.port;
  const number = limited(notes, { port: numberOf(row['port']) ?? numberOf(given) });
  return { type: 'port', fields: { ...hostFields(row, notes, settings), ...number } };
}

/** Record types of names that have an address, which a ping monitor can check. */
const ADDRESS_RECORDS = ['A', 'AAAA', 'CNAME'];

function dns(row: Row, notes: Notes, settings: KumaSettings): KumaMonitor {
  const type = textOf(row['dns_resolve_type']) ?? 'A';
  if (!ADDRESS_RECORDS.includes(type))
    return `It asks for ${quoted(type)} records: turn on the check type dns of a monitor of that host, which watches its records.`;
  notes.change(
    'Tocsin watches the DNS records of a host that it checks as well: this one is pinged. If it does not answer to that, make it an http or a port monitor with the check type dns.',
  );
  if (listOf(jsonIn(row['conditions'])).length > 0)
    notes.change('Its conditions are left out: Tocsin reports records that change.');
  const fields = hostFields(row, notes, settings);
  const types = ['dns', ...listOf(fields['check_types'])];
  return { type: 'ping', fields: { ...fields, check_types: types } };
}

/** Uptime Kuma allows a second for differences of clocks. */
const BUFFER_SECONDS = 1;

function push(row: Row, notes: Notes): KumaMonitor {
  const interval = numberOf(row['interval']) ?? 60;
  const retryInterval = numberOf(row['retry_interval']) || interval;
  const grace = BUFFER_SECONDS + (numberOf(row['maxretries']) ?? 0) * retryInterval;
  const token = textOf(row['push_token']) ?? '';
  if (token === '')
    notes.remark('Its push token is not in the file: give its job the new address.');
  return {
    type: 'heartbeat',
    fields: {
      ...limited(notes, { heartbeat_interval: interval, heartbeat_grace: grace }),
      ping_aliases: /^[\w-]{8,128}$/.test(token) ? [`/api/push/${token}`] : undefined,
    },
  };
}

function http(row: Row, notes: Notes, settings: KumaSettings): KumaMonitor {
  const target = httpTarget(row['url'], notes);
  const url = target?.url;
  const isHttps = /^https:/i.test(url ?? '');
  const hasSsl = isHttps && isOn(row['expiry_notification']);
  const hasDomain = watchesDomain(row, hostTarget(url));
  const redirects = numberOf(row['maxredirects']);
  if (isOn(row['cache_bust'])) notes.change('No random parameter is added to its address.');
  if (textOf(row['ip_family']) === 'ipv4' || textOf(row['ip_family']) === 'ipv6')
    notes.change('It is checked over IPv4 or IPv6, as the host has it.');
  return {
    type: 'http',
    fields: {
      ...checkFields(row, notes),
      url,
      ...requestFields(row, notes),
      ...target?.credentials,
      ...signIn(row, notes),
      ...contentFields(row, notes),
      accepted_status_codes: statusCodesOf(statusCodesIn(row), notes),
      follow_redirects: redirects === undefined ? undefined : redirects > 0,
      verify_ssl: isOn(row['ignore_tls']) ? false : undefined,
      ...expiryFields(notes, {
        ssl: hasSsl ? days(settings.tlsExpiryDays) : undefined,
        domain: hasDomain ? days(settings.domainExpiryDays) : undefined,
      }),
    },
  };
}

const days = (count: number | undefined) => (count === undefined ? null : count * 86_400);

/** Uptime Kuma 2 turns it on for all monitors, also where there is no registered name. */
function watchesDomain(row: Row, host: string | undefined): boolean {
  return (
    isOn(row['domain_expiry_notification']) &&
    host !== undefined &&
    getDomain(host, { allowIcannDomains: true, allowPrivateDomains: false }) !== null
  );
}

const statusCodesIn = (row: Row) =>
  listOf(row['accepted_statuscodes'] ?? jsonIn(row['accepted_statuscodes_json']));

const BODY_TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  xml: 'text/xml; charset=utf-8',
};

function requestFields(row: Row, notes: Notes): Given {
  const given = (textOf(row['method']) || 'GET').toUpperCase();
  const method = HTTP_METHODS.find((one) => one === given);
  if (method === undefined) notes.change(`It sends GET, as Tocsin has no method ${quoted(given)}.`);
  const isSent = takesBody(given);
  const body = bodyUpTo(row['body'], notes);
  if (body !== undefined && !isSent)
    notes.change(`Its body is left out: Tocsin sends none with ${method ?? 'GET'}.`);
  const sent = jsonIn(row['headers'] || undefined);
  if (row['headers'] && sent === undefined)
    notes.change('Its headers are left out: they are no JSON.');
  const encoding = textOf(row['http_body_encoding']) || 'json';
  const type = Object.hasOwn(BODY_TYPES, encoding) ? BODY_TYPES[encoding] : undefined;
  const headers = typed(Object.entries(objectOf(sent)), isSent && body ? type : undefined);
  return {
    http_method: method === 'GET' ? undefined : method,
    request_body: isSent ? body : undefined,
    request_headers: headersOf(headers, notes),
  };
}

/** Ways to sign in that a check of ours lacks. */
const OTHER_SIGN_INS: Readonly<Record<string, string>> = {
  ntlm: 'NTLM',
  'oauth2-cc': 'OAuth 2 client credentials',
  mtls: 'a client certificate',
};

function signIn(row: Row, notes: Notes): Given {
  const { basic_auth_user: user, basic_auth_pass: password, bearer_token: token } = row;
  // Before there was a method, a user name was enough.
  const method = textOf(row['auth_method']) ?? (row['auth_method'] === undefined ? 'basic' : '');
  if (method === 'basic') return { ...basic(user, password, notes) };
  if (method === 'bearer') return { ...bearer(token, notes) };
  if (!Object.hasOwn(OTHER_SIGN_INS, method)) return {};
  notes.change(
    `It is paused: it signs in by ${OTHER_SIGN_INS[method]}, which Tocsin does not do. Give it basic, digest or bearer credentials, or headers.`,
  );
  return { is_paused: true };
}

const OPERATORS: Readonly<Record<string, string>> = {
  '==': 'equals',
  '!=': 'not_equals',
  '>': 'gt',
  '>=': 'gte',
  '<': 'lt',
  '<=': 'lte',
  contains: 'contains',
};

function contentFields(row: Row, notes: Notes): Given {
  if (row['type'] === 'keyword') {
    const phrase = phraseUpTo(row['keyword'], notes);
    if (phrase === undefined) return {};
    const mode = isOn(row['invert_keyword']) ? 'must_not_contain' : 'must_contain';
    return { keyword_settings: { keywords: [{ phrase, mode, case_sensitive: true }] } };
  }
  if (row['type'] !== 'json-query') return {};
  const query = (textOf(row['json_path']) ?? '').trim();
  const path = pathOf(query);
  const operator = textOf(row['json_path_operator']) || '==';
  if (path === null || !Object.hasOwn(OPERATORS, operator)) {
    notes.change(
      `Its query ${quoted(query)} is left out, as it is more than a path: only that it answers is checked.`,
    );
    return {};
  }
  const assertion = assertionOf(OPERATORS[operator]!, textOf(row['expected_value']) ?? '');
  return { json_assertion_settings: { assertions: [{ path, ...assertion }] } };
}

/** Uptime Kuma compares texts, so that "5" and 5 are the same: where that matters, a pattern compares so, too. */
function assertionOf(operator: string, value: string): { operator: string; value: string } {
  const isScalar = /^(-?\d+(\.\d+)?|true|false)$/.test(value);
  if (!isScalar || /^[gl]te?$/.test(operator)) return { operator, value };
  const pattern = value.replaceAll('.', String.raw`\.`);
  if (operator === 'contains') return { operator: 'regex', value: pattern };
  return { operator: operator === 'equals' ? 'regex' : 'not_regex', value: `^${pattern}$` };
}

/** A query in JSONata that is a path alone; null for all else. */
function pathOf(query: string): string | null {
  const steps = query.replace(/^\$\.?(?=.)/, '');
  if (steps === '' || steps === '$') return '$';
  if (!/^(`[^`"\\]+`|[A-Za-z_]\w*)(\[\d+\]|\.(`[^`"\\]+`|[A-Za-z_]\w*))*$/.test(steps)) return null;
  const path = steps.replace(/\.?`([^`]+)`/g, '["$1"]');
  return parseJsonPath(path).ok ? path : null;
}
