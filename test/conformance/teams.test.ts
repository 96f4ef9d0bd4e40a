import { describe, expect, it } from 'vitest';
import { collectMail } from '../support/teams.ts';
import { expectRefused, expectStatus, freshApi, ISO_TIME, client, type Json } from './support.ts';

const DAY = 24 * 3_600_000;
const PASSWORD = 'correct horse battery';

/** An API of its own that mails, and what it mailed. */
async function openMailing() {
  const { mails, mailQueue } = collectMail();
  const api = await freshApi({ mailQueue });
  const newestToken = () => /\?token=(\w+)/.exec(mails.at(-1)!.text)![1]!;
  return { ...client(async () => api), api, mails, newestToken };
}

describe('members', () => {
  it('PUT /users/{id} with a role answers the member [37.13]', async () => {
    const { api, put, get } = await openMailing();
    const answer = await put(`/users/${api.ed.personId}`, { role: 'admin' });
    expectStatus(answer, 200);
    const data = (await get('/users')).body['data'] as Json[];
    expect(answer.body).toEqual(data.find(({ id }) => id === api.ed.personId));
    expect(answer.body['role']).toBe('admin');
  });

  it('PUT /users/{id} of the owner is 422 [37.14]', async () => {
    const { api, put } = await openMailing();
    expectRefused(await put(`/users/${api.alice.personId}`, { role: 'editor' }), 'role');
  });

  it('DELETE /users/{id} is 204, and of the owner 422 [37.14]', async () => {
    const { api, del } = await openMailing();
    expectStatus(await del(`/users/${api.ed.personId}`), 204);
    expectStatus(await del(`/users/${api.ed.personId}`), 404);
    expectStatus(await del(`/users/${api.alice.personId}`), 422);
  });

  it('an admin manages members and invitations, an editor does not [3.12]', async () => {
    const { api, put, post } = await openMailing();
    const guest = { email: 'zoe@example.com', role: 'viewer' };
    const change = () => put(`/users/${api.vera.personId}`, { role: 'viewer' }, 'ed');
    expectStatus(await change(), 403);
    expectStatus(await post('/users/invitations', guest, 'ed'), 403);
    await put(`/users/${api.ed.personId}`, { role: 'admin' });
    expectStatus(await change(), 200);
    expectStatus(await post('/users/invitations', guest, 'ed'), 201);
  });
});

describe('invitations', () => {
  it('POST /users/invitations answers the bare invitation, for 7 days [37.16]', async () => {
    const { post } = await openMailing();
    const answer = await post('/users/invitations', { email: 'zoe@example.com', role: 'editor' });
    expectStatus(answer, 201);
    expect(answer.body).toEqual({
      id: expect.any(Number),
      email: 'zoe@example.com',
      role: 'editor',
      created_at: expect.stringMatching(ISO_TIME),
      expires_at: expect.stringMatching(ISO_TIME),
    });
    const lasts =
      Date.parse(String(answer.body['expires_at'])) - Date.parse(String(answer.body['created_at']));
    expect(lasts).toBe(7 * DAY);
  });

  it('GET /users/invitations answers total and data [37.17]', async () => {
    const { get, post } = await openMailing();
    expect((await get('/users/invitations')).body).toEqual({ total: 0, data: [] });
    const made = await post('/users/invitations', { email: 'zoe@example.com', role: 'editor' });
    const { body } = await get('/users/invitations');
    expect(body).toEqual({ total: 1, data: [made.body] });
  });

  it('PUT /users/invitations/{id} changes its role, DELETE withdraws it [37.18]', async () => {
    const { newestToken, post, put, del } = await openMailing();
    const made = await post('/users/invitations', { email: 'zoe@example.com', role: 'editor' });
    const path = `/users/invitations/${made.body.id}`;
    const changed = await put(path, { role: 'viewer' });
    expectStatus(changed, 200);
    expect(changed.body).toEqual({ ...made.body, role: 'viewer' });
    expectStatus(await del(path), 204);
    const late = { token: newestToken(), password: PASSWORD };
    expectStatus(await post('/invitations/accept', late, null), 404);
  });
});

describe('accepting an invitation', () => {
  it('the mail holds a link with ?token= [37.19]', async () => {
    const { mails, post } = await openMailing();
    await post('/users/invitations', { email: 'zoe@example.com', role: 'editor' });
    expect(mails.map(({ to }) => to)).toEqual(['zoe@example.com']);
    expect(mails[0]!.text).toMatch(/https:\/\/up\.example\.com\/invitation\?token=\w+/);
  });

  it('accepting needs no sign-in, creates the person where new and joins the team [37.21]', async () => {
    const { newestToken, get, post } = await openMailing();
    await post('/users/invitations', { email: 'zoe@example.com', role: 'editor' });
    const body = { token: newestToken(), name: 'Zoe', password: PASSWORD };
    expectStatus(await post('/invitations/accept', body, null), 201);
    const people = (await get('/users')).body['data'] as Json[];
    const zoe = people.find((one) => one['name'] === 'Zoe');
    expect(zoe).toMatchObject({ email: 'zoe@example.com', role: 'editor', status: 'active' });
  });

  it('inviting a member is 422 [37.22]', async () => {
    const { post } = await openMailing();
    const member = { email: 'Ed@example.com', role: 'editor' };
    expectRefused(await post('/users/invitations', member), 'email');
  });

  it('an expired, a used and a foreign invitation each say so [37.23]', async () => {
    const { api, newestToken, post } = await openMailing();
    await post('/users/invitations', { email: 'zoe@example.com', role: 'editor' });
    const body = { token: newestToken(), password: PASSWORD };
    const foreign = await post('/invitations/accept', body, 'mallory');
    expectStatus(foreign, 403);
    expect(foreign.body['message']).toContain('zoe@example.com');
    expectStatus(await post('/invitations/accept', body, null), 201);
    const used = await post('/invitations/accept', body, null);
    expectRefused(used, 'token');
    expect(used.body['message']).toMatch(/used already/);
    await post('/users/invitations', { email: 'pia@example.com', role: 'editor' });
    await api.clock.advance(7 * DAY);
    const late = { token: newestToken(), password: PASSWORD };
    const expired = await post('/invitations/accept', late, null);
    expectRefused(expired, 'token');
    expect(expired.body['message']).toMatch(/expired on 2030-01-08/);
  });
});

describe('teams', () => {
  it('POST /teams is 201, and the creator owns it [37.3]', async () => {
    const { get, post } = await openMailing();
    const made = await post('/teams', { name: 'Customers' }, 'vera');
    expectStatus(made, 201);
    expect(made.body).toEqual({
      id: expect.any(Number),
      name: 'Customers',
      slug: 'customers',
      role: 'owner',
      personal_team: false,
      is_current: false,
    });
    expect((await get('/teams', 'vera')).body['data']).toContainEqual(made.body);
  });

  it('leaving a team needs only a valid token [3.3]', async () => {
    const { api, post, token } = await openMailing();
    const answer = await post(
      `/teams/${api.vera.teamId}/leave`,
      undefined,
      await token([], 'vera'),
    );
    expectStatus(answer, 200);
    expect(answer.body).toMatchObject({ success: true, message: expect.any(String) });
  });

  it('the owner can not leave, and hands the team over first [37.5]', async () => {
    const { api, post } = await openMailing();
    const path = `/teams/${api.alice.teamId}`;
    expectStatus(await post(`${path}/leave`), 422);
    expectStatus(await post(`${path}/transfer`, { user_id: api.ed.personId }), 200);
    expectStatus(await post(`${path}/leave`), 200);
  });

  it('deleting a team takes its owner, and its name typed [37.6]', async () => {
    const { api, del, get } = await openMailing();
    const path = `/teams/${api.alice.teamId}`;
    expectStatus(await del(`${path}?name=Team%20ours`, 'ed'), 403);
    expectRefused(await del(path), 'name');
    expectRefused(await del(`${path}?name=team%20ours`), 'name');
    expectStatus(await del(`${path}?name=Team%20ours`), 204);
    expectStatus(await get('/monitors'), 401);
  });
});
