import { isDeepStrictEqual } from 'node:util';
import { json, plain, readColumns, writeColumns, type Codecs } from '../../lib/columns.ts';
import type { Kysely, Transaction } from 'kysely';
import type { Caller, Permission } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import type { EscalationStep } from '../../alerting/policy/index.ts';
import {
  countAlertRoutes,
  deleteAlertRoute,
  existingReferences,
  findAlertRoute,
  insertAlertRoute,
  listAlertRoutes,
  updateAlertRoute,
  type AlertRouteColumns,
  type AlertRouteRow,
  type RouteReferences,
} from '../../store/resources/alert-routes.ts';
import { wakeAlertsOfTeam } from '../../store/alerting/alerts.ts';
import type { Database } from '../../store/database/contract.ts';
import type { Schema } from '../../store/database/schema.ts';
import { alertRouteChange, ROUTE_DEFAULTS, type RouteInput, type RouteSettings } from './input.ts';
import { audit } from '../audit-log/entry.ts';
import { authorise, notFound } from '../common/errors.ts';
import { Findings, readBody } from '../common/input.ts';
import { writeToTeam, type TeamWork } from '../common/team-writes.ts';
import { isoTime } from '../common/time.ts';

/** So many a team may have. */
export const MOST_ROUTES = 100;

/** Which channels and people are told of which monitors; only a team's admins see it. */
export interface AlertRouteService {
  list(caller: Caller): Promise<object>;
  get(caller: Caller, id: number): Promise<object>;
  create(caller: Caller, body: unknown): Promise<object>;
  /** Only what is present changes. */
  update(caller: Caller, id: number, body: unknown): Promise<object>;
  delete(caller: Caller, id: number): Promise<void>;
}

/** What is there in the team of what these routes name. */
const whatIsThere = (db: Kysely<Schema>, caller: Caller, routes: readonly RouteSettings[]) =>
  existingReferences(db, caller.team.id, namedBy(routes));

export function createAlertRouteService(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
}): AlertRouteService {
  const { database, clock } = deps;

  const write = <Value>(caller: Caller, permission: Permission, work: TeamWork<Value>) =>
    writeToTeam(database, caller, { permission, role: 'admin' }, work);

  return {
    async list(caller) {
      authorise(caller, 'read', 'admin');
      const rows = await listAlertRoutes(database.read, caller.team.id);
      return { total: rows.length, data: await views(database.read, caller, rows) };
    },

    async get(caller, id) {
      authorise(caller, 'read', 'admin');
      return shown(database.read, caller, id);
    },

    create: (caller, body) =>
      write(caller, 'create', async (tx) => {
        const wanted = await readNew(tx, caller, body);
        const now = clock.now();
        const id = await insertAlertRoute(tx, caller.team.id, columnsOf(wanted), now);
        // Whoever is told of what goes on, from now on, hears of it now.
        await wakeAlertsOfTeam(tx, caller.team.id, now);
        const target = targetOf(id, wanted);
        await audit(tx, caller, { verb: 'created', target, after: wanted }, now);
        return shown(tx, caller, id);
      }),

    update: (caller, id, body) =>
      write(caller, 'update', async (tx) => {
        const stored = settingsOf(await mustFind(tx, caller, id));
        const wanted = await readChange(tx, caller, stored, body);
        if (!isDeepStrictEqual(stored, wanted)) {
          const now = clock.now();
          await updateAlertRoute(tx, id, columnsOf(wanted), now);
          await wakeAlertsOfTeam(tx, caller.team.id, now);
          const target = targetOf(id, wanted);
          const change = { verb: 'updated', target, before: stored, after: wanted };
          await audit(tx, caller, change, now);
        }
        return shown(tx, caller, id);
      }),

    async delete(caller, id) {
      await write(caller, 'delete', async (tx) => {
        const stored = settingsOf(await mustFind(tx, caller, id));
        await deleteAlertRoute(tx, id);
        await wakeAlertsOfTeam(tx, caller.team.id, clock.now());
        const change = { verb: 'deleted', target: targetOf(id, stored), before: stored };
        await audit(tx, caller, change, clock.now());
      });
    },
  };
}

async function shown(db: Kysely<Schema>, caller: Caller, id: number) {
  const [one] = await views(db, caller, [await mustFind(db, caller, id)]);
  return one!;
}

async function views(db: Kysely<Schema>, caller: Caller, rows: readonly AlertRouteRow[]) {
  const there = await whatIsThere(db, caller, rows.map(settingsOf));
  return rows.map((row) => view(row, there));
}

async function readNew(tx: Transaction<Schema>, caller: Caller, body: unknown) {
  const findings = new Findings();
  const input = readBody(alertRouteChange, body, findings) as RouteInput;
  const wanted = merge({ name: '', ...ROUTE_DEFAULTS }, input);
  if (wanted.name === '' && !findings.has('name'))
    findings.add('name', 'is required: routes are told apart by it');
  judgeReferences(wanted, input, await whatIsThere(tx, caller, [wanted]), findings);
  demandSomebody(wanted, findings);
  if ((await countAlertRoutes(tx, caller.team.id)) >= MOST_ROUTES)
    findings.add(
      'alert_routes',
      `must not be more than ${MOST_ROUTES} in a team: delete one that is no longer used`,
    );
  findings.throwIfAny();
  return wanted;
}

/** What is sent as it was shown changes nothing, though something that was deleted is not shown. */
async function readChange(
  tx: Transaction<Schema>,
  caller: Caller,
  stored: RouteSettings,
  body: unknown,
) {
  const findings = new Findings();
  const given = readBody(alertRouteChange, body, findings) as RouteInput;
  if (given.name === null) findings.add('name', 'is required: routes are told apart by it');
  const before = existing(stored, await whatIsThere(tx, caller, [stored]));
  const input = Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => !isDeepStrictEqual(value, before[name as keyof RouteSettings]),
    ),
  ) as RouteInput;
  const wanted = merge(stored, input);
  judgeReferences(wanted, input, await whatIsThere(tx, caller, [wanted]), findings);
  if ('channels' in input || 'users' in input || 'escalation' in input)
    demandSomebody(wanted, findings);
  findings.throwIfAny();
  return wanted;
}

type Existing = Awaited<ReturnType<typeof existingReferences>>;

/** Null stands for what a field is unless given. */
function merge(stored: RouteSettings, input: RouteInput): RouteSettings {
  const defaults: Partial<RouteSettings> = ROUTE_DEFAULTS;
  const names = Object.keys(stored) as (keyof RouteSettings)[];
  return Object.fromEntries(
    names.map((name) => {
      if (input[name] === undefined) return [name, stored[name]];
      // A name that is null is refused elsewhere.
      return [name, input[name] ?? (name === 'name' ? stored.name : defaults[name])];
    }),
  ) as unknown as RouteSettings;
}

const NOBODY =
  'must name at least one alert channel, unless users or escalation name somebody: the route tells nobody';

function demandSomebody(wanted: RouteSettings, findings: Findings): void {
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

/** What was sent must be there; what was stored may be gone by now. */
function judgeReferences(
  wanted: RouteSettings,
  input: RouteInput,
  there: Existing,
  findings: Findings,
): void {
  const judge = (kind: keyof RouteReferences, ids: readonly number[], at: string) => {
    for (const [index, id] of ids.entries())
      if (!there[kind].has(id)) findings.add(`${at}.${index}`, REFERENCES[kind]);
  };
  for (const kind of ['monitors', 'groups', 'channels', 'users'] as const)
    if (input[kind] != null) judge(kind, wanted[kind], kind);
  if (input.escalation == null) return;
  for (const [index, step] of wanted.escalation.entries())
    for (const kind of ['channels', 'users'] as const)
      judge(kind, step[kind], `escalation.${index}.${kind}`);
}

function namedBy(routes: readonly RouteSettings[]): RouteReferences {
  const all = (idsOf: (route: RouteSettings) => number[]) => [...new Set(routes.flatMap(idsOf))];
  return {
    monitors: all((route) => route.monitors),
    groups: all((route) => route.groups),
    channels: all((route) => [...route.channels, ...inSteps(route, 'channels')]),
    users: all((route) => [...route.users, ...inSteps(route, 'users')]),
  };
}

function inSteps({ escalation }: RouteSettings, kind: 'channels' | 'users'): number[] {
  return escalation.flatMap((step) => step[kind]);
}

/** Without what is no longer there. */
function existing(route: RouteSettings, there: Existing): RouteSettings {
  const keep = (kind: keyof RouteReferences, ids: number[]) =>
    ids.filter((id) => there[kind].has(id));
  const keepStep = (step: EscalationStep): EscalationStep => ({
    ...step,
    channels: keep('channels', step.channels),
    users: keep('users', step.users),
  });
  return {
    ...route,
    monitors: keep('monitors', route.monitors),
    groups: keep('groups', route.groups),
    channels: keep('channels', route.channels),
    users: keep('users', route.users),
    escalation: route.escalation.map(keepStep),
  };
}

const CODECS: Codecs<RouteSettings> = {
  name: plain,
  monitors: json,
  groups: json,
  tags: json,
  severities: json,
  channels: json,
  users: json,
  reminder_minutes: plain,
  escalation: json,
  sort_order: plain,
};
/** A route holds no secrets. */
const NO_BOX = { seal: (text: string) => text };

const settingsOf = (row: AlertRouteRow): RouteSettings => readColumns(CODECS, row, () => undefined);

const columnsOf = (route: RouteSettings): AlertRouteColumns => writeColumns(CODECS, route, NO_BOX);

function view(row: AlertRouteRow, there: Existing) {
  const stored = settingsOf(row);
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

async function mustFind(db: Kysely<Schema>, caller: Caller, id: number): Promise<AlertRouteRow> {
  const row = await findAlertRoute(db, caller.team.id, id);
  if (row === undefined) throw notFound('alert route');
  return row;
}

function targetOf(id: number, { name }: Pick<RouteSettings, 'name'>) {
  return { type: 'alert_route', id, name } as const;
}
