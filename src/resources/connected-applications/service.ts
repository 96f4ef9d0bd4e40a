import type { Authenticator } from '../../identity/authenticate.ts';
import type { Clock } from '../../lib/clock.ts';
import { auditTarget } from '../../model/audit.ts';
import type { Database } from '../../store/database/contract.ts';
import { deleteGrant, findGrant, listGrants, type GrantRow } from '../../store/people/grants.ts';
import { audit } from '../audit-log/entry.ts';
import { Problem } from '../common/errors.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import { type Call } from '../common/operation.ts';

/** Applications that a person connected by OAuth 2.1 (identity/oauth.ts), in any of their teams. */
export function createConnectedApplicationService(deps: {
  database: Database;
  clock: Clock;
  forget: Authenticator['forget'];
}) {
  const { database, clock, forget } = deps;

  return {
    async listConnectedApplications({ principal: { person } }: Call) {
      const rows = await listGrants(database.read, person.id);
      return { total: rows.length, data: rows.map(viewApplication) };
    },

    /**
     * Disconnects an application, whose tokens end at once on the node that handles the request. Throws `not_found` for
     * those of other people.
     */
    async disconnectApplication({ principal, id }: Call) {
      const personId = principal.person.id;
      await database.transaction(async (tx) => {
        const row = await findGrant(tx, personId, id);
        if (row === undefined || !(await deleteGrant(tx, personId, id)))
          throw new Problem('not_found', 'There is no such connected application of yours.');
        const { name, host, permissions } = viewApplication(row);
        const change = {
          verb: 'disconnected',
          target: auditTarget('application', { id, name }),
          // The team that it acted in, which need not be that of the caller.
          teamId: row.team_id,
          before: { host, permissions },
        };
        await audit(tx, principal, change, clock.now());
      });
      forget({ personId });
    },
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
