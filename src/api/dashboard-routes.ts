import { type Assets, isForVisitors, sendNotFoundPage } from './pages/routes.ts';
import { acceptedEncodings } from '../status-page/kept-document.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FILE_ENCODINGS, type DocumentName, type FirstParts } from '../dashboard/manifest.ts';
import { AUTHORIZE_PATH, CONSENT_PAGE, SIGN_IN_PAGE } from '../identity/oauth-metadata.ts';
import { Problem, RateLimited } from '../resources/common/errors.ts';
import { PAGES, VISITOR_PAGES } from './dashboard-pages.gen.ts';
import type { ApiDeps } from './deps.ts';
import { isKnown } from './entity-tags.ts';
import { documentOf, type Page } from './pages/document.ts';
import { pageHeaders } from './security-headers.ts';
import { basePathOf, pathOf } from './url.ts';
import { preferencesOf, type Preferences } from './preferred-language.ts';
import { escapeHtml } from '../lib/text.ts';

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
  {
    builds,
    assets,
    rateLimits,
    clientKeys,
    version,
    baseUrl,
  }: Pick<ApiDeps, 'rateLimits' | 'clientKeys' | 'baseUrl'> &
    Required<ApiDeps>['dashboard'] & { assets: Assets },
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
        fonts: manifest.files.map((file) => file.name).filter((file) => file.startsWith(FONT)),
        preferences,
        base,
        version,
        icon: `${base}${assets.path}/icon.svg`,
      }),
    );
  }

  // Links in mails are opened by more programs than browsers: these pages ignore what is accepted.
  for (const path of VISITOR_PAGES) app.get(path, sendPage);
  return sendPage;
}

function queryOf(url: string): string | undefined {
  return url.split('?', 2)[1];
}

/**
 * An application in a browser may open the way to connect it in a window of its own, and hears of the result from there:
 * the pages on that way leave it that window.
 */
const HEADERS_IN_WINDOW = { 'cross-origin-opener-policy': 'unsafe-none' };
const WAY_TO_CONNECT = [CONSENT_PAGE, AUTHORIZE_PATH];

/**
 * Additional headers of a page on the way to connect an application; none for other pages.
 *
 * @param path of the page, below BASE_URL. The sign-in page is on that way if it leads there.
 * @param query without the question mark.
 */
function wayToConnectHeaders(path: string, query: string | undefined, baseUrl: string) {
  const next = path === SIGN_IN_PAGE ? new URLSearchParams(query).get('next') : path;
  return leadsToConnect(next ?? '', baseUrl) ? HEADERS_IN_WINDOW : {};
}

function leadsToConnect(next: string, baseUrl: string): boolean {
  const base = basePathOf(baseUrl);
  const path = next.split('?', 1)[0]!;
  return WAY_TO_CONNECT.some((way) => path === way || path === base + way);
}

/** First parts of the paths of pages; `''` for the start page. */
const DASHBOARD = new Set(['', ...PAGES.map((path) => path.split('/')[1])]);
const ENTRY = new Set<string>(VISITOR_PAGES);

export function documentAt(path: string): DocumentName | null {
  if (ENTRY.has(path)) return 'entry';
  return DASHBOARD.has(path.split('/', 2)[1] ?? '') ? 'dashboard' : null;
}

const FILES_PATH = '/dashboard';
/** Begins the name of the font of almost all texts. Found by the style sheet, it would come after the first layout, and cost a second one. */
const FONT = 'inter-latin-wght-normal-';

const NOSCRIPT = {
  en: 'The dashboard needs JavaScript. Allow it for this address, then load the page again.',
  de: 'Diese Oberfläche braucht JavaScript. Erlaube es für diese Adresse und lade die Seite neu.',
};

/**
 * Renders the document of pages of the dashboard, which holds nothing of their data. It has no inline scripts and styles; its
 * script reads the base path and the version from the attributes of `<html>`.
 */
function dashboardDocument(parts: {
  first: FirstParts;
  /** Files that are loaded with the scripts. */
  fonts: readonly string[];
  preferences: Preferences;
  base: string;
  version: string;
  icon: string;
}): string {
  const { first, fonts, preferences, base, version, icon } = parts;
  const { language, theme } = preferences;
  const address = (name: string) => escapeHtml(`${base}${FILES_PATH}/${name}`);
  const attributes = [
    `lang="${language}"`,
    ...(theme === null ? [] : [`data-theme="${theme}"`]),
    `data-base="${escapeHtml(base)}"`,
    `data-version="${escapeHtml(version)}"`,
  ];
  return `<!doctype html>
<html ${attributes.join(' ')}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme ?? 'light dark'}">
<meta name="robots" content="noindex">
<title>Tocsin</title>
<link rel="icon" href="${escapeHtml(icon)}" type="image/svg+xml">
${first.styles.map((name) => `<link rel="stylesheet" href="${address(name)}">\n`).join('')}${first.preloads
    .map((name) => `<link rel="modulepreload" href="${address(name)}">\n`)
    .join('')}${fonts
    .map(
      (name) =>
        `<link rel="preload" href="${address(name)}" as="font" type="font/woff2" crossorigin>\n`,
    )
    .join('')}<script type="module" src="${address(first.script)}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p>${NOSCRIPT[language]}</p></noscript>
</body>
</html>
`;
}

/** Page that is shown in place of the dashboard while there is none. */
const NOT_BUILT_PAGE: Page = {
  title: 'No dashboard',
  main: `<h1>The dashboard could not be built</h1>
<p>Tocsin works: it checks, notifies and answers its API. What is missing is its dashboard: the pages to sign in, to set up and of the links in mails and messages are part of it.</p>
<p>If you operate this installation: the log has the reason, in the line “The dashboard could not be built.” Correct it, run <code>npm run build</code> in the folder of Tocsin to try, then restart Tocsin.</p>`,
};
