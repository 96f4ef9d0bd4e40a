import { closedAfterEach } from './closing.ts';
import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import type { Insertable } from 'kysely';
import { buildApi } from '../../src/api/app.ts';
import type { ApiDeps } from '../../src/api/deps.ts';
import type { ViewResult } from '../../src/api/status/route.ts';
import { createClientKeys, createRateLimits } from '../../src/identity/rate-limits.ts';
import { createPasswordQueue } from '../../src/identity/password.ts';
import { FULL_PLANS } from '../../src/identity/plans.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createPageAccessRules } from '../../src/status-page/access.ts';
import type { DocumentSet } from '../../src/status-page/documents.ts';
import { createPages } from '../../src/status-page/pages.ts';
import type { OpenDatabase } from '../../src/store/database/database.ts';
import type { Schema } from '../../src/store/database/contract.ts';
import { readPageFacts } from '../../src/status-page/read-facts.ts';
import { LIMITS } from './api.ts';
import { giveTeam } from './deliveries.ts';
import { waitUntil } from './event-loop.ts';
import { openInMemory } from './memory-database.ts';
import { QUICK_PASSWORDS } from './quick-passwords.ts';
import { insertPage } from './status-pages.ts';
import { formsOn } from './subscribers.ts';

export interface StatusAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  text: string;
}

/** The HTTP server with public pages, on its own port. Documents are short texts. */
export interface StatusEdge {
  database: OpenDatabase;
  team: number;
  views: ViewResult[];
  faults: object[];
  call(path: string, options?: RequestOptions & { body?: string }): Promise<StatusAnswer>;
  /** Stores a page. @returns its id. */
  page(slug: string, columns?: Partial<Insertable<Schema['status_page']>>): Promise<number>;
  /** Stores a page on a verified domain, and waits until it is known. */
  pageOnDomain(
    slug: string,
    domain: string,
    columns?: Partial<Insertable<Schema['status_page']>>,
  ): Promise<number>;
  close(): Promise<void>;
}

const KEY = 'a key for tests';

async function openStatus(
  overrides: Partial<Pick<ApiDeps, 'authenticator' | 'trustProxy' | 'baseUrl'>> & {
    limits?: Partial<typeof LIMITS>;
  } = {},
): Promise<StatusEdge> {
  const { limits, ...edge } = overrides;
  const database = await openInMemory();
  const team = await giveTeam(database);
  const faults: object[] = [];
  const views: ViewResult[] = [];
  const log = { ...silentLog, error: (fields: object) => void faults.push(fields) };
  const documents: DocumentSet = {
    sourceOf: (request) => ('id' in request ? `announcement ${request.id}` : 'page'),
    read: async (pageId, request) =>
      'id' in request && request.id !== 1
        ? null
        : readPageFacts(database, pageId, systemClock.now()),
    changesAt: () => null,
    render: ({ name }) => ({
      type: name === 'summary' ? 'application/json' : 'text/html; charset=utf-8',
      body: Buffer.from(name === 'embed' ? 'short' : `${name} `.repeat(1_000)),
    }),
  };
  const clock = systemClock;
  const pages = createPages({ database, clock, log, documents });
  pages.start();
  const app = buildApi({
    services: { routes: [], subscriptionForms: formsOn(database, clock) } as never,
    authenticator: { authenticate: async () => null },
    rateLimits: createRateLimits({ limits: { ...LIMITS, ...limits }, clock }),
    clientKeys: createClientKeys(KEY),
    plans: FULL_PLANS,
    pings: {} as never,
    statusPages: {
      pages,
      access: createPageAccessRules({
        keys: [KEY],
        database,
        clock,
        baseUrl: () => 'https://up.example.com',
      }),
      passwords: createPasswordQueue(QUICK_PASSWORDS),
      onView: (result) => void views.push(result),
    },
    clock,
    baseUrl: () => 'https://up.example.com',
    readiness: () => Promise.reject(new Error('not asked')),
    metrics: new Registry(),
    log,
    ...edge,
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const page: StatusEdge['page'] = (slug, columns = {}) =>
    insertPage(database, { team_id: team, slug, ...columns });
  return {
    database,
    team,
    views,
    faults,
    page,
    async pageOnDomain(slug, domain, columns = {}) {
      const id = await page(slug, { ...columns, custom_domain: domain, domain_verified_at: 1 });
      await waitUntil(() => pages.slugOfDomain(domain) === slug);
      return id;
    },
    async call(path, { body, ...options } = {}) {
      const asking = httpRequest({ host: '127.0.0.1', port, path, agent: false, ...options });
      asking.end(body);
      const [response] = await once(asking, 'response');
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const bytes = Buffer.concat(chunks);
      const { statusCode: status, headers } = response;
      return { status, headers, bytes, text: bytes.toString() };
    },
    async close() {
      await app.close();
      await pages.stop();
      await database.close();
    },
  };
}

/** Opens servers that are closed after each test. */
export function useStatusEdges() {
  const open = closedAfterEach<StatusEdge>();
  return async (...options: Parameters<typeof openStatus>): Promise<StatusEdge> => {
    const edge = await openStatus(...options);
    open.push(edge);
    return edge;
  };
}
