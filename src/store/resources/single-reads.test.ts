import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { MONITOR_COLUMNS } from '../../../test/support/monitor-rows.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { sql } from 'kysely';
import { createNewestIncidents } from './incidents.ts';
import { monitorChanges } from './monitor-changes.ts';
import { createMonitorReads } from './monitors.ts';

/** More than are read by themselves at the same time. */
const MONITORS = 12;

eachDatabase((_engine, open) => {
  test('each of many requests at once gets its own monitor and incidents, and nothing of other teams', async () => {
    const database = await open();
    const ids: number[] = [];
    for (let n = 0; n < MONITORS; n += 1)
      ids.push(
        await database.transaction((tx) => monitorChanges(tx).insert(1, MONITOR_COLUMNS, 1, null)),
      );
    const gone = ids.at(-1)!;
    await updateRows(database, 'monitor', { deleted_at: 1 }, { id: gone });
    await database.transaction(async (tx) => {
      for (const id of ids)
        for (const at of [1, 3, 2])
          await sql`insert into incident (team_id, monitor_id, type, severity, is_regional, started_at, ended_at, created_at, updated_at)
            values (1, ${id}, 'uptime', 'critical', 0, ${at}, 9, 9, 9)`.execute(tx);
    });
    const reads = createMonitorReads(database);
    const newest = createNewestIncidents(database.read, 2);
    const asked = ids.flatMap((id) => [
      { team: 1, id },
      { team: 2, id },
    ]);
    const rows = await Promise.all(asked.map(({ team, id }) => reads.one(team, id)));
    const incidents = await Promise.all(asked.map(({ team, id }) => newest(team, id)));
    const isShown = ({ team, id }: (typeof asked)[number]) => team === 1 && id !== gone;
    expect(rows.map((row) => row?.id)).toEqual(
      asked.map((each) => (isShown(each) ? each.id : undefined)),
    );
    expect(
      incidents.map((found) => found.map(({ monitor_id, started_at }) => [monitor_id, started_at])),
    ).toEqual(
      asked.map((each) =>
        isShown(each)
          ? [
              [each.id, 3],
              [each.id, 2],
            ]
          : [],
      ),
    );
    // What was changed before a request is in its answer, however many others are under way.
    const others = asked.map(({ team, id }) => reads.one(team, id));
    await updateRows(database, 'monitor', { version: 77 }, { id: ids[0]! });
    expect((await reads.one(1, ids[0]!))?.version).toBe(77);
    await Promise.all(others);
  });
});
