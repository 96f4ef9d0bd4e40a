import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Registry } from 'prom-client';
import { buildApi } from '../../src/api/app.ts';
import type { ApiDeps } from '../../src/api/deps.ts';
import type { IncomingPing, PingOutcome } from '../../src/engine/heartbeat/ingest.ts';
import { FULL_PLANS } from '../../src/identity/plans.ts';
import { createClientKeys, createRateLimits } from '../../src/identity/rate-limits.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';

/** A token of some monitor, and its path. */
export const TOKEN = 'QmVsbHNUb2xsaW5nQXRNaWRuaWdodA';
export const PING = `/ping/${TOKEN}`;
/** Three requests of one address that concern no monitor. */
export const LIMITS = {
  standard: 120,
  monitor_check: 20,
  check_url: 20,
  webhook_test: 10,
  check_team: 400,
  check_host: 120,
  subscriber_import: 10,
  tool_server: 60,
  session: 600,
  anonymous: 120,
  web: 1_200,
  ping: 3,
  auth: 10,
  auth_mail: 10,
  sign_in: 10,
  sign_in_hour: 60,
  sign_in_client: 60,
  register_client: 20,
  refresh_token: 60,
};
const NOW = Date.UTC(2030, 0, 1);
export const ALLOWANCE = { limit: 120, remaining: 119, resetAt: NOW + 59_001 };
export const RECORDED: PingOutcome = { kind: 'recorded', allowance: ALLOWANCE };

export interface PingEdge {
  port: number;
  clock: FakeClock;
  /** Pings received so far. */
  taken: IncomingPing[];
  /** Pings whose bodies are still arriving. */
  announced: ReadonlySet<{ tokenHash: string; receivedAt: number }>;
  /** Resolves once that many were received. */
  takes(count: number): Promise<void>;
  faults: object[];
  close(): Promise<void>;
}

const opened: PingEdge[] = [];
const sockets: Socket[] = [];

/** Closes all servers and connections; for `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(opened.splice(0).map((edge) => edge.close()));
}

/** The HTTP server with a scripted ingest, on its own port. */
export async function openPings(
  script: (ping: IncomingPing) => PingOutcome | Promise<PingOutcome> = () => RECORDED,
  overrides: Partial<Pick<ApiDeps, 'trustProxy' | 'rateLimits'>> = {},
): Promise<PingEdge> {
  const clock = createFakeClock({ now: NOW });
  const taken: IncomingPing[] = [];
  const announced = new Set<{ tokenHash: string; receivedAt: number }>();
  const faults: object[] = [];
  let waiting: { count: number; resolve: () => void }[] = [];
  const app = buildApi({
    services: { routes: [] } as never,
    authenticator: { authenticate: async () => null },
    rateLimits: createRateLimits({ limits: LIMITS, clock: systemClock }),
    clientKeys: createClientKeys('a key for tests'),
    plans: FULL_PLANS,
    pings: {
      async take(ping) {
        taken.push(ping);
        for (const { count, resolve } of waiting) if (taken.length >= count) resolve();
        return script(ping);
      },
      announce(tokenHash, receivedAt) {
        const arriving = { tokenHash, receivedAt };
        announced.add(arriving);
        return () => void announced.delete(arriving);
      },
    },
    clock,
    baseUrl: () => '',
    readiness: () => Promise.reject(new Error('not asked')),
    metrics: new Registry(),
    log: { ...silentLog, error: (fields) => void faults.push(fields) },
    ...overrides,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const edge: PingEdge = {
    port,
    clock,
    taken,
    announced,
    faults,
    takes: (count) =>
      new Promise((resolve) => {
        if (taken.length >= count) resolve();
        else waiting = [...waiting, { count, resolve }];
      }),
    close: () => app.close(),
  };
  opened.push(edge);
  return edge;
}

export interface PingAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  body: Record<string, unknown>;
}

/** Sends one request over a new connection. */
export async function call(
  { port }: Pick<PingEdge, 'port'>,
  path: string,
  { body, ...options }: RequestOptions & { body?: string | Buffer | (string | Buffer)[] } = {},
): Promise<PingAnswer> {
  const asking = httpRequest({ host: '127.0.0.1', port, path, agent: false, ...options });
  for (const chunk of [body ?? []].flat()) asking.write(chunk);
  asking.end();
  const [response] = await once(asking, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const isJson = String(response.headers['content-type']).includes('json') && text !== '';
  const parsed = isJson ? JSON.parse(text) : {};
  return { status: response.statusCode, headers: response.headers, text, body: parsed };
}

export const post = (edge: PingEdge, body: string | Buffer | (string | Buffer)[], options = {}) =>
  call(edge, PING, { method: 'POST', body, ...options });

/** A connection, and everything it received. */
export type Line = Socket & { heard: () => string };

/** A connection that writes what it is given, byte by byte. */
export async function dial({ port }: PingEdge): Promise<Line> {
  const socket = connect({ host: '127.0.0.1', port });
  sockets.push(socket);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  socket.on('error', () => {});
  await once(socket, 'connect');
  return Object.assign(socket, { heard: () => text });
}

/** Waits until a connection has received that text, any number of times. */
export async function hears(socket: Line, what: RegExp): Promise<string> {
  while (!what.test(socket.heard())) await once(socket, 'data');
  return socket.heard();
}

/** Limit, remaining requests and end of the window, from the headers. */
export function budgetOf({ headers }: PingAnswer) {
  return ['limit', 'remaining', 'reset'].map((name) => Number(headers[`x-ratelimit-${name}`]));
}
