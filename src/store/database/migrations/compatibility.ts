/*
 * A database names the oldest migration that a program must know to work on it. So a program of the release before goes on
 * beside newer ones, and can be started again, where the migrations since then only add to the tables (ADR 44).
 */

/** Setting that holds the name of that migration. Absent while there is none. */
export const OLDEST_SETTING = 'oldest_usable_migration';

/** Reads the setting on both engines. */
export const READ_OLDEST = `select value from setting where name = '${OLDEST_SETTING}'`;

/** Statements that write the setting after these migrations, unless it names a later one; for both engines. */
export function writeOldest(migrations: readonly { name: string; isBreaking?: true }[]): string[] {
  const oldest = migrations.findLast(({ isBreaking }) => isBreaking);
  if (oldest === undefined) return [];
  return [
    `insert into setting (name, value) values ('${OLDEST_SETTING}', '${oldest.name}')
      on conflict (name) do update set value = excluded.value where setting.value < excluded.value`,
  ];
}

/**
 * Decides whether a program can work on a database.
 *
 * @param known names of the migrations that the program knows.
 * @param done names of those that have run on the database.
 * @param oldest value of the database's setting; null if it has none.
 * @returns also the names of those that the program does not know.
 */
export function judgeCompatibility(
  known: readonly string[],
  done: readonly string[],
  oldest: string | null,
): { newer: string[]; isUsable: boolean } {
  const newer = done.filter((name) => !known.includes(name));
  const hasAll = known.every((name) => done.includes(name));
  const isUsable = newer.length === 0 || (hasAll && (oldest === null || known.includes(oldest)));
  return { newer, isUsable };
}
