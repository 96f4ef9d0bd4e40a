import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createMonitor } from '../../../test/support/monitor-rows.ts';
import { changeSpans } from '../../store/engine/spans.ts';
import { uptimeOf } from './stored-uptime.ts';

const HOUR = 3_600_000;
const CREATED = Date.UTC(2030, 0, 1, 12, 30);

eachDatabase((engine, open) => {
  test('a period begins no earlier than the monitor [24.11]', async () => {
    const database = await open();
    const id = await createMonitor(database, CREATED);
    const now = CREATED + HOUR;
    await database.transaction(async (tx) => {
      await changeSpans(tx, [
        { monitorId: id, teamId: 1, status: 'online', at: CREATED + HOUR / 2 },
      ]);
      await tx.updateTable('monitor_state').set({ observed_until: now }).execute();
    });
    const period = { from: CREATED - 10 * HOUR, to: now, now };
    const [found] = await uptimeOf(database, [id], period, 'hour');
    expect(found!.whole).toMatchObject({
      from: CREATED,
      upMs: HOUR / 2,
      unobservedMs: HOUR / 2,
      uptimePercent: 100,
      observedPercent: 50,
    });
    expect(found!.pieces!.map(({ from, to }) => to - from)).toEqual([HOUR / 2, HOUR / 2]);
    const [before] = await uptimeOf(database, [id], { from: 0, to: CREATED - HOUR, now });
    expect(before!.whole).toMatchObject({ unobservedMs: 0, observedPercent: null });
  });
});
