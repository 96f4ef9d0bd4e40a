import { z } from 'zod';
import { SIGN_IN_METHODS } from '../../identity/caller.ts';
import type { Operation } from '../common/operation.ts';

const session = z
  .object({
    id: z.int(),
    method: z.enum(SIGN_IN_METHODS).meta({ description: 'How it was begun.' }),
    ip_address: z.string().nullable().meta({ description: 'From where it was begun.' }),
    user_agent: z.string().nullable().meta({ description: 'The browser that began it.' }),
    is_current: z.boolean().meta({ description: 'Whether it is the one that asks.' }),
    last_used_at: z.iso.datetime().nullable().meta({ description: 'To the minute.' }),
    expires_at: z.iso.datetime(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Session', description: 'A browser in which the caller is signed in.' });

export const SESSION_OPERATIONS = {
  listSessions: {
    tag: 'Sessions',
    summary: 'List your sessions',
    description: 'The browsers in which you are signed in, the newest first.',
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
    tag: 'Sessions',
    summary: 'Revoke a session',
    description: 'Whoever uses it is signed out.',
  },
  revokeOtherSessions: {
    tag: 'Sessions',
    summary: 'Revoke all other sessions',
    description: 'All but the one that asks; all of them when a token asks.',
  },
} satisfies Record<string, Operation>;
