import { Kysely } from 'kysely';
import pg from 'pg';
import type { Clock } from '../../lib/clock.ts';
import { translateError } from '../database/errors.ts';
import { migrate } from '../database/migrations/migrate.ts';
import { openPostgres } from '../database/postgres.ts';
import type { Value } from './copy-format.ts';
import { CopyIn, CopyOut } from './copy-streams.ts';
import {
  APPLICATION_NAME,
  advance,
  endOtherSessions,
  readAllProgress,
  requireOwner,
  type Stage,
} from './move-state.ts';
import type { MovedTable } from './target-tables.ts';

const CONNECT_MS = 10_000;
/** A batch takes a second; after this time the server or the network is taken for frozen. */
const BATCH_WITHIN_MS = 120_000;
/** The same of statements that read a whole table. */
const TABLE_WITHIN_MS = 3_600_000;

/** Rows of a table, with the keys between which they lie. */
export interface Batch {
  content: Buffer;
  rows: number;
  /** Texts in which a NUL character was replaced. */
  replaced: number;
  /** Key of the last row before them; null at the beginning of the table. */
  from: readonly Value[] | null;
  /** Key of the last one of them. */
  to: readonly Value[];
}

/** A connection to the database that is filled. After an error that is DatabaseUnavailable it is of no use. */
export class MoveTarget {
  readonly client: pg.Client;
  readonly #owner: string;
  readonly #clock: Pick<Clock, 'after' | 'clear'>;

  private constructor(client: pg.Client, owner: string, clock: Pick<Clock, 'after' | 'clear'>) {
    this.client = client;
    this.#owner = owner;
    this.#clock = clock;
  }

  /** @param owner text that only this command has: the batches of one that was superseded are refused. */
  static async connect(
    url: string,
    owner: string,
    clock: Pick<Clock, 'after' | 'clear'>,
  ): Promise<MoveTarget> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      // The system's own default of two hours is too long for a network that is gone.
      keepAliveInitialDelayMillis: 10_000,
      application_name: APPLICATION_NAME,
    });
    // Without a listener a lost connection would end the process; the statement in progress reports it.
    client.on('error', () => {});
    try {
      await client.connect();
    } catch (error) {
      await client.end().catch(() => {});
      throw translateError(error);
    }
    return new MoveTarget(client, owner, clock);
  }

  /** Runs statements in one transaction. @throws DatabaseUnavailable when the target is away. */
  async transaction<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    try {
      await this.client.query('begin');
      const result = await work(this.client);
      await this.client.query('commit');
      return result;
    } catch (error) {
      await this.client.query('rollback').catch(() => {});
      throw translateError(error);
    }
  }

  /** Writes a batch and the position behind it, both or neither. @throws UnmovableError when superseded. */
  async write(table: MovedTable, batch: Batch): Promise<void> {
    await this.#inTime(() =>
      this.transaction(async (client) => {
        // A crash of the server may lose the last batches, with their positions: they are then written again.
        await client.query('set local synchronous_commit = off');
        // First, so that a superseded command is refused before it sends rows.
        await this.#advance(client, table, 'copied', { ...batch, isDone: false });
        const names = table.columns.map(quote).join(', ');
        const text = `copy ${quote(table.name)} (${names}) from stdin (format binary)`;
        await client.query(new CopyIn(text, batch.content)).result;
      }),
    );
  }

  /** Reads the rows with keys after `from`, up to `to` where it is given, at most `limit`, as a stream. */
  read(
    table: MovedTable,
    range: { from: readonly Value[] | null; to: readonly Value[] | null; limit: number },
  ): Promise<Buffer> {
    const { from, to, limit } = range;
    const names = table.columns.map(quote).join(', ');
    const key = table.key.map(quote).join(', ');
    const conditions = [
      ...(from === null ? [] : [`(${key}) > (${from.map(literal).join(', ')})`]),
      ...(to === null ? [] : [`(${key}) <= (${to.map(literal).join(', ')})`]),
    ];
    const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
    const query = `select ${names} from ${quote(table.name)} ${where} order by ${key} limit ${limit}`;
    return this.#inTime(
      () => this.client.query(new CopyOut(`copy (${query}) to stdout (format binary)`)).result,
    );
  }

  /** How far all tables are, by name. */
  progress(): ReturnType<typeof readAllProgress> {
    return this.#inTime(() => readAllProgress(this.client));
  }

  async countRows({ name }: Pick<MovedTable, 'name'>): Promise<number> {
    const text = `select count(*) as total from ${quote(name)}`;
    const { rows } = await this.#inTime(
      () => this.client.query<{ total: string }>(text),
      TABLE_WITHIN_MS,
    );
    return Number(rows[0]!.total);
  }

  /** Sets how far a table is, in a transaction of its own. */
  async note(
    table: MovedTable,
    stage: Stage,
    step: {
      from: readonly Value[] | null;
      to: readonly Value[] | null;
      rows: number;
      isDone: boolean;
    },
  ): Promise<void> {
    await this.#inTime(() =>
      this.transaction((client) => this.#advance(client, table, stage, { ...step, replaced: 0 })),
    );
  }

  /** Collects what the planner needs to know: comparing and the first requests come before Postgres does so itself. */
  async analyze({ name }: Pick<MovedTable, 'name'>): Promise<void> {
    await this.#inTime(() => this.client.query(`analyze ${quote(name)}`), TABLE_WITHIN_MS);
  }

  /** Goes on after the connection was lost, whose session may still be there. @throws UnmovableError when superseded. */
  async resume(): Promise<void> {
    await this.requireOwner();
    await this.#inTime(() => endOtherSessions(this.client));
  }

  /** @throws UnmovableError when superseded. */
  requireOwner(): Promise<void> {
    return this.#inTime(() => requireOwner(this.client, this.#owner));
  }

  async close(): Promise<void> {
    // A frozen server would never acknowledge a regular close.
    const timer = this.#clock.after(1_000, () => this.#cut());
    await this.client.end().catch(() => {});
    this.#clock.clear(timer);
  }

  #advance(
    client: pg.ClientBase,
    table: MovedTable,
    stage: Stage,
    step: Omit<Parameters<typeof advance>[2], 'table' | 'stage'>,
  ): Promise<void> {
    const { from, to, rows, replaced, isDone } = step;
    const { name } = table;
    return advance(client, this.#owner, { table: name, stage, from, to, rows, replaced, isDone });
  }

  async #inTime<Result>(work: () => Promise<Result>, withinMs = BATCH_WITHIN_MS): Promise<Result> {
    const timer = this.#clock.after(withinMs, () => this.#cut());
    try {
      return await work();
    } catch (error) {
      throw translateError(error);
    } finally {
      this.#clock.clear(timer);
    }
  }

  #cut(): void {
    const { stream } = (this.client as unknown as { connection: { stream: { destroy(): void } } })
      .connection;
    stream.destroy();
  }
}

/** Creates the tables of this version in an empty database. */
export async function migrateTarget(url: string): Promise<void> {
  const engine = openPostgres({ engine: 'postgres', url, poolSize: 1 });
  try {
    await migrate(new Kysely<unknown>({ dialect: engine.migrator }), 'postgres');
  } finally {
    await engine.close();
  }
}

const quote = pg.escapeIdentifier;

function literal(value: Value): string {
  return typeof value === 'number' ? String(value) : pg.escapeLiteral(String(value));
}
