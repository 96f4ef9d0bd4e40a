import type { Failure } from '../../model/failure.ts';
import { failure } from '../failures.ts';
import { cookieOf, redirectedRequest } from './request.ts';
import type { HttpRequest } from './request.ts';

/** Contract 16.4. */
const MAX_REDIRECTS = 5;

/** Next request of a redirect, or why it is not followed. `visited` has the keys of previous requests. */
export function followRedirect(
  from: HttpRequest,
  status: number,
  location: string,
  visited: readonly string[],
): { ok: true; request: HttpRequest } | { ok: false; failure: Failure } {
  const url = URL.parse(decodeLocation(location), from.url.href);
  if (url === null) {
    return refused('redirect_invalid', 'The redirect leads to an address that is not valid');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return refused(
      'redirect_invalid',
      `The redirect leads to ${url.protocol.slice(0, 20)} and not to http or https`,
    );
  }
  url.username = '';
  url.password = '';
  const request = redirectedRequest(from, status, url);
  if (visited.includes(requestKey(request))) {
    return refused('redirect_loop', `Redirect loop: ${withoutSecrets(url)} leads back to itself`);
  }
  if (visited.length > MAX_REDIRECTS) {
    return refused('redirect_loop', `Redirect loop: more than ${MAX_REDIRECTS} redirects`);
  }
  return { ok: true, request };
}

/** Key that is equal for equal requests of a check, to which a server may give the same response again. */
export function requestKey(request: HttpRequest): string {
  const { method, url } = request;
  const at = url.href.indexOf('#');
  const target = at === -1 ? url.href : url.href.slice(0, at);
  return `${method} ${target} ${cookieOf(request) ?? ''}`;
}

/** URL for evidence and texts: without credentials, query and fragment. */
export function withoutSecrets(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** Decodes UTF-8 in a header that was read as latin1. */
function decodeLocation(location: string): string {
  return Buffer.from(location, 'latin1').toString('utf8');
}

function refused(code: Failure['code'], text: string): { ok: false; failure: Failure } {
  return { ok: false, failure: failure(code, text) };
}
