import { sql, type RawBuilder } from 'kysely';
import { createGatheredReads } from '../../lib/gathered-reads.ts';
import type { Database } from '../database/contract.ts';
import { engineOf, jsonTable, withoutIndex, type Engine } from '../database/dialect.ts';
import { arrayTexts, nameQuery, type PreparedQuery } from '../database/prepared-statements.ts';
import { dependsOnOf } from './dependencies.ts';

/** Monitors of a page as they are in the database. */
export interface PageStamps {
  /** Number of edits so far, of all monitors; null when none of the page's monitors exists. */
  edits: number | null;
  /**
   * One line for each monitor that exists, in no order: its id, a bar, and the other values that change without an edit,
   * beside the version, which each edit increments. While the line of a monitor is unchanged, so are the rest of its row
   * and its state but for `newest`.
   */
  stamps: string;
}

export interface MonitorStamps {
  /** Reads the stamps of a page, which is not empty, in one statement, which may serve several pages. It begins after the call. */
  of(teamId: number, ids: readonly number[]): Promise<PageStamps>;
}

/** Pages of one statement. */
const MAX_PAGES = 50;

/** Counts every edit of a monitor, its making and its deletion included (see shards.ts). */
export const EDITS = sql<number>`(select sum(version) from shard)`;

export async function readEdits({ read }: Pick<Database, 'read'>): Promise<number> {
  const { rows } = await sql<{ edits: number }>`select ${EDITS} as edits`.execute(read);
  return rows[0]!.edits;
}

interface WantedPage {
  teamId: number;
  ids: readonly number[];
}

/** Creates the reader of stamps. Pages that are wanted while others are read share a statement. */
export function createMonitorStamps({ read }: Pick<Database, 'read'>): MonitorStamps {
  const engine = engineOf(read);
  const query = stampsStatement(read);
  const gathered = createGatheredReads<WantedPage, PageStamps>({
    // Requests for the same page share its lines.
    keyOf: ({ teamId, ids }) => `${teamId} ${ids.join()}`,
    async read(pages) {
      const wanted = pages.flatMap(({ teamId, ids }, page) => ids.map((id) => [page, teamId, id]));
      const parameters = WANTED[engine].parameters(wanted);
      const { rows } = await read.executeQuery<FoundPage>({ ...query, parameters });
      const found = new Map(rows.map(({ page, edits, stamps }) => [page, { edits, stamps }]));
      return pages.map((_, page) => found.get(page));
    },
    maxAtOnce: MAX_PAGES,
  });
  return { of: async (teamId, ids) => (await gathered.of({ teamId, ids })) ?? NOTHING };
}

const NOTHING: PageStamps = { edits: null, stamps: '' };

type FoundPage = PageStamps & { page: number };

const WANTED_COLUMNS = { page: 'integer', team: 'integer', id: 'integer' } as const;
type Wanted = RawBuilder<Record<keyof typeof WANTED_COLUMNS, number>>;

/** How each engine takes the rows of `WANTED_COLUMNS`. Postgres reads arrays many times faster than JSON. */
const WANTED: Record<
  Engine,
  { table: Wanted; parameters(rows: readonly (readonly number[])[]): string[] }
> = {
  sqlite: {
    table: jsonTable('sqlite', '', WANTED_COLUMNS),
    parameters: (rows) => [JSON.stringify(rows)],
  },
  postgres: {
    table: sql`(select * from unnest(${''}::bigint[], ${''}::bigint[], ${''}::bigint[]) as given (page, team, id))`,
    parameters: (rows) => arrayTexts(WANTED_COLUMNS, rows),
  },
};

/** The tables are in this order for SQLite, which has no statistics. */
function stampsStatement(db: Database['read']): PreparedQuery<FoundPage> {
  const wanted = WANTED[engineOf(db)].table;
  const query = db
    .selectFrom(wanted.as('wanted'))
    .crossJoin('monitor')
    .crossJoin('monitor_state')
    .whereRef('monitor.id', '=', 'wanted.id')
    .where(withoutIndex(sql.ref('monitor.team_id')), '=', sql.ref<number>('wanted.team'))
    .whereRef('monitor_state.monitor_id', '=', 'monitor.id')
    .where(sql<boolean>`monitor.deleted_at is null`)
    .groupBy('wanted.page')
    .select(['wanted.page', EDITS.as('edits')])
    .select(sql<string>`string_agg(${STAMP}, ${sql.lit('\n')})`.as('stamps'))
    .compile();
  return nameQuery(query);
}

const STAMP = sql`concat(${sql.join(
  [
    sql.ref('monitor.id'),
    sql.ref('monitor.version'),
    sql.ref('monitor.group_id'),
    sql.ref('monitor_state.status'),
    sql.ref('monitor_state.last_slot'),
    sql.ref('monitor_state.last_checked_at'),
    sql.ref('monitor_state.run_at'),
    sql.ref('monitor_state.observed_until'),
    sql.ref('monitor_state.last_heartbeat_at'),
    sql.ref('monitor_state.heartbeat_expected_at'),
    dependsOnOf('monitor.id'),
  ],
  sql`, ${sql.lit('|')}, `,
)})`;
