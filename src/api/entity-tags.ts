import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Precondition, Principal } from '../identity/caller.ts';
import { preconditionFailed } from '../resources/common/precondition.ts';
import type { Changing } from '../resources/common/changing.ts';
import type { Route } from '../resources/common/operation.ts';
import type { WrittenJson } from '../resources/common/written-json.ts';

type Resource = Record<string, unknown>;

/** Reads by another route what the path of the request names. */
type Read = (route: Route) => object | Promise<object | void>;

/** An answer that is one resource; null for lists and other objects. */
export function resourceIn(body: unknown): Resource | null {
  const isResource = typeof body === 'object' && body !== null && Object.hasOwn(body, 'id');
  return isResource ? (body as Resource) : null;
}

/** Entity tag of a resource: a hash of its settings and one of its state, so that a tag shows which of them changed. */
export function tagOf(resource: Resource, { own, ofItems }: Changing): string {
  let settings = '';
  let state = '';
  for (const [name, value] of Object.entries(resource)) {
    const text = `${name}=${textOf(value)};`;
    const keys = ofItems[name];
    if (keys !== undefined) {
      settings += `${name}=${textOf(withoutKeys(value, keys))};`;
      state += text;
    } else if (own.has(name)) state += text;
    else settings += text;
  }
  return `"${shortHash(settings)}.${shortHash(state)}"`;
}

function withoutKeys(items: unknown, keys: readonly string[]): unknown {
  if (!Array.isArray(items)) return items;
  return (items as Resource[]).map((item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !keys.includes(name))),
  );
}

/** Different texts for different values. Most are short, and joining them costs half of writing JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return `${value.length}:${value}`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function shortHash(text: string): string {
  return hash('sha1', text, 'base64url').slice(0, 16);
}

/** Tags of a conditional header, without quotes; `*` stands alone. Proxies that compress make tags weak: that is ignored. */
function tagsIn(header: string): string[] {
  if (header.trim() === '*') return ['*'];
  return [...header.matchAll(/"([!#-~]*)"/g)].map(([, tag = '']) => tag);
}

/** Whether a client that sends this `If-None-Match` has the content with that tag (weak comparison, RFC 9110, 8.8.3.2). */
export function isKnown(header: string, tag: string): boolean {
  const tags = tagsIn(header);
  return tags.includes('*') || tags.includes(unquoted(tag));
}

const unquoted = (tag: string) => tag.replace(/^W\//, '').slice(1, -1);
const settingsPart = (tag: string) => tag.split('.', 1)[0]!;

/** Sends an answer with its tag, or 304 without a body when the client has it already. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, changing }: { body: object | void; changing: Changing },
): FastifyReply {
  const resource = resourceIn(body);
  if (resource === null) return reply.send(body);
  const tag = tagOf(resource, changing);
  void reply.header('etag', tag);
  const known = request.headers['if-none-match'];
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || known === undefined) return reply.send(body);
  return isKnown(known, tag) ? reply.code(304).send() : reply.send(body);
}

/** Sends an answer that is written already. */
export function sendWritten(_request: FastifyRequest, reply: FastifyReply, { json }: WrittenJson) {
  return reply.type('application/json; charset=utf-8').send(json);
}

/** Reads with the permission to read, which a token that changes need not have: only the comparison shows. */
async function asReader<T>(
  request: FastifyRequest,
  principal: Principal,
  read: () => T | Promise<T>,
): Promise<T> {
  request.principal = { ...principal, permissions: [...principal.permissions, 'read'] };
  try {
    return await read();
  } finally {
    request.principal = principal;
  }
}

/** How the resource that a path names is read: by a route of its own, or in another answer. */
interface Reader {
  route: Route;
  find: (body: unknown, parameters: Record<string, string>) => Resource | null;
}

/** The resource of that id in a list of all. */
function inList(parameter: string): Reader['find'] {
  return (body, parameters) => {
    const { data = [] } = body as { data?: Resource[] };
    return data.find((one) => String(one['id']) === parameters[parameter]) ?? null;
  };
}

/** The account of the caller, in the answer about who that is. */
const ACCOUNT: Pick<Route, 'path'> & Pick<Reader, 'find'> = {
  path: '',
  find: (body) => resourceIn((body as { user?: unknown }).user),
};

export interface ConditionDeps {
  routes: readonly Route[];
  /** Remembers which changes were recorded so far. */
  snapshot: () => Promise<Precondition>;
}

/**
 * Makes a function that compares `If-Match` with the resource that a changing request names (contract 1.33). Throws a
 * Problem when it differs. The change itself checks that nothing has happened in between.
 */
export function createConditions({ routes, snapshot }: ConditionDeps) {
  const reading = new Map(
    routes.filter(({ method }) => method === 'GET').map((route) => [route.path, route]),
  );

  function readerOf({ path, method }: Pick<Route, 'path' | 'method'>): Reader | null {
    if (path === '/account') return { route: reading.get(ACCOUNT.path)!, find: ACCOUNT.find };
    const parts = path.split('/');
    // A resource of which there is one, such as the SLO of a monitor.
    const itself = reading.get(path);
    if (itself !== undefined && !parts.at(-1)!.startsWith(':') && method !== 'POST')
      return { route: itself, find: resourceIn };
    for (; parts.length > 0; parts.pop()) {
      const parameter = parts.at(-1)!;
      if (!parameter.startsWith(':')) continue;
      const own = reading.get(parts.join('/'));
      if (own !== undefined) return { route: own, find: resourceIn };
      const list = reading.get(parts.slice(0, -1).join('/'));
      if (list !== undefined) return { route: list, find: inList(parameter.slice(1)) };
    }
    return null;
  }

  return async function requireMatch(
    request: FastifyRequest,
    route: Route,
    read: Read,
  ): Promise<void> {
    const sent = request.headers['if-match'];
    if (sent === undefined || route.method === 'GET' || request.principal === null) return;
    const reader = readerOf(route);
    // A collection has no tag.
    if (reader === null) return;
    const precondition = await snapshot();
    const body = (await asReader(request, request.principal, () => read(reader.route))) ?? {};
    const resource = reader.find(body, request.params as Record<string, string>);
    // What does not exist is refused as without If-Match.
    if (resource === null) return;
    const tags = tagsIn(sent);
    if (tags.includes('*')) return;
    const current = settingsPart(unquoted(tagOf(resource, reader.route.changing)));
    if (!tags.some((tag) => settingsPart(tag) === current)) throw preconditionFailed();
    // A copy, as callers are cached.
    request.principal = { ...request.principal, precondition };
  };
}
