import { createHash, getHashes } from 'node:crypto';
import type { Credentials } from '../../monitor-types/http.ts';
import { requestTarget, type HttpRequest } from './request.ts';
import type { ResponseHead } from './response.ts';

/** A challenge for digest authentication (RFC 7616, section 3.3) that can be answered. Values without quotes. */
export interface DigestChallenge {
  realm: string;
  nonce: string;
  opaque: string | null;
  /** The algorithm as written by the server; null if absent, which means MD5. */
  algorithm: string | null;
  /** False for servers of RFC 2069, which don't support quality of protection. */
  hasQop: boolean;
  /** Whether the server wants a hash of the user name. */
  userhash: boolean;
  /** The last answer was right but its nonce too old. */
  stale: boolean;
}

interface DigestRequest {
  method: string;
  /** Request target: path and query, as sent. */
  uri: string;
  /** Random printable ASCII text. */
  clientNonce: string;
}

/** Strongest first; `-sess` variants are as strong as their base. */
const HASHES: readonly { algorithm: string; hash: string }[] = [
  { algorithm: 'sha-512-256', hash: 'sha512-256' },
  { algorithm: 'sha-256', hash: 'sha256' },
  { algorithm: 'md5', hash: 'md5' },
].filter(({ hash }) => getHashes().includes(hash));

/** Nonces are new for each check and used once. */
const NONCE_COUNT = '00000001';
/** Servers send one or two challenges; more than this are ignored. */
const MAX_CHALLENGES = 20;
/** All control characters but the tab, which values may contain (RFC 9110, section 5.5). */
const CONTROL = /[^\P{Cc}\t]/u;

/**
 * Chooses the challenge to answer: of the supported ones the one with the strongest algorithm, of equal ones the first
 * (RFC 7616, section 3.7). `values` are those of all `WWW-Authenticate` headers, as latin1. Null if there is none.
 */
export function chooseChallenge(values: readonly string[]): DigestChallenge | null {
  let chosen: { challenge: DigestChallenge; rank: number } | null = null;
  for (const { scheme, parameters } of values.flatMap(parseChallenges)) {
    if (scheme !== 'digest') continue;
    const challenge = readChallenge(parameters);
    if (challenge === null) continue;
    const rank = rankOf(challenge.algorithm);
    if (chosen === null || rank < chosen.rank) chosen = { challenge, rank };
  }
  return chosen?.challenge ?? null;
}

/** Value of the `Authorization` header that answers a challenge, and the hash in it that proves the password. */
export function digestAuthorization(
  challenge: DigestChallenge,
  { username, password }: Credentials,
  { method, uri, clientNonce }: DigestRequest,
): { header: string; response: string } {
  const { realm, nonce, opaque, algorithm, hasQop, userhash } = challenge;
  const hash = hashOf(algorithm);
  const secret = hash(`${username}:${realm}:${password}`);
  const key = isSession(algorithm) ? hash(`${secret}:${nonce}:${clientNonce}`) : secret;
  const what = hash(`${method}:${uri}`);
  const response = hasQop
    ? hash(`${key}:${nonce}:${NONCE_COUNT}:${clientNonce}:auth:${what}`)
    : hash(`${key}:${nonce}:${what}`);
  const parts = [
    userhash ? `username=${quoted(hash(`${username}:${realm}`))}` : usernamePart(username),
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    ...(algorithm === null ? [] : [`algorithm=${algorithm}`]),
    ...(hasQop ? ['qop=auth', `nc=${NONCE_COUNT}`, `cnonce=${quoted(clientNonce)}`] : []),
    `response=${quoted(response)}`,
    ...(opaque === null ? [] : [`opaque=${quoted(opaque)}`]),
    ...(userhash ? ['userhash=true'] : []),
  ];
  return { header: `Digest ${parts.join(', ')}`, response };
}

/** Null for a challenge without nonce, or with an unsupported algorithm or quality of protection. */
function readChallenge(parameters: ReadonlyMap<string, string>): DigestChallenge | null {
  const read = (name: string): string | null => {
    const value = parameters.get(name);
    return value === undefined ? null : asUtf8(value);
  };
  const nonce = read('nonce');
  const qop = read('qop');
  const challenge: DigestChallenge = {
    realm: read('realm') ?? '',
    nonce: nonce ?? '',
    opaque: read('opaque'),
    algorithm: read('algorithm'),
    hasQop: qop !== null,
    userhash: read('userhash')?.toLowerCase() === 'true',
    stale: read('stale')?.toLowerCase() === 'true',
  };
  const { realm, opaque, algorithm } = challenge;
  if (nonce === null || rankOf(algorithm) === -1) return null;
  if (qop !== null && !listed(qop).includes('auth')) return null;
  // A session key contains the client's nonce, which is only sent with a quality of protection.
  if (isSession(algorithm) && qop === null) return null;
  return CONTROL.test(realm + nonce + (opaque ?? '')) ? null : challenge;
}

/** Position in `HASHES`; -1 for an unknown algorithm. */
function rankOf(algorithm: string | null): number {
  const name = (algorithm ?? 'md5').toLowerCase().replace(/-sess$/, '');
  return HASHES.findIndex((each) => each.algorithm === name);
}

function isSession(algorithm: string | null): boolean {
  return /-sess$/i.test(algorithm ?? '');
}

function hashOf(algorithm: string | null): (text: string) => string {
  const name = HASHES[rankOf(algorithm)]?.hash ?? 'md5';
  return (text) => createHash(name).update(text, 'utf8').digest('hex');
}

function listed(text: string): string[] {
  return text.split(',').map((each) => each.trim().toLowerCase());
}

/** User name parameter; text that a quoted string can't contain uses RFC 8187 (RFC 7616, section 3.4). */
function usernamePart(username: string): string {
  if (/^[\x20-\x7e]*$/.test(username)) return `username=${quoted(username)}`;
  const encoded = encodeURIComponent(username.toWellFormed()).replace(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `username*=UTF-8''${encoded}`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Restores text that was read as latin1 but sent as UTF-8. */
function asUtf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}

interface Challenge {
  /** In lower case. */
  scheme: string;
  /** Names in lower case; of duplicates the first. */
  parameters: Map<string, string>;
}

const SEPARATORS = /[\s,]*/y;
const TOKEN = /[!#$%&'*+\-.^_`|~\w]+/y;
const VALUE = /[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+\-.^_`|~\w/=:@?]+))/sy;
/** Credentials of schemes such as Negotiate: one word, then nothing or a comma. */
const TOKEN68 = /[ \t]+[\w\-.~+/]+=*[ \t]*(?=,|$)/y;
const NEXT_COMMA = /[^,]*/y;

/** Parses the challenges of a header (RFC 9110, section 11.6.1). Skips invalid ones up to the next comma. */
function parseChallenges(text: string): Challenge[] {
  const challenges: Challenge[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  for (take(SEPARATORS); at < text.length && challenges.length < MAX_CHALLENGES; take(SEPARATORS)) {
    const name = take(TOKEN)?.[0].toLowerCase();
    const value = name === undefined ? null : take(VALUE);
    if (name === undefined) take(NEXT_COMMA);
    else if (value !== null) {
      const parameters = challenges.at(-1)?.parameters;
      if (parameters?.has(name) === false) parameters.set(name, value[2] ?? unquoted(value[1]));
    } else {
      challenges.push({ scheme: name, parameters: new Map() });
      take(TOKEN68);
    }
  }
  return challenges;
}

function unquoted(text = ''): string {
  return text.replace(/\\(.)/gs, '$1');
}

/**
 * Challenge of a response that the request can answer; null if there is none. `answered` is the number of challenges
 * answered before: a refused answer is wrong, and is only repeated if the nonce was too old (RFC 7616, section 3.3,
 * `stale`).
 */
export function openChallenge(
  { status, headers }: ResponseHead,
  { digest }: HttpRequest,
  answered: number,
): DigestChallenge | null {
  if (status !== 401 || digest === null || answered > 1) return null;
  const challenge = chooseChallenge(
    headers.filter(([name]) => name === 'www-authenticate').map(([, value]) => value),
  );
  return challenge !== null && (answered === 0 || challenge.stale) ? challenge : null;
}

/** The request with an answer to the challenge, and the texts in it that prove the password. */
export function answerChallenge(
  challenge: DigestChallenge,
  request: HttpRequest,
  clientNonce: string,
): { request: HttpRequest; proofs: string[] } {
  const { method, url, headers, digest } = request;
  if (digest === null) return { request, proofs: [] };
  const uri = requestTarget(url);
  const { header, response } = digestAuthorization(challenge, digest, { method, uri, clientNonce });
  return {
    request: { ...request, headers: { ...headers, Authorization: header } },
    proofs: [header, response],
  };
}
