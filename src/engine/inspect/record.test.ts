import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase, onPostgres } from '../../../test/support/databases.ts';
import { createMonitor } from '../../../test/support/monitor-rows.ts';
import { dnsFacts, sslFacts } from '../../../test/support/target-facts.ts';
import type { InspectionResult } from '../../model/inspection.ts';
import type { Database } from '../../store/database/contract.ts';
import { inspectionAssignments } from '../../store/engine/inspection-assignments.ts';
import { findInspection, inspectionRuns } from '../../store/engine/inspections.ts';
import { recordInspection } from './record.ts';

const NOW = Date.UTC(2030, 0, 1);
const HOST = 'www.example.com';
const FAILED: InspectionResult = {
  state: 'failed',
  failure: { code: 'dns_timeout', text: 'DNS timeout' },
};

async function watch(database: Database, host: string): Promise<number> {
  const id = await createMonitor(database, NOW, { url: `https://${host}` });
  await database.transaction((tx) => inspectionAssignments(tx).assign(id, [['dns', host]], NOW));
  return id;
}

const claimOne = (database: Database) =>
  database.transaction((tx) => inspectionRuns(tx).claim('dns', NOW, 1, NOW + 60_000));

/** Bad looks in a row that were counted of each monitor. */
async function counted(database: Database): Promise<number[]> {
  const rows = await database.read
    .selectFrom('monitor_state')
    .select('tracks')
    .orderBy('monitor_id')
    .execute();
  return rows.map((row) => JSON.parse(row.tracks).dns?.badRun ?? 0);
}

eachDatabase((_, open) => {
  test('all monitors of a target are judged once, and the inspection ends with the last of them', async () => {
    const database = await open();
    for (let number = 0; number < 251; number += 1) await watch(database, HOST);
    const [claimed] = await claimOne(database);
    const seen = { result: FAILED, at: NOW, isNew: true };
    expect(await recordInspection(database, claimed!, seen, NOW)).toBe(true);
    expect(await counted(database)).toEqual(Array(251).fill(1));
    expect(await findInspection(database.read, 'dns', HOST)).toMatchObject({
      nextAt: NOW + 60_000,
      isRecheck: true,
    });
  });

  test.each([
    [5, true],
    [1, false],
    [0.5, false],
  ])(
    'a monitor that is offline from now on is looked at sooner than every %d minutes: %s [22.16]',
    async (check_interval, isHastened) => {
      const database = await open();
      const id = await createMonitor(database, NOW, { check_interval });
      await database.transaction(async (tx) => {
        await inspectionAssignments(tx).assign(id, [['ssl', `${HOST}:443`]], NOW);
        await tx.updateTable('monitor_state').set({ run_at: null, status: 'online' }).execute();
      });
      const fault = { code: 'tls_untrusted', text: 'Not trusted' } as const;
      const result = { state: 'known', facts: { ...sslFacts(), fault } } as const;
      for (const now of [NOW, NOW + 60_000]) {
        const [claimed] = await database.transaction((tx) =>
          inspectionRuns(tx).claim('ssl', now, 1, now + 1),
        );
        await recordInspection(database, claimed!, { result, at: now, isNew: true }, now);
      }
      const state = await database.read
        .selectFrom('monitor_state')
        .select(['status', 'run_at'])
        .executeTakeFirstOrThrow();
      expect(state).toEqual({ status: 'offline', run_at: isHastened ? NOW + 60_000 : null });
    },
  );

  test('whatever a certificate says of itself can be recorded and told', async () => {
    const database = await open();
    const id = await createMonitor(database, NOW, { url: `https://${HOST}` });
    const target = `${HOST}:443`;
    await database.transaction((tx) =>
      inspectionAssignments(tx).assign(id, [['ssl', target]], NOW),
    );
    const odd = sslFacts(undefined, 'aa');
    odd.certificate.issuer = 'nul \0, \u001b[31m and half \ud83d';
    const facts = [sslFacts(undefined, 'bb'), odd];
    for (const [turn, each] of facts.entries()) {
      const now = NOW + turn * 3_600_000;
      const [claimed] = await database.transaction((tx) =>
        inspectionRuns(tx).claim('ssl', now, 1, now + 60_000),
      );
      const fault = {
        code: 'tls_untrusted',
        text: `Not trusted: ${each.certificate.issuer}`,
      } as const;
      const seen = {
        result: { state: 'known', facts: { ...each, fault } },
        at: now,
        isNew: true,
      } as const;
      expect(await recordInspection(database, claimed!, seen, now)).toBe(true);
    }
    const told = await database.read.selectFrom('monitor_activity').select('description').execute();
    expect(told).toMatchObject([{ description: expect.stringContaining('nul') }]);
    const opened = await database.read.selectFrom('incident').select('root_cause').execute();
    expect(opened).toEqual([{ root_cause: 'Not trusted: nul , [31m and half \ufffd' }]);
  });

  test('what is judged and can not be ended was not judged', async () => {
    const database = await open();
    await watch(database, HOST);
    const [claimed] = await claimOne(database);
    const facts = { state: 'known', facts: dnsFacts('192.0.2.1') } as const;
    const before = { ...claimed!, facts: dnsFacts('192.0.2.7') };
    await database.transaction((tx) => sql`drop table dns_record_set`.execute(tx));
    const seen = { result: facts, at: NOW, isNew: true };
    await expect(recordInspection(database, before, seen, NOW)).rejects.toThrow('dns_record_set');
    expect(await database.read.selectFrom('event').select('type').execute()).toEqual([]);
  });
});

onPostgres((open) => {
  test('a monitor that goes to another target meanwhile is not judged by this one', async () => {
    const database = await open();
    const [moving] = [await watch(database, HOST), await watch(database, HOST)];
    const [claimed] = await claimOne(database);
    const isHeld = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    const edited = database.transaction(async (tx) => {
      await tx
        .updateTable('monitor_state')
        .set({ revision: 9 })
        .where('monitor_id', '=', moving)
        .execute();
      isHeld.resolve();
      await mayGoOn.promise;
      await inspectionAssignments(tx).assign(moving, [['dns', 'other.example.com']], NOW);
    });
    await isHeld.promise;
    const seen = { result: FAILED, at: NOW, isNew: true };
    const recorded = recordInspection(database, claimed!, seen, NOW);
    await untilSomebodyWaits(database);
    mayGoOn.resolve();
    await Promise.all([edited, recorded]);
    expect(await counted(database)).toEqual([0, 1]);
  });
});

async function untilSomebodyWaits(database: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database.read);
    if (rows.length > 0) return;
  }
}
