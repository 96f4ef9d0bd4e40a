import type { Credentials } from '../../model/check.ts';
import { mayBeSecret } from './request.ts';

/** Shorter values, and shorter words within one, are found everywhere by chance. */
const MIN_SECRET_LENGTH = 6;
const MIN_WORD_LENGTH = 12;
/** RFC 6265bis, section 5.6: browsers ignore a cookie whose name and value are longer, so it can be no session. */
const MAX_COOKIE_BYTES = 4_096;
/** How much of all cookies is searched for: a target must not keep the probe busy with thousands of its own making. */
const MAX_COOKIES_LENGTH = 16_384;

/** What a check sends, and is given: some targets show it in their pages. */
export interface SentValues {
  headers: Record<string, string>;
  body: string | null;
  /** Of digest authentication. The password itself is not sent, but who knows it may show it. */
  digest?: Credentials;
  /** What was sent to prove the password: whole `Authorization` values and the hashes in them. */
  answers?: readonly string[];
  /** Values that the target set as cookies, see `cookiesSetBy`. */
  cookies?: readonly string[];
}

/** The texts that may be a secret in what we send or are given, each at least 6 characters long. */
export function secretsIn({
  headers,
  body,
  digest,
  answers = [],
  cookies = [],
}: SentValues): Set<string> {
  const secrets = Object.entries(headers)
    .filter(([name]) => mayBeSecret(name))
    .flatMap(([name, value]) => secretsInHeader(name.toLowerCase(), value.trim()));
  if (body !== null) secrets.push(body, ...valuesInBody(body));
  if (digest !== undefined) secrets.push(digest.username, digest.password);
  secrets.push(...answers, ...latest(cookies));
  return new Set(
    secrets.map((each) => each.trim()).filter((each) => each.length >= MIN_SECRET_LENGTH),
  );
}

/** Bytes of the longest secret that `secretsIn` can find, without finding any: few checks fail. */
export function longestSecretBytes({
  headers,
  body,
  digest,
  answers = [],
  cookies = [],
}: SentValues): number {
  const texts = [...Object.values(headers), body ?? '', ...answers, ...cookies];
  if (digest !== undefined) texts.push(digest.username, digest.password);
  return Math.max(0, ...texts.map((text) => Buffer.byteLength(text)));
}

/** The value of each cookie that an answer sets, as it is written and with its escapes undone. */
export function cookiesSetBy(headers: readonly [name: string, value: string][]): string[] {
  return headers
    .filter(([name]) => name === 'set-cookie' || name === 'set-cookie2')
    .map(([, value]) => value.split(';', 1)[0] ?? '')
    .filter((pair) => pair.length <= MAX_COOKIE_BYTES)
    .map((pair) => afterEquals(Buffer.from(pair, 'latin1').toString('utf8')).trim())
    .map((value) => /^"(.*)"$/s.exec(value)?.[1] ?? value)
    .filter((value) => value.length >= MIN_SECRET_LENGTH)
    .flatMap((value) => [value, decoded(value)]);
}

/** As many of the last ones as are searched for: these came with the page that is shown. */
function latest(cookies: readonly string[]): string[] {
  let length = 0;
  return [...new Set(cookies)].toReversed().filter((each) => {
    length += each.length;
    return length <= MAX_COOKIES_LENGTH;
  });
}

/** Each escape by itself: one that can't be read leaves the others as they are. */
function decoded(value: string): string {
  return value.replace(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

/** The value as a whole, its longer words, and what a server that understands the header takes out of it. */
function secretsInHeader(name: string, value: string): string[] {
  const words = value.split(/[\s;]+/).filter((word) => word.length >= MIN_WORD_LENGTH);
  if (name === 'authorization') return [value, ...words, ...credentialsIn(value)];
  if (name === 'cookie') return [value, ...words, ...cookiesIn(value)];
  return [value, ...words];
}

/** What follows the scheme; of Basic also user name and password, which pages for debugging show (RFC 7617). */
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

/** The values of a JSON text or a form; what is neither yields nothing that would be found anywhere else. */
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
