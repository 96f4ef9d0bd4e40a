import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import type { Log } from '../lib/log.ts';
import { bearsToken, TOKEN_MISSING } from './bearer-token.ts';
import { createConnectionCloser } from './close-connections.ts';

export interface SystemServerDeps {
  /** Body of `/readyz`, and whether the process can do its work. */
  readiness(): Promise<{ ready: boolean; body: object }>;
  metrics: Pick<Registry, 'metrics' | 'contentType'>;
  /** METRICS_TOKEN; null when it is not set. */
  metricsToken: string | null;
  log: Log;
}

/** Server of a process without the role `api`: for those who supervise it. */
export interface SystemServer {
  listen(place: { host: string; port: number }): Promise<void>;
  close(): Promise<void>;
  readonly server: Server;
}

/** Creates a server of `/healthz`, `/readyz` and `/metrics`. */
export function createSystemServer(deps: SystemServerDeps): SystemServer {
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
    async listen({ host, port }) {
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

const UNAUTHENTICATED = json(401, { message: TOKEN_MISSING });
