import { sql, type Selectable } from 'kysely';
import type { Db, Schema, Tx } from '../database/contract.ts';
import { findRow } from '../database/rows.ts';

export type RegionHealthRow = Selectable<Schema['region_health']>;
export type ProbeOverloadRow = Selectable<Schema['probe_overload']>;

/** A table of states, such as a quarantine. People are notified once when a state begins and once when it ends. */
const REGIONS = { table: 'region_health', key: 'region', since: 'quarantined_at' } as const;
const PROBES = { table: 'probe_overload', key: 'probe', since: 'overloaded_at' } as const;
type States = typeof REGIONS | typeof PROBES;

/** How regions and probes are. */
export function probeHealth(db: Db) {
  return {
    regions(): Promise<RegionHealthRow[]> {
      return db.selectFrom('region_health').selectAll().orderBy('region').execute();
    },

    overload(probe: string) {
      return findRow(db, 'probe_overload', { probe });
    },

    /** Reads the changes made until that time (epoch ms) of which the operators have not been notified. */
    pendingRegionChanges(before: number) {
      return selectPending<RegionHealthRow>(db, REGIONS, before);
    },

    /** Reads the changes made until that time (epoch ms) of which the admins have not been notified. */
    pendingOverloads(before: number) {
      return selectPending<ProbeOverloadRow>(db, PROBES, before);
    },

    /** Finds the oldest team, which is taken to be that of the operators; null without teams. */
    async oldestTeam(): Promise<number | null> {
      const row = await findRow(db, 'team', { deleted_at: null }, ['id'], ['id'], 1);
      return row?.id ?? null;
    },
  };
}

/** What changes of them. */
export function probeHealthChanges(tx: Tx) {
  return {
    /** Records that a region is quarantined, or no longer is. @param reason a sentence for people. */
    writeRegion(change: {
      region: string;
      quarantinedAt: number | null;
      reason: string;
      changedAt: number;
    }) {
      const { region, quarantinedAt, reason, changedAt } = change;
      return writeState(tx, REGIONS, [region, quarantinedAt, reason, changedAt, null]);
    },

    /** Records that a probe is overloaded, or no longer is. @param reason a sentence for people. */
    writeOverload(change: {
      probe: string;
      overloadedAt: number | null;
      reason: string;
      changedAt: number;
    }) {
      const { probe, overloadedAt, reason, changedAt } = change;
      // That a probe keeps up is only news after an overload.
      const notifiedAt = overloadedAt === null ? changedAt : null;
      return writeState(tx, PROBES, [probe, overloadedAt, reason, changedAt, notifiedAt]);
    },

    /** Marks a change as notified. @returns false when another process did, or the region changed again since it was read. */
    markRegionNotified({ region, changed_at: changedAt }: RegionHealthRow, now: number) {
      return markNotified(tx, REGIONS, region, changedAt, now);
    },

    /** Marks a change as notified. @returns false when another process did, or the probe changed again since it was read. */
    markOverloadNotified({ probe, changed_at: changedAt }: ProbeOverloadRow, now: number) {
      return markNotified(tx, PROBES, probe, changedAt, now);
    },
  };
}

/** Writes a state. A change that undoes one before people were notified of it needs no notification. */
async function writeState(
  tx: Tx,
  { table, key, since }: States,
  values: (string | number | null)[],
): Promise<void> {
  const names = [key, since, 'reason', 'changed_at', 'notified_at'].map((name) => sql.ref(name));
  const [before, after] = [sql.ref(`${table}.${since}`), sql.ref(`excluded.${since}`)];
  const notifiedAt = sql.ref(`${table}.notified_at`);
  await sql`insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(values)})
    on conflict (${sql.ref(key)}) do update set
      ${sql.ref(since)} = ${after}, reason = excluded.reason, changed_at = excluded.changed_at,
      notified_at = case
        when (${before} is null) = (${after} is null) then ${notifiedAt}
        when ${notifiedAt} is null then excluded.changed_at
        else null end`.execute(tx);
}

async function selectPending<Row>(db: Db, { table, key }: States, before: number): Promise<Row[]> {
  const { rows } = await sql<Row>`select * from ${sql.table(table)}
    where notified_at is null and changed_at <= ${before} order by ${sql.ref(key)}`.execute(db);
  return rows;
}

async function markNotified(
  tx: Tx,
  { table, key }: States,
  name: string,
  changedAt: number,
  now: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`update ${sql.table(table)} set notified_at = ${now}
    where ${sql.ref(key)} = ${name} and changed_at = ${changedAt} and notified_at is null`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}
