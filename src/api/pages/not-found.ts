import { escapeHtml } from '../../lib/text.ts';
import type { Page } from './document.ts';

/**
 * Page for an address that does not exist.
 *
 * @param base path of BASE_URL without a trailing slash; null for addresses of visitors, who have no account.
 */
export function notFoundPage(base: string | null): Page {
  const link = (path: string, text: string) =>
    `<li><a href="${escapeHtml(base + path)}">${text}</a></li>`;
  const text = 'There is no page at this address. Check it for a typing error';
  return {
    title: 'Page not found',
    main: `<h1>Page not found</h1>
${
  base === null
    ? `<p>${text}.</p>`
    : `<p>${text}, or go on here:</p>
<ul>
${link('/sign-in', 'Sign in')}
${link('/account', 'Your account')}
${link('/docs', 'API reference')}
</ul>`
}`,
  };
}
