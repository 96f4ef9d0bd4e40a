import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openApi, type TestApi } from '../../test/support/api.ts';
import { closedAfterEach } from '../../test/support/closing.ts';
import { eachDatabase, freshPostgres, onPostgres } from '../../test/support/databases.ts';
import { parseEvents, type ReceivedEvent } from '../../test/support/event-streams.ts';
import { createFakeClock, type FakeClock } from '../../test/support/fake-clock.ts';
import { storePings } from '../../test/support/pings.ts';
import { storeRounds } from '../../test/support/history.ts';
import { roundOf } from '../../test/support/rounds.ts';
import { silentLog } from '../lib/log.ts';
import type { Database } from '../store/database/contract.ts';
import { openDatabase } from '../store/database/database.ts';
import { RECENT_LIMIT } from '../store/engine/recent-rounds.ts';
import type { RecordedRound } from '../store/engine/round-codec.ts';
import { changeSpans } from '../store/engine/spans.ts';
import { NOUNS } from '../resources/nouns.ts';
import type { EventName } from './events.ts';
import { createLiveFeed, type LiveFeed, type StreamRequest } from './feed.ts';

const HEARTBEAT = {
  monitor_type: 'heartbeat',
  friendly_name: 'Backup',
  heartbeat_interval: 300,
  url: undefined,
  check_interval: undefined,
};

const cleanups = closedAfterEach<() => Promise<void>>();

/** A client of a feed, with what it received so far. */
interface Client {
  text: string;
  readonly events: ReceivedEvent[];
  readonly lastId: string;
  close(): void;
  keepAlive(): void;
  /** Reads the log, and returns the events that came since the last call. */
  next(): Promise<ReceivedEvent[]>;
}

interface World {
  database: Database;
  clock: FakeClock;
  feed: LiveFeed;
  connect(request?: Partial<StreamRequest>): Promise<Client>;
}

async function worldOf(database: Database, teamId: number): Promise<World> {
  const clock = createFakeClock();
  const feed = createLiveFeed({ database, clock, log: silentLog });
  cleanups.push(() => feed.stop());
  return {
    database,
    clock,
    feed,
    async connect(request = {}) {
      const stream = await feed.open({
        teamId,
        audience: 'owner',
        hides: () => false,
        monitors: [],
        lastEventId: null,
        ...request,
      });
      let seen = 0;
      const client: Client = {
        text: '',
        get events() {
          return parseEvents(client.text).events;
        },
        get lastId() {
          return parseEvents(client.text).lastId;
        },
        close: () => stream.close(),
        keepAlive: () => feed.keepAlive(stream),
        async next() {
          // A stream opens after a read of the log that begins then.
          (
            await feed.open({
              teamId: 0,
              audience: '',
              hides: () => true,
              monitors: [],
              lastEventId: null,
            })
          ).close();
          const { events } = client;
          for (const { event, data } of events) NOUNS.events.data[event as EventName].parse(data);
          return events.slice(seen, (seen = events.length));
        },
      };
      stream.connect((text) => (client.text += text));
      return client;
    },
  };
}

const shown = (events: readonly ReceivedEvent[]) =>
  events.map(({ event, data }) => ({ event, ...data }));

/** Ids of the monitors that events name. */
const monitorsOf = (events: readonly ReceivedEvent[]) =>
  events.map(({ data }) => data['monitor_id']);
const changedIn = (events: readonly ReceivedEvent[]) =>
  monitorsOf(events.filter(({ event }) => event === 'status'));

async function settled(open: () => Promise<Database>): Promise<{ api: TestApi; world: World }> {
  const api = await openApi(await open());
  return { api, world: await worldOf(api.database, api.alice.teamId) };
}

/** Ends the current span of a monitor and begins another one. */
function changeStatus(
  { database }: Pick<World, 'database'>,
  teamId: number,
  monitorId: number,
  status: 'online' | 'offline',
  at: number,
): Promise<void> {
  return database.transaction(async (tx) => {
    await tx
      .updateTable('monitor_state')
      .set({ status })
      .where('monitor_id', '=', monitorId)
      .execute();
    await changeSpans(tx, [{ monitorId, teamId, status, at }]);
  });
}

eachDatabase((_name, open) => {
  test('reports a changed status, several changes at once as one event [52.2] [52.8]', async () => {
    const { api, world } = await settled(open);
    const { id } = await api.create();
    const client = await world.connect();
    expect(shown(await client.next())).toMatchObject([{ event: 'hello', resumed: false }]);
    const at = world.clock.now();
    await changeStatus(world, api.alice.teamId, id, 'online', at - 2_000);
    await changeStatus(world, api.alice.teamId, id, 'offline', at - 1_000);
    expect(shown(await client.next())).toEqual([
      {
        event: 'status',
        monitor_id: id,
        status: 'offline',
        is_paused: false,
        in_maintenance: false,
        since: new Date(at - 1_000).toISOString(),
        cause: null,
      },
    ]);
    await api.call(api.alice, 'POST', `/api/v1/monitors/${id}/pause`);
    expect(shown(await client.next())).toMatchObject(
      [
        { event: 'monitor', id, change: 'updated' },
        { event: 'status', monitor_id: id, is_paused: true },
      ].toSorted((one, other) => one.event.localeCompare(other.event)),
    );
  });

  test('reports maintenance for the monitors of a window [52.2]', async () => {
    const { api, world } = await settled(open);
    const { id } = await api.create();
    const other = await api.create({ url: 'https://example.org' });
    const client = await world.connect();
    await client.next();
    const started = await api.call(api.alice, 'POST', '/api/v1/maintenance-windows/start', {
      monitors: [id],
    });
    expect(started.status).toBe(201);
    await world.clock.advance(1_000);
    const began = shown(await client.next());
    expect(began).toContainEqual({ event: 'settings', what: 'maintenance-windows' });
    const status = began.filter(({ event }) => event === 'status');
    expect(status).toMatchObject([{ monitor_id: id, in_maintenance: true }]);
    await api.call(api.alice, 'POST', `/api/v1/maintenance-windows/${started.body.id}/end`);
    await world.clock.advance(1_000);
    const ended = shown(await client.next()).filter(({ event }) => event === 'status');
    expect(ended).toMatchObject([{ monitor_id: id, in_maintenance: false }]);
    expect(other.id).not.toBe(id);
  });

  test('reports what happens to an incident [52.3]', async () => {
    const { api, world } = await settled(open);
    const { id: monitor } = await api.create();
    const client = await world.connect();
    await client.next();
    const { body: incident } = await api.call(api.alice, 'POST', '/api/v1/incidents', {
      monitor_id: monitor,
      started_at: new Date(api.clock.now()).toISOString(),
      status: 'open',
    });
    const path = `/api/v1/incidents/${incident.id}`;
    const states: unknown[] = [];
    const note = async () =>
      states.push(
        ...(await client.next())
          .filter(({ event }) => event === 'incident')
          .map(({ data }) => data['state']),
      );
    await note();
    await api.call(api.alice, 'POST', `${path}/acknowledge`);
    await note();
    await api.call(api.alice, 'PUT', path, { root_cause: 'A cable' });
    await note();
    await api.call(api.alice, 'POST', `${path}/resolve`);
    await note();
    await api.call(api.alice, 'DELETE', path);
    await note();
    expect(states).toEqual(['opened', 'acknowledged', 'updated', 'resolved', 'deleted']);
  });

  test('reports changed settings, and monitors that come and go [52.4]', async () => {
    const { api, world } = await settled(open);
    const client = await world.connect();
    await client.next();
    const { id } = await api.create();
    expect(shown(await client.next())).toMatchObject([
      { event: 'monitor', id, change: 'created' },
      { event: 'status', monitor_id: id, status: 'pending' },
    ]);
    await api.call(api.alice, 'POST', '/api/v1/groups', { name: 'A' });
    expect(shown(await client.next())).toEqual([{ event: 'settings', what: 'groups' }]);
    await api.call(api.alice, 'DELETE', `/api/v1/monitors/${id}`);
    expect(shown(await client.next())).toContainEqual({ event: 'monitor', id, change: 'deleted' });
  });

  test('hides what another team does [52.11]', async () => {
    const { api, world } = await settled(open);
    const client = await world.connect({ teamId: api.mallory.teamId });
    const own = await world.connect();
    await client.next();
    await own.next();
    await api.create();
    expect(await client.next()).toEqual([]);
    expect(await own.next()).toHaveLength(2);
  });

  test('sends the rounds and pings of named monitors once, also after a resumption [52.5]', async () => {
    const { api, world } = await settled(open);
    const { database, clock } = world;
    const { id } = await api.create();
    const { id: job } = await api.create(HEARTBEAT);
    const monitors = [
      { id, isPush: false },
      { id: job, isPush: true },
    ];
    const round = (startedAt: number) => ({
      round: { ...roundOf('uduu'), monitorId: id, slot: startedAt, startedAt },
      kind: 'voted' as const,
      class: 'regional' as const,
    });
    const at = clock.now();
    await storeRounds(database, [round(at - 1_000)]);
    const client = await world.connect({ monitors });
    expect(shown(await client.next())).toMatchObject([{ event: 'hello' }]);
    // One that began earlier and took longer.
    await storeRounds(database, [round(at)]);
    await client.next();
    await storeRounds(database, [round(at - 500)]);
    await storePings(database, job, [{ at }]);
    const events = shown(await client.next());
    expect(events).toMatchObject([
      {
        event: 'result',
        monitor_id: id,
        verdict: 'regional',
        started_at: new Date(at - 500).toISOString(),
      },
      { event: 'ping', monitor_id: job, number: 1 },
    ]);
    const { lastId } = client;
    client.close();
    await storeRounds(database, [round(at + 1_000)]);
    await storePings(database, job, [{ at }]);
    const again = await world.connect({ monitors, lastEventId: lastId });
    expect(shown(await again.next()).map(({ event }) => event)).toEqual([
      'hello',
      'result',
      'ping',
    ]);
    expect(await again.next()).toEqual([]);
  });

  test('resumes at any event without a loss and without a repetition [52.6]', async () => {
    const { api, world } = await settled(open);
    const ids: number[] = [];
    for (let count = 0; count < 4; count += 1)
      ids.push((await api.create({ url: `https://${count}.example.com` })).id);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(3), fc.boolean()), { minLength: 1, maxLength: 8 }),
        fc.array(fc.tuple(fc.nat(3), fc.boolean()), { maxLength: 8 }),
        fc.nat(8),
        async (before, after, cut) => {
          const client = await world.connect();
          let time = world.clock.now();
          const apply = async (changes: readonly (readonly [number, boolean])[]) => {
            for (const [index, isUp] of changes)
              await changeStatus(
                world,
                api.alice.teamId,
                ids[index]!,
                isUp ? 'online' : 'offline',
                (time += 1),
              );
          };
          await apply(before);
          await client.next();
          client.close();
          const received = client.events.slice(0, 1 + (cut % client.events.length));
          await apply(after);
          const whole = await world.connect({ lastEventId: client.events[0]!.id });
          const rest = await world.connect({ lastEventId: received.at(-1)!.id });
          await rest.next();
          const got = [...changedIn(received), ...changedIn(rest.events)];
          expect(new Set(got)).toEqual(new Set(changedIn(whole.events)));
          // A monitor that changed after the cut comes again, any other one does not.
          const later = new Set(after.map(([index]) => ids[index]));
          for (const id of changedIn(received))
            if (!later.has(id as number)) expect(changedIn(rest.events)).not.toContain(id);
          whole.close();
          rest.close();
        },
      ),
      { numRuns: 15 },
    );
  });

  test('resets a client with a position that is unknown, too old or too far behind [52.7]', async () => {
    const { api, world } = await settled(open);
    const { id } = await api.create();
    const first = await world.connect();
    const position = first.lastId;
    const names = async (lastEventId: string) => {
      const client = await world.connect({ lastEventId });
      client.close();
      return client.events.map(({ event }) => event);
    };
    expect(await names(position)).toEqual(['hello']);
    const [at, mark] = position.split(';');
    // An installation may have moved to another engine since.
    const ofOtherEngine = world.database.engine === 'sqlite' ? '1:' : '1';
    for (const odd of [
      `${at};${ofOtherEngine}`,
      '',
      'x',
      `${at};999999999999`,
      `${at};1:99999999999999:2`,
      `zzz;${mark}`,
      '1;1',
    ])
      expect(await names(odd)).toEqual(['hello', 'reset']);
    await world.database.transaction(async (tx) => {
      await sql`insert into live_change (team_id, kind, change, monitor_id)
        select ${sql.lit(api.alice.teamId)}, 'status', 'status', ${sql.lit(id)} from (
          with recursive number (n) as (select 1 union all select n + 1 from number where n < 5001)
          select n from number) as numbers`.execute(tx);
    });
    expect(await names(position)).toEqual(['hello', 'reset']);
    await world.clock.advance(51 * 60_000);
    expect(await names(position)).toEqual(['hello', 'reset']);
  });

  test('sends each round, however many monitors all streams name together', async () => {
    const { api, world } = await settled(open);
    const at = world.clock.now();
    const { teamId } = api.alice;
    const { id: busy } = await api.create();
    const { id: other } = await api.create({ url: 'https://example.org' });
    const round = (monitorId: number, startedAt: number): RecordedRound => ({
      round: roundOf('u', { monitorId, teamId, startedAt, finishedAt: startedAt + 100 }),
      kind: 'voted',
      class: 'up',
    });
    const client = await world.connect({
      monitors: [busy, other].map((id) => ({ id, isPush: false })),
    });
    await client.next();
    // More than one statement reads, all of which are still looked at when the last one is stored.
    const many = RECENT_LIMIT + 200;
    const rounds = Array.from({ length: many }, (_, index) => round(busy, at + index));
    await storeRounds(world.database, rounds);
    expect(await client.next()).toHaveLength(many);
    await storeRounds(world.database, [round(other, at + 2 * many)]);
    expect(monitorsOf(await client.next())).toEqual([other]);
    // A position that was changed by hand does not read a day of rounds.
    await storeRounds(world.database, [round(other, at - 2 * 3_600_000)]);
    const odd = await world.connect({
      monitors: [{ id: other, isPush: false }],
      lastEventId: client.lastId.replace(/;\d+=.*$/, `;${other}=0`),
    });
    expect(monitorsOf(odd.events)).toEqual([undefined, other]);
  });

  test('a stream is resumed after a restart of the process, without loss or repetition [52.6]', async () => {
    const { api, world } = await settled(open);
    const { id } = await api.create();
    const { teamId } = api.alice;
    const before = await world.connect();
    await changeStatus(world, teamId, id, 'offline', 1_000);
    await before.next();
    const { lastId } = before;
    before.close();
    await world.feed.stop();
    await changeStatus(world, teamId, id, 'online', 2_000);
    const restarted = await worldOf(world.database, teamId);
    const after = await restarted.connect({ lastEventId: lastId });
    expect(shown(after.events)).toMatchObject([
      { event: 'hello', resumed: true },
      { event: 'status', monitor_id: id, status: 'online' },
    ]);
    const again = await restarted.connect({ lastEventId: after.lastId });
    expect(again.events.map(({ event }) => event)).toEqual(['hello']);
  });

  test('a quiet stream is resumed after hours, by the ids of `alive` [52.9]', async () => {
    const { api, world } = await settled(open);
    const client = await world.connect();
    await world.clock.advance(3 * 3_600_000);
    client.keepAlive();
    client.close();
    await api.create();
    const again = await world.connect({ lastEventId: client.lastId });
    expect(again.events.map(({ event }) => event)).toEqual(['hello', 'monitor', 'status']);
  });

  test('reads nothing while no stream is open', async () => {
    const { world } = await settled(open);
    const client = await world.connect();
    expect(world.feed.openStreams).toBe(1);
    client.close();
    await world.clock.settle();
    expect([world.feed.openStreams, world.clock.pending().timers]).toEqual([0, 0]);
  });
});

onPostgres(() => {
  test('reports a transaction that ends after newer ones, once, to processes and resumed clients [52.6]', async () => {
    const { place, remove } = await freshPostgres();
    cleanups.push(remove);
    const [one, other] = [
      await openDatabase({ engine: 'postgres', url: place }),
      await openDatabase({ engine: 'postgres', url: place }),
    ] as const;
    cleanups.push(
      () => one.close(),
      () => other.close(),
    );
    const api = await openApi(one);
    const { id: first } = await api.create();
    const { id: second } = await api.create({ url: 'https://example.org' });
    const [here, there] = [
      await worldOf(one, api.alice.teamId),
      await worldOf(other, api.alice.teamId),
    ];
    const clients = [await here.connect(), await there.connect()];
    for (const client of clients) await client.next();
    const written = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const slow = one.transaction(async (tx) => {
      await changeSpans(tx, [
        { monitorId: first, teamId: api.alice.teamId, status: 'offline', at: 1_000 },
      ]);
      written.resolve();
      await mayEnd.promise;
    });
    await written.promise;
    await changeStatus(there, api.alice.teamId, second, 'offline', 1_000);
    for (const client of clients) expect(monitorsOf(await client.next())).toEqual([second]);
    const positions = clients.map(({ lastId }) => lastId);
    mayEnd.resolve();
    await slow;
    for (const client of clients) {
      expect(monitorsOf(await client.next())).toEqual([first]);
      expect(await client.next()).toEqual([]);
    }
    // Positions are good at the other process.
    for (const [index, world] of [there, here].entries()) {
      const resumed = await world.connect({ lastEventId: positions[index]! });
      expect(monitorsOf(resumed.events.slice(1))).toEqual([first]);
      const after = await world.connect({ lastEventId: resumed.lastId });
      expect(after.events).toHaveLength(1);
    }
  });
});
