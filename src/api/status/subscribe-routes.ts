import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../../identity/authenticate.ts';
import { Problem } from '../../resources/common/errors.ts';
import type { FormAnswer, SubscriptionForms } from '../../status-page/subscribers/forms.ts';
import type { PageAccessRules, PageRouting } from '../../status-page/access.ts';
import type { Pages } from '../../status-page/pages.ts';
import type { BodyMemory } from '../body-memory.ts';
import { skipBody } from '../read-body.ts';
import { formOf, MAX_FORM_BYTES, requireOwnForm, sendPage, takeForms } from './form.ts';
import { PREFIX, visitorOf } from './site.ts';

/**
 * Adds the forms by which visitors subscribe to a page, confirm, change and end a subscription (contract, section 44). Links
 * in mails change nothing when they are opened, since scanners of mail open them: a button does. The POST of one-click
 * unsubscribing (RFC 8058) comes from mail programs, without cookies and from anywhere.
 */
export function subscribeRoutes(
  app: FastifyInstance,
  deps: {
    services: { subscriptionForms: SubscriptionForms };
    pages: Pages;
    access: PageAccessRules;
    authenticator: Pick<Authenticator, 'authenticate'>;
    bodyMemory: BodyMemory;
  },
): void {
  const { pages, access, authenticator } = deps;
  const forms = deps.services.subscriptionForms;

  async function routingOf(request: FastifyRequest): Promise<PageRouting> {
    const { slug } = request.params as { slug: string };
    const routing = await pages.find(slug);
    if (routing === null) throw new Problem('not_found', 'There is no such page.');
    return routing;
  }

  async function requireVisible(routing: PageRouting, request: FastifyRequest): Promise<void> {
    const visitor = visitorOf(request.raw, request.ip, authenticator);
    if ((await access.rule(routing, visitor)) !== 'allowed')
      throw new Problem('forbidden', 'This page is not public: open it and sign in first.');
  }

  /** Only those who may see a page subscribe to it. */
  async function visiblePageId(request: FastifyRequest): Promise<number> {
    const routing = await routingOf(request);
    await requireVisible(routing, request);
    return routing.id;
  }

  /**
   * The page of a form that is opened by its link, also one that has become a draft: subscribers can still leave it. Without a
   * valid link, a page that is not public reveals nothing.
   */
  async function linkedPageId(request: FastifyRequest): Promise<number> {
    const { slug } = request.params as { slug: string };
    const any = await pages.findAny(slug);
    if (any !== null && (await forms.isLink(any.id, tokenOf(request)))) return any.id;
    return visiblePageId(request);
  }

  type Work = (request: FastifyRequest) => Promise<FormAnswer>;
  const answering = (work: Work) => async (request: FastifyRequest, reply: FastifyReply) => {
    const answer = await work(request);
    if (answer === null) throw new Problem('not_found', 'There is no such page.');
    return sendPage(reply, answer.status, answer.html);
  };

  void app.register(async (scope) => {
    takeForms(scope, deps.bodyMemory);
    const get = (name: string, work: Work) => scope.get(at(name), answering(work));
    const post = (name: string, work: Work) =>
      scope.post(at(name), { bodyLimit: MAX_FORM_BYTES }, answering(work));

    get('subscribe', async (request) =>
      forms.subscribeForm(await visiblePageId(request), queryOf(request).get('by')),
    );
    post('subscribe', async (request) => {
      requireOwnForm(request);
      return forms.subscribe(await visiblePageId(request), formOf(request), request.ip);
    });
    get('confirm', async (request) =>
      forms.confirmForm(await linkedPageId(request), tokenOf(request), queryOf(request)),
    );
    post('confirm', async (request) => {
      requireOwnForm(request);
      return forms.confirm(await linkedPageId(request), tokenOf(request), formOf(request));
    });
    get('subscription', async (request) =>
      forms.changeForm(await linkedPageId(request), tokenOf(request)),
    );
    post('subscription', async (request) => {
      requireOwnForm(request);
      return forms.change(await linkedPageId(request), tokenOf(request), formOf(request));
    });
    get('unsubscribe', async (request) =>
      forms.endForm(await linkedPageId(request), tokenOf(request)),
    );
  });
  void app.register(async (scope) => {
    // RFC 8058 lets mail programs send their field as either kind of form: the token is in the address.
    scope.removeAllContentTypeParsers();
    takeForms(scope, deps.bodyMemory);
    scope.addContentTypeParser('*', async (_: FastifyRequest, payload: FastifyRequest['raw']) => {
      await skipBody(payload, { limit: MAX_FORM_BYTES });
    });
    scope.post(
      at('unsubscribe'),
      { bodyLimit: MAX_FORM_BYTES },
      answering(async (request) => forms.end(await linkedPageId(request), tokenOf(request))),
    );
  });
}

const at = (name: string) => `${PREFIX}:slug/${name}`;

const queryOf = ({ url }: FastifyRequest) => new URLSearchParams(/\?(.*)$/s.exec(url)?.[1] ?? '');

/** From the link, or from its form. */
const tokenOf = (request: FastifyRequest) => {
  const { token } = request.query as { token?: unknown };
  return typeof token === 'string' ? token : (formOf(request).get('token') ?? '');
};
