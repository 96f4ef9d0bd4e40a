import { CompiledQuery } from 'kysely';
import type { Transaction } from 'kysely';
import type { RecordedPing } from '../../model/heartbeat.ts';
import { engineOf } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';
import { prepareInsert } from '../database/rows.ts';

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

/** Inserts any number of pings. Their numbers come from the states that the transaction has locked. */
export async function insertPings(
  tx: Transaction<Schema>,
  pings: readonly RecordedPing[],
): Promise<void> {
  if (engineOf(tx) === 'sqlite') return await insertInParts(tx, pings);
  // One statement: a round trip for each part would cost more than parsing JSON.
  await insertAll(tx, pings.map(columnsOf));
}

const insertAll = prepareInsert('ping', COLUMNS);

const PART = 16;
/** Statements by the number of rows: few texts, so that they stay prepared. */
const PART_INSERTS = Array.from({ length: PART + 1 }, (_, rows) => {
  const row = `(${Object.keys(COLUMNS)
    .map(() => '?')
    .join(', ')})`;
  return `insert into ping (${Object.keys(COLUMNS).join(', ')}) values ${Array.from({ length: rows }, () => row).join(', ')}`;
});

/** Inserts values, which costs SQLite half the time of JSON. */
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
