import type { Ruling } from '../../status-page/access.ts';
import type { PageIdentity } from '../../status-page/facts/model.ts';
import { renderMessage, renderSignIn } from '../../status-page/render/index.ts';
import { wordsOf } from '../../status-page/render/words/index.ts';

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
  const unnamed = { ...page, name: page.slug, description: null, logoHash: null, settings };
  return ruling === 'members'
    ? renderMessage(unnamed, {
        document,
        title: signIn.membersTitle,
        text: signIn.membersText,
        // Sessions are known below BASE_URL only.
        link: { label: signIn.membersLink, url: `${baseUrl}/sign-in` },
      })
    : renderMessage(unnamed, { document, title: signIn.addressTitle, text: signIn.addressText });
}
