import { describe, expect, it } from 'vitest';
import { client, expectStatus, freshApi, ISO_TIME, type Json } from './support.ts';

const { open, get } = client();

const users = async () => (await get('/users')).body['data'] as Json[];

describe('the list of members', () => {
  it('GET /users answers team, the name of the team, total and data [37.7]', async () => {
    const answer = await get('/users');
    expectStatus(answer, 200);
    expect(answer.body).toEqual({ team: 'Team ours', total: 3, data: expect.any(Array) });
    expect(answer.body['data']).toHaveLength(3);
  });

  it('a member has all its fields [37.8]', async () => {
    for (const user of await users()) {
      expect(user).toEqual({
        id: expect.any(Number),
        name: expect.any(String),
        email: expect.stringContaining('@'),
        role: expect.stringMatching(/^(owner|admin|editor|viewer)$/),
        status: expect.stringMatching(/^(active|disabled)$/),
        mfa_enabled: expect.any(Boolean),
        created_at: expect.stringMatching(ISO_TIME),
        added_at: expect.stringMatching(ISO_TIME),
        last_login_at: null,
      });
    }
  });

  it('the owner is among them, and nobody of another team [37.9]', async () => {
    const { alice, ed, vera } = await open();
    const roles = Object.fromEntries((await users()).map((user) => [user.id, user['role']]));
    expect(roles).toEqual({
      [alice.personId]: 'owner',
      [ed.personId]: 'editor',
      [vera.personId]: 'viewer',
    });
  });

  it('status is disabled when the account is suspended [37.10]', async () => {
    const api = await freshApi();
    await api.database.transaction((tx) =>
      tx
        .updateTable('member')
        .set({ status: 'disabled' })
        .where('person_id', '=', api.ed.personId)
        .execute(),
    );
    const { body } = await api.call(api.alice, 'GET', '/api/v1/users');
    const statuses = Object.fromEntries(
      (body['data'] as Json[]).map((user) => [user['name'], user['status']]),
    );
    expect(statuses).toEqual({ Alice: 'active', Ed: 'disabled', Vera: 'active' });
  });

  it('added_at of the owner is the creation date of the team [37.11]', async () => {
    const api = await freshApi();
    await api.database.transaction((tx) =>
      tx
        .updateTable('team')
        .set({ created_at: Date.UTC(2020, 1, 2) })
        .where('id', '=', api.alice.teamId)
        .execute(),
    );
    const { body } = await api.call(api.alice, 'GET', '/api/v1/users');
    const owner = (body['data'] as Json[]).find((user) => user['role'] === 'owner');
    expect(owner!['added_at']).toBe('2020-02-02T00:00:00.000Z');
  });

  it('last_login_at is the most recent sign-in, and null if there was none [37.12]', async () => {
    const api = await freshApi();
    await api.database.transaction((tx) =>
      tx
        .updateTable('person')
        .set({ last_login_at: Date.UTC(2029, 5, 1) })
        .where('id', '=', api.ed.personId)
        .execute(),
    );
    const { body } = await api.call(api.alice, 'GET', '/api/v1/users');
    const logins = Object.fromEntries(
      (body['data'] as Json[]).map((user) => [user['name'], user['last_login_at']]),
    );
    expect(logins).toEqual({ Alice: null, Ed: '2029-06-01T00:00:00.000Z', Vera: null });
  });
});
