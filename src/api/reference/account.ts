import { z } from 'zod';
import { PERMISSIONS } from '../../identity/caller.ts';
import type { Operation } from './operation.ts';

const person = z.object({
  id: z.int(),
  name: z.string(),
  email: z.string(),
});

const whoAmI = z
  .object({
    user: person.extend({ timezone: z.string().meta({ description: 'IANA name.' }) }),
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
} satisfies Record<string, Operation>;
