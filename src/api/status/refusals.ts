import type { Ruling } from '../../status-page/access.ts';
import type { PageIdentity } from '../../status-page/facts/model.ts';
import { renderMessage, renderSignIn } from '../../status-page/render/index.ts';
import { wordsOf } from '../../status-page/render/words/index.ts';

/**
 * Page for a visitor who may not see a document. Only the one that asks for a password says whose page it is.
 *
 * @param options.returnTo document to show after the sign-in, a path below `/status/`.
 */
export function refusalPage(
  page: PageIdentity,
  ruling: Exclude<Ruling, 'allowed'>,
  options: { returnTo: string; baseUrl: string },
): string {
  if (ruling === 'password') return renderSignIn(page, { error: null, returnTo: options.returnTo });
  const { signIn } = wordsOf(page.language);
  const unnamed = { ...page, name: page.slug, description: null, logoHash: null };
  const document = options.returnTo;
  // Sessions are known below BASE_URL only.
  const address = `${options.baseUrl}/sign-in`;
  return ruling === 'members'
    ? renderMessage(unnamed, {
        document,
        title: signIn.membersTitle,
        text: `${signIn.membersText} ${address}`,
      })
    : renderMessage(unnamed, { document, title: signIn.addressTitle, text: signIn.addressText });
}
