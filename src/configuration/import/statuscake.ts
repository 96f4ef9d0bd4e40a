import { isTimeZone, offsetAt } from '../../lib/time-zone.ts';
import { Channels } from './channels.ts';
import {
  bodyUpTo,
  dnsTarget,
  expiryFields,
  headersOf,
  hostTarget,
  httpTarget,
  limited,
  nameOf,
  roundsLasting,
  tagsOf,
  type Target,
} from './common.ts';
import { codesThat, Content } from './content.ts';
import { Draft } from './draft.ts';
import { ImportError, START, type Importer } from './importer.ts';
import { ANY_REGION, NEW_PING_URL, Notes, portOnly, quoted, thing } from './notes.ts';
import { hasAllPages, parseAnswers } from './sources.ts';
import { addWindow } from './windows.ts';
import { isOn, listOf, numberOf, objectOf, textOf, type Given } from './values.ts';

const EXPECTED =
  'Give the answers of its API, such as that of https://api.statuscake.com/v1/uptime.';

/** StatusCake: the API of version 1 (https://developers.statuscake.com) as statuscake-go has it, read in November 2026. */
export const statusCake: Importer = {
  name: 'statuscake',
  title: 'StatusCake',
  takes:
    'Give the answers of its API, one after another in a file: /v1/uptime, /v1/ssl, /v1/heartbeat, /v1/contact-groups and /v1/maintenance-windows, each with all pages. The list of uptime checks lacks most settings: add the answers of /v1/uptime/ID. Its API has no user names and passwords of basic authentication: enter them afterwards.',
  read(source) {
    const { answers, entries } = parseAnswers(source, EXPECTED);
    const uptime = merged(entries.filter((one) => 'test_type' in one));
    const others = entries.filter((one) => !('test_type' in one));
    const having = (field: string) => merged(others.filter((one) => field in one));
    const [ssl, heartbeats, contacts] = [
      having('alert_at'),
      having('period'),
      having('email_addresses'),
    ];
    const [speeds, windows] = [having('alert_slower'), having('repeat_interval')];
    if ([uptime, ssl, heartbeats, contacts, speeds, windows].every(({ length }) => length === 0))
      throw new ImportError(`${source.file} has no answer of StatusCake in it. ${EXPECTED}`, START);
    const draft = new Draft('statuscake');
    const context: Context = {
      draft,
      keys: new Map(),
      contacts: new Channels(draft),
      certificates: byOrigin(ssl),
    };
    addContacts(contacts, context.contacts);
    for (const check of uptime) addUptime(check, context);
    for (const check of context.certificates.values()) addCertificate(check, context);
    for (const check of heartbeats) addHeartbeat(check, context);
    for (const check of speeds)
      draft.leaveOut(
        thing('page speed check', check['id'], check['name']),
        'Tocsin does not measure how fast pages are built.',
      );
    for (const window of windows) addMaintenance(window, context, source.now);
    context.contacts.addRoutes();
    const known = new Set(contacts.map(({ id }) => textOf(id)));
    const notified = [...uptime, ...ssl, ...heartbeats].flatMap((one) =>
      listOf(one['contact_groups']),
    );
    if (notified.some((id) => !known.has(textOf(id))))
      draft.leaveOut(
        'contact groups',
        'The file has not all contact groups of its checks: add the answer of /v1/contact-groups.',
      );
    const pages = answers.map(({ metadata }) => {
      const { page, page_count: count, total_count: total } = objectOf(metadata);
      const list = `${textOf(count) ?? ''} ${textOf(total) ?? ''}`;
      return { list, page: textOf(page) ?? '', count: numberOf(count) ?? 0 };
    });
    if (!hasAllPages(pages)) draft.leaveOutPages();
    return draft.imported();
  },
};

/** Each thing once, with all that several answers say of it. */
function merged(entries: readonly Given[]): Given[] {
  const known = new Map<unknown, Given>();
  for (const entry of entries) {
    const id = textOf(entry['id']) ?? entry;
    known.set(id, { ...known.get(id), ...entry });
  }
  return [...known.values()];
}

interface Context {
  draft: Draft;
  /** By the ids of contact groups. */
  contacts: Channels;
  /** Of monitors, by the ids of uptime checks. */
  keys: Map<string, string>;
  /** Certificate checks that are not part of a monitor yet, by their origins. */
  certificates: Map<string, Given>;
}

function addContacts(groups: readonly Given[], contacts: Channels): void {
  for (const group of groups) {
    const notes = new Notes();
    const [id, name] = [textOf(group['id']) ?? '', textOf(group['name'])];
    const others = [...listOf(group['mobile_numbers']), ...listOf(group['integrations'])];
    if (others.length > 0 || group['ping_url'])
      notes.change('Only its e-mail addresses are imported.');
    const addresses = listOf(group['email_addresses'])
      .map((one) => textOf(one) ?? '')
      .join(',');
    const source = thing('contact group', id, name);
    const settings = { addresses };
    contacts.add(id, { source, notes, name: name || 'Contacts', type: 'email', settings });
  }
}

function addRouting(given: Given, key: string, { contacts }: Context): void {
  contacts.route({ key, channels: contacts.keysOf(listOf(given['contact_groups'])) });
}

function addUptime(given: Given, context: Context): void {
  const notes = new Notes();
  const name = textOf(given['name']) ?? null;
  const source = thing('uptime check', given['id'], name);
  const target = targetOf(given, notes);
  if (typeof target === 'string') return context.draft.leaveOut(source, target, notes);
  if (!('timeout' in given))
    notes.change(
      'Only what the list shows is imported: add the answer of /v1/uptime/ID with its id.',
    );
  if (listOf(given['servers']).length > 0) notes.change(ANY_REGION);
  // A rate of 0 is "constant".
  const rate = numberOf(given['check_rate']) || 30;
  const wait = (numberOf(given['trigger_rate']) ?? 0) * 60;
  const rounds = Math.max(
    1 + (numberOf(given['confirmation']) ?? 0),
    wait > 0 ? roundsLasting(wait, 'trigger_rate', notes) : 1,
  );
  const certificate =
    target.type === 'http' ? certificateOf(target.fields['url'], context) : undefined;
  const fields = {
    friendly_name: nameOf(name, 255, 'Check', notes),
    ...target.fields,
    ...(target.type === 'http' && certificateFields(given, certificate, notes)),
    tags: tagsOf(listOf(given['tags']), notes),
    ...limited(notes, {
      check_interval: rate,
      request_timeout: numberOf(given['timeout']),
      failure_threshold: rounds === 1 ? undefined : rounds,
    }),
    is_paused: isOn(given['paused']) || undefined,
  };
  const key = context.draft.addMonitor(target.type, { source, notes, fields });
  if (key === null) return;
  context.keys.set(textOf(given['id']) ?? '', key);
  addRouting(given, key, context);
  if (certificate !== undefined) mergeCertificate(certificate, { given, key }, context);
}

function targetOf(given: Given, notes: Notes): Target | string {
  const type = textOf(given['test_type']) ?? '';
  const url = given['website_url'];
  const port = (standard: number | undefined) => ({
    type: 'port' as const,
    fields: { url: hostTarget(url), port: numberOf(given['port']) ?? standard },
  });
  switch (type) {
    case 'HTTP':
    case 'HEAD': {
      const target = httpTarget(url, notes);
      if (target === undefined) return 'Its website_url is not one that Tocsin checks.';
      const fields = { url: target.url, ...target.credentials, ...httpFields(given, type, notes) };
      return { type: 'http', fields };
    }
    case 'PING':
      return { type: 'ping', fields: { url: hostTarget(url) } };
    case 'TCP':
      return port(undefined);
    case 'SMTP':
    case 'SSH':
      notes.change(portOnly(type));
      return port(type === 'SSH' ? 22 : 25);
    case 'DNS':
      return dnsTarget(given['dns_server'], 53, notes);
    default:
      return `Tocsin does not check ${quoted(type)}.`;
  }
}

function httpFields(given: Given, type: 'HTTP' | 'HEAD', notes: Notes) {
  const { method, body, contentType } = bodyOf(given, notes);
  const refused = new Set(listOf(given['status_codes']).map(numberOf));
  const codes = refused.size === 0 ? [] : codesThat((code) => !refused.has(code));
  const content = new Content();
  const phrase = textOf(given['find_string']);
  if (phrase) {
    const fault = content.addKeyword({
      phrase,
      mode: isOn(given['do_not_find']) ? 'must_not_contain' : 'must_contain',
    });
    if (fault !== null) notes.change(`What it finds in the page is left out: ${fault}.`);
    if (isOn(given['include_header']))
      notes.change('It looks for its text in the page alone, not in headers.');
  }
  if (given['final_endpoint'])
    notes.change('It may be redirected anywhere: final_endpoint is left out.');
  const agent = textOf(given['user_agent']);
  const headers = [
    ...entriesOf(given, 'custom_header', notes),
    ...(agent ? [['User-Agent', agent] as const] : []),
  ];
  return {
    http_method: type === 'HEAD' ? 'HEAD' : method,
    request_headers: headersOf(
      contentType === undefined ? headers : [['Content-Type', contentType], ...headers],
      notes,
    ),
    request_body: type === 'HEAD' ? undefined : bodyUpTo(body, notes),
    accepted_status_codes: codes.length === 0 ? undefined : codes,
    ...content.fields(notes),
    follow_redirects:
      'follow_redirects' in given && !isOn(given['follow_redirects']) ? false : undefined,
  };
}

/** `post_raw` is sent as it is, `post_body` (JSON of names and values) as a form. */
function bodyOf(
  given: Given,
  notes: Notes,
): { method: string; body?: string; contentType?: string } {
  const raw = textOf(given['post_raw']);
  if (raw) return { method: 'POST', body: raw };
  const form = entriesOf(given, 'post_body', notes);
  if (form.length === 0) return { method: 'GET' };
  const pairs = form.map(([name, value]): [string, string] => [name, textOf(value) ?? '']);
  const body = new URLSearchParams(pairs).toString();
  return { method: 'POST', body, contentType: 'application/x-www-form-urlencoded' };
}

const HEADER_LINE = /^([^:]+):(.*)$/;

/** The names and values of an object, which may be JSON in a text, or lines such as `Name: value`. */
function entriesOf(given: Given, field: string, notes: Notes): (readonly [string, unknown])[] {
  const text = textOf(given[field]);
  if (text === undefined || text.trim() === '') return Object.entries(objectOf(given[field]));
  try {
    return Object.entries(objectOf(JSON.parse(text)));
  } catch {
    const lines = text.split(/[\r\n]+/).map((line) => HEADER_LINE.exec(line.trim()));
    if (field === 'custom_header' && lines.every((line) => line !== null))
      return lines.map(([, name = '', value = '']) => [name.trim(), value.trim()] as const);
    notes.change(`Its ${field} is left out: it is no JSON.`);
    return [];
  }
}

/** Each origin's first that is not paused; the others by their ids. */
function byOrigin(checks: readonly Given[]): Map<string, Given> {
  const known = new Map<string, Given>();
  for (const check of checks.toSorted((a, b) => pausedLast(a) - pausedLast(b))) {
    const origin = originOf(check['website_url']);
    const isFirst = origin !== undefined && !known.has(origin);
    known.set(isFirst ? origin : `${known.size} ${textOf(check['id']) ?? ''}`, check);
  }
  return known;
}

const pausedLast = (check: Given) => Number(isOn(check['paused']));

function originOf(url: unknown): string | undefined {
  const target = httpTarget(url, new Notes());
  const origin = target === undefined ? undefined : new URL(target.url).origin;
  return origin?.startsWith('https:') ? origin : undefined;
}

/** The certificate check of the same host and port, which becomes part of the monitor. */
function certificateOf(url: unknown, { certificates }: Context): Given | undefined {
  const check = certificates.get(originOf(url) ?? '');
  return check === undefined || isOn(check['paused']) ? undefined : check;
}

function certificateFields(given: Given, check: Given | undefined, notes: Notes) {
  const days = listOf(check?.['alert_at'])
    .map(numberOf)
    .filter((one) => one !== undefined);
  if (check === undefined && !isOn(given['enable_ssl_alert'])) return {};
  const most = days.length === 0 ? null : Math.max(...days) * 86_400;
  return expiryFields(notes, { ssl: most });
}

function mergeCertificate(
  check: Given,
  { given, key }: { given: Given; key: string },
  { draft, certificates }: Context,
): void {
  const notes = new Notes();
  notes.remark('It becomes a check type of the monitor of the same address.');
  const notified = new Set(listOf(given['contact_groups']).map(textOf));
  if (listOf(check['contact_groups']).some((id) => !notified.has(textOf(id))))
    notes.change('The contact groups of that monitor are notified of it, not its own.');
  draft.mergeInto(key, thing('SSL check', check['id'], check['website_url']), notes);
  certificates.delete(originOf(check['website_url'])!);
}

/** A certificate that no uptime check is of. */
function addCertificate(check: Given, context: Context): void {
  const notes = new Notes();
  const source = thing('SSL check', check['id'], check['website_url']);
  const origin = originOf(check['website_url']);
  if (origin === undefined)
    return context.draft.leaveOut(source, 'Its website_url is no https address.');
  notes.change('It asks for the page as well, and takes any answer.');
  const fields = {
    friendly_name: nameOf(`Certificate of ${new URL(origin).host}`, 255, 'Certificate', notes),
    url: `${origin}/`,
    ...certificateFields(check, check, notes),
    accepted_status_codes: ['1xx', '2xx', '3xx', '4xx', '5xx'],
    ...limited(notes, { check_interval: Math.min(numberOf(check['check_rate']) ?? 3_600, 3_600) }),
    is_paused: isOn(check['paused']) || undefined,
  };
  const key = context.draft.addMonitor('http', { source, notes, fields });
  if (key !== null) addRouting(check, key, context);
}

function addHeartbeat(given: Given, context: Context): void {
  const notes = new Notes();
  const name = textOf(given['name']) ?? null;
  notes.change(NEW_PING_URL);
  const fields = {
    friendly_name: nameOf(name, 255, 'Heartbeat', notes),
    ...limited(notes, { heartbeat_interval: numberOf(given['period']) }),
    heartbeat_grace: 0,
    tags: tagsOf(listOf(given['tags']), notes),
    is_paused: isOn(given['paused']) || undefined,
  };
  const source = thing('heartbeat check', given['id'], name);
  const key = context.draft.addMonitor('heartbeat', { source, notes, fields });
  if (key !== null) addRouting(given, key, context);
}

/** Epoch ms before which a time is one in every time zone. */
const LATEST = 8e15;

/** Days after which a window comes again; a month has none. */
const REPEATS: Readonly<Record<string, number>> = { '1d': 1, '1w': 7, '2w': 14, '1m': 0 };

function addMaintenance(given: Given, { draft, keys }: Context, now: number): void {
  const notes = new Notes();
  const timezone = textOf(given['timezone']) || 'UTC';
  const name = textOf(given['name']) ?? null;
  const source = thing('maintenance window', given['id'], name);
  const [start, end] = [given['start_at'], given['end_at']].map((at) =>
    Date.parse(textOf(at) ?? ''),
  );
  if (!(Math.abs(start!) < LATEST) || Number.isNaN(end!))
    return draft.leaveOut(source, 'It has no time at which it begins and ends.');
  const offset = isTimeZone(timezone) ? offsetAt(timezone, start!) : 0;
  const wall = new Date(start! + offset);
  const days = REPEATS[textOf(given['repeat_interval']) ?? ''];
  const tests = listOf(given['tests']).map((id) => textOf(id) ?? '');
  const tags = tagsOf(listOf(given['tags']), notes);
  const monitors = tests.flatMap((id) => keys.get(id) ?? []);
  if (monitors.length < tests.length)
    notes.change('It covers only those of its checks that are imported.');
  addWindow(draft, {
    source,
    notes,
    name,
    now,
    schedule: {
      timezone,
      durationSeconds: (end! - start!) / 1_000,
      ...(days === undefined
        ? { once: wall.toISOString().slice(0, 19) }
        : {
            recurs: {
              hours: [wall.getUTCHours()],
              minute: wall.getUTCMinutes(),
              from: wall.toISOString().slice(0, 10),
              ...(days > 0 ? { everyDays: days } : { monthDays: [wall.getUTCDate()] }),
            },
          }),
    },
    scope: tags === undefined || monitors.length > 0 ? { monitors, tags } : { tags },
  });
}
