import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'kysely';
import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { scheduleAlertsOfTeam } from '../../store/alerting/alerts.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  countGroups,
  deleteGroup,
  findGroup,
  findGroupsByName,
  hasSubgroups,
  insertGroup,
  listGroups,
  updateGroup,
  type GroupRow,
} from '../../store/resources/groups.ts';
import type { Schema } from '../../store/database/schema.ts';
import { lockTeam } from '../../store/people/teams.ts';
import { audit } from '../audit-log/entry.ts';
import { authorize } from '../common/errors.ts';
import { columnsOf, settingsOf, settingsReader, viewSettings } from '../common/fields.ts';
import { finderOf } from '../common/find.ts';
import { Findings } from '../common/input.ts';
import { isoTime } from '../common/time.ts';
import { GROUP_FIELDS, type GroupSettings } from './fields.ts';

/** Maximum number of groups per team: the list of them has no pages. */
const MAX_GROUPS = 500;

const readSettings = settingsReader(GROUP_FIELDS);

/** Operations on groups. Throws InvalidInput for an invalid body; ids of other teams are not found. */
interface GroupService {
  list(caller: Caller): Promise<object>;
  get(caller: Caller, id: number): Promise<object>;
  create(caller: Caller, body: unknown): Promise<object>;
  /** Replaces the whole group: absent fields are unset. */
  update(caller: Caller, id: number, body: unknown): Promise<object>;
  /** Keeps its monitors, without a group, and its subgroups, without a parent. */
  delete(caller: Caller, id: number): Promise<void>;
}

/** Applies the routes to open alerts at once, since their groups may match others now. */
const scheduleAlerts = (tx: Transaction<Schema>, caller: Caller, now: number) =>
  scheduleAlertsOfTeam(tx, caller.team.id, now);

export function createGroupService(deps: { database: Database; clock: Clock }): GroupService {
  const { database, clock } = deps;

  /** Serializes the writes of a team, so that what one was checked against does not change meanwhile. */
  function write<Value>(
    caller: Caller,
    work: (tx: Transaction<Schema>) => Promise<Value>,
  ): Promise<Value> {
    return database.transaction(async (tx) => {
      await lockTeam(tx, caller.team.id);
      return work(tx);
    });
  }

  return {
    async list(caller) {
      authorize(caller, 'read');
      const rows = await listGroups(database.read, caller.team.id);
      return { total: rows.length, data: rows.map(viewGroup) };
    },

    async get(caller, id) {
      authorize(caller, 'read');
      return viewGroup(await mustFind(database.read, caller, id));
    },

    async create(caller, body) {
      authorize(caller, 'create');
      return write(caller, async (tx) => {
        const settings = await settingsAfter(tx, caller.team.id, null, body);
        const now = clock.now();
        const id = await insertGroup(tx, caller.team.id, columnsOf(GROUP_FIELDS, settings), now);
        const change = { verb: 'created', target: targetOf(id, settings), after: asSet(settings) };
        await audit(tx, caller, change, now);
        return viewGroup(await mustFind(tx, caller, id));
      });
    },

    async update(caller, id, body) {
      authorize(caller, 'update');
      return write(caller, async (tx) => {
        const row = await mustFind(tx, caller, id);
        const stored = settingsOf(GROUP_FIELDS, row);
        const settings = await settingsAfter(tx, caller.team.id, id, body);
        if (isDeepStrictEqual(stored, settings)) return viewGroup(row);
        const now = clock.now();
        await updateGroup(tx, caller.team.id, id, columnsOf(GROUP_FIELDS, settings), now);
        if (settings.parent_id !== stored.parent_id) await scheduleAlerts(tx, caller, now);
        const change = {
          verb: 'updated',
          target: targetOf(id, settings),
          before: asSet(stored),
          after: asSet(settings),
        };
        await audit(tx, caller, change, now);
        return viewGroup(await mustFind(tx, caller, id));
      });
    },

    async delete(caller, id) {
      authorize(caller, 'delete');
      await write(caller, async (tx) => {
        const row = await mustFind(tx, caller, id);
        const stored = settingsOf(GROUP_FIELDS, row);
        const now = clock.now();
        await deleteGroup(tx, caller.team.id, id);
        await scheduleAlerts(tx, caller, now);
        const change = { verb: 'deleted', target: targetOf(id, stored), before: asSet(stored) };
        await audit(tx, caller, change, now);
      });
    },
  };
}

const mustFind = finderOf('group', findGroup);

/**
 * Settings that a body asks for, checked against the team's other groups.
 *
 * @param id of the group that is replaced; null for a new one.
 */
async function settingsAfter(
  tx: Transaction<Schema>,
  teamId: number,
  id: number | null,
  body: unknown,
): Promise<GroupSettings> {
  const findings = new Findings();
  const settings = readSettings(body, null, findings);
  if (id === null && (await countGroups(tx, teamId)) >= MAX_GROUPS)
    findings.add(
      'groups',
      `must not be more than ${MAX_GROUPS} in a team: delete one that is no longer used`,
    );
  if (settings.parent_id !== null)
    await checkParent(tx, teamId, { id, parentId: settings.parent_id }, findings);
  const namesakes = await findGroupsByName(tx, teamId, settings.name);
  const keepsName = namesakes.some((one) => one.id === id && one.name === settings.name);
  const [other] = keepsName ? [] : namesakes.filter((one) => one.id !== id);
  if (other === undefined) findings.throwIfAny();
  else {
    findings.add(
      'name',
      `must be unique in the team, without regard to case: group ${other.id} has it already`,
    );
    throw findings.asError({ existing_group_id: other.id });
  }
  return settings;
}

/** Ensures that groups nest one level deep, whether the parent or the subgroup was there first. */
async function checkParent(
  tx: Transaction<Schema>,
  teamId: number,
  { id, parentId }: { id: number | null; parentId: number },
  findings: Findings,
): Promise<void> {
  const add = (predicate: string) => findings.add('parent_id', predicate);
  if (parentId === id) return add('must not be the group itself');
  const parent = await findGroup(tx, teamId, parentId);
  if (parent === undefined) return add('must be the id of a group of your team');
  if (parent.parent_id !== null)
    add('must be a group without a parent of its own: groups nest one level deep');
  if (id !== null && (await hasSubgroups(tx, teamId, id)))
    add('must be null, since this group has subgroups: groups nest one level deep');
}

const asSet = (settings: GroupSettings) => viewSettings(GROUP_FIELDS, settings);

const targetOf = (id: number, { name }: GroupSettings) => ({ type: 'group', id, name }) as const;

function viewGroup(row: GroupRow): object {
  return {
    id: row.id,
    ...asSet(settingsOf(GROUP_FIELDS, row)),
    monitors_count: row.monitors_count,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
