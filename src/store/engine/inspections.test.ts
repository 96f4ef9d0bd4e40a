import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { eachDatabase, onPostgres } from '../../../test/support/databases.ts';
import {
  createMonitor,
  editMonitor,
  type MonitorFields,
} from '../../../test/support/monitor-rows.ts';
import { dnsFacts, domainFacts, sslFacts } from '../../../test/support/target-facts.ts';
import {
  INSPECTION_KINDS,
  type InspectionKind,
  type InspectionResult,
} from '../../model/inspection.ts';
import type { Database } from '../database/contract.ts';
import { inspectionAssignments } from './inspection-assignments.ts';
import {
  dueKinds,
  findInspection,
  inspectedMonitors,
  type ClaimedInspection,
  type InspectionEnd,
  inspectionRuns,
} from './inspections.ts';
import { targetHistoryChanges } from './target-history.ts';
import { updateRows } from '../../../test/support/rows.ts';

const NOW = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (minutes: number) => NOW + minutes * MINUTE;
const HOST = 'www.example.com';
const PORT = `${HOST}:443`;

type Target = readonly [kind: InspectionKind, target: string];
const SSL: Target = ['ssl', PORT];
const DNS: Target = ['dns', HOST];
const DOMAIN: Target = ['domain', 'example.com'];

const FACTS = { ssl: sslFacts(), dns: dnsFacts('192.0.2.10'), domain: domainFacts() };
const knownOf = (kind: InspectionKind): InspectionResult => ({
  state: 'known',
  facts: FACTS[kind],
});
const UNKNOWN: InspectionResult = { state: 'unknown', reason: 'Nobody answered' };

const assign = (database: Database, id: number, targets: Target[], now = NOW) =>
  database.transaction((tx) => inspectionAssignments(tx).assign(id, targets, now));

async function watch(database: Database, targets: Target[], fields: MonitorFields = {}) {
  const id = await createMonitor(database, NOW, { url: `https://${HOST}`, ...fields });
  await assign(database, id, targets);
  return id;
}

/** Of every kind. */
const claim = (database: Database, now = NOW, limit = 10, leasedUntil = now + MINUTE) =>
  database.transaction(async (tx) => {
    const claimed: ClaimedInspection[] = [];
    for (const kind of INSPECTION_KINDS)
      claimed.push(...(await inspectionRuns(tx).claim(kind, now, limit, leasedUntil)));
    return claimed;
  });

const hold = (database: Database, claimed: ClaimedInspection) =>
  database.transaction((tx) => inspectionRuns(tx).lock(claimed));

const rest = (database: Database, claimed: ClaimedInspection) =>
  database.transaction(async (tx) => {
    const held = await inspectionRuns(tx).lock(claimed);
    if (held !== null) await inspectionRuns(tx).suspend(held);
  });

/** Ends one with its facts, to be looked at again in an hour. */
function end(
  database: Database,
  claimed: ClaimedInspection,
  result = knownOf(claimed.kind),
  how: Partial<InspectionEnd> = {},
) {
  const next = { nextAt: NOW + HOUR, isRecheck: false, isOpen: false, unknownRun: 0, ...how };
  return database.transaction((tx) => inspectionRuns(tx).end(claimed, { result, at: NOW }, next));
}

const namesOf = (claimed: readonly ClaimedInspection[]) =>
  claimed.map(({ kind, target }) => `${kind} ${target}`).toSorted();

/** When each is due, in minutes from now; null when never. */
async function dueIn(database: Database): Promise<Record<string, number | null>> {
  const rows = await database.read.selectFrom('inspection').select(['kind', 'next_at']).execute();
  return Object.fromEntries(
    rows.map((row) => [row.kind, row.next_at === null ? null : (row.next_at - NOW) / MINUTE]),
  );
}

eachDatabase((_, open) => {
  describe('inspections that are assigned', () => {
    test('are due at once, and nothing is known of them', async () => {
      const database = await open();
      await watch(database, [SSL, DNS]);
      expect(await dueIn(database)).toEqual({ ssl: 0, dns: 0 });
      expect(await findInspection(database.read, ...SSL)).toEqual({
        kind: 'ssl',
        target: PORT,
        facts: null,
        knownAt: null,
        result: null,
        inspectedAt: null,
        unknownRun: 0,
        isRecheck: false,
        isOpen: false,
        nextAt: NOW,
      });
      expect(await findInspection(database.read, ...DOMAIN)).toBeUndefined();
    });

    test('take the place of those before', async () => {
      const database = await open();
      const id = await watch(database, [SSL, DNS]);
      await assign(database, id, [['ssl', 'other.example.com:443'], DOMAIN]);
      const rows = await database.read
        .selectFrom('monitor_inspection')
        .selectAll()
        .orderBy('kind')
        .execute();
      expect(rows).toEqual([
        { monitor_id: id, kind: 'domain', target: 'example.com' },
        { monitor_id: id, kind: 'ssl', target: 'other.example.com:443' },
      ]);
    });

    test('once more are due after the look that is under way, and keep what is known', async () => {
      const database = await open();
      const id = await watch(database, [SSL]);
      const [first] = await claim(database);
      await end(database, first!);
      const [second] = await claim(database, NOW + HOUR);
      await assign(database, id, [SSL], NOW + HOUR + 1);
      expect(await hold(database, second!)).toMatchObject({ isRequestedSince: true });
      expect(await findInspection(database.read, ...SSL)).toMatchObject({
        nextAt: NOW + HOUR + 1,
        facts: FACTS.ssl,
      });
      expect(await claim(database, NOW + HOUR + 1)).toEqual([]);
      expect(namesOf(await claim(database, NOW + HOUR + 2 * MINUTE))).toEqual([`ssl ${PORT}`]);
    });

    test('leave a registry alone that wants that, and no server of certificates', async () => {
      const database = await open();
      const id = await watch(database, [SSL, DOMAIN]);
      for (const one of await claim(database)) await end(database, one, UNKNOWN, { unknownRun: 1 });
      await assign(database, id, [SSL, DOMAIN], NOW + MINUTE);
      expect(await dueIn(database)).toEqual({ ssl: 1, domain: 60 });
    });

    test('ask a registry that answered at the next edit, and one that rested', async () => {
      const database = await open();
      const id = await watch(database, [DOMAIN]);
      const [answered] = await claim(database);
      await end(database, answered!);
      await assign(database, id, [DOMAIN], NOW + MINUTE);
      expect(await dueIn(database)).toEqual({ domain: 1 });
      const [silent] = await claim(database, NOW + MINUTE);
      await end(database, silent!, UNKNOWN, { unknownRun: 1 });
      const [paused] = await claim(database, NOW + HOUR);
      await rest(database, paused!);
      await assign(database, id, [DOMAIN], NOW + 2 * MINUTE);
      expect(await dueIn(database)).toEqual({ domain: 2 });
    });

    test("are only the monitor's own when they are taken off", async () => {
      const database = await open();
      const id = await watch(database, [SSL]);
      const other = await watch(database, [SSL]);
      await database.transaction((tx) => inspectionAssignments(tx).unassign([id]));
      const [claimed] = await claim(database);
      const rows = await inspectedMonitors(database.read, claimed!, 0, 10);
      expect(rows.map((row) => row.id)).toEqual([other]);
    });
  });

  describe('hastened', () => {
    test('are all of a monitor, but not a registry that keeps silent', async () => {
      const database = await open();
      const id = await watch(database, [SSL, DNS, DOMAIN]);
      for (const one of await claim(database)) {
        const isSilent = one.kind === 'domain';
        await end(database, one, isSilent ? UNKNOWN : undefined, { unknownRun: isSilent ? 1 : 0 });
      }
      await database.transaction((tx) => inspectionAssignments(tx).makeDue(id, NOW + MINUTE));
      expect(await dueIn(database)).toEqual({ ssl: 1, dns: 1, domain: 60 });
    });

    test('are only the kinds that are given, of that monitor', async () => {
      const database = await open();
      const id = await watch(database, [SSL, DNS]);
      await watch(database, [DOMAIN]);
      for (const one of await claim(database)) await end(database, one);
      await database.transaction((tx) =>
        inspectionAssignments(tx).makeDue(id, NOW + MINUTE, ['dns']),
      );
      expect(await dueIn(database)).toEqual({ ssl: 60, dns: 1, domain: 60 });
    });

    test('come never later than they would', async () => {
      const database = await open();
      const id = await watch(database, [SSL]);
      await database.transaction((tx) => inspectionAssignments(tx).makeDue(id, NOW + MINUTE));
      expect(await dueIn(database)).toEqual({ ssl: 0 });
    });

    test('leave an inspection that is under way to whoever makes it', async () => {
      const database = await open();
      const id = await watch(database, [SSL]);
      const [claimed] = await claim(database);
      await database.transaction((tx) => inspectionAssignments(tx).makeDue(id, NOW + 1));
      expect(await hold(database, claimed!)).not.toBeNull();
      expect(await claim(database, NOW + 2)).toEqual([]);
    });

    test('are the certificates that regions doubt, unless that was just done', async () => {
      const database = await open();
      const doubted = await watch(database, [SSL, DNS]);
      const fresh = await watch(database, [['ssl', 'fresh.example.com:443']]);
      await watch(database, [['ssl', 'other.example.com:443']]);
      for (const one of await claim(database)) await end(database, one);
      await database.transaction((tx) =>
        tx
          .updateTable('inspection')
          .set({ inspected_at: at(9) })
          .where('target', 'like', 'fresh%')
          .execute(),
      );
      await database.transaction((tx) =>
        inspectionAssignments(tx).makeCertificatesDue([doubted, fresh], at(9.5), at(8.5)),
      );
      expect(namesOf(await claim(database, at(9.5)))).toEqual([`ssl ${PORT}`]);
    });

    test('are none when nobody doubts', async () => {
      const database = await open();
      await watch(database, [SSL]);
      for (const one of await claim(database)) await end(database, one);
      await database.transaction((tx) =>
        inspectionAssignments(tx).makeCertificatesDue([], NOW, NOW),
      );
      expect(await dueIn(database)).toEqual({ ssl: 60 });
    });
  });

  describe('a claim', () => {
    test('takes what is due, the longest due first, and no more than is wanted', async () => {
      const database = await open();
      const id = await watch(database, [DNS]);
      await assign(database, id, [SSL, DNS, DOMAIN]);
      await watch(database, [['dns', 'other.example.com']]);
      const delays = { 'other.example.com': -2 * MINUTE, [HOST]: -MINUTE, [PORT]: MINUTE };
      for (const [target, delay] of Object.entries(delays)) {
        await updateRows(database, 'inspection', { next_at: NOW + delay }, { target });
      }
      expect(await dueKinds(database.read, NOW)).toEqual(['dns', 'domain']);
      expect(namesOf(await claim(database, NOW, 1))).toEqual([
        'dns other.example.com',
        'domain example.com',
      ]);
      expect(namesOf(await claim(database, NOW, 5))).toEqual([`dns ${HOST}`]);
      expect(await dueKinds(database.read, NOW)).toEqual([]);
      expect(await dueKinds(database.read, NOW + MINUTE)).toEqual(['ssl']);
    });

    test("is the only one until its lease is over, and then nobody else's counts", async () => {
      const database = await open();
      await watch(database, [SSL]);
      const [first] = await claim(database, NOW, 10, NOW + MINUTE);
      expect(await claim(database, NOW + MINUTE)).toEqual([]);
      const [second] = await claim(database, NOW + MINUTE + 1);
      expect(second!.claim).toBeGreaterThan(first!.claim);
      expect(await hold(database, first!)).toBeNull();
      expect(await hold(database, second!)).not.toBeNull();
    });

    test('that is postponed is due then, for anybody', async () => {
      const database = await open();
      await watch(database, [SSL]);
      const [claimed] = await claim(database);
      await database.transaction((tx) => inspectionRuns(tx).postpone(claimed!, NOW + 5 * MINUTE));
      expect(await claim(database, NOW + 5 * MINUTE - 1)).toEqual([]);
      expect(await claim(database, NOW + 5 * MINUTE)).toHaveLength(1);
    });

    test('that is not ours any more postpones nothing', async () => {
      const database = await open();
      await watch(database, [SSL]);
      const [claimed] = await claim(database, NOW, 1, NOW + 1);
      await claim(database, NOW + 2);
      await database.transaction((tx) => inspectionRuns(tx).postpone(claimed!, NOW + HOUR));
      expect(await dueIn(database)).toEqual({ ssl: 0 });
    });
  });

  describe('the end of an inspection', () => {
    test('keeps what was found, of each kind', async () => {
      const database = await open();
      await watch(database, [SSL, DNS, DOMAIN]);
      for (const one of await claim(database)) {
        await end(database, one, knownOf(one.kind), { isRecheck: true });
      }
      for (const [kind, target] of [SSL, DNS, DOMAIN]) {
        expect(await findInspection(database.read, kind, target)).toEqual({
          kind,
          target,
          facts: FACTS[kind],
          knownAt: NOW,
          result: knownOf(kind),
          inspectedAt: NOW,
          unknownRun: 0,
          isRecheck: true,
          isOpen: false,
          nextAt: NOW + HOUR,
        });
      }
      for (const one of await claim(database, NOW + HOUR)) {
        expect(one).toMatchObject({ facts: FACTS[one.kind], isRecheck: true });
      }
    });

    test('that found nothing out keeps what was known before [22.9]', async () => {
      const database = await open();
      await watch(database, [SSL]);
      const [first] = await claim(database);
      await end(database, first!);
      const [second] = await claim(database, NOW + HOUR);
      await end(database, second!, UNKNOWN, { unknownRun: 3, nextAt: NOW + 2 * HOUR });
      expect(await findInspection(database.read, ...SSL)).toMatchObject({
        facts: FACTS.ssl,
        knownAt: NOW,
        result: UNKNOWN,
        unknownRun: 3,
      });
    });
  });

  describe('the monitors of a target', () => {
    test('come by id, in slices, with their thresholds; paused and deleted ones do not', async () => {
      const database = await open();
      const ids: number[] = [];
      for (const days of [7, 14, 30]) {
        ids.push(await watch(database, [SSL], { ssl_expiry_threshold: days, verify_ssl: 0 }));
      }
      const paused = await watch(database, [SSL]);
      await editMonitor(database, paused, { is_paused: 1 }, null);
      await watch(database, [SSL], { deleted_at: NOW });
      await watch(database, [['ssl', `${HOST}:8443`]]);
      const [claimed] = (await claim(database)).filter(({ target }) => target === PORT);
      const first = await inspectedMonitors(database.read, claimed!, 0, 2);
      expect(first).toEqual([row(ids[0]!, 7), row(ids[1]!, 14)]);
      expect(await inspectedMonitors(database.read, claimed!, ids[1]!, 2)).toEqual([
        row(ids[2]!, 30),
      ]);
    });
  });

  test('what a clock that was ahead put off for years is due once it is set right', async () => {
    const database = await open();
    await watch(database, [SSL, DNS]);
    const year = 365 * 24 * HOUR;
    for (const one of await claim(database, NOW + year)) {
      if (one.kind === 'ssl') await end(database, one, knownOf('ssl'), { nextAt: NOW + year });
    }
    expect(namesOf(await claim(database, NOW + MINUTE))).toEqual([`dns ${HOST}`, `ssl ${PORT}`]);
  });

  describe('an inspection that no monitor wants', () => {
    test('is due as before where one came in the meantime', async () => {
      const database = await open();
      const id = await watch(database, [SSL]);
      const [claimed] = await claim(database);
      await assign(database, id, [SSL], NOW + 5);
      await rest(database, claimed!);
      expect(await findInspection(database.read, ...SSL)).toMatchObject({ nextAt: NOW + 5 });
    });

    test('rests while its monitors are paused', async () => {
      const database = await open();
      await watch(database, [SSL]);
      const [claimed] = await claim(database);
      await rest(database, claimed!);
      expect(await dueIn(database)).toEqual({ ssl: null });
      expect(await dueKinds(database.read, NOW + 1_000 * HOUR)).toEqual([]);
    });

    test.each(['deleted', 'aimed elsewhere'])(
      'is due once more when the paused monitor that it rests for is %s',
      async (deed) => {
        const database = await open();
        const id = await watch(database, [SSL, DNS]);
        for (const one of await claim(database)) {
          await rest(database, one);
        }
        await database.transaction((tx) =>
          deed === 'deleted'
            ? inspectionAssignments(tx).unassign([id])
            : inspectionAssignments(tx).assign(id, [['ssl', 'other.example.com:443']], NOW + HOUR),
        );
        const due = await claim(database, NOW + HOUR);
        for (const one of due) {
          await rest(database, one);
        }
        const left = await database.read.selectFrom('inspection').select('target').execute();
        expect(left).toEqual(deed === 'deleted' ? [] : [{ target: 'other.example.com:443' }]);
      },
    );

    test('is forgotten with its history when it has none at all', async () => {
      const database = await open();
      const id = await watch(database, [SSL, DNS]);
      await database.transaction(async (tx) => {
        await targetHistoryChanges(tx).insertRecordSet(HOST, FACTS.dns, NOW);
        await targetHistoryChanges(tx).insertRecordSet('other.example.com', FACTS.dns, NOW);
        await targetHistoryChanges(tx).insertCertificate(PORT, FACTS.ssl, NOW);
        await targetHistoryChanges(tx).insertCertificate(`${HOST}:8443`, FACTS.ssl, NOW);
        await inspectionAssignments(tx).unassign([id]);
      });
      for (const one of await claim(database)) {
        await rest(database, one);
      }
      expect(await dueIn(database)).toEqual({});
      const sets = await database.read.selectFrom('dns_record_set').select('host').execute();
      const certificates = await database.read.selectFrom('certificate').select('target').execute();
      expect([sets, certificates]).toEqual([
        [{ host: 'other.example.com' }],
        [{ target: `${HOST}:8443` }],
      ]);
    });
  });
});

const row = (id: number, days: number) => ({
  id,
  team_id: 1,
  check_interval: 0.5,
  ssl_expiry_threshold: days,
  domain_expiry_threshold: 30,
  verify_ssl: 0,
});

onPostgres((open) => {
  test('claimers at the same time share what is due', async () => {
    const database = await open();
    for (let number = 0; number < 30; number += 1) {
      await watch(database, [['ssl', `host${number}.example.com:443`]]);
    }
    const claimed = await Promise.all([1, 2, 3, 4].map(() => claim(database, NOW, 20)));
    const left = await claim(database, NOW, 100);
    const names = namesOf([...claimed.flat(), ...left]);
    expect(new Set(names).size).toBe(30);
    expect(names).toHaveLength(30);
  });

  test('nobody takes an inspection up while it is held, and an edit waits for it', async () => {
    const database = await open();
    const id = await watch(database, [SSL]);
    // Its lease is over, so that anybody might.
    const [claimed] = await claim(database, NOW, 10, NOW - 1);
    const held = Promise.withResolvers<object | null>();
    const mayEnd = Promise.withResolvers<void>();
    const ended = database.transaction(async (tx) => {
      held.resolve(await inspectionRuns(tx).lock(claimed!));
      await mayEnd.promise;
      const seen = { result: knownOf('ssl'), at: NOW };
      await inspectionRuns(tx).end(claimed!, seen, {
        nextAt: NOW + HOUR,
        isRecheck: false,
        isOpen: false,
        unknownRun: 0,
      });
    });
    expect(await held.promise).toMatchObject({ isRequestedSince: false });
    expect(await claim(database)).toEqual([]);
    const edited = assign(database, id, [SSL], NOW + MINUTE);
    mayEnd.resolve();
    await Promise.all([ended, edited]);
    // What the edit wants stands after what the inspection left.
    expect(await findInspection(database.read, ...SSL)).toMatchObject({
      nextAt: NOW + MINUTE,
      facts: FACTS.ssl,
    });
    expect(await hold(database, claimed!)).toMatchObject({ isRequestedSince: true });
  });

  test('rounds that doubt certificates wait for nobody who holds one', async () => {
    const database = await open();
    const free: Target = ['ssl', 'free.example.com:443'];
    const ids = [await watch(database, [SSL]), await watch(database, [free])];
    for (const one of await claim(database)) await end(database, one);
    const isHeld = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const held = database.transaction(async (tx) => {
      await tx.updateTable('inspection').set({ claim: 7 }).where('target', '=', PORT).execute();
      isHeld.resolve();
      await mayEnd.promise;
    });
    await isHeld.promise;
    await database.transaction((tx) =>
      inspectionAssignments(tx).makeCertificatesDue(ids, NOW + MINUTE, NOW + 1),
    );
    mayEnd.resolve();
    await held;
    expect(await findInspection(database.read, ...SSL)).toMatchObject({ nextAt: NOW + HOUR });
    expect(await findInspection(database.read, ...free)).toMatchObject({ nextAt: NOW + MINUTE });
  });

  test('edits and manual checks of monitors that share targets never wait for each other', async () => {
    const database = await open();
    const id = await watch(database, [SSL, DNS]);
    for (const one of await claim(database)) await end(database, one);
    const isHeld = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    // As an edit of another monitor does: the certificate first.
    const edited = database.transaction(async (tx) => {
      await tx.updateTable('inspection').set({ claim: 7 }).where('kind', '=', 'ssl').execute();
      isHeld.resolve();
      await mayGoOn.promise;
      await tx.updateTable('inspection').set({ claim: 7 }).where('kind', '=', 'dns').execute();
    });
    await isHeld.promise;
    const hastened = database.transaction((tx) => inspectionAssignments(tx).makeDue(id, NOW));
    await untilSomebodyWaits(database);
    mayGoOn.resolve();
    await Promise.all([edited, hastened]);
    expect(await dueIn(database)).toEqual({ ssl: 0, dns: 0 });
  });
});

async function untilSomebodyWaits(database: Database): Promise<void> {
  for (;;) {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(database.read);
    if (rows.length > 0) return;
  }
}
