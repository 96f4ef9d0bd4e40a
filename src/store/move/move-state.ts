import type pg from 'pg';
import { UnmovableError } from './errors.ts';
import type { Value } from './copy-format.ts';

/** Tables of the target that say how far a move is. They exist from its beginning to its end. */
export const MOVE_TABLE = 'tocsin_move';
const PROGRESS_TABLE = 'tocsin_move_table';

/** Both halves of the work on a table. */
export type Stage = 'copied' | 'verified';

/** A constraint that is not there during the move. */
export interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/** How far a table is. */
export interface Progress {
  rows: number;
  /** Key of the last row that is done; null before the first. */
  key: Value[] | null;
  isDone: boolean;
}

const stageColumns = (stage: Stage) =>
  `${stage}_rows bigint not null default 0, ${stage}_key text, is_${stage} boolean not null default false`;

/** Creates the tables, in the transaction that prepares the target. */
export async function createMoveState(
  client: pg.ClientBase,
  given: { owner: string; fingerprint: string; foreignKeys: readonly ForeignKey[] },
): Promise<void> {
  await client.query(
    `create table ${MOVE_TABLE} (owner text not null, fingerprint text not null, foreign_keys text not null)`,
  );
  await client.query(
    `create table ${PROGRESS_TABLE} (name text primary key, source_rows bigint not null, replaced bigint not null default 0,
      ${stageColumns('copied')}, ${stageColumns('verified')})`,
  );
  await client.query(`insert into ${MOVE_TABLE} values ($1, $2, $3)`, [
    given.owner,
    given.fingerprint,
    JSON.stringify(given.foreignKeys),
  ]);
}

export async function listTables(
  client: pg.ClientBase,
  tables: readonly { name: string; rows: number }[],
): Promise<void> {
  await client.query(
    `insert into ${PROGRESS_TABLE} (name, source_rows) select * from unnest($1::text[], $2::bigint[])`,
    [tables.map(({ name }) => name), tables.map(({ rows }) => rows)],
  );
}

export async function hasMoveState(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('${MOVE_TABLE}') is not null as found`,
  );
  return rows[0]!.found;
}

/** Name under which sessions of a move are known to the server. */
export const APPLICATION_NAME = 'tocsin move';
const ENDS_WITHIN_MS = 10_000;

/** Ends other sessions of the move: one that was cut off could keep its rows locked for hours. */
export async function endOtherSessions(client: pg.ClientBase): Promise<void> {
  await client.query(
    `select pg_terminate_backend(pid, ${ENDS_WITHIN_MS}) from pg_stat_activity where datname = current_database()
      and application_name = '${APPLICATION_NAME}' and usename = current_user and pid <> pg_backend_pid()`,
  );
}

/** Takes the move over from a command that was killed: if it still runs, its next batch is refused. */
export async function takeOver(
  client: pg.ClientBase,
  owner: string,
): Promise<{ fingerprint: string; foreignKeys: ForeignKey[] }> {
  await endOtherSessions(client);
  const { rows } = await client.query<{ fingerprint: string; foreign_keys: string }>(
    `update ${MOVE_TABLE} set owner = $1 returning fingerprint, foreign_keys`,
    [owner],
  );
  const [{ fingerprint, foreign_keys: text }] = rows as [(typeof rows)[0]];
  return { fingerprint, foreignKeys: JSON.parse(text) as ForeignKey[] };
}

/** @throws UnmovableError when another command has taken the move over. */
export async function requireOwner(client: pg.ClientBase, owner: string): Promise<void> {
  const { rowCount } = await orTakenOver(
    client.query(`select from ${MOVE_TABLE} where owner = $1`, [owner]),
  );
  if (rowCount !== 1) throw takenOver();
}

/** Rows of each table of the source, and how far it is. */
export async function readAllProgress(
  client: pg.ClientBase,
): Promise<
  Map<string, { sourceRows: number; copied: Progress; verified: Progress; replaced: number }>
> {
  const { rows } = await client.query<Record<string, string | boolean | null>>(
    `select * from ${PROGRESS_TABLE}`,
  );
  return new Map(
    rows.map((row) => [
      row['name'] as string,
      {
        sourceRows: Number(row['source_rows']),
        replaced: Number(row['replaced']),
        copied: progressOf(row, 'copied'),
        verified: progressOf(row, 'verified'),
      },
    ]),
  );
}

function progressOf(row: Record<string, string | boolean | null>, stage: Stage): Progress {
  const key = row[`${stage}_key`];
  return {
    rows: Number(row[`${stage}_rows`]),
    key: typeof key === 'string' ? (JSON.parse(key) as Value[]) : null,
    isDone: row[`is_${stage}`] === true,
  };
}

/**
 * Moves a table on from a key to another. It belongs to the transaction of the batch.
 *
 * @throws UnmovableError when another command has done so meanwhile.
 */
export async function advance(
  client: pg.ClientBase,
  owner: string,
  step: {
    table: string;
    stage: Stage;
    from: readonly Value[] | null;
    to: readonly Value[] | null;
    rows: number;
    replaced: number;
    isDone: boolean;
  },
): Promise<void> {
  const { table, stage, from, to, rows, replaced, isDone } = step;
  const text = `update ${PROGRESS_TABLE} set ${stage}_rows = ${stage}_rows + $1, ${stage}_key = $2, is_${stage} = $3,
      replaced = replaced + $4
    where name = $5 and ${stage}_key is not distinct from $6 and exists (select from ${MOVE_TABLE} where owner = $7)`;
  const values = [rows, keyText(to), isDone, replaced, table, keyText(from), owner];
  const { rowCount } = await orTakenOver(client.query(text, values));
  if (rowCount !== 1) throw takenOver();
}

const keyText = (key: readonly Value[] | null) => (key === null ? null : JSON.stringify(key));

const NO_SUCH_TABLE = '42P01';

/** The tables are gone once another command has ended the move. */
async function orTakenOver<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw (error as { code?: string }).code === NO_SUCH_TABLE ? takenOver() : error;
  }
}

function takenOver(): UnmovableError {
  return new UnmovableError('Another command has taken this move over. Let that one finish.');
}

export async function dropMoveState(client: pg.ClientBase): Promise<void> {
  await client.query(`drop table ${PROGRESS_TABLE}, ${MOVE_TABLE}`);
}
