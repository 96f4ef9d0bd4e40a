import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Authenticator } from '../identity/authenticate.ts';
import type { Caller } from '../identity/caller.ts';
import type { Log } from '../lib/log.ts';
import { authorise, Problem } from '../service/errors.ts';
import type { Services } from '../service/services.ts';
import { parseBodies } from './body.ts';
import { errorAnswer } from './errors.ts';
import { createPathTable } from './path-table.ts';
import { apiRoutes, type Route } from './routes.ts';
import { systemRoutes, type Readiness } from './system-routes.ts';

export interface ApiDeps {
  services: Services;
  authenticator: Pick<Authenticator, 'authenticate'>;
  /** BASE_URL without a trailing slash; asked for late, since the port may be known only after listening. */
  baseUrl: () => string;
  readiness: () => Promise<Readiness>;
  metrics: Pick<Registry, 'metrics' | 'contentType'>;
  log: Log;
  /** TRUST_PROXY. */
  trustProxy?: boolean | number | string[];
  newRequestId?: () => string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route of the API. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** Undefined on routes that anybody may call. */
    needs?: Route['needs'];
  }
}

const MIB = 1024 * 1024;
/** `/api/...` is the same as `/api/v1/...` (completions, section 1). */
const UNVERSIONED = /^\/api(?!\/v1(?:[/?]|$))(?=[/?]|$)/;
/** A client that sends its request slower than that is cut off. */
const REQUEST_MS = 60_000;

/** The whole HTTP side, not yet listening: `inject` it, or `listen`. */
export function buildApi(deps: ApiDeps): FastifyInstance {
  const newRequestId = deps.newRequestId ?? randomUUID;
  const app = Fastify({
    bodyLimit: MIB,
    requestTimeout: REQUEST_MS,
    genReqId: () => newRequestId(),
    trustProxy: proxyTrust(deps.trustProxy ?? false),
    // An id of any length is one that does not exist, rather than an error of the router.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16 * 1024 },
    rewriteUrl: ({ url = '/' }) => url.replace(UNVERSIONED, '/api/v1'),
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
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

  /** Who calls comes first, then whether there is such a route, then whether they may (completions, section 1). */
  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const { needs } = request.routeOptions.config;
    const path = request.url.split('?', 1)[0] ?? '/';
    const isApi = request.is404 ? isApiPath(path) : needs !== undefined;
    if (isApi) {
      request.caller = await deps.authenticator.authenticate(request.headers.authorization);
      if (request.caller === null) throw new Problem('unauthenticated', 'Unauthenticated.');
    }
    if (request.is404) throw refuseRoute(path, request, reply);
    if (request.caller !== null && needs !== undefined && needs !== 'token')
      authorise(request.caller, needs);
  }

  function refuseRoute(path: string, request: FastifyRequest, reply: FastifyReply): Problem {
    const allowed = paths.methodsOf(path);
    if (allowed.length === 0 || allowed.includes(request.method)) {
      return new Problem(
        'not_found',
        'There is no such path. See the API documentation for those there are.',
      );
    }
    void reply.header('allow', allowed.join(', '));
    return new Problem(
      'method_not_allowed',
      `${request.method} is not possible here: use ${allowed.join(', ')}.`,
    );
  }

  app.decorateRequest('caller', null);
  parseBodies(app);
  app.addHook('onRoute', ({ method, url }) => paths.add(method, url));
  app.addHook('onRequest', admit);
  app.setErrorHandler(sendError);
  app.setNotFoundHandler(() => {
    throw new Problem('not_found', 'There is no such path.');
  });
  for (const route of apiRoutes(deps.services)) addRoute(app, route, deps.baseUrl);
  systemRoutes(app, deps);
  return app;
}

function addRoute(app: FastifyInstance, route: Route, baseUrl: () => string): void {
  app.route({
    method: route.method,
    url: `/api/v1${route.path}`,
    config: { needs: route.needs },
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

/** A number is how many proxies in a row are believed, counted from us. */
function proxyTrust(rule: boolean | number | string[]) {
  return typeof rule === 'number' ? (_address: string, hop: number) => hop < rule : rule;
}

function isApiPath(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

function idOf(params: unknown): number {
  const text = (params as { id?: string }).id ?? '';
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(id) ? id : 0;
}
