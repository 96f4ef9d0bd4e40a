import type { Kysely, Selectable } from 'kysely';
import type { AuditEntry } from '../../model/audit.ts';
import type { Database } from '../database/contract.ts';
import type { Schema } from '../database/schema.ts';
import type { AuditEntryTable } from '../database/schema-people.ts';

export type AuditRow = Selectable<AuditEntryTable>;

export interface AuditFilter {
  action: string | null;
  targetType: string | null;
  targetId: number | null;
  personId: number | null;
  /** Epoch milliseconds: written at or after the first, and before the second. */
  from: number | null;
  before: number | null;
}

type Direction = 'asc' | 'desc';

/** Stores an entry, in the transaction of the change that it records. */
export async function insertAuditEntry(
  tx: Kysely<Schema>,
  { actor, teamId, verb, target, before = null, after = null }: AuditEntry,
  now: number,
): Promise<void> {
  const row = {
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
  await tx.insertInto('audit_entry').values(row).execute();
}

/** One page of a team's entries and how many match in all, by time and then by id. */
export async function listAuditEntries(
  { scan }: Database,
  teamId: number,
  filter: AuditFilter,
  paging: { direction: Direction; limit: number; offset: number },
): Promise<{ rows: AuditRow[]; total: number }> {
  const matching = matchEntries(scan, teamId, filter);
  const counted = await matching
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const total = Number(counted.total);
  if (paging.offset >= total) return { rows: [], total };
  const rows = await inOrder(matching, paging.direction)
    .selectAll()
    .limit(paging.limit)
    .offset(paging.offset)
    .execute();
  return { rows, total };
}

/** The entries that match and follow the given one, in order; null for the first ones. */
export function auditEntriesAfter(
  { scan }: Database,
  teamId: number,
  filter: AuditFilter,
  after: Pick<AuditRow, 'created_at' | 'id'> | null,
  paging: { direction: Direction; limit: number },
): Promise<AuditRow[]> {
  const isBeyond = paging.direction === 'asc' ? '>' : '<';
  return inOrder(matchEntries(scan, teamId, filter), paging.direction)
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('created_at', 'id'), isBeyond, tuple(after!.created_at, after!.id)),
      ),
    )
    .selectAll()
    .limit(paging.limit)
    .execute();
}

/** Entries that go in one transaction: a few milliseconds of the writer. */
const AT_ONCE = 500;

/** Deletes a slice of the entries written before that time (epoch ms); whether there may be more. */
export async function deleteAuditEntriesBefore(
  database: Database,
  before: number,
): Promise<boolean> {
  return await database.transaction(async (tx) => {
    const slice = tx
      .selectFrom('audit_entry')
      .select('id')
      .where('created_at', '<', before)
      .orderBy('created_at')
      .limit(AT_ONCE);
    const { numDeletedRows } = await tx
      .deleteFrom('audit_entry')
      .where('id', 'in', slice)
      .executeTakeFirstOrThrow();
    return numDeletedRows >= AT_ONCE;
  });
}

type Entries = ReturnType<typeof matchEntries>;

/** Their index ends with the id, so that the order costs no sorting. */
function inOrder(entries: Entries, direction: Direction): Entries {
  return entries.orderBy('created_at', direction).orderBy('id', direction);
}

function matchEntries(db: Kysely<Schema>, teamId: number, filter: AuditFilter) {
  const { action, targetType, targetId, personId, from, before } = filter;
  return db
    .selectFrom('audit_entry')
    .where('team_id', '=', teamId)
    .$if(action !== null, (query) => query.where('action', '=', action!))
    .$if(targetType !== null, (query) => query.where('target_type', '=', targetType!))
    .$if(targetId !== null, (query) => query.where('target_id', '=', targetId))
    .$if(personId !== null, (query) => query.where('person_id', '=', personId))
    .$if(from !== null, (query) => query.where('created_at', '>=', from!))
    .$if(before !== null, (query) => query.where('created_at', '<', before!));
}
