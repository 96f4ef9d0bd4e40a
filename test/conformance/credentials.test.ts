import { describe, expect, it } from 'vitest';
import { BULLETS, client, expectRefused, expectStatus, REQUIRED, type Answer } from './support.ts';

const { open, get, post, put, monitor, token } = client();

const BASIC = { auth_type: 'basic', auth_username: 'watcher', auth_password: 'open sesame' };
const NONE = { auth_type: null, auth_username: null };
const refuse = async (fields: object, ...faults: string[]) =>
  expectRefused(await post('/monitors', { ...REQUIRED.http, ...fields }), ...faults);

/** The credentials that the next check of the monitor carries. */
async function sentBy(id: number): Promise<string | undefined> {
  const { checks } = await open();
  expectStatus(await post(`/monitors/${id}/check`), 200);
  const request = checks.at(-1)!.request as { headers?: Record<string, string> };
  const headers = Object.entries(request.headers ?? {});
  return headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
}

const shown = async (answer: Promise<Answer>) => (await answer).body['auth_username'];

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

describe('credentials for targets', () => {
  it.each(['basic', 'bearer', 'digest'])('auth_type may be %s [8.22]', async (auth_type) => {
    const made = await monitor('http', { ...BASIC, auth_type });
    expect(made).toMatchObject({ auth_type, auth_username: 'watcher' });
  });

  it('another auth_type is refused [8.22]', async () => {
    await refuse({ ...BASIC, auth_type: 'ntlm' }, 'auth_type');
  });

  it.each(['basic', 'bearer', 'digest'])(
    '%s requires auth_username and auth_password [8.23]',
    async (auth_type) => {
      await refuse({ auth_type }, 'auth_username', 'auth_password');
      await refuse({ auth_type, auth_username: 'x' }, 'auth_password');
      await refuse({ auth_type, auth_password: 'x' }, 'auth_username');
      const { id } = await monitor();
      expectRefused(await put(`/monitors/${id}`, { auth_type }), 'auth_username', 'auth_password');
    },
  );

  it('auth_username is returned only to tokens with the update permission [8.24]', async () => {
    const { id } = await monitor('http', BASIC);
    expect(await shown(get(`/monitors/${id}`))).toBe('watcher');
    expect(await shown(get(`/monitors/${id}`, await token(['read'])))).toBeNull();
    expect(
      await shown(get(`/monitors/${id}`, await token(['read', 'create', 'delete']))),
    ).toBeNull();
    // The role caps the token.
    expect(await shown(get(`/monitors/${id}`, 'vera'))).toBeNull();
    const creator = await token(['create']);
    expect(await shown(post('/monitors', { ...REQUIRED.http, ...BASIC }, creator))).toBeNull();
    const listed = await get('/monitors?per_page=100', await token(['read']));
    expect(listed.text).not.toContain('watcher');
  });

  it('auth_password is never returned [8.25]', async () => {
    const made = await post('/monitors', { ...REQUIRED.http, ...BASIC });
    const path = `/monitors/${made.body.id}`;
    for (const answer of [
      made,
      await get(path),
      await put(path, { auth_password: 'open sesame again' }),
      await get('/monitors?per_page=100'),
      await post(`${path}/check`),
      await post(`${path}/pause`),
    ]) {
      expect(answer.text).not.toContain('auth_password');
      expect(answer.text).not.toContain('open sesame');
    }
  });

  it('the masked placeholder, eight bullets, keeps the stored password on update [8.26]', async () => {
    const { id } = await monitor('http', BASIC);
    expectStatus(await put(`/monitors/${id}`, { ...BASIC, auth_password: BULLETS }), 200);
    expect(await sentBy(id)).toBe(basic('watcher', 'open sesame'));
    expectStatus(
      await put(`/monitors/${id}`, { auth_username: 'other', auth_password: BULLETS }),
      200,
    );
    expect(await sentBy(id)).toBe(basic('other', 'open sesame'));
  });

  it('with basic, user and password are sent [16.12]', async () => {
    const { id } = await monitor('http', BASIC);
    expect(await sentBy(id)).toBe(basic('watcher', 'open sesame'));
  });

  it('with bearer the token sent is auth_username [16.12]', async () => {
    const { id } = await monitor('http', {
      ...BASIC,
      auth_type: 'bearer',
      auth_username: 'token-1',
    });
    expect(await sentBy(id)).toBe('Bearer token-1');
  });

  it('without auth_type nothing is sent [16.13]', async () => {
    expect(await sentBy((await monitor()).id)).toBeUndefined();
  });

  it('username and password are encrypted at rest [35.9]', async () => {
    const { database } = await open();
    const { id } = await monitor('http', BASIC);
    const row = await database.read
      .selectFrom('monitor')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    for (const secret of [BASIC.auth_username, BASIC.auth_password])
      expect(JSON.stringify(row)).not.toContain(secret);
  });

  it('auth_type null clears all three [8.28]', async () => {
    const { id } = await monitor('http', BASIC);
    const cleared = await put(`/monitors/${id}`, { auth_type: null });
    expectStatus(cleared, 200);
    expect(cleared.body).toMatchObject(NONE);
    expect(await sentBy(id)).toBeUndefined();
    // Nothing is left that a new type could take up.
    expectRefused(
      await put(`/monitors/${id}`, { auth_type: 'basic' }),
      'auth_username',
      'auth_password',
    );
  });

  it('a part of the credentials can be changed alone [8.29]', async () => {
    const { id } = await monitor('http', BASIC);
    expectStatus(await put(`/monitors/${id}`, { auth_password: 'new' }), 200);
    expect(await sentBy(id)).toBe(basic('watcher', 'new'));
    expectStatus(await put(`/monitors/${id}`, { auth_username: 'new' }), 200);
    expect(await sentBy(id)).toBe(basic('new', 'new'));
    expectStatus(await put(`/monitors/${id}`, { friendly_name: 'new' }), 200);
    expect(await sentBy(id)).toBe(basic('new', 'new'));
  });

  it('a required part can not be taken away [8.30]', async () => {
    const { id } = await monitor('http', BASIC);
    expectRefused(await put(`/monitors/${id}`, { auth_username: null }), 'auth_username');
    expectRefused(await put(`/monitors/${id}`, { auth_password: '' }), 'auth_password');
  });

  it('eight bullets are never stored: without a stored password they are refused [8.27]', async () => {
    const { id } = await monitor();
    expectRefused(
      await put(`/monitors/${id}`, { ...BASIC, auth_password: BULLETS }),
      'auth_password',
    );
  });

  it('eight bullets on create are refused [8.27]', async () => {
    await refuse({ ...BASIC, auth_password: BULLETS }, 'auth_password');
  });
});
