import { sql } from 'kysely';
import type { RecordedPing } from '../../model/heartbeat.ts';
import type { Database } from '../database/contract.ts';
import { rowTable } from '../database/dialect.ts';
import { DAY_MS, dayOf, listDays, readRegions, roundTable, startOf } from './results.ts';
import type { StoredRound } from './result-history.ts';
import { decodeRound } from './round-codec.ts';

/** A monitor, and the number after which its newest entries are read: a time (epoch ms) or the number of a ping. */
export interface Since {
  monitorId: number;
  after: number;
}

/** Maximum number of rounds in one statement, and of pings in one read. */
export const RECENT_LIMIT = 1_000;

/**
 * Reads all rounds of these monitors that started after the given times, oldest first, in statements of at most
 * RECENT_LIMIT rounds. Meant for times shortly before now: rounds of more than a day ago are left out.
 */
export async function readRecentRounds(database: Database, wanted: readonly Since[], now: number) {
  const rounds: StoredRound[] = [];
  let last: LastRound | null = null;
  do {
    const page: RecentPage = await readRecentPage(database, wanted, { now, last });
    rounds.push(...page.rounds);
    last = page.last;
  } while (last !== null);
  return rounds;
}

interface LastRound {
  startedAt: number;
  monitorId: number;
}

interface RecentPage {
  rounds: StoredRound[];
  last: LastRound | null;
}

async function readRecentPage(
  database: Database,
  wanted: readonly Since[],
  { now, last }: { now: number; last: LastRound | null },
): Promise<RecentPage> {
  if (wanted.length === 0) return { rounds: [], last: null };
  const from = Math.max(now - DAY_MS, Math.min(...wanted.map(({ after }) => after)));
  // A probe's clock may be ahead at midnight.
  const near = new Set([dayOf(from), dayOf(now), dayOf(now + 60_000)]);
  const days = (await listDays(database)).filter((day) => near.has(day));
  if (days.length === 0) return { rounds: [], last: null };
  const regions = await readRegions(database);
  const rows = rowTable(
    database.read,
    wanted.map(({ monitorId, after }) => [monitorId, Math.max(after, now - DAY_MS)]),
    { monitor_id: 'integer', after: 'integer' },
  );
  const parts = days.map(
    (
      day,
    ) => sql`select round.monitor_id, round.at + ${sql.lit(startOf(day))} as started_at, round.data
      from ${rows} as wanted join ${roundTable(day)} as round
      on round.monitor_id = wanted.monitor_id and round.at > wanted.after - ${sql.lit(startOf(day))}`,
  );
  const following =
    last === null
      ? sql``
      : sql`where (started_at, monitor_id) > (${sql.lit(last.startedAt)}, ${sql.lit(last.monitorId)})`;
  const { rows: found } = await sql<{ monitor_id: number; started_at: number; data: Uint8Array }>`
    select * from (${sql.join(parts, sql` union all `)}) as found ${following}
    order by started_at, monitor_id limit ${sql.lit(RECENT_LIMIT)}`.execute(database.read);
  const rounds = found.flatMap(({ monitor_id: monitorId, started_at: startedAt, data }) => {
    const round = decodeRound(data, startedAt, regions);
    return round ? [{ ...round, monitorId, startedAt }] : [];
  });
  const end = found.length === RECENT_LIMIT ? found.at(-1)! : null;
  return { rounds, last: end && { startedAt: end.started_at, monitorId: end.monitor_id } };
}

/** A ping, without its text. */
export type RecentPing = Pick<
  RecordedPing,
  'monitorId' | 'number' | 'at' | 'kind' | 'exitCode' | 'durationMs'
>;

/** Reads the pings of these monitors with numbers after the given ones, oldest first, in one statement. */
export async function readRecentPings({ read }: Database, wanted: readonly Since[]) {
  if (wanted.length === 0) return [];
  const rows = rowTable(
    read,
    wanted.map(({ monitorId, after }) => [monitorId, after]),
    { monitor_id: 'integer', after: 'integer' },
  );
  const { rows: pings } = await sql<RecentPing>`
    select ping.monitor_id as "monitorId", ping.number, ping.at, ping.kind, ping.exit_code as "exitCode",
      ping.duration_ms as "durationMs"
    from ${rows} as wanted
    join ping on ping.monitor_id = wanted.monitor_id and ping.number > wanted.after
    order by ping.monitor_id, ping.number limit ${sql.lit(RECENT_LIMIT)}`.execute(read);
  return pings;
}

/** Reads the number of the newest ping of each monitor; 0 without one. */
export async function newestPings({ read }: Database, monitorIds: readonly number[]) {
  const rows = await read
    .selectFrom('ping')
    .select(['monitor_id', (select) => select.fn.max<number>('number').as('newest')])
    .where('monitor_id', 'in', [...monitorIds])
    .groupBy('monitor_id')
    .execute();
  return new Map(rows.map(({ monitor_id, newest }) => [monitor_id, Number(newest)]));
}
