import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { MONITOR_COLUMNS } from '../../../test/support/monitor-rows.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { monitorChanges } from './monitor-changes.ts';
import { createMonitorList, type MonitorList } from './monitor-list.ts';
import { NO_FILTER } from './monitors.ts';

/** A page in the order of the last checks. */
const order = (list: MonitorList) =>
  list.page(1, NO_FILTER, { sort: 'last_checked_at', direction: 'desc', limit: 20, offset: 0 });

eachDatabase((_engine, open) => {
  test('in large teams the order of the last checks is a second old at most, and edits show at once', async () => {
    const database = await open();
    const clock = createFakeClock({ now: 0 });
    const large = createMonitorList({ database, clock, manyMonitors: 0 });
    const small = createMonitorList({ database, clock });
    const create = () =>
      database.transaction((tx) => monitorChanges(tx).insert(1, MONITOR_COLUMNS, 1, null));
    const ids = [await create(), await create(), await create()];
    const check = (id: number, at: number) =>
      updateRows(database, 'monitor_state', { last_checked_at: at }, { monitor_id: id });
    for (const [index, id] of ids.entries()) await check(id, index);
    const [first, second, third] = ids as [number, number, number];
    expect((await order(large)).ids).toEqual([third, second, first]);

    await check(first, 9);
    const kept = await order(large);
    expect(kept.ids).toEqual([third, second, first]);
    expect(kept.stamps).toMatch(/\|9\|/);
    expect((await order(small)).ids).toEqual([first, third, second]);
    await clock.advance(1_000);
    expect((await order(large)).ids).toEqual([first, third, second]);

    const fourth = await create();
    await check(fourth, 10);
    expect((await order(large)).ids).toEqual([fourth, first, third, second]);
  });
});
