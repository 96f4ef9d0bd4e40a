import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { openApi } from '../../test/support/api.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { callerOf, registerClient } from '../../test/support/oauth.ts';
import { aliceSignedIn, freezeDates } from '../../test/support/sign-in.ts';
import type { Database } from '../store/database/contract.ts';

freezeDates();

eachDatabase((name, open) => {
  /** Alice with an application that she connects. */
  async function world() {
    const api = await openApi(await open());
    const browser = await aliceSignedIn(api);
    const client = await registerClient(api);
    const code = () => client.code(browser, { team_id: api.alice.teamId });
    const connect = async () => (await client.exchange(await code())).body;
    return { api, browser, client, code, connect };
  }

  /** Lets the database refuse all new access tokens. @returns a function that ends this. */
  async function refuseTokens(database: Database): Promise<() => Promise<void>> {
    const run = (...statements: string[]) =>
      database.transaction(async (tx) => {
        for (const statement of statements) await sql.raw(statement).execute(tx);
      });
    if (name === 'sqlite') {
      await run(
        `create trigger refused before insert on oauth_access_token begin select raise(abort, 'refused'); end`,
      );
      return () => run('drop trigger refused');
    }
    await run(
      `create function refuse() returns trigger as $$ begin raise exception 'refused'; end $$ language plpgsql`,
      'create trigger refused before insert on oauth_access_token execute function refuse()',
    );
    return () => run('drop trigger refused on oauth_access_token', 'drop function refuse');
  }

  it('a request for tokens that fails in the database can be repeated [48.10]', async () => {
    const { api, client, code, connect } = await world();
    const other = await connect();
    const { refresh_token: token } = await connect();
    const fresh = await code();
    const end = await refuseTokens(api.database);
    expect((await client.refresh(token)).status).toBe(500);
    expect((await client.exchange(fresh)).status).toBe(500);
    await end();
    expect((await client.refresh(token)).status).toBe(200);
    expect((await client.exchange(fresh)).status).toBe(200);
    expect(await callerOf(api, other['access_token'])).not.toBeNull();
  });

  it('revoking and disconnecting leave no token of a refresh at the same time [48.15]', async () => {
    const { api, client, connect } = await world();
    const works = async (body: Record<string, unknown>) =>
      (await callerOf(api, body['access_token'])) !== null ||
      (await client.refresh(body['refresh_token'])).status === 200;
    for (let round = 0; round < 3; round += 1) {
      const revoked = await connect();
      const [renewed, { status }] = await Promise.all([
        client.refresh(revoked['refresh_token']),
        client.revoke(revoked['refresh_token']),
      ]);
      expect([status, await works(renewed.body), await works(revoked)]).toEqual([
        200,
        false,
        false,
      ]);

      const disconnected = await connect();
      const list = await api.call(api.alice, 'GET', '/api/v1/connected-applications');
      const [{ id }] = list.body['data'] as [{ id: number }];
      const [last, ended] = await Promise.all([
        client.refresh(disconnected['refresh_token']),
        api.call(api.alice, 'DELETE', `/api/v1/connected-applications/${id}`),
      ]);
      expect([ended.status, await works(last.body)]).toEqual([204, false]);
    }
    expect(api.faults).toEqual([]);
  });
});
