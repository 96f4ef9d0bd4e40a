import { isSecretValue } from '../document.ts';
import { readAssertions } from './checkly-assertions.ts';
import type { Channels } from './channels.ts';
import { addChecklyChannels, subscribedBy } from './checkly-channels.ts';
import {
  basic,
  bodyUpTo,
  dnsTarget,
  expiryFields,
  headersOf,
  hostTarget,
  httpTarget,
  limited,
  methodOf,
  nameOf,
  roundsLasting,
  tagsOf,
  takesBody,
  type Target,
  typed,
} from './common.ts';
import { Draft } from './draft.ts';
import { ImportError, START, type Importer } from './importer.ts';
import type { Recurrence } from './maintenance.ts';
import { NEW_PING_URL, Notes, portOnly, thing } from './notes.ts';
import { parseAnswers } from './sources.ts';
import { resolved, type VariableSyntax } from './variables.ts';
import { addWindow } from './windows.ts';
import { isOn, listOf, numberOf, objectOf, textOf, type Given } from './values.ts';

const EXPECTED =
  'Give the answers of its API, such as that of https://api.checklyhq.com/v1/checks.';

/** `{{NAME}}` of Handlebars. */
const CHECKLY_VARIABLES: VariableSyntax = {
  service: 'checkly',
  pattern: /\{\{\{?\s*([^{}]*?)\s*\}?\}\}/,
};

/**
 * Checkly: the public API (https://developers.checklyhq.com) as its Go SDK, its Terraform provider and checkly-cli have
 * it, read in November 2026.
 */
export const checkly: Importer = {
  name: 'checkly',
  title: 'Checkly',
  takes:
    'Give the answers of its API, one after another in a file: /v1/checks, /v1/check-groups, /v1/alert-channels and /v1/maintenance-windows, each with all pages.',
  read(source) {
    const all = parseAnswers(source, EXPECTED).answers;
    const some = (test: (one: Given) => boolean) => unique(all.filter(test));
    const checks = some((one) => typeof one['checkType'] === 'string');
    const groups = some((one) => 'apiCheckDefaults' in one);
    const channels = some((one) => 'config' in one && 'type' in one);
    const windows = some((one) => 'startsAt' in one && 'endsAt' in one);
    if (checks.length + groups.length + channels.length + windows.length === 0)
      throw new ImportError(`${source.file} has no answer of Checkly in it. ${EXPECTED}`, START);
    const draft = new Draft('checkly');
    const context: Context = {
      draft,
      channels: addChecklyChannels(draft, channels),
      groups: new Map(groups.map((group) => [textOf(group['id']) ?? '', group])),
    };
    for (const check of checks) addCheck(check, context);
    context.channels.addRoutes();
    for (const window of windows) addMaintenance(window, context, source.now);
    return draft.imported();
  },
};

/** What two pages have in common counts once. */
function unique(entries: readonly Given[]): Given[] {
  return [...new Map(entries.map((entry) => [textOf(entry['id']) ?? entry, entry])).values()];
}

interface Context {
  draft: Draft;
  channels: Channels;
  /** By their ids. */
  groups: ReadonlyMap<string, Given>;
}

function addCheck(check: Given, { draft, channels, groups }: Context): void {
  const notes = new Notes();
  const name = textOf(check['name']) ?? null;
  const source = thing('check', check['id'], name);
  const group = groups.get(textOf(check['groupId']) ?? '') ?? {};
  const target = targetOf(check, group, notes);
  if (typeof target === 'string') return draft.leaveOut(source, target, notes);
  const groupName = textOf(group['name']);
  const isMuted = isOn(check['muted']) || isOn(group['muted']);
  const isStopped = check['activated'] === false || group['activated'] === false;
  const fields = {
    friendly_name: nameOf(name, 255, 'Check', notes),
    ...target.fields,
    ...(target.type !== 'heartbeat' && pullFields(check, notes)),
    group_id: groupName ? draft.group(groupName) : undefined,
    tags: tagsOf([...listOf(check['tags']), ...listOf(group['tags'])], notes),
    notification_settings: isMuted ? { enabled: false } : undefined,
    is_paused: isStopped || undefined,
  };
  const key = draft.addMonitor(target.type, { source, notes, fields });
  if (key !== null) channels.route({ key, channels: channels.keysOf(subscribedBy(check, group)) });
}

/** What a check asks; a text says why Tocsin can't. */
function targetOf(check: Given, group: Given, notes: Notes): Target | string {
  const request = objectOf(check['request']);
  const demands = () => {
    const { slow } = readAssertions(request['assertions'], notes);
    return limited(notes, { slow_response_threshold: slow });
  };
  switch (check['checkType']) {
    case 'API':
    case 'URL':
      return httpCheck(check, request, check['checkType'] === 'API' ? group : {}, notes);
    case 'TCP':
      if (request['data']) notes.change('It checks whether its port opens, and sends nothing.');
      return {
        type: 'port',
        fields: {
          url: hostTarget(request['hostname']),
          port: numberOf(request['port']),
          ...demands(),
        },
      };
    case 'GRPC':
      notes.change(portOnly('gRPC'));
      return {
        type: 'port',
        fields: { url: hostTarget(request['url']), port: numberOf(request['port']) ?? 443 },
      };
    case 'ICMP':
      return { type: 'ping', fields: { url: hostTarget(request['hostname']), ...demands() } };
    case 'TRACEROUTE':
      notes.change('It sends echo requests, and does not look at the way that they take.');
      return { type: 'ping', fields: { url: hostTarget(request['url'] ?? request['hostname']) } };
    case 'DNS':
      return dnsTarget(request['nameServer'], request['port'], notes);
    case 'SSL':
      return sslCheck(objectOf(request['sslConfig']), request, notes);
    case 'HEARTBEAT':
      return heartbeat(objectOf(check['heartbeat']), notes);
    default:
      return 'Tocsin runs no browser and no scripts.';
  }
}

/** What all types have that are checked by probes. */
function pullFields(check: Given, notes: Notes) {
  const minutes = numberOf(check['frequency']);
  // With a frequency of 0, frequencyOffset is the interval in seconds.
  const seconds = minutes === 0 ? (numberOf(check['frequencyOffset']) ?? 30) : (minutes ?? 10) * 60;
  const alerts = isOn(check['useGlobalAlertSettings']) ? {} : objectOf(check['alertSettings']);
  const retries =
    numberOf(objectOf(check['retryStrategy'])['maxRetries']) ??
    (isOn(check['doubleCheck']) ? 1 : 0);
  const isTimed = alerts['escalationType'] === 'TIME_BASED';
  const minutesFailing =
    numberOf(objectOf(alerts['timeBasedEscalation'])['minutesFailingThreshold']) ?? 5;
  const runs = numberOf(objectOf(alerts['runBasedEscalation'])['failedRunThreshold']) ?? 1;
  const rounds = isTimed
    ? Math.max(
        Math.max(retries, 0) + 1,
        roundsLasting(minutesFailing * 60, 'time of failing', notes),
      )
    : Math.max(retries, 0) + Math.max(runs, 1);
  return limited(notes, { check_interval: seconds, failure_threshold: rounds });
}

function httpCheck(check: Given, request: Given, group: Given, notes: Notes): Target | string {
  const defaults = objectOf(group['apiCheckDefaults']);
  const name = textOf(check['name']) ?? 'check';
  const resolve = (value: unknown, what: string) =>
    resolved(value, { syntax: CHECKLY_VARIABLES, place: [name, what], notes });
  const base = textOf(defaults['url']) ?? '';
  const parameters = [
    ...listOf(defaults['queryParameters']),
    ...listOf(request['queryParameters']),
  ].map(objectOf);
  const written = (textOf(request['url']) ?? '').replace(
    /\{\{\{?\s*GROUP_BASE_URL\s*\}?\}\}/g,
    () => base,
  );
  const url = resolve(withParameters(written, parameters), 'url');
  const target = isSecretValue(url) ? { url, credentials: undefined } : httpTarget(url, notes);
  if (target === undefined) return 'Its url is not one that Tocsin checks.';
  const { method, http_method } = methodOf(request['method'], notes);
  const headers = new Map(
    [...listOf(defaults['headers']), ...listOf(request['headers'])]
      .map(objectOf)
      .map(
        ({ key, value }) => [textOf(key) ?? '', resolve(value, textOf(key) ?? 'header')] as const,
      ),
  );
  const {
    accepted_status_codes: codes,
    content,
    slow,
  } = readAssertions([...listOf(defaults['assertions']), ...listOf(request['assertions'])], notes);
  if (
    ['localSetupScript', 'localTearDownScript', 'setupSnippetId', 'tearDownSnippetId'].some(
      (one) => check[one],
    )
  )
    notes.change('Its scripts before and after the request do not run.');
  const bodyType = request['body'] ? CONTENT_TYPES[textOf(request['bodyType']) ?? ''] : undefined;
  const failing = isOn(check['shouldFail']) ? ['4xx', '5xx'] : undefined;
  const degraded = (numberOf(check['degradedResponseTime']) ?? Infinity) / 1_000;
  const maximum = numberOf(check['maxResponseTime']);
  return {
    type: 'http',
    fields: {
      url: target.url,
      ...(credentialsOf([request['basicAuth'], defaults['basicAuth']], resolve, notes) ??
        target.credentials),
      http_method,
      request_headers: headersOf(typed([...headers], bodyType), notes),
      request_body: bodyOf(request, method, resolve, notes),
      accepted_status_codes: codes.length === 0 ? failing : codes,
      ...content.fields(notes),
      follow_redirects: request['followRedirects'] === false ? false : undefined,
      verify_ssl: isOn(request['skipSSL']) ? false : undefined,
      ...limited(notes, {
        slow_response_threshold: Math.min(slow, degraded),
        request_timeout: maximum && Math.ceil(maximum / 1_000),
      }),
      ...expiryOf(check, written, notes),
    },
  };
}

/** The first of several credentials. */
function credentialsOf(
  all: readonly unknown[],
  resolve: (value: unknown, what: string) => unknown,
  notes: Notes,
) {
  for (const { username, password } of all.map(objectOf)) {
    if (!username && !password) continue;
    return basic(resolve(username, 'username'), resolve(password, 'password'), notes);
  }
  return undefined;
}

/** An address with further parameters in its query. */
function withParameters(url: string, parameters: readonly Given[]): string {
  const query = parameters.flatMap(({ key, value }) =>
    // Variables stay as they are written.
    textOf(key)
      ? [`${textOf(key)}=${textOf(value) ?? ''}`.replace(/[\s#&]/g, encodeURIComponent)]
      : [],
  );
  if (query.length === 0) return url;
  const [, before = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(url) ?? [];
  return `${before}${before.includes('?') ? '&' : '?'}${query.join('&')}${fragment}`;
}

/** Those that Checkly sends for its types of bodies. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  JSON: 'application/json',
  GRAPHQL: 'application/json',
  FORM: 'application/x-www-form-urlencoded',
};

function bodyOf(
  request: Given,
  method: string,
  resolve: (value: unknown, what: string) => unknown,
  notes: Notes,
): unknown {
  const text = textOf(request['body']);
  if (!text || request['bodyType'] === 'NONE') return undefined;
  if (!takesBody(method)) {
    notes.change(`Its body is not sent with the method ${method}.`);
    return undefined;
  }
  const body = resolve(text, 'body');
  return isSecretValue(body) ? body : bodyUpTo(body, notes);
}

/** The inspection of its certificate, in the words of earlier and of today's API. */
function expiryOf(check: Given, url: string, notes: Notes) {
  const { enabled, alertThreshold } = objectOf(objectOf(check['alertSettings'])['sslCertificates']);
  if (!isOn(check['sslCheck']) && !isOn(enabled)) return {};
  if (!/^(?:https|\{\{)/i.test(url)) return {};
  const days = numberOf(alertThreshold) ?? 30;
  return expiryFields(notes, { ssl: days * 86_400 });
}

/** A certificate is watched beside a request for a page. */
function sslCheck(config: Given, request: Given, notes: Notes): Target | string {
  const host = hostTarget(config['hostname']) ?? '';
  const port = numberOf(config['port']) ?? 443;
  const address = `https://${host.includes(':') ? `[${host}]` : host}${port === 443 ? '' : `:${port}`}/`;
  const target = host === '' ? undefined : httpTarget(address, notes);
  if (target === undefined) return 'It names no host and port that Tocsin checks.';
  if (listOf(request['assertions']).length > 0)
    notes.change(
      'Its assertions are left out: Tocsin looks whether the certificate is good and how long it lasts.',
    );
  notes.change('It asks for the page as well, and takes any answer.');
  const days = numberOf(config['alertDaysBeforeExpiry']) ?? 30;
  return {
    type: 'http',
    fields: {
      url: target.url,
      ...expiryFields(notes, { ssl: days * 86_400 }),
      verify_ssl: isOn(config['skipChainValidation']) ? false : undefined,
      follow_redirects: false,
      accepted_status_codes: ['1xx', '2xx', '3xx', '4xx', '5xx'],
    },
  };
}

const UNITS: Readonly<Record<string, number>> = {
  seconds: 1,
  minutes: 60,
  hours: 3_600,
  days: 86_400,
};
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function heartbeat(given: Given, notes: Notes): Target {
  const seconds = (name: string) => {
    const count = numberOf(given[name]);
    const unit = UNITS[textOf(given[`${name}Unit`]) ?? ''];
    return count === undefined || unit === undefined ? undefined : count * unit;
  };
  const token = textOf(given['pingToken']) ?? '';
  if (!UUID.test(token)) notes.change(NEW_PING_URL);
  return {
    type: 'heartbeat',
    fields: {
      ...limited(notes, {
        heartbeat_interval: seconds('period'),
        heartbeat_grace: seconds('grace'),
      }),
      ping_aliases: UUID.test(token) ? [`/${token}`] : undefined,
    },
  };
}

function addMaintenance(given: Given, { draft }: Context, now: number): void {
  const notes = new Notes();
  const name = textOf(given['name']) ?? 'Maintenance';
  const [start, end] = [given['startsAt'], given['endsAt']].map((time) =>
    Date.parse(textOf(time) ?? ''),
  );
  const source = thing('maintenance window', given['id'], name);
  if (Number.isNaN(start! + end!))
    return draft.leaveOut(source, 'It has no time at which it begins and ends.');
  const once = new Date(start!).toISOString().slice(0, 19);
  const recurs = recurrenceOf(given, new Date(start!), notes);
  addWindow(draft, {
    source,
    notes,
    name,
    now,
    schedule: {
      timezone: 'UTC',
      durationSeconds: (end! - start!) / 1_000,
      ...(recurs === undefined ? { once } : { recurs }),
    },
    scope: { tags: tagsOf(listOf(given['tags']), notes) },
  });
}

/** Every N days, weeks or months from its start; undefined where it does not recur. */
function recurrenceOf(given: Given, start: Date, notes: Notes): Recurrence | undefined {
  const interval = Math.min(Math.max(Math.round(numberOf(given['repeatInterval']) ?? 1), 1), 1_000);
  const until = Date.parse(textOf(given['repeatEndsAt']) ?? '');
  const common = {
    minute: start.getUTCMinutes(),
    hours: [start.getUTCHours()],
    from: start.toISOString().slice(0, 10),
    until: Number.isNaN(until) ? undefined : new Date(until).toISOString().slice(0, 10),
  };
  switch (given['repeatUnit']) {
    case 'DAY':
      return { ...common, everyDays: interval };
    case 'WEEK':
      return { ...common, everyDays: 7 * interval };
    case 'MONTH': {
      if (12 % interval > 0) notes.change('It recurs in the same months of each year.');
      const months = Array.from({ length: 12 }, (_, month) => month).filter(
        (month) => (month - start.getUTCMonth()) % interval === 0,
      );
      const isYearly = interval > 1 && { months: months.map((month) => month + 1) };
      return { ...common, monthDays: [start.getUTCDate()], ...isYearly };
    }
    default:
      return undefined;
  }
}
