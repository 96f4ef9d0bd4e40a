import { describe, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../test/support/api.ts';
import { openBrowser } from '../../test/support/browser.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { openInMemory } from '../../test/support/memory-database.ts';
import { aliceSignedIn, freezeDates, pass, PASSWORD, signIn } from '../../test/support/sign-in.ts';

const HOUR = 3_600_000;
const OPEN = { openSignup: true };

freezeDates();

const kinds = async (api: TestApi) => (await api.mails()).map(({ kind }) => kind);

async function askForReset(api: TestApi, email: string): Promise<unknown[]> {
  const { status, body } = await openBrowser(api).post('/api/auth/request-password-reset', {
    email,
  });
  // Mails are enqueued after the answer.
  await api.signIn.close();
  return [status, body];
}

const signUp = (api: TestApi, email: string, address = '192.0.2.1') =>
  openBrowser(api, { address }).post('/api/auth/sign-up/email', {
    name: 'Newton',
    email,
    password: PASSWORD,
  });

eachDatabase((_name, open) => {
  it('three resets an hour are mailed to an address, and the answer is always that to a stranger [39.47, 39.49]', async () => {
    const api = await openApi(await open());
    const answers: unknown[] = [await askForReset(api, 'nobody@example.com')];
    for (let time = 0; time < 6; time++) answers.push(await askForReset(api, 'alice@example.com'));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await kinds(api)).toEqual(Array(3).fill('reset_password'));
    expect(await api.database.read.selectFrom('verification').select('id').execute()).toHaveLength(
      3,
    );
    await pass(api, HOUR);
    await askForReset(api, 'alice@example.com');
    expect(await kinds(api)).toHaveLength(4);
  });
});

describe('mails about an account', () => {
  it('invitations to an address do not keep its owner from a reset [39.49]', async () => {
    const api = await openApi(await openInMemory());
    for (const who of [api.alice, api.alice, api.alice, api.alice])
      await api.call(who, 'POST', '/api/v1/users/invitations', {
        email: 'mallory@example.com',
        role: 'viewer',
      });
    await api.call(api.alice, 'POST', '/api/v1/users/invitations/1/resend');
    await api.call(api.alice, 'POST', '/api/v1/users/invitations/1/resend');
    const refused = await api.call(api.alice, 'POST', '/api/v1/users/invitations/1/resend');
    expect(refused.status).toBe(429);
    await askForReset(api, 'mallory@example.com');
    expect((await kinds(api)).at(-1)).toBe('reset_password');
  });

  it('who is signed in is told that no mail was sent [39.47]', async () => {
    const api = await openApi(await openInMemory());
    const alice = await aliceSignedIn(api);
    const ask = (newEmail: string) => alice.post('/api/auth/change-email', { newEmail });
    for (const name of ['a', 'b', 'c']) expect((await ask(`${name}@example.org`)).status).toBe(200);
    const refused = await ask('d@example.org');
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '3600' },
      body: {
        message:
          'No mail was sent: the limit is 3 mails about an account an hour to one e-mail address. Try again in 60 minutes, and look for the earlier ones, also among spam.',
        retry_after: 3_600,
      },
    });
    expect(await kinds(api)).toEqual(Array(3).fill('email_change'));
  });

  it('an unconfirmed address gets three mails an hour, however often it signs in', async () => {
    const api = await openApi(await openInMemory(), {}, {}, OPEN);
    await signUp(api, 'newton@example.com');
    const statuses = [];
    for (let time = 0; time < 5; time++)
      statuses.push((await signIn(openBrowser(api), 'newton@example.com')).status);
    expect(statuses).toEqual(Array(5).fill(403));
    expect(await kinds(api)).toEqual(Array(3).fill('verification'));
  });
});

describe('sign-up [39.50]', () => {
  it('is limited by client address: five an hour, whether or not the address is taken', async () => {
    const api = await openApi(await openInMemory(), {}, {}, OPEN);
    for (let index = 0; index < 4; index++)
      expect((await signUp(api, `p${index}@example.org`)).status).toBe(200);
    expect((await signUp(api, 'alice@example.com')).status).toBe(200);
    const message =
      'No account was created: the limit is 5 new accounts an hour from one client address. Try again in 60 minutes.';
    for (const email of ['p5@example.org', 'alice@example.com'])
      expect(await signUp(api, email)).toMatchObject({
        status: 429,
        body: { message, error: message, retry_after: 3_600 },
      });
    expect((await signUp(api, 'p6@example.org', '192.0.2.2')).status).toBe(200);
    expect((await signUp(api, 'p7@example.org', '2001:db8::1')).status).toBe(200);
    await pass(api, HOUR);
    expect((await signUp(api, 'p8@example.org')).status).toBe(200);
  });

  it('is limited for the installation: a hundred an hour', async () => {
    const api = await openApi(await openInMemory(), {}, {}, OPEN);
    const statuses: number[] = [];
    for (let index = 0; index < 102; index++) {
      const address = `192.0.2.${index % 50}`;
      statuses.push((await signUp(api, `p${index}@example.org`, address)).status);
    }
    expect(statuses.indexOf(429)).toBe(100);
  });
});
