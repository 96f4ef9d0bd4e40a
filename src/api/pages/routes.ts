import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '../security-headers.ts';
import { ACCOUNT_PAGE } from './account.ts';
import { ALERT_PAGE } from './alert.ts';
import { readAssets } from './assets.ts';
import { documentOf, type Page } from './document.ts';
import { INVITATION_PAGE, RESET_PASSWORD_PAGE, SETUP_PAGE, VERIFY_EMAIL_PAGE } from './links.ts';
import { signInPage, type SignInOffer } from './sign-in.ts';

/** Nothing that is not ours is loaded or called, and no script stands in a page itself. */
const HEADERS = {
  ...pageHeaders({
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'connect-src': "'self'",
  }),
  // Their addresses hold tokens.
  'cache-control': 'no-store',
};

/**
 * Pages for people until the dashboard takes them over. They hold no data: their scripts ask the API, by the session's
 * cookie or with the token of the link.
 *
 * @param ways how people may sign in.
 */
export function pageRoutes(app: FastifyInstance, ways: () => SignInOffer): void {
  const assets = readAssets();
  const serve = (path: string, page: () => Page) =>
    app.get(path, ({ url }, reply) => {
      const [asked = '', query] = url.split('?', 2);
      // What the page loads has addresses relative to it.
      if (asked.endsWith('/'))
        return reply.redirect(`..${path}${query === undefined ? '' : `?${query}`}`);
      const document = documentOf(page(), assets.path.slice(1));
      return reply.headers(HEADERS).type('text/html; charset=utf-8').send(document);
    });

  serve('/sign-in', () => signInPage(ways()));
  serve('/setup', () => SETUP_PAGE);
  serve('/invitation', () => INVITATION_PAGE);
  serve('/reset-password', () => RESET_PASSWORD_PAGE);
  serve('/verify-email', () => VERIFY_EMAIL_PAGE);
  serve('/account', () => ACCOUNT_PAGE);
  serve('/alert', () => ALERT_PAGE);

  // A worker sees the addresses below its own; a browser asks for it again and again, and takes a new one at once.
  const worker = assets.files.find(({ path }) => path === `${assets.path}/service-worker.js`)!;
  app.get('/service-worker.js', (_request, reply) =>
    reply.type(worker.type).header('cache-control', 'no-cache').send(worker.bytes),
  );

  for (const { path, type, bytes } of assets.files) {
    app.get(path, (_request, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=31536000, immutable').send(bytes),
    );
  }
}
