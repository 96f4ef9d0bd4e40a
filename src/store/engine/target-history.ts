import { sql, type Selectable } from 'kysely';
import type { DnsFacts, DnsRecords, SslFacts } from '../../model/inspection.ts';
import type { Db, Schema, Tx } from '../database/contract.ts';
import { readPage } from '../database/team-rows.ts';
import { insertRow } from '../database/rows.ts';

type New<Table> = Omit<Selectable<Table>, 'id'>;

/** Maximum number of entries kept per target, or per monitor: some change at each inspection. */
const MAX_KEPT = 500;

/** The records of a host, valid from `seenAt` (epoch ms) until the next set. */
interface DnsRecordSet {
  id: number;
  seenAt: number;
  records: DnsRecords;
  source: DnsFacts['source'];
}

/** A certificate of a host and port with its facts, valid from `seenAt` (epoch ms) until the next one. */
export interface SeenCertificate {
  id: number;
  seenAt: number;
  facts: SslFacts;
}

/** A table of what was seen at targets over time, and its column that names the target. */
const RECORD_SETS = { table: 'dns_record_set', target: 'host' } as const;
const CERTIFICATES = { table: 'certificate', target: 'target' } as const;
type SeenTable = typeof RECORD_SETS | typeof CERTIFICATES;

/** What inspections add to it. */
export function targetHistoryChanges(tx: Tx) {
  return {
    async insertRecordSet(host: string, { records, source }: DnsFacts, seenAt: number) {
      const set = { host, seen_at: seenAt, records: JSON.stringify(records), source };
      await insertRow(tx, 'dns_record_set', set);
      await deleteSurplus(tx, RECORD_SETS, host);
    },

    async insertCertificate(target: string, facts: SslFacts, seenAt: number) {
      const { fingerprint } = facts.certificate;
      const seen = { target, seen_at: seenAt, fingerprint, facts: JSON.stringify(facts) };
      await insertRow(tx, 'certificate', seen);
      await deleteSurplus(tx, CERTIFICATES, target);
    },

    /** Records changes of the targets of monitors, and deletes the oldest surplus entries of each monitor. */
    async insertActivities(rows: New<Schema['monitor_activity']>[]) {
      if (rows.length === 0) return;
      await tx.insertInto('monitor_activity').values(rows).execute();
      const monitorIds = rows.map((row) => row.monitor_id);
      const ranked = tx
        .selectFrom('monitor_activity')
        .select(({ fn }) => [
          'id',
          fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('monitor_id').orderBy('id', 'desc'))
            .as('place'),
        ])
        .where('monitor_id', 'in', monitorIds);
      await tx
        .deleteFrom('monitor_activity')
        .where('id', 'in', (eb) =>
          eb.selectFrom(ranked.as('ranked')).select('id').where('place', '>', MAX_KEPT),
        )
        .execute();
    },
  };
}

/** Deletes the oldest entry of a target when it has one too many. */
async function deleteSurplus(tx: Tx, { table, target: column }: SeenTable, target: string) {
  const [from, isTarget] = [sql.table(table), sql`${sql.ref(column)} = ${target}`];
  await sql`delete from ${from} where ${isTarget} and id in (
    select id from ${from} where ${isTarget} order by seen_at desc, id desc
    limit 1 offset ${MAX_KEPT})`.execute(tx);
}

/** A page of a target's history. Entries that were replaced before `since` (epoch ms), such as the monitor's creation, are left out. */
interface HistoryQuery {
  target: string;
  since: number;
  limit: number;
  offset: number;
}

/** What was found of a target over time. */
export function targetFacts(db: Db) {
  return {
    async recordSets(query: HistoryQuery): Promise<{ total: number; sets: DnsRecordSet[] }> {
      const { total, ids } = await findIds(db, RECORD_SETS, query);
      if (ids.length === 0) return { total, sets: [] };
      const rows = await db
        .selectFrom('dns_record_set')
        .select(['id', 'seen_at as seenAt', 'records', 'source'])
        .where('id', 'in', ids)
        .orderBy('seen_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      const sets = rows.map((row) => ({
        ...row,
        records: JSON.parse(row.records),
        source: row.source as DnsFacts['source'],
      }));
      return { total, sets };
    },

    async certificates(
      query: HistoryQuery,
    ): Promise<{ total: number; certificates: SeenCertificate[] }> {
      const { total, ids } = await findIds(db, CERTIFICATES, query);
      if (ids.length === 0) return { total, certificates: [] };
      const rows = await db
        .selectFrom('certificate')
        .select(['id', 'seen_at as seenAt', 'facts'])
        .where('id', 'in', ids)
        .orderBy('seen_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return { total, certificates: rows.map((row) => ({ ...row, facts: JSON.parse(row.facts) })) };
    },

    /** Lists the changes of a monitor's targets, the newest first, and counts all. */
    async activities(
      monitorId: number,
      limit: number,
      offset: number,
    ): Promise<{ total: number; activities: MonitorActivityRow[] }> {
      const ofMonitor = db.selectFrom('monitor_activity').where('monitor_id', '=', monitorId);
      const { rows, total } = await readPage(
        ofMonitor.select(['id', 'type', 'description', 'created_at']),
        'monitor_activity',
        ['created_at'],
        { direction: 'desc', limit, offset },
      );
      return { total, activities: rows };
    },
  };
}

/**
 * Finds the ids of a page and counts all entries that were valid at `since` or later. The content of entries, which may
 * have hundreds of kilobytes, is read afterwards and for the page alone.
 */
async function findIds(
  db: Db,
  { table, target: column }: SeenTable,
  { target, since, limit, offset }: HistoryQuery,
): Promise<{ total: number; ids: number[] }> {
  const { rows } = await sql<{ id: number; seen_at: number }>`
    select id, seen_at from ${sql.table(table)} where ${sql.ref(column)} = ${target}
    order by seen_at desc, id desc`.execute(db);
  const kept = rows.filter((_, index) => index === 0 || rows[index - 1]!.seen_at > since);
  return { total: kept.length, ids: kept.slice(offset, offset + limit).map(({ id }) => id) };
}

type MonitorActivityRow = Pick<
  Schema['monitor_activity'],
  'type' | 'description' | 'created_at'
> & {
  id: number;
};
