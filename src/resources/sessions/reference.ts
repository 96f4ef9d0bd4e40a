import { noun } from '../common/operation.ts';
import { createSessionService } from './service.ts';
import { z } from 'zod';
import { SIGN_IN_METHODS } from '../../identity/caller.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';

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
