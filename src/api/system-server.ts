import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Registry } from 'prom-client';
import type { Log } from '../lib/log.ts';
import type { InstallationProblem } from '../model/installation-health.ts';
import { createConnectionCloser } from './close-connections.ts';

/** Whether this process can do its work (contract 39.20). */
export interface Readiness {
  ready: boolean;
  roles: readonly string[];
  database: boolean;
  /** Lateness of rounds in milliseconds; null without a scheduler. */
  scheduleLagMs: number | null;
  /** Checks that came due in the last minute, and how many started late or were skipped; null without a scheduler. */
  checksDue: number | null;
  checksLate: number | null;
  roundsInFlight: number | null;
  /** Probes that take checks, by region: processes of this machine, and probes of others. */
  probes: Record<string, number>;
  /**
   * Overload of the probes with its start (epoch ms); null without one. The process stays ready: taking it out of
   * service would stop its checks.
   */
  overload: { since: number; reason: string } | null;
  /** Regions whose own network is suspect and whose votes do not count; the process stays ready. */
  quarantinedRegions: string[];
  diskLow: boolean;
  /** Problems of the whole installation that its operators are notified of; the process stays ready. */
  problems: readonly InstallationProblem[];
  /** Whether NATS is connected; null without it. */
  isBusConnected: boolean | null;
}

export type SystemServer = ReturnType<typeof createSystemServer>;

/** Creates the server of a process without the role `api`: `/healthz`, `/readyz` and `/metrics`. */
export function createSystemServer(deps: {
  /** Body of `/readyz`, and whether the process can do its work. */
  readiness: () => Promise<{ ready: boolean; body: object }>;
  metrics: Pick<Registry, 'metrics' | 'contentType'>;
  metricsToken: string | null;
  log: Log;
}) {
  const routes: Record<string, () => Promise<Answer>> = {
    '/healthz': async () => json(200, { status: 'alive' }),
    async '/readyz'() {
      const { ready, body } = await deps.readiness();
      return json(ready ? 200 : 503, body);
    },
    '/metrics': async () => ({
      status: 200,
      type: deps.metrics.contentType,
      text: await deps.metrics.metrics(),
    }),
  };

  async function answer(path: string, authorization: string | undefined): Promise<Answer> {
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (route === undefined) return NOT_FOUND;
    const { metricsToken } = deps;
    if (path === '/metrics' && metricsToken !== null && !bearsToken(authorization, metricsToken))
      return UNAUTHENTICATED;
    return route();
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = ''] = (request.url ?? '').split('?');
    request.resume();
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const { authorization } = request.headers;
    const answering = isRead ? answer(path, authorization) : Promise.resolve(NOT_FOUND);
    const { status, type, text } = await answering.catch((error: unknown): Answer => {
      const fields = { error, request_id: null, method: request.method, route: path };
      deps.log.error(fields, 'A request failed.');
      return json(500, { message: 'Something failed. See the log.' });
    });
    response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
    response.end(request.method === 'HEAD' ? undefined : text);
  }

  const server = createServer((request, response) => void respond(request, response));
  const closeConnections = createConnectionCloser(server);
  return {
    server,
    async listen({ host, port }: { host: string; port: number }) {
      server.listen(port, host);
      await once(server, 'listening');
    },
    async close() {
      const closed = once(server, 'close');
      closeConnections();
      server.close();
      await closed;
    },
  };
}

interface Answer {
  status: number;
  type: string;
  text: string;
}

function json(status: number, body: object): Answer {
  return { status, type: 'application/json; charset=utf-8', text: JSON.stringify(body) };
}

const NOT_FOUND = json(404, {
  message:
    'This process has no API, since ROLES leaves out api. It answers /healthz, /readyz and /metrics.',
});

export const TOKEN_MISSING = 'Send METRICS_TOKEN in the header Authorization, after "Bearer ".';
const UNAUTHENTICATED = json(401, { message: TOKEN_MISSING });

/** Whether the header Authorization bears that token. Compares hashes: the time says nothing about the token. */
export function bearsToken(authorization: string | undefined, token: string): boolean {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  return timingSafeEqual(hashOf(given), hashOf(token));
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export function readinessBody({ ready, overload, ...state }: Readiness): object {
  return {
    status: ready ? 'ready' : 'not ready',
    roles: state.roles,
    database: state.database,
    schedule_lag_ms: state.scheduleLagMs,
    checks_due: state.checksDue,
    checks_late: state.checksLate,
    rounds_in_flight: state.roundsInFlight,
    probes: state.probes,
    probe_overload: overload && {
      since: new Date(overload.since).toISOString(),
      reason: overload.reason,
    },
    quarantined_regions: state.quarantinedRegions,
    disk_low: state.diskLow,
    problems: state.problems.map(({ kind, subject, since }) => ({
      kind,
      subject,
      since: new Date(since).toISOString(),
    })),
    nats: state.isBusConnected,
  };
}
