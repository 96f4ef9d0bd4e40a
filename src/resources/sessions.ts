import { z } from 'zod';
import { CHANGING } from './common/changing.ts';
import { SIGN_IN_METHODS, type Principal } from '../identity/caller.ts';
import { auditTarget } from '../model/audit.ts';
import { sessionStore } from '../store/people/sessions.ts';
import { noun, type Call } from './common/operation.ts';
import { notYours, revokeOwn, type OwnDeps } from './common/own.ts';
import { textOrNull, time } from './common/reference-schemas.ts';
import { isoOrNull, isoTime } from './common/time.ts';

/** Sessions of a person. */
function createSessions(deps: OwnDeps) {
  return {
    async listSessions({ principal }: Call) {
      const rows = await deps.database.read
        .selectFrom('session')
        .selectAll()
        .where('person_id', '=', principal.person.id)
        .where('expires_at', '>', deps.clock.now())
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      const currentId = sessionOf(principal);
      const data = rows.map((row) => ({
        id: row.id,
        method: row.method,
        ip_address: row.ip_address,
        user_agent: row.user_agent,
        is_current: row.id === currentId,
        last_used_at: isoOrNull(row.last_used_at),
        expires_at: isoTime(row.expires_at),
        created_at: isoTime(row.created_at),
      }));
      return { data };
    },

    revokeSession: ({ principal, id }: Call) =>
      revokeOwn(deps, principal, async (tx, personId) => {
        if (!(await sessionStore(tx).delete(personId, id))) throw notYours('session');
        return { verb: 'deleted', target: auditTarget('session', { id, name: null }) };
      }),

    revokeOtherSessions: ({ principal }: Call) =>
      revokeOwn(deps, principal, async (tx, personId) => {
        const sessions = await sessionStore(tx).deleteAllOf(personId, sessionOf(principal));
        const target = auditTarget('session', { id: null, name: 'All others' });
        return sessions === 0 ? null : { verb: 'deleted', target, before: { sessions } };
      }),
  };
}

/** Session of the caller; null for a token. */
function sessionOf({ credential }: Principal): number | null {
  return credential.kind === 'session' ? credential.id : null;
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
  .meta({ id: 'Session', description: 'Browser in which the caller is signed in.' })
  .register(CHANGING, { fields: ['is_current', 'last_used_at'] });

export const sessions = noun(
  { Sessions: 'The browsers in which you are signed in.' },
  createSessions,
  {
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
  },
);
