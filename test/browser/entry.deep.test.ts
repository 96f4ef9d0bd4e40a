import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { de } from '../../web/words/de.ts';
import { en } from '../../web/words/en.ts';
import { browser } from '../support/chromium.ts';
import { useServices } from '../support/service.ts';
import { oneTimeCode } from './support/one-time-code.ts';
import { ADA, linkIn, startOwnService, type OwnService } from './support/own-service.ts';
import { NO_PAGE_FAULTS, pageFaults } from './support/page-faults.ts';
import { visit, type Visit } from './support/visit.ts';

vi.setConfig({ testTimeout: 300_000 });

const open = browser();
const services = useServices();
const { entry } = en;
const NAME = `${entry.personName} (${en.common.optional})`;

/** A browser of somebody who is not signed in. */
const visitor = async (own: OwnService, options: Partial<Parameters<typeof visit>[1]> = {}) =>
  visit(await open(), { url: own.url, as: null, ...options });

async function leave(...visits: Visit[]): Promise<void> {
  for (const { complaints, context } of visits) {
    expect(complaints).toEqual([]);
    await context.close();
  }
}

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const pathOf = (page: Page) => new URL(page.url()).pathname;
const arrivesAt = (page: Page, wanted: string) =>
  page.waitForURL(({ pathname }) => pathname === wanted);

async function signIn(page: Page, { email, password }: typeof ADA): Promise<void> {
  await field(page, en.labels.email).fill(email);
  await field(page, en.labels.password).fill(password);
  await press(page, en.entry.signIn.title);
}

/** What a person is signed in as; null for nobody. */
async function signedInAs({ context }: Visit, { url }: OwnService): Promise<string | null> {
  const answer = await context.request.get(`${url}/api/v1`);
  if (!answer.ok()) return null;
  return ((await answer.json()) as { user: { email: string } }).user.email;
}

test('the set-up link leads to an owner, a first monitor and its first result', async () => {
  const own = await startOwnService(services, { mail: false, isSetUp: false });
  const kept = await readFile(path.join(own.folder, 'first-start.txt'), 'utf8');
  const link = /^ {2}(http\S+\/setup\S+)$/m.exec(kept)![1]!;
  const visited = await visitor(own, { expected: /status of 404/ });
  const { page } = visited;
  await page.goto(`${own.url}/sign-in`);
  await page.getByText(entry.signIn.setupPending).waitFor();

  await page.goto(link);
  await field(page, NAME).fill('Olga');
  // The token is out of sight, and the page can be loaded again nevertheless.
  expect(page.url()).toBe(`${own.url}/setup`);
  await page.reload();
  await field(page, NAME).fill('Olga');
  await field(page, en.labels.email).fill('olga@northwind.example');
  await field(page, en.labels.password).fill('short');
  await press(page, entry.setup.submit);
  await page.getByText(en.credentials.short).first().waitFor();
  await field(page, en.labels.password).fill('eleven quiet lighthouses');
  await field(page, en.credentials.again(en.labels.password)).fill('eleven quiet lighthouses');
  await press(page, entry.setup.submit);
  await arrivesAt(page, '/start');

  await field(page, en.start.field).fill(`${own.url}/healthz`);
  await press(page, en.start.watch);
  await page.getByRole('heading', { level: 1, name: /is up$/ }).waitFor({ timeout: 60_000 });
  expect(await signedInAs(visited, own)).toBe('olga@northwind.example');

  // What was made is still there when the page is loaded again, and back does not lead to the set-up.
  await page.reload();
  await page.getByRole('heading', { level: 1, name: /is up$/ }).waitFor();
  await page.goBack();
  expect(page.url()).not.toContain('/setup');

  // The link works once.
  await page.goto(link);
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('button', { name: entry.setup.submit }).count()).toBe(0);
  await leave(visited);
});

test('the set-up leads to the list of monitors that were made before it', async () => {
  const own = await startOwnService(services, { mail: false, isSetUp: false });
  const kept = await readFile(path.join(own.folder, 'first-start.txt'), 'utf8');
  const made = await fetch(`${own.url}/api/v1/monitors`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${/\btocsin_\w+/.exec(kept)![0]}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ url: `${own.url}/healthz`, check_interval: 1 }),
  });
  expect(made.status).toBe(201);
  const visited = await visitor(own);
  const { page } = visited;
  await page.goto(/^ {2}(http\S+\/setup\S+)$/m.exec(kept)![1]!);
  await field(page, en.labels.email).fill('olga@northwind.example');
  await field(page, en.labels.password).fill('eleven quiet lighthouses');
  await field(page, en.credentials.again(en.labels.password)).fill('eleven quiet lighthouses');
  await press(page, entry.setup.submit);
  await arrivesAt(page, '/monitors');
  await leave(visited);
});

test('a wrong password is told, the right one leads to the wanted page, and never to another site', async () => {
  const own = await startOwnService(services);
  const visited = await visitor(own, { expected: /status of 401/ });
  const { page } = visited;
  await page.goto(`${own.url}/members?role=admin`);
  await arrivesAt(page, '/sign-in');
  await page.locator('h1').waitFor();
  expect(await page.evaluate('document.activeElement.name')).toBe('email');
  await signIn(page, { ...ADA, password: 'not this one' });
  await page.getByText(entry.refusals.INVALID_EMAIL_OR_PASSWORD).waitFor();
  expect(await field(page, en.labels.email).inputValue()).toBe(ADA.email);
  // The wanted page outlasts a look at another view and a reload.
  await page.getByRole('link', { name: en.entry.forgot.title }).click();
  await page.getByRole('heading', { name: entry.forgot.title }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: entry.forgot.back }).click();
  await signIn(page, ADA);
  await arrivesAt(page, '/members');
  expect(new URL(page.url()).search).toBe('?role=admin');

  const other = await visitor(own);
  await other.page.goto(`${own.url}/sign-in?next=%2F%2Fevil.example%2F`);
  await signIn(other.page, ADA);
  await arrivesAt(other.page, '/monitors');
  expect(new URL(other.page.url()).origin).toBe(own.url);
  await leave(visited, other);
});

test('a code of the authenticator or a recovery code follows the password, each once', async () => {
  const own = await startOwnService(services);
  const first = await visitor(own);
  await first.page.goto(`${own.url}/sign-in`);
  await signIn(first.page, ADA);
  await arrivesAt(first.page, '/monitors');
  // Its session is replaced by the calls that follow: what an open page reads meanwhile would be refused.
  await first.page.goto('about:blank');
  const post = async (where: string, data: object) => {
    const options = { data, headers: { origin: own.url } };
    return (await first.context.request.post(`${own.url}/api/auth${where}`, options)).json();
  };
  const { totpURI, backupCodes } = (await post('/two-factor/enable', {
    password: ADA.password,
  })) as { totpURI: string; backupCodes: string[] };
  const secret = new URL(totpURI).searchParams.get('secret')!;
  // The step of the time before the one that the sign-in uses, which works once as well.
  const earlier = Date.now() - 30_000;
  await post('/two-factor/verify-totp', { code: oneTimeCode(secret, earlier) });

  const visited = await visitor(own, { expected: /status of 40[01]/ });
  const { page } = visited;
  await page.goto(`${own.url}/sign-in?next=%2Fgroups`);
  await signIn(page, ADA);
  await page.getByRole('heading', { name: entry.factor.title }).waitFor();
  expect(await page.evaluate('document.activeElement.name')).toBe('code');
  await field(page, entry.factor.code).fill('000000');
  await press(page, entry.factor.submit);
  await page.getByText(entry.refusals.INVALID_CODE).first().waitFor();
  const code = oneTimeCode(secret);
  await field(page, entry.factor.code).fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await press(page, entry.factor.submit);
  await arrivesAt(page, '/groups');
  expect(await signedInAs(visited, own)).toBe(ADA.email);

  const other = await visitor(own, { expected: /status of 40[01]/ });
  await other.page.goto(`${own.url}/sign-in`);
  // A second factor without a password is not asked for.
  await other.page.goto(`${own.url}/sign-in#second-factor`);
  await other.page.getByRole('heading', { name: entry.signIn.title }).waitFor();
  await signIn(other.page, ADA);
  await other.page.getByRole('link', { name: en.entry.factor.recoveryTitle }).click();
  await field(other.page, entry.factor.recoveryCode).fill('wrong-code1');
  await press(other.page, entry.factor.submit);
  await other.page.getByText(entry.refusals.INVALID_BACKUP_CODE).first().waitFor();
  await field(other.page, entry.factor.recoveryCode).fill(` ${backupCodes[0]} `);
  await press(other.page, entry.factor.submit);
  await arrivesAt(other.page, '/monitors');
  await leave(first, visited, other);
});

test('a passkey signs in without a password', async () => {
  const own = await startOwnService(services);
  const visited = await visitor(own);
  const { page, context } = visited;
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  await page.goto(`${own.url}/sign-in?next=%2Faccount`);
  await signIn(page, ADA);
  await arrivesAt(page, '/account');
  const { passkeys } = en.account;
  const card = page.getByRole('region', { name: passkeys.title, exact: true });
  await card.locator('summary').click();
  await card.getByLabel(en.labels.name, { exact: true }).fill('Laptop');
  await card.getByRole('button', { name: passkeys.add, exact: true }).click();
  await page.getByText(passkeys.addedOne).first().waitFor();
  await context.clearCookies();

  await page.goto(`${own.url}/sign-in`);
  await press(page, entry.signIn.passkey);
  await arrivesAt(page, '/monitors');
  expect(await signedInAs(visited, own)).toBe(ADA.email);
  await leave(visited);
});

test('a second person joins by the link of an invitation, and sees the team', async () => {
  const own = await startOwnService(services);
  const email = 'bo@northwind.example';
  await own.service.post('/api/v1/users/invitations', { email, role: 'viewer' });
  const link = linkIn(await own.mailTo(email), '/invitation');
  const visited = await visitor(own, { expected: /status of 4/, language: 'de', width: 375 });
  const { page } = visited;
  const { invitation } = de.entry;
  await page.goto(link);
  await page.getByText(email).waitFor();
  expect(page.url()).toBe(`${own.url}/invitation`);
  expect(await page.getByText(de.roles.viewer, { exact: true }).count()).toBe(1);
  expect(await pageFaults(page)).toEqual(NO_PAGE_FAULTS);
  await field(page, `${de.entry.personName} (${de.common.optional})`).fill('Bo Lindqvist');
  await field(page, de.labels.password).fill('eleven quiet lighthouses');
  await field(page, de.credentials.again(de.labels.password)).fill('eleven loud lighthouses');
  await press(page, invitation.submit);
  await page.getByText(de.credentials.differ).first().waitFor();
  await field(page, de.credentials.again(de.labels.password)).fill('eleven quiet lighthouses');
  await press(page, invitation.submit);
  await arrivesAt(page, '/monitors');
  expect(await signedInAs(visited, own)).toBe(email);

  await page.goto(link);
  await page.getByText(invitation.refused('')).waitFor();
  await leave(visited);
});

test('a forgotten password is replaced by a mailed link, once', async () => {
  const own = await startOwnService(services);
  const visited = await visitor(own, { expected: /status of 40[01]/ });
  const { page } = visited;
  const { forgot, reset } = entry;
  const next = 'twelve quiet lighthouses';
  await page.goto(`${own.url}/sign-in`);
  await page.getByRole('link', { name: en.entry.forgot.title }).click();
  await field(page, en.labels.email).fill(ADA.email);
  await press(page, forgot.submit);
  await page.getByText(forgot.sent).waitFor();
  const link = linkIn(await own.mailTo(ADA.email), '/reset-password');
  await page.goto(link);
  await field(page, en.labels.newPassword).fill(next);
  expect(page.url()).toBe(`${own.url}/reset-password`);
  await field(page, en.credentials.again(en.labels.newPassword)).fill(next);
  await press(page, reset.submit);
  await page.getByText(reset.done).waitFor();
  await page.getByRole('link', { name: entry.signIn.title }).click();
  await arrivesAt(page, '/sign-in');
  await signIn(page, ADA);
  await page.getByText(entry.refusals.INVALID_EMAIL_OR_PASSWORD).waitFor();
  await signIn(page, { ...ADA, password: next });
  await arrivesAt(page, '/monitors');

  await page.goto(link);
  await field(page, en.labels.newPassword).fill(ADA.password);
  await field(page, en.credentials.again(en.labels.newPassword)).fill(ADA.password);
  await press(page, reset.submit);
  await page.getByText(reset.gone).waitFor();
  await leave(visited);
});

test('without mail, the way to a new password is told', async () => {
  const own = await startOwnService(services, { mail: false });
  const visited = await visitor(own);
  await visited.page.goto(`${own.url}/sign-in#forgot`);
  await visited.page.getByText(entry.forgot.noMail).waitFor();
  expect(await visited.page.locator('input').count()).toBe(0);
  await leave(visited);
});

test('while the ways to sign in can not be read, the page says so and claims nothing', async () => {
  const own = await startOwnService(services, { mail: false });
  const visited = await visitor(own, { expected: /ERR_FAILED/ });
  const { page } = visited;
  await page.route('**/api/v1/sign-in', (route) => route.abort());
  await page.goto(`${own.url}/sign-in#forgot`);
  await page.getByText(entry.signIn.unknown(en.errors.unreachable)).waitFor();
  expect(await page.getByText(entry.forgot.noMail).count()).toBe(0);
  await page.unroute('**/api/v1/sign-in');
  await press(page, en.common.retry);
  await page.getByText(entry.forgot.noMail).waitFor();
  await leave(visited);
});

test('a page that can not be loaded says so, and keeps no token in the address bar', async () => {
  const own = await startOwnService(services);
  const visited = await visitor(own, { expected: /ERR_FAILED|dynamically imported/ });
  const { page } = visited;
  await page.route('**/dashboard/reset-password-*.js', (route) => route.abort());
  await page.goto(`${own.url}/reset-password?token=secret`);
  await page.getByText(en.errors.broken).waitFor();
  expect(page.url()).toBe(`${own.url}/reset-password`);
  await page.unroute('**/dashboard/reset-password-*.js');
  await press(page, en.errors.reload);
  await field(page, en.labels.newPassword).waitFor();
  await leave(visited);
});

test('an address is confirmed only by the button, with a warning [36.20]', async () => {
  const own = await startOwnService(services);
  const visited = await visitor(own, { expected: /status of 40[01]/ });
  const { page } = visited;
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}`);
  });
  await page.goto(`${own.url}/verify-email?token=secret`);
  await page.getByText(entry.verify.address.warning).waitFor();
  await page.waitForLoadState('networkidle');
  expect([calls, page.url()]).toEqual([[], `${own.url}/verify-email`]);
  // A key press by accident confirms nothing.
  await page.keyboard.press('Enter');
  expect(await page.getByRole('button').count()).toBe(1);
  expect(calls).toEqual([]);
  await press(page, entry.verify.submit);
  await page.getByText(entry.verify.gone).waitFor();
  expect(calls).toEqual(['POST /api/auth/verify-email']);
  await leave(visited);
});

test('a change of the language stays on the page, and keeps its link', async () => {
  const own = await startOwnService(services);
  const visited = await visitor(own);
  const { page } = visited;
  await page.goto(`${own.url}/reset-password?token=secret`);
  await page.getByLabel(en.labels.language).selectOption('de');
  await page.getByRole('heading', { name: de.entry.reset.title }).waitFor();
  await field(page, de.labels.newPassword).waitFor();
  expect([pathOf(page), await page.locator('html').getAttribute('lang')]).toEqual([
    '/reset-password',
    'de',
  ]);
  await leave(visited);
});
