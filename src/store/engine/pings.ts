import { CompiledQuery, sql } from 'kysely';
import type { Transaction } from 'kysely';
import type { RecordedPing } from '../../model/heartbeat.ts';
import { engineOf, jsonTable, prepareJsonStatement } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';

const COLUMNS = {
  monitor_id: 'integer',
  number: 'integer',
  at: 'integer',
  kind: 'text',
  run_id: 'text',
  exit_code: 'integer',
  duration_ms: 'integer',
  source_address: 'text',
  user_agent: 'text',
  body: 'text',
  is_body_cut: 'integer',
} as const;

const INSERT = `insert into ping (${Object.keys(COLUMNS).join(', ')})`;

/** Adds pings, any number. Their numbers come from the states that the transaction has locked. */
export async function insertPings(
  tx: Transaction<Schema>,
  pings: readonly RecordedPing[],
): Promise<void> {
  const engine = engineOf(tx);
  if (pings.length === 0) return;
  if (engine === 'sqlite') return await insertInParts(tx, pings);
  // A round trip each would cost more than taking JSON apart.
  await insertAll(tx, JSON.stringify(pings.map(columnsOf)));
}

const insertAll = prepareJsonStatement((tx, engine, json) => {
  const rows = jsonTable(engine, json, COLUMNS);
  return sql`${sql.raw(INSERT)} select * from ${rows} as v`.compile(tx);
});

const PART = 16;
/** By the number of rows: few texts, so that their statements stay prepared. */
const PART_INSERTS = Array.from({ length: PART + 1 }, (_, rows) => {
  const row = `(${Object.keys(COLUMNS)
    .map(() => '?')
    .join(', ')})`;
  return `${INSERT} values ${Array.from({ length: rows }, () => row).join(', ')}`;
});

/** SQLite takes values for half the time of JSON. */
async function insertInParts(
  tx: Transaction<Schema>,
  pings: readonly RecordedPing[],
): Promise<void> {
  for (let from = 0; from < pings.length; from += PART) {
    const part = pings.slice(from, from + PART);
    const query = CompiledQuery.raw(PART_INSERTS[part.length]!, part.flatMap(columnsOf));
    await tx.executeQuery(query);
  }
}

function columnsOf(ping: RecordedPing): unknown[] {
  return [
    ping.monitorId,
    ping.number,
    ping.at,
    ping.kind,
    ping.runId,
    ping.exitCode,
    ping.durationMs,
    ping.sourceAddress,
    ping.userAgent,
    ping.body,
    ping.isBodyCut ? 1 : 0,
  ];
}
