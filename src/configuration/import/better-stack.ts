import { isTimeZone } from '../../lib/time-zone.ts';
import {
  basic,
  bodyUpTo,
  expiryFields,
  headersOf,
  hostTarget,
  httpTarget,
  limited,
  methodOf,
  nameOf,
  phraseUpTo,
  roundsLasting,
  statusCodesOf,
  takesBody,
  type Target,
} from './common.ts';
import { Draft } from './draft.ts';
import { ImportError, START, type Importer } from './importer.ts';
import {
  ANY_REGION,
  DNS_PORT_ONLY,
  NEW_PING_URL,
  Notes,
  portOnly,
  quoted,
  thing,
} from './notes.ts';
import { hasAllPages, parseAnswers } from './sources.ts';
import { addPage, type PageService } from './status-pages.ts';
import { addDailyWindow, type DailyWindow } from './windows.ts';
import { isOn, listOf, numberOf, objectOf, textOf, type Given } from './values.ts';

const EXPECTED =
  'Give the answers of its API, such as that of https://uptime.betterstack.com/api/v2/monitors.';

/** An entry of an answer (JSON:API). */
interface Resource {
  id: string;
  attributes: Given;
}

/**
 * Better Stack Uptime: https://betterstack.com/docs/uptime/api, and the schemas of its Terraform provider, read in
 * November 2026.
 */
export const betterStack: Importer = {
  name: 'better-stack',
  title: 'Better Stack',
  takes:
    'Give the answers of its API, one after another in a file: /api/v2/monitors, /heartbeats, /monitor-groups, /heartbeat-groups, /status-pages and, of each status page, /sections and /resources, each with all pages.',
  read(source) {
    const { answers, entries } = parseAnswers(source, EXPECTED);
    // What two pages have in common counts once.
    const ofType = (type: string): Resource[] => [
      ...new Map(
        entries
          .filter((one) => one['type'] === type)
          .map(({ id, attributes }) => ({ id: textOf(id) ?? '', attributes: objectOf(attributes) }))
          .map((resource) => [resource.id, resource]),
      ).values(),
    ];
    if (!TYPES.some((type) => ofType(type).length > 0))
      throw new ImportError(
        `${source.file} has no answer of Better Stack in it. ${EXPECTED}`,
        START,
      );
    const context: Context = {
      draft: new Draft('better-stack'),
      keys: new Map(),
      windows: new Map(),
      groups: new Map(),
      usedGroups: new Set(),
    };
    for (const type of ['monitor_group', 'heartbeat_group'] as const)
      for (const { id, attributes } of ofType(type))
        context.groups.set(`${type} ${id}`, nameOf(attributes['name'], 60, 'Group', new Notes()));
    const [monitors, heartbeats] = [ofType('monitor'), ofType('heartbeat')];
    for (const monitor of monitors) addMonitor(monitor, context);
    for (const heartbeat of heartbeats) addHeartbeat(heartbeat, context);
    reportGroups(context);
    if ([...monitors, ...heartbeats].some(({ attributes }) => notifiesPeople(attributes)))
      context.draft.leaveOut(
        'on-call people and escalation policies',
        'Who is notified is not imported: set up alert channels and routes by hand.',
      );
    for (const window of context.windows.values())
      addDailyWindow(context.draft, thing('maintenance', null, window.name), window, source.now);
    addPages(
      ofType('status_page'),
      ofType('status_page_section'),
      ofType('status_page_resource'),
      context,
    );
    const pages = answers.map(({ pagination }) => {
      const { first, last, next } = objectOf(pagination);
      const count = numberOf(/[?&]page=(\d+)/.exec(textOf(last) ?? '')?.[1]) ?? 1;
      return { list: textOf(first) ?? '', page: textOf(next) ?? '', count };
    });
    if (!hasAllPages(pages)) context.draft.leaveOutPages();
    return context.draft.imported();
  },
};

const TYPES = ['monitor', 'heartbeat', 'monitor_group', 'heartbeat_group', 'status_page'];

interface Context {
  draft: Draft;
  /** Keys of monitors by what they are of: `Monitor 12`, `MonitorGroup 3`. */
  keys: Map<string, string[]>;
  /** By what they have in common. */
  windows: Map<string, DailyWindow & { monitors: string[] }>;
  /** Names by `monitor_group 12`. */
  groups: Map<string, string>;
  /** Groups that monitors are in, the same way. */
  usedGroups: Set<string>;
}

/** The key of a group. @param type such as `monitor_group`, whose field is `monitor_group_id`. */
function groupOf(type: string, given: Given, context: Context) {
  const id = textOf(given[`${type}_id`]) ?? '';
  if (id === '') return undefined;
  context.usedGroups.add(`${type} ${id}`);
  const name = context.groups.get(`${type} ${id}`);
  return name === undefined ? undefined : context.draft.group(name);
}

function reportGroups({ draft, groups, usedGroups }: Context): void {
  if ([...usedGroups].some((group) => !groups.has(group)))
    draft.leaveOut(
      'groups',
      'The file has not all groups of its monitors: add the answers of /monitor-groups and /heartbeat-groups.',
    );
  for (const [group, name] of groups)
    if (!usedGroups.has(group))
      draft.leaveOut(thing(group.replace('_', ' '), null, name), 'It has no imported monitor.');
}

const notifiesPeople = (given: Given) =>
  Boolean(given['policy_id']) || ['call', 'sms', 'email', 'push'].some((way) => isOn(given[way]));

/** The number of regions that there are. */
const REGIONS = 4;

function addMonitor({ id, attributes: given }: Resource, context: Context): void {
  const notes = new Notes();
  const name =
    textOf(given['pronounceable_name']) || (textOf(given['url'] ?? given['scenario_name']) ?? null);
  const source = thing('monitor', id, name);
  const type = textOf(given['monitor_type']) ?? 'status';
  const targets = targetsOf(type, given, notes);
  if (typeof targets === 'string') return context.draft.leaveOut(source, targets, notes);
  const isHttp = targets[0]?.type === 'http';
  const timeout = numberOf(given['request_timeout']);
  const frequency = numberOf(given['check_frequency']) ?? 180;
  if (given['proxy_host']) notes.change('It is no longer checked through a proxy.');
  if (given['ip_version']) notes.change('It is checked over any version of IP.');
  const regions = listOf(given['regions']).length;
  if (regions > 0 && regions < REGIONS) notes.change(ANY_REGION);
  for (const target of targets) {
    const fields = {
      friendly_name: nameOf(`${name ?? ''}${target.suffix ?? ''}`, 255, 'Monitor', notes),
      ...target.fields,
      ...(isHttp && httpFields(type, given, notes)),
      group_id: groupOf('monitor_group', given, context),
      // Timeouts in milliseconds for servers and ports.
      ...limited(notes, {
        check_interval: frequency,
        request_timeout: timeout && timeout / (isHttp ? 1 : 1_000),
      }),
      ...thresholds(given, notes),
      is_paused: isPaused(given) || undefined,
    };
    const key = context.draft.addMonitor(target.type, { source, notes, fields });
    if (key === null) continue;
    const groupId = textOf(given['monitor_group_id']);
    remember(context, [`Monitor ${id}`, ...(groupId ? [`MonitorGroup ${groupId}`] : [])], key);
    planMaintenance(given, key, context);
  }
}

function remember({ keys }: Context, names: readonly string[], key: string): void {
  for (const name of names) keys.set(name, [...(keys.get(name) ?? []), key]);
}

interface NamedTarget extends Target {
  /** Of its name, where one of theirs becomes several of ours. */
  suffix?: string;
}

/** What a monitor asks; a text says why Tocsin can't. */
function targetsOf(type: string, given: Given, notes: Notes): NamedTarget[] | string {
  const url = given['url'];
  switch (type) {
    case 'status':
    case 'expected_status_code':
    case 'keyword':
    case 'keyword_absence': {
      const target = httpTarget(url, notes);
      if (target === undefined) return `Its url is not one that Tocsin checks.`;
      const own = basic(given['auth_username'], given['auth_password'], notes);
      return [{ type: 'http', fields: { url: target.url, ...(own ?? target.credentials) } }];
    }
    case 'ping':
      return [{ type: 'ping', fields: { url: hostTarget(url) } }];
    case 'dns':
      notes.change(DNS_PORT_ONLY);
      return [{ type: 'port', fields: { url: hostTarget(url), port: 53 } }];
    case 'smtp':
    case 'pop':
    case 'imap':
      notes.change(portOnly(type));
      return portTargets(url, given['port']);
    case 'tcp':
      return portTargets(url, given['port']);
    case 'playwright':
      return 'Tocsin runs no browser.';
    default:
      return `Tocsin does not check ${quoted(type)}.`;
  }
}

/** One monitor a port: mail servers may have several, such as `25,465`. */
function portTargets(url: unknown, ports: unknown): NamedTarget[] {
  const all = [...new Set((textOf(ports) ?? '').split(',').map((port) => port.trim()))].slice(
    0,
    10,
  );
  return all.map((port) => ({
    type: 'port',
    fields: { url: hostTarget(url), port: numberOf(port) },
    suffix: all.length > 1 ? ` ${port}` : '',
  }));
}

function httpFields(type: string, given: Given, notes: Notes) {
  const { method, http_method } = methodOf(given['http_method'], notes);
  const keyword = phraseUpTo(given['required_keyword'], notes);
  const mode = type === 'keyword' ? 'must_contain' : 'must_not_contain';
  const headers = listOf(given['request_headers'])
    .map(objectOf)
    .map(({ name, value }) => [textOf(name) ?? '', value] as const);
  return {
    http_method,
    accepted_status_codes:
      type === 'status'
        ? ['2xx']
        : type === 'expected_status_code'
          ? statusCodesOf(listOf(given['expected_status_codes']), notes)
          : undefined,
    keyword_settings:
      type.startsWith('keyword') && keyword !== undefined
        ? { keywords: [{ phrase: keyword, mode }] }
        : undefined,
    request_headers: headersOf(headers, notes),
    request_body: takesBody(method) ? bodyUpTo(given['request_body'], notes) : undefined,
    follow_redirects: given['follow_redirects'] === false ? false : undefined,
    verify_ssl: given['verify_ssl'] === false ? false : undefined,
    ...expiryFields(notes, { ssl: daysOf(given, 'ssl'), domain: daysOf(given, 'domain') }),
  };
}

/** Seconds before something expires; undefined where nobody is warned. */
function daysOf(given: Given, name: string): number | undefined {
  const days = numberOf(given[`${name}_expiration`]) ?? 0;
  return days > 0 ? days * 86_400 : undefined;
}

/** Better Stack waits seconds before an incident begins and ends; Tocsin counts rounds. */
function thresholds(given: Given, notes: Notes) {
  const rounds = (name: string) => {
    const seconds = numberOf(given[name]) ?? 0;
    return seconds > 0 ? roundsLasting(seconds, name, notes) : undefined;
  };
  const failure_threshold = rounds('confirmation_period');
  return limited(notes, { failure_threshold, recovery_threshold: rounds('recovery_period') });
}

const isPaused = ({ paused_at: at, paused, status }: Given) =>
  (textOf(at) ?? '') !== '' || isOn(paused) || status === 'paused';

function addHeartbeat({ id, attributes: given }: Resource, context: Context): void {
  const notes = new Notes();
  const groupId = textOf(given['heartbeat_group_id']) ?? '';
  const path = /\/api\/v1\/heartbeat\/[\da-zA-Z]{16,128}$/.exec(textOf(given['url']) ?? '')?.[0];
  if (path === undefined) notes.change(NEW_PING_URL);
  const fields = {
    friendly_name: nameOf(given['name'], 255, 'Heartbeat', notes),
    group_id: groupOf('heartbeat_group', given, context),
    ...limited(notes, {
      heartbeat_interval: numberOf(given['period']),
      heartbeat_grace: numberOf(given['grace']),
    }),
    ping_aliases: path === undefined ? undefined : [path],
    is_paused: isPaused(given) || undefined,
  };
  const source = thing('heartbeat', id, given['name']);
  const key = context.draft.addMonitor('heartbeat', { source, notes, fields });
  if (key === null) return;
  remember(context, [`Heartbeat ${id}`, ...(groupId ? [`HeartbeatGroup ${groupId}`] : [])], key);
  planMaintenance(given, key, context);
}

/** The window of each day that a monitor has; those alike become one. */
function planMaintenance(given: Given, key: string, { windows }: Context): void {
  const [from, to] = [
    textOf(given['maintenance_from']) ?? '',
    textOf(given['maintenance_to']) ?? '',
  ];
  if (from === '' || to === '') return;
  const timezone = ianaZone(textOf(given['maintenance_timezone']) ?? 'UTC');
  const days = listOf(given['maintenance_days']).map((day) => textOf(day) ?? '');
  const id = JSON.stringify([from, to, timezone, days]);
  const seconds = (secondsOfDay(to) - secondsOfDay(from) + 86_400) % 86_400 || 86_400;
  const window = windows.get(id) ?? {
    name: `Maintenance from ${from.slice(0, 5)}`,
    start: from,
    seconds,
    timezone,
    days,
    monitors: [],
  };
  window.monitors.push(key);
  windows.set(id, window);
}

function secondsOfDay(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 3_600 + minutes * 60;
}

/** Names of Rails that are not those of cities. */
const RAILS_ZONES: Readonly<Record<string, string>> = {
  'Pacific Time (US & Canada)': 'America/Los_Angeles',
  'Mountain Time (US & Canada)': 'America/Denver',
  'Central Time (US & Canada)': 'America/Chicago',
  'Eastern Time (US & Canada)': 'America/New_York',
  'Atlantic Time (Canada)': 'America/Halifax',
  Arizona: 'America/Phoenix',
  Hawaii: 'Pacific/Honolulu',
  Alaska: 'America/Juneau',
  Edinburgh: 'Europe/London',
  Bern: 'Europe/Zurich',
  Beijing: 'Asia/Shanghai',
  'New Delhi': 'Asia/Kolkata',
  Mumbai: 'Asia/Kolkata',
  Osaka: 'Asia/Tokyo',
  Kyiv: 'Europe/Kiev',
};

/** The IANA name of a time zone of Rails (ActiveSupport::TimeZone), most of which are cities; else the name itself. */
function ianaZone(name: string): string {
  if (isTimeZone(name)) return name;
  const known = Object.hasOwn(RAILS_ZONES, name) ? RAILS_ZONES[name] : undefined;
  const city = `/${name.replaceAll(' ', '_')}`;
  return known ?? Intl.supportedValuesOf('timeZone').find((zone) => zone.endsWith(city)) ?? name;
}

const DISPLAYS: Readonly<Record<string, PageService['display']>> = {
  response_times: 'response_time',
};

const position = (given: Given | undefined) => numberOf(given?.['position']) ?? 0;

function addPages(
  pages: readonly Resource[],
  sections: readonly Resource[],
  resources: readonly Resource[],
  context: Context,
): void {
  const byId = new Map(sections.map(({ id, attributes }) => [id, attributes]));
  const sectionOf = ({ attributes }: Resource) =>
    byId.get(textOf(attributes['status_page_section_id']) ?? '');
  for (const { id, attributes: given } of pages) {
    const notes = new Notes();
    const own = resources.filter((resource) => {
      const page = textOf(sectionOf(resource)?.['status_page_id']);
      return page === undefined ? pages.length === 1 : page === id;
    });
    const sorted = own.toSorted(
      (a, b) =>
        position(sectionOf(a)) - position(sectionOf(b)) ||
        position(a.attributes) - position(b.attributes),
    );
    const services = sorted.flatMap((resource) => {
      const {
        resource_type: type,
        resource_id: of,
        public_name: label,
        widget_type: widget,
      } = resource.attributes;
      const keys = context.keys.get(`${textOf(type) ?? ''} ${textOf(of) ?? ''}`) ?? [];
      if (keys.length === 0)
        notes.change(`${quoted(textOf(label) ?? '')} is left out: it shows no imported monitor.`);
      return keys.map((key): PageService => ({
        monitor: key,
        label: keys.length === 1 ? textOf(label) : undefined,
        display: DISPLAYS[textOf(widget) ?? ''],
        section: textOf(sectionOf(resource)?.['name'])?.trim(),
      }));
    });
    if (own.length === 0)
      notes.change('Nothing stands on it: give the answers of its /sections and /resources, too.');
    const allowed = listOf(given['ip_allowlist']).map((entry) =>
      (textOf(entry) ?? '').replace(/#.*$/s, '').trim(),
    );
    addPage(context.draft, thing('status page', id, given['company_name']), notes, {
      name: textOf(given['company_name']),
      slug: textOf(given['subdomain']),
      domains: [textOf(given['custom_domain']) ?? ''],
      timezone: ianaZone(textOf(given['timezone']) ?? 'UTC'),
      hasPassword: isOn(given['password_enabled']),
      addresses: allowed.filter((entry) => entry !== ''),
      services,
    });
  }
}
