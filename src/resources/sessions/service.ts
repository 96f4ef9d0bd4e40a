import type { Authenticator } from '../../identity/authenticate.ts';
import type { Principal } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  deleteSession,
  deleteSessionsOf,
  listSessions,
  type SessionRow,
} from '../../store/people/sessions.ts';
import { auditTarget } from '../../model/audit.ts';
import { audit } from '../audit-log/entry.ts';
import { Problem } from '../common/errors.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import { type Call } from '../common/operation.ts';

/** Sessions of a person. Revoking one takes effect at once on the node that handles the request. */
export function createSessionService(deps: {
  database: Database;
  clock: Clock;
  forget: Authenticator['forget'];
}) {
  const { database, clock, forget } = deps;

  return {
    async listSessions({ principal }: Call) {
      const rows = await listSessions(database.read, principal.person.id, clock.now());
      const currentId = sessionOf(principal);
      return { data: rows.map((row) => viewSession(row, currentId)) };
    },

    /** Throws `not_found` for sessions of other people. */
    async revokeSession({ principal, id }: Call) {
      const personId = principal.person.id;
      await database.transaction(async (tx) => {
        if (!(await deleteSession(tx, personId, id)))
          throw new Problem('not_found', 'There is no such session of yours.');
        const target = auditTarget('session', { id, name: null });
        await audit(tx, principal, { verb: 'deleted', target }, clock.now());
      });
      forget({ personId });
    },

    /** Revokes all sessions except the caller's. */
    async revokeOtherSessions({ principal }: Call) {
      const personId = principal.person.id;
      await database.transaction(async (tx) => {
        const count = await deleteSessionsOf(tx, personId, sessionOf(principal));
        if (count === 0) return;
        const target = auditTarget('session', { id: null, name: 'All others' });
        const change = { verb: 'deleted', target, before: { sessions: count } };
        await audit(tx, principal, change, clock.now());
      });
      forget({ personId });
    },
  };
}

/** Session of the caller; null for a token. */
function sessionOf({ credential }: Principal): number | null {
  return credential.kind === 'session' ? credential.id : null;
}

function viewSession(row: SessionRow, currentId: number | null): object {
  return {
    id: row.id,
    method: row.method,
    ip_address: row.ip_address,
    user_agent: row.user_agent,
    is_current: row.id === currentId,
    last_used_at: isoOrNull(row.last_used_at),
    expires_at: isoTime(row.expires_at),
    created_at: isoTime(row.created_at),
  };
}
