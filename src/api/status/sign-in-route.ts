import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ClientKeys, beginSignIn, type RateLimits } from '../../identity/rate-limits.ts';
import { type PasswordQueue, TooManyPasswords, PASSWORD_LENGTH } from '../../identity/password.ts';
import { Problem } from '../../resources/common/errors.ts';
import type { PageAccessRules, PageRouting } from '../../status-page/access.ts';
import { parsePublicPath } from '../../status-page/facts/paths.ts';
import { DOCUMENTS } from '../../status-page/facts/urls.ts';
import type { Pages } from '../../status-page/pages.ts';
import { renderSignIn } from '../../status-page/render/message-page.ts';
import { wordsOf } from '../../status-page/render/words/index.ts';
import type { BodyMemory } from '../body-memory.ts';
import { basePathOf } from '../url.ts';
import { formOf, MAX_FORM_BYTES, requireOwnForm, sendPage, takeForms } from './form.ts';
import { domainSlugOf, PREFIX } from './site.ts';

/** Adds the route that takes the password of a page (contract 42.23). */
export function pageSignInRoute(
  app: FastifyInstance,
  deps: {
    pages: Pages;
    access: PageAccessRules;
    passwords: Pick<PasswordQueue, 'verify'>;
    rateLimits: RateLimits;
    clientKeys: ClientKeys;
    bodyMemory: BodyMemory;
    baseUrl: () => string;
  },
): void {
  const { pages, access, passwords, baseUrl } = deps;

  async function signIn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    requireOwnForm(request);
    const { slug } = request.params as { slug: string };
    const routing = await pages.find(slug);
    if (routing === null || routing.access.type !== 'password')
      throw new Problem('not_found', 'There is no such page with a password.');
    const form = formOf(request);
    const returnTo = returnToOf(form.get('return_to') ?? '', slug);
    const password = form.get('password') ?? '';
    const outcome = await attempt(routing, password, request.ip);
    if (outcome !== 'right') return refuse(reply, slug, { outcome, returnTo });
    const isOnDomain = domainSlugOf(pages, request.headers) === slug;
    const path = isOnDomain ? '/' : `${basePathOf(baseUrl())}${PREFIX.slice(0, -1)}`;
    return reply
      .code(303)
      .header('set-cookie', access.cookie(routing, path))
      .header('location', `../${returnTo}`)
      .send();
  }

  /** Guesses are counted for the client and the page: nobody can lock others out. */
  async function attempt(routing: PageRouting, password: string, address: string) {
    const hash = routing.access.password;
    if (hash === null || password === '' || password.length > 2 * PASSWORD_LENGTH.maximum)
      return 'wrong';
    const tried = await beginSignIn(deps, { address, email: `status page ${routing.id}` });
    if (!tried.allowance.allowed) return 'tooMany';
    try {
      if (await passwords.verify({ hash, password }, address)) {
        await tried.giveBack();
        return 'right';
      }
    } catch (error) {
      if (!(error instanceof TooManyPasswords)) throw error;
      await tried.giveBack();
      return 'tooMany';
    }
    await tried.fail();
    return 'wrong';
  }

  async function refuse(
    reply: FastifyReply,
    slug: string,
    { outcome, returnTo }: { outcome: 'wrong' | 'tooMany'; returnTo: string },
  ): Promise<FastifyReply> {
    const identity = await pages.identity(slug);
    if (identity === null) throw new Problem('not_found', 'There is no such page.');
    const words = wordsOf(identity.language).signIn;
    const error = outcome === 'wrong' ? words.wrong : words.tooMany;
    const html = renderSignIn(identity, {
      document: DOCUMENTS.signIn(slug),
      error,
      returnTo,
    });
    return sendPage(reply, outcome === 'wrong' ? 403 : 429, html);
  }

  void app.register(async (scope) => {
    takeForms(scope, deps.bodyMemory);
    scope.post(`${PREFIX}:slug/sign-in`, { bodyLimit: MAX_FORM_BYTES }, signIn);
  });
}

/** A document of the page itself; the page for anything else. */
function returnToOf(path: string, slug: string): string {
  const asked = parsePublicPath(path, '');
  return asked?.type === 'document' && asked.slug === slug ? path : slug;
}
