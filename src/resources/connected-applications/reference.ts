import { noun } from '../common/operation.ts';
import { createConnectedApplicationService } from './service.ts';
import { z } from 'zod';
import { GRANT_PERMISSIONS, ROLES } from '../../identity/caller.ts';
import { time } from '../common/reference-schemas.ts';

const application = z
  .object({
    id: z.int(),
    name: z.string().meta({ description: 'Chosen by its maker, and not verified.' }),
    host: z.string().meta({
      description:
        'Host where the access of the last consent went, or the scheme of an application on a device, such as `cursor:`.',
    }),
    team: z
      .object({ id: z.int(), name: z.string() })
      .meta({ description: 'Team in which it acts.' }),
    permissions: z
      .array(z.enum(GRANT_PERMISSIONS))
      .meta({ description: 'What you allowed; your role in the team caps it at each call.' }),
    role_now: z
      .enum(ROLES)
      .nullable()
      .meta({ description: 'Your role in the team; null while your membership is not active.' }),
    connected_at: time,
    last_used_at: time.nullable().meta({
      description: 'Accurate to the minute; null if it has never been used.',
    }),
  })
  .meta({
    id: 'ConnectedApplication',
    description: 'An application, such as an AI assistant, that acts for the caller in a team.',
  });

export const connectedApplications = noun(
  'Connected applications',
  createConnectedApplicationService,
  {
    listConnectedApplications: {
      at: 'GET /connected-applications',
      needs: 'token',
      summary: 'List your connected applications',
      description:
        'The applications that you allowed to act for you, in all your teams, newest first. To connect one, enter the address of the tool server, `/mcp` below that of this installation, in the application.',
      answer: z.object({ total: z.int(), data: z.array(application) }).meta({
        id: 'ConnectedApplicationList',
        description: 'The applications that the caller connected.',
      }),
      example: {
        answer: {
          total: 1,
          data: [
            {
              id: 1,
              name: 'Claude',
              host: 'claude.ai',
              team: { id: 1, name: 'Acme' },
              permissions: ['read', 'create', 'update'],
              role_now: 'owner',
              connected_at: '2030-01-01T00:00:00.000Z',
              last_used_at: null,
            },
          ],
        },
      },
    },
    disconnectApplication: {
      at: 'DELETE /connected-applications/:id',
      role: null,
      summary: 'Disconnect an application',
      description: 'Its tokens end at once. It can be connected again.',
    },
  },
);
