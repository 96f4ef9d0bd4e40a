import { z } from 'zod';
import { ROLES } from '../../identity/caller.ts';
import { memberInput } from './service.ts';
import { operations } from '../common/operation.ts';

export const user = z
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

const alice = {
  id: 1,
  name: 'Alice',
  email: 'alice@example.com',
  role: 'owner',
  status: 'active',
  mfa_enabled: false,
  created_at: '2030-01-01T00:00:00.000Z',
  added_at: '2030-01-01T00:00:00.000Z',
  last_login_at: null,
};

export const ed = { ...alice, id: 2, name: 'Ed', email: 'ed@example.com', role: 'editor' };

export const USER_OPERATIONS = operations('Users', {
  listUsers: {
    summary: 'List users',
    description: "The team's members, the owner first, then by name.",
    answer: z
      .object({
        team: z.string().meta({ description: "The team's name." }),
        total: z.int(),
        data: z.array(user),
      })
      .meta({ id: 'UserList', description: 'The members of the team.' }),
    example: { answer: { team: 'My team', total: 1, data: [alice] } },
  },
  updateUser: {
    summary: 'Change a member',
    description:
      'Gives a member another role, or disables or enables them. A disabled member can do nothing in the team; their tokens rest, and work again when they are enabled. The owner stays as they are: a team is handed over by `POST /teams/{id}/transfer`. For admins.',
    body: memberInput,
    answer: user,
    example: { id: 2, body: { role: 'viewer' }, answer: { ...ed, role: 'viewer' } },
  },
  deleteUser: {
    summary: 'Remove a member',
    description:
      'They are no member any more, and their tokens of this team are revoked. Their account stays. The owner can’t be removed, and nobody removes themselves: leave by `POST /teams/{id}/leave`. For admins.',
    example: { id: 2 },
    refusals: ['invalid'],
  },
});
