import { describe, expect, test } from 'vitest';
import { openApi, type TestApi } from '../../test/support/api.ts';
import { eachDatabase, onPostgres } from '../../test/support/databases.ts';
import { updateRow } from '../store/database/rows.ts';
import { lockTeam } from '../store/people/teams.ts';

const GROUPS = '/api/v1/groups';

async function createGroup(api: TestApi, body: object, who = api.alice) {
  const { status, body: group, text } = await api.call(who, 'POST', GROUPS, body);
  expect([status, text]).toEqual([201, expect.any(String)]);
  return group;
}

const list = async (api: TestApi) => (await api.call(api.vera, 'GET', GROUPS)).body;
const read = async (api: TestApi, id: number) =>
  (await api.call(api.vera, 'GET', `${GROUPS}/${id}`)).body;
const replace = (api: TestApi, id: number, body: unknown) =>
  api.call(api.ed, 'PUT', `${GROUPS}/${id}`, body);

async function fill(api: TestApi, groupId: number, monitorIds: number[]): Promise<void> {
  for (const id of monitorIds) {
    const path = `/api/v1/monitors/${id}`;
    const { status } = await api.call(api.alice, 'PUT', path, { group_id: groupId });
    expect(status).toBe(200);
  }
}

const groupOf = async (api: TestApi, monitorId: number) =>
  (await api.call(api.vera, 'GET', `/api/v1/monitors/${monitorId}`)).body['group_id'];

eachDatabase((_name, open) => {
  describe('groups', () => {
    test('a name is taken without regard to case, in this team only [26.1, 26.5]', async () => {
      const api = await openApi(await open());
      const web = await createGroup(api, { name: 'Web' });
      const other = await createGroup(api, { name: 'Other' });
      await createGroup(api, { name: 'Web' }, api.mallory);
      const sentence = `name must be unique in the team, without regard to case: group ${web.id} has it already.`;
      const refusal = {
        message: sentence,
        errors: { name: [sentence] },
        existing_group_id: web.id,
      };
      for (const answer of [
        await api.call(api.alice, 'POST', GROUPS, { name: 'Web' }),
        await api.call(api.alice, 'POST', GROUPS, { name: 'WEB' }),
        await replace(api, other.id, { name: 'web' }),
      ]) {
        expect([answer.status, answer.body]).toEqual([422, refusal]);
      }
      expect((await replace(api, web.id, { name: 'Web', sort_order: 1 })).status).toBe(200);
      expect((await list(api))['total']).toBe(2);
      expect((await replace(api, web.id, { name: 'WEB' })).body['name']).toBe('WEB');
    });

    test.each([
      ['ÄRGER', 'ärger'],
      ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
      ['Caf\u00e9', 'CAFE\u0301'],
      ['İzmir', 'i̇zmir'],
    ])('%s and %s are the same name [26.5]', async (first, second) => {
      const api = await openApi(await open());
      const { id } = await createGroup(api, { name: first });
      const refused = await api.call(api.alice, 'POST', GROUPS, { name: second });
      expect([refused.status, refused.body['existing_group_id']]).toEqual([422, id]);
    });

    test('groups nest one level deep, whichever of the two was there first [26.7, 26.8]', async () => {
      const api = await openApi(await open());
      const top = await createGroup(api, { name: 'Top' });
      const sub = await createGroup(api, { name: 'Sub', parent_id: top.id });
      const free = await createGroup(api, { name: 'Free' });
      const theirs = await createGroup(api, { name: 'Theirs' }, api.mallory);
      const refused = async (id: number | null, parentId: unknown) => {
        const path = id === null ? GROUPS : `${GROUPS}/${id}`;
        const body = { name: 'New', parent_id: parentId };
        const answer = await api.call(api.alice, id === null ? 'POST' : 'PUT', path, body);
        expect(answer.status).toBe(422);
        return answer.body['errors'];
      };
      const unknown = 'parent_id must be the id of a group of your team.';
      const itself = 'parent_id must not be the group itself.';
      const deep =
        'parent_id must be a group without a parent of its own: groups nest one level deep.';
      const full =
        'parent_id must be null, since this group has subgroups: groups nest one level deep.';
      expect(await refused(null, sub.id)).toEqual({ parent_id: [deep] });
      expect(await refused(free.id, sub.id)).toEqual({ parent_id: [deep] });
      expect(await refused(top.id, free.id)).toEqual({ parent_id: [full] });
      expect(await refused(top.id, sub.id)).toEqual({ parent_id: [deep, full] });
      expect(await refused(top.id, top.id)).toEqual({ parent_id: [itself] });
      for (const id of [null, free.id]) {
        for (const parent of [theirs.id, 999_999, Number.MAX_SAFE_INTEGER])
          expect(await refused(id, parent)).toEqual({ parent_id: [unknown] });
      }
      expect((await replace(api, free.id, { name: 'Free', parent_id: top.id })).status).toBe(200);
      expect((await replace(api, sub.id, { name: 'Sub' })).status).toBe(200);
    });

    test('monitors are counted directly in their group, paused ones too, deleted ones not [26.10]', async () => {
      const api = await openApi(await open());
      const top = await createGroup(api, { name: 'Top' });
      const sub = await createGroup(api, { name: 'Sub', parent_id: top.id });
      const ids = [];
      for (let index = 0; index < 5; index += 1) ids.push((await api.create()).id);
      const [inTop, paused, deleted, inSub] = ids as [number, number, number, number];
      await fill(api, top.id, [inTop, paused, deleted]);
      await fill(api, sub.id, [inSub]);
      await api.call(api.alice, 'POST', `/api/v1/monitors/${paused}/pause`);
      await api.call(api.alice, 'DELETE', `/api/v1/monitors/${deleted}`);
      expect((await read(api, top.id))['monitors_count']).toBe(2);
      expect((await read(api, sub.id))['monitors_count']).toBe(1);
      const { data } = await list(api);
      expect((data as { monitors_count: number }[]).map((group) => group.monitors_count)).toEqual([
        1, 2,
      ]);
      const renamed = await replace(api, top.id, { name: 'Renamed' });
      expect(renamed.body['monitors_count']).toBe(2);
      await api.call(api.alice, 'PUT', `/api/v1/monitors/${inTop}`, { group_id: null });
      expect((await read(api, top.id))['monitors_count']).toBe(1);
    });

    test('deleting one ungroups its monitors and lifts its subgroups, and nothing else [1.6, 26.11, 26.12]', async () => {
      const api = await openApi(await open());
      const top = await createGroup(api, { name: 'Top' });
      const other = await createGroup(api, { name: 'Other' });
      const sub = await createGroup(api, { name: 'Sub', parent_id: top.id });
      const [one, two, three] = [await api.create(), await api.create(), await api.create()];
      await fill(api, top.id, [one.id]);
      await fill(api, sub.id, [two.id]);
      await fill(api, other.id, [three.id]);
      await api.clock.advance(1_000);
      const { status, text } = await api.call(api.alice, 'DELETE', `${GROUPS}/${top.id}`);
      expect([status, text]).toEqual([204, '']);
      expect(await read(api, sub.id)).toEqual({ ...sub, parent_id: null, monitors_count: 1 });
      expect((await list(api))['total']).toBe(2);
      expect(await groupOf(api, one.id)).toBe(null);
      expect(await groupOf(api, two.id)).toBe(sub.id);
      expect(await groupOf(api, three.id)).toBe(other.id);
      const seen = await api.call(api.alice, 'GET', `/api/v1/monitors/${one.id}`);
      expect(seen.body).toMatchObject({ group_id: null, updated_at: one['updated_at'] });
      for (const method of ['GET', 'PUT', 'DELETE'])
        expect((await api.call(api.alice, method, `${GROUPS}/${top.id}`)).status).toBe(404);
      await createGroup(api, { name: 'Top' });
    });

    test('a name that is wanted many times at once is given once', async () => {
      const api = await openApi(await open());
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => api.call(api.alice, 'POST', GROUPS, { name: 'Web' })),
      );
      const [created, ...more] = answers.filter(({ status }) => status === 201);
      expect(more).toEqual([]);
      const refused = answers.filter(({ status }) => status === 422);
      expect(refused.map(({ body }) => body['existing_group_id'])).toEqual(
        Array(5).fill(created!.body.id),
      );
      expect(api.faults).toEqual([]);
    });

    test('of A under B and B under A at once, one is refused', async () => {
      const api = await openApi(await open());
      for (let round = 0; round < 5; round += 1) {
        const a = await createGroup(api, { name: `A ${round}` });
        const b = await createGroup(api, { name: `B ${round}` });
        const answers = await Promise.all([
          replace(api, a.id, { name: `A ${round}`, parent_id: b.id }),
          replace(api, b.id, { name: `B ${round}`, parent_id: a.id }),
        ]);
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
      }
    });
  });
});

onPostgres((open) => {
  test('a write waits for an earlier one of the same team, and not for another team', async () => {
    const database = await open();
    const api = await openApi(database);
    const [a, b] = [await createGroup(api, { name: 'A' }), await createGroup(api, { name: 'B' })];
    const [written, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const earlier = database.transaction(async (tx) => {
      await lockTeam(tx, api.alice.teamId);
      await updateRow(tx, 'monitor_group', a.id, { parent_id: b.id });
      written.resolve();
      await release.promise;
    });
    await written.promise;
    const late = replace(api, b.id, { name: 'B', parent_id: a.id });
    await createGroup(api, { name: 'Not kept waiting' }, api.mallory);
    release.resolve();
    await earlier;
    expect((await late).status).toBe(422);
  });
});
