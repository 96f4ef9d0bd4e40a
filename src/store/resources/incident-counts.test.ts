import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { eachDatabase, onPostgres } from '../../../test/support/databases.ts';
import { createMonitor } from '../../../test/support/monitor-rows.ts';
import type { IncidentType, Severity } from '../../model/condition.ts';
import type { IncidentOpening } from '../../model/incident.ts';
import type { Database } from '../database/contract.ts';
import { readCounts, readDays, type IncidentFilter } from './incident-counts.ts';
import { incidentChanges } from '../engine/incident-changes.ts';
import { deleteIncident, editIncident, insertManualIncident } from './incidents.ts';
import { monitorChanges } from './monitor-changes.ts';
import { lockStates } from '../engine/monitor-state.ts';
import { purgeMonitor } from '../engine/expiry.ts';
import { DAY_MS } from '../engine/results.ts';

const TEAMS = [1, 2];
const ALL: IncidentFilter = {
  monitorId: null,
  status: null,
  type: null,
  severity: null,
  startedFrom: null,
  startedBefore: null,
};

/** Around midnight, and before 1970. */
const instants = fc
  .tuple(fc.integer({ min: -2, max: 3 }), fc.integer({ min: -2, max: 2 }))
  .map(([day, step]) => day * DAY_MS + step);
const types = fc.constantFrom<IncidentType>('uptime', 'regional', 'ssl');
const severities = fc.constantFrom<Severity>('critical', 'warning');
const which = fc.nat({ max: 30 });
const openings = fc.array(fc.record({ which, type: types, severity: severities, at: instants }), {
  minLength: 1,
  maxLength: 12,
});

type Step =
  | {
      verb: 'open';
      openings: { which: number; type: IncidentType; severity: Severity; at: number }[];
    }
  | { verb: 'end'; ends: { which: number; type: IncidentType; at: number }[] }
  | { verb: 'record'; which: number; severity: Severity; at: number; isOpen: boolean }
  | { verb: 'resolve' | 'reopen' | 'touch' | 'delete' | 'bury' | 'purge'; which: number };

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ verb: fc.constant('open' as const), openings }) },
    {
      weight: 3,
      arbitrary: fc.record({
        verb: fc.constant('end' as const),
        ends: fc.array(fc.record({ which, type: types, at: instants }), { maxLength: 8 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        verb: fc.constant('record' as const),
        which,
        severity: severities,
        at: instants,
        isOpen: fc.boolean(),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        verb: fc.constantFrom('resolve', 'reopen', 'touch', 'delete'),
        which,
      }),
    },
    { weight: 1, arbitrary: fc.record({ verb: fc.constantFrom('bury', 'purge'), which }) },
  ),
  { minLength: 20, maxLength: 40 },
);

interface World {
  database: Database;
  monitors: { id: number; teamId: number; isBuried: boolean }[];
}

async function freshWorld(database: Database): Promise<World> {
  const monitors: World['monitors'] = [];
  for (let index = 0; index < 6; index += 1) {
    const teamId = TEAMS[index % TEAMS.length]!;
    const id = await createMonitor(database, 0, { team_id: teamId });
    monitors.push({ id, teamId, isBuried: false });
  }
  return { database, monitors };
}

const opening = (
  monitor: { id: number; teamId: number },
  { type, severity, at }: { type: IncidentType; severity: Severity; at: number },
) =>
  ({
    teamId: monitor.teamId,
    monitorId: monitor.id,
    type,
    severity,
    at,
    rootCause: null,
    failureCode: null,
    regions: null,
  }) as unknown as IncidentOpening;

async function take(world: World, step: Step): Promise<void> {
  const { database, monitors } = world;
  const monitorOf = (index: number) => monitors[index % monitors.length]!;
  const incidentOf = async (index: number) => {
    const rows = await database.read.selectFrom('incident').select('id').orderBy('id').execute();
    return rows[index % Math.max(1, rows.length)]?.id ?? 0;
  };
  if (step.verb === 'bury' || step.verb === 'purge') {
    const monitor = monitorOf(step.which);
    if (step.verb === 'purge' && monitor.isBuried) return purgeMonitor(database, monitor.id);
    monitor.isBuried = true;
    await database.transaction((tx) => monitorChanges(tx).markDeleted(monitor.id, 1, 1));
    return;
  }
  if (step.verb === 'open') {
    const unique = new Map(
      step.openings.map((one) => [`${monitorOf(one.which).id} ${one.type}`, one]),
    );
    const wanted = [...unique.values()].map((one) => opening(monitorOf(one.which), one));
    await database.transaction((tx) => incidentChanges(tx).insert(wanted, 1));
    return;
  }
  if (step.verb === 'end') {
    const ends = step.ends.map(({ which: index, type, at }) => ({
      monitorId: monitorOf(index).id,
      type,
      at,
    }));
    await database.transaction((tx) =>
      incidentChanges(tx).end(
        ends as unknown as Parameters<ReturnType<typeof incidentChanges>['end']>[0],
        1,
      ),
    );
    return;
  }
  if (step.verb === 'record') {
    const { id: monitorId, teamId } = monitorOf(step.which);
    const endedAt = step.isOpen ? null : step.at;
    const { severity, at: startedAt } = step;
    const place = { team_id: teamId, monitor_id: monitorId };
    const incident = { ...place, severity, started_at: startedAt, ended_at: endedAt };
    await database.transaction((tx) => insertManualIncident(tx, incident, 1));
    return;
  }
  const id = await incidentOf(step.which);
  const edits = {
    resolve: { ended_at: 9 },
    reopen: { ended_at: null },
    touch: { root_cause: 'x' },
  };
  const edit = step.verb === 'delete' ? null : edits[step.verb];
  // Another one of the kind may be open: then nothing of it may count.
  await database
    .transaction((tx) => (edit ? editIncident(tx, id, edit, 2) : deleteIncident(tx, id)))
    .catch(() => {});
}

/** What the counts should be, from the incidents themselves. */
async function counted({ database }: World, teamId: number, filter: IncidentFilter) {
  const rows = await database.read
    .selectFrom('incident')
    .leftJoin('monitor', 'monitor.id', 'incident.monitor_id')
    .where('incident.team_id', '=', teamId)
    .select(['incident.type', 'incident.severity', 'incident.started_at', 'incident.ended_at'])
    .select(['incident.monitor_id', 'monitor.id as known', 'monitor.deleted_at'])
    .execute();
  const inDays = rows.filter(
    (row) =>
      (filter.monitorId === null || row.monitor_id === filter.monitorId) &&
      (filter.startedFrom === null || row.started_at >= filter.startedFrom) &&
      (filter.startedBefore === null || row.started_at < filter.startedBefore),
  );
  const isShown = (row: (typeof rows)[number]) => row.known !== null && row.deleted_at === null;
  const shown = inDays.filter(isShown);
  const tally = <Key>(keyOf: (row: (typeof rows)[number]) => Key) =>
    [...Map.groupBy(shown, (row) => JSON.stringify(keyOf(row)))].map(([key, group]) => ({
      ...(JSON.parse(key) as Key),
      total: group.length,
      open: group.filter(({ ended_at }) => ended_at === null).length,
    }));
  return {
    kinds: tally(({ type, severity }) => ({ type, severity })),
    days: tally(({ started_at }) => ({ day: Math.floor(started_at / DAY_MS) })),
    hidden: filter.monitorId === null ? inDays.length - shown.length : 0,
  };
}

const sorted = <Value>(values: Value[]) =>
  values.map((value) => JSON.stringify(value, Object.keys(value as object).toSorted())).toSorted();

async function expectExact(world: World): Promise<void> {
  const monitorIds = [null, ...world.monitors.map(({ id }) => id)];
  for (const teamId of TEAMS) {
    for (const monitorId of monitorIds) {
      for (const [startedFrom, startedBefore] of [
        [null, null],
        [0, null],
        [-DAY_MS, 2 * DAY_MS],
      ] as const) {
        const filter = { ...ALL, monitorId, startedFrom, startedBefore };
        const { kinds, days, hidden } = await counted(world, teamId, filter);
        const kept = await readCounts(world.database, teamId, filter);
        expect(sorted(kept.kinds)).toEqual(sorted(kinds));
        expect(kept.hidden).toBe(hidden);
        const keptDays = await readDays(world.database, teamId, filter);
        expect(sorted(keptDays.filter(({ total }) => total > 0))).toEqual(sorted(days));
      }
    }
  }
}

eachDatabase((_engine, open) => {
  test('counts are those of the incidents, whatever happens to them', async () => {
    const database = await open();
    await fc.assert(
      fc.asyncProperty(steps, async (todo) => {
        const world = await freshWorld(database);
        for (const step of todo) await take(world, step as Step);
        await expectExact(world);
      }),
      { numRuns: 12 },
    );
  });

  test('what is rolled back is not counted', async () => {
    const world = await freshWorld(await open());
    const [monitor] = world.monitors;
    const failing = world.database.transaction(async (tx) => {
      await incidentChanges(tx).insert(
        [opening(monitor!, { type: 'uptime', severity: 'critical', at: 5 })],
        5,
      );
      throw new Error('later');
    });
    await expect(failing).rejects.toThrow('later');
    expect(await readCounts(world.database, 1, ALL)).toEqual({ kinds: [], hidden: 0 });
  });

  test('days without incidents leave no row behind', async () => {
    const world = await freshWorld(await open());
    const [monitor] = world.monitors;
    const incident = {
      team_id: 1,
      monitor_id: monitor!.id,
      severity: 'critical',
      started_at: 5,
    };
    // More changes than Postgres leaves to be added up later.
    for (let round = 0; round < 110; round += 1) {
      await world.database.transaction(async (tx) => {
        await deleteIncident(tx, await insertManualIncident(tx, incident, 5));
      });
    }
    const left = await world.database.read.selectFrom('incident_team_day').selectAll().execute();
    expect(left.length).toBeLessThan(100);
    expect(
      await world.database.read.selectFrom('incident_monitor_day').selectAll().execute(),
    ).toEqual([]);
  });
});

onPostgres((open) => {
  test('transactions that meet on teams and days neither block each other nor lose a count', async () => {
    const world = await freshWorld(await open());
    const { database, monitors } = world;
    const writer = async (seed: number) => {
      // One monitor of each team: a session that changes the incidents of a monitor holds its state.
      const own = [monitors[2 * seed]!, monitors[2 * seed + 1]!];
      for (let round = 0; round < 60; round += 1) {
        // Each transaction takes teams and days in another order.
        const places = own.flatMap(({ id, teamId }) =>
          [0, 1].map((day) => ({ monitor_id: id, team_id: teamId, started_at: day * DAY_MS })),
        );
        const ordered = (seed + round) % 2 === 0 ? places : places.toReversed();
        await database.transaction(async (tx) => {
          for (const place of ordered) {
            const id = await insertManualIncident(tx, { ...place, severity: 'critical' }, 1);
            if (round % 2 === 0) await editIncident(tx, id, { ended_at: DAY_MS * 4 }, 2);
          }
        });
      }
    };
    await Promise.all([0, 1, 2].map((seed) => writer(seed)));
    await expectExact(world);
    const { rows } = await sql<{ changes: number }>`
      select count(*) as changes from incident_team_day where is_sum = 0`.execute(database.read);
    expect(rows[0]!.changes).toBeLessThan(400);
  });

  test('an incident that opens while its monitor is deleted is counted on one side', async () => {
    const database = await open();
    for (let round = 0; round < 5; round += 1) {
      const world = await freshWorld(database);
      const work = world.monitors.flatMap((monitor) => [
        database.transaction(async (tx) => {
          await lockStates(tx, [monitor.id]);
          const one = { type: 'uptime', severity: 'critical', at: 5 } as const;
          await incidentChanges(tx).insert([opening(monitor, one)], 5);
        }),
        database.transaction((tx) => monitorChanges(tx).markDeleted(monitor.id, 1, 1)),
      ]);
      await Promise.all(work);
      await expectExact(world);
    }
  });
});
