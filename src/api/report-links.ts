import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '../lib/text.ts';
import type { ReportMailLinks } from '../resources/reports/mail-links.ts';
import { skipBody } from './read-body.ts';
import { pageHeaders } from './security-headers.ts';
import { documentOf } from './pages/document.ts';

const HEADERS = {
  ...pageHeaders({ 'style-src': "'self'", 'img-src': "'self' data:", 'form-action': "'self'" }),
  // The address holds a token.
  'cache-control': 'no-store',
};
const MAX_BODY = 16_384;

/**
 * Pages that the links in mails of reports lead to: `/report` is the file, `/report-unsubscribe` asks before it removes a
 * recipient, since mail scanners open links. Its POST is also the one-click unsubscription of mail programs (RFC 8058).
 * They work without scripts.
 */
export function reportLinkRoutes(
  app: FastifyInstance,
  { links, assets }: { links: ReportMailLinks; assets: string },
): void {
  const page = (reply: FastifyReply, status: number, title: string, main: string) =>
    reply
      .code(status)
      .headers(HEADERS)
      .type('text/html; charset=utf-8')
      .send(documentOf({ title, main }, assets));

  const gone = (reply: FastifyReply, text: string) =>
    page(reply, 404, 'Link not valid', `<h1>This link is not valid</h1>\n<p>${text}</p>`);

  app.get('/report', async (request, reply) => {
    const file = await links.file(tokenOf(request));
    if (file === null)
      return gone(reply, 'It has expired or is not complete. Ask the sender for a new report.');
    return reply
      .headers({
        'cache-control': 'private, no-store',
        'content-disposition': `inline; filename="${file.name}"`,
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
        'referrer-policy': 'no-referrer',
      })
      .type(file.type)
      .send(Buffer.from(file.bytes));
  });

  app.get('/report-unsubscribe', async (request, reply) => {
    const name = await links.preview(tokenOf(request));
    if (name === null)
      return gone(reply, 'The report no longer exists, or the link is not complete.');
    return page(
      reply,
      200,
      'Stop mails',
      `<h1>Stop these mails?</h1>
<p>You get the report “${escapeHtml(name)}” by mail.</p>
<form method="post"><button type="submit">Stop these mails</button></form>`,
    );
  });

  void app.register(async (scope) => {
    // What a mail program sends along does not matter: the token is in the address.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', async (_: FastifyRequest, payload: FastifyRequest['raw']) => {
      await skipBody(payload, { limit: MAX_BODY });
    });
    scope.post('/report-unsubscribe', async (request, reply) => {
      const isDone = await links.unsubscribe(tokenOf(request), request.ip);
      if (!isDone) return gone(reply, 'The report no longer exists, or the link is not complete.');
      return page(
        reply,
        200,
        'Unsubscribed',
        '<h1>You are unsubscribed</h1>\n<p>You get no more mails with this report.</p>',
      );
    });
  });
}

function tokenOf({ query }: FastifyRequest): string {
  const { token } = query as Record<string, unknown>;
  return typeof token === 'string' ? token : '';
}
