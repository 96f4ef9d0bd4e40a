import pg from 'pg';
import { Kysely } from 'kysely';
import type { Submittable } from 'pg';
import type { Clock } from '../../lib/clock.ts';
import { translateError } from '../database/errors.ts';
import { migrate } from '../database/migrations/migrate.ts';
import { openPostgres } from '../database/postgres.ts';
import type { ColumnType, Value } from './copy-format.ts';
import { UnmovableError, type SourceTable } from './source.ts';

const CONNECT_MS = 10_000;
/** A batch takes a second; after this time the server or the network is taken for frozen. */
const BATCH_WITHIN_MS = 120_000;
/** The same of statements that read a whole table. */
const TABLE_WITHIN_MS = 3_600_000;

/** Settings of a server that would end a long transaction. */
const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

/** A table as it is on both sides. */
export interface MovedTable extends SourceTable {
  types: readonly ColumnType[];
}

/** A connection to the database that is filled. After an error it is of no use. */
export class MoveTarget {
  readonly client: pg.Client;
  readonly #clock: Pick<Clock, 'after' | 'clear'>;

  private constructor(client: pg.Client, clock: Pick<Clock, 'after' | 'clear'>) {
    this.client = client;
    this.#clock = clock;
  }

  static async connect(url: string, clock: Pick<Clock, 'after' | 'clear'>): Promise<MoveTarget> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      // The system's own default of two hours is too long for a network that is gone.
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'tocsin move',
    });
    // Without a listener a lost connection would end the process; the statement in progress reports it.
    client.on('error', () => {});
    try {
      await client.connect();
    } catch (error) {
      await client.end().catch(() => {});
      throw translateError(error);
    }
    return new MoveTarget(client, clock);
  }

  /** Runs the work in one transaction, which no limit of the server ends. */
  async transaction<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      await this.query('begin');
      for (const limit of LIMITS) await this.query(`set local ${limit} = 0`);
      const result = await work();
      await this.query('commit');
      return result;
    } catch (error) {
      await this.client.query('rollback').catch(() => {});
      throw error;
    }
  }

  /** Runs a statement. @throws DatabaseUnavailable when the target is away or frozen. */
  async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const asked = () => this.client.query<Row & pg.QueryResultRow>(text, [...values]);
    return (await this.#inTime(asked, TABLE_WITHIN_MS)).rows;
  }

  /** Writes rows. @param content stream of `copy … (format binary)`. */
  write({ name, columns }: MovedTable, content: Buffer): Promise<void> {
    const text = `copy ${quote(name)} (${columns.map(quote).join(', ')}) from stdin (format binary)`;
    return this.#inTime(() => this.client.query(new CopyIn(text, content)).result);
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

  async countRows({ name }: Pick<MovedTable, 'name'>): Promise<number> {
    const rows = await this.query<{ total: string }>(
      `select count(*) as total from ${quote(name)}`,
    );
    return Number(rows[0]!.total);
  }

  async close(): Promise<void> {
    // A frozen server would never acknowledge a regular close.
    const timer = this.#clock.after(1_000, () => this.#cut());
    await this.client.end().catch(() => {});
    this.#clock.clear(timer);
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

export const quote = pg.escapeIdentifier;

function literal(value: Value): string {
  return typeof value === 'number' ? String(value) : pg.escapeLiteral(String(value));
}

const TYPE_NAMES: Readonly<Record<string, ColumnType>> = {
  bigint: 'int8',
  integer: 'int4',
  'double precision': 'float8',
  text: 'text',
  bytea: 'bytea',
};

/** Reads the columns of all tables of the target's schema: their types by their names. */
export async function readTargetColumns(
  target: MoveTarget,
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const rows = await target.query<{ table: string; column: string; type: string }>(`
    select relation.relname as table, attribute.attname as column,
      format_type(attribute.atttypid, attribute.atttypmod) as type
    from pg_class as relation join pg_attribute as attribute on attribute.attrelid = relation.oid
    where relation.relnamespace = current_schema()::regnamespace and relation.relkind = 'r'
      and attribute.attnum > 0 and not attribute.attisdropped`);
  const tables = new Map<string, Map<string, string>>();
  for (const { table, column, type } of rows) {
    const columns = tables.get(table) ?? new Map<string, string>();
    tables.set(table, columns.set(column, type));
  }
  return tables;
}

/**
 * Pairs each table of the source with its table on the target.
 *
 * @throws UnmovableError when a table or column has no counterpart.
 */
export async function pairTables(
  source: readonly SourceTable[],
  target: MoveTarget,
): Promise<MovedTable[]> {
  const existing = await readTargetColumns(target);
  return source.map((table) => {
    const found = existing.get(table.name);
    if (found === undefined) throw unlike(table.name, 'the target has no such table');
    const missing = table.columns.filter((name) => !found.has(name));
    const added = [...found.keys()].filter((name) => !table.columns.includes(name));
    if (missing.length > 0) throw unlike(table.name, `the target lacks ${missing.join(', ')}`);
    if (added.length > 0) throw unlike(table.name, `the source lacks ${added.join(', ')}`);
    const types = table.columns.map((name) => {
      const type = TYPE_NAMES[found.get(name)!];
      if (type === undefined) throw unlike(table.name, `${name} is of type ${found.get(name)}`);
      return type;
    });
    return { ...table, types };
  });
}

function unlike(table: string, difference: string): UnmovableError {
  return new UnmovableError(
    `The table ${table} is not the same in both databases: ${difference}. Both must have been made by this version of Tocsin.`,
  );
}

/** The messages that pg can send, https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-COPY. */
interface Wire {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** What both directions have in common: pg calls `submit`, and then the handlers. */
abstract class CopyStatement<Result> implements Submittable {
  readonly result: Promise<Result>;
  readonly #text: string;
  readonly #settle: { resolve: (result: Result) => void; reject: (error: unknown) => void };

  constructor(text: string) {
    this.#text = text;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.result = promise;
    this.#settle = { resolve, reject };
  }

  protected abstract resultNow(): Result;

  submit(connection: unknown): void {
    (connection as Wire).query(this.#text);
  }

  handleError(error: unknown): void {
    this.#settle.reject(error);
  }

  handleReadyForQuery(): void {
    this.#settle.resolve(this.resultNow());
  }

  handleCommandComplete(): void {}
}

/** `copy … from stdin`: sends one stream of rows. */
export class CopyIn extends CopyStatement<void> {
  readonly #content: Buffer;

  constructor(text: string, content: Buffer) {
    super(text);
    this.#content = content;
  }

  handleCopyInResponse(connection: unknown): void {
    const wire = connection as Wire;
    wire.sendCopyFromChunk(this.#content);
    wire.endCopyFrom();
  }

  protected override resultNow(): void {}
}

/** Room for a batch, so that the buffer rarely grows. */
const INITIAL_BYTES = 1_048_576;

/** `copy … to stdout`: collects the stream of rows. */
export class CopyOut extends CopyStatement<Buffer> {
  #buffer = Buffer.allocUnsafe(INITIAL_BYTES);
  #length = 0;

  /** Copies each chunk, as pg reuses the memory behind it. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const needed = this.#length + chunk.length;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
      this.#buffer.copy(larger, 0, 0, this.#length);
      this.#buffer = larger;
    }
    chunk.copy(this.#buffer, this.#length);
    this.#length = needed;
  }

  protected override resultNow(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }
}
