import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidField, Problem } from '../resources/common/errors.ts';
import type { ApiDeps } from './deps.ts';
import { bearsToken, readinessBody, TOKEN_MISSING } from './system-server.ts';
import { acceptsGzip } from './static-content.ts';

/** Adds the routes for operators and their tools, which need no authentication. */
export function systemRoutes(app: FastifyInstance, deps: Pick<ApiDeps, 'readiness'>) {
  app.get('/healthz', () => ({ status: 'alive' }));

  app.get('/readyz', async (_request, reply) => {
    const readiness = await deps.readiness();
    return reply.code(readiness.ready ? 200 : 503).send(readinessBody(readiness));
  });
}

/** Where proxies ask, with the aliases that the API has. */
const PATH = '/api/v1/status-pages/tls-check';

/**
 * Adds the route that a proxy asks before it obtains a certificate (contract 41.20): 200 for a verified custom domain,
 * else 404, without a body. It is answered from memory and has no rate limit, since all handshakes of unknown names come
 * from the address of the proxy.
 */
export function tlsCheckRoute(app: FastifyInstance, { services }: Pick<ApiDeps, 'services'>): void {
  app.get(PATH, { config: { hasOwnAdmission: true } }, async (request, reply) => {
    const { domain } = request.query as { domain?: unknown };
    const isKnown = typeof domain === 'string' && (await services.isVerifiedDomain(domain));
    return reply.code(isKnown ? 200 : 404).send();
  });
}

/** Maximum number of scrapes of monitors at once; each reads all of them. */
const MAX_SCRAPES = 4;

export function metricsRoutes(
  app: FastifyInstance,
  deps: Pick<ApiDeps, 'metrics' | 'metricsToken' | 'monitorMetrics' | 'log'>,
): void {
  const { metrics, metricsToken = null, monitorMetrics, log } = deps;
  let scrapes = 0;

  /** Counts one more scrape. @returns a function that ends it, once. */
  function enter(): () => void {
    let isUnderWay = true;
    scrapes += 1;
    return () => {
      if (isUnderWay) scrapes -= 1;
      isUnderWay = false;
    };
  }

  app.get('/metrics', async (request, reply) => {
    if (metricsToken !== null) requireToken(request, metricsToken);
    return reply.type(metrics.contentType).send(await metrics.metrics());
  });

  app.get('/metrics/monitors', async (request, reply) => {
    if (metricsToken === null || monitorMetrics === undefined) {
      const message = 'Metrics of monitors are switched off. Set METRICS_TOKEN to switch them on.';
      throw new Problem('not_found', message);
    }
    requireToken(request, metricsToken);
    const filter = filterOf(request.query as Record<string, unknown>);
    if (scrapes >= MAX_SCRAPES) {
      throw new Problem('busy', 'Too many scrapes of monitors are under way. Try again later.');
    }
    const leave = enter();
    const pieces = monitorMetrics(filter);
    // The first page is read before the answer begins, so that a database that is away is a 503.
    const first = await pieces.next().catch((error: unknown) => {
      leave();
      throw error;
    });
    const text = Readable.from(withFirst(first, pieces, leave));
    // A client that leaves before the text is read never starts the generator.
    text.once('close', leave);
    text.once('error', (error) => {
      log.error({ error, request_id: request.id }, 'A file could not be sent completely.');
    });
    void reply.type(metrics.contentType).header('vary', 'accept-encoding');
    if (!acceptsGzip(request)) return reply.send(text);
    // Labels repeat: a fortieth of the size. Errors are logged where they arise, and end the answer.
    const compressed = pipeline(text, createGzip(), () => {});
    return reply.header('content-encoding', 'gzip').send(compressed);
  });
}

async function* withFirst(
  first: IteratorResult<string, void>,
  pieces: AsyncGenerator<string, void, void>,
  leave: () => void,
): AsyncGenerator<string, void, void> {
  try {
    if (!first.done) yield first.value;
    yield* pieces;
  } finally {
    leave();
  }
}

function requireToken({ headers }: FastifyRequest, token: string): void {
  if (bearsToken(headers.authorization, token)) return;
  throw new Problem('unauthenticated', TOKEN_MISSING);
}

function filterOf({ team, tag }: Record<string, unknown>) {
  if (team !== undefined && (typeof team !== 'string' || !/^[1-9]\d{0,14}$/.test(team)))
    throw invalidField('team', 'must be the id of a team');
  if (tag !== undefined && (typeof tag !== 'string' || tag === ''))
    throw invalidField('tag', 'must be one tag');
  return { teamId: team === undefined ? null : Number(team), tag: tag ?? null };
}
