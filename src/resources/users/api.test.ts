import { expect, test } from 'vitest';
import { openApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { peopleStore } from '../../store/people/people.ts';
import { teamStore } from '../../store/people/teams.ts';

const USERS = '/api/v1/users';

eachDatabase((_name, open) => {
  test('the members of the team: the owner first, then by name, then by id [37.7, 37.8, 37.9]', async () => {
    const api = await openApi(await open());
    const start = api.clock.now();
    const members: [name: string, role: string, email: string][] = [
      ['Aaron', 'admin', 'aaron@example.com'],
      ['Ed', 'viewer', 'other-ed@example.com'],
      ['Ärmel', 'viewer', 'aermel@example.com'],
    ];
    for (const [name, role, email] of members) {
      await api.database.transaction(async (tx) => {
        const id = await peopleStore(tx).insert({ name, email, timezone: 'UTC' }, start + 1_000);
        await teamStore(tx).insertMember(api.alice.teamId, id, role, start + 2_000);
      });
    }
    const { status, body } = await api.call(api.vera, 'GET', USERS);
    expect([status, body['team'], body['total']]).toEqual([200, 'Team ours', 6]);
    const data = body['data'] as { name: string; role: string; id: number }[];
    expect(data.map(({ name, role }) => [name, role])).toEqual([
      ['Alice', 'owner'],
      ['Aaron', 'admin'],
      ['Ed', 'editor'],
      ['Ed', 'viewer'],
      ['Vera', 'viewer'],
      ['Ärmel', 'viewer'],
    ]);
    expect(data[1]).toEqual({
      id: expect.any(Number),
      name: 'Aaron',
      email: 'aaron@example.com',
      role: 'admin',
      status: 'active',
      mfa_enabled: false,
      created_at: '2030-01-01T00:00:01.000Z',
      added_at: '2030-01-01T00:00:02.000Z',
      last_login_at: null,
    });
  });

  test('what is known of a person; disabled members are listed [37.7, 37.8, 37.10, 37.12]', async () => {
    const api = await openApi(await open());
    const start = api.clock.now();
    await api.database.transaction(async (tx) => {
      await tx
        .updateTable('person')
        .set({ last_login_at: start + 5_000, mfa_enabled: 1 })
        .where('id', '=', api.ed.personId)
        .execute();
      await tx
        .updateTable('member')
        .set({ status: 'disabled' })
        .where('person_id', '=', api.ed.personId)
        .execute();
    });
    const { body } = await api.call(api.alice, 'GET', USERS);
    expect(body).toMatchObject({ team: 'Team ours', total: 3 });
    expect((body['data'] as object[])[1]).toMatchObject({
      id: api.ed.personId,
      name: 'Ed',
      status: 'disabled',
      mfa_enabled: true,
      last_login_at: '2030-01-01T00:00:05.000Z',
    });
  });

  test('the owner was added when the team was created, whenever they came to it [37.11]', async () => {
    const api = await openApi(await open());
    const start = api.clock.now();
    await api.database.transaction(async (tx) => {
      await tx
        .updateTable('team')
        .set({ created_at: start - 1_000 })
        .execute();
      await tx
        .updateTable('member')
        .set({ added_at: start + 9_000 })
        .execute();
    });
    const { body } = await api.call(api.alice, 'GET', USERS);
    const added = (body['data'] as { added_at: string }[]).map((user) => user.added_at);
    expect(added).toEqual([
      '2029-12-31T23:59:59.000Z',
      '2030-01-01T00:00:09.000Z',
      '2030-01-01T00:00:09.000Z',
    ]);
  });

  test('nobody else is shown [37.9]', async () => {
    const api = await openApi(await open());
    const { body, text } = await api.call(api.mallory, 'GET', USERS);
    expect(body).toMatchObject({ team: 'Team theirs', total: 1 });
    expect(text).not.toMatch(/alice|ed@|vera/i);
  });
});
