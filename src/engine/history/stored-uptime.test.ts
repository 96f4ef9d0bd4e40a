import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { addMonitors } from '../../../test/support/history.ts';
import { createMonitor } from '../../../test/support/monitor-rows.ts';
import { changeSpans } from '../../store/engine/spans.ts';
import { insertRows } from '../../../test/support/rows.ts';
import { readTimes, timesOnlyUptimeOf, uptimeOf } from './stored-uptime.ts';

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

  test('corrections in force apply, and the recorded figures stand beside the corrected ones [46.6]', async () => {
    const database = await open();
    const id = await createMonitor(database, CREATED);
    const other = await createMonitor(database, CREATED);
    const now = CREATED + 10 * HOUR;
    const span = (monitorId: number, status: 'online' | 'offline', hour: number) => ({
      monitorId,
      teamId: 1,
      status,
      at: CREATED + hour * HOUR,
    });
    await database.transaction(async (tx) => {
      const spans = [span(id, 'online', 0), span(id, 'offline', 4), span(id, 'online', 6)];
      await changeSpans(tx, [...spans, span(other, 'offline', 0)]);
      await tx.updateTable('monitor_state').set({ observed_until: now }).execute();
    });
    const period = { from: CREATED, to: now, now };
    const recorded = await uptimeOf(database, [id, other], period, 'day');
    expect(recorded.map(({ whole }) => whole.downMs)).toEqual([2 * HOUR, 10 * HOUR]);
    expect(recorded.map(({ uncorrected }) => uncorrected)).toEqual([null, null]);

    const correction = {
      team_id: 1,
      monitor_id: id,
      from_at: CREATED + 4 * HOUR,
      to_at: CREATED + 5 * HOUR,
      counts_as: 'false_alarm',
      reason: 'The probe was being moved.',
      created_at: now,
      updated_at: now,
    };
    await insertRows(database, 'correction', correction);
    const [corrected, same] = await uptimeOf(database, [id, other], period, 'day');
    expect([corrected!.whole.downMs, corrected!.whole.upMs]).toEqual([HOUR, 9 * HOUR]);
    expect(corrected!.uncorrected).toEqual({
      whole: recorded[0]!.whole,
      pieces: recorded[0]!.pieces,
    });
    expect(same).toEqual(recorded[1]);
    expect(await uptimeOf(database, [id], period, 'day', { corrected: false })).toEqual([
      recorded[0],
    ]);
    const later = { from: CREATED + 5 * HOUR, to: now, now };
    expect((await readTimes(database, [id], later)).get(id)!.uncorrected).toBeNull();

    await database.transaction(async (tx) => {
      await tx.updateTable('correction').set({ removed_at: now }).execute();
    });
    expect(await uptimeOf(database, [id, other], period, 'day')).toEqual(recorded);
  });

  test('without results, many monitors have the uptime that each has alone', async () => {
    const database = await open();
    const ids = await addMonitors(database, 1_100);
    const now = CREATED + 10 * HOUR;
    await database.transaction(async (tx) => {
      await changeSpans(
        tx,
        ids.flatMap((monitorId, index) => [
          { monitorId, teamId: 1, status: 'online' as const, at: CREATED + index * 1_000 },
          { monitorId, teamId: 1, status: 'offline' as const, at: now - (index % 7) * HOUR },
        ]),
      );
      await tx.updateTable('monitor').set({ created_at: CREATED }).execute();
      await tx
        .updateTable('monitor_state')
        .set({ observed_until: now - HOUR })
        .execute();
    });
    const period = { from: CREATED - HOUR, to: now, now };
    const found = await timesOnlyUptimeOf(database, ids.toReversed(), period);
    expect([...found.keys()]).toEqual(ids.toReversed());
    for (const id of [ids[0]!, ids[349]!, ids[1_000]!, ids.at(-1)!]) {
      const [alone] = await uptimeOf(database, [id], period);
      expect(alone!.whole).toMatchObject(found.get(id)!);
    }
    expect(await timesOnlyUptimeOf(database, [], period)).toEqual(new Map());
  });
});
