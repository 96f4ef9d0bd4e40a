import { QueryNode, RawNode, sql } from 'kysely';
import type { KyselyPlugin, Transaction } from 'kysely';
import type { Clock } from '../../../src/lib/clock.ts';
import type { Database, Schema } from '../../../src/store/database/contract.ts';
import { wrapDatabase } from '../../support/wrapped-database.ts';

type Change = (tx: Transaction<Schema>) => Promise<void>;

/** Applies a faulty change at the end of each transaction, to show that the rules can fail. */
export function withEachCommit(database: Database, change: Change): Database {
  return withTransactions(database, async (tx, work) => {
    const done = await work(tx);
    await change(tx);
    return done;
  });
}

/** Moves the cursor of the hourly roll-ups ahead by an hour at every third hour. */
export const skipHours: Change = async (tx) => {
  await sql`update progress set position = position + 3600000
    where name = 'rollup_hour' and position % 10800000 = 0`.execute(tx);
};

/** Overwrites the roll-ups of one monitor with those of another. */
export const copyOtherMonitor: Change = async (tx) => {
  await sql`update rollup_hour set data = (
      select other.data from rollup_hour as other where other.monitor_id = 2 and other.at = rollup_hour.at)
    where monitor_id = 1 and exists (
      select 1 from rollup_hour as other where other.monitor_id = 2 and other.at = rollup_hour.at)`.execute(
    tx,
  );
};

/** Deletes the spans of the next monitor together with a purged one. */
export const deleteSpansOfNeighbor: Change = async (tx) => {
  await sql`delete from status_span where monitor_id - 1 not in (select id from monitor)
    and monitor_id > 1`.execute(tx);
};

/** Ends every maintenance occurrence one second after its start. */
export const endMaintenance: Change = async (tx) => {
  await sql`update maintenance_occurrence set to_at = from_at + 1000 where to_at > from_at + 1000`.execute(
    tx,
  );
};

/** Marks due events as fanned out in a transaction of its own, before the one that fans them out. */
export function withEventsMarkedFirst(database: Database, clock: Clock): Database {
  return wrapDatabase(database, {
    async transaction(work) {
      const isDue = database.read
        .selectFrom('event')
        .select('id')
        .where('fan_out_at', '<=', clock.now());
      const ids = (await isDue.execute()).map(({ id }) => id);
      if (ids.length === 0) return database.transaction(work);
      const mark = (tx: Transaction<Schema>, at: number | null) =>
        tx.updateTable('event').set({ fan_out_at: at }).where('id', 'in', ids).execute();
      await database.transaction((tx) => mark(tx, null));
      return database.transaction(async (tx) => {
        await mark(tx, clock.now());
        return work(tx);
      });
    },
  });
}

/** Hides the rows of a table from transactions. */
export function withoutReading(database: Database, table: 'maintenance_occurrence'): Database {
  return withoutRows(database, 'SelectQueryNode', table);
}

/** Makes deletions from a table delete nothing. */
export function withoutDeleting(database: Database, table: 'monitor_activity'): Database {
  return withoutRows(database, 'DeleteQueryNode', table);
}

function withoutRows(
  database: Database,
  kind: 'DeleteQueryNode' | 'SelectQueryNode',
  table: string,
): Database {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (node.kind !== kind || !('from' in node)) return node;
      if (!JSON.stringify(node.from).includes(`"${table}"`)) return node;
      return QueryNode.cloneWithWhere(node, RawNode.createWithSql('1 = 0'));
    },
    transformResult: async ({ result }) => result,
  };
  return withTransactions(
    database,
    async (tx, work) => await work(tx.withPlugin(plugin) as Transaction<Schema>),
  );
}

function withTransactions(
  database: Database,
  transaction: <Value>(
    tx: Transaction<Schema>,
    work: (tx: Transaction<Schema>) => Promise<Value>,
  ) => Promise<Value>,
): Database {
  return wrapDatabase(database, {
    transaction: (work) => database.transaction((tx) => transaction(tx, work)),
  });
}
