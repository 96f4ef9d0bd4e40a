import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { wakeAlertsOfTeam } from '../../store/alerting/alerts.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  deleteGroup,
  findGroup,
  findGroupByName,
  hasSubgroups,
  insertGroup,
  listGroups,
  updateGroup,
  type GroupColumns,
  type GroupRow,
} from '../../store/resources/groups.ts';
import type { Schema } from '../../store/database/schema.ts';
import { lockTeam } from '../../store/people/teams.ts';
import { groupAsSet, groupTarget } from '../audit-log/targets.ts';
import { audit } from '../audit-log/entry.ts';
import { authorise, notFound } from '../common/errors.ts';
import { Findings, readBody } from '../common/input.ts';
import { nameText, text, wholeNumber } from '../../lib/schemas.ts';
import { isoTime } from '../common/time.ts';

/** What people send for a group, to create it and to replace it (contract 26.3, 26.9). */
export const groupInput = z.object({
  name: nameText(60),
  description: text(255).nullish(),
  parent_id: groupId().nullish(),
  sort_order: wholeNumber(0, 2_147_483_647).nullish(),
});

/** What is missing is told of by a rule of its own, so that it hides nothing else that is wrong. */
const groupFields = groupInput.extend({ name: groupInput.shape.name.nullish() });

/** What callers may do with groups. Ids of other teams are not found; what is wrong with a body is an InvalidInput. */
export interface GroupService {
  list(caller: Caller): Promise<object>;
  get(caller: Caller, id: number): Promise<object>;
  create(caller: Caller, body: unknown): Promise<object>;
  /** Replaces the whole group: what is left out is unset. */
  update(caller: Caller, id: number, body: unknown): Promise<object>;
  /** Its monitors stay, in no group, and its subgroups stay, without a parent. */
  delete(caller: Caller, id: number): Promise<void>;
}

/** What goes on is looked at now: others may be told of it from now on. */
const routesMayDiffer = (tx: Transaction<Schema>, caller: Caller, now: number) =>
  wakeAlertsOfTeam(tx, caller.team.id, now);

export function createGroupService(deps: { database: Database; clock: Clock }): GroupService {
  const { database, clock } = deps;

  /** Writes of one team's groups come one after another: what one was judged by, the next can't undo meanwhile. */
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
      authorise(caller, 'read');
      const rows = await listGroups(database.read, caller.team.id);
      return { total: rows.length, data: rows.map(viewGroup) };
    },

    async get(caller, id) {
      authorise(caller, 'read');
      return viewGroup(await mustFind(database.read, caller, id));
    },

    async create(caller, body) {
      authorise(caller, 'create');
      const row = await write(caller, async (tx) => {
        const columns = await judgeGroup(tx, caller.team.id, null, body);
        const now = clock.now();
        const id = await insertGroup(tx, caller.team.id, columns, now);
        const target = groupTarget({ id, ...columns });
        await audit(tx, caller, { verb: 'created', target, after: groupAsSet(columns) }, now);
        return mustFind(tx, caller, id);
      });
      return viewGroup(row);
    },

    async update(caller, id, body) {
      authorise(caller, 'update');
      const row = await write(caller, async (tx) => {
        const stored = await mustFind(tx, caller, id);
        const columns = await judgeGroup(tx, caller.team.id, id, body);
        if (!isChange(stored, columns)) return stored;
        const now = clock.now();
        await updateGroup(tx, caller.team.id, id, columns, now);
        if (columns.parent_id !== stored.parent_id) await routesMayDiffer(tx, caller, now);
        const change = {
          verb: 'updated',
          target: groupTarget({ id, ...columns }),
          before: groupAsSet(stored),
          after: groupAsSet(columns),
        };
        await audit(tx, caller, change, now);
        return mustFind(tx, caller, id);
      });
      return viewGroup(row);
    },

    async delete(caller, id) {
      authorise(caller, 'delete');
      await write(caller, async (tx) => {
        const row = await mustFind(tx, caller, id);
        const now = clock.now();
        await deleteGroup(tx, caller.team.id, id);
        await routesMayDiffer(tx, caller, now);
        const change = { verb: 'deleted', target: groupTarget(row), before: groupAsSet(row) };
        await audit(tx, caller, change, now);
      });
    },
  };
}

async function mustFind(db: Kysely<Schema>, caller: Caller, id: number): Promise<GroupRow> {
  const row = await findGroup(db, caller.team.id, id);
  if (row === undefined) throw notFound('group');
  return row;
}

/**
 * The columns that a body asks for, judged by the team's other groups.
 *
 * @param id of the group that is replaced; null for a new one.
 */
async function judgeGroup(
  tx: Transaction<Schema>,
  teamId: number,
  id: number | null,
  body: unknown,
): Promise<GroupColumns> {
  const findings = new Findings();
  const given = readBody(groupFields, body, findings) as z.output<typeof groupFields>;
  const columns = {
    name: given.name ?? '',
    description: given.description ?? null,
    parent_id: given.parent_id ?? null,
    sort_order: given.sort_order ?? 0,
  };
  if (columns.name === '' && !findings.has('name'))
    findings.add('name', 'is required: groups are told apart by it');
  if (columns.parent_id !== null)
    await judgeParent(tx, teamId, { id, parentId: columns.parent_id }, findings);
  const namesake = await findGroupByName(tx, teamId, columns.name);
  if (namesake === null || namesake === id) findings.throwIfAny();
  else {
    findings.add('name', 'must be unique in the team: another group has it already');
    throw findings.asError({ existing_group_id: namesake });
  }
  return columns;
}

/** Groups nest one level deep, whoever of the two was there first. */
async function judgeParent(
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

function isChange(stored: GroupColumns, wanted: GroupColumns): boolean {
  return (Object.keys(wanted) as (keyof GroupColumns)[]).some(
    (name) => stored[name] !== wanted[name],
  );
}

function groupId() {
  const error = 'must be the id of a group of your team';
  return z.int({ error }).min(1, { error });
}

function viewGroup(row: GroupRow): object {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    parent_id: row.parent_id,
    sort_order: row.sort_order,
    monitors_count: row.monitors_count,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
