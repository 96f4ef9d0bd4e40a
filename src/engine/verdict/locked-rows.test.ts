import { expect, test } from 'vitest';
import { onPostgres } from '../../../test/support/databases.ts';
import { openImpatient, type ImpatientDatabase } from '../../../test/support/locked-rows.ts';
import { createMonitor } from '../../../test/support/monitor-rows.ts';
import { roundOf } from '../../../test/support/rounds.ts';
import { systemClock } from '../../lib/clock.ts';
import { silentLog } from '../../lib/log.ts';
import { createRoundRecorder } from '../index.ts';
import { closedAfterEach } from '../../../test/support/closing.ts';

const START = Date.UTC(2030, 0, 1);
const MONITORS = 24;

const closing = closedAfterEach<() => Promise<void>>();

/** A judge, and a first round of each monitor to be submitted. */
async function open() {
  const impatient: ImpatientDatabase = await openImpatient();
  const { database } = impatient;
  closing.push(impatient.close);
  const judge = createRoundRecorder({ database, clock: systemClock, log: silentLog, gatherMs: 1 });
  closing.push(() => judge.close());
  const ids: number[] = [];
  for (let count = 0; count < MONITORS; count++) ids.push(await createMonitor(database, START));
  const states = await database.read
    .selectFrom('monitor_state')
    .select(['monitor_id', 'revision'])
    .execute();
  const revisions = new Map(states.map((row) => [row.monitor_id, row.revision]));
  const submit = async (monitorId: number, turn = 0) => {
    const startedAt = START + turn * 30_000;
    const revision = revisions.get(monitorId)!;
    const round = roundOf('dddd', { monitorId, revision, startedAt, slot: startedAt });
    return (await judge.submit(round)).outcome;
  };
  return { ...impatient, judge, ids, submit };
}

onPostgres(() => {
  test('a monitor whose row another session holds holds up no other, and is judged when it is free [40.8]', async () => {
    const { hold, ids, judge, submit } = await open();
    const held = ids[7]!;
    const others = ids.filter((id) => id !== held);
    const release = await hold(held);
    const waiting = submit(held);
    for (let turn = 0; turn < 5; turn++) {
      const outcomes = await Promise.all(others.map((id) => submit(id, turn)));
      expect(new Set(outcomes)).toEqual(new Set(['counted']));
    }
    expect(judge.waiting()).toBe(1);
    await release();
    expect(await waiting).toBe('counted');
    expect(judge.counters.rounds_dropped).toBe(0);
  });

  test('a monitor whose statement takes too long holds up no other', async () => {
    const { slowDown, speedUp, ids, judge, submit } = await open();
    const slow = ids[3]!;
    const others = ids.filter((id) => id !== slow);
    await slowDown(5, slow);
    const waiting = submit(slow);
    for (let turn = 0; turn < 3; turn++) {
      const outcomes = await Promise.all(others.map((id) => submit(id, turn)));
      expect(new Set(outcomes)).toEqual(new Set(['counted']));
    }
    expect(judge.waiting()).toBe(1);
    await speedUp();
    expect(await waiting).toBe('counted');
    expect(judge.counters.rounds_dropped).toBe(0);
  });
});
