/**
 * The tables, the same on SQLite and Postgres, as the migrations make them. Times are epoch milliseconds, booleans 0 or 1,
 * settings JSON text (they must come back as they were sent). Columns are named as in the API where the API shows them.
 */
export type { Tables as Schema } from './schema.gen.ts';
