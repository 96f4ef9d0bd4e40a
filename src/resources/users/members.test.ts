import { describe, expect, test } from 'vitest';
import { openApi, sharedApi, type Json, type TestApi } from '../../../test/support/api.ts';
import { eachDatabase } from '../../../test/support/databases.ts';
import { giveSession, giveToken, type TestPerson } from '../../../test/support/people.ts';
import { auditOf, sessionTeam } from '../../../test/support/teams.ts';
import {
  personChannels,
  PERSONAL_EMAIL,
  channelDestinations,
} from '../../store/resources/alert-channels.ts';
import { queueOf } from '../../store/alerting/deliveries.ts';
import { destinationStore } from '../../store/alerting/destinations.ts';
import { teamStore } from '../../store/people/teams.ts';
import { updateRows } from '../../../test/support/rows.ts';

const USERS = '/api/v1/users';

const put = (api: TestApi, who: TestPerson, id: unknown, body: unknown) =>
  api.call(who, 'PUT', `${USERS}/${String(id)}`, body);
const remove = (api: TestApi, who: TestPerson, id: unknown) =>
  api.call(who, 'DELETE', `${USERS}/${String(id)}`);
const memberOf = async (api: TestApi, id: number) =>
  ((await api.call(api.alice, 'GET', USERS)).body['data'] as Json[]).find((one) => one.id === id);
const statusOf = async (api: TestApi, who: TestPerson | string, method = 'GET') =>
  (await api.call(who, method, method === 'GET' ? `${USERS}` : '/api/v1/monitors', undefined))
    .status;

eachDatabase((_name, open) => {
  describe('members', () => {
    test('a new role holds from the next call on, and is told of in the audit log [37.13]', async () => {
      const api = await openApi(await open());
      expect(await statusOf(api, api.ed)).toBe(200);
      const { status, body } = await put(api, api.alice, api.ed.personId, { role: 'viewer' });
      expect([status, body]).toEqual([200, await memberOf(api, api.ed.personId)]);
      expect(body).toMatchObject({ id: api.ed.personId, name: 'Ed', role: 'viewer' });
      expect(await statusOf(api, api.ed, 'POST')).toBe(403);
      expect(await auditOf(api)).toMatchObject([
        {
          action: 'member.updated',
          person_id: api.alice.personId,
          team_id: api.alice.teamId,
          target_id: api.ed.personId,
          target_name: 'Ed',
          before: '{"role":"editor"}',
          after: '{"role":"viewer"}',
        },
      ]);
      await put(api, api.alice, api.ed.personId, { role: 'viewer', status: 'active' });
      expect(await auditOf(api)).toHaveLength(1);
    });

    test('a disabled member can do nothing, and everything again once enabled [3.16]', async () => {
      const api = await openApi(await open());
      const { personId, teamId } = api.ed;
      const session = await giveSession(api.database, api.ed, { now: api.clock.now() });
      await updateRows(api.database, 'person', { team_id: teamId }, { id: personId });
      expect(await statusOf(api, api.ed)).toBe(200);
      const { body } = await put(api, api.alice, personId, { status: 'disabled' });
      expect(body).toMatchObject({ role: 'editor', status: 'disabled' });
      expect(await statusOf(api, api.ed)).toBe(401);
      expect(await sessionTeam(api, session)).toEqual({ team_id: null, next: null });
      await put(api, api.alice, personId, { status: 'active', role: 'viewer' });
      expect(await statusOf(api, api.ed)).toBe(200);
      expect(await memberOf(api, personId)).toMatchObject({ status: 'active', role: 'viewer' });
    });

    test('a removed member is out at once, with the tokens of this team and no others [37.15]', async () => {
      const api = await openApi(await open());
      const { personId } = api.ed;
      const elsewhere = { personId, teamId: api.mallory.teamId };
      await api.database.transaction((tx) =>
        teamStore(tx).insertMember(elsewhere.teamId, personId, 'viewer', api.clock.now()),
      );
      const other = await giveToken(api.database, elsewhere, { now: api.clock.now() });
      const session = await giveSession(api.database, api.ed, { now: api.clock.now() });
      expect(await statusOf(api, api.ed)).toBe(200);
      const { status, text } = await remove(api, api.alice, personId);
      expect([status, text]).toEqual([204, '']);
      expect(await statusOf(api, api.ed)).toBe(401);
      expect(await statusOf(api, other)).toBe(200);
      expect(await sessionTeam(api, session)).toEqual({ team_id: elsewhere.teamId, next: null });
      expect(await memberOf(api, personId)).toBeUndefined();
      expect((await remove(api, api.alice, personId)).status).toBe(404);
      const tokens = await api.database.read
        .selectFrom('token')
        .select('team_id')
        .where('person_id', '=', personId)
        .execute();
      expect(tokens).toEqual([{ team_id: elsewhere.teamId }]);
      expect(await auditOf(api)).toMatchObject([{ action: 'member.deleted', target_id: personId }]);
    });

    test.each([
      ['removed', (api: TestApi) => remove(api, api.alice, api.ed.personId)],
      ['disabled', (api: TestApi) => put(api, api.alice, api.ed.personId, { status: 'disabled' })],
      [
        'gone by themselves',
        (api: TestApi) => api.call(api.ed, 'POST', `/api/v1/teams/${api.ed.teamId}/leave`),
      ],
    ])('a member who is %s is sent nothing more of the team', async (_what, go) => {
      const api = await openApi(await open());
      const { personId, teamId } = api.ed;
      const now = api.clock.now();
      const columns = { ...PERSONAL_EMAIL, name: 'ntfy', settings: 'sealed' };
      await api.database.transaction((tx) =>
        channelDestinations(tx).insertPersonal({ personId, type: 'ntfy' }, columns, now),
      );
      const channel = await personChannels(api.database.read, personId).executeTakeFirstOrThrow();
      const queued = (id: number, messageId: string) => ({
        destinationId: channel.destination_id,
        teamId: id,
        messageId,
        kind: 'alarm',
        eventType: null,
        incidentId: null,
        alertId: 7,
        body: '{}',
      });
      const all = [
        queued(teamId, 'missed'),
        queued(teamId, 'waiting'),
        queued(api.mallory.teamId, 'of another team'),
      ];
      await api.database.transaction(async (tx) => {
        await destinationStore(tx).enqueue(all, now);
        await tx
          .updateTable('delivery')
          .set({ status: 'expired', finished_at: now })
          .where('message_id', '=', 'missed')
          .execute();
      });
      expect([200, 204]).toContain((await go(api)).status);
      const { read } = api.database;
      const waiting = await queueOf(read, channel.destination_id).pending({ after: 0, limit: 10 });
      expect(waiting.map(({ messageId }) => messageId)).toEqual(['of another team']);
      expect(await queueOf(read, channel.destination_id).lost({ since: 0, limit: 10 })).toEqual([]);
    });

    test('of two admins who remove each other at once, one stays', async () => {
      const api = await openApi(await open());
      for (const { personId } of [api.ed, api.vera])
        await put(api, api.alice, personId, { role: 'admin' });
      const answers = await Promise.all([
        remove(api, api.ed, api.vera.personId),
        remove(api, api.vera, api.ed.personId),
      ]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 403]);
      expect((await api.call(api.alice, 'GET', USERS)).body['total']).toBe(2);
    });
  });
});

describe('who may change whom', () => {
  const shared = sharedApi();

  async function admin(): Promise<TestPerson> {
    const api = await shared();
    await updateRows(api.database, 'member', { role: 'admin' }, { person_id: api.vera.personId });
    api.authenticator.forget({ personId: api.vera.personId });
    return api.vera;
  }

  const OWNER_STAYS =
    'of the owner stays as it is: transfer the team with POST /api/v1/teams/{id}/transfer first.';

  test.each<[body: unknown, errors: Record<string, string[]>]>([
    [undefined, { role: ['role or status is required: say what is to change.'] }],
    [{}, { role: ['role or status is required: say what is to change.'] }],
    [{ role: null }, { role: ['role must be one of admin, editor, viewer.'] }],
    [{ role: 'king' }, { role: ['role must be one of admin, editor, viewer.'] }],
    [
      { role: 'owner' },
      {
        role: [
          'role must not be owner: a team has one, who can transfer it with POST /api/v1/teams/{id}/transfer.',
        ],
      },
    ],
    [
      { role: 7, status: 'gone' },
      {
        role: ['role must be one of admin, editor, viewer.'],
        status: ['status must be one of active, disabled.'],
      },
    ],
  ])('%j is refused', async (body, errors) => {
    const api = await shared();
    const answer = await put(api, api.alice, api.ed.personId, body);
    expect([answer.status, answer.body['errors']]).toEqual([422, errors]);
    expect(await memberOf(api, api.ed.personId)).toMatchObject({
      role: 'editor',
      status: 'active',
    });
  });

  test('the owner is neither changed nor removed, by whomever [37.14]', async () => {
    const api = await shared();
    const { personId } = api.alice;
    for (const who of [api.alice, await admin()]) {
      const roleStays = { role: [`role ${OWNER_STAYS}`] };
      expect((await put(api, who, personId, { role: 'admin' })).body['errors']).toEqual(roleStays);
      const both = await put(api, who, personId, { role: 'viewer', status: 'disabled' });
      expect([both.status, both.body['errors']]).toEqual([
        422,
        { ...roleStays, status: [`status ${OWNER_STAYS}`] },
      ]);
      const removed = await remove(api, who, personId);
      expect([removed.status, removed.body['errors']]).toEqual([
        422,
        {
          id: [
            'id is the owner, who stays: transfer the team with POST /api/v1/teams/{id}/transfer first.',
          ],
        },
      ]);
    }
  });

  test('nobody disables or removes themselves, and everybody may step down [37.5]', async () => {
    const api = await shared();
    const me = await admin();
    const disabled = await put(api, me, me.personId, { status: 'disabled' });
    expect([disabled.status, Object.keys(disabled.body['errors'] as object)]).toEqual([
      422,
      ['status'],
    ]);
    const removed = await remove(api, me, me.personId);
    expect([removed.status, removed.body['message']]).toEqual([
      422,
      'id is yourself: leave with POST /api/v1/teams/{id}/leave instead.',
    ]);
    const down = await put(api, me, me.personId, { role: 'viewer' });
    expect([down.status, down.body['role']]).toEqual([200, 'viewer']);
    expect((await put(api, me, me.personId, { role: 'admin' })).status).toBe(403);
  });
});
