import { isIP } from 'node:net';
import { getPublicSuffix } from 'tldts';

/** A cookie that a response of this check set (RFC 6265bis). */
export interface Cookie {
  name: string;
  value: string;
  /** Host, or the domain whose hosts get it, in lower case. */
  domain: string;
  isHostOnly: boolean;
  path: string;
  isSecure: boolean;
  /** Whether it had expired when it was set. It is kept, since it deletes one of the user's own `Cookie` header. */
  isDeleted: boolean;
}

export type CookieUrl = Pick<URL, 'protocol' | 'hostname' | 'pathname'>;

/** Name and value, in bytes: browsers ignore longer cookies (RFC 6265bis, section 5.6). */
export const MAX_COOKIE_BYTES = 4_096;
const MAX_ATTRIBUTE_BYTES = 1_024;
/** As many as Chrome keeps for a site. The oldest are forgotten. */
const MAX_COOKIES = 180;
/** Characters of all cookies that are kept. Servers refuse requests with far less. */
const MAX_TOTAL_LENGTH = 65_536;

/**
 * The cookies after a response: those of before, oldest first, and what it sets (RFC 6265bis, section 5.7). `SameSite`
 * is ignored: a check begins as if its URL were typed in.
 *
 * @param headers names in lower case, values as latin1.
 * @param now epoch milliseconds.
 */
export function receiveCookies(
  cookies: readonly Cookie[],
  headers: readonly [name: string, value: string][],
  url: CookieUrl,
  now: number,
): readonly Cookie[] {
  let kept = cookies;
  for (const [name, value] of headers) {
    if (name !== 'set-cookie') continue;
    const cookie = parseCookie(value, url, now);
    if (cookie === null || wouldHideSecure(cookie, kept, url)) continue;
    const at = kept.findIndex((each) => isSame(each, cookie));
    kept = at === -1 ? [...kept, cookie] : kept.with(at, cookie);
  }
  return kept === cookies ? cookies : withinLimits(kept);
}

/**
 * The `Cookie` header of a request: those that the check received for this URL, longest path and oldest first, then
 * those of the user's own header that no response set or deleted. Null without any.
 */
export function cookieHeader(
  cookies: readonly Cookie[],
  own: string | null,
  url: CookieUrl,
): string | null {
  const matching = cookies.filter((cookie) => isFor(cookie, url));
  if (matching.length === 0) return own;
  const received = matching
    .filter(({ isDeleted }) => !isDeleted)
    .toSorted((a, b) => b.path.length - a.path.length)
    .map(({ name, value }) => (name === '' ? value : `${name}=${value}`));
  const names = new Set(matching.map(({ name }) => name));
  const others = (own ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '' && !names.has(splitPair(pair).name));
  return [...received, ...others].join('; ') || null;
}

function isFor({ domain, isHostOnly, path, isSecure }: Cookie, url: CookieUrl): boolean {
  const isHost = isHostOnly ? url.hostname === domain : isWithin(url.hostname, domain);
  return isHost && isBelow(url.pathname, path) && (!isSecure || url.protocol === 'https:');
}

/** Section 5.6, and the rules of section 5.7 that concern a cookie alone. Null for one that browsers ignore. */
function parseCookie(line: string, url: CookieUrl, now: number): Cookie | null {
  const text = Buffer.from(line, 'latin1').toString('utf8');
  if (/[^\P{Cc}\t]/u.test(text)) return null;
  const [pair = '', ...rest] = text.split(';');
  if (Buffer.byteLength(pair) > MAX_COOKIE_BYTES) return null;
  const { name, value } = splitPair(pair);
  if (name === '' && value === '') return null;
  const attributes = new Map(rest.map(parseAttribute).filter((each) => each !== null));
  const isSecure = attributes.has('secure');
  const path = attributes.get('path') ?? '';
  const domain = domainFor(attributes.get('domain') ?? '', url.hostname);
  if (domain === null || (isSecure && url.protocol !== 'https:')) return null;
  const cookie: Cookie = {
    name,
    value,
    ...domain,
    path: path.startsWith('/') ? path : defaultPath(url.pathname),
    isSecure,
    isDeleted: hasExpired(attributes, now),
  };
  return keepsPromise(cookie, path) ? cookie : null;
}

function splitPair(pair: string): { name: string; value: string } {
  const at = pair.indexOf('=');
  return { name: pair.slice(0, Math.max(at, 0)).trim(), value: pair.slice(at + 1).trim() };
}

/** A later attribute replaces an earlier one. Those with an unusable value are ignored. */
function parseAttribute(text: string): [name: string, value: string] | null {
  const at = text.indexOf('=');
  const name = (at === -1 ? text : text.slice(0, at)).trim().toLowerCase();
  const value = at === -1 ? '' : text.slice(at + 1).trim();
  if (value.length > MAX_ATTRIBUTE_BYTES) return null;
  if (name === 'max-age' && !/^-?\d+$/.test(value)) return null;
  if (name === 'expires' && parseCookieDate(value) === null) return null;
  return [name, value];
}

/** `Domain` must be the host or one above it, and no public suffix: `co.uk` would reach strangers. */
function domainFor(attribute: string, host: string): Pick<Cookie, 'domain' | 'isHostOnly'> | null {
  const domain = attribute.replace(/^\./, '').toLowerCase();
  if (domain === '') return { domain: host, isHostOnly: true };
  const isPublic = getPublicSuffix(domain, { allowPrivateDomains: true }) === domain;
  if (isPublic) return domain === host ? { domain, isHostOnly: true } : null;
  return isWithin(host, domain) ? { domain, isHostOnly: false } : null;
}

/** Decided once: a check takes a minute at most. */
function hasExpired(attributes: ReadonlyMap<string, string>, now: number): boolean {
  const maxAge = attributes.get('max-age');
  if (maxAge !== undefined) return Number(maxAge) <= 0;
  const expires = attributes.get('expires');
  return expires !== undefined && (parseCookieDate(expires) ?? Infinity) <= now;
}

/** What the prefix of a name promises, also without a name. */
function keepsPromise({ name, value, isSecure, isHostOnly }: Cookie, path: string): boolean {
  const start = (name === '' ? value : name).toLowerCase();
  const isForHost = start.startsWith('__host-');
  if (!isForHost && !start.startsWith('__secure-')) return true;
  return name !== '' && isSecure && (!isForHost || (isHostOnly && path === '/'));
}

/** Whether a cookie from an unencrypted response would take the place of a secure one. */
function wouldHideSecure(cookie: Cookie, kept: readonly Cookie[], url: CookieUrl): boolean {
  if (url.protocol === 'https:') return false;
  return kept.some(
    ({ name, domain, path, isSecure, isDeleted }) =>
      isSecure &&
      !isDeleted &&
      name === cookie.name &&
      (isWithin(domain, cookie.domain) || isWithin(cookie.domain, domain)) &&
      isBelow(cookie.path, path),
  );
}

function isSame(a: Cookie, b: Cookie): boolean {
  return (
    a.name === b.name && a.domain === b.domain && a.isHostOnly === b.isHostOnly && a.path === b.path
  );
}

/** Section 5.1.3. */
function isWithin(host: string, domain: string): boolean {
  if (host === domain) return true;
  return host.endsWith(`.${domain}`) && isIP(host) === 0;
}

/** Section 5.1.4. */
function isBelow(path: string, cookiePath: string): boolean {
  if (!path.startsWith(cookiePath)) return false;
  return path === cookiePath || cookiePath.endsWith('/') || path[cookiePath.length] === '/';
}

/** The folder of a path. */
function defaultPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const NUMBER_PARTS = {
  time: /^(\d\d?):(\d\d?):(\d\d?)(?!\d)/,
  day: /^(\d\d?)(?!\d)/,
  year: /^(\d{2,4})(?!\d)/,
};

/** Section 5.1.1: in any order, without a zone, and whatever the words around it. Epoch milliseconds. */
function parseCookieDate(text: string): number | null {
  const found: { [Part in keyof typeof NUMBER_PARTS]?: number[] } = {};
  let month = -1;
  for (const token of text.split(/[\t -/;-@[-`{-~]+/)) {
    const part = (['time', 'day', 'year'] as const).find(
      (each) => found[each] === undefined && NUMBER_PARTS[each].test(token),
    );
    if (part !== undefined) found[part] = NUMBER_PARTS[part].exec(token)!.slice(1).map(Number);
    else if (month === -1) month = MONTHS.indexOf(token.slice(0, 3).toLowerCase());
  }
  const [hour = 24, minute = 60, second = 60] = found.time ?? [];
  const [day = 0] = found.day ?? [];
  const [shortYear = 0] = found.year ?? [];
  const year = shortYear + (shortYear < 70 ? 2_000 : shortYear < 100 ? 1_900 : 0);
  if (found.year === undefined || year < 1_601 || month === -1) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const date = new Date(Date.UTC(year, month, day, hour, minute, second));
  return date.getUTCDate() === day ? date.getTime() : null;
}

function withinLimits(cookies: readonly Cookie[]): readonly Cookie[] {
  let length = 0;
  const newest = cookies
    .slice(-MAX_COOKIES)
    .toReversed()
    .filter(({ name, value }) => {
      length += name.length + value.length;
      return length <= MAX_TOTAL_LENGTH;
    });
  return newest.toReversed();
}
