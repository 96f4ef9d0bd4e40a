import { describe, expect, test } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import {
  ACCEPTED,
  LATE,
  messages,
  openProcess,
  openWorld,
  pass,
  PING,
  REFUSED,
  sendAll,
  statusOf,
  WEBHOOK,
  WELL,
} from '../../../test/support/health-processes.ts';
import { updateRows } from '../../../test/support/rows.ts';
import { wrapDatabase } from '../../../test/support/wrapped-database.ts';
import { destinationStore } from '../../store/alerting/destinations.ts';
import type { Database } from '../../store/database/contract.ts';
import { openDatabase } from '../../store/database/database.ts';
import { DatabaseUnavailable } from '../../store/database/errors.ts';
import { installationHealth } from '../../store/engine/installation-health.ts';

const SECOND = 1_000;

/** A message that no process sends. */
const waitToBeSent = (database: Database, now: number) =>
  database.transaction((tx) =>
    destinationStore(tx).insert({ kind: 'channel', teamId: null, nextAt: now, now }),
  );

eachDatabase((_name, open) => {
  test('the operators get one message when a problem begins and one when it ends [39.66]', async () => {
    const { database, clock } = await openWorld(open);
    const one = openProcess(database, 'a', clock);
    one.sees = LATE;
    await pass(clock, 60, one);
    expect(await messages(database)).toEqual([]);
    await pass(clock, 60, one);
    expect(await messages(database)).toEqual([
      'Rounds start up to 45 s late in the process a:3000',
    ]);
    expect(one.health.problems()).toMatchObject([{ kind: 'rounds_late', value: 45 }]);
    one.sees = WELL;
    await pass(clock, 60, one);
    expect(one.health.problems()).toHaveLength(1);
    await pass(clock, 5, one);
    await sendAll(database);
    await pass(clock, 300, one);
    expect((await messages(database)).slice(1)).toEqual(['Rounds start on time again']);
    expect(one.health.problems()).toEqual([]);
    expect(await installationHealth(database.read).problems()).toEqual([]);
    expect(one.lines.filter((line) => line.startsWith('A problem'))).toEqual([
      'A problem of the installation began.',
      'A problem of the installation ended.',
    ]);
  });

  test('messages that wait are a problem, wherever they wait [39.66]', async () => {
    const { database, clock } = await openWorld(open);
    const one = openProcess(database, 'a', clock);
    await one.health.run();
    await waitToBeSent(database, clock.now());
    await pass(clock, 295, one);
    expect(one.health.summary()).toMatchObject({
      deliveriesWaiting: 1,
      oldestDeliverySeconds: 295,
    });
    expect(one.health.problems()).toEqual([]);
    await pass(clock, 5, one);
    expect(one.health.problems()).toMatchObject([{ kind: 'deliveries_waiting', value: 300 }]);
    // One that a process sends from does not wait.
    await updateRows(database, 'destination', { leased_until: clock.now() + 3_600 * SECOND });
    await updateRows(database, 'delivery', { status: 'delivered' });
    await pass(clock, 65, one);
    expect(one.health.problems()).toEqual([]);
  });

  test('what was due while Tocsin was stopped is no problem of the start; a worker that sends nothing is [39.68]', async () => {
    const { database, clock } = await openWorld(open);
    const stopped = openProcess(database, 'a', clock);
    await pass(clock, 10, stopped);
    await waitToBeSent(database, clock.now());
    await stopped.health.stop();
    await clock.advance(720 * SECOND);
    const called = { operatorWebhook: WEBHOOK };
    const started = openProcess(database, 'b', clock, called);
    await updateRows(database, 'shard', { owner: 'b' });
    await started.health.run();
    await clock.advance(2 * SECOND);
    await sendAll(database);
    await pass(clock, 120, started);
    expect(started.health.problems()).toEqual([]);
    expect(started.take(PING).map(statusOf)).toEqual(['healthy', 'healthy', 'healthy']);
    expect(started.take(WEBHOOK)).toEqual([]);

    await waitToBeSent(database, clock.now());
    await pass(clock, 295, started);
    expect(started.health.problems()).toEqual([]);
    await pass(clock, 5, started);
    expect(started.health.problems()).toMatchObject([{ kind: 'deliveries_waiting', value: 300 }]);
    expect(started.take(WEBHOOK)).toHaveLength(1);
    // A restart is no end of it.
    await started.health.stop();
    await clock.advance(60 * SECOND);
    const last = openProcess(database, 'c', clock, called);
    await updateRows(database, 'shard', { owner: 'c' });
    await pass(clock, 300, last);
    expect(last.health.problems()).toMatchObject([{ kind: 'deliveries_waiting' }]);
    expect(last.take(WEBHOOK)).toEqual([]);
    expect(await messages(database)).toHaveLength(1);
  });

  describe('the watchdog ping', () => {
    test('is sent each interval while the installation works, and fails at once when it does not [39.65]', async () => {
      const { database, clock } = await openWorld(open);
      const one = openProcess(database, 'a', clock);
      await pass(clock, 5, one);
      const [first] = one.take(PING);
      expect(first).toMatchObject({ url: PING, method: 'POST' });
      expect(JSON.parse(String(first!.body))).toEqual({
        status: 'healthy',
        reasons: [],
        installation: 'https://up.example.com',
        version: '0.0.0',
        problems: [],
        schedule_lag_ms: 0,
        checks_due: 40,
        checks_late: 0,
        deliveries_waiting: 0,
        oldest_delivery_seconds: 0,
        regions_without_probe: [],
        shards_unowned: 0,
        processes: 1,
        free_bytes: 10_000_000_000,
      });
      await pass(clock, 180, one);
      expect(one.take(PING).map(statusOf)).toEqual(['healthy', 'healthy', 'healthy']);

      one.sees = { ...WELL, probes: { ash: 0 } };
      await pass(clock, 60, one);
      expect(one.take(PING).map(statusOf)).toEqual(['healthy']);
      await pass(clock, 5, one);
      const [failing] = one.take(PING);
      expect(failing!.url).toBe(`${PING}/fail`);
      expect(JSON.parse(String(failing!.body))).toMatchObject({
        status: 'failing',
        reasons: ['The region ash has no live probe for the process a:3000'],
        problems: [{ kind: 'region_without_probe', subject: 'ash' }],
        regions_without_probe: ['ash'],
      });
      await pass(clock, 120, one);
      expect(one.take(PING).map(statusOf)).toEqual(['failing', 'failing']);

      one.sees = WELL;
      await pass(clock, 60, one);
      expect(one.take(PING).map(statusOf)).toEqual(['failing']);
      await pass(clock, 5, one);
      expect(one.take(PING).map((call) => [call.url, statusOf(call)])).toEqual([[PING, 'healthy']]);
      expect(one.health.pings).toEqual({ healthy: 6, failing: 4, unanswered: 0 });
    });

    test('is repeated after ten seconds when it was not accepted; nothing is said of its URL', async () => {
      const { database, clock } = await openWorld(open);
      const one = openProcess(database, 'a', clock);
      one.answer = () => REFUSED;
      await pass(clock, 5, one);
      await pass(clock, 30, one);
      expect(one.take(PING)).toHaveLength(4);
      one.answer = () => ACCEPTED;
      await pass(clock, 60, one);
      expect(one.take(PING)).toHaveLength(1);
      expect(one.health.pings).toEqual({ healthy: 1, failing: 0, unanswered: 4 });
      expect(one.lines).toEqual([
        'The watchdog ping was not accepted.',
        'The watchdog ping is accepted again.',
      ]);
    });
  });

  test('the operator webhook is told once of the begin and once of the end, past the outbox [39.67]', async () => {
    const { database, clock } = await openWorld(open);
    const one = openProcess(database, 'a', clock, { operatorWebhook: WEBHOOK, watchdog: null });
    one.sees = LATE;
    one.answer = () => REFUSED;
    await pass(clock, 65, one);
    const refused = one.take(WEBHOOK);
    expect(refused).toHaveLength(1);
    one.answer = () => ACCEPTED;
    await pass(clock, 120, one);
    const told = one.take(WEBHOOK);
    expect(told).toHaveLength(1);
    const id = told[0]!.headers['webhook-id'];
    expect(id).toMatch(/^msg_rounds_late_\d+_opened$/);
    expect(refused[0]!.headers['webhook-id']).toBe(id);
    expect(JSON.parse(String(told[0]!.body))).toMatchObject({
      type: 'installation.problem_opened',
      installation: 'https://up.example.com',
      severity: 'critical',
      text: expect.stringMatching(
        /^Rounds start up to 45 s late in the process a:3000\. Observed since/,
      ),
      problem: { kind: 'rounds_late', subject: '', value: 45, processes: ['a:3000'] },
    });

    await sendAll(database);
    one.sees = WELL;
    await pass(clock, 180, one);
    const ended = one.take(WEBHOOK);
    expect(ended).toHaveLength(1);
    expect(ended[0]!.headers['webhook-id']).toBe(String(id).replace('opened', 'ended'));
    expect(JSON.parse(String(ended[0]!.body))).toMatchObject({
      type: 'installation.problem_ended',
      text: 'Rounds start on time again.',
    });
    expect(await installationHealth(database.read).problems()).toEqual([]);
  });

  test('a process that ends takes its report along', async () => {
    const { database, clock } = await openWorld(open);
    const one = openProcess(database, 'a', clock);
    await one.health.run();
    expect(await installationHealth(database.read).reports()).toMatchObject([
      { id: 'a', name: 'a:3000', startedAt: clock.now(), seenAt: clock.now(), ...WELL },
    ]);
    await one.health.stop();
    expect(await installationHealth(database.read).reports()).toEqual([]);
  });
});

test('a process alone on its database says that it can store nothing [39.65]', async () => {
  const real = await openDatabase({ engine: 'sqlite', directory: ':memory:' });
  let isFull = false;
  const database = wrapDatabase(real, {
    transaction(work) {
      if (isFull) return Promise.reject(new DatabaseUnavailable('the disk is full'));
      return real.transaction(work);
    },
  });
  const clock = createFakeClock();
  const one = openProcess(database, 'a', clock);
  await one.health.run();
  one.take(PING);
  isFull = true;
  const fail = async () => {
    await clock.advance(5 * SECOND);
    await expect(one.health.run()).rejects.toThrow(DatabaseUnavailable);
  };
  for (let count = 0; count < 5; count += 1) await fail();
  expect(one.take(PING)).toEqual([]);
  await fail();
  const [failing] = one.take(PING);
  expect(failing!.url).toBe(`${PING}/fail`);
  expect(String(failing!.body)).toContain('The database has stored nothing for half a minute');
  isFull = false;
  await pass(clock, 5, one);
  expect(one.take(PING).map(statusOf)).toEqual(['healthy']);
  await one.health.stop();
  await real.close();
});
