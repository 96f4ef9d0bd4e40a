import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../database/contract.ts';
import { engineOf, jsonTable, withoutIndex, type Engine } from '../database/dialect.ts';
import { arrayTexts } from '../database/row-statements.ts';
import { dependsOnOf } from './dependencies.ts';
import { nameQuery, type PreparedQuery } from '../database/prepared-statements.ts';

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

/** Statements in progress at the same time; further pages wait, and share the next one. */
const MAX_IN_PROGRESS = 4;
/** Pages of one statement. */
const MAX_PAGES = 50;

/** Counts every edit of a monitor, its making and its deletion included (see shards.ts). */
export const EDITS = sql<number>`(select sum(version) from shard)`;

export async function readEdits({ read }: Pick<Database, 'read'>): Promise<number> {
  const { rows } = await sql<{ edits: number }>`select ${EDITS} as edits`.execute(read);
  return rows[0]!.edits;
}

interface WaitingPage {
  teamId: number;
  ids: readonly number[];
  answer: PromiseWithResolvers<PageStamps>;
}

/** Creates the reader of stamps. Pages that are wanted while others are read share a statement: most of its cost is sending it. */
export function createMonitorStamps({ read }: Pick<Database, 'read'>): MonitorStamps {
  const engine = engineOf(read);
  const query = stampsStatement(read);
  /** By team and ids: requests for the same page share its lines. */
  const waiting = new Map<string, WaitingPage>();
  let inProgress = 0;

  function take(): WaitingPage[] {
    const taken = [...waiting].slice(0, MAX_PAGES);
    for (const [key] of taken) waiting.delete(key);
    return taken.map(([, page]) => page);
  }

  async function readNext(): Promise<void> {
    inProgress += 1;
    while (waiting.size > 0) {
      const pages = take();
      try {
        const found = await readPages(pages);
        pages.forEach(({ answer }, number) => answer.resolve(found.get(number) ?? NOTHING));
      } catch (error) {
        for (const { answer } of pages) answer.reject(error);
      }
    }
    inProgress -= 1;
  }

  async function readPages(pages: readonly WaitingPage[]): Promise<Map<number, PageStamps>> {
    const wanted = pages.flatMap(({ teamId, ids }, page) => ids.map((id) => [page, teamId, id]));
    const parameters = WANTED[engine].parameters(wanted);
    const { rows } = await read.executeQuery<FoundPage>({ ...query, parameters });
    return new Map(rows.map(({ page, edits, stamps }) => [page, { edits, stamps }]));
  }

  return {
    of(teamId, ids) {
      const key = `${teamId} ${ids.join()}`;
      const known = waiting.get(key);
      if (known !== undefined) return known.answer.promise;
      const answer = Promise.withResolvers<PageStamps>();
      waiting.set(key, { teamId, ids, answer });
      if (inProgress < MAX_IN_PROGRESS) void readNext();
      return answer.promise;
    },
  };
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
    sql.ref('monitor_state.last_heartbeat_at'),
    sql.ref('monitor_state.heartbeat_expected_at'),
    dependsOnOf('monitor.id'),
  ],
  sql`, ${sql.lit('|')}, `,
)})`;
