/*
 * A database names the oldest migration that a program must know to work on it. So a program of the release before goes on
 * beside newer ones, and can be started again, where the migrations since then only add to the tables.
 */

/** Setting that holds the name of that migration. Absent while there is none. */
export const OLDEST_SETTING = 'oldest_usable_migration';

/** Programs from before it do not read the setting, and start on no newer database. */
const FIRST_WITH_RULE = '0027-installation-health';

/** Programs that know it can read secrets that are bound to their place. */
export const FIRST_BOUND = '0034-bound-secrets';

/** Reads the setting on both engines. */
export const READ_OLDEST = `select value from setting where name = '${OLDEST_SETTING}'`;

/** Statement that sets the setting, unless it names a later migration; for both engines. */
export function raiseOldest(name: string): string {
  return `insert into setting (name, value) values ('${OLDEST_SETTING}', '${name}')
    on conflict (name) do update set value = excluded.value where setting.value < excluded.value`;
}

/**
 * Statements that write the setting after these migrations, on both engines.
 *
 * @param isNew whether the database is new: no older program has worked on it, so all secrets are bound from the beginning.
 */
export function writeOldest(
  migrations: readonly { name: string; isBreaking?: true }[],
  isNew: boolean,
): string[] {
  const oldest = migrations.findLast(
    ({ name, isBreaking }) => isBreaking || (isNew && name === FIRST_BOUND),
  );
  return oldest === undefined ? [] : [raiseOldest(oldest.name)];
}

/** What of a database a program does not know, and whether it may work on it nevertheless. */
export interface Compatibility {
  /** Names of migrations of newer releases. */
  newer: string[];
  isUsable: boolean;
}

/**
 * Decides whether a program can work on a database.
 *
 * @param known names of the migrations that the program knows.
 * @param done names of those that have run on the database.
 * @param oldest value of the database's setting; null if it has none.
 */
export function judgeCompatibility(
  known: readonly string[],
  done: readonly string[],
  oldest: string | null,
): Compatibility {
  const newer = done.filter((name) => !known.includes(name));
  const hasAll = known.every((name) => done.includes(name));
  const isUsable = newer.length === 0 || (hasAll && known.includes(oldest ?? FIRST_WITH_RULE));
  return { newer, isUsable };
}
