import { z } from 'zod';
import { CHANGING } from './common/changing.ts';
import { GRANT_PERMISSIONS, ROLES, type Role } from '../identity/caller.ts';
import { auditTarget } from '../model/audit.ts';
import { type GrantRow, grantStore } from '../store/people/grants.ts';
import { shownAs } from './common/answer.ts';
import { noun, type Call } from './common/operation.ts';
import { notYours, revokeOwn, type OwnDeps } from './common/own.ts';
import { time } from './common/reference-schemas.ts';
import { isoOrNull, isoTime } from './common/time.ts';

const shown = shownAs<GrantRow>()({
  id: [z.int(), (row) => row.id, 1],
  name: [
    z.string().meta({ description: 'Chosen by its maker, and not verified.' }),
    (row) => row.client_name ?? row.redirect_host,
    'Claude',
  ],
  host: [
    z.string().meta({
      description:
        'Host where the access of the last consent went, or the scheme of an application on a device, such as `cursor:`.',
    }),
    (row) => row.redirect_host,
    'claude.ai',
  ],
  team: [
    z.object({ id: z.int(), name: z.string() }).meta({ description: 'Team in which it acts.' }),
    (row) => ({ id: row.team_id, name: row.team_name }),
    { id: 1, name: 'Acme' },
  ],
  permissions: [
    z
      .array(z.enum(GRANT_PERMISSIONS))
      .meta({ description: 'What you allowed; your role in the team caps it at each call.' }),
    (row) => JSON.parse(row.permissions) as (typeof GRANT_PERMISSIONS)[number][],
    ['read', 'create', 'update'],
  ],
  role_now: [
    z
      .enum(ROLES)
      .nullable()
      .meta({ description: 'Your role in the team; null while your membership is not active.' }),
    (row) => row.role as Role | null,
    'owner',
  ],
  connected_at: [time, (row) => isoTime(row.created_at), '2030-01-01T00:00:00.000Z'],
  last_used_at: [
    time.nullable().meta({
      description: 'Accurate to the minute; null if it has never been used.',
    }),
    (row) => isoOrNull(row.last_used_at),
    null,
  ],
});

const application = z
  .object(shown.shape)
  .meta({
    id: 'ConnectedApplication',
    description: 'An application, such as an AI assistant, that acts for the caller in a team.',
  })
  .register(CHANGING, { fields: ['last_used_at'] });

/** Applications that a person connected by OAuth 2.1 (identity/oauth.ts), in any of their teams. */
function createConnectedApplications(deps: OwnDeps) {
  return {
    async listConnectedApplications({ principal: { person } }: Call) {
      const rows = await grantStore(deps.database.read).list(person.id);
      return { total: rows.length, data: rows.map((row) => shown.view(row)) };
    },

    disconnectApplication: ({ principal, id }: Call) =>
      revokeOwn(deps, principal, async (tx, personId) => {
        const row = await grantStore(tx).find(personId, id);
        if (row === undefined || !(await grantStore(tx).delete(personId, id)))
          throw notYours('connected application');
        const { name, host, permissions } = shown.view(row);
        return {
          verb: 'disconnected',
          target: auditTarget('application', { id, name }),
          // The team that it acted in, which need not be that of the caller.
          teamId: row.team_id,
          before: { host, permissions },
        };
      }),
  };
}

export const connectedApplications = noun(
  { 'Connected applications': 'Applications, such as AI assistants, that act for you.' },
  createConnectedApplications,
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
          data: [shown.example],
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
