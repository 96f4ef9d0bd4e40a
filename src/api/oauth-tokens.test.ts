import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { LIMITS, openApi } from '../../test/support/api.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { callerOf, registerClient } from '../../test/support/oauth.ts';
import { aliceSignedIn, freezeDates, pass } from '../../test/support/sign-in.ts';
import { createRateLimits } from '../identity/rate-limits.ts';
import type { Database } from '../store/database/contract.ts';
import { hasRow, insertRow } from '../store/database/rows.ts';

const HOUR = 3_600_000;

freezeDates();

eachDatabase((name, open) => {
  /** Alice with an application that she connects. */
  async function world(edge: Parameters<typeof openApi>[2] = {}) {
    const api = await openApi(await open(), {}, edge);
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

  it('a request for tokens that fails in the database can be repeated [48.10, 48.17]', async () => {
    const { api, client, code, connect } = await world();
    const other = await connect();
    const { refresh_token: token } = await connect();
    const fresh = await code();
    const end = await refuseTokens(api.database);
    for (const failed of [await client.refresh(token), await client.exchange(fresh)]) {
      const body = { error: 'server_error', error_description: 'Server error.' };
      expect([failed.status, failed.body]).toEqual([500, body]);
    }
    expect(api.faults).toHaveLength(2);
    await end();
    expect((await client.refresh(token)).status).toBe(200);
    expect((await client.exchange(fresh)).status).toBe(200);
    expect(await callerOf(api, other['access_token'])).not.toBeNull();
  });

  it('a second use revokes a long family of tokens [48.10]', async () => {
    const { api, client, connect } = await world();
    const { refresh_token: token } = await connect();
    const { body } = await client.refresh(token);
    await api.database.transaction(async (tx) => {
      const [row] = await tx.selectFrom('oauth_refresh_token').selectAll().limit(1).execute();
      const { id: _id, ...issued } = row!;
      for (let index = 0; index < 500; index += 1)
        await insertRow(tx, 'oauth_refresh_token', { ...issued, hash: `used ${index}` });
    });
    expect((await client.refresh(token)).status).toBe(400);
    expect(await callerOf(api, body['access_token'])).toBeNull();
    for (const table of ['oauth_refresh_token', 'oauth_access_token'] as const)
      expect(await hasRow(api.database.read.selectFrom(table))).toBe(false);
  });

  it('a connection refreshes 60 times an hour, and goes on afterwards [48.20]', async () => {
    const rateLimits = createRateLimits({ limits: LIMITS, clock: { now: () => Date.now() } });
    const { api, browser, client, connect } = await world({ rateLimits });
    let tokens = await connect();
    for (let time = 0; time < 60; time += 1) {
      const { status, body } = await client.refresh(tokens['refresh_token']);
      expect(status).toBe(200);
      tokens = body;
    }
    const refused = await client.refresh(tokens['refresh_token']);
    expect([refused.status, refused.headers['retry-after'], refused.body]).toEqual([
      429,
      '3600',
      {
        error: 'temporarily_unavailable',
        error_description:
          'The limit of 60 refreshes an hour of a connection is reached: try again in 60 minutes.',
      },
    ]);
    const other = await registerClient(api);
    const code = await other.code(browser, { team_id: api.alice.teamId });
    const { refresh_token: others } = (await other.exchange(code)).body;
    expect((await other.refresh(others)).status).toBe(200);
    await pass(api, HOUR);
    expect((await client.refresh(tokens['refresh_token'])).status).toBe(200);
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
