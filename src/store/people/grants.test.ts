import { expect, it } from 'vitest';
import { eachDatabase } from '../../../test/support/databases.ts';
import { updateRows } from '../../../test/support/rows.ts';
import type { Database } from '../database/contract.ts';
import { hasRow, insertRow } from '../database/rows.ts';
import { saveGrant, grantStore } from './grants.ts';
import { deleteUnusedClients, expire } from '../engine/expiry.ts';
import { peopleStore } from './people.ts';
import { sessionStore } from './sessions.ts';
import { signInRows } from './sign-in-rows.ts';
import { createTeam } from './teams.ts';

const NOW = 1_000_000;
const DAY = 86_400_000;

eachDatabase((_name, open) => {
  async function world() {
    const database = await open();
    const personId = await database.transaction((tx) =>
      peopleStore(tx).insert({ name: 'Jo', email: 'jo@example.com', timezone: 'UTC' }, NOW),
    );
    const team = { name: 'Crew', personalTeam: false, ownerId: personId };
    const { id: teamId } = await database.transaction((tx) => createTeam(tx, team, NOW));
    const clientId = await insertClient(database, 'desktop');
    const save = (permissions: string, now = NOW) =>
      database.transaction((tx) =>
        saveGrant(tx, { personId, clientId, teamId, permissions, redirectHost: 'claude.ai' }, now),
      );
    return { database, personId, teamId, clientId, save };
  }

  it('lists the grants of a person with the names of application and team', async () => {
    const { database, personId, teamId, clientId, save } = await world();
    const id = await save('["read"]');
    await database.transaction((tx) => sessionStore(tx).recordLastUse('oauth_grant', id, NOW + 5));
    await database.transaction((tx) => sessionStore(tx).recordLastUse('oauth_grant', id, NOW + 3));
    expect(await grantStore(database.read).list(personId)).toEqual([
      {
        id,
        client_id: clientId,
        client_name: 'Assistant desktop',
        client_uri: null,
        redirect_host: 'claude.ai',
        team_id: teamId,
        team_name: 'Crew',
        role: 'owner',
        permissions: '["read"]',
        last_used_at: NOW + 5,
        created_at: NOW,
        updated_at: NOW,
      },
    ]);
    expect(await grantStore(database.read).list(personId + 1)).toEqual([]);
    expect(await grantStore(database.read).find(personId + 1, id)).toBeUndefined();
  });

  it('deletes its tokens with it, and of its own person only', async () => {
    const { database, personId, save } = await world();
    const id = await save('["read"]');
    await insertTokens(database, { grantId: id, personId }, NOW + 10);
    expect(await grantStore(database.read).findHolder('access')).toMatchObject({
      grant_id: id,
      role: 'owner',
      client_name: 'Assistant desktop',
    });
    expect(await database.transaction((tx) => grantStore(tx).delete(personId + 1, id))).toBe(false);
    expect(await grantStore(database.read).has(id)).toBe(true);
    expect(await database.transaction((tx) => grantStore(tx).delete(personId, id))).toBe(true);
    expect(await grantStore(database.read).findHolder('access')).toBeUndefined();
    expect(await hasRow(database.read.selectFrom('oauth_refresh_token'))).toBe(false);
    expect(await grantStore(database.read).has(id)).toBe(false);
  });

  it('has no holder of a team that they left, or that was deleted', async () => {
    const { database, personId, teamId, save } = await world();
    await insertTokens(database, { grantId: await save('["read"]'), personId }, NOW + 10);
    const setStatus = (status: string) =>
      database.transaction((tx) => tx.updateTable('member').set({ status }).execute());
    await setStatus('disabled');
    expect(await grantStore(database.read).findHolder('access')).toBeUndefined();
    await setStatus('active');
    expect(await grantStore(database.read).findHolder('access')).toBeDefined();
    await database.transaction((tx) =>
      tx.updateTable('team').set({ deleted_at: NOW }).where('id', '=', teamId).execute(),
    );
    expect(await grantStore(database.read).findHolder('access')).toBeUndefined();
    expect(await grantStore(database.read).list(personId)).toEqual([]);
  });

  it('deletes tokens once they have expired [48.18]', async () => {
    const { database, personId, save } = await world();
    await insertTokens(database, { grantId: await save('["read"]'), personId }, NOW + 10);
    await expire.oauthTokens(database, NOW + 9);
    expect(await grantStore(database.read).findHolder('access')).toBeDefined();
    await expire.oauthTokens(database, NOW + 10);
    expect(await grantStore(database.read).findHolder('access')).toBeUndefined();
    expect(await hasRow(database.read.selectFrom('oauth_refresh_token'))).toBe(false);
  });

  it('deletes tokens unread, and names the people whose they were', async () => {
    const { database, personId, save } = await world();
    await insertTokens(database, { grantId: await save('["read"]'), personId }, NOW + 10);
    const where = [{ column: 'client_id', operator: '=', value: 'desktop' }] as const;
    const table = 'oauth_refresh_token';
    const remove = () =>
      database.transaction((tx) => signInRows(tx).deleteUnread({ table, where }));
    expect(await remove()).toEqual({ count: 1, people: [{ person_id: personId }] });
    expect(await remove()).toEqual({ count: 0, people: [] });
    expect(await grantStore(database.read).findHolder('access')).toBeUndefined();
  });

  it('deletes used refresh tokens a day after their use [48.18]', async () => {
    const { database, personId, save } = await world();
    await insertTokens(database, { grantId: await save('["read"]'), personId }, NOW + 30 * DAY);
    const isKept = () => hasRow(database.read.selectFrom('oauth_refresh_token'));
    await expire.oauthTokens(database, NOW + DAY);
    expect(await isKept()).toBe(true);
    await updateRows(database, 'oauth_refresh_token', { revoked_at: NOW }, {});
    await expire.oauthTokens(database, NOW + DAY - 1);
    expect(await isKept()).toBe(true);
    await expire.oauthTokens(database, NOW + DAY);
    expect(await isKept()).toBe(false);
  });

  it('deletes applications that nobody connected, and later those that were disconnected [48.18]', async () => {
    const { database, personId, save } = await world();
    await insertClient(database, 'never connected');
    const id = await save('["read"]');
    const clients = async () =>
      (await database.read.selectFrom('oauth_client').select('client_id').execute()).map(
        ({ client_id: clientId }) => clientId,
      );
    const clean = () =>
      deleteUnusedClients(database, { registered: NOW + 1, connected: NOW + 1 - DAY });
    await clean();
    expect(await clients()).toEqual(['desktop']);
    await database.transaction((tx) => grantStore(tx).delete(personId, id));
    await clean();
    expect(await clients()).toEqual(['desktop']);
    await deleteUnusedClients(database, { registered: NOW + 1, connected: NOW + 1 });
    expect(await clients()).toEqual([]);
  });
});

async function insertClient(database: Database, clientId: string): Promise<string> {
  const client = {
    client_id: clientId,
    name: `Assistant ${clientId}`,
    redirect_uris: '["http://127.0.0.1/callback"]',
    created_at: NOW,
    updated_at: NOW,
  };
  await database.transaction((tx) => insertRow(tx, 'oauth_client', client));
  return clientId;
}

async function insertTokens(
  database: Database,
  { grantId, personId }: { grantId: number; personId: number },
  expiresAt: number,
): Promise<void> {
  const issued = {
    client_id: 'desktop',
    person_id: personId,
    grant_id: grantId,
    scopes: '["read"]',
    expires_at: expiresAt,
    created_at: NOW,
  };
  await database.transaction(async (tx) => {
    const refreshId = await insertRow(tx, 'oauth_refresh_token', { ...issued, hash: 'refresh' });
    await insertRow(tx, 'oauth_access_token', { ...issued, hash: 'access', refresh_id: refreshId });
  });
}
