import { describe, expect, it } from 'vitest';
import { client, expectRefused, expectStatus, type Json } from '../../../test/support/client.ts';

const { open, get, post, put, del, monitor } = client();

async function made(path: string, body: object, who: 'alice' | 'mallory' = 'alice') {
  const answer = await post(path, body, who);
  expectStatus(answer, 201);
  return answer.body;
}

const channel = (who: 'alice' | 'mallory' = 'alice') =>
  made('/alert-channels', { type: 'ntfy', settings: { topic: 'a' } }, who);
let count = 0;
const group = () => made('/groups', { name: `Routed ${(count += 1)}` });
const everybody = async () => ({ users: [(await open()).alice.personId] });
const route = async (fields: object = {}): Promise<Json> =>
  made('/alert-routes', { name: 'Route', ...(await everybody()), ...fields });
const read = async (id: number) => (await get(`/alert-routes/${id}`)).body;

describe('alert routes', () => {
  it('a route names monitors, groups, tags, channels, users and who is told next [30.3]', async () => {
    const fields = {
      monitors: [(await monitor()).id],
      groups: [(await group()).id],
      tags: ['shop', 'Größe'],
      severities: ['critical'],
      channels: [(await channel()).id],
      reminder_minutes: 1440,
      escalation: [
        { after_minutes: 1, channels: [(await channel()).id], users: [] },
        { after_minutes: 1440, channels: [], users: [(await open()).ed.personId] },
      ],
      sort_order: 7,
    };
    const shown = await route(fields);
    expect(shown).toMatchObject({ ...fields, scope: 'some' });
    expect((await put(`/alert-routes/${shown.id}`, shown)).body).toEqual(shown);
  });

  it('what a route names is of the team: 422 on the very id [30.4]', async () => {
    const { mallory } = await open();
    const theirs = await monitor('http', {}, 'mallory');
    const foreign = await channel('mallory');
    const own = await channel();
    const answer = await post('/alert-routes', {
      name: 'Wrong',
      monitors: [(await monitor()).id, theirs.id],
      groups: [999_999],
      channels: [own.id, foreign.id],
      users: [mallory.personId],
      escalation: [{ after_minutes: 5, channels: [foreign.id], users: [mallory.personId] }],
    });
    expectRefused(
      answer,
      'monitors.1',
      'groups.0',
      'channels.1',
      'users.0',
      'escalation.0.channels.0',
      'escalation.0.users.0',
    );
    const { id } = await route();
    expectRefused(await put(`/alert-routes/${id}`, { channels: [foreign.id] }), 'channels.0');
  });

  it('a route tells somebody [30.5]', async () => {
    expectRefused(await post('/alert-routes', { name: 'Nobody' }), 'channels');
    const { id } = await route();
    expectRefused(await put(`/alert-routes/${id}`, { users: [] }), 'channels');
    const step = { after_minutes: 5 };
    const silent = { name: 'Silent', escalation: [step] };
    expectRefused(await post('/alert-routes', silent), 'escalation.0.channels');
    const escalation = [{ ...step, ...(await everybody()) }];
    expectStatus(await post('/alert-routes', { name: 'Later', escalation }), 201);
  });

  it.each([
    ['monitors', [1, 1]],
    ['tags.0', ['x'.repeat(51)]],
    ['severities', []],
    ['severities.0', ['fatal']],
    ['escalation.0.after_minutes', [{ after_minutes: 0, users: [1] }]],
  ])('%s of a route is judged: %j [30.6]', async (field, value) => {
    const [name = ''] = field.split('.');
    const body = { name: 'Route', ...(await everybody()), [name]: value };
    expectRefused(await post('/alert-routes', body), field);
  });

  it('steps of escalation come later and later, and are at most ten [30.7]', async () => {
    const users = (await everybody()).users;
    const steps = (...minutes: number[]) => ({
      name: 'Steps',
      users,
      escalation: minutes.map((after_minutes) => ({ after_minutes, users })),
    });
    const wrong = await post('/alert-routes', steps(5, 5, 3));
    expectRefused(wrong, 'escalation.1.after_minutes', 'escalation.2.after_minutes');
    const ten = Array.from({ length: 10 }, (_, index) => index + 1);
    expectStatus(await post('/alert-routes', steps(...ten)), 201);
    expectRefused(await post('/alert-routes', steps(...ten, 11)), 'escalation');
  });

  it('what a route names and was deleted is not shown, and makes no route for everything [30.9]', async () => {
    const one = await monitor();
    const gone = await channel();
    const kept = await channel();
    const { id } = await route({ monitors: [one.id], channels: [gone.id, kept.id] });
    await del(`/monitors/${one.id}`);
    await del(`/alert-channels/${gone.id}`);
    const path = `/alert-routes/${id}`;
    const shown = await read(id);
    expect(shown).toMatchObject({ monitors: [], channels: [kept.id], scope: 'nothing' });
    expect((await put(path, { ...shown, name: 'Renamed' })).body).toMatchObject({
      name: 'Renamed',
      scope: 'nothing',
    });
    // Only who says so makes it one for everything.
    expect((await put(path, { tags: ['all'] })).body['scope']).toBe('some');
    expect((await put(path, { tags: [] })).body['scope']).toBe('nothing');
    expect((await put(path, { monitors: null })).body['scope']).toBe('everything');
  });
});
