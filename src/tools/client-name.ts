import type { Principal } from '../identity/caller.ts';
import { fromTeam } from './target-text.ts';

const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
const MAX_LENGTH = 60;

/**
 * The caller with the name of their client beside that of their token, for the audit log. A connected application has its
 * name from its registration; clients of revisions before 2026-07-28 name themselves only once, which nothing remembers.
 *
 * @param envelope what the client says of itself with each request (revision 2026-07-28).
 */
export function withClientName(
  principal: Principal,
  envelope: Readonly<Record<string, unknown>> | undefined,
): Principal {
  const { credential } = principal;
  const { name } = (envelope?.[CLIENT_INFO] ?? {}) as { name?: unknown };
  if (credential.kind !== 'token' || typeof name !== 'string' || name.trim() === '')
    return principal;
  const named = `${credential.name} (${fromTeam(name, MAX_LENGTH)})`;
  return { ...principal, credential: { ...credential, name: named } };
}
