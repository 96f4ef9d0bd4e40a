import { MIGRATIONS } from '../database/migrations/index.ts';
import { MOVE_LOCK, OLDEST_SETTING } from '../database/migrations/migrate.ts';
import { dayTableStatement, isDayTable } from '../engine/results.ts';
import {
  BATCH_LIMITS,
  compareTable,
  copyTable,
  type BatchLimits,
  type Comparison,
} from './copy.ts';
import { UnmovableError, type MoveSource } from './source.ts';
import {
  pairTables,
  quote,
  readTargetColumns,
  type MovedTable,
  type MoveTarget,
} from './target.ts';

export type Phase = 'copy' | 'compare';

/** Learns how far a move is. */
export interface MoveObserver {
  /** The work on all tables begins. @param rows of each. */
  onPhase(phase: Phase, rows: readonly number[]): Promise<void>;
  /** Rows of a table are done. */
  onStep(table: string, done: { rows: number; isDone: boolean }): Promise<void>;
  /** Texts in which a NUL character was replaced. */
  onReplaced(table: string, texts: number): Promise<void>;
}

export interface Move {
  source: MoveSource;
  target: MoveTarget;
  observer: MoveObserver;
  limits?: BatchLimits;
}

/** How a move ended. */
export interface MoveResult {
  tables: number;
  rows: number;
  /** Tables that are not the same in both databases. */
  unlike: Comparison[];
}

/**
 * Copies all rows and compares each of them, in one transaction of the target: it is whole or empty. It is left empty when
 * a row is not the same, too.
 *
 * @param migrate creates the tables of this version in the empty target.
 * @throws UnmovableError when the target can't be used.
 */
export async function moveDatabase(move: Move, migrate: () => Promise<void>): Promise<MoveResult> {
  const { source, target, observer } = move;
  await requireServer(target);
  let result: MoveResult | undefined;
  try {
    return await target.transaction(async () => {
      await takeLock(target);
      await requireEmpty(target);
      await migrate();
      const putBack = await emptyTables(move);
      const tables = await pairTables(source.tables(), target);
      await observer.onPhase('copy', rowsOf(move, tables));
      for (const table of tables) await copyOne(move, table);
      result = await compareAll(move, tables);
      if (result.unlike.length > 0) throw new Unlike();
      await putBack();
      return result;
    });
  } catch (error) {
    if (error instanceof Unlike) return result!;
    throw error;
  }
}

/** Ends the transaction of a move whose comparison found differences. */
class Unlike extends Error {}

/** Compares a source with a target whose move has ended. */
export async function compareDatabases(move: Move): Promise<MoveResult> {
  const { source, target } = move;
  await requireServer(target);
  requireVersion(await migrationsOf(target));
  if (!(await holdsRows(target, await tablesOf(target))))
    throw new UnmovableError('The target is empty: no move to it has ended.');
  return compareAll(move, await pairTables(source.tables(), target));
}

async function copyOne(move: Move, table: MovedTable): Promise<void> {
  const { target, observer } = move;
  const replaced = await copyTable(workOn(move, table), table);
  // Comparing and the first requests come before Postgres does so itself.
  await target.query(`analyze ${quote(table.name)}`);
  await observer.onStep(table.name, { rows: move.source.countRows(table), isDone: true });
  if (replaced > 0) await observer.onReplaced(table.name, replaced);
}

async function compareAll(move: Move, tables: readonly MovedTable[]): Promise<MoveResult> {
  const { observer } = move;
  await observer.onPhase('compare', rowsOf(move, tables));
  const unlike: Comparison[] = [];
  let rows = 0;
  for (const table of tables) {
    const compared = await compareTable(workOn(move, table), table);
    rows += compared.sourceRows;
    await observer.onStep(table.name, { rows: compared.sourceRows, isDone: true });
    const isSame = compared.differences.length === 0 && compared.sourceRows === compared.targetRows;
    if (!isSame) unlike.push(compared);
  }
  return { tables: tables.length, rows, unlike };
}

function workOn({ source, target, observer, limits = BATCH_LIMITS }: Move, { name }: MovedTable) {
  const onRows = (rows: number) => observer.onStep(name, { rows, isDone: false });
  return { source, target, limits, onRows };
}

const rowsOf = ({ source }: Move, tables: readonly MovedTable[]) =>
  tables.map((table) => source.countRows(table));

/** Servers look for this lock before they start. It ends with the transaction, however that ends. */
async function takeLock(target: MoveTarget): Promise<void> {
  const [lock] = await target.query<{ taken: boolean }>(
    `select pg_try_advisory_xact_lock(${MOVE_LOCK}) as taken`,
  );
  if (lock!.taken) return;
  throw new UnmovableError('Another move to this database is running. Let that one finish.');
}

/**
 * Empties the tables, which come with rows such as those of the shards, and makes those of the source's days. Foreign keys
 * and triggers are put back at the end: rows come table by table, while teams and people refer to each other, and what
 * triggers count and note was counted and noted in the source, and is copied as rows.
 */
async function emptyTables({ source, target }: Move): Promise<() => Promise<void>> {
  const names = source.tables().map(({ name }) => name);
  const existing = await readTargetColumns(target);
  const ours = names.filter((name) => existing.has(name));
  const foreignKeys = await target.query<{ table: string; name: string; definition: string }>(
    `select relation.relname as table, conname as name, pg_get_constraintdef(pg_constraint.oid) as definition
    from pg_constraint join pg_class as relation on relation.oid = conrelid
    where contype = 'f' and connamespace = current_schema()::regnamespace and relation.relname = any ($1) order by 1, 2`,
    [names],
  );
  const switchTriggers = async (to: 'enable' | 'disable') => {
    // Those of ours alone: those of foreign keys belong to the system.
    for (const name of ours) await target.query(`alter table ${quote(name)} ${to} trigger user`);
  };
  for (const { table, name } of foreignKeys)
    await target.query(`alter table ${quote(table)} drop constraint ${quote(name)}`);
  await target.query(`truncate ${ours.map(quote).join(', ')}`);
  await switchTriggers('disable');
  for (const name of names.filter(isDayTable))
    await target.query(dayTableStatement('postgres', name));
  return async () => {
    for (const { table, name, definition } of foreignKeys)
      await target.query(`alter table ${quote(table)} add constraint ${quote(name)} ${definition}`);
    await switchTriggers('enable');
    await advanceIdentities(target, names, source.highestIds());
  };
}

/** Sets each identity behind the highest id that its table has ever had, so that no id is given twice. */
async function advanceIdentities(
  target: MoveTarget,
  tables: readonly string[],
  highestIds: ReadonlyMap<string, number>,
): Promise<void> {
  const identities = await target.query<{ table: string; column: string }>(
    `select relation.relname as table, attname as column
    from pg_attribute join pg_class as relation on relation.oid = attrelid
    where attidentity <> '' and relnamespace = current_schema()::regnamespace and relname = any ($1)`,
    [tables],
  );
  for (const { table, column } of identities)
    await target.query(
      `select setval(pg_get_serial_sequence($1, $2), greatest(highest, 1), highest > 0) from (
        select greatest($3::bigint, (select max(${quote(column)}) from ${quote(table)}), 0) as highest) as ids`,
      [quote(table), column, highestIds.get(table) ?? 0],
    );
}

/** Oldest version that is supported, as `server_version_num` has it. */
const OLDEST_POSTGRES = 150_000;

async function requireServer(target: MoveTarget): Promise<void> {
  const [server] = await target.query<{ version: string; number: number; encoding: string }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding`,
  );
  const { version, number, encoding } = server!;
  if (number < OLDEST_POSTGRES)
    throw new UnmovableError(
      `The target is Postgres ${version}. Tocsin needs Postgres 15 or newer.`,
    );
  if (encoding !== 'UTF8')
    throw new UnmovableError(
      `The target has the encoding ${encoding}. Create its database with the encoding UTF8.`,
    );
}

/** Names of the migrations of the target; null without a table of them. */
async function migrationsOf(target: MoveTarget): Promise<string[] | null> {
  if (!(await readTargetColumns(target)).has('kysely_migration')) return null;
  const names = await target.query<{ name: string }>(
    'select name from kysely_migration order by name collate "C"',
  );
  return names.map(({ name }) => name);
}

async function requireEmpty(target: MoveTarget): Promise<void> {
  const migrations = await migrationsOf(target);
  const tables = await tablesOf(target);
  if (migrations === null) {
    if (tables.length === 0) return;
    throw new UnmovableError(
      `The target holds tables of another program, such as ${tables[0]}. Name a new, empty database.`,
    );
  }
  if (await holdsRows(target, tables)) {
    throw new UnmovableError(
      'The target holds an installation already. Name a new, empty database.',
    );
  }
  requireVersion(migrations);
}

/** Tables of the target, but for those of the migrations. */
async function tablesOf(target: MoveTarget): Promise<string[]> {
  const all = [...(await readTargetColumns(target)).keys()];
  return all.filter((name) => !name.startsWith('kysely_')).toSorted();
}

/** Whether a table holds rows that do not come with the tables themselves. */
async function holdsRows(target: MoveTarget, tables: readonly string[]): Promise<boolean> {
  const each = tables
    .filter((name) => name !== 'shard')
    .map((name) => {
      // Migrations write this setting to a new database.
      const rows = name === 'setting' ? `where name <> '${OLDEST_SETTING}'` : '';
      return `exists (select from ${quote(name)} ${rows})`;
    });
  if (each.length === 0) return false;
  const [row] = await target.query<{ found: boolean }>(`select ${each.join(' or ')} as found`);
  return row!.found;
}

function requireVersion(migrations: readonly string[] | null): void {
  if (migrations !== null && isOfThisVersion(migrations)) return;
  throw new UnmovableError(
    `The tables of the target are of another version of Tocsin (${migrations?.at(-1) ?? 'none'} instead of ${MIGRATIONS.at(-1)!.name}). ` +
      'Use that version of the program, or name a new, empty database.',
  );
}

/** @throws UnmovableError when the source is not of this version, or its rows can't be inserted elsewhere. */
export function requireSource(source: MoveSource): void {
  const found = source.migrations();
  if (!isOfThisVersion(found)) {
    throw new UnmovableError(
      `The source is of another version of Tocsin (${found.at(-1) ?? 'none'} instead of ${MIGRATIONS.at(-1)!.name}). ` +
        'If it is an older one, make a backup and run "migrate" first.',
    );
  }
  const broken = source.brokenReference();
  if (broken === null) return;
  throw new UnmovableError(
    `A row of the table ${broken.table} in the source refers to a row of ${broken.parent} that does not exist. Postgres does not allow that.`,
  );
}

const isOfThisVersion = (names: readonly string[]) =>
  names.length === MIGRATIONS.length && MIGRATIONS.every(({ name }, at) => name === names[at]);
