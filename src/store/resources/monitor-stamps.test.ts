import type { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { MONITOR_COLUMNS } from '../../../test/support/monitor-rows.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { shardOf } from '../../model/monitor.ts';
import type { Database } from '../database/contract.ts';
import { nextVersion } from '../engine/shards.ts';
import { monitorChanges } from './monitor-changes.ts';
import { createMonitorStamps } from './monitor-stamps.ts';

const create = (database: Database, teamId: number) =>
  database.transaction((tx) => monitorChanges(tx).insert(teamId, MONITOR_COLUMNS, 1, null));

/** Lines by the id at their beginning. */
const linesOf = (stamps: string) =>
  new Map(stamps.split('\n').map((line) => [Number.parseInt(line, 10), line]));

/** The reader of a database, which counts its statements and holds them back until they are let go. */
function heldReader({ read }: Database) {
  const gate = Promise.withResolvers<void>();
  const sent: CompiledQuery[] = [];
  const held = new Proxy(read, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== 'executeQuery') return typeof value === 'function' ? value.bind(target) : value;
      return async (query: CompiledQuery) => {
        sent.push(query);
        await gate.promise;
        return target.executeQuery(query);
      };
    },
  });
  return { read: held, sent, letGo: gate.resolve };
}

eachDatabase((_engine, open) => {
  test('the line of a monitor changes with its row and its state', async () => {
    const database = await open();
    const stamps = createMonitorStamps(database);
    const [id, other] = [await create(database, 1), await create(database, 1)];
    const state = (change: object) =>
      updateRows(database, 'monitor_state', change, { monitor_id: id });
    const read = async () => linesOf((await stamps.of(1, [id, other])).stamps);
    const seen = new Set([(await read()).get(id)]);
    const otherLine = (await read()).get(other);
    const changes = [
      () => state({ status: 'offline' }),
      // Each null has a place of its own.
      () => state({ last_slot: 5 }),
      () => state({ last_slot: null, last_checked_at: 5 }),
      () => state({ last_checked_at: null, run_at: 5 }),
      () => state({ run_at: null, last_heartbeat_at: 5 }),
      () => state({ last_heartbeat_at: null, heartbeat_expected_at: 5 }),
      () => updateRows(database, 'monitor', { version: 7 }, { id }),
    ];
    for (const change of changes) {
      await change();
      const lines = await read();
      seen.add(lines.get(id));
      expect(lines.get(other)).toBe(otherLine);
    }
    expect(seen.size).toBe(changes.length + 1);
  });

  test('monitors that are gone, or another team’s, have no line, and edits are counted', async () => {
    const database = await open();
    const stamps = createMonitorStamps(database);
    const [id, foreign] = [await create(database, 1), await create(database, 2)];
    const before = await stamps.of(1, [id, foreign]);
    expect([...linesOf(before.stamps).keys()]).toEqual([id]);
    expect((await stamps.of(2, [id, foreign])).edits).toBe(before.edits);
    await create(database, 2);
    expect((await stamps.of(1, [id])).edits).toBeGreaterThan(before.edits!);
    await database.transaction(async (tx) =>
      monitorChanges(tx).markDeleted(id, await nextVersion(tx, shardOf(id)), 1),
    );
    expect(await stamps.of(1, [id])).toEqual({ edits: null, stamps: '' });
  });

  test('pages that are wanted while others are read share a statement', async () => {
    const database = await open();
    const ids = [await create(database, 1), await create(database, 1), await create(database, 2)];
    const { read, sent, letGo } = heldReader(database);
    const stamps = createMonitorStamps({ read });
    const busy = [1, 2, 3, 4].map(() => stamps.of(1, [ids[0]!]));
    expect(sent).toHaveLength(4);
    const pages = [
      stamps.of(1, [ids[0]!]),
      stamps.of(1, [ids[1]!, ids[0]!]),
      stamps.of(2, [ids[2]!]),
      stamps.of(2, [ids[0]!]),
    ];
    letGo();
    await Promise.all(busy);
    const found = (await Promise.all(pages)).map((page) => [...linesOf(page.stamps).keys()]);
    expect(found.map((one) => one.toSorted((a, b) => a - b))).toEqual([
      [ids[0]],
      [ids[0], ids[1]],
      [ids[2]],
      [Number.NaN],
    ]);
    expect(sent).toHaveLength(5);
  });
});
