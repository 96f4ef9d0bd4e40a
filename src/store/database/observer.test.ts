import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { freshPostgres, postgres } from '../../../test/support/databases.ts';
import { freshDirectory } from '../../../test/support/directories.ts';
import { createJob } from '../../../test/support/jobs.ts';
import { applyIncidentChanges } from '../../engine/record/record.ts';
import type { IncidentChange } from '../../model/incident.ts';
import {
  acknowledgement,
  deleteIncident,
  editIncident,
  insertManualIncident,
} from '../resources/incidents.ts';
import { openDatabase } from './database.ts';
import type { IncidentFact, SlowQuery } from './observer.ts';

const NOW = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Keeps this process busy. */
function block(): void {
  const until = performance.now() + 400;
  while (performance.now() < until);
}

async function observed(engine: 'sqlite' | 'postgres', slowMs = Infinity) {
  const { place, remove } = await (engine === 'sqlite' ? freshDirectory() : freshPostgres());
  cleanups.push(remove);
  const facts: IncidentFact[] = [];
  const slow: SlowQuery[] = [];
  const database = await openDatabase(
    engine === 'sqlite' ? { engine, directory: place } : { engine, url: place },
    {
      slowMs,
      onSlow: (query) => void slow.push(query),
      onIncidents: (noted) => void facts.push(...noted),
      onCheckpointFailed() {},
      onStatementsLost() {},
    },
  );
  cleanups.push(() => database.close());
  return { database, facts, slow };
}

describe.each(['sqlite', 'postgres'] as const)('on %s', (engine) => {
  const isMissing = engine === 'postgres' && 'missing' in postgres;

  test.skipIf(isMissing)(
    'changes of incidents are reported once, after the commit, and never of what was rolled back [39.39]',
    async () => {
      const { database, facts } = await observed(engine);
      const { id: monitorId } = await createJob(database, NOW);
      const base = {
        monitorId,
        teamId: 1,
        type: 'heartbeat',
        condition: 'heartbeat',
        status: { previous: 'online', current: 'offline' },
      } as const;
      const opening: IncidentChange = {
        ...base,
        kind: 'open',
        at: NOW,
        severity: 'critical',
        rootCause: 'The job reported a failure',
        failureCode: 'job_failed',
        regions: null,
        evidence: [],
        from: null,
      };
      const open = () => database.transaction((tx) => applyIncidentChanges(tx, [opening], NOW));
      const failed = database.transaction(async (tx) => {
        await applyIncidentChanges(tx, [opening], NOW);
        throw new Error('rolled back');
      });
      await expect(failed).rejects.toThrow('rolled back');
      expect(facts).toEqual([]);

      await open();
      const common = {
        monitor_id: monitorId,
        team_id: 1,
        type: 'heartbeat',
        failure_code: 'job_failed',
      };
      expect(facts.splice(0)).toMatchObject([
        { ...common, change: 'opened', severity: 'critical', started_at: NOW, reason: null },
      ]);
      const at = NOW + 5 * MINUTE;
      const ending: IncidentChange = {
        ...base,
        kind: 'resolve',
        at,
        reason: 'recovered',
        into: null,
      };
      await database.transaction((tx) => applyIncidentChanges(tx, [ending, ending], at));
      expect(facts.splice(0)).toMatchObject([
        { ...common, change: 'ended', started_at: NOW, ended_at: at, reason: 'recovered' },
      ]);
    },
  );

  test.skipIf(isMissing)('changes by people are reported, too', async () => {
    const { database, facts } = await observed(engine);
    const { id: monitorId } = await createJob(database, NOW);
    const report = {
      team_id: 1,
      monitor_id: monitorId,
      severity: 'warning',
      root_cause: 'Bob fell over the cable',
      started_at: NOW,
      ended_at: null,
    };
    const id = await database.transaction((tx) => insertManualIncident(tx, report, NOW));
    for (const ended of [NOW + MINUTE, null])
      await database.transaction((tx) => editIncident(tx, id, { ended_at: ended }, NOW));
    await database.transaction((tx) => editIncident(tx, id, acknowledgement(null, NOW), NOW));
    await database.transaction((tx) => deleteIncident(tx, id));
    expect(facts.map((fact) => [fact.change, fact.reason, fact.id])).toEqual([
      ['opened', null, id],
      ['ended', 'by_hand', id],
      ['reopened', null, id],
      ['deleted', null, id],
    ]);
  });

  test.skipIf(isMissing)(
    'slow statements are reported with placeholders and without values [39.40]',
    async () => {
      const { database, slow } = await observed(engine, 0);
      slow.splice(0);
      const find = (db: typeof database.read) =>
        db.selectFrom('setting').select('value').where('name', '=', 'geheim').execute();
      await find(database.read);
      await find(database.scan);
      await database.transaction(async (tx) => {
        await find(tx);
        await tx.deleteFrom('setting').where('name', '=', 'geheim').execute();
      });
      const broken = sql`select 1 from ${sql.table('nowhere')}`.execute(database.read);
      await expect(broken).rejects.toThrow(/nowhere/);
      const statement = expect.stringMatching(
        /^select "value" from "setting" where "name" = (\?|\$1)$/,
      );
      expect(slow.map(({ statement: text, use }) => [text, use])).toEqual([
        [statement, 'read'],
        [statement, 'scan'],
        [statement, 'write'],
        [expect.stringMatching(/^delete from "setting"/), 'write'],
        ['commit', 'write'],
        ...(engine === 'sqlite' ? [['write to disk', 'write']] : []),
        ['select 1 from "nowhere"', 'read'],
      ]);
      expect(JSON.stringify(slow)).not.toContain('geheim');
      for (const { durationMs } of slow) expect(durationMs).toBeGreaterThanOrEqual(0);
    },
  );

  test.skipIf(isMissing)("time in which this process was busy is not the statement's", async () => {
    const { database, slow } = await observed(engine, 200);
    const find = (db: typeof database.read) => db.selectFrom('setting').select('value').execute();
    // Starts the thread of scans, and connections.
    await Promise.all([find(database.read), find(database.scan)]);
    slow.splice(0);
    for (const db of [database.read, database.scan]) {
      const found = find(db);
      block();
      await found;
    }
    await database.transaction(async (tx) => {
      await find(tx);
      const found = find(tx);
      setImmediate(block);
      await found;
    });
    expect(slow).toEqual([]);
  });

  test.skipIf(isMissing)('a statement that takes long is reported with its time', async () => {
    const { database, slow } = await observed(engine, 100);
    const long =
      engine === 'postgres'
        ? sql`select pg_sleep(0.15)`
        : sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000000)
            select count(*) from n`;
    await long.execute(database.read);
    await long.execute(database.scan);
    expect(slow.map(({ use }) => use)).toEqual(['read', 'scan']);
  });

  test.skipIf(isMissing)('quick statements are not reported', async () => {
    const { database, slow } = await observed(engine, 60_000);
    await database.read.selectFrom('setting').select('value').execute();
    expect(slow).toEqual([]);
  });
});
