import type { Kysely, Selectable, Transaction } from 'kysely';
import type { Tables } from './schema.gen.ts';

/**
 * The tables, the same on SQLite and Postgres, as the migrations make them. Times are epoch milliseconds, booleans 0 or 1,
 * settings JSON text (they must come back as they were sent). Columns are named as in the API where the API shows them.
 */
export type Schema = Tables;

/** Where rows are read: outside of transactions or in one. */
export type Db = Kysely<Schema>;

/** A transaction: what its statements change is changed together. */
export type Tx = Transaction<Schema>;

/** A row of a table as it is read. */
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>;
