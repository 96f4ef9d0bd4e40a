import { z } from 'zod';
import { PERMISSIONS } from '../../identity/caller.ts';
import { accountInput } from './service.ts';
import type { Operation } from '../common/operation.ts';

const person = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
});

const account = person
  .extend({ timezone: z.string().meta({ description: 'IANA name.' }) })
  .meta({ id: 'Account', description: 'A person as they see themselves.' });

const whoAmI = z
  .object({
    user: account,
    team: z
      .object({
        id: z.int(),
        name: z.string(),
        slug: z.string(),
        personal_team: z.boolean(),
      })
      .nullable()
      .meta({ description: 'The team that calls with this token act on.' }),
    token: z.object({ name: z.string(), permissions: z.array(z.enum(PERMISSIONS)) }),
    api: z.object({ name: z.string(), version: z.string() }),
  })
  .meta({ id: 'WhoAmI', description: 'Who the token belongs to, and what it may do.' });

export const ACCOUNT_OPERATIONS = {
  whoAmI: {
    tag: 'Account',
    summary: 'Who am I',
    description: 'The person, team and permissions behind the token.',
    answer: whoAmI,
    example: {
      answer: {
        user: { id: 1, name: 'Alice', email: 'alice@example.com', timezone: 'UTC' },
        team: { id: 1, name: 'My team', slug: 'my-team', personal_team: true },
        token: { name: 'First start', permissions: ['read', 'create', 'update', 'delete'] },
        api: { name: 'Tocsin', version: '0.1.0' },
      },
    },
  },
  testToken: {
    tag: 'Account',
    summary: 'Test the token',
    answer: z
      .object({ message: z.string(), user: person })
      .meta({ id: 'TokenTest', description: 'That the token is valid, and whose it is.' }),
    example: {
      answer: {
        message: 'You are signed in as Alice.',
        user: { id: 1, name: 'Alice', email: 'alice@example.com' },
      },
    },
  },
  updateAccount: {
    tag: 'Account',
    summary: 'Update your account',
    description:
      'Only the keys that are present change. Address, password and second factor are changed at `/api/auth`.',
    body: accountInput,
    answer: account,
    example: {
      body: { name: 'Alice', timezone: 'Europe/Berlin' },
      answer: { id: 1, name: 'Alice', email: 'alice@example.com', timezone: 'Europe/Berlin' },
    },
  },
  createResetLink: {
    tag: 'Users',
    summary: 'Create a link that sets a new password',
    description: `
For installations that send no mail: a link for a member who can't sign in any more. Where mail is sent, people ask for
it themselves.

A new password opens all teams of that person. So it needs somebody who is owner or admin in every one of them, and above
them there; for oneself it is always possible. A token must hold all permissions.`.trim(),
    answer: z
      .object({
        url: z.string().meta({ description: 'The link. Hand it to nobody else.' }),
        expires_at: z.iso.datetime().meta({ description: 'The link works once, until then.' }),
      })
      .meta({ id: 'ResetLink', description: 'A link that sets a new password.' }),
    example: {
      answer: {
        url: 'https://up.example.com/reset-password?token=…',
        expires_at: '2030-01-01T01:00:00.000Z',
      },
    },
    refusals: ['unsupported'],
  },
} satisfies Record<string, Operation>;
