import { readAssets, assetRoutes, sendNotFoundPage, wantsPage } from './pages/routes.ts';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { NO_DASHBOARD } from '../dashboard/dashboard.ts';
import type { Log } from '../lib/log.ts';
import { createSharedTurns, type SharedTurns } from '../lib/turns.ts';
import { Download } from '../resources/common/download.ts';
import { Prepared } from '../resources/common/prepared.ts';
import { objectOf, WrittenJson } from '../resources/common/written-json.ts';
import { EventStream } from '../resources/common/event-stream.ts';
import { inTeam, Problem } from '../resources/common/errors.ts';
import { configurationSchema } from '../resources/configuration/schema.ts';
import { COLLECTIONS } from '../resources/nouns.ts';
import { createTools } from '../tools/index.ts';
import { createAdmission } from './admission.ts';
import { reportAnswers } from './answered.ts';
import { parseBodies } from './body.ts';
import { boundAnswers, createAnswerMemory } from './answer-memory.ts';
import { createBodyMemory } from './body-memory.ts';
import { proxyTrust } from './client-address.ts';
import type { ApiDeps } from './deps.ts';
import { errorAnswer, logFault } from './errors.ts';
import { createConditions, sendTagged, sendWritten } from './entity-tags.ts';
import { sendCompressed, sendPrepared, staticContent } from './static-content.ts';
import {
  createHostCheck,
  createParserErrorHandler,
  createPipelineLimit,
  createConnectionCloser,
} from './close-connections.ts';
import { createEventStreams, type EventStreams } from './event-streams.ts';
import { createOnce } from './idempotency.ts';
import { nameIgnoredFields } from './ignored-fields.ts';
import { metricsRoutes, tlsCheckRoute, systemRoutes } from './system-routes.ts';
import { dashboardRoutes } from './dashboard-routes.ts';
import { createPathTable } from './path-table.ts';
import { readAliasTarget } from '../engine/heartbeat/aliases.ts';
import { isPingTarget } from './ping-request.ts';
import { createPingRoute, type PingRoute } from './ping-route.ts';
import { oauthRoutes } from './oauth-routes.ts';
import { createStatusRoute, type StatusRoute } from './status/route.ts';
import { subscribeRoutes } from './status/subscribe-routes.ts';
import { pageSignInRoute } from './status/sign-in-route.ts';
import { reportLinkRoutes } from './report-links.ts';
import type { Call, Route } from '../resources/common/operation.ts';
import { referencePage } from './reference/page.ts';
import { signInRoutes } from './sign-in-route.ts';
import { toolServerRoute } from './tool-server-route.ts';
import { routedUrl } from './url.ts';

interface RouteTools {
  once: ReturnType<typeof createOnce>;
  requireMatch: ReturnType<typeof createConditions>;
  eventStreams: EventStreams;
  turns: SharedTurns;
}

const JOB_WRAPPER = new URL('../../examples/tocsin-run', import.meta.url);
const MIB = 1024 * 1024;
const REQUEST_MS = 60_000;
const KEEP_ALIVE_MS = 72_000;

/**
 * Builds the HTTP server, without listening: use `inject` or `listen`. Pings bypass the framework and can't be injected.
 */
export function buildApi(deps: ApiDeps): FastifyInstance {
  const newRequestId = deps.newRequestId ?? randomUUID;
  const trustProxy = deps.trustProxy ?? false;
  const bodyMemory = createBodyMemory(deps.clock);
  const pingRoute = createPingRoute({ ...deps, newRequestId, trustProxy, bodyMemory });
  const { statusPages } = deps;
  const statusRoute =
    statusPages === undefined
      ? null
      : createStatusRoute({
          ...deps,
          ...statusPages,
          newRequestId,
          trustProxy,
        });
  const app = Fastify({
    bodyLimit: MIB,
    serverFactory: (toApi) =>
      httpServer(toApi, { pingRoute, statusRoute }, createHostCheck({ ...deps, newRequestId })),
    clientErrorHandler: createParserErrorHandler({ ...deps, newRequestId }),
    genReqId: () => newRequestId(),
    trustProxy: proxyTrust(trustProxy),
    // An id of any length gives 404, rather than an error of the router.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: Number.MAX_SAFE_INTEGER },
    rewriteUrl: ({ url = '/' }) => routedUrl(url),
    // Requests during shutdown are still served: the stages stop after the last answer.
    return503OnClosing: false,
  });
  const paths = createPathTable();
  const eventStreams = createEventStreams(deps);
  const assets = readAssets();

  function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { status, headers, body, isFault } = errorAnswer(error, request.id);
    if (isFault) logFault(deps.log, error, request);
    if (status === 404 && wantsPage(request)) {
      return sendNotFoundPage(request, reply, { assets, baseUrl: deps.baseUrl() });
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
  const closeConnections = createConnectionCloser(app.server);
  app.addHook('preClose', async () => {
    pingRoute.drain();
    statusRoute?.drain();
    eventStreams.drain();
    closeConnections();
  });
  app.decorateRequest('principal', null);
  parseBodies(app, bodyMemory);
  boundAnswers(app, createAnswerMemory());
  app.addHook('onRoute', ({ method, url }) => paths.add(method, url));
  reportAnswers(app, deps);
  app.addHook('onRequest', createAdmission({ ...deps, paths }));
  app.setErrorHandler(sendError);
  const sendPage = dashboardRoutes(app, {
    ...deps,
    ...(deps.dashboard ?? { builds: NO_DASHBOARD, version: '' }),
    assets,
  });
  // Only requests of browsers for pages get here: admission refuses others.
  app.setNotFoundHandler(sendPage);
  const { routes } = deps.services;
  const once = createOnce({ requests: deps.services.idempotentRequests, routes, log: deps.log });
  const requireMatch = createConditions({ routes, snapshot: deps.services.snapshotOfChanges });
  const tools = { ...deps, once, requireMatch, eventStreams, turns: createSharedTurns() };
  for (const route of routes) addRoute(app, route, tools);
  if (deps.signIn !== undefined) {
    signInRoutes(app, { ...deps, signIn: deps.signIn });
  }
  if (deps.oauth !== undefined) oauthRoutes(app, { ...deps, oauth: deps.oauth, bodyMemory });
  if (statusPages !== undefined) {
    pageSignInRoute(app, { ...deps, ...statusPages, bodyMemory });
    subscribeRoutes(app, { ...deps, ...statusPages, bodyMemory });
  }
  if (deps.toolServer !== undefined) {
    const serve = createTools({ ...deps, ...deps.toolServer, routes });
    toolServerRoute(app, { ...deps, serve });
  }
  systemRoutes(app, deps);
  tlsCheckRoute(app, deps);
  metricsRoutes(app, deps);
  // A machine with curl can install the wrapper for jobs from here.
  app.get(
    '/tocsin-run',
    staticContent('text/x-shellscript; charset=utf-8', () => readFile(JOB_WRAPPER)),
  );
  app.get(
    '/schemas/configuration.json',
    staticContent('application/schema+json', () =>
      Buffer.from(JSON.stringify(configurationSchema(COLLECTIONS))),
    ),
  );
  referencePage(app, { ...deps, assets: assets.path });
  reportLinkRoutes(app, { links: deps.services.reportMailLinks, assets: assets.path.slice(1) });
  assetRoutes(app, assets);
  return app;
}

function httpServer(
  toApi: RequestListener,
  { pingRoute, statusRoute }: { pingRoute: PingRoute; statusRoute: StatusRoute | null },
  hasHost: ReturnType<typeof createHostCheck>,
): Server {
  const options = {
    requestTimeout: REQUEST_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Node would answer without a word.
    requireHostHeader: false,
  };
  const accepts = createPipelineLimit();
  return createServer(options, (request, response) => {
    if (!accepts(request, response) || !hasHost(request, response)) return;
    // Comes first: on the custom domain of a page there is nothing else.
    if (statusRoute?.handle(request, response, toApi)) return;
    const { url = '' } = request;
    const alias = readAliasTarget(url);
    if (alias !== null || isPingTarget(url)) pingRoute.handle(request, response, alias);
    else toApi(request, response);
  });
}

function addRoute(
  app: FastifyInstance,
  route: Route,
  {
    baseUrl,
    log,
    once,
    requireMatch,
    eventStreams,
    turns,
  }: Pick<ApiDeps, 'baseUrl' | 'log'> & RouteTools,
): void {
  const { needs, role, budget, bodyLimit } = route;
  app.route({
    method: route.method,
    url: `/api/v1${route.path}`,
    ...(bodyLimit !== undefined && { bodyLimit }),
    config: {
      access: { needs, ...(role !== undefined && { role }) },
      ...(budget && { budget }),
    },
    async handler(request, reply) {
      await turns.enter();
      const answer = (one: Route, id?: number) => one.handle(callOf(request, baseUrl(), id));
      const read = async (one: Route, id?: number) => objectOf(await answer(one, id));
      const handle = async () => {
        await requireMatch(request, route, read);
        return nameIgnoredFields(request, reply, () => answer(route));
      };
      const { status, body } = await once(request, reply, { route, handle, read });
      // Writing a large answer takes as long as reading it.
      await turns.pause();
      if (body instanceof EventStream)
        return eventStreams.send(request, reply, { stream: body, access: route });
      reply.code(status);
      if (body instanceof Download) return sendFile(request, reply, { file: body, log });
      if (body instanceof WrittenJson) return sendWritten(request, reply, body);
      if (body instanceof Prepared) return sendPrepared(request, reply, body);
      if (route.isCompressed) {
        const text = JSON.stringify(body);
        return sendCompressed(request, reply, new Prepared(Buffer.from(text), text));
      }
      return sendTagged(request, reply, { body, changing: route.changing });
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
    // Log: The client got a truncated file.
    log.error({ error, request_id: request.id }, 'A file could not be sent completely.');
  });
  return reply
    .type(file.type)
    .header('content-disposition', `attachment; filename="${file.filename}"`)
    .send(text);
}

/** @param id by default the one in the path. */
function callOf(
  request: FastifyRequest,
  baseUrl: string,
  id = idFrom(parameterOf(request, 'id')),
): Call {
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
    lastEventId: lastEventIdOf(request),
    ifMatch: request.headers['if-match'] ?? null,
    clientAddress: request.ip,
    id,
    idOf: (name) => idFrom(parameterOf(request, name)),
    parameter: (name) => parameterOf(request, name),
    query: request.query as object,
    body: request.body ?? undefined,
    address: { path: baseUrl + path.replace(/\/$/, ''), query },
  };
}

function lastEventIdOf({ headers }: FastifyRequest): string | null {
  const sent = headers['last-event-id'];
  return typeof sent === 'string' && sent !== '' ? sent : null;
}

function parameterOf(request: FastifyRequest, name: string): string {
  return (request.params as Record<string, string>)[name] ?? '';
}

function idFrom(text: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(id) ? id : 0;
}
