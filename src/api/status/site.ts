import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Authenticator } from '../../identity/authenticate.ts';
import type { Visitor } from '../../status-page/access.ts';
import type { Pages } from '../../status-page/pages.ts';

export const PREFIX = '/status/';

export interface Site {
  /** Slug of the only page that is served there; null below BASE_URL, where all are. */
  slug: string | null;
  /** Path below `/status/`, without a query and the slash in front. */
  path: string;
  query: string;
}

export function domainSlugOf(pages: Pages, { host }: IncomingHttpHeaders): string | undefined {
  if (pages.hasNoDomains || host === undefined) return undefined;
  const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  return pages.slugOfDomain(name);
}

/**
 * Finds the site of a request; null for one that is for another part of the service.
 *
 * @param target raw request target.
 */
export function siteOf(
  pages: Pages,
  { url: target = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>,
): Site | null {
  const slug = domainSlugOf(pages, headers);
  if (slug === undefined && !target.startsWith(PREFIX) && target.startsWith('/')) return null;
  const [, path = '', query = ''] =
    /^(?:https?:\/\/[^/?#]*)?([^?#]*)\??([^#]*)/i.exec(target) ?? [];
  if (slug !== undefined)
    return { slug, path: path === '/' || path === '' ? slug : path.slice(1), query };
  return path.startsWith(PREFIX) ? { slug: null, path: path.slice(PREFIX.length), query } : null;
}

export function visitorOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  address: string,
  authenticator: Pick<Authenticator, 'authenticate'>,
): Visitor {
  const { authorization, cookie } = headers;
  return {
    address,
    cookie,
    async signedIn() {
      const principal = await authenticator.authenticate({ authorization, cookie, address });
      if (principal === null) return null;
      const isSession = principal.credential.kind === 'session';
      return {
        personId: isSession ? principal.person.id : null,
        teamId: principal.team?.id ?? null,
      };
    },
  };
}
