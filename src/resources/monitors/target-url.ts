import type { PullTypeDefinition } from '../../monitor-types/definition.ts';
import { parseHost } from '../../net/host.ts';

/**
 * Whether checks may aim at a host. Null for a name, which is judged when it is checked. The reason completes "the
 * address …".
 */
export type JudgeTarget = (
  host: string,
) => { allowed: true } | { allowed: false; reason: string } | null;

const LONGEST_URL = 2048;

/** What is wrong with a url, as a predicate; null when nothing is (contract 7.3, 7.4). */
export function urlFault(
  type: Pick<PullTypeDefinition, 'hostIn' | 'urlForm'>,
  url: string,
  judgeTarget: JudgeTarget,
): string | null {
  if (url.length > LONGEST_URL) return `must have at most ${LONGEST_URL} characters`;
  if (!url.isWellFormed() || /[\p{Cc}]|^\s|\s$/u.test(url))
    return 'must not hold control characters or outer spaces';
  const written = type.hostIn(url);
  const host = written === null ? null : knownHost(written);
  if (host === null) return `must be ${type.urlForm(url)}`;
  if (hasCredentials(url)) return 'must not hold a user name or password';
  const judgement = judgeTarget(host);
  if (judgement === null || judgement.allowed) return null;
  return `aims at ${host}, which ${judgement.reason}: only the operator can allow that, by ALLOW_PRIVATE_TARGETS`;
}

function knownHost(text: string): string | null {
  const host = parseHost(text);
  if (host === null) return null;
  return host.kind === 'address' ? host.address : host.name;
}

/** As it is read when it is checked: the parser of URLs skips slashes too many, and takes backslashes for them. */
function hasCredentials(url: string): boolean {
  const rest = /^[a-z][a-z0-9+.-]*:[/\\]{2,}(.*)$/i.exec(url)?.[1];
  if (rest === undefined) return false;
  const parsed = URL.parse(`http://${rest}`);
  const isMarked = /^[^/\\?#]*@/.test(rest);
  return isMarked || (parsed !== null && `${parsed.username}${parsed.password}` !== '');
}
