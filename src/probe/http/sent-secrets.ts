import type { Credentials } from '../../model/check.ts';
import { MAX_COOKIE_BYTES } from './cookies.ts';
import { percentDecoded, secretsInQuery } from './query-secrets.ts';
import { mayBeSecret } from './request.ts';

/** Shorter values, and shorter words within one, occur by chance. */
const MIN_SECRET_LENGTH = 6;
const MIN_WORD_LENGTH = 12;
/** Maximum total length of cookies to search for, so that a target can't keep the probe busy. */
const MAX_COOKIES_LENGTH = 16_384;
/** Likewise of the queries of redirects. */
const MAX_QUERIES_LENGTH = 16_384;

/** Values that a check sends and receives: some targets show them in their pages. */
export interface SentValues {
  headers: Record<string, string>;
  body: string | null;
  /** Credentials of digest authentication. The password is not sent, but the server knows it and may show it. */
  digest?: Credentials;
  /** Proofs of the password that were sent: `Authorization` values and the hashes in them. */
  answers?: readonly string[];
  /** Cookies set by the target, see `cookiesSetBy`. */
  cookies?: readonly string[];
  /** Query of the URL, as sent. */
  query?: string;
  /** Queries of redirects, see `queryOfRedirect`. */
  redirectQueries?: readonly string[];
}

/** Possible secrets in sent and received values, each at least 6 characters long. */
export function secretsIn({
  headers,
  body,
  digest,
  answers = [],
  cookies = [],
  query = '',
  redirectQueries = [],
}: SentValues): Set<string> {
  const secrets = Object.entries(headers)
    .filter(([name]) => mayBeSecret(name))
    .flatMap(([name, value]) => secretsInHeader(name.toLowerCase(), value.trim()));
  if (body !== null) secrets.push(body, ...valuesInBody(body));
  if (digest !== undefined) secrets.push(digest.username, digest.password);
  secrets.push(...answers, ...latest(cookies, MAX_COOKIES_LENGTH));
  const queries = [query, ...latest(redirectQueries, MAX_QUERIES_LENGTH)];
  secrets.push(...queries.flatMap(secretsInQuery));
  return new Set(
    secrets.map((each) => each.trim()).filter((each) => each.length >= MIN_SECRET_LENGTH),
  );
}

/** Bytes of the longest secret that `secretsIn` can find, without searching: few checks fail. */
export function longestSecretBytes({
  headers,
  body,
  digest,
  answers = [],
  cookies = [],
  query = '',
  redirectQueries = [],
}: SentValues): number {
  const texts = [...Object.values(headers), body ?? '', ...answers, ...cookies];
  texts.push(query, ...redirectQueries);
  if (digest !== undefined) texts.push(digest.username, digest.password);
  return Math.max(0, ...texts.map((text) => Buffer.byteLength(text)));
}

/** Values of the cookies that a response sets, as written and decoded. */
export function cookiesSetBy(headers: readonly [name: string, value: string][]): string[] {
  const cookies = headers.filter(([name]) => name === 'set-cookie' || name === 'set-cookie2');
  if (cookies.length === 0) return [];
  return cookies
    .map(([, value]) => value.split(';', 1)[0] ?? '')
    .filter((pair) => pair.length <= MAX_COOKIE_BYTES)
    .map((pair) => afterEquals(Buffer.from(pair, 'latin1').toString('utf8')).trim())
    .map((value) => /^"(.*)"$/s.exec(value)?.[1] ?? value)
    .filter((value) => value.length >= MIN_SECRET_LENGTH)
    .flatMap((value) => [value, percentDecoded(value)]);
}

/** Latest values up to a total length: these came with the page shown. */
function latest(values: readonly string[], maxLength: number): string[] {
  let length = 0;
  return [...new Set(values)].toReversed().filter((each) => {
    length += each.length;
    return length <= maxLength;
  });
}

/** The whole value, its longer words, and what a server extracts from the header. */
function secretsInHeader(name: string, value: string): string[] {
  const words = value.split(/[\s;]+/).filter((word) => word.length >= MIN_WORD_LENGTH);
  if (name === 'authorization') return [value, ...words, ...credentialsIn(value)];
  if (name === 'cookie') return [value, ...words, ...cookiesIn(value)];
  return [value, ...words];
}

/** Credentials after the scheme; for Basic also user name and password, which debug pages show (RFC 7617). */
function credentialsIn(value: string): string[] {
  const [, scheme = '', credentials = ''] = /^(\S+) (.*)$/.exec(value) ?? [];
  if (scheme.toLowerCase() !== 'basic') return [credentials];
  const pair = Buffer.from(credentials, 'base64').toString('utf8');
  const [user = ''] = pair.split(':', 1);
  return [credentials, pair, user, pair.slice(user.length + 1)];
}

function cookiesIn(value: string): string[] {
  return value.split(';').map(afterEquals);
}

/** Values of a JSON text or a form; for anything else nothing that occurs by chance. */
function valuesInBody(body: string): string[] {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return [...body.split('&').map(afterEquals), ...new URLSearchParams(body).values()];
  }
  return stringsIn(json);
}

/** Without recursion: 10,000 characters can be nested deeper than the stack. */
function stringsIn(json: unknown): string[] {
  const strings: string[] = [];
  const rest = [json];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value === 'string') strings.push(value);
    else if (typeof value === 'object' && value !== null) rest.push(...Object.values(value));
  }
  return strings;
}

function afterEquals(pair: string): string {
  const at = pair.indexOf('=');
  return at === -1 ? '' : pair.slice(at + 1);
}
