import { systemClock } from '../../src/lib/clock.ts';
import { createAddressGuard, parseAllowPrivateTargets } from '../../src/net/address-guard.ts';
import { createHttpClient } from '../../src/net/http-client.ts';
import type { HttpClient } from '../../src/net/http-client.ts';
import { createResolver } from '../../src/net/resolver.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { enqueue, eventOf, giveEndpoint, giveTeam, secretBox } from '../support/deliveries.ts';
import { START, workerOn } from '../support/delivery-worker.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { page, pem, startServer } from '../support/fault-servers.ts';
import type { DnsAnswer } from '../support/dns-server.ts';
import type { Row } from './row.ts';
import { openInMemory } from '../support/memory-database.ts';

/** Secrets that must not appear in a log: of the path, the token, and the signing secret. */
export const SECRETS = ['hooks-T0PS3CRET', 'bearer-T0PS3CRET-of-the-endpoint', 'whsec-T0PS3CRET'];
const [PATH, TOKEN, SIGNING] = SECRETS as [string, string, string];

/** The state of a delivery and its endpoint after the first attempt. */
export interface Outcome {
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
export interface Receivers {
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
export async function startReceivers(
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
