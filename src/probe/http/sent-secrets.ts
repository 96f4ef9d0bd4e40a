import type { Credentials } from '../../monitor-types/http.ts';
import { MAX_COOKIE_BYTES } from './cookies.ts';
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

/** Values of parameters with such a name are removed whatever they look like. */
const SECRET_NAME =
  /token|secret|pass(?:w|phrase)|credential|session|signature|authori[sz]|(?:key|auth|sig|pass|pwd|code|sid|otp|pin|jwt|hmac|hash)s?(?![a-z])/;
/** Minimum length of a removed value of other parameters: shorter ones occur by chance. */
const MIN_VALUE_LENGTH = 8;
/** Word or number that pages contain anyway. Longer ones are rare. */
const PLAIN_WORD = /^(?=.{1,11}$)(?:\p{Lu}?\p{Ll}+|\p{Lu}+|v?\d+)$/u;
const WORD_SEPARATORS = /[-_.:/,+ ]+/;
/** Servers limit the request line to 8 KiB or less: longer queries are refused. */
const MAX_LENGTH = 8_192;
/** Further parameters are only removed as part of the whole query, so that a target can't keep the probe busy. */
const MAX_PARAMETERS = 100;

/**
 * Parts of a URL's query that may be secret, as written and decoded: the whole, each parameter with its name, and the
 * values that `mayBeSecretValue` finds. `query` may begin with a question mark. The parts have any length.
 */
function secretsInQuery(query: string): string[] {
  const whole = query.startsWith('?') ? query.slice(1) : query;
  const parameters = whole.split('&').slice(0, MAX_PARAMETERS);
  // A query of one word without a name is a value.
  const named = [whole, ...parameters].filter((part) => /[=&]/.test(part));
  return [...named, ...parameters.flatMap(valueIn)].flatMap(spellings);
}

/**
 * Whether a value of a query is removed where it occurs without its name: if its parameter is named like a secret, and
 * else if it is longer and does not only consist of plain words and numbers, such as `production` or `/account/orders`.
 */
export function mayBeSecretValue(name: string, value: string): boolean {
  if (SECRET_NAME.test(inWords(name))) return true;
  if (value.length < MIN_VALUE_LENGTH) return false;
  return !value.split(WORD_SEPARATORS).every((word) => word === '' || PLAIN_WORD.test(word));
}

/** Query of the address that a response redirects to, if there is one. */
export function queryOfRedirect(headers: readonly [name: string, value: string][]): string[] {
  const location = headers.find(([name]) => name === 'location')?.[1];
  if (location === undefined) return [];
  const [, latin1 = ''] = /^[^?#]*\?([^#]*)/.exec(location) ?? [];
  const query = Buffer.from(latin1, 'latin1').toString('utf8');
  return query === '' || query.length > MAX_LENGTH ? [] : [query];
}

/** Replaces percent escapes. Decodes each run separately: an invalid one leaves the others decoded. */
function percentDecoded(value: string): string {
  return value.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

function valueIn(parameter: string): string[] {
  const at = parameter.indexOf('=');
  const value = parameter.slice(at + 1);
  const name = at === -1 ? '' : parameter.slice(0, at);
  return mayBeSecretValue(formDecoded(name), formDecoded(value)) ? [value] : [];
}

/** As written; decoded as part of an address; and decoded as a form, in which + is a space. */
function spellings(text: string): string[] {
  return [text, percentDecoded(text), formDecoded(text)];
}

function formDecoded(text: string): string {
  return percentDecoded(text.replaceAll('+', ' '));
}

/** Separates the words of `apiKey`, so that `key` is found in it and not in `keyword`. */
function inWords(name: string): string {
  return name.replace(/(\p{Ll})(\p{Lu})/gu, '$1-$2').toLowerCase();
}
