import type { FastifyInstance } from 'fastify';
import type { Services } from '../resources/services.ts';

/** Where proxies ask, with the aliases that the API has. */
const PATH = '/api/v1/status-pages/tls-check';

/**
 * Adds the route that a proxy asks before it obtains a certificate (contract 41.20): 200 for a verified custom domain,
 * else 404, without a body. It is answered from memory and has no rate limit, since all handshakes of unknown names come
 * from the address of the proxy.
 */
export function tlsCheckRoute(
  app: FastifyInstance,
  { services }: { services: Pick<Services, 'isVerifiedDomain'> },
): void {
  app.get(PATH, { config: { hasOwnAdmission: true } }, async (request, reply) => {
    const { domain } = request.query as { domain?: unknown };
    const isKnown = typeof domain === 'string' && (await services.isVerifiedDomain(domain));
    return reply.code(isKnown ? 200 : 404).send();
  });
}
