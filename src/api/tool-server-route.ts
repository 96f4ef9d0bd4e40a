import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../identity/caller.ts';
import { accountKey, type Allowance } from '../identity/rate-limits.ts';
import { TOOL_SERVER_PATH, toolServerChallenge, toolServerOf } from '../identity/oauth-metadata.ts';
import { Problem } from '../resources/common/errors.ts';
import type { ServeTools } from '../tools/index.ts';
import { applyAllowance, authenticate } from './admission.ts';
import type { ApiDeps } from './deps.ts';
import { methodNotAllowed } from './errors.ts';

/** Headers that the protocol reads, beside its own, which begin with `mcp-`. */
const HEADERS = ['accept', 'content-type'];

/**
 * Adds the tool server for AI assistants (contract, section 50). It takes tokens and no session cookies, so a page of another
 * site can't use the session of a person.
 */
export function toolServerRoute(
  app: FastifyInstance,
  deps: Pick<ApiDeps, 'authenticator' | 'rateLimits' | 'clientKeys' | 'baseUrl'> & {
    serve: ServeTools;
  },
): void {
  const { serve, rateLimits, clientKeys, baseUrl } = deps;

  app.route({
    // Each method is refused by its own words: GET and DELETE belong to sessions, which there are none of.
    method: ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'],
    url: TOOL_SERVER_PATH,
    exposeHeadRoute: false,
    config: { hasOwnAdmission: true },
    onRequest: admit,
    handler,
  });

  /** Authenticates and counts a request before its body is read. */
  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { authorization } = request.headers;
    const resource = toolServerOf(baseUrl());
    const principal = await authenticate(deps, { authorization, resource }, request, reply);
    applyAllowance(reply, await spend(request, principal));
    if (principal === null) {
      void reply
        .code(401)
        .header('www-authenticate', toolServerChallenge(baseUrl(), authorization !== undefined))
        .send({ message: 'Unauthenticated.' });
      return;
    }
    requireOwnOrigin(request, baseUrl());
    if (request.method !== 'POST') {
      void reply.header('allow', 'POST');
      throw methodNotAllowed(request.method, ['POST']);
    }
    request.principal = { ...principal, byTool: true };
  }

  function spend(request: FastifyRequest, principal: Principal | null): Promise<Allowance> {
    return principal === null
      ? rateLimits.spend('anonymous', clientKeys.client(request.ip))
      : rateLimits.spend('tool_server', accountKey(principal.person.id));
  }

  async function handler(request: FastifyRequest, reply: FastifyReply) {
    const { body } = request;
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new Problem(
        'malformed',
        'The body must be one JSON-RPC message, an object. Batches are not accepted: send each message on its own.',
      );
    }
    const response = await serve(protocolRequest(request, baseUrl()), {
      principal: request.principal!,
      requestId: request.id,
      body,
    });
    void reply.code(response.status);
    const type = response.headers.get('content-type');
    if (type !== null) void reply.type(type);
    // Answers are short, and a client without patience can't hold a stream open.
    return reply.send(await response.text());
  }
}

/** Throws for requests from pages of other sites, which could otherwise rebind a name to this server. */
function requireOwnOrigin({ headers: { origin } }: FastifyRequest, baseUrl: string): void {
  if (origin === undefined || origin === URL.parse(baseUrl)?.origin) return;
  throw new Problem(
    'forbidden',
    'The tool server accepts no requests from web pages of other sites. Programs send no Origin header.',
  );
}

function protocolRequest({ headers }: FastifyRequest, baseUrl: string): Request {
  const names = Object.keys(headers).filter(
    (name) => HEADERS.includes(name) || name.startsWith('mcp-'),
  );
  return new Request(toolServerOf(baseUrl), {
    method: 'POST',
    headers: names.map((name): [string, string] => [name, String(headers[name])]),
  });
}
