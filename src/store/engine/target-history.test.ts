import { describe, expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { dnsFacts, sslFacts } from '../../../test/support/target-facts.ts';
import type { Database } from '../database/contract.ts';
import { targetFacts, targetHistoryChanges } from './target-history.ts';
import { insertRows } from '../../../test/support/rows.ts';

const HOST = 'www.example.com';
const PORT = `${HOST}:443`;
const MOST = 500;
/** As many as are kept, written at once since one after another takes long. */
const TIMES = Array.from({ length: MOST }, (_, index) => index + 1);

const query = (target: string, since = 0, limit = 1_000, offset = 0) => ({
  target,
  since,
  limit,
  offset,
});

/** Both histories hold to the same rules: what is kept, and what a monitor sees of it. */
const HISTORIES = [
  {
    name: 'DNS records',
    target: HOST,
    fill: (database: Database, host: string) =>
      insertRows(
        database,
        'dns_record_set',
        TIMES.map((at) => ({ host, seen_at: at, records: '{}', source: 'resolver' })),
      ),
    insert: (database: Database, target: string, at: number) =>
      database.transaction((tx) =>
        targetHistoryChanges(tx).insertRecordSet(target, dnsFacts(`192.0.2.${at}`), at),
      ),
    async list(database: Database, wanted: ReturnType<typeof query>) {
      const { total, sets } = await targetFacts(database.read).recordSets(wanted);
      return { total, seen: sets.map(({ seenAt }) => seenAt) };
    },
  },
  {
    name: 'certificates',
    target: PORT,
    fill: (database: Database, target: string) =>
      insertRows(
        database,
        'certificate',
        TIMES.map((at) => ({ target, seen_at: at, fingerprint: '', facts: '{}' })),
      ),
    insert: (database: Database, target: string, at: number) =>
      database.transaction((tx) =>
        targetHistoryChanges(tx).insertCertificate(target, sslFacts(at), at),
      ),
    async list(database: Database, wanted: ReturnType<typeof query>) {
      const { total, certificates } = await targetFacts(database.read).certificates(wanted);
      return { total, seen: certificates.map(({ seenAt }) => seenAt) };
    },
  },
];

const activity = (monitorId: number, at: number) => ({
  team_id: 1,
  monitor_id: monitorId,
  type: 'dns_changed',
  description: `Change ${at}.`,
  created_at: at,
});
const insertActivities = (database: Database, rows: ReturnType<typeof activity>[]) =>
  database.transaction((tx) => targetHistoryChanges(tx).insertActivities(rows));

eachDatabase((_, open) => {
  describe.each(HISTORIES)('the history of $name', ({ target, fill, insert, list }) => {
    test('is told as it was from a time on', async () => {
      const database = await open();
      for (const at of [10, 20, 30]) await insert(database, target, at);
      const cases: [since: number, seen: number[]][] = [
        [9, [30, 20, 10]],
        [15, [30, 20, 10]],
        [20, [30, 20]],
        [29, [30, 20]],
        [30, [30]],
        [99, [30]],
      ];
      for (const [since, seen] of cases) {
        expect(await list(database, query(target, since))).toEqual({ total: seen.length, seen });
      }
    });

    test('of one instant is told by its order', async () => {
      const database = await open();
      for (const at of [10, 10, 10]) await insert(database, target, at);
      expect(await list(database, query(target))).toEqual({ total: 3, seen: [10, 10, 10] });
      expect(await list(database, query(target, 10))).toEqual({ total: 1, seen: [10] });
    });

    test('is bounded, for each target by itself [24.36]', async () => {
      const database = await open();
      await insert(database, 'other.example.com', 1);
      await fill(database, target);
      for (let at = MOST + 1; at <= MOST + 3; at += 1) await insert(database, target, at);
      const { total, seen } = await list(database, query(target));
      expect([total, seen[0], seen.at(-1)]).toEqual([MOST, MOST + 3, 4]);
      expect(await list(database, query('other.example.com'))).toEqual({ total: 1, seen: [1] });
    });
  });

  describe('activities of monitors', () => {
    test('are bounded, for each monitor by itself [24.27]', async () => {
      const database = await open();
      const lines = (from: number, to: number) =>
        Array.from({ length: to - from + 1 }, (_unused, index) => activity(1, from + index));
      await insertActivities(database, [activity(2, 1)]);
      await insertActivities(database, lines(1, MOST));
      await insertActivities(database, [...lines(MOST + 1, MOST + 3), activity(3, 1)]);
      const { total, activities } = await targetFacts(database.read).activities(1, MOST, 0);
      expect([total, activities[0]?.created_at, activities.at(-1)?.created_at]).toEqual([
        MOST,
        MOST + 3,
        4,
      ]);
      for (const monitorId of [2, 3]) {
        expect(await targetFacts(database.read).activities(monitorId, 10, 0)).toMatchObject({
          total: 1,
        });
      }
    });
  });
});
