import { z } from 'zod';
import { setupInput, setupStateQuery } from './service.ts';
import { operations } from '../common/operation.ts';

export const SETUP_OPERATIONS = operations('Set-up', {
  getSetupState: {
    summary: 'Look at a set-up link',
    description: 'What is known already of the owner, for the page behind the link.',
    query: setupStateQuery,
    answer: z
      .object({
        email: z
          .string()
          .nullable()
          .meta({ description: 'Of the owner; null as long as they have to give one.' }),
        team_name: z.string().nullable().meta({ description: 'Of their team.' }),
      })
      .meta({ id: 'SetupState', description: 'A fresh installation, before it has an owner.' }),
    example: {
      query: 'token=q8Zr4ZpVtOj1mX6dCw0yLkT2sNbEhA',
      answer: { email: 'alice@example.com', team_name: 'Team ours' },
    },
    refusals: ['not_found'],
  },
  completeSetup: {
    summary: 'Set up a fresh installation',
    description:
      'Works once, with the token of the link that the first start shows: gives the owner an address and a password to sign in with.',
    body: setupInput,
    answer: z
      .object({
        user: z.object({
          id: z.int(),
          name: z.string(),
          email: z.string(),
          timezone: z.string().meta({ description: 'IANA name.' }),
        }),
        team: z
          .object({
            id: z.int(),
            name: z.string(),
            slug: z.string(),
            personal_team: z.boolean(),
          })
          .nullable(),
      })
      .meta({ id: 'SetupDone', description: 'The owner and their team.' }),
    example: {
      body: {
        token: 'q8Zr4ZpVtOj1mX6dCw0yLkT2sNbEhA',
        name: 'Alice',
        email: 'alice@example.com',
        password: 'a long sentence that only I know',
        team_name: 'Operations',
      },
      answer: {
        user: { id: 1, name: 'Alice', email: 'alice@example.com', timezone: 'UTC' },
        team: { id: 1, name: 'Operations', slug: 'my-team', personal_team: true },
      },
    },
    refusals: ['not_found'],
  },
});
