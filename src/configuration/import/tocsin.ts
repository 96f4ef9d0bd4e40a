import { isDeepStrictEqual } from 'node:util';
import { MASK } from '../../lib/secret-box.ts';
import { PAGE_IMAGES } from '../../model/page-images.ts';
import { FIELDS, type FieldName } from '../../monitor-types/fields.ts';
import { definitionOf, isMonitorType } from '../../monitor-types/registry.ts';
import { defaultSettings } from '../../monitor-types/settings.ts';
import type { SecretValue, Section } from '../document.ts';
import { Draft } from './draft.ts';
import { ImportError, START, type Importer } from './importer.ts';
import { ANY_REGION, NEW_PING_URL, Notes, quoted, thing } from './notes.ts';
import { parseJson } from './sources.ts';
import { listOf, numberOf, objectOf, textOf, type Given } from './values.ts';

const EXPECTED = 'Give the file that `npm run tocsin -- export` writes.';
/** EXPORT_VERSION of operator/export.ts. */
const VERSION = 2;

/** Another installation of Tocsin, by the export of its operator. */
export const tocsin: Importer = {
  name: 'tocsin',
  title: 'Tocsin',
  takes:
    'Give the file that `npm run tocsin -- export` writes. If it has several teams, name one. Secrets are not in it: they become environment variables.',
  read(source) {
    const { format, version, teams, users } = objectOf(parseJson(source, EXPECTED));
    if (format !== 'tocsin-export')
      throw new ImportError(`${source.file} is no export of Tocsin. ${EXPECTED}`, START);
    if (version !== VERSION)
      throw new ImportError(
        `${source.file} is an export of version ${textOf(version) ?? 'none'}, and version ${VERSION} is needed. Export it by a release with the same version as this one.`,
        START,
      );
    const team = teamIn(listOf(teams).map(objectOf), source);
    const emails = listOf(users).map(objectOf);
    const context: Context = {
      draft: new Draft('tocsin'),
      team,
      now: source.now,
      keys: new Map(),
      emails: new Map(emails.map(({ id, email }) => [id, textOf(email) ?? ''])),
    };
    addGroups(context);
    addMonitors(context);
    for (const section of SECTIONS) addSection(section, context);
    for (const [name, what] of Object.entries(LEFT_OUT)) {
      const count = listOf(team[name]).length;
      if (count > 0) context.draft.leaveOut(`${count} ${what}`, 'A set does not have them.');
    }
    return context.draft.imported();
  },
};

function teamIn(teams: readonly Given[], { file, team }: { file: string; team?: string }): Given {
  const slugs = teams.map(({ slug }) => textOf(slug) ?? '');
  const [only] = teams;
  const named = team === undefined ? undefined : teams[slugs.indexOf(team)];
  if (team === undefined && teams.length === 1 && only !== undefined) return only;
  if (named !== undefined) return named;
  const choice =
    slugs.length === 0 ? 'It has none.' : `Name one of ${slugs.slice(0, 50).join(', ')}.`;
  const problem = team === undefined ? `has ${slugs.length} teams` : `has no team ${team}`;
  throw new ImportError(`${file} ${problem}. ${choice}`);
}

interface Context {
  draft: Draft;
  team: Given;
  now: number;
  /** Keys by section and id, such as `monitors 12`. */
  keys: Map<string, string>;
  /** Of users, by their ids. */
  emails: ReadonlyMap<unknown, string>;
}

/** Parts of a team that a set does not have. */
const LEFT_OUT = {
  members: 'members',
  invitations: 'invitations',
  tokens: 'API tokens',
  incidents: 'incidents',
  announcements: 'announcements',
  subscribers: 'subscribers',
  corrections: 'corrections',
};

const words = (...lines: string[]) => lines.join(' ').split(' ');

/** What an export shows that an item of a set has, too. A test compares it with the fields of the API. */
export const EXPORTED_FIELDS = {
  alert_channels: words('type name enabled is_default severities quiet_hours timezone settings'),
  alert_routes: words(
    'name monitors groups tags severities channels users',
    'reminder_minutes escalation sort_order',
  ),
  webhook_endpoints: words(
    'name url auth_type auth_header_name auth_token signing_secret severities is_active',
  ),
  maintenance_windows: words(
    'name description starts_at ends_at rrule timezone monitors groups tags good_rounds announce',
  ),
  status_pages: words(
    'name slug description custom_domain settings brand draft language timezone',
    'show_automatic access subscribe_by sms_channel_id monitors groups',
  ),
  reports: words(
    'name monitors group_id tags period frequency recipients timezone language status_page_id',
  ),
  update_templates: words('name title state text'),
  walls: words('name'),
} satisfies Partial<Record<Section, readonly string[]>>;
type ExportedSection = keyof typeof EXPORTED_FIELDS;
/** In the order in which they refer to each other. */
const SECTIONS = Object.keys(EXPORTED_FIELDS) as ExportedSection[];

/** The name of a thing in the report, such as `alert channel`. */
const nameOfThing = (section: ExportedSection) => section.replace('_', ' ').replace(/s$/, '');

/** The section that the ids of a field are of. */
const REFERENCES: Readonly<Record<string, Section>> = {
  monitors: 'monitors',
  groups: 'groups',
  channels: 'alert_channels',
  group_id: 'groups',
  status_page_id: 'status_pages',
  sms_channel_id: 'alert_channels',
};

function addGroups({ draft, team, keys }: Context): void {
  const groups = listOf(team['groups']).map(objectOf);
  const names = new Set<string>();
  // Parents come first.
  const sorted = groups.toSorted(
    (a, b) => Number(a['parent_id'] != null) - Number(b['parent_id'] != null),
  );
  for (const { id, name, description, parent_id: parent, sort_order: order } of sorted) {
    const shown = textOf(name) ?? '';
    const source = thing('group', textOf(id) ?? null, shown);
    if (shown === '' || names.has(shown.toLowerCase())) {
      draft.leaveOut(source, 'It has no name of its own.');
      continue;
    }
    names.add(shown.toLowerCase());
    const fields = {
      name: shown,
      description: textOf(description),
      parent_id: keys.get(`groups ${textOf(parent)}`),
      sort_order: numberOf(order) || undefined,
    };
    keys.set(`groups ${textOf(id)}`, draft.add('groups', { source, notes: new Notes(), fields }));
  }
}

function addMonitors({ draft, team, keys }: Context): void {
  const monitors = listOf(team['monitors']).map(objectOf);
  const regions = new Set(monitors.flatMap((one) => listOf(one['monitored_regions'])));
  const slos = new Map(
    listOf(team['slos'])
      .map(objectOf)
      .map((slo) => [textOf(slo['monitor_id']), slo]),
  );
  const added: { item: Given; parents: string[] }[] = [];
  for (const given of monitors) {
    const notes = new Notes();
    const id = textOf(given['id']) ?? '';
    const type = given['monitor_type'];
    const source = thing('monitor', id, textOf(given['friendly_name']) || given['url']);
    if (!isMonitorType(type)) {
      draft.leaveOut(source, `This release has no monitors of the type ${textOf(type) ?? 'none'}.`);
      continue;
    }
    if (definitionOf(type).kind === 'push') notes.change(NEW_PING_URL);
    else if (listOf(given['monitored_regions']).length < regions.size) notes.change(ANY_REGION);
    const fields = {
      ...monitorFields(given, { type, id }, notes),
      group_id: keys.get(`groups ${textOf(given['group_id'])}`),
      slo: sloOf(slos.get(id)),
      is_paused: given['is_paused'] === true || undefined,
    };
    const parents = listOf(given['depends_on']).flatMap((parent) => textOf(parent) ?? []);
    const item: Given = { ...fields, depends_on: [] };
    const key = draft.addMonitor(type, { source, notes, fields: item });
    if (key === null) continue;
    keys.set(`monitors ${id}`, key);
    added.push({ item: draft.lastItem('monitors'), parents });
  }
  // One may depend on another that comes after it.
  for (const { item, parents } of added) {
    const depends = parents.flatMap((parent) => keys.get(`monitors ${parent}`) ?? []);
    if (depends.length > 0) item['depends_on'] = depends;
    else delete item['depends_on'];
  }
}

/** The settings that are not those of a new monitor. */
function monitorFields(given: Given, { type, id }: { type: string; id: string }, notes: Notes) {
  const defaults = defaultSettings(definitionOf(type), { regions: [], checkInterval: null });
  const names = (Object.keys(FIELDS) as FieldName[]).filter(
    (name) => !['group_id', 'depends_on', 'monitored_regions'].includes(name),
  );
  return Object.fromEntries(
    names.flatMap((name): [string, unknown][] => {
      const value = given[name] ?? null;
      if (value === null || isDeepStrictEqual(value, defaults[name])) return [];
      if (value !== MASK) return [[name, value]];
      if (name === 'request_headers') {
        notes.change('Its request_headers are left out, since an export does not show them.');
        return [];
      }
      return 'secret' in FIELDS[name] ? [[name, variable(`monitor_${id}_${name}`)]] : [];
    }),
  );
}

function variable(name: string): SecretValue {
  return { from: `env ${name.toUpperCase().replace(/\W/g, '_')}` };
}

function sloOf(slo: Given | undefined) {
  if (slo === undefined) return undefined;
  const { target_percent, window_days, burn_rate_alerts } = slo;
  return { target_percent, window_days, burn_rate_alerts };
}

function addSection(section: ExportedSection, context: Context): void {
  const { draft, team, keys } = context;
  for (const given of listOf(team[section]).map(objectOf)) {
    const notes = new Notes();
    const id = textOf(given['id']) ?? '';
    const source = thing(nameOfThing(section), id, given['name']);
    const shown = section === 'status_pages' ? pageOf(given, context, notes) : given;
    const fields = fieldsOf(
      section,
      { ...shown, ...timesOf(section, given) },
      { id, context },
      notes,
    );
    const reason = reasonAgainst(section, given, fields);
    if (reason === null)
      keys.set(`${section} ${id}`, draft.add(section, { source, notes, fields }));
    else draft.leaveOut(source, reason, notes);
  }
}

/** Why a thing can't become an item; null when it can. */
function reasonAgainst(section: ExportedSection, given: Given, fields: Given): string | null {
  if (!textOf(fields['name'])) return 'It has no name.';
  if (section === 'alert_channels' && typeof given['settings'] === 'string')
    return 'Its settings are not in the export: its installation has no key for them.';
  if (section === 'maintenance_windows' && given['status'] === 'over') return 'It is over.';
  const scopes = ['monitors', 'groups', 'tags'];
  const isNarrow = scopes.some((name) => listOf(given[name]).length > 0);
  // As empty lists, they would mean everything.
  if (['alert_routes', 'maintenance_windows', 'reports'].includes(section) && isNarrow)
    if (
      scopes.every((name) => listOf(fields[name]).length === 0) &&
      fields['group_id'] === undefined
    )
      return 'All that it names is gone.';
  if (
    section === 'alert_routes' &&
    ['channels', 'users', 'escalation'].every((name) => listOf(fields[name]).length === 0)
  )
    return 'Those that it notifies are gone.';
  return null;
}

function fieldsOf(
  section: ExportedSection,
  given: Given,
  { id, context }: { id: string; context: Context },
  notes: Notes,
): Given {
  const entries = EXPORTED_FIELDS[section].flatMap((name): [string, unknown][] => {
    const value = given[name] ?? null;
    // An empty list is the default.
    if (value === null || (Array.isArray(value) && value.length === 0)) return [];
    const secret = `${section.replace(/s$/, '')}_${id}_${name}`;
    const known = withVariables(value, secret);
    // Those of status pages are no lists of ids.
    return [[name, section === 'status_pages' ? known : withKeys(known, name, context, notes)]];
  });
  return Object.fromEntries(entries);
}

/** A value with variables in place of masks. */
function withVariables(value: unknown, name: string): unknown {
  if (value === MASK) return variable(name);
  if (Array.isArray(value))
    return value.map((one, index) => withVariables(one, `${name}_${index}`));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(
    entries.map(([part, one]) => [part, withVariables(one, `${name}_${part}`)]),
  );
}

/** A value of a field with keys in place of ids; those of what is gone are left out. */
function withKeys(value: unknown, field: string, context: Context, notes: Notes): unknown {
  if (field === 'escalation')
    return listOf(value).map((step) => {
      const { after_minutes, channels, users } = objectOf(step);
      return {
        after_minutes,
        channels: withKeys(channels, 'channels', context, notes),
        users: withKeys(users, 'users', context, notes),
      };
    });
  if (field === 'users') {
    const users = listOf(value).flatMap((id) => context.emails.get(id) ?? []);
    if (users.length > 0)
      notes.remark('The people that it names must be members of the team, by these addresses.');
    return users;
  }
  const section = Object.hasOwn(REFERENCES, field) ? REFERENCES[field] : undefined;
  if (section === undefined) return value;
  const keyOf = (id: unknown) => context.keys.get(`${section} ${textOf(id)}`);
  return Array.isArray(value) ? value.flatMap((id) => keyOf(id) ?? []) : keyOf(value);
}

/** A recurring window goes on with its next occurrence: the API takes none of long ago. */
function timesOf(
  section: ExportedSection,
  { rrule, next_starts_at: starts_at, next_ends_at: ends_at }: Given,
) {
  const hasNext =
    section === 'maintenance_windows' && rrule != null && starts_at != null && ends_at != null;
  return hasNext ? { starts_at, ends_at } : {};
}

/** A status page with what it shows in the words of a request. */
function pageOf(given: Given, { keys }: Context, notes: Notes): Given {
  const keyOf = (id: unknown) => keys.get(`monitors ${textOf(id)}`);
  const { type, addresses, password } = objectOf(given['access']);
  if (PAGE_IMAGES.some((name) => given[name] != null))
    notes.change('Its images are left out: upload them again.');
  if (given['custom_domain'] != null)
    notes.remark(
      `${quoted(textOf(given['custom_domain']) ?? '')} is served once you have verified it.`,
    );
  const monitors = listOf(given['services'])
    .map(objectOf)
    .flatMap(({ monitor_id: monitor, label, display, show_automatic }) => {
      const id = keyOf(monitor);
      return id === undefined ? [] : [{ id, label, display, show_automatic }];
    });
  return {
    ...given,
    access: { type, addresses, ...(password === MASK && { password }) },
    monitors,
    groups: listOf(given['groups'])
      .map(objectOf)
      .map(({ name, monitors: ids }) => ({
        name,
        monitors: listOf(ids).flatMap((id) => keyOf(id) ?? []),
      })),
  };
}
