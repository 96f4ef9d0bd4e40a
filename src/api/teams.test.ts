import { describe, expect, test } from 'vitest';
import { openApi, type TestApi } from '../../test/support/api.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { giveToken } from '../../test/support/people.ts';
import { insertMember } from '../store/teams.ts';

const TEAMS = '/api/v1/teams';

/** Alice becomes a member of Mallory's team, too. */
const invite = (api: TestApi, role: string) =>
  api.database.transaction((tx) =>
    insertMember(tx, api.mallory.teamId, api.alice.personId, role, api.clock.now()),
  );

const switchTo = (api: TestApi, id: unknown, who: TestApi['alice'] | string = api.alice) =>
  api.call(who, 'POST', `${TEAMS}/${String(id)}/switch`);

const currentTeam = async (api: TestApi, who: TestApi['alice'] | string = api.alice) =>
  (await api.call(who, 'GET', '/api/v1')).body['team'];

eachDatabase((_name, open) => {
  describe('teams', () => {
    test('one sees the teams where one is an active member, and which of them is current', async () => {
      const api = await openApi(await open());
      const ours = {
        id: api.alice.teamId,
        name: 'Team ours',
        slug: 'ours',
        role: 'owner',
        personal_team: true,
        is_current: true,
      };
      expect((await api.call(api.alice, 'GET', TEAMS)).body).toEqual({ data: [ours] });
      await invite(api, 'editor');
      const theirs = {
        ...ours,
        id: api.mallory.teamId,
        name: 'Team theirs',
        slug: 'theirs',
        role: 'editor',
        is_current: false,
      };
      expect((await api.call(api.alice, 'GET', TEAMS)).body).toEqual({ data: [ours, theirs] });
      expect((await api.call(api.vera, 'GET', TEAMS)).body).toEqual({
        data: [{ ...ours, role: 'viewer' }],
      });
      await api.database.transaction((tx) =>
        tx
          .updateTable('member')
          .set({ status: 'disabled' })
          .where('team_id', '=', api.mallory.teamId)
          .where('person_id', '=', api.alice.personId)
          .execute(),
      );
      expect((await api.call(api.alice, 'GET', TEAMS)).body).toEqual({ data: [ours] });
    });

    test('listing needs nothing but a token', async () => {
      const api = await openApi(await open());
      const now = api.clock.now();
      const token = await giveToken(api.database, api.alice, { permissions: [], now });
      expect((await api.call(token, 'GET', TEAMS)).status).toBe(200);
    });

    test('a switch holds from the next call on, for this token only', async () => {
      const api = await openApi(await open());
      const other = await giveToken(api.database, api.alice, { now: api.clock.now() });
      await invite(api, 'editor');
      const ourMonitor = await api.create();
      const theirMonitor = await api.create({}, api.mallory);
      const { status, body } = await switchTo(api, api.mallory.teamId);
      expect([status, body]).toEqual([
        200,
        {
          id: api.mallory.teamId,
          name: 'Team theirs',
          slug: 'theirs',
          role: 'editor',
          personal_team: true,
          is_current: true,
        },
      ]);
      expect(await currentTeam(api)).toMatchObject({ id: api.mallory.teamId });
      expect(await currentTeam(api, other)).toMatchObject({ id: api.alice.teamId });
      expect((await api.call(api.alice, 'GET', TEAMS)).body['data']).toMatchObject([
        { slug: 'ours', is_current: false },
        { slug: 'theirs', is_current: true },
      ]);
      const seen = async (id: number) =>
        (await api.call(api.alice, 'GET', `/api/v1/monitors/${id}`)).status;
      expect([await seen(ourMonitor.id), await seen(theirMonitor.id)]).toEqual([404, 200]);
      await api.clock.advance(60_000);
      expect(await currentTeam(api)).toMatchObject({ id: api.mallory.teamId });
    });

    test('a switch is idempotent, and there is a way back', async () => {
      const api = await openApi(await open());
      await invite(api, 'admin');
      for (const id of [
        api.alice.teamId,
        api.mallory.teamId,
        api.mallory.teamId,
        api.alice.teamId,
      ]) {
        const { status, body } = await switchTo(api, id);
        expect([status, body]).toEqual([200, expect.objectContaining({ id, is_current: true })]);
        expect(await currentTeam(api)).toMatchObject({ id });
      }
    });

    test('where one is no active member is forbidden, whether or not there is such a team', async () => {
      const api = await openApi(await open());
      const refused = async (id: number) => {
        const { status, body } = await switchTo(api, id);
        expect([status, body]).toEqual([
          403,
          {
            message: expect.stringMatching(/^You are no member of that team\./),
            error: body['message'],
          },
        ]);
      };
      await refused(api.mallory.teamId);
      await refused(999_999);
      await refused(Number.MAX_SAFE_INTEGER);
      await invite(api, 'owner');
      await api.database.transaction((tx) =>
        tx
          .updateTable('member')
          .set({ status: 'disabled' })
          .where('team_id', '=', api.mallory.teamId)
          .execute(),
      );
      await refused(api.mallory.teamId);
      expect(await currentTeam(api)).toMatchObject({ id: api.alice.teamId });
    });

    test.each(['x', '1.5', '0', '-1', '01', '1e3', '99999999999999999999'])(
      'id %s leads nowhere',
      async (id) => {
        const api = await openApi(await open());
        const { status, body } = await switchTo(api, id);
        expect([status, body]).toEqual([404, { message: 'There is no such team.' }]);
      },
    );
  });
});
