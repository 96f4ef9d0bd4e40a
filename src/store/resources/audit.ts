import { sql } from 'kysely';
import type { AuditEntry } from '../../model/audit.ts';
import type { Database, Db, Row } from '../database/contract.ts';
import { contains, idList, type Engine } from '../database/dialect.ts';
import { countRows, findRows, insertRows } from '../database/rows.ts';

export type AuditRow = Row<'audit_entry'>;

export interface AuditFilter {
  action: string | null;
  targetType: string | null;
  targetId: number | null;
  personId: number | null;
  /** Part of a name, of who made the change or of a changed value. */
  search: string | null;
  /** Epoch milliseconds: written at or after the first, and before the second. */
  from: number | null;
  before: number | null;
}

type Direction = 'asc' | 'desc';

/** What people changed. */
export function auditLog(db: Db) {
  return {
    /** Stores entries, in the transaction of the changes that they record. */
    async insertAll(entries: readonly AuditEntry[], now: number) {
      const rows = entries.map((entry) => rowOf(entry, now));
      await insertRows(db, 'audit_entry', rows);
    },

    insert(entry: AuditEntry, now: number) {
      return this.insertAll([entry], now);
    },

    /** Id of the newest entry of the installation; null without any. */
    async newestId(): Promise<number | null> {
      const { id } = await db
        .selectFrom('audit_entry')
        .select((select) => select.fn.max<number | null>('id').as('id'))
        .executeTakeFirstOrThrow();
      return id;
    },

    /** Changes of a team from a time on (epoch ms) of targets with these ids, of any type; the oldest first. */
    async changesSince(teamId: number, from: number, ids: readonly number[]) {
      const rows = await findRows(
        db,
        'audit_entry',
        { team_id: teamId, created_at: ['>=', from], target_id: ['in', idList(db, ids)] },
        ['target_type', 'target_id', 'actor', 'action', 'created_at'],
        ['created_at', 'id'],
      );
      return rows.map(({ action, ...row }) => ({ ...row, verb: action.split('.')[1]! }));
    },

    /** Ids of the entries after this one. */
    async idsAfter(after: number): Promise<ReadonlySet<number>> {
      const rows = await findRows(db, 'audit_entry', { id: ['>', after] }, ['id']);
      return new Set(rows.map(({ id }) => id));
    },

    /** Whether a change of the target was recorded after that entry, beyond the known ones. */
    async hasChangedSince(
      target: { type: string; id: number },
      after: number,
      known: ReadonlySet<number>,
    ) {
      const rows = await findRows(
        db,
        'audit_entry',
        { id: ['>', after], target_type: target.type, target_id: target.id },
        ['id'],
      );
      return rows.some(({ id }) => !known.has(id));
    },
  };
}

function rowOf(
  { actor, teamId, verb, target, before = null, after = null }: AuditEntry,
  now: number,
) {
  return {
    team_id: teamId,
    person_id: actor.personId,
    actor: actor.name,
    via: actor.via,
    credential_name: actor.credentialName ?? null,
    ip_address: actor.address ?? null,
    action: `${target.type}.${verb}`,
    target_type: target.type,
    target_id: target.id,
    target_name: target.name,
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
    created_at: now,
  };
}

/** Lists a page of a team's entries by time and then by id, and counts all that match. */
export async function listAuditEntries(
  { scan, engine }: Database,
  teamId: number,
  filter: AuditFilter,
  paging: { direction: Direction; limit: number; offset: number },
): Promise<{ rows: AuditRow[]; total: number }> {
  const matching = matchEntries(scan, engine, teamId, filter);
  const total = await countRows(matching);
  if (paging.offset >= total) return { rows: [], total };
  const rows = await inOrder(matching, paging.direction)
    .selectAll()
    .limit(paging.limit)
    .offset(paging.offset)
    .execute();
  return { rows, total };
}

/** Lists matching entries after the given one, in order; null starts with the first. */
export function auditEntriesAfter(
  { scan, engine }: Database,
  teamId: number,
  filter: AuditFilter,
  after: Pick<AuditRow, 'created_at' | 'id'> | null,
  paging: { direction: Direction; limit: number },
): Promise<AuditRow[]> {
  const isBeyond = paging.direction === 'asc' ? '>' : '<';
  return inOrder(matchEntries(scan, engine, teamId, filter), paging.direction)
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), isBeyond, tuple(after!.created_at, after!.id)),
      ),
    )
    .selectAll()
    .limit(paging.limit)
    .execute();
}

/** Columns that a search looks at. */
const SEARCHED = ['target_name', 'actor', 'before', 'after'];

type Entries = ReturnType<typeof matchEntries>;

/** Orders entries along their index, which ends with the id, so that nothing is sorted. */
function inOrder(entries: Entries, direction: Direction): Entries {
  return entries.orderBy('created_at', direction).orderBy('id', direction);
}

function matchEntries(db: Db, engine: Engine, teamId: number, filter: AuditFilter) {
  const { action, targetType, targetId, personId, search, from, before } = filter;
  return db
    .selectFrom('audit_entry')
    .where('team_id', '=', teamId)
    .$if(action !== null, (query) => query.where('action', '=', action!))
    .$if(targetType !== null, (query) => query.where('target_type', '=', targetType!))
    .$if(targetId !== null, (query) => query.where('target_id', '=', targetId))
    .$if(personId !== null, (query) => query.where('person_id', '=', personId))
    .$if(search !== null, (query) =>
      query.where(({ or }) =>
        or(SEARCHED.map((column) => contains(engine, sql.ref(column), search!))),
      ),
    )
    .$if(from !== null, (query) => query.where('created_at', '>=', from!))
    .$if(before !== null, (query) => query.where('created_at', '<', before!));
}
