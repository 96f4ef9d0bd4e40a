import { get, type IncomingMessage } from 'node:http';
import { connect as connectSocket, type AddressInfo } from 'node:net';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { LIMITS, openApi, type TestApi } from '../../test/support/api.ts';
import { closedAfterEach } from '../../test/support/closing.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { waitUntil } from '../../test/support/event-loop.ts';
import { parseEvents } from '../../test/support/event-streams.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { giveSession, giveToken } from '../../test/support/people.ts';
import { createRateLimits } from '../identity/rate-limits.ts';
import { systemClock } from '../lib/clock.ts';
import { MAX_PERSON_STREAMS } from '../resources/events.ts';
import { FULL_PLANS } from '../identity/plans.ts';
import { EventStream } from '../resources/common/event-stream.ts';
import type { AnsweredRequest } from './answered.ts';
import { createEventStreams } from './event-streams.ts';

const cleanups = closedAfterEach<() => Promise<unknown>>();

interface Connection {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
  isEnded: boolean;
  response: IncomingMessage;
}

const EVENTS = '/api/v1/events';

async function listen(api: TestApi): Promise<number> {
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  cleanups.push(() => api.app.close());
  return (api.app.server.address() as AddressInfo).port;
}

/** Opens a stream over a socket, and resolves once it answered. */
async function connect(
  port: number,
  headers: Record<string, string>,
  path = EVENTS,
): Promise<Connection> {
  const answered = Promise.withResolvers<IncomingMessage>();
  get({ port, path, headers, agent: false }, answered.resolve).on('error', answered.reject);
  const response = await answered.promise;
  const connection: Connection = {
    status: response.statusCode!,
    headers: response.headers,
    text: '',
    isEnded: false,
    response,
  };
  response.setEncoding('utf8').on('data', (text: string) => (connection.text += text));
  response.once('error', () => {}).once('close', () => (connection.isEnded = true));
  cleanups.push(async () => response.destroy());
  return connection;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const namesOf = ({ text }: Connection) => parseEvents(text).events.map(({ event }) => event);

/** Runs what the fake clock has due, turn by turn, until something holds. */
async function until(api: TestApi, isTrue: () => boolean, milliseconds = 250): Promise<void> {
  await api.clock.advance(milliseconds);
  await waitUntil(isTrue);
}

eachDatabase((_name, open) => {
  test('a stream stays open, has its headers, and shows changes [52.1] [52.8]', async () => {
    const api = await openApi(await open());
    const port = await listen(api);
    const stream = await connect(port, bearer(api.vera.token));
    expect([stream.status, stream.headers]).toMatchObject([
      200,
      {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      },
    ]);
    expect(stream.headers['x-request-id']).toBeTruthy();
    await waitUntil(() => namesOf(stream).includes('hello'));
    expect(stream.text).toMatch(/^retry: 2000\n\nevent: hello\n/);
    await api.create();
    await until(api, () => namesOf(stream).includes('status'));
    expect(namesOf(stream)).toEqual(['hello', 'monitor', 'status']);
    expect(stream.isEnded).toBe(false);
  });

  test('an event every 15 s keeps the connection open, with an id [52.9]', async () => {
    const api = await openApi(await open());
    const stream = await connect(await listen(api), bearer(api.vera.token));
    await until(api, () => stream.text.includes('event: alive\ndata: {}\nid: '), 15_000);
    expect(stream.isEnded).toBe(false);
  });

  test.each(['token', 'session', 'membership', 'role'] as const)(
    'ends within 10 s after its %s is gone [52.10]',
    async (what) => {
      const api = await openApi(await open());
      const port = await listen(api);
      const now = api.clock.now();
      const token = await giveToken(api.database, api.ed, { now });
      const session = await giveSession(api.database, api.ed, { now });
      const headers = what === 'session' ? { cookie: session.cookie } : bearer(token);
      const stream = await connect(port, headers);
      const other = await connect(port, bearer(api.alice.token));
      await api.clock.advance(9_000);
      expect([stream.status, stream.isEnded]).toEqual([200, false]);
      // By another process, so that no cache is invalidated.
      await api.database.transaction(async (tx) => {
        if (what === 'session')
          await tx.deleteFrom('session').where('id', '=', session.sessionId).execute();
        else if (what === 'token')
          await tx.deleteFrom('token').where('person_id', '=', api.ed.personId).execute();
        else {
          const set = what === 'role' ? { role: 'viewer' } : { status: 'suspended' };
          await tx
            .updateTable('member')
            .set(set)
            .where('person_id', '=', api.ed.personId)
            .execute();
        }
      });
      await until(api, () => stream.isEnded, 10_000);
      expect(other.isEnded).toBe(false);
    },
  );
});

test('refuses monitors of other teams and odd lists on their own field [52.5]', async () => {
  const api = await openApi(await openInMemory());
  const { id } = await api.create();
  for (const [who, monitor] of [
    [api.mallory, `${id}`],
    [api.alice, '99'],
    [api.alice, `${id},99`],
    [api.alice, 'x'],
    [api.alice, '1,2,3,4,5,6'],
    [api.alice, '0'],
  ] as const) {
    const { status, body } = await api.call(who, 'GET', `${EVENTS}?monitor=${monitor}`);
    expect([status, Object.keys(body['errors'] as object)]).toEqual([422, ['monitor']]);
  }
  expect((await api.call(api.alice, 'GET', `${EVENTS}?monitor=${id}`)).status).toBe(200);
});

test('resumes by the header before the query [52.6]', async () => {
  const api = await openApi(await openInMemory());
  const { text } = await api.call(api.alice, 'GET', EVENTS);
  const { lastId } = parseEvents(text);
  const port = await listen(api);
  await api.create();
  const query = `${EVENTS}?last_event_id=${encodeURIComponent(lastId)}`;
  const byQuery = await connect(port, bearer(api.alice.token), query);
  await waitUntil(() => namesOf(byQuery).includes('status'));
  const odd = { ...bearer(api.alice.token), 'last-event-id': 'odd' };
  const byHeader = await connect(port, odd, query);
  await waitUntil(() => namesOf(byHeader).includes('reset'));
});

test('leaves out lists that a role may not read [52.4]', async () => {
  const api = await openApi(await openInMemory());
  const port = await listen(api);
  const [owner, viewer] = [
    await connect(port, bearer(api.alice.token)),
    await connect(port, bearer(api.vera.token)),
  ];
  await api.call(api.alice, 'POST', '/api/v1/alert-routes', {
    name: 'R',
    users: [api.alice.personId],
  });
  await api.call(api.alice, 'POST', '/api/v1/groups', { name: 'G' });
  await until(api, () => owner.text.includes('groups') && viewer.text.includes('groups'));
  expect(owner.text).toContain('alert-routes');
  expect(viewer.text).not.toContain('alert-routes');
});

test('a person has 20 streams, and a place is free when one ends [52.12]', async () => {
  const api = await openApi(await openInMemory());
  const port = await listen(api);
  const streams: Connection[] = [];
  for (let count = 0; count < MAX_PERSON_STREAMS; count += 1)
    streams.push(await connect(port, bearer(api.vera.token)));
  const refused = await api.call(api.vera, 'GET', EVENTS);
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '10']);
  expect((await api.call(api.alice, 'GET', EVENTS)).status).toBe(200);
  streams[0]!.response.destroy();
  await waitUntil(() => api.live.openStreams < MAX_PERSON_STREAMS);
  expect((await api.call(api.vera, 'GET', EVENTS)).status).toBe(200);
});

test('ends all streams when the server stops, and refuses new ones [52.14]', async () => {
  const api = await openApi(await openInMemory());
  const port = await listen(api);
  const streams = [
    await connect(port, bearer(api.vera.token)),
    await connect(port, bearer(api.alice.token)),
  ];
  await api.app.close();
  await waitUntil(() => streams.every(({ isEnded }) => isEnded));
});

test('refuses streams while the server stops [52.14]', async () => {
  const { authenticator, clock } = await openApi(await openInMemory());
  const connections = createEventStreams({ authenticator, clock, plans: FULL_PLANS });
  connections.drain();
  const fate: string[] = [];
  const stream = new EventStream(
    () => {
      throw new Error('It must not be connected.');
    },
    () => void fate.push('cancelled'),
  );
  // Nothing of the request is read.
  const [request, reply] = [{} as FastifyRequest, {} as FastifyReply];
  const send = () => connections.send(request, reply, { stream, access: { needs: 'read' } });
  expect(send).toThrow('Tocsin is stopping');
  expect(fate).toEqual(['cancelled']);
});

test('a client that reads nothing is disconnected [52.13]', async () => {
  const api = await openApi(await openInMemory());
  const { id } = await api.create();
  const stream = await connect(await listen(api), bearer(api.alice.token));
  await waitUntil(() => namesOf(stream).includes('hello'));
  stream.response.pause();
  // The buffers of the system take some megabytes before anything waits.
  const cause = 'c'.repeat(8_000);
  await api.database.transaction((tx) =>
    tx
      .insertInto('incident')
      .values({
        team_id: api.alice.teamId,
        monitor_id: id,
        type: 'manual',
        severity: 'critical',
        root_cause: cause,
        is_regional: 0,
        started_at: api.clock.now(),
        created_at: api.clock.now(),
        updated_at: api.clock.now(),
      })
      .execute(),
  );
  for (let round = 0; round < 4_000 && api.live.openStreams > 0; round += 1) {
    await api.database.transaction((tx) =>
      tx
        .updateTable('monitor')
        .set({ is_paused: round % 2 })
        .where('id', '=', id)
        .execute(),
    );
    await api.clock.advance(250);
  }
  expect(api.live.openStreams).toBe(0);
  stream.response.resume();
  await waitUntil(() => stream.isEnded);
});

test('a stream that begins with more than is held ends with its connection [52.13]', async () => {
  const { authenticator, clock } = await openApi(await openInMemory());
  const connections = createEventStreams({ authenticator, clock, plans: FULL_PLANS });
  const timers = clock.pending().timers;
  const fate: string[] = [];
  const piece = 'x'.repeat(1024 * 1024);
  const stream = new EventStream(
    (send) => {
      for (let count = 0; count < 20; count += 1) send(piece);
      return { keepAlive: () => {}, close: () => void fate.push('closed') };
    },
    () => void fate.push('cancelled'),
  );
  const app = Fastify();
  cleanups.push(() => app.close());
  app.get('/', (request, reply) =>
    connections.send(request, reply, { stream, access: { needs: 'read' } }),
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const client = connectSocket(port, '127.0.0.1', () =>
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'),
  );
  client.pause().on('error', () => {});
  cleanups.push(async () => void client.destroy());
  await waitUntil(() => fate.length > 0 && clock.pending().timers === timers);
  expect(fate).toEqual(['closed']);
});

test('opening costs one request, events none, and a stream is no slow request [52.15]', async () => {
  const answered: AnsweredRequest[] = [];
  const rateLimits = createRateLimits({ limits: LIMITS, clock: systemClock });
  const api = await openApi(
    await openInMemory(),
    {},
    { rateLimits, onAnswered: (one) => answered.push(one) },
  );
  const port = await listen(api);
  const begun = performance.now();
  const stream = await connect(port, bearer(api.alice.token));
  const openMs = performance.now() - begun;
  expect(stream.headers['x-ratelimit-remaining']).toBe(`${LIMITS.standard - 1}`);
  for (let count = 0; count < 5; count += 1) await api.clock.advance(15_000);
  await waitUntil(() => stream.text.includes('event: alive'));
  const next = await api.call(api.alice, 'GET', '/api/v1/groups');
  expect(next.headers['x-ratelimit-remaining']).toBe(`${LIMITS.standard - 2}`);
  await api.app.close();
  await waitUntil(() => stream.isEnded);
  const [one] = answered.filter(({ route }) => route === EVENTS);
  expect(one).toMatchObject({ status: 200 });
  expect(one!.durationMs).toBeLessThanOrEqual(openMs);
});

test('answers HEAD without a stream [52.1]', async () => {
  const api = await openApi(await openInMemory());
  const { status, text } = await api.call(api.alice, 'HEAD', EVENTS);
  expect([status, text]).toEqual([200, '']);
  for (let count = 0; count < MAX_PERSON_STREAMS + 1; count += 1)
    expect((await api.call(api.alice, 'HEAD', EVENTS)).status).toBe(200);
});
