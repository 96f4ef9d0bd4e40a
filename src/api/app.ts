import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { PingIngest } from '../engine/heartbeat/ingest.ts';
import type { Authenticator } from '../identity/authenticate.ts';
import type { Plans } from '../identity/plans.ts';
import type { RateLimits } from '../identity/rate-limits.ts';
import type { SignIn, SignInOffer } from '../identity/sign-in.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { Download } from '../resources/common/download.ts';
import { inTeam, Problem } from '../resources/common/errors.ts';
import type { Services } from '../resources/services.ts';
import { createAdmission } from './admission.ts';
import { parseBodies } from './body.ts';
import { proxyTrust, type ProxyTrust } from './client-address.ts';
import { errorAnswer } from './errors.ts';
import { createPathTable } from './path-table.ts';
import { pageRoutes } from './pages/routes.ts';
import { isPingTarget } from './ping/request.ts';
import { createPipelineLimit } from './pipeline.ts';
import { createPingRoute, type PingRoute } from './ping/route.ts';
import { apiRoutes, type Call, type Route } from './routes.ts';
import { referencePage } from './reference-page.ts';
import { signInRoutes } from './sign-in-route.ts';
import { systemRoutes, type Readiness } from './system-routes.ts';
import { routedUrl } from './url.ts';

export interface ApiDeps {
  services: Services;
  authenticator: Pick<Authenticator, 'authenticate'>;
  /** Sign-in routes are disabled without it. */
  signIn?: Pick<SignIn, 'handle'>;
  rateLimits: RateLimits;
  plans: Plans;
  pings: Pick<PingIngest, 'take' | 'announce'>;
  clock: Pick<Clock, 'now' | 'after' | 'clear'>;
  /** BASE_URL without a trailing slash; a function, since the port may be known only after listening. */
  baseUrl: () => string;
  readiness: () => Promise<Readiness>;
  metrics: Pick<Registry, 'metrics' | 'contentType'>;
  log: Log;
  /** TRUST_PROXY. */
  trustProxy?: ProxyTrust;
  newRequestId?: () => string;
  /** Ways to sign in; password only by default. */
  signInOffer?: () => SignInOffer;
}

const PASSWORD_ONLY: SignInOffer = { providers: [], openSignup: false, canReset: false };
const MIB = 1024 * 1024;
/** Time limit for a client to send its request. */
const REQUEST_MS = 60_000;
/** Time after which an idle connection is closed. */
const KEEP_ALIVE_MS = 72_000;

/**
 * Builds the HTTP server, without listening: use `inject` or `listen`. Pings bypass the framework and can't be injected.
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
    // An id of any length gives 404, rather than an error of the router.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: Number.MAX_SAFE_INTEGER },
    rewriteUrl: ({ url = '/' }) => routedUrl(url),
    // Requests during shutdown are still served: the stages stop after the last answer.
    return503OnClosing: false,
  });
  const paths = createPathTable();

  function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { status, headers, body, isFault } = errorAnswer(error, request.id);
    if (isFault) {
      const { method, id: requestId } = request;
      deps.log.error(
        { error, requestId, method, route: request.routeOptions.url },
        'A request failed.',
      );
    }
    return reply
      .code(status)
      .headers({ 'x-request-id': request.id, ...headers })
      .send(body);
  }

  // Unknown expectations are ignored (RFC 9110, section 10.1.1).
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  app.addHook('preClose', async () => pingRoute.drain());
  app.decorateRequest('principal', null);
  parseBodies(app);
  app.addHook('onRoute', ({ method, url }) => paths.add(method, url));
  app.addHook('onRequest', createAdmission({ ...deps, paths }));
  app.setErrorHandler(sendError);
  app.setNotFoundHandler(() => {
    throw new Problem('not_found', 'There is no such path.');
  });
  for (const route of apiRoutes(deps.services)) addRoute(app, route, deps);
  if (deps.signIn !== undefined) {
    signInRoutes(app, { ...deps, signIn: deps.signIn });
  }
  systemRoutes(app, deps);
  referencePage(app, deps);
  pageRoutes(app, deps.signInOffer ?? (() => PASSWORD_ONLY));
  return app;
}

function httpServer(toApi: RequestListener, pingRoute: PingRoute): Server {
  const options = { requestTimeout: REQUEST_MS, keepAliveTimeout: KEEP_ALIVE_MS };
  const accepts = createPipelineLimit();
  return createServer(options, (request, response) => {
    if (!accepts(request, response)) return;
    if (isPingTarget(request.url ?? '')) pingRoute.handle(request, response);
    else toApi(request, response);
  });
}

function addRoute(
  app: FastifyInstance,
  route: Route,
  { baseUrl, log }: Pick<ApiDeps, 'baseUrl' | 'log'>,
): void {
  const { needs, role, budget } = route;
  app.route({
    method: route.method,
    url: `/api/v1${route.path}`,
    config: {
      access: { needs, ...(role !== undefined && { role }) },
      ...(budget && { budget }),
    },
    async handler(request, reply) {
      const answer = await route.answer(callOf(request, baseUrl()));
      reply.code(route.status ?? 200);
      return answer instanceof Download
        ? sendFile(request, reply, { file: answer, log })
        : reply.send(answer);
    },
  });
}

/** Streams a file. An error while streaming leaves the client with a truncated file. */
function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, log }: { file: Download; log: Log },
): FastifyReply {
  const text = Readable.from(request.method === 'HEAD' ? [] : file.pieces);
  text.once('error', (error) => {
    log.error({ error, requestId: request.id }, 'A file could not be sent completely.');
  });
  return reply
    .type(file.type)
    .header('content-disposition', `attachment; filename="${file.filename}"`)
    .send(text);
}

function callOf(request: FastifyRequest, baseUrl: string): Call {
  const [path = '', query = ''] = request.url.split('?', 2);
  return {
    get caller() {
      return inTeam(this.principal);
    },
    get principal() {
      if (request.principal === null) throw new Problem('unauthenticated', 'Unauthenticated.');
      return request.principal;
    },
    visitor: request.principal,
    clientAddress: request.ip,
    id: idFrom(parameterOf(request, 'id')),
    idOf: (name) => idFrom(parameterOf(request, name)),
    parameter: (name) => parameterOf(request, name),
    query: request.query as object,
    body: request.body ?? undefined,
    address: { path: baseUrl + path.replace(/\/$/, ''), query },
  };
}

function parameterOf(request: FastifyRequest, name: string): string {
  return (request.params as Record<string, string>)[name] ?? '';
}

function idFrom(text: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(id) ? id : 0;
}
