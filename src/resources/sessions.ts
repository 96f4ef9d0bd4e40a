import type { Authenticator } from '../identity/authenticate.ts';
import { type Principal, SIGN_IN_METHODS } from '../identity/caller.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../store/database/contract.ts';
import {
  deleteSession,
  deleteSessionsOf,
  listSessions,
  type SessionRow,
} from '../store/people/sessions.ts';
import { auditTarget } from '../model/audit.ts';
import { audit } from './audit-log/entry.ts';
import { Problem } from './common/errors.ts';
import { isoOrNull, isoTime } from './common/time.ts';
import { type Call, noun } from './common/operation.ts';
import { z } from 'zod';
import { textOrNull, time } from './common/reference-schemas.ts';

/** Sessions of a person. Revoking one takes effect at once on the node that handles the request. */
function createSessionService(deps: {
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

const session = z
  .object({
    id: z.int(),
    method: z.enum(SIGN_IN_METHODS).meta({ description: 'Method of signing in.' }),
    ip_address: textOrNull.meta({ description: 'Client address at sign-in.' }),
    user_agent: textOrNull.meta({ description: 'Browser at sign-in.' }),
    is_current: z.boolean().meta({ description: 'True for the session of this request.' }),
    last_used_at: time.nullable().meta({ description: 'Accurate to the minute.' }),
    expires_at: time,
    created_at: time,
  })
  .meta({ id: 'Session', description: 'Browser in which the caller is signed in.' });

export const sessions = noun('Sessions', createSessionService, {
  listSessions: {
    at: 'GET /sessions',
    needs: 'token',
    summary: 'List your sessions',
    description: 'The browsers in which you are signed in, newest first.',
    answer: z
      .object({ data: z.array(session) })
      .meta({ id: 'SessionList', description: 'The sessions of the caller.' }),
    example: {
      answer: {
        data: [
          {
            id: 1,
            method: 'password',
            ip_address: '192.0.2.7',
            user_agent: 'Mozilla/5.0',
            is_current: false,
            last_used_at: null,
            expires_at: '2030-01-08T00:00:00.000Z',
            created_at: '2030-01-01T00:00:00.000Z',
          },
        ],
      },
    },
  },
  revokeSession: {
    at: 'DELETE /sessions/:id',
    role: null,
    summary: 'Revoke a session',
    description: 'Signs that browser out.',
  },
  revokeOtherSessions: {
    at: 'DELETE /sessions',
    role: null,
    summary: 'Revoke all other sessions',
    description: 'All except the session of this request; all of them when called with a token.',
  },
});
