import { noun } from '../common/operation.ts';
import { createSetupService } from './service.ts';
import { z } from 'zod';
import { setupInput, setupStateQuery } from './service.ts';
import { accountFields, teamFields } from '../account/reference.ts';

export const setup = noun('Set-up', createSetupService, {
  getSetupState: {
    at: 'GET /setup/state',
    needs: 'nobody',
    summary: 'Get the state of the set-up',
    description: 'Returns what is known of the owner, for the page behind the link.',
    query: setupStateQuery,
    answer: z
      .object({
        email: z
          .string()
          .nullable()
          .meta({ description: 'Address of the owner; null when they must choose one.' }),
        team_name: z.string().nullable().meta({ description: 'Name of their team.' }),
      })
      .meta({ id: 'SetupState', description: 'New installation before its set-up.' }),
    example: {
      query: 'token=q8Zr4ZpVtOj1mX6dCw0yLkT2sNbEhA',
      answer: { email: 'alice@example.com', team_name: 'Team ours' },
    },
    refusals: ['not_found'],
    handle: (its, { query }) => its.state(query),
  },
  completeSetup: {
    at: 'POST /setup',
    needs: 'nobody',
    status: 201,
    summary: 'Set up a new installation',
    description:
      'Sets the address and the password of the owner. Works once, within 24 hours, with the token of the link that the first start creates.',
    body: setupInput,
    answer: z
      .object({
        user: z.object(accountFields),
        team: z.object(teamFields).nullable(),
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
    handle: (its, { body, clientAddress }) => its.complete(body, clientAddress),
  },
});
