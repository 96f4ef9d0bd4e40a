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
  tagsOf,
  takesBody,
  type Target,
  typed,
} from './common.ts';
import { Draft } from './draft.ts';
import { ImportError, type Importer, type ImportSource, type Imported } from './importer.ts';
import { NEW_PING_URL, Notes, quoted, thing } from './notes.ts';
import { robotContacts, type Robot } from './robot-contacts.ts';
import { addRobotPages, addRobotWindows } from './robot-pages.ts';
import { parseAnswers, parseCsv } from './sources.ts';
import { isOn, listOf, numberOf, objectOf, textOf, type Given } from './values.ts';

const TAKES =
  'Give the CSV of Monitors, Export; or the answer of GET https://api.uptimerobot.com/v3/monitors?limit=200, or of POST https://api.uptimerobot.com/v2/getMonitors with custom_http_headers=1, custom_http_statuses=1, alert_contacts=1, mwindows=1 and http_request_details=1; more than one page one after another, or as a JSON list.';

/** UptimeRobot: its CSV, and the answers of versions 2 and 3 of its API (https://uptimerobot.com/api). */
export const uptimeRobot: Importer = {
  name: 'uptimerobot',
  title: 'UptimeRobot',
  takes: TAKES,
  read,
};

function read(file: ImportSource): Imported {
  const isJson = /^\uFEFF?\s*[[{]/.test(file.text);
  const { monitors, isWhole } = isJson ? fromAnswers(file) : fromCsv(file);
  const draft = new Draft('uptimerobot');
  const contacts = robotContacts(draft, monitors);
  const keys = new Map<string, string>();
  for (const robot of monitors) {
    const notes = new Notes();
    const source = thing('monitor', robot['id'], robotName(robot));
    const translated = translate(robot, notes);
    if (typeof translated === 'string') {
      draft.leaveOut(source, translated, notes);
      continue;
    }
    const group = textOf(robot['group_id'] ?? robot['monitor_group']) ?? '0';
    const fields = {
      friendly_name: nameOf(robotName(robot), 255, 'Monitor', notes),
      tags: tagsOf(
        listOf(robot['tags']).map((tag) => objectOf(tag)['name'] ?? tag),
        notes,
      ),
      group_id:
        group === '0' || group === '' ? undefined : draft.group(`UptimeRobot group ${group}`),
      is_paused: /^(0|paused)$/i.test(textOf(robot['status']) ?? '') ? true : undefined,
      ...translated.fields,
    };
    const key = draft.addMonitor(translated.type, { source, notes, fields });
    if (key !== null) keys.set(textOf(robot['id']) ?? '', key);
  }
  contacts.route(keys);
  addRobotWindows(draft, monitors, { keys, now: file.now });
  addRobotPages(draft, monitors, keys);
  if (!isWhole) draft.leaveOutPages();
  return draft.imported();
}

const robotName = (robot: Robot) => textOf(robot['friendly_name']) || textOf(robot['url']) || null;

/** Names of columns, as the API calls their content. */
const COLUMNS: Readonly<Record<string, string>> = {
  'friendly name': 'friendly_name',
  'monitor name': 'friendly_name',
  name: 'friendly_name',
  'url/ip': 'url',
  'url/ip/host': 'url',
  'url (or ip)': 'url',
  'keyword type': 'keyword_type',
  'keyword value': 'keyword_value',
  'alert contact': 'alert_contact',
  'alert contacts': 'alert_contact',
  'http username': 'http_username',
  'http password': 'http_password',
};

/** Seconds below which an interval was meant in minutes: UptimeRobot has no shorter ones. */
const SHORTEST_SECONDS = 30;

function fromCsv(source: ImportSource): { monitors: Robot[]; isWhole: boolean } {
  const records = parseCsv(source, ['friendly name', 'url/ip', 'monitor name', 'url'], TAKES);
  const monitors = records.map(({ line, cells }) => {
    const robot = Object.fromEntries(
      [...cells].map(([name, value]) => [COLUMNS[name] ?? name, value]),
    );
    const interval = numberOf(robot['interval']);
    // The form for many monitors has services in the one column, and the port of another one in a second.
    const isForm = robot['custom port'] !== undefined;
    return {
      type: 'http',
      ...robot,
      ...(isForm && { sub_type: robot['port'], port: robot['custom port'] }),
      id: robot['id'] ?? `in line ${line}`,
      interval: interval !== undefined && interval < SHORTEST_SECONDS ? interval * 60 : interval,
      tags: (robot['tags'] ?? '').split(/[,;|]/),
    };
  });
  return { monitors, isWhole: true };
}

function fromAnswers(source: ImportSource): { monitors: Robot[]; isWhole: boolean } {
  const { answers } = parseAnswers(source, TAKES);
  const failed = answers.find(({ stat }) => stat !== undefined && stat !== 'ok');
  if (failed !== undefined) {
    const message = textOf(objectOf(failed['error'])['message']) ?? 'no reason';
    throw new ImportError(
      `${source.file} is an error that UptimeRobot answered (${quoted(message)}), not a list of monitors. ${TAKES}`,
    );
  }
  const pages = answers.map((answer) => answer['monitors'] ?? answer['data']);
  const isList =
    answers.length > 0 && pages.every((page) => page === undefined) && answers.every(isMonitor);
  if (!isList && !pages.every(Array.isArray))
    throw new ImportError(`${source.file} has no list of monitors of UptimeRobot. ${TAKES}`);
  const monitors = (isList ? answers : pages.flat()).map((one) => robotOf(objectOf(one)));
  const last = objectOf(answers.at(-1));
  const total = numberOf(objectOf(last['pagination'])['total']) ?? 0;
  return { monitors, isWhole: total <= monitors.length && !textOf(last['nextLink']) };
}

const isMonitor = (value: unknown) => {
  const robot = objectOf(value);
  return robot['type'] !== undefined && ('friendly_name' in robot || 'friendlyName' in robot);
};

/** Version 3 has the names of version 2 in another spelling, and some of its own. */
const RENAMED: Readonly<Record<string, string>> = {
  authType: 'http_auth_type',
  httpMethodType: 'http_method',
  postValueData: 'post_value',
  customHttpHeaders: 'custom_http_headers',
  checkSSLErrors: 'checks_certificate',
};

function robotOf(answered: Robot): Robot {
  return Object.fromEntries(
    Object.entries(answered).map(([name, value]) => [
      Object.hasOwn(RENAMED, name)
        ? RENAMED[name]!
        : name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

/** What a monitor becomes; a sentence when it has no counterpart. */
function translate(robot: Robot, notes: Notes): Target | string {
  const type = (textOf(robot['type']) ?? '')
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
  switch (type) {
    case '1':
    case 'http':
    case 'https':
    case 'httphttps':
      return http(robot, notes, {});
    case '2':
    case 'keyword':
      return http(robot, notes, keywordOf(robot, notes));
    case 'api':
      return http(robot, notes, assertionsOf(robot, notes));
    case '3':
    case 'ping':
      return {
        type: 'ping',
        fields: { ...checkFields(robot, notes), url: hostTarget(robot['url']) },
      };
    case '4':
    case 'port':
      return port(robot, notes);
    case '5':
    case 'heartbeat':
      return heartbeat(robot, notes);
    case 'dns':
      return 'Tocsin watches the DNS records of a host that it checks as well: turn on the check type dns of a monitor of that host.';
    default:
      return `Tocsin has no monitors of the type ${quoted(textOf(robot['type']) || 'none')}.`;
  }
}

/** Seconds; its export has none. */
function intervalOf(robot: Robot, notes: Notes): number {
  const interval = numberOf(robot['interval']);
  if (interval === undefined)
    notes.change('Its interval is not in the file: it is 5 minutes until you set it.');
  return interval ?? 300;
}

/** UptimeRobot looks again from other places before it says that a monitor is down, as two rounds do here. */
function checkFields(robot: Robot, notes: Notes): Given {
  const timeout = numberOf(robot['timeout']);
  const slow = numberOf(robot['response_time_threshold']);
  return limited(notes, {
    check_interval: intervalOf(robot, notes),
    request_timeout: timeout || undefined,
    slow_response_threshold: slow ? slow / 1000 : undefined,
  });
}

/** Ports of the services that a port monitor of version 2 may name by their numbers. */
const SERVICE_PORTS = [undefined, 80, 443, 21, 25, 110, 143];

function port(robot: Robot, notes: Notes): Target | string {
  if (textOf(robot['port_alert_condition']) === 'OPEN')
    return 'It is down while the port is open: Tocsin has no such monitors.';
  const number = numberOf(robot['port']) ?? SERVICE_PORTS[numberOf(robot['sub_type']) ?? 0];
  const fields = { url: hostTarget(robot['url']), ...limited(notes, { port: number }) };
  return { type: 'port', fields: { ...checkFields(robot, notes), ...fields } };
}

function heartbeat(robot: Robot, notes: Notes): Target {
  const address = URL.parse(textOf(robot['url']) ?? '');
  const isAlias = address !== null && /^\/m\d+-[\da-zA-Z]{16,128}$/.test(address.pathname);
  if (!isAlias) notes.change(NEW_PING_URL);
  return {
    type: 'heartbeat',
    fields: {
      ...limited(notes, {
        heartbeat_interval: intervalOf(robot, notes),
        heartbeat_grace: numberOf(robot['grace_period']),
      }),
      ping_aliases: isAlias ? [address.pathname] : undefined,
    },
  };
}

function http(robot: Robot, notes: Notes, content: Given): Target {
  const target = httpTarget(robot['url'], notes);
  const isHttps = /^https:/i.test(target?.url ?? '');
  const config = objectOf(robot['config']);
  const hasSsl = isHttps && isOn(robot['ssl_expiration_reminder']);
  const hasDomain = isOn(robot['domain_expiration_reminder']);
  const sslDays = listOf(config['sslExpirationPeriodDays']).flatMap((day) => numberOf(day) ?? []);
  const retries = numberOf(config['applicationErrorRetries']);
  const most = sslDays.length > 0 ? Math.max(...sslDays.slice(0, 100)) * 86_400 : null;
  const statuses = statusesOf(robot);
  return {
    type: 'http',
    fields: {
      ...checkFields(robot, notes),
      url: target?.url,
      ...requestFields(robot, content, notes),
      ...target?.credentials,
      ...signIn(robot, notes),
      ...content,
      accepted_status_codes: statuses.length === 0 ? undefined : statusCodesOf(statuses, notes),
      follow_redirects: robot['follow_redirections'] === false ? false : undefined,
      verify_ssl:
        isOn(robot['ignore_ssl_errors']) || robot['checks_certificate'] === false
          ? false
          : undefined,
      ...expiryFields(notes, {
        ssl: hasSsl ? most : undefined,
        domain: hasDomain ? null : undefined,
      }),
      ...limited(notes, { failure_threshold: (retries ?? NaN) + 1 }),
    },
  };
}

/** Version 3 has a list, version 2 texts such as `404:0_200:1`, where 1 is up, or an object of lists. */
function statusesOf(robot: Robot): unknown[] {
  const list = listOf(robot['success_http_response_codes']);
  if (list.length > 0) return list;
  const custom = robot['custom_http_statuses'];
  const up = listOf(objectOf(custom)['up']);
  if (up.length > 0) return up;
  const pairs = (textOf(custom) ?? '').split('_').map((pair) => pair.split(':'));
  return pairs.flatMap(([code, isUp]) => (isUp === '1' ? [code] : []));
}

/** Numbers of methods in version 2. */
const METHODS = ['', 'HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function requestFields(robot: Robot, content: object, notes: Notes): Given {
  const given = (textOf(robot['http_method']) ?? '').toUpperCase();
  const method = METHODS[numberOf(given) ?? -1] ?? given;
  // What is looked for in an answer needs one.
  const isAsked = method === 'HEAD' && Object.keys(content).length > 0;
  const isKnown = method !== '' && METHODS.includes(method) && !isAsked;
  const value = robot['post_value'];
  const isJson = typeof value === 'object' && value !== null;
  const text = isJson ? jsonText(value) : value;
  const isSent = takesBody(method);
  const body = bodyUpTo(text, notes);
  if (body !== undefined && !isSent) notes.change('Its body is left out: its method has none.');
  const sent = Object.entries(objectOf(robot['custom_http_headers']));
  const type = isSent && body ? contentTypeOf(robot, isJson) : undefined;
  return {
    http_method: isKnown && method !== 'GET' ? method : undefined,
    request_body: isSent ? body : undefined,
    request_headers: headersOf(typed(sent, type), notes),
  };
}

function contentTypeOf(robot: Robot, isJson: boolean): string {
  const isRaw =
    isJson ||
    textOf(robot['post_value_type']) === 'RAW_JSON' ||
    numberOf(robot['post_content_type']) === 1;
  return isRaw ? 'application/json' : 'application/x-www-form-urlencoded';
}

/** Undefined for what is too deep to be written. */
function jsonText(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function signIn(robot: Robot, notes: Notes): Given {
  const { http_username: user, http_password: password } = robot;
  const type = (textOf(robot['http_auth_type']) ?? '').toUpperCase();
  if (type === 'NONE') return {};
  if (type === 'BEARER') return { ...bearer(password, notes) };
  const credentials = basic(user, password, notes);
  if (credentials === undefined) return {};
  return type === '2' || type === 'DIGEST'
    ? { ...credentials, auth_type: 'digest' }
    : { ...credentials };
}

/** The keyword is one that makes the monitor down when it exists, or when it does not. */
function keywordOf(robot: Robot, notes: Notes): Given {
  const phrase = phraseUpTo(robot['keyword_value'], notes);
  if (phrase === undefined) return {};
  const type = (textOf(robot['keyword_type']) ?? '').trim();
  const isUnwanted = /^(1|exists|alert_exists|alert when exists)$/i.test(type);
  const isExact = !/^(1|caseinsensitive|case insensitive)$/i.test(
    textOf(robot['keyword_case_type']) ?? '0',
  );
  const mode = isUnwanted ? 'must_not_contain' : 'must_contain';
  return { keyword_settings: { keywords: [{ phrase, mode, case_sensitive: isExact }] } };
}

const COMPARISONS: Readonly<Record<string, string>> = {
  equals: 'equals',
  not_equals: 'not_equals',
  contains: 'contains',
  not_contains: 'not_contains',
  greater_than: 'gt',
  less_than: 'lt',
};

function assertionsOf(robot: Robot, notes: Notes): Given {
  const { logic, checks } = objectOf(objectOf(robot['config'])['apiAssertions']);
  const all = listOf(checks).map(objectOf);
  const isAny = logic === 'OR' && all.length > 1;
  const assertions = all.flatMap(({ property, comparison, target }) => {
    const path = textOf(property) ?? '';
    const isNull = comparison === 'is_null' || comparison === 'is_not_null';
    const operator = isNull
      ? comparison === 'is_null'
        ? 'equals'
        : 'not_equals'
      : COMPARISONS[textOf(comparison) ?? ''];
    const value = isNull ? null : target;
    const isScalar = value === null || textOf(value) !== undefined;
    return operator === undefined || !path.startsWith('$') || !isScalar
      ? []
      : [{ path, operator, value }];
  });
  if (isAny || assertions.length < all.length)
    notes.change(
      'Not all of its assertions are imported: Tocsin has those of JSON paths, of which all must hold.',
    );
  return isAny || assertions.length === 0 ? {} : { json_assertion_settings: { assertions } };
}
