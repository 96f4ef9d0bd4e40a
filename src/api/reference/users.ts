import { z } from 'zod';
import { ROLES } from '../../identity/caller.ts';
import type { Operation } from './operation.ts';

const user = z
  .object({
    id: z.int(),
    name: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    status: z
      .enum(['active', 'disabled'])
      .meta({ description: 'A disabled member is listed, and can do nothing in the team.' }),
    mfa_enabled: z
      .boolean()
      .meta({ description: 'Whether two-factor authentication is confirmed.' }),
    created_at: z.iso.datetime(),
    added_at: z.iso.datetime().meta({
      description: "When they joined the team; for the owner, the team's creation date.",
    }),
    last_login_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Their newest sign-in; null if there never was one.' }),
  })
  .meta({ id: 'User', description: 'A member of the team.' });

export const USER_OPERATIONS = {
  listUsers: {
    tag: 'Users',
    summary: 'List users',
    description: "The team's members, the owner first, then by name.",
    answer: z
      .object({
        team: z.string().meta({ description: "The team's name." }),
        total: z.int(),
        data: z.array(user),
      })
      .meta({ id: 'UserList', description: 'The members of the team.' }),
    example: {
      answer: {
        team: 'My team',
        total: 1,
        data: [
          {
            id: 1,
            name: 'Alice',
            email: 'alice@example.com',
            role: 'owner',
            status: 'active',
            mfa_enabled: false,
            created_at: '2030-01-01T00:00:00.000Z',
            added_at: '2030-01-01T00:00:00.000Z',
            last_login_at: null,
          },
        ],
      },
    },
  },
} satisfies Record<string, Operation>;
