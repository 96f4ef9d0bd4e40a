import { callOf } from '../../../test/support/call.ts';
import { describe, expect, test } from 'vitest';
import { settlingInTurn } from '../../../test/support/jobs.ts';
import { eachDatabase, onPostgres } from '../../../test/support/databases.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createMonitor } from '../../../test/support/monitor-rows.ts';
import { callerOf, settlePeople } from '../../../test/support/people.ts';
import { roundOf, settingsOf } from '../../../test/support/rounds.ts';
import { silentLog } from '../../lib/log.ts';
import { createSecretBox } from '../../lib/secret-box.ts';
import type { Database } from '../../store/database/contract.ts';
import { createRoundRecorder } from '../../engine/index.ts';
import { createIncidentService } from './incidents.ts';

const SECOND = 1_000;

/** A monitor of Alice's, recorded by rounds that the test writes, every ten seconds one. */
async function openDesk(database: Database) {
  const clock = createFakeClock();
  const { alice } = await settlePeople(database, clock.now());
  const caller = callerOf(alice);
  const fields = { team_id: alice.teamId };
  const id = await createMonitor(database, clock.now(), fields);
  const update = (tx: Parameters<Parameters<Database['transaction']>[0]>[0]) =>
    tx.updateTable('monitor_state').set(fields).where('monitor_id', '=', id).execute();
  await database.transaction(update);
  const recorder = createRoundRecorder({ database, clock, log: silentLog, gatherMs: 1 });
  const service = createIncidentService({
    database,
    clock,
    secretBox: createSecretBox(['a key for tests']),
    openSignup: false,
    baseUrl: () => 'https://up.example.com',
  });
  const origin = clock.now();
  const { revision } = await state();

  async function state() {
    const query = database.read.selectFrom('monitor_state').selectAll();
    return query.where('monitor_id', '=', id).executeTakeFirstOrThrow();
  }

  /** Judges rounds written as `'dddd uuuu'`; each begins ten seconds after the last, `meanwhile` with it. */
  async function look(
    rounds: string,
    settings = {},
    meanwhile: () => Promise<unknown> = async () => undefined,
  ) {
    for (const votes of rounds.split(' ')) {
      await clock.advance(10 * SECOND);
      const startedAt = clock.now();
      const ids = { monitorId: id, teamId: alice.teamId, revision };
      const recorded = recorder.submit(
        roundOf(votes, { ...ids, startedAt, settings: settingsOf(settings) }),
      );
      const done = meanwhile();
      await clock.advance(5);
      await done;
      // A person who holds the row makes the verdict wait for a moment.
      expect((await settlingInTurn(clock, recorded)).outcome).toBe('counted');
    }
  }

  const seconds = (at: number | null) => at && Math.floor((at - origin) / SECOND);
  const incidents = async () => {
    const query = database.read.selectFrom('incident').selectAll().where('monitor_id', '=', id);
    return (await query.orderBy('id').execute()).map((row) => ({
      id: row.id,
      type: row.type,
      from: seconds(row.started_at),
      to: seconds(row.ended_at),
    }));
  };
  const events = async () => {
    const rows = await database.read
      .selectFrom('event')
      .select(['incident_id', 'type', 'payload'])
      .orderBy('id')
      .execute();
    return rows.map(({ payload, ...row }) => ({ ...row, status: JSON.parse(payload).status }));
  };
  const spans = async () => {
    const query = database.read.selectFrom('status_span').select(['status', 'from_at', 'to_at']);
    const rows = await query.where('monitor_id', '=', id).orderBy('id').execute();
    return rows.map((row) => `${row.status} ${seconds(row.from_at)}-${seconds(row.to_at) ?? ''}`);
  };
  const log = async (incident: number) => {
    const { activities } = (await service.getIncident(callOf(caller, { id: incident }))) as {
      activities: { type: string; description: string; user: { name: string } | null }[];
    };
    return activities.map((one) => [one.type, one.description, one.user?.name ?? null]);
  };
  const status = async () => (await state()).status;
  return {
    id,
    caller,
    clock,
    recorder,
    service,
    look,
    incidents,
    events,
    spans,
    log,
    status,
    state,
  };
}

eachDatabase((_name, open) => {
  describe('resolving an outage by hand', () => {
    test('while the target still fails: the status stays, and it opens anew at the threshold [19.4, 21.31, 21.32, 21.39, 28.9]', async () => {
      const desk = await openDesk(await open());
      await desk.look('uuuu dddd dddd');
      const [outage] = await desk.incidents();
      expect(outage).toMatchObject({ type: 'uptime', from: 20, to: null });
      await desk.service.resolveIncident(callOf(desk.caller, { id: outage!.id }));
      expect(await desk.status()).toBe('offline');
      expect(await desk.incidents()).toMatchObject([{ to: 30 }]);
      expect((await desk.events()).map(({ type }) => type)).toEqual(['monitor.down']);

      await desk.look('dddd');
      expect([await desk.status(), (await desk.incidents()).length]).toEqual(['offline', 1]);
      await desk.look('dddd');
      const [, anew] = await desk.incidents();
      expect(anew).toMatchObject({ type: 'uptime', from: 40, to: null });
      const offline = { previous: 'offline', current: 'offline' };
      expect((await desk.events()).at(-1)).toMatchObject({
        type: 'monitor.down',
        incident_id: anew!.id,
        status: offline,
      });

      await desk.look('uuuu');
      expect(await desk.incidents()).toMatchObject([{ to: 30 }, { to: 60 }]);
      expect(await desk.spans()).toEqual(['online 10-20', 'offline 20-60', 'online 60-']);
      expect((await desk.events()).map(({ type }) => type)).toEqual([
        'monitor.down',
        'monitor.down',
        'monitor.up',
        'monitor.up',
      ]);
      const ended = (await desk.events()).slice(2).map((event) => event.incident_id);
      expect(ended).toEqual([outage!.id, anew!.id]);
      expect(await desk.log(outage!.id)).toEqual([
        ['opened', 'Connection refused by 10.0.0.1 port 80.', null],
        ['resolved', 'Alice resolved the incident.', 'Alice'],
      ]);
    });

    test('when it recovers, nothing opens anew and the record stays as the person left it [19.4, 21.33, 28.8]', async () => {
      const desk = await openDesk(await open());
      await desk.look('uuuu dddd dddd');
      const [outage] = await desk.incidents();
      await desk.service.resolveIncident(callOf(desk.caller, { id: outage!.id }));
      await desk.look('dddd uuuu uuuu');
      expect(await desk.incidents()).toMatchObject([{ id: outage!.id, to: 30 }]);
      expect(await desk.spans()).toEqual(['online 10-20', 'offline 20-50', 'online 50-']);
      expect(await desk.events()).toMatchObject([
        { type: 'monitor.down', incident_id: outage!.id },
        { type: 'monitor.up', incident_id: outage!.id, status: { current: 'online' } },
      ]);
      expect((await desk.state()).tracks).toBe('{}');
      await desk.look('dddd dddd');
      expect(await desk.incidents()).toMatchObject([{ to: 30 }, { from: 70, to: null }]);
    });

    test('opened again, it is the record of the outage as before, and has one end [21.34]', async () => {
      const desk = await openDesk(await open());
      await desk.look('uuuu dddd dddd');
      const [outage] = await desk.incidents();
      await desk.service.resolveIncident(callOf(desk.caller, { id: outage!.id }));
      await desk.look('dddd');
      await desk.service.updateIncident(
        callOf(desk.caller, { id: outage!.id, body: { status: 'open' } }),
      );
      await desk.look('dddd dddd uuuu');
      expect(await desk.incidents()).toMatchObject([{ id: outage!.id, from: 20, to: 70 }]);
      expect((await desk.log(outage!.id)).map(([type]) => type)).toEqual([
        'opened',
        'resolved',
        'reopened',
        'resolved',
      ]);
      expect((await desk.events()).map(({ type }) => type)).toEqual(['monitor.down', 'monitor.up']);
    });
  });

  test('one that was opened again by hand stands for the next outage, which is told all the same [21.35]', async () => {
    const desk = await openDesk(await open());
    await desk.look('uuuu dddd dddd uuuu');
    const [outage] = await desk.incidents();
    await desk.service.updateIncident(
      callOf(desk.caller, { id: outage!.id, body: { status: 'open', root_cause: 'A cable' } }),
    );
    expect(await desk.status()).toBe('online');
    await desk.look('uuuu dddd dddd');
    expect(await desk.status()).toBe('offline');
    expect(await desk.incidents()).toMatchObject([{ id: outage!.id, from: 20, to: null }]);
    expect((await desk.events()).map(({ type, status }) => [type, status.root_cause])).toEqual([
      ['monitor.down', 'Connection refused by 10.0.0.1 port 80'],
      ['monitor.up', 'Connection refused by 10.0.0.1 port 80'],
      ['monitor.down', 'Connection refused by 10.0.0.1 port 80'],
    ]);
    expect(await desk.service.getIncident(callOf(desk.caller, { id: outage!.id }))).toMatchObject({
      root_cause: 'A cable',
    });
    await desk.look('uuuu');
    expect(await desk.incidents()).toMatchObject([{ id: outage!.id, to: 80 }]);
  });

  test('deleting an open one: it and all of it are gone, and it opens anew at the threshold [21.31]', async () => {
    const database = await open();
    const desk = await openDesk(database);
    await desk.look('uuuu dddd dddd');
    const [outage] = await desk.incidents();
    await desk.service.deleteIncident(callOf(desk.caller, { id: outage!.id }));
    expect(await desk.incidents()).toEqual([]);
    for (const table of ['activity', 'incident_evidence'] as const) {
      const rows = database.read.selectFrom(table).select('incident_id');
      expect(await rows.execute(), table).toEqual([]);
    }
    expect(await desk.status()).toBe('offline');
    await expect(
      desk.service.getIncident(callOf(desk.caller, { id: outage!.id })),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
    await desk.look('dddd dddd');
    expect(await desk.incidents()).toMatchObject([{ type: 'uptime', from: 40, to: null }]);
    expect((await desk.incidents())[0]!.id).not.toBe(outage!.id);
  });

  test('deleting a resolved one leaves the open one alone', async () => {
    const desk = await openDesk(await open());
    await desk.look('uuuu dddd dddd uuuu dddd dddd');
    const [first, second] = await desk.incidents();
    await desk.service.deleteIncident(callOf(desk.caller, { id: first!.id }));
    await desk.look('dddd dddd');
    expect(await desk.incidents()).toEqual([second]);
  });

  test('each condition is closed by itself', async () => {
    const desk = await openDesk(await open());
    const slow = { slowResponseThresholdMs: 10 };
    await desk.look('uuuu uuuu uuud uuud', slow);
    const [slowness, regional] = await desk.incidents();
    expect([slowness!.type, regional!.type]).toEqual(['slow_response', 'regional']);
    await desk.service.resolveIncident(callOf(desk.caller, { id: regional!.id }));
    expect(JSON.parse((await desk.state()).tracks)).toMatchObject({
      reachability: { open: 'regional', incidentClosed: true },
      slow_response: { open: 'slow_response' },
    });
    await desk.look('uuud uuud', slow);
    expect((await desk.incidents()).map(({ type, to }) => [type, to])).toEqual([
      ['slow_response', null],
      ['regional', 40],
      ['regional', null],
    ]);
  });

  test('an outage that was closed while it was regional is told as an outage [21.43]', async () => {
    const desk = await openDesk(await open());
    await desk.look('uuuu uuud uuud');
    const [regional] = await desk.incidents();
    await desk.service.resolveIncident(callOf(desk.caller, { id: regional!.id }));
    await desk.look('dddd dddd');
    expect(await desk.incidents()).toMatchObject([
      { id: regional!.id, to: 30 },
      { type: 'uptime', from: 40, to: null },
    ]);
    expect(await desk.spans()).toEqual(['online 10-20', 'degraded 20-40', 'offline 40-']);
  });
});

onPostgres((openFresh) => {
  test('a verdict and a person at the same moment: one of them comes first [21.41]', async () => {
    const desk = await openDesk(await openFresh());
    await desk.look('uuuu dddd dddd');
    for (const votes of 'dddd dddd dddd uuuu uuuu '.repeat(5).trim().split(' ')) {
      const open = (await desk.incidents()).find(({ to }) => to === null);
      const resolve = async () =>
        open && desk.service.resolveIncident(callOf(desk.caller, { id: open.id }));
      await desk.look(votes, {}, resolve);
      const { reachability } = JSON.parse((await desk.state()).tracks);
      expect(await desk.status()).toBe(reachability?.open ? 'offline' : 'online');
      const left = (await desk.incidents()).filter(({ to }) => to === null);
      const isDue = Boolean(reachability?.open) && !reachability.incidentClosed;
      expect(left).toHaveLength(isDue ? 1 : 0);
    }
  });

  test('two of a kind are reopened at the same moment: one is, the other is a conflict', async () => {
    const desk = await openDesk(await openFresh());
    await desk.look('uuuu dddd dddd uuuu dddd dddd uuuu');
    const ids = (await desk.incidents()).map(({ id }) => id);
    expect(ids).toHaveLength(2);
    const attempts = ids.map((id) =>
      desk.service.updateIncident(callOf(desk.caller, { id, body: { status: 'open' } })),
    );
    const settled = await Promise.allSettled(attempts);
    const refused = settled.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'conflict' } }]);
    expect((await desk.incidents()).filter(({ to }) => to === null)).toHaveLength(1);
  });
});
