import { isIP } from 'node:net';
import { parse } from 'tldts';
import { singleLine } from '../lib/text.ts';

/** Stands for an address that customers must not read, until sentences are mended. */
const HIDDEN = '\0';
/** The regions behind a regional problem, as the engine adds them to a cause. */
const REGIONS = / \((?:from .+ only|in \d+ of \d+ checks from .+)\)$/;
const TOKEN = /[^\s"'()<>,;„“”‘’«»]+/g;
/** Sentences that have a hole where an address was, and what they say without it. */
const HOLES: readonly [RegExp, string][] = [
  [/ (?:by|of|to|from|at) \0(?: port \d+)?(?=[\s.,:;]|$)/g, ''],
  [/\b(Host|DNS name|Domain|Target) \0/g, '$1'],
  [/(TLS certificate is for) \0.*$/, '$1 other names'],
  [/, not \0$/, ''],
  [/^(DNS records changed): .*\0.*$/, '$1'],
  [/^Redirect loop: \0/, 'Redirect loop: an address'],
  [/^"\0" is not a valid host name/, 'The host name is not valid'],
  [/\0/g, '…'],
];
/** Last labels of names in private networks, which no registry has. */
const PRIVATE_LABELS = new Set([
  'corp',
  'home',
  'internal',
  'intranet',
  'lan',
  'local',
  'localhost',
]);
/** Before the name of a domain it stands for all names below, as in certificates. */
const WILDCARD = /^\*(?=\.)/;
const LABEL = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*[\p{L}\p{N}_])?$/u;

/**
 * The cause of an incident for customers, who read reports: a sentence without regions, URLs, mail addresses, IP addresses and
 * host names.
 *
 * @param ownHost host of the monitor, which may be a name without a dot.
 */
export function publicCause(cause: string, ownHost: string | null): string {
  const hidden = singleLine(cause)
    .replace(REGIONS, '')
    .replace(TOKEN, (token) => withoutAddress(token, ownHost?.toLowerCase() ?? null));
  return HOLES.reduce((text, [hole, mended]) => text.replace(hole, mended), hidden);
}

function withoutAddress(token: string, ownHost: string | null): string {
  const end = /[.:!?]*$/.exec(token)![0];
  const word = token.slice(0, token.length - end.length);
  return word !== '' && isAddress(word.toLowerCase(), ownHost) ? HIDDEN + end : token;
}

function isAddress(word: string, ownHost: string | null): boolean {
  if (word.includes('://')) return true;
  // Without a network prefix or path, a mail address's person, and brackets.
  const place = word
    .split('/', 1)[0]!
    .split('@')
    .at(-1)!
    .replace(/^\[([^\]]*)\]/, '$1');
  if (isIP(place) !== 0) return true;
  const host = place.replace(/:\d{1,5}$/, '');
  return isIP(host) !== 0 || host === ownHost || isHostName(host) || isNameWithPort(place);
}

function isHostName(host: string): boolean {
  const labels = host.replace(WILDCARD, 'any').split('.');
  if (labels.length < 2) return host === 'localhost';
  const last = labels.at(-1)!;
  if (!labels.every((label) => LABEL.test(label)) || last.length < 2 || /^\d/.test(last))
    return false;
  return labels.length > 2 || PRIVATE_LABELS.has(last) || isOfRegistry(host);
}

function isOfRegistry(host: string): boolean {
  const { isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  return isIcann === true || isPrivate === true;
}

const isNameWithPort = (place: string) => /^[a-z][\w-]*:\d{2,5}$/.test(place);
