import { noun } from '../common/operation.ts';
import { createTokenService } from './service.ts';
import { z } from 'zod';
import { answerShape, requestSchema } from '../common/fields.ts';
import { TOKEN_FIELDS } from './fields.ts';

const settings = answerShape(TOKEN_FIELDS);

const token = z
  .object({
    id: z.int(),
    ...settings,
    last_used_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'To the minute; null if it has never been used.' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Token', description: 'An API token, without the token itself.' });

const newToken = z
  .object({
    id: z.int(),
    ...settings,
    token: z.string().meta({ description: 'The token itself, which is shown only once.' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'NewToken', description: 'An API token that was just created.' });

export const tokens = noun('Tokens', createTokenService, {
  listTokens: {
    at: 'GET /tokens',
    needs: 'token',
    summary: 'List your tokens',
    description: 'Your tokens for all teams, the newest first.',
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
    at: 'POST /tokens',
    role: null,
    summary: 'Create a token',
    description: `
Creates a token for the team that you act on. Only this answer contains the token itself: Tocsin stores its hash.

Permissions that you lack yourself are refused with 403. A token that is created with another token expires with it at
the latest, and is revoked with it.`.trim(),
    body: requestSchema(TOKEN_FIELDS),
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
    at: 'DELETE /tokens/:id',
    needs: 'token',
    summary: 'Revoke a token',
    description:
      'Revokes the token and those that were created with it. Every token may revoke itself; for another one it needs the permission `delete`.',
    refusals: ['forbidden'],
  },
});
