import type { Permission } from '../../src/identity/caller.ts';
import { hashToken, newToken } from '../../src/identity/token.ts';
import type { Database } from '../../src/store/database/contract.ts';
import { insertRow } from '../../src/store/database/rows.ts';
import { redirectTarget } from '../../src/identity/oauth-registration.ts';
import { saveGrant } from '../../src/store/people/grants.ts';

/**
 * Connects a new application of a person, with an access and a refresh token.
 *
 * @returns the id of its grant.
 */
export async function connectApplication(
  database: Database,
  { personId, teamId }: { personId: number; teamId: number },
  options: {
    name?: string;
    redirectUri?: string;
    permissions?: readonly Permission[];
    now: number;
  },
): Promise<number> {
  const { name = 'Claude', redirectUri = 'https://claude.ai/callback', now } = options;
  const permissions = JSON.stringify(options.permissions ?? ['read']);
  const clientId = newToken();
  return database.transaction(async (tx) => {
    await insertRow(tx, 'oauth_client', {
      client_id: clientId,
      name,
      redirect_uris: JSON.stringify([redirectUri]),
      created_at: now,
      updated_at: now,
    });
    const redirectHost = redirectTarget(redirectUri);
    const grant = { personId, clientId, teamId, permissions, redirectHost };
    const grantId = await saveGrant(tx, grant, now);
    const issued = {
      client_id: clientId,
      person_id: personId,
      grant_id: grantId,
      scopes: permissions,
      expires_at: now + 3_600_000,
      created_at: now,
    };
    const hash = hashToken(newToken());
    const refreshId = await insertRow(tx, 'oauth_refresh_token', { ...issued, hash });
    const access = { ...issued, hash: hashToken(newToken()), refresh_id: refreshId };
    await insertRow(tx, 'oauth_access_token', access);
    return grantId;
  });
}
