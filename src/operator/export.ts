import { PERMISSIONS, type Caller } from '../identity/caller.ts';
import { createSecretBox, SecretUnreadable, MASK, type SecretBox } from '../lib/secret-box.ts';
import { isPushType } from '../monitor-types/registry.ts';
import { SECRET_FIELDS } from '../monitor-types/settings.ts';
import { settingsOf, viewSettings } from '../resources/common/fields.ts';
import { isoOrNull, isoTime } from '../resources/common/time.ts';
import { viewIncident } from '../resources/incidents/facts.ts';
import { viewInvitation } from '../resources/invitations/invitations.ts';
import { viewMonitor } from '../resources/monitors/view.ts';
import { tokenFields } from '../resources/tokens.ts';
import type { Database } from '../store/database/contract.ts';
import { type CountedTeam, installationStore } from '../store/people/installation.ts';
import { invitationStore } from '../store/people/invitations.ts';
import { peopleStore } from '../store/people/people.ts';
import { listIncidents, type IncidentRow } from '../store/resources/incidents.ts';
import { createMonitorReads, type MonitorRow } from '../store/resources/monitors.ts';
import { pingAliasReads } from '../store/resources/ping-aliases.ts';
import { EXPORTED_INCIDENT_DAYS, type DatabaseCommand, type OperatorContext } from './command.ts';
import { settingParts, channelsOfPerson, rowsOf } from './export-parts.ts';

/** Incremented when a name or meaning in the document changes. */
const EXPORT_VERSION = 2;
const DAY_MS = 86_400_000;
const PAGE = 200;

export const exportSettings: DatabaseCommand['run'] = async (context, _given, output) => {
  for await (const part of exportParts(context)) await output.out(part);
};

/**
 * Yields the document in parts, read page by page, so that it may exceed memory. It is not a snapshot: concurrent
 * changes may or may not be included.
 */
export async function* exportParts(
  context: Pick<OperatorContext, 'database' | 'clock' | 'baseUrl' | 'keys' | 'version'>,
): AsyncGenerator<string> {
  const { database, clock, baseUrl, version } = context;
  const head = {
    format: 'tocsin-export',
    version: EXPORT_VERSION,
    exported_at: isoTime(clock.now()),
    tocsin: version,
    base_url: baseUrl(),
  };
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n`;
  // For settings of channels and addresses of subscribers, whose rows are sealed as a whole.
  const openBox = createSecretBox([...(await context.keys())]);
  yield* list('users', '  ', people(database, openBox));
  yield ',\n  "teams": [';
  let separator = '\n';
  for (const team of await installationStore(database.scan).listTeams()) {
    yield separator;
    yield* teamParts({ ...context, openBox }, team);
    separator = ',\n';
  }
  yield '\n  ]\n}\n';
}

async function* teamParts(
  context: Pick<OperatorContext, 'database' | 'clock' | 'baseUrl'> & { openBox: SecretBox },
  team: CountedTeam,
): AsyncGenerator<string> {
  const { database, clock, baseUrl, openBox } = context;
  const closed = { secretBox: closedBox, baseUrl };
  const own = {
    id: team.id,
    name: team.name,
    slug: team.slug,
    personal_team: team.personal_team === 1,
    plan: team.plan,
    mfa_required: team.mfa_required === 1,
    created_at: isoTime(team.created_at),
  };
  yield `    ${JSON.stringify(own).slice(0, -1)},\n`;
  const parts: [string, AsyncIterable<object>][] = [
    ['members', members(database, team.id)],
    ['invitations', rowsOf(() => invitationStore(database.scan).list(team.id), viewInvitation)],
    ['tokens', tokens(database, team.id)],
    ['monitors', monitors(context, team)],
    ...settingParts(database, team.id, { ...closed, openBox, now: clock.now() }),
    ['incidents', incidents(context, team.id, clock.now() - EXPORTED_INCIDENT_DAYS * DAY_MS)],
  ];
  for (const [index, [name, rows]] of parts.entries()) {
    if (index > 0) yield ',\n';
    yield* list(name, '      ', rows);
  }
  yield '\n    }';
}

/** Yields `"name": […]` with one row per line. */
async function* list(name: string, indent: string, rows: AsyncIterable<object>) {
  yield `${indent}"${name}": [`;
  let separator = '\n';
  for await (const row of rows) {
    yield `${separator}${indent}  ${JSON.stringify(row)}`;
    separator = ',\n';
  }
  yield separator === '\n' ? ']' : `\n${indent}]`;
}

async function* people(database: Database, openBox: SecretBox): AsyncGenerator<object> {
  const memberships = Map.groupBy(
    await installationStore(database.scan).listMemberships(),
    (one) => one.person_id,
  );
  for (const person of await installationStore(database.scan).listPeople()) {
    yield {
      id: person.id,
      name: person.name,
      email: person.email,
      email_verified: person.email_verified === 1,
      timezone: person.timezone,
      mfa_enabled: person.mfa_enabled === 1,
      last_login_at: isoOrNull(person.last_login_at),
      created_at: isoTime(person.created_at),
      team_ids: (memberships.get(person.id) ?? []).map((one) => one.team_id),
      notification_channels: await channelsOfPerson(database, person.id, openBox),
    };
  }
}

async function* members(database: Database, teamId: number): AsyncGenerator<object> {
  for (const row of await peopleStore(database.scan).listMembers(teamId)) {
    yield { user_id: row.id, role: row.role, status: row.status, added_at: isoTime(row.added_at) };
  }
}

async function* tokens(database: Database, teamId: number): AsyncGenerator<object> {
  for (const row of await installationStore(database.scan).listTokensOfTeam(teamId)) {
    yield {
      id: row.id,
      user_id: row.person_id,
      ...viewSettings(tokenFields, settingsOf(tokenFields, row)),
      last_used_at: isoOrNull(row.last_used_at),
      created_at: isoTime(row.created_at),
    };
  }
}

async function* monitors(
  { database, clock, baseUrl }: Pick<OperatorContext, 'database' | 'clock' | 'baseUrl'>,
  team: CountedTeam,
): AsyncGenerator<object> {
  const reads = createMonitorReads(database);
  const deps = { secretBox: closedBox, baseUrl };
  for (let after = 0; ;) {
    const ids = await installationStore(database.scan).monitorIdsAfter(team.id, after, PAGE);
    if (ids.length === 0) return;
    after = ids.at(-1)!;
    const rows = await reads.whole(team.id, ids);
    const aliases = Map.groupBy(
      await pingAliasReads(database.scan).of(ids),
      (one) => one.monitor_id,
    );
    for (const row of rows.toSorted((a, b) => a.id - b.id)) {
      yield {
        ...viewMonitor(row, editorOf(team), deps, clock.now()),
        ...masksOf(row),
        // Their addresses are secrets, of which hashes are stored.
        ...(isPushType(row.type) && { ping_aliases: aliases.get(row.id)?.length ?? 0 }),
      };
    }
  }
}

async function* incidents(
  { database, baseUrl }: Pick<OperatorContext, 'database' | 'baseUrl'>,
  teamId: number,
  since: number,
): AsyncGenerator<object> {
  const filter = { monitorId: null, status: null, type: null, severity: null };
  const window = { ...filter, startedFrom: since, startedBefore: null };
  const paging = { sort: 'started_at', direction: 'asc', limit: PAGE } as const;
  for (let offset = 0; ; offset += PAGE) {
    const { rows, total } = await listIncidents(database, teamId, window, { ...paging, offset });
    for (const row of rows) yield withoutPingUrl(row, baseUrl);
    if (offset + PAGE >= total) return;
  }
}

function withoutPingUrl(row: IncidentRow, baseUrl: () => string): object {
  const view = viewIncident(row, { secretBox: closedBox, baseUrl });
  if (row.monitor_ping_token === null) return view;
  return { ...view, monitor: { ...view.monitor, url: MASK } };
}

/** Masks of the secret fields that are set on a monitor. */
function masksOf(row: MonitorRow): object {
  const masked = SECRET_FIELDS.filter((name) => row[name] !== null).map((name) => [name, MASK]);
  const pingUrls = isPushType(row.type) ? { url: MASK, ping_url: MASK } : {};
  return { ...Object.fromEntries(masked), ...pingUrls };
}

/** Secret box without a key: an export opens nothing. */
const closedBox: SecretBox = {
  of: () => ({
    seal() {
      throw new SecretUnreadable('An export seals nothing.');
    },
    open() {
      throw new SecretUnreadable('An export opens nothing.');
    },
  }),
};

/** Caller who sees all settings, since views require a caller. Secrets stay closed: see closedBox. */
function editorOf(team: CountedTeam): Caller {
  const { id, name, slug, plan } = team;
  return {
    person: { id: 0, name: 'Operator', email: '', timezone: 'UTC' },
    team: { id, name, slug, plan, personalTeam: team.personal_team === 1 },
    role: 'editor',
    withheld: null,
    permissions: PERMISSIONS,
    credential: { kind: 'session', id: 0, name: 'Operator' },
    address: null,
  };
}
