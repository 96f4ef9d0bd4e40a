import type { PullTypeDefinition } from '../../monitor-types/definition.ts';
import { parseHost } from '../../net/host.ts';

/**
 * Rule for the hosts that checks may connect to. Returns null for a name, whose addresses are checked on each
 * connection. The reason completes "the address …".
 */
export type TargetRule = (
  host: string,
) => { allowed: true } | { allowed: false; reason: string } | null;

type UrlRules = Pick<PullTypeDefinition, 'hostIn' | 'urlForm' | 'urlExample' | 'urlHint'>;

export const MAX_URL_LENGTH = 2048;

/**
 * Error of a URL, as a predicate; null for a valid one (contract 7.3, 7.4).
 *
 * @param credentialsHint where a user name and a password belong, with a colon before it.
 */
export function urlError(
  type: UrlRules,
  url: string,
  targetRule: TargetRule,
  credentialsHint = '',
): string | null {
  if (url.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters`;
  if (!url.isWellFormed() || /[\p{Cc}]|^\s|\s$/u.test(url))
    return 'must not hold control characters or outer spaces';
  const written = type.hostIn(url);
  const host = written === null ? null : knownHost(written);
  if (host === null) return hostFault(written ?? url) ?? formFault(type, url);
  if (hasCredentials(url)) return `must not hold a user name or password${credentialsHint}`;
  const permission = targetRule(host);
  if (permission === null || permission.allowed) return null;
  return `aims at ${host}, which ${permission.reason}: only the operator can allow that, by ALLOW_PRIVATE_TARGETS`;
}

function formFault({ urlForm, urlExample, urlHint }: UrlRules, url: string): string {
  return `must be ${urlForm}, such as ${urlExample}${urlHint?.(url) ?? ''}`;
}

/**
 * What is wrong with a host that is neither a name nor an address; null where that is not to be seen.
 *
 * @param text the host, or a URL whose host can't be read.
 */
function hostFault(text: string): string | null {
  const zone = /^(?:https?:\/\/)?\[[\da-f:.]*(%[^\]/]*)\]/i.exec(text)?.[1];
  if (zone !== undefined)
    return `must not hold a zone (${zone}) after its address: it means something on one machine only`;
  const name = text.replace(/\.$/, '');
  if (name === '' || /[\s/:?#@%[\]]/.test(name)) return null;
  const labels = name.split('.');
  if (labels.includes(''))
    return 'must not have a dot after a dot, or at the beginning, in its host';
  // RFC 1035, section 2.3.4.
  if (labels.some((label) => label.length > 63))
    return 'must have at most 63 characters between the dots of its host';
  return name.length > 253 ? 'must have at most 253 characters in its host' : null;
}

function knownHost(text: string): string | null {
  const host = parseHost(text);
  if (host === null) return null;
  return host.kind === 'address' ? host.address : host.name;
}

/** Parses like a check does: URL parsers skip extra slashes and treat backslashes as slashes. */
function hasCredentials(url: string): boolean {
  const rest = /^[a-z][a-z0-9+.-]*:[/\\]{2,}(.*)$/i.exec(url)?.[1];
  if (rest === undefined) return false;
  const parsed = URL.parse(`http://${rest}`);
  const isMarked = /^[^/\\?#]*@/.test(rest);
  return isMarked || (parsed !== null && `${parsed.username}${parsed.password}` !== '');
}
