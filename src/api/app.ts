import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { PingIngest } from '../heartbeat/ingest.ts';
import type { Authenticator } from '../identity/authenticate.ts';
import type { RateLimits } from '../identity/rate-limits.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { Problem } from '../service/errors.ts';
import type { Services } from '../service/services.ts';
import { createAdmission } from './admission.ts';
import { parseBodies } from './body.ts';
import { proxyTrust, type ProxyTrust } from './client-address.ts';
import { errorAnswer } from './errors.ts';
import { createPathTable } from './path-table.ts';
import { isPingTarget } from './ping-request.ts';
import { createPipelineLimit } from './pipeline.ts';
import { createPingRoute, type PingRoute } from './ping-route.ts';
import { apiRoutes, type Route } from './routes.ts';
import { referencePage } from './reference-page.ts';
import { systemRoutes, type Readiness } from './system-routes.ts';
import { routedUrl } from './url.ts';

export interface ApiDeps {
  services: Services;
  authenticator: Pick<Authenticator, 'authenticate'>;
  rateLimits: RateLimits;
  pings: Pick<PingIngest, 'take'>;
  clock: Pick<Clock, 'now' | 'after' | 'clear'>;
  /** BASE_URL without a trailing slash; asked for late, since the port may be known only after listening. */
  baseUrl: () => string;
  readiness: () => Promise<Readiness>;
  metrics: Pick<Registry, 'metrics' | 'contentType'>;
  log: Log;
  /** TRUST_PROXY. */
  trustProxy?: ProxyTrust;
  newRequestId?: () => string;
}

const MIB = 1024 * 1024;
/** A client that sends its request slower than that is cut off. */
const REQUEST_MS = 60_000;
/** A connection that is not used so long is closed. */
const KEEP_ALIVE_MS = 72_000;

/**
 * The whole HTTP side, not yet listening: `inject` it, or `listen`. Pings don't go through the framework, and so can't
 * be injected.
 */
export function buildApi(deps: ApiDeps): FastifyInstance {
  const newRequestId = deps.newRequestId ?? randomUUID;
  const trustProxy = deps.trustProxy ?? false;
  const pingRoute = createPingRoute({ ...deps, newRequestId, trustProxy });
  const app = Fastify({
    bodyLimit: MIB,
    serverFactory: (toApi) => httpServer(toApi, pingRoute),
    genReqId: () => newRequestId(),
    trustProxy: proxyTrust(trustProxy),
    // An id of any length is one that does not exist, rather than an error of the router.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: Number.MAX_SAFE_INTEGER },
    rewriteUrl: ({ url = '/' }) => routedUrl(url),
    // What arrives while we end is still served: the stages end after the last answer.
    return503OnClosing: false,
  });
  const paths = createPathTable();

  function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { status, headers, body, isFault } = errorAnswer(error, request.id);
    if (isFault) {
      const { method, id: requestId } = request;
      deps.log.error(
        { error, requestId, method, route: request.routeOptions.url },
        'A request failed',
      );
    }
    return reply
      .code(status)
      .headers({ 'x-request-id': request.id, ...headers })
      .send(body);
  }

  // An expectation that we do not know is no reason to refuse (RFC 9110, section 10.1.1).
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  app.addHook('preClose', async () => pingRoute.drain());
  app.decorateRequest('caller', null);
  parseBodies(app);
  app.addHook('onRoute', ({ method, url }) => paths.add(method, url));
  app.addHook('onRequest', createAdmission({ ...deps, paths }));
  app.setErrorHandler(sendError);
  app.setNotFoundHandler(() => {
    throw new Problem('not_found', 'There is no such path.');
  });
  for (const route of apiRoutes(deps.services)) addRoute(app, route, deps.baseUrl);
  systemRoutes(app, deps);
  referencePage(app);
  return app;
}

function httpServer(toApi: RequestListener, pingRoute: PingRoute): Server {
  const options = { requestTimeout: REQUEST_MS, keepAliveTimeout: KEEP_ALIVE_MS };
  const isTaken = createPipelineLimit();
  return createServer(options, (request, response) => {
    if (!isTaken(request, response)) return;
    if (isPingTarget(request.url ?? '')) pingRoute.handle(request, response);
    else toApi(request, response);
  });
}

function addRoute(app: FastifyInstance, route: Route, baseUrl: () => string): void {
  app.route({
    method: route.method,
    url: `/api/v1${route.path}`,
    config: { needs: route.needs, ...(route.budget && { budget: route.budget }) },
    async handler(request, reply) {
      if (request.caller === null) throw new Problem('unauthenticated', 'Unauthenticated.');
      const [path = '', query = ''] = request.url.split('?', 2);
      const answer = await route.answer({
        caller: request.caller,
        id: idOf(request.params),
        query: request.query as object,
        body: request.body ?? undefined,
        address: { path: baseUrl() + path.replace(/\/$/, ''), query },
      });
      return reply.code(route.status ?? 200).send(answer);
    },
  });
}

function idOf(params: unknown): number {
  const text = (params as { id?: string }).id ?? '';
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(id) ? id : 0;
}
