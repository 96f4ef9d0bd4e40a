import { openDatabase, type OpenDatabase } from '../../src/store/database/database.ts';
import type { PostgresTimeouts } from '../../src/store/database/postgres.ts';

/** For tests that judge no timeout: a machine that stands still for a few seconds is no fault of what they test. */
export const PATIENT_TIMEOUTS: PostgresTimeouts = {
  connect: 60_000,
  statement: 60_000,
  lock: 60_000,
  idleTransaction: 60_000,
};

/** Opens a Postgres database on which nothing times out within a minute. */
export const openPatiently = (url: string): Promise<OpenDatabase> =>
  openDatabase({ engine: 'postgres', url, poolSize: 4, timeouts: PATIENT_TIMEOUTS });
