import { isSecretValue } from '../document.ts';
import {
  bodyUpTo,
  expiryFields,
  headersOf,
  hostTarget,
  httpTarget,
  limited,
  methodOf,
  nameOf,
  tagsOf,
  takesBody,
  type Target,
  typed,
} from './common.ts';
import { Draft } from './draft.ts';
import { secondsOf } from './duration.ts';
import { GATUS_VARIABLES, GatusAlerts } from './gatus-alerts.ts';
import { readConditions, type Expectations } from './gatus-conditions.ts';
import { ImportError, START, type Importer } from './importer.ts';
import { DNS_PORT_ONLY, Notes, portOnly, quoted, thing } from './notes.ts';
import * as variables from './variables.ts';
import { addDailyWindow } from './windows.ts';
import { parseYaml } from './yaml-source.ts';
import { isOn, listOf, numberOf, objectOf, textOf, type Given } from './values.ts';

const EXPECTED =
  'Give the configuration of Gatus, such as config/config.yaml, with its list of endpoints.';
/** `services` is the name of endpoints before version 3. */
const LISTS = ['endpoints', 'services', 'external-endpoints', 'suites'] as const;

/**
 * Gatus: https://github.com/TwiN/gatus, of which the README and config/ of version 5 were read in November 2026.
 */
export const gatus: Importer = {
  name: 'gatus',
  title: 'Gatus',
  takes:
    'Give its configuration in YAML, such as config/config.yaml. Put several files into one, with a line `---` between them. A ConfigMap of Kubernetes with the configuration works, too.',
  read(source) {
    const documents = parseYaml(source, EXPECTED).map(objectOf);
    const all = (name: string) =>
      documents.flatMap((document) => listOf(document[name])).map(objectOf);
    if (!documents.some((document) => [...LISTS, 'alerting'].some((name) => name in document)))
      throw new ImportError(`${source.file} has no endpoints. ${EXPECTED}`, START);
    const draft = new Draft('gatus');
    const alerting = Object.assign(
      {},
      ...documents.map(({ alerting: one }) => objectOf(one)),
    ) as object;
    const alerts = new GatusAlerts(draft, alerting as Given);
    const context: Context = { draft, alerts, now: source.now, monitors: [] };
    for (const endpoint of [...all('endpoints'), ...all('services')])
      addEndpoint(endpoint, context);
    for (const endpoint of all('external-endpoints')) addExternal(endpoint, context);
    for (const suite of all('suites'))
      draft.leaveOut(
        thing('suite', null, suite['name']),
        'Tocsin does not run several requests one after another.',
      );
    alerts.channels.addRoutes();
    for (const { maintenance } of documents)
      addMaintenance(objectOf(maintenance), 'Maintenance', context.monitors, context);
    return draft.imported();
  },
};

const hasVariable = (value: unknown) => variables.hasVariable(value, GATUS_VARIABLES);
const resolved = (value: unknown, place: string[], notes: Notes) =>
  variables.resolved(value, { syntax: GATUS_VARIABLES, place, notes });

interface Context {
  draft: Draft;
  alerts: GatusAlerts;
  now: number;
  /** Keys of those that were added. */
  monitors: string[];
}

/** What monitors of all types have. */
function commonFields(endpoint: Given, { draft }: Context, notes: Notes) {
  const group = textOf(endpoint['group'])?.trim();
  const labels = Object.entries(objectOf(endpoint['extra-labels']));
  return {
    friendly_name: nameOf(endpoint['name'], 255, 'Endpoint', notes),
    group_id: group ? draft.group(group) : undefined,
    tags: tagsOf(
      labels.map(([name, value]) => `${name}:${textOf(value) ?? ''}`),
      notes,
    ),
    is_paused: endpoint['enabled'] !== undefined && !isOn(endpoint['enabled']) ? true : undefined,
  };
}

function addEndpoint(endpoint: Given, context: Context): void {
  const { draft, alerts } = context;
  const notes = new Notes();
  const source = thing('endpoint', null, endpoint['name']);
  const target = targetOf(endpoint, notes);
  if (typeof target === 'string') return draft.leaveOut(source, target, notes);
  const client = objectOf(endpoint['client']);
  remarkOnClient(client, notes);
  const expected = readConditions(conditionsOf(endpoint, target.type, notes), notes);
  const { thresholds, routing } = alerts.read(endpoint, notes);
  const fields = {
    ...commonFields(endpoint, context, notes),
    ...target.fields,
    ...(target.type === 'http' && httpFields(endpoint, expected, notes)),
    ...limited(notes, {
      check_interval: secondsOf(endpoint['interval'] ?? '60s') ?? 60,
      request_timeout: secondsOf(client['timeout']),
      slow_response_threshold: expected.slow,
      failure_threshold: thresholds.failure,
      recovery_threshold: thresholds.recovery,
    }),
    ...expiryOf(target, expected, notes),
  };
  const key = draft.addMonitor(target.type, { source, notes, fields });
  if (key === null) return;
  alerts.channels.route({ key, ...routing });
  context.monitors.push(key);
  for (const [index, window] of listOf(endpoint['maintenance-windows']).entries())
    addMaintenance(objectOf(window), `${fields.friendly_name} ${index + 1}`, [key], context);
}

/** What an endpoint asks; a text says why Tocsin can't. */
function targetOf(endpoint: Given, notes: Notes): Target | string {
  const written = textOf(endpoint['url'])?.trim() ?? '';
  const name = textOf(endpoint['name']) ?? 'endpoint';
  if (Object.keys(objectOf(endpoint['dns'])).length > 0) return dnsTarget(written, notes);
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/(.*)$/is.exec(written) ?? [];
  switch (scheme.toLowerCase()) {
    case 'http':
    case 'https':
    case '': {
      const url = resolved(written, [name, 'url'], notes);
      if (isSecretValue(url)) return { type: 'http', fields: { url } };
      const target = scheme === '' ? undefined : httpTarget(url, notes);
      if (target === undefined) return 'Its url is not one that Tocsin checks.';
      return { type: 'http', fields: { url: target.url, ...target.credentials } };
    }
    case 'icmp':
      return { type: 'ping', fields: { url: hostOf(rest, name, notes) } };
    case 'tls':
    case 'starttls':
      notes.change('It checks whether its port opens: Tocsin asks for certificates of https only.');
      return portTarget(rest, name, notes);
    case 'ssh':
    case 'grpc':
    case 'grpcs':
    case 'ws':
    case 'wss':
      notes.change(portOnly(scheme.toLowerCase()));
      return portTarget(rest, name, notes, { ssh: 22, ws: 80, wss: 443 }[scheme.toLowerCase()]);
    case 'tcp':
      return portTarget(rest, name, notes);
    default:
      return `Tocsin does not check ${scheme.toLowerCase()}.`;
  }
}

function portTarget(rest: string, name: string, notes: Notes, standard?: number): Target {
  const [authority = ''] = rest.split(/[/?#]/, 1);
  const [, host = '', port] = /^(.*?)(?::(\d{1,5}))?$/s.exec(authority) ?? [];
  const number = numberOf(port) ?? standard;
  return { type: 'port', fields: { url: number && hostOf(host, name, notes), port: number } };
}

const hostOf = (host: string, name: string, notes: Notes) =>
  hasVariable(host) ? resolved(host, [name, 'host'], notes) : hostTarget(host);

function dnsTarget(server: string, notes: Notes): Target | string {
  const [, host = '', port = '53'] = /^(?:[a-z]+:\/\/)?(.*?)(?::(\d{1,5}))?$/i.exec(server) ?? [];
  const url = hostOf(host, 'dns server', notes);
  if (url === undefined) return 'It names no DNS server.';
  notes.change(DNS_PORT_ONLY);
  return { type: 'port', fields: { url, port: Number(port) } };
}

/** Without those that a port or a host can't meet, and those that any answer meets. */
function conditionsOf(endpoint: Given, type: string, notes: Notes): unknown[] {
  const conditions = listOf(endpoint['conditions']);
  const isDns = Object.keys(objectOf(endpoint['dns'])).length > 0;
  const known = conditions.filter((condition) => {
    const text = textOf(condition) ?? '';
    if (hasVariable(text)) {
      notes.change(`Its condition ${quoted(text)} is left out: it holds a variable.`);
      return false;
    }
    // What became of a DNS query is said once.
    if (isDns) return text.includes('[RESPONSE_TIME]');
    if (type === 'http' || !/\[(?:STATUS|BODY)\]/i.test(text)) return true;
    notes.change(
      `Its condition ${quoted(text)} is left out: a ${type} monitor gets no such answer.`,
    );
    return false;
  });
  return known.map((condition) => textOf(condition)?.replaceAll('$$', '$'));
}

function httpFields(endpoint: Given, expected: Expectations, notes: Notes) {
  const client = objectOf(endpoint['client']);
  const name = textOf(endpoint['name']) ?? 'endpoint';
  const { http_method } = methodOf(endpoint['method'], notes);
  const { accepted_status_codes: codes, content } = expected;
  return {
    http_method,
    request_headers: headers(endpoint, name, notes),
    request_body: body(endpoint, name, http_method ?? 'GET', notes),
    accepted_status_codes: codes.length === 0 ? undefined : codes,
    ...content.fields(notes),
    verify_ssl: isOn(client['insecure']) ? false : undefined,
    follow_redirects: isOn(client['ignore-redirect']) ? false : undefined,
  };
}

function headers(endpoint: Given, name: string, notes: Notes) {
  const given = Object.entries(objectOf(endpoint['headers'])).map(
    ([header, value]) => [header, resolved(value, [name, header], notes)] as const,
  );
  return headersOf(typed(given, isOn(endpoint['graphql']) ? 'application/json' : undefined), notes);
}

const PLACEHOLDER =
  /\[(ENDPOINT_NAME|ENDPOINT_GROUP|ENDPOINT_URL|LOCAL_ADDRESS|RANDOM_STRING_\d+)\]/g;

function body(endpoint: Given, name: string, method: string, notes: Notes) {
  const text = textOf(endpoint['body']);
  if (text === undefined || text === '') return undefined;
  if (!takesBody(method)) {
    notes.change(`Its body is not sent with the method ${method}.`);
    return undefined;
  }
  const filled = text.replace(PLACEHOLDER, (placeholder, word: string) => {
    const value = textOf(endpoint[word.replace('ENDPOINT_', '').toLowerCase()]);
    if (value === undefined) notes.change(`${placeholder} in its body is sent as it is.`);
    return value ?? placeholder;
  });
  const whole = isOn(endpoint['graphql']) ? JSON.stringify({ query: filled }) : filled;
  const read = resolved(whole, [name, 'body'], notes);
  return isSecretValue(read) ? read : bodyUpTo(read, notes);
}

/** The inspections of certificates and registrations that conditions demand. */
function expiryOf({ type, fields }: Target, { certificate, domain }: Expectations, notes: Notes) {
  const isHttps = type === 'http' && !/^http:/i.test(textOf(fields['url']) ?? '');
  if (certificate !== undefined && !isHttps)
    notes.change('Its certificate is not watched: Tocsin does that for https only.');
  const [ssl, registration] = [isHttps ? certificate : undefined, domain].map(
    (seconds) => seconds && Math.ceil(seconds / 86_400) * 86_400,
  );
  if (ssl !== undefined || registration !== undefined)
    notes.remark('What expires soon is an incident of its own, and does not make it offline.');
  return expiryFields(notes, { ssl, domain: registration });
}

const UNKNOWN_CLIENT = {
  'proxy-url': 'through a proxy',
  'dns-resolver': 'by a DNS resolver of its own',
  oauth2: 'with a token by OAuth 2',
  'identity-aware-proxy': 'through an identity-aware proxy',
  tls: 'with a certificate of its own',
  tunnel: 'through an SSH tunnel',
} as const;

function remarkOnClient(client: Given, notes: Notes): void {
  for (const [name, words] of Object.entries(UNKNOWN_CLIENT)) {
    if (client[name] != null && client[name] !== '')
      notes.change(`It is no longer checked ${words}.`);
  }
}

/** An endpoint whose status another program reports: a heartbeat, if Gatus minds its silence. */
function addExternal(endpoint: Given, context: Context): void {
  const { draft, alerts } = context;
  const notes = new Notes();
  const source = thing('external endpoint', null, endpoint['name']);
  const seconds = secondsOf(objectOf(endpoint['heartbeat'])['interval']);
  if (!seconds)
    return draft.leaveOut(
      source,
      'It has no heartbeat interval, by which Tocsin would notice its silence.',
    );
  notes.change('Its program must report to the new ping URL instead.');
  const { routing } = alerts.read(endpoint, notes);
  const fields = {
    ...commonFields(endpoint, context, notes),
    ...limited(notes, { heartbeat_interval: seconds }),
    heartbeat_grace: 0,
  };
  const key = draft.addMonitor('heartbeat', { source, notes, fields });
  if (key !== null) {
    alerts.channels.route({ key, ...routing });
    context.monitors.push(key);
  }
}

function addMaintenance(
  given: Given,
  name: string,
  monitors: readonly string[],
  { draft, now }: Context,
): void {
  if (
    Object.keys(given).length === 0 ||
    (given['enabled'] !== undefined && !isOn(given['enabled']))
  )
    return;
  const window = {
    name,
    start: textOf(given['start']) ?? '',
    seconds: secondsOf(given['duration']) ?? 0,
    timezone: textOf(given['timezone']) ?? 'UTC',
    days: listOf(given['every']).map((day) => textOf(day) ?? ''),
    monitors,
  };
  addDailyWindow(draft, thing('maintenance', null, name), window, now);
}
