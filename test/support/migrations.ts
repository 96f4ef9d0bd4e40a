import { Kysely } from 'kysely';
import type { DatabaseOptions } from '../../src/store/database/database.ts';
import type { Engine } from '../../src/store/database/dialect.ts';
import { openPostgres } from '../../src/store/database/postgres.ts';
import { openSqlite } from '../../src/store/database/sqlite.ts';
import { freshDirectory, freshPostgres, postgres } from './databases.ts';

/** Called after the test. */
type Cleanups = (() => Promise<void>)[];

interface Place {
  name: string;
  options(cleanups: Cleanups): Promise<DatabaseOptions>;
}

/** Databases without tables, on each engine that there is. */
export const PLACES: readonly Place[] = [
  {
    name: 'SQLite',
    options: async (cleanups) => {
      const { place, remove } = await freshDirectory();
      cleanups.push(remove);
      return { engine: 'sqlite', directory: place };
    },
  },
  ...('missing' in postgres
    ? []
    : [
        {
          name: 'Postgres',
          options: async (cleanups: Cleanups): Promise<DatabaseOptions> => {
            const { place, remove } = await freshPostgres('empty');
            cleanups.push(remove);
            return { engine: 'postgres', url: place };
          },
        },
      ]),
];

/** What `migrate` needs, on a database that is not migrated when it is opened. */
export function openToMigrate(
  options: DatabaseOptions,
  cleanups: Cleanups,
): { kysely: Kysely<unknown>; engine: Engine } {
  const { engine } = options;
  if (engine === 'postgres') {
    const { migrator, close } = openPostgres(options);
    cleanups.push(close);
    return { engine, kysely: new Kysely({ dialect: migrator }) };
  }
  const { writer, close } = openSqlite(options);
  cleanups.push(async () => close());
  return { engine, kysely: new Kysely({ dialect: writer }) };
}
