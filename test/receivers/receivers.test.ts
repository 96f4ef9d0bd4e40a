import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { TIMEOUT_MS } from '../../src/alerting/channels/index.ts';
import { KEPT_BYTES } from '../../src/alerting/delivery/webhook.ts';
import { type DnsAnswer, startDnsServer } from '../support/dns-server.ts';
import { answering, page, pem, startServer } from '../support/fault-servers.ts';
import { again, forbidden, receiver, refused, type Row } from './row.ts';
import { NAMES, ROWS } from './rows.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createAddressGuard, parseAllowPrivateTargets } from '../../src/net/address-guard.ts';
import { createHttpClient, type HttpClient } from '../../src/net/http-client.ts';
import { createResolver } from '../../src/net/resolver.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { enqueue, eventOf, giveEndpoint, giveTeam, secretBox } from '../support/deliveries.ts';
import { START, workerOn } from '../support/delivery-worker.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';
import { openInMemory } from '../support/memory-database.ts';

/** Secrets that must not appear in a log: of the path, the token, and the signing secret. */
const SECRETS = ['hooks-T0PS3CRET', 'bearer-T0PS3CRET-of-the-endpoint', 'whsec-T0PS3CRET'];

const [PATH, TOKEN, SIGNING] = SECRETS as [string, string, string];

/** The state of a delivery and its endpoint after the first attempt. */
interface Outcome {
  status: string;
  /** Epoch ms. */
  nextAt: number;
  attempts: {
    at: number;
    duration_ms: number;
    status_code: number | null;
    error: string | null;
    response: string | null;
  }[];
  isActive: boolean;
  reason: string | null;
}

/** Many receivers, each an endpoint with one event, and a worker that sends to all. */
interface Receivers {
  clock: FakeClock;
  /** Deadlines of the requests in milliseconds. */
  timeLimits: Set<number>;
  errors: unknown[];
  outcomes(): Promise<Map<string, Outcome>>;
  /** Number of endpoints with a request in flight. */
  underWay(): number;
  nudge(): void;
  /** Sends another event to a receiver that always answers. */
  sendWell(): Promise<void>;
  /** Number of events that arrived at that receiver. */
  arrived(): number;
  /** Resolves when the receivers have seen all clients disconnect. */
  allClosed(): Promise<void>;
  /** Maximum number of bytes that a receiver could send. */
  mostSentBytes(): number;
  close(): Promise<void>;
}

/** @param names replies of the name server by name; other names are unknown. */
async function startReceivers(
  rows: readonly Row[],
  names: (name: string, type: 'A' | 'AAAA') => DnsAnswer,
): Promise<Receivers> {
  const database = await openInMemory();
  const clock = createFakeClock({ now: START });
  const dns = await startDnsServer(names);
  const servers = await Promise.all(rows.map((row) => row.start?.()));
  let arrivals = 0;
  const well = await startServer((socket) => {
    socket.once('data', () => {
      arrivals += 1;
      socket.end(page('ok'));
    });
  });
  const endpoints = new Map<string, { id: number; destinationId: number }>();
  for (const [index, { name, origin }] of rows.entries()) {
    const url = `${origin.replace('{port}', String(servers[index]?.port))}/${PATH}`;
    endpoints.set(name, await giveEndpointOf(database, name, url));
  }
  const good = await giveEndpointOf(database, 'well', `http://127.0.0.1:${well.port}/${PATH}`);
  const all = [...endpoints].map(([name, { destinationId }]) => eventOf(destinationId, name));
  await enqueue(database, all, START);

  const timeLimits = new Set<number>();
  const errors: unknown[] = [];
  const http = outgoingHttp(clock, dns.address);
  const worker = workerOn(database, {
    http: {
      request(request) {
        timeLimits.add(request.timeoutMs);
        return http.request(request);
      },
    },
    clock,
    errors,
  });
  worker.start();
  let sent = 0;
  return {
    clock,
    timeLimits,
    errors,
    outcomes: () => outcomesOf(database, endpoints),
    underWay: () => worker.underWay(),
    nudge: () => worker.wake(),
    async sendWell() {
      sent += 1;
      await enqueue(database, [eventOf(good.destinationId, `well ${sent}`)], clock.now());
      worker.wake();
    },
    arrived: () => arrivals,
    async allClosed() {
      await Promise.all([...servers, well].map((server) => server?.allClosed()));
    },
    mostSentBytes: () => Math.max(...servers.map((server) => server?.sentBytes?.() ?? 0)),
    async close() {
      // Without a deadline, all requests in flight end.
      await Promise.all([...servers, well, dns].map((server) => server?.close()));
      await worker.stop();
      await database.close();
    },
  };
}

/** Wired as in main.ts, with deadlines by the test's clock. */
function outgoingHttp(clock: FakeClock, nameServer: string): HttpClient {
  const allowed = parseAllowPrivateTargets('127.0.0.1, ::1');
  if (!allowed.ok) throw new Error(allowed.message);
  return createHttpClient({
    resolver: createResolver({
      clock: systemClock,
      servers: [nameServer],
      hostsFile: '/dev/null',
      hasNetwork: () => true,
    }),
    guard: createAddressGuard(allowed.value),
    clock,
    authorities: [pem('authority')],
  });
}

/** In a separate team, which does not share the worker's slots. */
async function giveEndpointOf(database: Database, name: string, url: string) {
  const team = await giveTeam(database, name);
  const { seal } = secretBox.of('webhook_endpoint', team);
  return giveEndpoint(database, team, url, {
    auth_type: 'bearer',
    auth_token: seal(TOKEN, 'auth_token'),
    signing_secret: seal(SIGNING, 'signing_secret'),
  });
}

async function outcomesOf(
  { read }: Database,
  endpoints: ReadonlyMap<string, { id: number; destinationId: number }>,
): Promise<Map<string, Outcome>> {
  const deliveries = await read.selectFrom('delivery').selectAll().execute();
  const attempts = await read
    .selectFrom('delivery_attempt')
    .selectAll()
    .orderBy('number')
    .execute();
  const hooks = await read.selectFrom('webhook_endpoint').selectAll().execute();
  const outcomes = new Map<string, Outcome>();
  for (const [name, { id, destinationId }] of endpoints) {
    const delivery = deliveries.find((one) => one.destination_id === destinationId)!;
    const hook = hooks.find((one) => one.id === id)!;
    outcomes.set(name, {
      status: delivery.status,
      nextAt: delivery.next_at,
      attempts: attempts.filter((one) => one.delivery_id === delivery.id),
      isActive: hook.is_active === 1,
      reason: hook.deactivated_reason,
    });
  }
  return outcomes;
}

const PATIENCE_MS = 180_000;

/** It echoes the whole request, and a token that the size limit of the log cuts in two. */
const TELLTALES: Row[] = [
  receiver(
    'repeats the request',
    (socket, received) => {
      socket.once('data', () => {
        const said = received();
        socket.end(`HTTP/1.1 400 Bad\r\nContent-Length: ${said.length}\r\n\r\n${said}`);
      });
    },
    refused(400),
  ),
  receiver(
    'repeats a token at the end of what is kept',
    answering(page(`${'x'.repeat(KEPT_BYTES - 20)}${TOKEN}`)),
    { status: 'delivered', code: 200, says: null, againMs: null },
  ),
];

/** A name that resolves to a public address first and to a private one later. */
const TURNING: Row = {
  ...receiver(
    'a name that turns private',
    answering('HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n'),
    again(503),
  ),
  origin: 'http://turning.test:{port}',
};

const MATRIX = { ...ROWS, 'those that tell what they know': TELLTALES, 'a name': [TURNING] };

const ALL = Object.values(MATRIX).flat();

const QUICK = ALL.filter(({ expected }) => expected.hangs !== true);

const SLOW = ALL.filter(({ expected }) => expected.hangs === true);

let receivers: Receivers;

/** After the first attempt at each. */
const firsts = new Map<string, Outcome>();

let later: Map<string, Outcome>;

const waited: string[] = [];

const rejections: unknown[] = [];

const onRejection = (reason: unknown) => void rejections.push(reason);

/** The clock does not move, so that no poll finds the due work: the worker is woken. */
async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const isSo = () => {
    receivers.nudge();
    return condition();
  };
  await vi.waitUntil(isSo, { timeout: PATIENCE_MS / 3, interval: 10 }).catch(() => {
    throw new Error(`Waited in vain for ${what}.`);
  });
}

/** Waits until each of these was sent to, and returns the outcomes. */
async function attempted(rows: readonly Row[]): Promise<void> {
  let left = rows.map(({ name }) => name);
  const deadline = performance.now() + PATIENCE_MS / 3;
  while (left.length > 0) {
    if (performance.now() > deadline) throw new Error(`Nothing became of: ${left.join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
    const outcomes = await receivers.outcomes();
    left = left.filter((name) => outcomes.get(name)!.attempts.length === 0);
  }
  const outcomes = await receivers.outcomes();
  for (const { name } of rows) firsts.set(name, outcomes.get(name)!);
}

/** Waits until all events to the healthy receiver have arrived. */
async function staysWell(count: number): Promise<void> {
  await receivers.sendWell();
  await until(`${count} events at the one that is well`, () => receivers.arrived() === count);
}

beforeAll(async () => {
  process.on('unhandledRejection', onRejection);
  // Queries are not counted: lost ones are repeated.
  let isTurned = false;
  const names = (name: string): DnsAnswer => {
    if (name !== 'turning.test')
      return (NAMES[name as keyof typeof NAMES] as DnsAnswer) ?? 'not-found';
    return { addresses: [isTurned ? '169.254.169.254' : '127.0.0.1'] };
  };
  receivers = await startReceivers(ALL, (name, type) => only(names(name), type));
  await staysWell(1);
  await attempted(QUICK);
  isTurned = true;
  await staysWell(2);
  const outcomes = await receivers.outcomes();
  waited.push(
    ...SLOW.flatMap(({ name }) => (outcomes.get(name)!.attempts.length === 0 ? name : [])),
  );

  // All requests in flight reach their deadline.
  receivers.clock.freeze(TIMEOUT_MS);
  await receivers.clock.advance(1);
  await attempted(SLOW);
  await until('the second attempt at the name that turns private', async () => {
    const outcome = (await receivers.outcomes()).get(TURNING.name)!;
    return outcome.attempts.length === 2;
  });
  await until('all requests to end', () => receivers.underWay() === 0);
  later = await receivers.outcomes();
}, PATIENCE_MS);

afterAll(async () => {
  process.off('unhandledRejection', onRejection);
  await receivers.close();
}, PATIENCE_MS);

/** AAAA queries get no IPv4 addresses. */
function only(said: DnsAnswer, type: 'A' | 'AAAA'): DnsAnswer {
  return typeof said === 'object' && type === 'AAAA' ? 'empty' : said;
}

describe.each(Object.entries(MATRIX))('%s', (_group, rows) => {
  test.each(rows)('$name', ({ name, expected }) => {
    const { status, nextAt, attempts, isActive, reason } = firsts.get(name)!;
    const [first] = attempts;
    const { code, says, againMs, isSwitchedOff = false } = expected;
    expect({ status, code: first!.status_code, isActive }).toEqual({
      status: expected.status,
      code,
      isActive: !isSwitchedOff,
    });
    const said = isSwitchedOff ? reason : first!.error;
    if (says === null) expect(said).toBeNull();
    else if (typeof says === 'string') expect(said).toBe(`The endpoint ${says}`);
    else expect(said).toMatch(says);
    if (againMs !== null) expect(nextAt - first!.at - first!.duration_ms).toBe(againMs);
  });
});

describe('of all of them', () => {
  test('every reason is plain text without secrets', () => {
    for (const { attempts } of [...firsts.values(), ...later.values()])
      for (const { error, response } of attempts) {
        if (error !== null)
          expect(error).toMatch(
            /^The endpoint (answered HTTP \d+|could not be reached: [A-Z]).*\.$/,
          );
        expect(Buffer.byteLength(response ?? '')).toBeLessThan(3 * KEPT_BYTES);
        for (const secret of SECRETS)
          expect(`${error} ${response}`).not.toContain(secret.slice(0, 8));
      }
  });

  test('hanging receivers do not delay the healthy one', () => {
    expect(waited).toEqual(SLOW.map(({ name }) => name));
  });

  test('a name that resolves to a private address at the next attempt is refused', () => {
    const { status, attempts } = later.get(TURNING.name)!;
    expect(status).toBe('failed');
    expect(attempts[1]!.error).toBe(`The endpoint ${String(forbidden('turning.test').says)}`);
  });

  test('no connection stays open, and no error is unexpected', async () => {
    await receivers.allClosed();
    // The system's buffers of two connections exceed what is read from one.
    expect(receivers.mostSentBytes()).toBeLessThan(32 * 2 ** 20);
    expect([...receivers.timeLimits]).toEqual([TIMEOUT_MS]);
    expect(receivers.errors).toEqual([]);
    expect(rejections).toEqual([]);
  });

  test('names are unique', () => {
    expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
    expect(ALL.length).toBeLessThan(130);
  });
});
