import { afterEach, expect, test } from 'vitest';
import { freshDirectory } from '../../test/support/directories.ts';
import {
  deliveriesOf,
  destinationOf,
  enqueue,
  eventOf,
  giveEndpoint,
  giveTeam,
} from '../../test/support/deliveries.ts';
import { workerOn } from '../../test/support/delivery-worker.ts';
import {
  answering,
  answeringAndClosing,
  answeringForEver,
  dripping,
  page,
  startServer,
} from '../../test/support/fault-servers.ts';
import type { OnConnection } from '../../test/support/fault-servers.ts';
import { systemClock } from '../lib/clock.ts';
import { createAddressGuard, parseAllowPrivateTargets } from '../net/address-guard.ts';
import { createOutgoingHttp } from '../net/outgoing.ts';
import type { OutgoingHttp } from '../net/outgoing.ts';
import { createResolver } from '../net/resolver.ts';
import { openDatabase } from '../store/database.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** As main has it, but that nobody waits ten seconds for a test. */
function impatientHttp(): OutgoingHttp {
  const allowed = parseAllowPrivateTargets('127.0.0.1/32');
  if (!allowed.ok) throw new Error(allowed.message);
  const http = createOutgoingHttp({
    resolver: createResolver({
      clock: systemClock,
      servers: ['127.0.0.1:1'],
      hostsFile: '/dev/null',
      hasNetwork: () => true,
    }),
    guard: createAddressGuard(allowed.value),
    clock: systemClock,
  });
  return { request: (request) => http.request({ ...request, timeoutMs: 400 }) };
}

async function openFresh() {
  const { place, remove } = await freshDirectory();
  cleanups.push(remove);
  const database = await openDatabase({ engine: 'sqlite', directory: place });
  cleanups.push(database.close);
  return database;
}

async function serve(onConnection: OnConnection): Promise<string> {
  const server = await startServer(onConnection);
  cleanups.push(() => server.close());
  return `http://127.0.0.1:${server.port}/hook`;
}

const HEAD = 'HTTP/1.1 200 OK\r\n';
const redirect = 'HTTP/1.1 307 Temporary Redirect\r\nLocation: /\r\nContent-Length: 0\r\n\r\n';

/** How they behave, what becomes of the delivery, and what is said of it. */
const FAULTS: [name: string, OnConnection, status: string, error: RegExp | null][] = [
  ['says nothing', () => {}, 'pending', /^The endpoint could not be reached: No response within/],
  [
    'resets',
    (socket) => void socket.once('data', () => socket.resetAndDestroy()),
    'pending',
    /closed without a response/,
  ],
  ['closes', answeringAndClosing(), 'pending', /closed without a response/],
  ['redirects', answering(redirect), 'failed', /HTTP 307: redirects are not followed\.$/],
  ['is no HTTP', answering('SSH-2.0-OpenSSH_9.6\r\n'), 'pending', /not valid HTTP/],
  ['never ends its head', dripping(HEAD, 'x-more: 1\r\n'), 'pending', /could not be reached/],
  ['never ends its body', answeringForEver(`${HEAD}\r\n`, 'x'.repeat(999)), 'delivered', null],
  ['drips its body', dripping(`${HEAD}Content-Length: 9999999\r\n\r\n`, 'x'), 'delivered', null],
  [
    'cuts its body short',
    answeringAndClosing(`${HEAD}Content-Length: 9\r\n\r\n`),
    'delivered',
    null,
  ],
];

test('whatever endpoints do, each has its own outcome, and none keeps another waiting', async () => {
  const database = await openFresh();
  const team = await giveTeam(database);
  const give = async (url: string) => (await giveEndpoint(database, team, url)).destinationId;
  const faulty: number[] = [];
  for (const [, onConnection] of FAULTS) faulty.push(await give(await serve(onConnection)));
  const forbidden = await give('http://127.0.0.2:9/');
  const unknown = await give('http://nowhere.invalid/');
  const refusing = await give('http://127.0.0.1:9/');
  const wellIds: string[] = [];
  const well = await give(
    await serve((socket) => {
      let text = '';
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (!text.endsWith('"}')) return;
        wellIds.push(/webhook-id: (.*)\r/i.exec(text)![1]!);
        text = '';
        socket.end(page('ok'));
      });
    }),
  );
  const everybody = [...faulty, forbidden, unknown, refusing, well];
  const now = Date.now();
  await enqueue(
    database,
    ['one', 'two', 'three'].flatMap((name) =>
      everybody.flatMap((id) => (name === 'one' || id === well ? [eventOf(id, name)] : [])),
    ),
    now,
  );
  const errors: unknown[] = [];
  const worker = workerOn(database, { http: impatientHttp(), clock: systemClock, errors });
  worker.start();
  cleanups.push(() => worker.stop());

  const outcomeOf = async (id: number) => {
    const [delivery] = await deliveriesOf(database, id);
    const { last_error: error } = await destinationOf(database, id);
    return { status: delivery!.status, attempts: delivery!.attempts, error };
  };
  // All of its three are there while the one that says nothing is still being waited for.
  await expect.poll(() => wellIds.length, { timeout: 5_000, interval: 5 }).toBe(3);
  expect(await outcomeOf(faulty[0]!)).toMatchObject({ attempts: 0 });
  expect(wellIds).toEqual(['one', 'two', 'three']);

  const all = () => Promise.all(everybody.map(async (id) => (await outcomeOf(id)).attempts > 0));
  await expect.poll(all, { timeout: 10_000 }).toEqual(everybody.map(() => true));
  for (const [index, [name, , status, error]] of FAULTS.entries())
    expect(await outcomeOf(faulty[index]!), name).toMatchObject({
      status,
      error: error === null ? null : expect.stringMatching(error),
    });
  expect(await outcomeOf(forbidden)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('ALLOW_PRIVATE_TARGETS'),
  });
  expect(await outcomeOf(unknown)).toMatchObject({ status: 'pending' });
  expect(await outcomeOf(refusing)).toMatchObject({
    status: 'pending',
    error: expect.stringContaining('Connection refused'),
  });
  expect(errors).toEqual([]);
});
