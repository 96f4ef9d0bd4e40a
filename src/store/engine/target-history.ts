import type { Kysely, Transaction } from 'kysely';
import type { DnsFacts, DnsRecords, SslFacts } from '../../model/inspection.ts';
import type { MonitorActivityTable, Schema } from '../database/schema.ts';

type New<Table> = Omit<Table, 'id'>;

/** Of one host, or host and port, so many are kept: some change at each look. */
const MOST_KEPT = 500;

/** The records of a host, from `seenAt` (epoch ms) on until the next set. */
export interface DnsRecordSet {
  id: number;
  seenAt: number;
  records: DnsRecords;
  source: DnsFacts['source'];
}

/** A certificate of a host and port, and what was seen with it, from `seenAt` (epoch ms) on until the next one. */
export interface SeenCertificate {
  id: number;
  seenAt: number;
  facts: SslFacts;
}

export async function insertRecordSet(
  tx: Transaction<Schema>,
  host: string,
  { records, source }: DnsFacts,
  seenAt: number,
): Promise<void> {
  await tx
    .insertInto('dns_record_set')
    .values({ host, seen_at: seenAt, records: JSON.stringify(records), source })
    .execute();
  const oldest = tx
    .selectFrom('dns_record_set')
    .select('id')
    .where('host', '=', host)
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
    .offset(MOST_KEPT)
    .limit(1);
  await tx
    .deleteFrom('dns_record_set')
    .where('host', '=', host)
    .where('id', 'in', oldest)
    .execute();
}

export async function insertCertificate(
  tx: Transaction<Schema>,
  target: string,
  facts: SslFacts,
  seenAt: number,
): Promise<void> {
  await tx
    .insertInto('certificate')
    .values({
      target,
      seen_at: seenAt,
      fingerprint: facts.certificate.fingerprint,
      facts: JSON.stringify(facts),
    })
    .execute();
  const oldest = tx
    .selectFrom('certificate')
    .select('id')
    .where('target', '=', target)
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
    .offset(MOST_KEPT)
    .limit(1);
  await tx
    .deleteFrom('certificate')
    .where('target', '=', target)
    .where('id', 'in', oldest)
    .execute();
}

/** A monitor sees what was the case since it is there: sets that were replaced before `since` (epoch ms) are left out. */
export interface HistoryQuery {
  target: string;
  since: number;
  limit: number;
  offset: number;
}

/** The newest first, and how many there are. */
export async function listRecordSets(
  db: Kysely<Schema>,
  { target, since, limit, offset }: HistoryQuery,
): Promise<{ total: number; sets: DnsRecordSet[] }> {
  const seen = await db
    .selectFrom('dns_record_set')
    .select(['id', 'seen_at'])
    .where('host', '=', target)
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const { total, ids } = pageOfIds(seen, { since, limit, offset });
  if (ids.length === 0) return { total, sets: [] };
  const rows = await db
    .selectFrom('dns_record_set')
    .selectAll()
    .where('id', 'in', ids)
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return {
    total,
    sets: rows.map((row) => ({
      id: row.id,
      seenAt: row.seen_at,
      records: JSON.parse(row.records),
      source: row.source as DnsFacts['source'],
    })),
  };
}

/** The newest first, and how many there are. */
export async function listCertificates(
  db: Kysely<Schema>,
  { target, since, limit, offset }: HistoryQuery,
): Promise<{ total: number; certificates: SeenCertificate[] }> {
  const seen = await db
    .selectFrom('certificate')
    .select(['id', 'seen_at'])
    .where('target', '=', target)
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const { total, ids } = pageOfIds(seen, { since, limit, offset });
  if (ids.length === 0) return { total, certificates: [] };
  const rows = await db
    .selectFrom('certificate')
    .select(['id', 'seen_at', 'facts'])
    .where('id', 'in', ids)
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return {
    total,
    certificates: rows.map((row) => ({
      id: row.id,
      seenAt: row.seen_at,
      facts: JSON.parse(row.facts),
    })),
  };
}

/**
 * Of rows with the newest first, those that still held at `since`, or came later; of these one page. What they hold is
 * read afterwards, for the page alone: each may have hundreds of kilobytes.
 */
function pageOfIds(
  rows: { id: number; seen_at: number }[],
  { since, limit, offset }: Omit<HistoryQuery, 'target'>,
): { total: number; ids: number[] } {
  const kept = rows.filter((_, index) => index === 0 || rows[index - 1]!.seen_at > since);
  return { total: kept.length, ids: kept.slice(offset, offset + limit).map(({ id }) => id) };
}

/** What changed about the targets of monitors; the oldest lines of each make room. */
export async function insertMonitorActivities(
  tx: Transaction<Schema>,
  rows: New<MonitorActivityTable>[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.insertInto('monitor_activity').values(rows).execute();
  const ranked = tx
    .selectFrom('monitor_activity')
    .select(({ fn }) => [
      'id',
      fn
        .agg<number>('row_number')
        .over((over) => over.partitionBy('monitor_id').orderBy('id', 'desc'))
        .as('place'),
    ])
    .where(
      'monitor_id',
      'in',
      rows.map((row) => row.monitor_id),
    );
  await tx
    .deleteFrom('monitor_activity')
    .where('id', 'in', (eb) =>
      eb.selectFrom(ranked.as('ranked')).select('id').where('place', '>', MOST_KEPT),
    )
    .execute();
}

/** The newest first, and how many there are. */
export async function listMonitorActivities(
  db: Kysely<Schema>,
  monitorId: number,
  limit: number,
  offset: number,
): Promise<{ total: number; activities: MonitorActivityRow[] }> {
  const { total } = await db
    .selectFrom('monitor_activity')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('monitor_id', '=', monitorId)
    .executeTakeFirstOrThrow();
  const activities = await db
    .selectFrom('monitor_activity')
    .select(['id', 'type', 'description', 'created_at'])
    .where('monitor_id', '=', monitorId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { total, activities };
}

export type MonitorActivityRow = Pick<
  MonitorActivityTable,
  'type' | 'description' | 'created_at'
> & { id: number };
