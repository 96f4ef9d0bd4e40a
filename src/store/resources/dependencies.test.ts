import { expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createMonitor } from '../../../test/support/monitor-rows.ts';
import type { Database } from '../database/contract.ts';
import { dependenciesAbove, parentsOf, dependencyChanges } from './dependencies.ts';
import { insertRows, updateRows } from '../../../test/support/rows.ts';

const NOW = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;

async function link(database: Database, ...pairs: [child: number, parents: number[]][]) {
  await database.transaction(async (tx) => {
    for (const [child, parents] of pairs) await dependencyChanges(tx).set(1, child, parents);
  });
}

async function monitors(database: Database, count: number): Promise<number[]> {
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1)
    ids.push(await createMonitor(database, NOW, { friendly_name: `m${index}` }));
  return ids;
}

function addIncident(
  database: Database,
  monitorId: number,
  fields: { type?: string; severity?: string; started_at: number; ended_at: number | null },
) {
  return insertRows(database, 'incident', {
    type: 'uptime',
    severity: 'critical',
    ...fields,
    team_id: 1,
    monitor_id: monitorId,
    root_cause: null,
    is_regional: 0,
    created_at: NOW,
    updated_at: NOW,
  });
}

eachDatabase((_name, open) => {
  test('parents are all that a monitor depends on, through however many others, each once', async () => {
    const database = await open();
    const [a, b, c, d, e] = (await monitors(database, 5)) as [
      number,
      number,
      number,
      number,
      number,
    ];
    await link(database, [b, [a]], [c, [b]], [d, [c, a]]);
    const parents = await parentsOf(database.read, [a, b, d, e], NOW);
    const ids = (id: number) => parents.get(id)?.map(({ monitorId }) => monitorId);
    expect([ids(a), ids(b), ids(d), ids(e)]).toEqual([undefined, [a], [c, a, b], undefined]);
    // Nobody can make one; were there a circle, it would end.
    await link(database, [a, [d]]);
    expect((await parentsOf(database.read, [d], NOW)).get(d)).toHaveLength(3);
    expect(await dependenciesAbove(database.read, [d])).toHaveLength(5);
  });

  test('what is known of a parent', async () => {
    const database = await open();
    const [parent, child] = (await monitors(database, 2)) as [number, number];
    await link(database, [child, [parent]]);
    const known = async () => (await parentsOf(database.read, [child], NOW)).get(child)![0]!;
    const well = {
      monitorId: parent,
      name: 'm0',
      status: 'pending',
      isPaused: false,
      isSuspected: false,
      lastCheckedAt: null,
      downSince: null,
      recoveredAt: null,
    };
    expect(await known()).toEqual(well);
    const state = (change: object) =>
      updateRows(database, 'monitor_state', change, { monitor_id: parent });
    const confirmation = { open: null, badRun: 1, candidateRun: 1, goodRun: 0, rechecks: 1 };
    await state({
      status: 'online',
      last_checked_at: NOW,
      tracks: JSON.stringify({ reachability: confirmation }),
    });
    expect(await known()).toEqual({
      ...well,
      status: 'online',
      lastCheckedAt: NOW,
      isSuspected: true,
    });
    await state({ tracks: JSON.stringify({ slow_response: confirmation }) });
    expect((await known()).isSuspected).toBe(false);
    await state({
      tracks: JSON.stringify({ reachability: { ...confirmation, open: 'regional' } }),
    });
    expect((await known()).isSuspected).toBe(true);
    await state({ tracks: JSON.stringify({ reachability: { ...confirmation, open: 'uptime' } }) });
    expect((await known()).isSuspected).toBe(false);

    const newest = { responseTimeMs: null, statusCode: null, checkedAt: NOW, isManual: true };
    await state({ newest: JSON.stringify({ ash: { ...newest, failure: 'http_status' } }) });
    expect((await known()).isSuspected).toBe(true);
    await state({ newest: JSON.stringify({ ash: { ...newest, failure: null } }) });
    expect((await known()).isSuspected).toBe(false);

    await addIncident(database, parent, {
      type: 'manual',
      started_at: NOW - 9 * MINUTE,
      ended_at: null,
    });
    await addIncident(database, parent, {
      type: 'error_budget',
      started_at: NOW - 9 * MINUTE,
      ended_at: null,
    });
    await addIncident(database, parent, {
      type: 'slow_response',
      severity: 'warning',
      started_at: NOW - 8 * MINUTE,
      ended_at: null,
    });
    await addIncident(database, parent, {
      started_at: NOW - 60 * MINUTE,
      ended_at: NOW - 10 * MINUTE,
    });
    expect(await known()).toMatchObject({ downSince: null, recoveredAt: null });
    await addIncident(database, parent, {
      started_at: NOW - 60 * MINUTE,
      ended_at: NOW - 9 * MINUTE,
    });
    await addIncident(database, parent, { started_at: NOW - MINUTE, ended_at: null });
    await addIncident(database, parent, {
      type: 'ssl',
      started_at: NOW - 2 * MINUTE,
      ended_at: null,
    });
    expect(await known()).toMatchObject({
      downSince: NOW - 2 * MINUTE,
      recoveredAt: NOW - 9 * MINUTE,
    });
  });
});
