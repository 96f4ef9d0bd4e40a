import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Dashboard } from '../../dashboard/dashboard.ts';
import { FILE_ENCODINGS } from '../../dashboard/manifest.ts';
import type { ClientKeys } from '../../identity/client-keys.ts';
import type { RateLimits } from '../../identity/rate-limits.ts';
import { Problem, RateLimited } from '../../resources/common/errors.ts';
import { isKnown } from '../entity-tags.ts';
import { documentOf } from '../pages/document.ts';
import { isForVisitors, sendNotFoundPage, type Assets } from '../pages/routes.ts';
import { pageHeaders } from '../security-headers.ts';
import { acceptedEncodings } from '../../status-page/kept-document.ts';
import { basePathOf, pathOf } from '../url.ts';
import { dashboardDocument, FILES_PATH, NOT_BUILT_PAGE } from './document.ts';
import { documentAt, ENTRY_PATHS } from './paths.ts';
import { preferencesOf } from './preferences.ts';
import { wayToConnectHeaders } from './way-to-connect.ts';

export interface DashboardRouteDeps {
  builds: Dashboard;
  assets: Assets;
  rateLimits: RateLimits;
  clientKeys: ClientKeys;
  version: string;
  /** BASE_URL without a trailing slash. */
  baseUrl: () => string;
}

/** Names of files contain their hash. */
const FOREVER = 'public, max-age=31536000, immutable';

/**
 * The dashboard loads and calls this server only. Its libraries set styles through the object model, which the policy
 * allows; a `style` attribute in HTML it would not.
 */
const HEADERS = {
  ...pageHeaders({
    'script-src': "'self'",
    'style-src': "'self'",
    'font-src': "'self'",
    'img-src': "'self' data: blob:",
    'connect-src': "'self'",
    // Status pages beside their editor.
    'frame-src': "'self'",
    'worker-src': "'self'",
    'manifest-src': "'self'",
  }),
  // Addresses of some pages contain tokens.
  'cache-control': 'no-store',
};

/**
 * Adds the files of the dashboard, and its pages for visitors. Requests for them are not counted: each has its answer in memory, and a page that loads
 * twenty of them must not be refused in the middle. Requests for other files count as visits do.
 *
 * @returns a function that answers a browser's request for a page that no route has.
 */
export function dashboardRoutes(
  app: FastifyInstance,
  { builds, assets, rateLimits, clientKeys, version, baseUrl }: DashboardRouteDeps,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  app.get(`${FILES_PATH}/:name`, { config: { hasOwnAdmission: true } }, async (request, reply) => {
    const { name } = request.params as { name: string };
    const file = await builds.file(name);
    if (file === null) {
      const spent = await rateLimits.spend('web', clientKeys.client(request.ip));
      if (!spent.allowed) throw new RateLimited(spent.limit, spent.retryAfter);
      throw new Problem('not_found', 'There is no such file. Load the page again.');
    }
    const etag = `W/"${name}"`;
    const caching = { etag, vary: 'accept-encoding', 'cache-control': FOREVER };
    const known = request.headers['if-none-match'];
    if (known !== undefined && isKnown(known, etag)) return reply.headers(caching).code(304).send();
    const accepted = acceptedEncodings(request.headers['accept-encoding']?.toString());
    const encoding =
      FILE_ENCODINGS.find((one) => accepted.includes(one) && file.encoded[one] !== undefined) ??
      null;
    // Before the headers: an error must not be cached, nor be sent as encoded.
    const bytes = await file.read(encoding);
    if (encoding !== null) void reply.header('content-encoding', encoding);
    return reply.headers(caching).type(file.type).send(bytes);
  });

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const path = pathOf(request.url).replace(/(?<=.)\/$/, '');
    const name = documentAt(path);
    const manifest = await builds.manifest();
    if (name === null && (manifest === null || isForVisitors(path)))
      return sendNotFoundPage(request, reply, { assets, baseUrl: baseUrl() });
    const base = basePathOf(baseUrl());
    void reply
      .headers({ ...HEADERS, ...wayToConnectHeaders(path, queryOf(request.url), baseUrl()) })
      .type('text/html; charset=utf-8');
    if (manifest === null) {
      return reply.code(503).send(documentOf(NOT_BUILT_PAGE, base + assets.path));
    }
    const preferences = preferencesOf(request.headers);
    return reply.code(name === null ? 404 : 200).send(
      dashboardDocument({
        first: manifest.documents[preferences.language][name ?? 'dashboard'],
        preferences,
        base,
        version,
        icon: `${base}${assets.path}/icon.svg`,
      }),
    );
  }

  // Links in mails are opened by more programs than browsers: these pages ignore what is accepted.
  for (const path of ENTRY_PATHS) app.get(path, sendPage);
  return sendPage;
}

function queryOf(url: string): string | undefined {
  return url.split('?', 2)[1];
}
