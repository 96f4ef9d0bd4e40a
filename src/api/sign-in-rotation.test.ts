import { type TOTP, URI } from 'otpauth';
import { expect, it } from 'vitest';
import { openApi } from '../../test/support/api.ts';
import { openBrowser } from '../../test/support/browser.ts';
import { eachDatabase } from '../../test/support/databases.ts';
import { aliceSignedIn, freezeDates, pass, PASSWORD, signIn } from '../../test/support/sign-in.ts';
import { signInSecrets } from '../identity/session-cookie.ts';

const [OLD, NEW] = ['the key of last year', 'the key of this year'];
const PERSON = { name: 'Newton', email: 'newton@example.com', password: PASSWORD };

freezeDates();

eachDatabase((_name, open) => {
  it('sessions, begun sign-ins, authenticators and mailed links survive a rotation, and end with the old key [35.11]', async () => {
    const database = await open();
    const before = await openApi(
      database,
      {},
      { secrets: signInSecrets([OLD]) },
      { openSignup: true },
    );
    const alice = await aliceSignedIn(before);
    const enabled = await alice.post('/api/auth/two-factor/enable', { password: PASSWORD });
    const totp = URI.parse(String(enabled.body['totpURI'])) as TOTP;
    const code = () => ({ code: totp.generate({ timestamp: Date.now() }) });
    expect((await alice.post('/api/auth/two-factor/verify-totp', code())).status).toBe(200);
    const waiting = openBrowser(before);
    expect((await signIn(waiting)).body).toMatchObject({ twoFactorRedirect: true });
    await openBrowser(before).post('/api/auth/sign-up/email', PERSON);
    const [mail] = (await before.mails()).filter(({ to }) => to === PERSON.email);
    const token = /verify-email\?token=(\S+)/.exec(mail!.text)![1]!;
    await pass(before, 30_000);

    const { ed, vera, mallory } = before;
    const people = { alice: before.alice, ed, vera, mallory };
    const under = (...keys: string[]) =>
      openApi(database, {}, { secrets: signInSecrets(keys), people }, { openSignup: true });
    const after = await under(NEW, OLD);
    const browser = openBrowser(after);
    for (const [name, value] of alice.cookies) browser.cookies.set(name, value);
    expect((await browser.get('/api/v1')).body).toMatchObject({ user: { name: 'Alice' } });
    expect((await browser.get('/api/auth/get-session')).body).toMatchObject({
      user: { name: 'Alice' },
    });
    const begun = openBrowser(after);
    for (const [name, value] of waiting.cookies) begun.cookies.set(name, value);
    expect((await begun.post('/api/auth/two-factor/verify-totp', code())).status).toBe(200);
    expect((await begun.get('/api/v1')).body).toMatchObject({ user: { name: 'Alice' } });
    const confirmed = await openBrowser(after).post('/api/auth/verify-email', { token });
    expect([confirmed.status, confirmed.body]).toEqual([200, { status: true }]);

    const without = openBrowser(await under(NEW));
    for (const [name, value] of alice.cookies) without.cookies.set(name, value);
    expect((await without.get('/api/v1')).status).toBe(401);
    expect((await without.post('/api/auth/verify-email', { token })).status).toBe(401);
    const renewed = openBrowser(await under(NEW));
    for (const [name, value] of begun.cookies) renewed.cookies.set(name, value);
    expect((await renewed.get('/api/v1')).body).toMatchObject({ user: { name: 'Alice' } });
  });
});
