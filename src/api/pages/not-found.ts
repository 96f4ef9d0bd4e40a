import { escapeHtml } from '../../lib/text.ts';
import type { Page } from './document.ts';

const HEADING = '<h1>Page not found</h1>';
const HINT = 'There is no page at this address. Check it for a typing error';

/** Page for visitors of status pages, who have no account: it links to nothing. */
export const VISITORS_NOT_FOUND: Page = {
  title: 'Page not found',
  main: `${HEADING}\n<p>${HINT}.</p>`,
};

/**
 * Page for an address that does not exist.
 *
 * @param base path of BASE_URL without a trailing slash.
 */
export function notFoundPage(base: string): Page {
  const link = (path: string, text: string) =>
    `<li><a href="${escapeHtml(base + path)}">${text}</a></li>`;
  return {
    title: VISITORS_NOT_FOUND.title,
    main: `${HEADING}
<p>${HINT}, or go on here:</p>
<ul>
${link('/sign-in', 'Sign in')}
${link('/account', 'Your account')}
${link('/docs', 'API reference')}
</ul>`,
  };
}
