import type { PullTypeDefinition } from '../../monitor-types/definition.ts';
import { parseHost } from '../../net/host.ts';

/**
 * Rule for the hosts that checks may connect to. Returns null for a name, whose addresses are checked on each
 * connection. The reason completes "the address …".
 */
export type TargetRule = (
  host: string,
) => { allowed: true } | { allowed: false; reason: string } | null;

export const MAX_URL_LENGTH = 2048;

/** Error of a URL, as a predicate; null for a valid one (contract 7.3, 7.4). */
export function urlError(
  type: Pick<PullTypeDefinition, 'hostIn' | 'urlForm'>,
  url: string,
  targetRule: TargetRule,
): string | null {
  if (url.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters`;
  if (!url.isWellFormed() || /[\p{Cc}]|^\s|\s$/u.test(url))
    return 'must not hold control characters or outer spaces';
  const written = type.hostIn(url);
  const host = written === null ? null : knownHost(written);
  if (host === null) return `must be ${type.urlForm(url)}`;
  if (hasCredentials(url)) return 'must not hold a user name or password';
  const permission = targetRule(host);
  if (permission === null || permission.allowed) return null;
  return `aims at ${host}, which ${permission.reason}: only the operator can allow that, by ALLOW_PRIVATE_TARGETS`;
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
