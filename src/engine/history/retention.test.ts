import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { addMonitors, storeRounds } from '../../../test/support/history.ts';
import { numbersOf, storePings } from '../../../test/support/pings.ts';
import { ending, opening } from '../../../test/support/incident-changes.ts';
import { roundOf } from '../../../test/support/rounds.ts';
import { applyIncidentChanges } from '../record/record.ts';
import { insertGap, listGaps } from '../../store/engine/process-marks.ts';
import type { AuditEntry } from '../../model/audit.ts';
import { auditLog } from '../../store/resources/audit.ts';
import type { Database } from '../../store/database/contract.ts';
import { dayOf, listDays, listRetiredDays } from '../../store/engine/results.ts';
import { listResults } from '../../store/engine/result-history.ts';
import { readRollups, type RollupName, rollupChanges } from '../../store/engine/rollups.ts';
import { changeSpans, listSpans } from '../../store/engine/spans.ts';
import { PING_MS, EVENT_MS, RETIRED_MS, runRetentionSlice } from './retention.ts';
import { runRollupSlice } from './rollup.ts';
import { insertRows, updateRows } from '../../../test/support/rows.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2030, 4, 17, 12);
const AUDIT_DAYS = 30;

const AUDIT_ENTRY: AuditEntry = {
  actor: { personId: 1, name: 'Alice <alice@example.com>', via: 'token', credentialName: 'test' },
  teamId: 1,
  verb: 'paused',
  target: { type: 'monitor', id: 1, name: 'Home' },
};

async function retain(database: Database, now: number, rollupRetentionDays = 400) {
  const clock = createFakeClock({ now });
  const dependencies = {
    database,
    clock,
    rawRetentionDays: 3,
    rollupRetentionDays,
    auditRetentionDays: AUDIT_DAYS,
  };
  while ((await runRetentionSlice(dependencies)) === 'more');
}

async function rollUp(database: Database, now: number) {
  const clock = createFakeClock({ now });
  while ((await runRollupSlice({ database, clock })) === 'more');
}

const roundAt = (monitorId: number, startedAt: number, votes = 'ud') => ({
  round: roundOf(votes, { monitorId, startedAt }),
  kind: 'voted' as const,
  class: 'up' as const,
});

const rollupTimes = async (database: Database, table: RollupName, ids: number[]) =>
  (await readRollups(database.read, table, ids, { from: 0, to: 1e15 })).map(({ at }) => at);

eachDatabase((_, open) => {
  test("today's and tomorrow's tables are made ahead", async () => {
    const database = await open();
    await retain(database, NOW);
    expect(await listDays(database)).toEqual([dayOf(NOW), dayOf(NOW + DAY)]);
  });

  test('every incident of a day keeps its rounds, however many there are [55.12]', async () => {
    const database = await open();
    const [id] = (await addMonitors(database, 1)) as [number];
    const at = NOW - 5 * DAY;
    await storeRounds(database, [roundAt(id, at), roundAt(id, at + 3 * HOUR)]);
    const row = {
      team_id: 1,
      monitor_id: id,
      severity: 'critical',
      is_regional: 0,
      updated_at: at,
    };
    const times = { started_at: at, created_at: at + 10_000, ended_at: at + 60_000 };
    const incidents = Array.from({ length: 205 }, () => ({ ...row, ...times, type: 'uptime' }));
    await database.transaction((tx) => tx.insertInto('incident').values(incidents).execute());
    await insertRows(database, 'incident', { ...row, ...times, type: 'ssl' });
    await rollUp(database, NOW);
    await retain(database, NOW);
    const kept = await database.read.selectFrom('incident_round').select('at').execute();
    expect(kept).toEqual(incidents.map(() => ({ at })));
  });

  test('days go when they are old enough and rolled up, not before [24.21]', async () => {
    const database = await open();
    const [id] = (await addMonitors(database, 1)) as [number];
    const days = [0, 1, 2, 3, 4].map((age) => NOW - age * DAY);
    await storeRounds(
      database,
      days.map((at) => roundAt(id, at)),
    );
    await retain(database, NOW);
    expect(await listDays(database)).toHaveLength(6);
    await rollUp(database, NOW);
    await retain(database, NOW);
    const kept = [
      dayOf(NOW - 3 * DAY),
      dayOf(NOW - 2 * DAY),
      dayOf(NOW - DAY),
      dayOf(NOW),
      dayOf(NOW + DAY),
    ];
    expect(await listDays(database)).toEqual(kept);
    expect(await listRetiredDays(database)).toHaveLength(1);
    await retain(database, NOW + RETIRED_MS);
    expect(await listRetiredDays(database)).toEqual([]);
    const gone = sql.table(`round_${dayOf(NOW - 4 * DAY)}`);
    await expect(sql`select * from ${gone}`.execute(database.read)).rejects.toThrow(
      gone ? /round_/ : '',
    );
    expect(await rollupTimes(database, 'rollup_hour', [id])).toHaveLength(4);
    const { total } = await listResults(database, id, { from: 0, to: 1e15, page: 1, perPage: 9 });
    expect(total).toBe(8);
  });

  test('roll-ups and closed spans beyond their time go, of all monitors [24.23]', async () => {
    const database = await open();
    await rollUp(database, NOW);
    const monitors = await addMonitors(database, 60);
    const today = Math.floor(NOW / DAY) * DAY;
    const oldest = today - 400 * DAY;
    await database.transaction(async (tx) => {
      for (const monitorId of monitors) {
        const at = (age: number) => ({ monitorId, at: oldest + age, data: Buffer.from([1, 0]) });
        for (const table of ['rollup_hour', 'rollup_day'] as const) {
          await rollupChanges(tx).write(table, [at(-DAY), at(-1), at(0), at(DAY)]);
        }
        const change = { monitorId, teamId: 1 };
        await changeSpans(tx, [
          { ...change, status: 'online', at: oldest - 9 * DAY },
          { ...change, status: 'offline', at: oldest - DAY },
          { ...change, status: 'online', at: oldest + DAY },
        ]);
      }
    });
    await retain(database, NOW);
    for (const id of [monitors[0]!, monitors[59]!]) {
      expect(await rollupTimes(database, 'rollup_day', [id])).toEqual([oldest, oldest + DAY]);
      expect(await rollupTimes(database, 'rollup_hour', [id])).toEqual([oldest, oldest + DAY]);
      const spans = await listSpans(database.read, [id], 0, 1e15);
      expect(spans.map(({ fromAt }) => fromAt)).toEqual([oldest - DAY, oldest + DAY]);
    }
    await retain(database, NOW + DAY);
    expect(await rollupTimes(database, 'rollup_day', [monitors[30]!])).toEqual([oldest + DAY]);
  });

  test('roll-ups that are made after a long absence go with the others', async () => {
    const database = await open();
    const [id] = (await addMonitors(database, 1)) as [number];
    await storeRounds(database, [roundAt(id, NOW - 5 * DAY), roundAt(id, NOW - DAY)]);
    await retain(database, NOW, 3);
    await rollUp(database, NOW);
    expect(await rollupTimes(database, 'rollup_hour', [id])).toHaveLength(2);
    await retain(database, NOW, 3);
    expect(await rollupTimes(database, 'rollup_hour', [id])).toHaveLength(1);
  });

  test('gaps of ours beyond the time of roll-ups go, once a day', async () => {
    const database = await open();
    await rollUp(database, NOW);
    const oldest = Math.floor(NOW / DAY) * DAY - 400 * DAY;
    const gaps = [oldest - 1, oldest, oldest + DAY].map((to) => ({ from: to - HOUR, to }));
    await database.transaction(async (tx) => {
      for (const gap of gaps) await insertGap(tx, gap);
    });
    await retain(database, NOW);
    expect(await listGaps(database.read, 0)).toEqual(gaps.slice(1));
    await retain(database, NOW + DAY);
    expect(await listGaps(database.read, 0)).toEqual(gaps.slice(2));
  });

  test('gaps of ours stay for as long as silence is waited for', async () => {
    const database = await open();
    await rollUp(database, NOW);
    const oldest = Math.floor(NOW / DAY) * DAY - 32 * DAY;
    const gaps = [oldest - 1, oldest].map((to) => ({ from: to - HOUR, to }));
    await database.transaction(async (tx) => {
      for (const gap of gaps) await insertGap(tx, gap);
    });
    await retain(database, NOW, 3);
    expect(await listGaps(database.read, 0)).toEqual(gaps.slice(1));
  });

  test('pings go after 30 days', async () => {
    const database = await open();
    const [id] = (await addMonitors(database, 1)) as [number];
    await storePings(database, id, [{ at: NOW - PING_MS - 1 }, { at: NOW - PING_MS }]);
    await retain(database, NOW);
    expect(await numbersOf(database, id)).toEqual([2]);
    await retain(database, NOW + HOUR);
    expect(await numbersOf(database, id)).toEqual([]);
  });

  test('events go after 24 hours [24.26]', async () => {
    const database = await open();
    const events = [EVENT_MS + 1, EVENT_MS, 0].flatMap(
      (age) => Array(600).fill(NOW - age) as number[],
    );
    await insertRows(
      database,
      'event',
      events.map((created_at) => ({
        team_id: 1,
        monitor_id: 1,
        type: 't',
        payload: '{}',
        kind: 'notice',
        severity: 'info',
        created_at,
      })),
    );
    await retain(database, NOW);
    const left = await database.read.selectFrom('event').select('created_at').distinct().execute();
    expect(left.map(({ created_at }) => created_at).toSorted()).toEqual([NOW - EVENT_MS, NOW]);
  });

  test('changes that event streams report go after an hour', async () => {
    const database = await open();
    const changes = [HOUR + 1, HOUR, 0].flatMap((age) => Array(600).fill(NOW - age) as number[]);
    await insertRows(
      database,
      'live_change',
      changes.map((at) => ({ team_id: 1, kind: 'settings', change: 'team', at })),
    );
    await retain(database, NOW);
    const left = await database.read.selectFrom('live_change').select('at').distinct().execute();
    expect(left.map(({ at }) => at).toSorted()).toEqual([NOW - HOUR, NOW]);
  });

  test('incidents that are over stay [21.44]', async () => {
    const database = await open();
    const [id] = await addMonitors(database, 1);
    const opened = NOW - 3_000 * DAY;
    const ids = { monitorId: id!, teamId: 1 };
    await database.transaction(async (tx) => {
      await applyIncidentChanges(tx, [opening({ ...ids, at: opened })], opened);
      await applyIncidentChanges(tx, [ending({ ...ids, at: opened + HOUR })], opened + HOUR);
    });
    await retain(database, NOW);
    const kept = await database.read.selectFrom('incident').selectAll().execute();
    expect(kept).toMatchObject([{ monitor_id: id, started_at: opened, ended_at: opened + HOUR }]);
  });

  test('the audit log goes after its days, all slices of it [35.5]', async () => {
    const database = await open();
    const end = NOW - AUDIT_DAYS * DAY;
    const times = [...Array<number>(1_001).fill(end - 1), end, NOW];
    await database.transaction(async (tx) => {
      for (const at of times) await auditLog(tx).insert(AUDIT_ENTRY, at);
    });
    await retain(database, NOW);
    const left = await database.read.selectFrom('audit_entry').select('created_at').execute();
    expect(left.map(({ created_at }) => created_at).toSorted()).toEqual([end, NOW]);
  });

  test('a deleted monitor goes with all it had, and nobody else [9.5]', async () => {
    const database = await open();
    const monitors = (await addMonitors(database, 3)) as [number, number, number];
    const [gone, fresh, kept] = monitors;
    await storeRounds(
      database,
      monitors.flatMap((id) => [roundAt(id, NOW), roundAt(id, NOW - DAY)]),
    );
    for (const id of monitors) await addEverything(database, id);
    const before = await countRows(database, kept);
    expect(Object.values(before).every((rows) => rows > 0)).toBe(true);
    const bury = (id: number, at: number) =>
      updateRows(database, 'monitor', { deleted_at: at }, { id });
    await bury(gone, NOW - EVENT_MS - 1);
    await bury(fresh, NOW - EVENT_MS);
    await retain(database, NOW);
    expect(Object.values(await countRows(database, gone))).toEqual(
      Object.keys(before).map(() => 0),
    );
    expect(await countRows(database, fresh)).toEqual(before);
    expect(await countRows(database, kept)).toEqual(before);
  });
});

/** More incidents and pings than go in one transaction, and a row of everything else. */
async function addEverything(database: Database, id: number): Promise<void> {
  await storePings(
    database,
    id,
    Array.from({ length: 510 }, () => ({ at: NOW })),
  );
  await database.transaction(async (tx) => {
    await changeSpans(tx, [{ monitorId: id, teamId: 1, status: 'online', at: NOW }]);
    for (const table of ['rollup_hour', 'rollup_day'] as const) {
      await rollupChanges(tx).write(table, [{ monitorId: id, at: NOW, data: Buffer.from([1, 0]) }]);
    }
    for (let count = 0; count < 510; count++) {
      const incident = await tx
        .insertInto('incident')
        .values({
          team_id: 1,
          monitor_id: id,
          type: 'uptime',
          severity: 'critical',
          is_regional: 0,
          started_at: NOW,
          ended_at: NOW,
          created_at: NOW,
          updated_at: NOW,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const incident_id = incident.id;
      await tx
        .insertInto('activity')
        .values({
          team_id: 1,
          incident_id,
          type: 't',
          description: '',
          created_at: NOW,
        })
        .execute();
      const evidence = ['ash', 'nbg'].map((region) => ({ incident_id, region, evidence: '{}' }));
      await tx.insertInto('incident_evidence').values(evidence).execute();
    }
  });
}

async function countRows(database: Database, id: number): Promise<Record<string, number>> {
  const tables = ['monitor_state', 'status_span', 'incident', 'rollup_hour', 'rollup_day', 'ping'];
  const days = [NOW, NOW - DAY].flatMap((at) => [`round_${dayOf(at)}`, `failure_${dayOf(at)}`]);
  const counts: Record<string, number> = {};
  const count = async (name: string, from: ReturnType<typeof sql>) => {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${from}`.execute(
      database.read,
    );
    counts[name] = rows[0]!.n;
  };
  for (const table of [...tables, ...days]) {
    await count(table, sql`${sql.table(table)} where monitor_id = ${id}`);
  }
  await count('monitor', sql`monitor where id = ${id}`);
  for (const table of ['activity', 'incident_evidence']) {
    // Ids are given in order, so each monitor's incidents are a run of 510.
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from ${sql.table(table)} as part
      where part.incident_id > ${(id - 1) * 510} and part.incident_id <= ${id * 510}`.execute(
      database.read,
    );
    counts[table] = rows[0]!.n;
  }
  return counts;
}
