import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Transaction } from 'kysely';
import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import {
  countAlertRoutes,
  deleteAlertRoute,
  existingReferences,
  findAlertRoute,
  insertAlertRoute,
  listAlertRoutes,
  updateAlertRoute,
  type AlertRouteRow,
  type RouteReferences,
} from '../../store/resources/alert-routes.ts';
import { scheduleAlertsOfTeam } from '../../store/alerting/alerts.ts';
import type { Database } from '../../store/database/contract.ts';
import type { Schema } from '../../store/database/schema.ts';
import { auditTarget } from '../../model/audit.ts';
import { audit } from '../audit-log/entry.ts';
import { authorize } from '../common/errors.ts';
import {
  applyInput,
  columnsOf,
  inputReader,
  requireFields,
  settingsOf,
  type FieldInput,
} from '../common/fields.ts';
import { finderOf } from '../common/find.ts';
import { Findings } from '../common/input.ts';
import { teamWriter } from '../common/team-writes.ts';
import { isoTime } from '../common/time.ts';
import { ROUTE_FIELDS, type RouteSettings } from './fields.ts';

/** Maximum number of routes per team. */
export const MAX_ROUTES = 100;

type RouteInput = FieldInput<RouteSettings>;

const readInput = inputReader(ROUTE_FIELDS);
const mustFind = finderOf('alert route', findAlertRoute);

/** Routes from monitors to the channels and people that are notified; only a team's admins see them. */
interface AlertRouteService {
  list(caller: Caller): Promise<object>;
  get(caller: Caller, id: number): Promise<object>;
  create(caller: Caller, body: unknown): Promise<object>;
  /** Only what is present changes. */
  update(caller: Caller, id: number, body: unknown): Promise<object>;
  delete(caller: Caller, id: number): Promise<void>;
}

/** The monitors, groups, channels and members that these routes name and that the team has. */
const findNamed = (db: Kysely<Schema>, caller: Caller, routes: readonly RouteSettings[]) =>
  existingReferences(db, caller.team.id, namedBy(routes));

export function createAlertRouteService(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
}): AlertRouteService {
  const { database, clock } = deps;
  const write = teamWriter(database, 'admin');

  return {
    async list(caller) {
      authorize(caller, 'read', 'admin');
      const rows = await listAlertRoutes(database.read, caller.team.id);
      return { total: rows.length, data: await views(database.read, caller, rows) };
    },

    async get(caller, id) {
      authorize(caller, 'read', 'admin');
      return shown(database.read, caller, id);
    },

    create: (caller, body) =>
      write(caller, 'create', async (tx) => {
        const wanted = await readNew(tx, caller, body);
        const now = clock.now();
        const id = await insertAlertRoute(tx, caller.team.id, columnsOf(ROUTE_FIELDS, wanted), now);
        // It applies to open alerts at once.
        await scheduleAlertsOfTeam(tx, caller.team.id, now);
        const target = auditTarget('alert_route', { id, name: wanted.name });
        await audit(tx, caller, { verb: 'created', target, after: wanted }, now);
        return shown(tx, caller, id);
      }),

    update: (caller, id, body) =>
      write(caller, 'update', async (tx) => {
        const stored = settingsOf(ROUTE_FIELDS, await mustFind(tx, caller, id));
        const wanted = await readChange(tx, caller, stored, body);
        if (!isDeepStrictEqual(stored, wanted)) {
          const now = clock.now();
          await updateAlertRoute(tx, id, columnsOf(ROUTE_FIELDS, wanted), now);
          await scheduleAlertsOfTeam(tx, caller.team.id, now);
          const target = auditTarget('alert_route', { id, name: wanted.name });
          const change = { verb: 'updated', target, before: stored, after: wanted };
          await audit(tx, caller, change, now);
        }
        return shown(tx, caller, id);
      }),

    async delete(caller, id) {
      await write(caller, 'delete', async (tx) => {
        const stored = settingsOf(ROUTE_FIELDS, await mustFind(tx, caller, id));
        await deleteAlertRoute(tx, id);
        await scheduleAlertsOfTeam(tx, caller.team.id, clock.now());
        const target = auditTarget('alert_route', { id, name: stored.name });
        await audit(tx, caller, { verb: 'deleted', target, before: stored }, clock.now());
      });
    },
  };
}

async function shown(db: Kysely<Schema>, caller: Caller, id: number) {
  const [one] = await views(db, caller, [await mustFind(db, caller, id)]);
  return one!;
}

async function views(db: Kysely<Schema>, caller: Caller, rows: readonly AlertRouteRow[]) {
  const there = await findNamed(
    db,
    caller,
    rows.map((row) => settingsOf(ROUTE_FIELDS, row)),
  );
  return rows.map((row) => view(row, there));
}

async function readNew(tx: Transaction<Schema>, caller: Caller, body: unknown) {
  const findings = new Findings();
  const input = readInput(body, findings);
  const wanted = applyInput(ROUTE_FIELDS, null, input);
  requireFields(ROUTE_FIELDS, input, true, findings);
  checkReferences(input, await findNamed(tx, caller, [wanted]), findings);
  requireSomebody(wanted, findings);
  if ((await countAlertRoutes(tx, caller.team.id)) >= MAX_ROUTES)
    findings.add(
      'alert_routes',
      `must not be more than ${MAX_ROUTES} in a team: delete one that is no longer used`,
    );
  findings.throwIfAny();
  return wanted;
}

/** Reads a change. A list that is sent as it was shown changes nothing, though it lacks what was deleted. */
async function readChange(
  tx: Transaction<Schema>,
  caller: Caller,
  stored: RouteSettings,
  body: unknown,
) {
  const findings = new Findings();
  const given = readInput(body, findings);
  requireFields(ROUTE_FIELDS, given, false, findings);
  const before = existing(stored, await findNamed(tx, caller, [stored]));
  const input = Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => !isDeepStrictEqual(value, before[name as keyof RouteSettings]),
    ),
  ) as RouteInput;
  const wanted = applyInput(ROUTE_FIELDS, stored, input);
  checkReferences(input, await findNamed(tx, caller, [wanted]), findings);
  if ('channels' in input || 'users' in input || 'escalation' in input)
    requireSomebody(wanted, findings);
  findings.throwIfAny();
  return wanted;
}

type Existing = Awaited<ReturnType<typeof existingReferences>>;

const NOBODY =
  'must name at least one alert channel, unless users or escalation name somebody: the route notifies nobody';

function requireSomebody(wanted: RouteSettings, findings: Findings): void {
  const { channels, users, escalation } = wanted;
  const areSound = !['channels', 'users', 'escalation'].some((field) => findings.has(field));
  if (areSound && channels.length + users.length + escalation.length === 0)
    findings.add('channels', NOBODY);
  for (const [index, step] of escalation.entries()) {
    if (step.channels.length + step.users.length === 0)
      findings.add(
        `escalation.${index}.channels`,
        'must name at least one alert channel, unless users of the step names somebody',
      );
  }
}

const REFERENCES = {
  monitors: 'must be the id of a monitor of your team',
  groups: 'must be the id of a group of your team',
  channels: 'must be the id of an alert channel of your team',
  users: 'must be the id of a member of your team',
} as const;
const KINDS = Object.keys(REFERENCES) as (keyof RouteReferences)[];

/** A route or one of its escalation steps, which names only channels and users. */
type Place = { [Kind in keyof RouteReferences]?: number[] | null };

/** Reports ids in an input that the team has not; stored ones may be gone. */
function checkReferences(input: RouteInput, there: Existing, findings: Findings): void {
  const check = (place: Place, path: string) => {
    for (const kind of KINDS)
      for (const [index, id] of (place[kind] ?? []).entries())
        if (!there[kind].has(id)) findings.add(`${path}${kind}.${index}`, REFERENCES[kind]);
  };
  check(input, '');
  for (const [index, step] of (input.escalation ?? []).entries())
    check(step, `escalation.${index}.`);
}

function namedBy(routes: readonly RouteSettings[]): RouteReferences {
  const places: Place[] = routes.flatMap((route) => [route, ...route.escalation]);
  const all = (kind: keyof RouteReferences) => [
    ...new Set(places.flatMap((place) => place[kind] ?? [])),
  ];
  return {
    monitors: all('monitors'),
    groups: all('groups'),
    channels: all('channels'),
    users: all('users'),
  };
}

/** The route without ids that the team has not any more. */
function existing(route: RouteSettings, there: Existing): RouteSettings {
  const keep = <Kept extends Place>(place: Kept): Kept => {
    const kept = KINDS.filter((kind) => kind in place).map((kind) => [
      kind,
      place[kind]!.filter((id) => there[kind].has(id)),
    ]);
    return { ...place, ...Object.fromEntries(kept) };
  };
  return { ...keep(route), escalation: route.escalation.map(keep) };
}

function view(row: AlertRouteRow, there: Existing) {
  const stored = settingsOf(ROUTE_FIELDS, row);
  const route = existing(stored, there);
  return {
    id: row.id,
    ...route,
    scope: scopeOf(stored, route),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** A route whose monitors were all deleted is not one for everything, though its lists are as empty. */
function scopeOf(stored: RouteSettings, alive: RouteSettings): 'everything' | 'some' | 'nothing' {
  if (countNamed(stored) === 0) return 'everything';
  return countNamed(alive) === 0 ? 'nothing' : 'some';
}

function countNamed({ monitors, groups, tags }: RouteSettings): number {
  return monitors.length + groups.length + tags.length;
}
