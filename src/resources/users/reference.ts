import { noun } from '../common/operation.ts';
import { createUserService } from './service.ts';
import { z } from 'zod';
import { ROLES } from '../../identity/caller.ts';
import { memberInput } from './service.ts';

export const user = z
  .object({
    id: z.int(),
    name: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    status: z
      .enum(['active', 'disabled'])
      .meta({ description: 'A disabled member cannot access the team.' }),
    mfa_enabled: z
      .boolean()
      .meta({ description: 'True when two-factor authentication is set up.' }),
    created_at: z.iso.datetime(),
    added_at: z.iso.datetime().meta({
      description: 'When they joined the team; for its first owner, when the team was created.',
    }),
    last_login_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Latest sign-in; null if they never signed in.' }),
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

export const users = noun('Users', createUserService, {
  listUsers: {
    at: 'GET /users',
    summary: 'List users',
    description: 'The members of the team, the owner first, then by name.',
    answer: z
      .object({
        team: z.string().meta({ description: 'Name of the team.' }),
        total: z.int(),
        data: z.array(user),
      })
      .meta({ id: 'UserList', description: 'The members of the team.' }),
    example: { answer: { team: 'My team', total: 1, data: [alice] } },
  },
  updateUser: {
    at: 'PUT /users/:id',
    role: 'admin',
    summary: 'Change a member',
    description:
      'Changes the role of a member, or disables or enables them. A disabled member cannot access the team; their tokens are refused until they are enabled again. The owner cannot be changed: use `POST /teams/{id}/transfer`. For admins.',
    body: memberInput,
    answer: user,
    example: { id: 2, body: { role: 'viewer' }, answer: { ...ed, role: 'viewer' } },
  },
  deleteUser: {
    at: 'DELETE /users/:id',
    role: 'admin',
    summary: 'Remove a member',
    description:
      'Removes a member and revokes their tokens for this team. Their account stays. The owner cannot be removed; to remove yourself, use `POST /teams/{id}/leave`. For admins.',
    example: { id: 2 },
    refusals: ['invalid'],
  },
});
