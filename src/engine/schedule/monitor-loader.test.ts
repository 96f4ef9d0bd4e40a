import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import {
  createMonitor,
  editMonitor,
  importMonitors,
  firstIds,
} from '../../../test/support/monitor-rows.ts';
import { lineTo, timeUntil } from '../../../test/support/scheduling.ts';
import { silentLog } from '../../lib/log.ts';
import { SHARD_COUNT, shardOf } from '../../model/monitor.ts';
import type { Database } from '../../store/database/contract.ts';
import { nextVersion, type ScheduledMonitorRow } from '../../store/engine/shards.ts';
import { createMonitorLoader } from './monitor-loader.ts';

const ALL = Array.from({ length: SHARD_COUNT }, (_, shard) => shard);

/** Starts a loader and collects the monitors it loads; `onPlan` is called after each one. */
function follow(
  database: Database,
  onPlan: (row: ScheduledMonitorRow, how: string) => void = () => {},
) {
  const line = lineTo(database);
  /** By kind, how many uses of the database succeed before one fails. */
  const faults = new Map<'read' | 'scan', number>();
  const use = (kind: 'read' | 'scan') => {
    const left = faults.get(kind);
    if (left === 0) {
      faults.delete(kind);
      throw new Error('The database does not answer.');
    }
    if (left !== undefined) faults.set(kind, left - 1);
    return line.database[kind];
  };
  const clock = createFakeClock();
  const urls = new Map<number, string>();
  const loader = createMonitorLoader({
    database: {
      ...line.database,
      get read() {
        return use('read');
      },
      get scan() {
        return use('scan');
      },
    },
    clock,
    log: silentLog,
    ownership: { owned: new Set(ALL), observe: () => {} },
    onRow: (row, how) => {
      if (row.deleted_at === null) urls.set(row.id, row.url);
      else urls.delete(row.id);
      onPlan(row, how);
    },
  });
  /** Lets virtual time pass until that holds. */
  const until = (holds: () => boolean) => timeUntil([{ clock, line }], holds);
  const stop = async () => {
    let isStopped = false;
    void loader.stop().then(() => (isStopped = true));
    await until(() => isStopped);
  };
  /** Runs immediate work and waits for the database. */
  const settle = async () => {
    for (let turns = 0; turns < 3; turns++) {
      await clock.settle();
      await line.idle();
    }
  };
  return { clock, line, faults, urls, loader, until, settle, stop };
}

eachDatabase((_name, open) => {
  test('loads all monitors of the owned shards, then those edited, created and deleted', async () => {
    const database = await open();
    const first = await createMonitor(database, 0, { url: 'http://first/' });
    const second = await createMonitor(database, 0, { url: 'http://second/' });
    const { loader, urls, until, stop } = follow(database);
    loader.start();
    await until(() => urls.size === 2);
    const third = await createMonitor(database, 0, { url: 'http://third/' });
    await editMonitor(database, first, { url: 'http://edited/' });
    await editMonitor(database, second, { deleted_at: 1 });
    await until(() => urls.size === 2 && urls.get(first) === 'http://edited/');
    expect([...urls]).toEqual([
      [first, 'http://edited/'],
      [third, 'http://third/'],
    ]);
    await stop();
  });

  test('an edit that is committed while its shard is being read is not lost', async () => {
    const database = await open();
    await importMonitors(database, firstIds(3 * SHARD_COUNT), 0);
    let edited: Promise<void> | null = null;
    const { loader, urls, until, stop } = follow(database, (row) => {
      // The first monitor of the shard was read; its page, with the old url in it, is being worked on.
      if (row.id === 7) edited ??= editMonitor(database, 7, { url: 'http://edited/' });
    });
    loader.start();
    await until(() => urls.get(7) === 'http://edited/');
    await edited;
    expect(urls.size).toBe(3 * SHARD_COUNT);
    await stop();
  });

  test('shards lost and regained while being read are read whole', async () => {
    const database = await open();
    // More than a page.
    const ids = Array.from({ length: 600 }, (_, index) => 100 + (index + 1) * SHARD_COUNT);
    await importMonitors(database, ids, 0);
    let isLost = false;
    const { clock, loader, urls, until, stop } = follow(database, () => {
      if (isLost) return;
      isLost = true;
      // Between this page and the next one.
      clock.soon(() => {
        expect(urls.size).toBe(500);
        loader.forget(ALL);
        urls.clear();
      });
    });
    loader.start();
    await until(() => urls.size === 600);
    await stop();
  });

  test('wake loads that shard without waiting for the poll', async () => {
    const database = await open();
    const { clock, line, loader, urls, until, stop } = follow(database);
    loader.start();
    loader.start();
    const before = await createMonitor(database, 0);
    await until(() => urls.has(before));
    const at = clock.monotonic();
    const id = await createMonitor(database, 0);
    loader.wake(shardOf(id));
    while (!urls.has(id)) {
      await clock.settle();
      await line.idle();
    }
    expect(clock.monotonic()).toBe(at);
    await stop();
  });

  test('an edit whose rows could not be read is retried within a second', async () => {
    const database = await open();
    await importMonitors(database, firstIds(SHARD_COUNT), 0);
    const { clock, faults, urls, loader, until, stop } = follow(database);
    loader.start();
    await until(() => urls.size === SHARD_COUNT);
    const before = urls.get(9);
    await editMonitor(database, 9, { url: 'http://edited/' });
    // The versions are read, and the rows are not.
    faults.set('read', 1);
    await until(() => !faults.has('read'));
    expect(urls.get(9)).toBe(before);
    const failedAt = clock.monotonic();
    await until(() => urls.get(9) === 'http://edited/');
    expect(clock.monotonic() - failedAt).toBeLessThanOrEqual(1_000);
    await stop();
  });

  test('retries a shard whose monitors could not be read', async () => {
    const database = await open();
    await importMonitors(database, firstIds(SHARD_COUNT), 0);
    const { faults, urls, loader, until, stop } = follow(database);
    faults.set('scan', 9);
    loader.start();
    await until(() => urls.size === SHARD_COUNT);
    expect(faults.has('scan')).toBe(false);
    await stop();
  });

  test('after a failure, wake for one shard loads all shards', async () => {
    const database = await open();
    await importMonitors(database, firstIds(SHARD_COUNT), 0);
    const { clock, line, urls, loader, until, settle, stop } = follow(database);
    loader.start();
    await until(() => urls.size === SHARD_COUNT);
    await settle();
    await editMonitor(database, 1, { url: 'http://edited/' });
    line.cut(true);
    loader.wake(shardOf(1));
    await settle();
    line.cut(false);
    const at = clock.monotonic();
    loader.wake(shardOf(2));
    await settle();
    expect(urls.get(1)).toBe('http://edited/');
    expect(clock.monotonic()).toBe(at);
    await stop();
  });

  test('versions grow by one, and a failed transaction rolls its version back', async () => {
    const database = await open();
    const bump = () => database.transaction((tx) => nextVersion(tx, 5));
    expect(await bump()).toBe(1);
    const failing = database.transaction(async (tx) => {
      await nextVersion(tx, 5);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await bump()).toBe(2);
    await expect(database.transaction((tx) => nextVersion(tx, 256))).rejects.toThrow('shard 256');
  });

  test('edits of one shard become visible in the order of their versions', async () => {
    const database = await open();
    const [a, b] = [1, 1 + SHARD_COUNT];
    await importMonitors(database, firstIds(1 + SHARD_COUNT), 0);
    const { loader, urls, until, stop } = follow(database);
    loader.start();
    await until(() => urls.size === 1 + SHARD_COUNT);
    const both = await Promise.all([
      editMonitor(database, a, { url: 'http://a/' }),
      editMonitor(database, b, { url: 'http://b/' }),
    ]);
    expect(both).toHaveLength(2);
    await until(() => urls.get(a) === 'http://a/' && urls.get(b) === 'http://b/');
    await stop();
  });
});
