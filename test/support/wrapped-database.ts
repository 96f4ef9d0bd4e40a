import type { Database } from '../../src/store/database/contract.ts';

/** A database that delegates to `real`, except for the members that replace its own. */
export function wrapDatabase(real: Database, members: Partial<Database>): Database {
  return Object.create(real, Object.getOwnPropertyDescriptors(members)) as Database;
}
