import { describe, expect, it } from 'vitest';
import { client, expectRefused, expectStatus, freshApi, ISO_TIME, type Json } from './support.ts';

const { get, post, put, del, monitor } = client();
let count = 0;
const name = () => `Group ${++count}`;

async function group(fields: object = {}): Promise<Json> {
  const answer = await post('/groups', { name: name(), ...fields });
  expectStatus(answer, 201);
  return answer.body;
}

const read = async (id: number) => (await get(`/groups/${id}`)).body;

describe('groups', () => {
  it('GET /groups answers total and data [26.1]', async () => {
    const opened = freshApi();
    const { get: list, post: create } = client(() => opened);
    expect((await list('/groups')).body).toEqual({ total: 0, data: [] });
    const made = await create('/groups', { name: 'One' });
    await create('/groups', { name: 'Theirs' }, 'mallory');
    expect((await list('/groups')).body).toEqual({ total: 1, data: [made.body] });
  });

  it('a group has id, name, description, parent_id, sort_order, monitors_count, created_at and updated_at [26.2]', async () => {
    const called = name();
    const made = await post('/groups', { name: called });
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        name: called,
        description: null,
        parent_id: null,
        sort_order: expect.any(Number),
        monitors_count: 0,
        created_at: expect.stringMatching(ISO_TIME),
        updated_at: expect.stringMatching(ISO_TIME),
      },
    ]);
    expect(await read(made.body.id)).toEqual(made.body);
  });

  it('it is created with description, parent_id and sort_order [26.3]', async () => {
    const parent = await group();
    const fields = { description: 'All shops', parent_id: parent.id, sort_order: 7 };
    expect(await group(fields)).toMatchObject(fields);
  });

  it('name is required and has at most 60 characters [26.4]', async () => {
    expect((await group({ name: 'ä'.repeat(60) }))['name']).toBe('ä'.repeat(60));
    for (const wrong of ['x'.repeat(61), '', null, undefined, 7])
      expectRefused(await post('/groups', { name: wrong }), 'name');
  });

  it('name is unique in the team: 422 with errors.name and existing_group_id [26.5]', async () => {
    const first = await group();
    const other = await group();
    for (const answer of [
      await post('/groups', { name: first['name'] }),
      await put(`/groups/${other.id}`, { name: first['name'] }),
    ]) {
      expectRefused(answer, 'name');
      expect(answer.body['existing_group_id']).toBe(first.id);
    }
    expectStatus(await post('/groups', { name: first['name'] }, 'mallory'), 201);
    expectStatus(await put(`/groups/${first.id}`, { name: first['name'] }), 200);
  });

  it('description has at most 255 characters [26.6]', async () => {
    const description = 'x'.repeat(255);
    expect((await group({ description }))['description']).toBe(description);
    expectRefused(
      await post('/groups', { name: name(), description: `${description}x` }),
      'description',
    );
  });

  it('there is one level of nesting [26.7]', async () => {
    const parent = await group();
    const child = await group({ parent_id: parent.id });
    expectRefused(await post('/groups', { name: name(), parent_id: child.id }), 'parent_id');
    const other = await group();
    const below = { name: parent['name'], parent_id: other.id };
    expectRefused(await put(`/groups/${parent.id}`, below), 'parent_id');
  });

  it('parent_id is another group of the team [26.8]', async () => {
    const theirs = await post('/groups', { name: name() }, 'mallory');
    for (const parent of [theirs.body.id, 999_999, 'x', 1.5])
      expectRefused(await post('/groups', { name: name(), parent_id: parent }), 'parent_id');
    const own = await group();
    const itself = { name: own['name'], parent_id: own.id };
    expectRefused(await put(`/groups/${own.id}`, itself), 'parent_id');
  });

  it('PUT is a full replacement [26.9]', async () => {
    const parent = await group();
    const made = await group({ description: 'Gone', parent_id: parent.id, sort_order: 5 });
    const called = name();
    const bare = await group();
    const answer = await put(`/groups/${made.id}`, { name: called });
    expectStatus(answer, 200);
    expect(answer.body).toMatchObject({
      id: made.id,
      name: called,
      description: null,
      parent_id: null,
      sort_order: bare['sort_order'],
    });
    expectRefused(await put(`/groups/${made.id}`, { description: 'No name' }), 'name');
  });

  it('monitors_count counts the monitors in it [26.10]', async () => {
    const { id } = await group();
    const one = await monitor('http', { group_id: id });
    await monitor('cron', { group_id: id });
    expect((await read(id))['monitors_count']).toBe(2);
    await put(`/monitors/${one.id}`, { group_id: null });
    expect((await read(id))['monitors_count']).toBe(1);
  });

  it('a delete ungroups its monitors [26.11]', async () => {
    const { id } = await group();
    const one = await monitor('http', { group_id: id });
    const gone = await del(`/groups/${id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await get(`/monitors/${one.id}`)).body['group_id']).toBeNull();
    expectStatus(await get(`/groups/${id}`), 404);
  });

  it('a delete lifts its subgroups [26.12]', async () => {
    const parent = await group();
    const child = await group({ parent_id: parent.id });
    expectStatus(await del(`/groups/${parent.id}`), 204);
    expect((await read(child.id))['parent_id']).toBeNull();
  });
});
