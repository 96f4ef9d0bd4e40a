import { z } from 'zod';
import { PERMISSIONS } from '../../identity/caller.ts';
import { tokenInput } from './service.ts';
import type { Operation } from '../common/operation.ts';

const permissions = z.array(z.enum(PERMISSIONS));
const expiresAt = z.iso
  .datetime()
  .nullable()
  .meta({ description: 'From then on it opens nothing; null for never.' });

const token = z
  .object({
    id: z.int(),
    name: z.string(),
    permissions,
    last_used_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'To the minute; null if it never was used.' }),
    expires_at: expiresAt,
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Token', description: 'An API token, without the token itself.' });

const newToken = z
  .object({
    id: z.int(),
    name: z.string(),
    permissions,
    token: z.string().meta({ description: 'The token itself. It is shown this once.' }),
    expires_at: expiresAt,
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'NewToken', description: 'An API token that was just made.' });

export const TOKEN_OPERATIONS = {
  listTokens: {
    tag: 'Tokens',
    summary: 'List your tokens',
    description: 'All of yours, whichever team they act on, the newest first.',
    answer: z
      .object({ data: z.array(token) })
      .meta({ id: 'TokenList', description: 'The tokens of the caller.' }),
    example: {
      answer: {
        data: [
          {
            id: 1,
            name: 'First start',
            permissions: ['read', 'create', 'update', 'delete'],
            last_used_at: '2030-01-01T00:00:00.000Z',
            expires_at: null,
            created_at: '2030-01-01T00:00:00.000Z',
          },
        ],
      },
    },
  },
  createToken: {
    tag: 'Tokens',
    summary: 'Create a token',
    description: `
A token for the team that you act on. The answer alone holds the token itself: only its hash is kept.

A token never gets more than its maker has: permissions that you lack yourself are refused with 403. What a token makes
expires with it at the latest, and is revoked with it.`.trim(),
    body: tokenInput,
    answer: newToken,
    example: {
      body: {
        name: 'Deployment',
        permissions: ['read', 'update'],
        expires_at: '2031-01-01T00:00:00Z',
      },
      answer: {
        id: 5,
        name: 'Deployment',
        permissions: ['read', 'update'],
        token: 'tocsin_…',
        expires_at: '2031-01-01T00:00:00.000Z',
        created_at: '2030-01-01T00:00:00.000Z',
      },
    },
  },
  revokeToken: {
    tag: 'Tokens',
    summary: 'Revoke a token',
    description:
      'It opens nothing any more, and neither does what it made. A token may revoke itself.',
  },
} satisfies Record<string, Operation>;
