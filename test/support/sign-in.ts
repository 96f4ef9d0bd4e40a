import { afterEach, beforeEach, vi } from 'vitest';
import { passwordStore } from '../../src/store/people/credentials.ts';
import type { TestApi } from './api.ts';
import { openBrowser, type PageAnswer, type TestBrowser } from './browser.ts';
import type { TestPerson } from './people.ts';
import { QUICK_PASSWORDS } from './quick-passwords.ts';

export const NOW = Date.UTC(2030, 0, 1);
export const PASSWORD = 'correct horse battery';
/** The name of the session's cookie under an https address. */
export const SESSION_COOKIE = '__Host-tocsin.session_token';
export const SIGN_IN = '/api/auth/sign-in/email';

/** Sets the clock of better-auth, which reads the system time, to that of the test. */
export function freezeDates(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** Advances both clocks: that of better-auth and that of the test. */
export async function pass(api: Pick<TestApi, 'clock'>, milliseconds: number): Promise<void> {
  vi.setSystemTime(Date.now() + milliseconds);
  await api.clock.advance(milliseconds);
}

/** Sets a person's password and verifies their address, as a link in a mail does. */
export async function givePassword(api: TestApi, { personId }: TestPerson): Promise<void> {
  const hash = await QUICK_PASSWORDS.hash(PASSWORD);
  await api.database.transaction(async (tx) => {
    await passwordStore(tx).set(personId, hash, NOW);
    await tx.updateTable('person').set({ email_verified: 1 }).where('id', '=', personId).execute();
  });
}

export function signIn(
  browser: TestBrowser,
  email = 'alice@example.com',
  password = PASSWORD,
): Promise<PageAnswer> {
  return browser.post(SIGN_IN, { email, password });
}

/** Alice, signed in with her password. */
export async function aliceSignedIn(api: TestApi): Promise<TestBrowser> {
  await givePassword(api, api.alice);
  const browser = openBrowser(api);
  const { status, body } = await signIn(browser);
  if (status !== 200) throw new Error(`Not signed in: ${JSON.stringify(body)}`);
  return browser;
}

/** The audit log, oldest first. */
export async function audited(api: TestApi): Promise<string[]> {
  const rows = await api.database.read
    .selectFrom('audit_entry')
    .select(['action', 'actor'])
    .orderBy('id')
    .execute();
  return rows.map(({ action, actor }) => `${action} by ${actor.split(' ')[0]}`);
}
