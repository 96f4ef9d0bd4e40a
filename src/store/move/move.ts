import type pg from 'pg';
import { MIGRATIONS } from '../database/migrations/index.ts';
import { copyTable, BATCH_LIMITS, type BatchLimits, type OnStep } from './copy.ts';
import { UnmovableError } from './errors.ts';
import { hasMoveState, takeOver } from './move-state.ts';
import { serverProblem, type Server } from './server-problem.ts';
import type { MoveSession } from './session.ts';
import type { MoveSource } from './source.ts';
import {
  finishTarget,
  holdsRows,
  listTargetTables,
  prepareTarget,
  resetTarget,
} from './target-layout.ts';
import { pairTables, readTargetColumns, type MovedTable } from './target-tables.ts';
import type { MoveTarget } from './target.ts';
import { verifyTable, type Comparison } from './verify.ts';

export type Phase = 'copy' | 'verify';

/** Is told how far a move is. */
export interface MoveObserver {
  /** The work on all tables begins; `done` rows of them are done already. */
  onPhase(phase: Phase, tables: readonly { rows: number; done: number }[]): Promise<void>;
  onStep: OnStep;
  /** Texts in which a NUL character was replaced. */
  onReplaced(table: string, texts: number): Promise<void>;
}

interface MoveDependencies {
  source: MoveSource;
  session: MoveSession;
  observer: MoveObserver;
  /** Creates the tables of this version in the empty target. */
  migrate: () => Promise<void>;
  /** Text that only this command has. */
  owner: string;
  limits?: BatchLimits;
}

/** How a move ended. */
export interface MoveResult {
  tables: number;
  rows: number;
  /** Tables that are not the same in both databases; without them the target is ready. */
  unlike: Comparison[];
}

/**
 * Copies all rows, compares each of them, and makes the target ready. It goes on where an earlier move was ended.
 *
 * @param restarts whether what an earlier move has copied is discarded.
 * @throws UnmovableError when the target can't be used, or the source has changed since the move began.
 */
export async function moveDatabase(
  dependencies: MoveDependencies,
  restarts: boolean,
): Promise<MoveResult> {
  const { source, session, observer, limits = BATCH_LIMITS } = dependencies;
  const foreignKeys = await begin(dependencies, restarts);
  session.onReconnected = (target) => target.resume();
  const tables = await session.run(async ({ client }) =>
    pairTables(source.tables(), await readTargetColumns(client)),
  );
  const { onStep } = observer;
  await observer.onPhase('copy', await rowsOf(session, tables, 'copied'));
  for (const table of tables) await copyTable(session, source, table, { limits, onStep });
  await reportReplaced(session, observer);
  await observer.onPhase('verify', await rowsOf(session, tables, 'verified'));
  const result = await verifyAll(dependencies, tables, true);
  if (result.unlike.length > 0) return result;
  // From here on the state of the move may be gone: the commit of a lost connection may have succeeded.
  session.onReconnected = null;
  await session.run((target) =>
    target.transaction(async (client) => {
      if (!(await hasMoveState(client))) return;
      await target.requireOwner();
      await finishTarget(client, { tables, foreignKeys, highestIds: source.highestIds() });
    }),
  );
  return result;
}

/** Compares a source with a target whose move has ended. */
export async function verifyDatabase(dependencies: MoveDependencies): Promise<MoveResult> {
  const { source, session, observer } = dependencies;
  const target = await session.open();
  await requireServer(target.client);
  if (await hasMoveState(target.client)) {
    throw new UnmovableError(
      'The move to this database has not ended. Run it again without --verify-only: it goes on where it was, and compares.',
    );
  }
  requireVersion(await migrationsOf(target.client));
  const tables = pairTables(source.tables(), await readTargetColumns(target.client));
  const counted = tables.map((table) => ({ rows: source.countRows(table), done: 0 }));
  await observer.onPhase('verify', counted);
  return verifyAll(dependencies, tables, false);
}

async function verifyAll(
  { session, source, observer, limits = BATCH_LIMITS }: MoveDependencies,
  tables: readonly MovedTable[],
  keepsProgress: boolean,
): Promise<MoveResult> {
  const { onStep } = observer;
  const unlike: Comparison[] = [];
  let rows = 0;
  for (const table of tables) {
    const compared = await verifyTable(session, source, table, { limits, onStep, keepsProgress });
    rows += compared.sourceRows;
    const isSame = compared.differences.length === 0 && compared.sourceRows === compared.targetRows;
    if (!isSame) unlike.push(compared);
  }
  return { tables: tables.length, rows, unlike };
}

/** Takes the target, or goes on with it. @returns the foreign keys to put back. */
async function begin(
  { source, session, migrate, owner }: MoveDependencies,
  restarts: boolean,
): ReturnType<typeof readForeignKeysOf> {
  const target = await session.open();
  await requireServer(target.client);
  if (await hasMoveState(target.client)) {
    const { fingerprint, foreignKeys } = await takeOver(target.client, owner);
    if (!restarts) {
      requireVersion(await migrationsOf(target.client));
      if (fingerprint === source.fingerprint()) return foreignKeys;
      throw new UnmovableError(
        'The source has changed since this move began, as when a server has run on it. ' +
          'Add --restart to discard what was copied, and copy it anew.',
      );
    }
    await target.transaction((client) => resetTarget(client, foreignKeys));
  }
  await requireEmpty(target.client);
  await migrate();
  const tables = source.tables().map(({ name }) => ({ name, rows: source.countRows({ name }) }));
  const fingerprint = source.fingerprint();
  await target.transaction((client) => prepareTarget(client, { owner, fingerprint, tables }));
  return readForeignKeysOf(target, owner);
}

async function readForeignKeysOf({ client }: MoveTarget, owner: string) {
  return (await takeOver(client, owner)).foreignKeys;
}

async function requireServer(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<Server>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      current_setting('server_encoding') as encoding`,
  );
  const problem = serverProblem(rows[0]!);
  if (problem !== null) throw new UnmovableError(problem);
}

/** Names of the migrations of the target; null without a table of them. */
async function migrationsOf(client: pg.ClientBase): Promise<string[] | null> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('kysely_migration') is not null as found`,
  );
  if (!rows[0]!.found) return null;
  const names = await client.query<{ name: string }>(
    'select name from kysely_migration order by name collate "C"',
  );
  return names.rows.map(({ name }) => name);
}

async function requireEmpty(client: pg.ClientBase): Promise<void> {
  const migrations = await migrationsOf(client);
  const tables = await listTargetTables(client);
  if (migrations === null) {
    if (tables.length === 0) return;
    throw new UnmovableError(
      `The target holds tables of another program, such as ${tables[0]}. Name a new, empty database.`,
    );
  }
  if (await holdsRows(client, tables)) {
    throw new UnmovableError(
      'The target holds an installation already, which no unfinished move has made. Name a new, empty database.',
    );
  }
  requireVersion(migrations);
}

function requireVersion(migrations: readonly string[] | null): void {
  const ours = MIGRATIONS.map(({ name }) => name);
  if (migrations !== null && isSameList(migrations, ours)) return;
  throw new UnmovableError(
    `The tables of the target are of another version of Tocsin (${migrations?.at(-1) ?? 'none'} instead of ${ours.at(-1)}). ` +
      'Use that version of the program, or name a new, empty database.',
  );
}

/** @throws UnmovableError when the source is not of this version, or its rows can't be inserted elsewhere. */
export function requireSource(source: MoveSource): void {
  const ours = MIGRATIONS.map(({ name }) => name);
  const found = source.migrations();
  if (!isSameList(found, ours)) {
    throw new UnmovableError(
      `The source is of another version of Tocsin (${found.at(-1) ?? 'none'} instead of ${ours.at(-1)}). ` +
        'If it is an older one, make a backup and run "migrate" first.',
    );
  }
  const broken = source.brokenReference();
  if (broken === null) return;
  throw new UnmovableError(
    `A row of the table ${broken.table} in the source refers to a row of ${broken.parent} that does not exist. Postgres does not allow that.`,
  );
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, index) => name === other[index]);
}

async function rowsOf(
  session: MoveSession,
  tables: readonly MovedTable[],
  stage: 'copied' | 'verified',
): Promise<{ rows: number; done: number }[]> {
  const progress = await session.run((target) => target.progress());
  return tables.map(({ name }) => {
    const { sourceRows, [stage]: done } = progress.get(name)!;
    return { rows: sourceRows, done: done.rows };
  });
}

async function reportReplaced(session: MoveSession, observer: MoveObserver): Promise<void> {
  const progress = await session.run((target) => target.progress());
  for (const [table, { replaced }] of progress) {
    if (replaced > 0) await observer.onReplaced(table, replaced);
  }
}
