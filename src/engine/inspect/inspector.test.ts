import { NO_PRIVATE_REGIONS } from '../../../test/support/regions.ts';
import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { waitUntil } from '../../../test/support/event-loop.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { openInMemory } from '../../../test/support/memory-database.ts';
import { createMonitor, type MonitorFields } from '../../../test/support/monitor-rows.ts';
import { silentLog } from '../../lib/log.ts';
import type { InspectionRequest, InspectionResult } from '../../model/inspection.ts';
import type { Database } from '../../store/database/contract.ts';
import { inspectionAssignments } from '../../store/engine/inspection-assignments.ts';
import { findInspection } from '../../store/engine/inspections.ts';
import { createInspector } from './inspector.ts';
import { assignedTargets } from './target.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { dnsFacts, sslFacts } from '../../../test/support/target-facts.ts';
import { probeHealthChanges } from '../../store/engine/probe-health.ts';
import { REGIONS } from '../../../test/support/rounds.ts';

/** Quarantines all regions, as stored by a process that suspects its own network. */
function quarantineAllRegions(database: Database, now: number): Promise<void> {
  return database.transaction(async (tx) => {
    for (const region of REGIONS) {
      const reason = 'No target can be reached';
      await probeHealthChanges(tx).writeRegion({
        region,
        quarantinedAt: now,
        reason,
        changedAt: now,
      });
    }
  });
}

const START = Date.UTC(2030, 0, 1);

const SECOND = 1_000;

const MINUTE = 60 * SECOND;

const HOUR = 60 * MINUTE;

const DAY = 24 * HOUR;

const ssl = (validTo: number, mark?: string): InspectionResult<'ssl'> => ({
  state: 'known',
  facts: sslFacts(validTo, mark),
});

const dns = (...addresses: string[]): InspectionResult<'dns'> => ({
  state: 'known',
  facts: dnsFacts(...addresses),
});

const UNKNOWN: InspectionResult = { state: 'unknown', reason: 'Nobody answered' };

/** A monitor as the service makes it. */
async function watch(database: Database, fields: MonitorFields & { checks: string[] }) {
  const { checks: checkTypes, ...rest } = fields;
  const columns = {
    url: 'https://www.example.com',
    check_types: JSON.stringify(checkTypes),
    ...rest,
  };
  const id = await createMonitor(database, START, columns);
  const targets = assignedTargets({ type: 'http', port: null, url: columns.url, checkTypes });
  await database.transaction((tx) => inspectionAssignments(tx).assign(id, targets, START));
  return id;
}

/** Inspectors at work on one database, behind which a script answers; time passes only as the test wants. */
function start(database: Database, count = 1) {
  const clock = createFakeClock({ now: START });
  const asked: string[] = [];
  const errors: string[] = [];
  const script: {
    answer(request: InspectionRequest): InspectionResult | Promise<InspectionResult>;
  } = { answer: () => UNKNOWN };
  const inspect = async (request: InspectionRequest) => {
    const minute = Math.round((clock.now() - START) / SECOND) / 60;
    asked.push(`${request.kind} ${Math.round(minute)}`);
    return script.answer(request);
  };
  const log = { ...silentLog, error: (_: object, message: string) => void errors.push(message) };
  const inspectors = Array.from({ length: count }, () =>
    createInspector({
      database,
      bus: { inspect: inspect as never },
      regions: NO_PRIVATE_REGIONS,
      clock,
      log,
    }),
  );
  for (const each of inspectors) each.start();
  const isIdle = () =>
    clock.pending().timers >= count && inspectors.every((each) => each.underWay() === 0);
  const rest = () => waitUntil(isIdle);
  return {
    clock,
    asked,
    errors,
    script,
    /** Second by second, since what is due is looked for every second. */
    async pass(milliseconds: number, stepMs = SECOND): Promise<void> {
      await rest();
      const end = clock.now() + milliseconds;
      while (clock.now() < end) {
        await clock.advance(Math.min(stepMs, end - clock.now()));
        await rest();
      }
    },
    stop: () => Promise.all(inspectors.map((each) => each.stop())),
  };
}

const incidents = async (database: Database) =>
  (await database.read.selectFrom('incident').selectAll().orderBy('id').execute()).map(
    (row) =>
      `${row.monitor_id} ${row.type} ${row.severity} ${row.ended_at === null ? 'open' : 'resolved'}`,
  );

const events = async (database: Database) =>
  (await database.read.selectFrom('event').selectAll().orderBy('id').execute()).map(
    (row) => row.type,
  );

eachDatabase((_, open) => {
  test('inspections count as usual while all regions are quarantined [25.18]', async () => {
    const database = await open();
    const id = await watch(database, { checks: ['ssl'] });
    await quarantineAllRegions(database, START);
    const work = start(database);
    work.script.answer = () => ssl(START - DAY);
    await work.pass(2 * MINUTE);
    expect(await incidents(database)).toEqual([`${id} ssl critical open`]);
    await work.stop();
  });

  test('another set of records is an activity and an event, and no incident [23.16]', async () => {
    const database = await open();
    const id = await watch(database, { checks: ['dns'] });
    const work = start(database);
    work.script.answer = () => dns('192.0.2.1');
    await work.pass(6 * MINUTE, 10 * SECOND);
    work.script.answer = () => dns('192.0.2.2');
    await work.pass(5 * MINUTE);
    expect(await incidents(database)).toEqual([]);
    expect(await events(database)).toEqual(['monitor.dns_changed']);
    const [event] = await database.read.selectFrom('event').selectAll().execute();
    expect(JSON.parse(event!.payload)).toMatchObject({
      monitor: { id },
      status: { current: 'pending', root_cause: expect.stringContaining('192.0.2.2') },
      incident: null,
    });
    const sets = await database.read.selectFrom('dns_record_set').select('seen_at').execute();
    expect(sets).toHaveLength(2);
    expect(work.asked.length).toBeLessThanOrEqual(4);
    await work.stop();
  });

  test('a name that can not be looked up is told, and not while nobody knows [23.14]', async () => {
    const database = await open();
    const id = await watch(database, { checks: ['dns'] });
    const work = start(database);
    await work.pass(4 * MINUTE);
    expect(await incidents(database)).toEqual([]);
    const failure = { code: 'dns_not_found', text: 'DNS name www.example.com not found' } as const;
    work.script.answer = () => ({ state: 'failed', failure });
    await work.pass(10 * MINUTE, 10 * SECOND);
    expect(await incidents(database)).toEqual([`${id} dns warning open`]);
    expect(await events(database)).toEqual(['monitor.dns_failed']);
    work.script.answer = () => UNKNOWN;
    await work.pass(10 * MINUTE, 10 * SECOND);
    expect(await incidents(database)).toEqual([`${id} dns warning open`]);
    work.script.answer = () => dns('192.0.2.1');
    await work.pass(6 * MINUTE, 10 * SECOND);
    expect(await events(database)).toEqual(['monitor.dns_failed', 'monitor.dns_resolved']);
    await work.stop();
  });

  test('a registry that wants to be left alone is, whoever edits meanwhile [23.25]', async () => {
    const database = await open();
    const id = await watch(database, { checks: ['domain'] });
    const work = start(database);
    work.script.answer = () => ({ ...UNKNOWN, retryAfterMs: 3 * HOUR }) as InspectionResult;
    await work.pass(MINUTE);
    await database.transaction((tx) =>
      inspectionAssignments(tx).assign(id, [['domain', 'example.com']], START + MINUTE),
    );
    await work.pass(5 * MINUTE);
    expect(work.asked).toEqual(['domain 0']);
    expect(await findInspection(database.read, 'domain', 'example.com')).toMatchObject({
      nextAt: START + 3 * HOUR,
      facts: null,
      unknownRun: 1,
    });
    await work.stop();
  });

  test('an edit while an inspection is under way makes it look again', async () => {
    const database = await open();
    const id = await watch(database, { checks: ['ssl'] });
    const work = start(database);
    let edited = false;
    work.script.answer = () => ssl(START - DAY);
    const { answer } = work.script;
    work.script.answer = (request) => {
      if (!edited) {
        edited = true;
        void database.transaction((tx) =>
          inspectionAssignments(tx).assign(id, [['ssl', 'www.example.com:443']], START + 1),
        );
      }
      return answer(request);
    };
    await work.pass(10 * SECOND);
    expect(work.asked).toHaveLength(2);
    expect(await incidents(database)).toEqual([]);
    await work.pass(MINUTE);
    expect(await incidents(database)).toEqual([`${id} ssl critical open`]);
    await work.stop();
  });

  test('paused monitors are left alone, and what nobody wants is forgotten [22.3, 22.15]', async () => {
    const database = await open();
    const id = await watch(database, { checks: ['ssl', 'dns'] });
    await database.transaction(async (tx) => {
      await tx.updateTable('monitor').set({ is_paused: 1 }).where('id', '=', id).execute();
      await tx.updateTable('monitor_state').set({ is_paused: 1 }).execute();
    });
    const work = start(database);
    work.script.answer = () => ssl(START - DAY);
    await work.pass(2 * HOUR, MINUTE);
    expect(work.asked).toEqual([]);
    expect(await incidents(database)).toEqual([]);
    await database.transaction((tx) =>
      inspectionAssignments(tx).assign(id, [['ssl', 'www.example.com:443']], 0),
    );
    await updateRows(database, 'inspection', { next_at: START });
    await work.pass(10 * SECOND);
    const left = await database.read.selectFrom('inspection').select(['kind', 'next_at']).execute();
    expect(left).toEqual([{ kind: 'ssl', next_at: null }]);
    await work.stop();
  });

  test('a certificate that regions doubt is looked at sooner, but not again and again [16.22, 23.9]', async () => {
    const database = await open();
    const id = await watch(database, { checks: ['ssl'] });
    const work = start(database);
    work.script.answer = () => ssl(START + 90 * DAY);
    await work.pass(5 * MINUTE);
    for (let turn = 0; turn < 3; turn += 1) {
      const now = work.clock.now();
      await database.transaction((tx) =>
        inspectionAssignments(tx).makeCertificatesDue([id], now, now - MINUTE),
      );
      await work.pass(5 * SECOND);
    }
    expect(work.asked).toEqual(['ssl 0', 'ssl 5']);
    await work.stop();
  });

  test('one that can not be recorded is told, put off, and keeps no other from its turn', async () => {
    const database = await open();
    await watch(database, { checks: ['ssl'] });
    const sound = await watch(database, { checks: ['ssl'], url: 'https://other.example.com' });
    const work = start(database);
    work.script.answer = (request) =>
      'host' in request && request.host === 'www.example.com'
        ? ({ state: 'known', facts: { certificate: null } } as never)
        : ssl(START - DAY);
    await work.pass(2 * MINUTE);
    expect(work.errors).toEqual(['An inspection could not be recorded.']);
    expect(await incidents(database)).toEqual([`${sound} ssl critical open`]);
    await work.stop();
  });

  test('one that the end of the process cuts short is not recorded, and the next process makes it', async () => {
    const database = await open();
    await watch(database, { checks: ['ssl'] });
    const work = start(database);
    const cut = Promise.withResolvers<InspectionResult>();
    work.script.answer = () => cut.promise;
    await waitUntil(() => work.asked.length > 0);
    const stopped = work.stop();
    cut.resolve(UNKNOWN);
    await stopped;
    const row = () => database.read.selectFrom('inspection').selectAll().executeTakeFirstOrThrow();
    expect(await row()).toMatchObject({ next_at: START, inspected_at: null, unknown_run: 0 });
    const next = start(database);
    next.script.answer = () => ssl(START + 90 * DAY);
    // Its lease runs out.
    await next.pass(3 * MINUTE);
    expect(next.asked).toHaveLength(1);
    expect(await row()).toMatchObject({ inspected_at: expect.any(Number) });
    await next.stop();
  });
});

test('at most 100 certificates are inspected at once, and slow servers delay no other kind [22.13]', async () => {
  const database = await openInMemory();
  for (let index = 0; index < 105; index += 1)
    await watch(database, { checks: ['ssl'], url: `https://host${index}.example.com` });
  const work = start(database);
  const slow: (() => void)[] = [];
  work.script.answer = ({ kind }) => {
    if (kind !== 'ssl') return dns('192.0.2.1');
    return new Promise((resolve) => void slow.push(() => resolve(ssl(START + 90 * DAY))));
  };
  const waitFor = async (isDone: () => boolean) => {
    while (!isDone()) {
      await work.clock.advance(SECOND);
      await new Promise<void>((resolve) => void setImmediate(resolve));
    }
  };
  await waitFor(() => slow.length >= 100);
  await watch(database, { checks: ['dns'] });
  await waitFor(() => work.asked.some((one) => one.startsWith('dns')));
  await work.clock.advance(5 * SECOND);
  expect(slow).toHaveLength(100);
  for (const answer of slow.splice(0)) answer();
  await waitFor(() => slow.length === 5);
  for (const answer of slow) answer();
  await work.stop();
});
