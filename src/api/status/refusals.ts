import type { Ruling } from '../../status-page/access.ts';
import { DEFAULT_BRAND, PAGE_LANGUAGES, type PageIdentity } from '../../status-page/facts/model.ts';
import { linkBetween } from '../../status-page/facts/urls.ts';
import { renderMissingBadge } from '../../status-page/render/badge.ts';
import { renderNoPage } from '../../status-page/render/document.ts';
import {
  renderMessage,
  renderNotFound,
  renderSignIn,
} from '../../status-page/render/message-page.ts';
import { wordsOf } from '../../status-page/render/words/index.ts';
import { Problem } from '../../resources/common/errors.ts';
import { preferredLanguage } from '../preferred-language.ts';
import type { Answers, PublicCall } from './answers.ts';

/**
 * Page for a visitor who may not see a document. Only the one that asks for a password says whose page it is.
 *
 * @param options.document where it is shown, a path below `/status/`: links are relative to it.
 * @param options.returnTo document to show after the sign-in, a path below `/status/`.
 */
export function refusalPage(
  page: PageIdentity,
  ruling: Exclude<Ruling, 'allowed'>,
  options: { document: string; returnTo: string; baseUrl: string },
): string {
  const { document, returnTo, baseUrl } = options;
  if (ruling === 'password') return renderSignIn(page, { document, error: null, returnTo });
  const { signIn } = wordsOf(page.language);
  const settings = { ...page.settings, custom_css: null };
  const unnamed = {
    ...page,
    name: page.slug,
    description: null,
    images: {},
    settings,
    brand: DEFAULT_BRAND,
  };
  return ruling === 'members'
    ? renderMessage(unnamed, {
        document,
        title: signIn.membersTitle,
        text: signIn.membersText,
        // Sessions are known below BASE_URL only.
        links: [{ label: signIn.membersLink, url: `${baseUrl}/sign-in` }],
      })
    : renderMessage(unnamed, { document, title: signIn.addressTitle, text: signIn.addressText });
}

/**
 * Page for an address that belongs to no status page, in the language that the visitor's browser prefers.
 *
 * @param path `/status`, or a path below it, as it was sent.
 */
export function noPageDocument(path: string, acceptLanguage: string | undefined): string {
  const below = /^\/status\/(.*)$/s.exec(path)?.[1];
  const root = below === undefined ? 'status/' : linkBetween(below, '');
  return renderNoPage(preferredLanguage(acceptLanguage, PAGE_LANGUAGES), root);
}

/**
 * Answers 404 in the form of the document that the address names, so that programs can read it: JSON, a badge, a line of
 * text, or a page.
 *
 * @param page the page that has no such document; null when the address belongs to no page.
 */
export function sendMissing(answers: Answers, call: PublicCall, page: PageIdentity | null): void {
  const { path } = call.site;
  const { headers } = call.request;
  const language = page?.language ?? preferredLanguage(headers['accept-language'], PAGE_LANGUAGES);
  if (path.endsWith('.json'))
    return answers.problem(call, new Problem('not_found', 'There is no such path.'));
  if (path.endsWith('/badge.svg'))
    return answers.badge(call, 404, renderMissingBadge(page?.name ?? null, wordsOf(language)));
  if (OTHER_FILE.test(path)) return answers.text(call, 404, `${wordsOf(language).notFound.text}\n`);
  answers.page(
    call,
    404,
    page === null
      ? noPageDocument(`/status/${path}`, headers['accept-language'])
      : renderNotFound(page, path),
  );
}

/** Feeds, logos, style sheets and static files. */
const OTHER_FILE = /^_\/|\/logo$|\.(?:atom|rss|css|ico|js|svg|txt|xml)$/;
