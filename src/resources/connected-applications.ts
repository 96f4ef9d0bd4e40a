import { z } from 'zod';
import { GRANT_PERMISSIONS, ROLES } from '../identity/caller.ts';
import { auditTarget } from '../model/audit.ts';
import { deleteGrant, findGrant, listGrants, type GrantRow } from '../store/people/grants.ts';
import { noun, type Call } from './common/operation.ts';
import { notYours, revokeOwn, type OwnDeps } from './common/own.ts';
import { time } from './common/reference-schemas.ts';
import { isoOrNull, isoTime } from './common/time.ts';

/** Applications that a person connected by OAuth 2.1 (identity/oauth.ts), in any of their teams. */
function createConnectedApplications(deps: OwnDeps) {
  return {
    async listConnectedApplications({ principal: { person } }: Call) {
      const rows = await listGrants(deps.database.read, person.id);
      return { total: rows.length, data: rows.map(viewApplication) };
    },

    disconnectApplication: ({ principal, id }: Call) =>
      revokeOwn(deps, principal, async (tx, personId) => {
        const row = await findGrant(tx, personId, id);
        if (row === undefined || !(await deleteGrant(tx, personId, id)))
          throw notYours('connected application');
        const { name, host, permissions } = viewApplication(row);
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

function viewApplication(row: GrantRow) {
  const { id, client_name: name, team_id: teamId, team_name: teamName, role } = row;
  const { redirect_host: host } = row;
  return {
    id,
    name: name ?? host,
    host,
    team: { id: teamId, name: teamName },
    permissions: JSON.parse(row.permissions) as string[],
    role_now: role,
    connected_at: isoTime(row.created_at),
    last_used_at: isoOrNull(row.last_used_at),
  };
}

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

export const connectedApplications = noun('Connected applications', createConnectedApplications, {
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
});
