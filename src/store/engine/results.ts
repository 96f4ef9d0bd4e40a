import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';
import type { CheckResult } from '../../model/check.ts';
import type { Database } from '../database/contract.ts';
import { jsonTable } from '../database/dialect.ts';
import {
  dayOf,
  failureTable,
  hasDay,
  regionsForWriting,
  roundTable,
  startOf,
} from './result-days.ts';
import type { Day } from './result-days.ts';
import { encodeRound } from './round-codec.ts';
import type { RecordedRound } from './round-codec.ts';
import type { Schema } from '../database/schema.ts';

export { ensureDays } from './result-days.ts';
export type { RecordedRound } from './round-codec.ts';

/** What is kept of a failed result beside its round: the text, the address, and the regions that saw just that. */
export type FailureDetail = [text: string, address: string | null, ...regions: string[]];

/** Longer texts of failures are cut. */
const LONGEST_TEXT = 500;

/**
 * Stores rounds, one statement for those of one day. A round that is there already (same monitor, same start) stays
 * as it is; one of a monitor that is gone is left out. `ensureDays` must have run before the transaction.
 */
export async function insertRounds(
  tx: Transaction<Schema>,
  database: Database,
  rounds: readonly RecordedRound[],
): Promise<void> {
  for (const [day, ofDay] of byDay(rounds)) {
    await insertRows(tx, roundTable(day), packRounds(database, ofDay, day));
    const failed = ofDay.flatMap((recorded) => failureRow(recorded, day));
    if (failed.length > 0) await insertRows(tx, failureTable(day), failures(database, failed));
  }
}

interface Rows {
  column: 'data' | 'details';
  rows: RawBuilder<unknown>;
}

async function insertRows(
  tx: Transaction<Schema>,
  table: RawBuilder<unknown>,
  { column, rows }: Rows,
): Promise<void> {
  await sql`insert into ${table} (monitor_id, at, ${sql.ref(column)})
    select v.monitor_id, v.at, v.${sql.ref(column)} from ${rows} as v
    where exists (select 1 from monitor_state where monitor_state.monitor_id = v.monitor_id)
    on conflict do nothing`.execute(tx);
}

function packRounds(database: Database, rounds: readonly RecordedRound[], day: Day): Rows {
  const regions = regionsForWriting(database);
  const values = rounds.map((recorded) => [
    recorded.round.monitorId,
    offsetIn(day, recorded),
    encodeRound(recorded, regions).toString('hex'),
  ]);
  const columns = { monitor_id: 'integer', at: 'integer', data: 'blob' } as const;
  return { column: 'data', rows: jsonTable(database.engine, JSON.stringify(values), columns) };
}

function failures(database: Database, values: unknown[][]): Rows {
  const columns = { monitor_id: 'integer', at: 'integer', details: 'text' } as const;
  return { column: 'details', rows: jsonTable(database.engine, JSON.stringify(values), columns) };
}

/** A row of the failure table, or none. Its JSON is escaped twice, so whatever a target said is safe in a text column. */
function failureRow(recorded: RecordedRound, day: Day): [number, number, string][] {
  const details = new Map<string, FailureDetail>();
  for (const { region, failure, remoteAddress } of recorded.round.results) {
    if (!failure) continue;
    const text = failure.text.slice(0, LONGEST_TEXT).toWellFormed();
    const key = JSON.stringify([text, remoteAddress]);
    const detail = details.get(key);
    if (detail) detail.push(region);
    else details.set(key, [text, remoteAddress, region]);
  }
  if (details.size === 0) return [];
  return [
    [recorded.round.monitorId, offsetIn(day, recorded), JSON.stringify([...details.values()])],
  ];
}

/** What of a failed result lies in the failure table, by region. */
export function failureDetails(
  json: string,
): Map<string, { text: string; address: CheckResult['remoteAddress'] }> {
  const details = JSON.parse(json) as FailureDetail[];
  return new Map(
    details.flatMap(([text, address, ...regions]) =>
      regions.map((region) => [region, { text, address }] as const),
    ),
  );
}

function byDay(rounds: readonly RecordedRound[]): Map<Day, RecordedRound[]> {
  const storable = rounds.filter(({ round }) => hasDay(round.startedAt));
  return Map.groupBy(storable, ({ round }) => dayOf(round.startedAt));
}

const offsetIn = (day: Day, { round }: RecordedRound) => Math.trunc(round.startedAt) - startOf(day);
