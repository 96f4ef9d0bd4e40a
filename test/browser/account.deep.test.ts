import type { Locator, Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { de } from '../../web/words/de.ts';
import { en } from '../../web/words/en.ts';
import { browser } from '../support/chromium.ts';
import { useServices } from '../support/service.ts';
import { oneTimeCode } from './support/one-time-code.ts';
import { ADA, linkIn, startOwnService, type OwnService } from './support/own-service.ts';
import { visit, type Visit } from './support/visit.ts';

vi.setConfig({ testTimeout: 300_000 });

const open = browser();
const services = useServices();
const { account, common, nav, palette } = en;

const section = (page: Page, title: string): Locator =>
  page.getByRole('region', { name: title, exact: true });
const button = (place: Page | Locator, name: string): Locator =>
  place.getByRole('button', { name, exact: true });
const heading = (place: Page | Locator, name: string): Locator =>
  place.getByRole('heading', { name, exact: true });

/** Waits for the message at the edge of the page. */
const said = (page: Page, text: string) =>
  page.locator('.toast').getByText(text, { exact: true }).first().waitFor();

/** Confirms the question that is open. */
async function confirm(page: Page, title: string, action: string): Promise<void> {
  const dialog = page.getByRole('alertdialog', { name: title, exact: true });
  await dialog.waitFor();
  await button(dialog, action).click();
  await dialog.waitFor({ state: 'detached' });
}

async function ada(own: OwnService, options: Partial<Parameters<typeof visit>[1]> = {}) {
  return visit(await open(), { url: own.url, as: ADA, ...options });
}

/** Width of an element's content that its box hides, in CSS pixels. */
const hiddenWidth = (element: { scrollWidth: number; clientWidth: number }) =>
  element.scrollWidth - element.clientWidth;

async function leave(...visits: Visit[]): Promise<void> {
  for (const { complaints, context } of visits) {
    expect(complaints).toEqual([]);
    await context.close();
  }
}

test('a token is shown once, does what it may, shows its last use, and is refused once revoked', async () => {
  const own = await startOwnService(services);
  const visited = await ada(own);
  const page = await visited.open('/account');
  const { tokens, permissions } = account;
  const card = section(page, tokens.title);

  await button(card, tokens.create).click();
  await card.getByLabel(en.labels.name, { exact: true }).fill('Grafana');
  // Reading alone is chosen.
  expect(await card.getByRole('checkbox', { name: permissions.read.title }).isChecked()).toBe(true);
  expect(await card.getByRole('checkbox', { name: permissions.create.title }).isChecked()).toBe(
    false,
  );
  await card.getByLabel(en.terms.expiry).selectOption({ label: tokens.lifetimes[30] });
  await button(card, tokens.create).click();
  const token = await card.getByRole('textbox', { name: en.terms.token, exact: true }).inputValue();
  expect(await card.locator('pre').textContent()).toContain(token);

  const call = (method: string, path: string) =>
    fetch(`${own.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: JSON.stringify({ name: 'Shop' }) }),
    });
  expect((await call('GET', '/monitors')).status).toBe(200);
  const denied = await call('POST', '/groups');
  expect(denied.status).toBe(403);

  await button(card, en.terms.haveCopied).click();
  await card.getByText(tokens.copyNow).waitFor({ state: 'detached' });
  await page.reload();
  const row = card.getByRole('listitem').filter({ hasText: 'Grafana' });
  await row.getByText(tokens.lastUsed).waitFor();
  expect(await row.textContent()).toMatch(/Read.*last used.*expires/);
  expect(await page.content()).not.toContain(token);

  await button(row, `${tokens.revoke}: Grafana`).click();
  await confirm(page, tokens.revokeTitle('Grafana'), tokens.revoke);
  await said(page, tokens.revoked('Grafana'));
  expect((await call('GET', '/monitors')).status).toBe(401);
  await leave(visited);
});

test('a token without a name or a permission says so at its fields', async () => {
  const own = await startOwnService(services);
  const visited = await ada(own, { expected: /422/ });
  const page = await visited.open('/account');
  const { tokens, permissions } = account;
  const card = section(page, tokens.title);
  await button(card, tokens.create).click();
  await card.getByRole('checkbox', { name: permissions.read.title }).uncheck();
  await button(card, tokens.create).click();
  await card.getByRole('alert').waitFor();
  const name = card.getByLabel(en.labels.name, { exact: true });
  expect(await name.getAttribute('aria-invalid')).toBe('true');
  const group = card.getByRole('group', { name: tokens.permissions });
  const why = (await group.locator('.error').textContent())!;
  // The links of the list lead to the fields.
  await card.getByRole('alert').getByRole('link', { name: why }).click();
  expect(await page.evaluate('document.activeElement.name')).toBe('permissions');
  await leave(visited);
});

test('a second factor is set up with its secret, gives recovery codes, guards the sign-in, and is turned off', async () => {
  const own = await startOwnService(services);
  const visited = await ada(own, { expected: /40[01]/ });
  const page = await visited.open('/account');
  const { factor } = account;
  const card = section(page, factor.title);

  const index = page.getByRole('navigation', { name: account.index });
  for (const { title } of [account.tokens, factor]) {
    await index.getByText(title, { exact: true }).click();
    await expect.poll(() => index.locator('[aria-current]').innerText()).toBe(title);
  }
  await card.locator('summary').click();
  await card.getByLabel(factor.password).fill('wrong password');
  await button(card, factor.turnOn).click();
  await card.getByRole('alert').getByText(en.entry.refusals.INVALID_PASSWORD).waitFor();
  expect(await card.getByLabel(factor.password).getAttribute('aria-invalid')).toBe('true');

  await card.getByLabel(factor.password).fill(ADA.password);
  await button(card, factor.turnOn).click();
  await card.getByRole('img', { name: factor.qr }).waitFor();
  const shown = card.locator('.copied code');
  expect(await shown.textContent()).toMatch(/^(?:[A-Z2-7]{4} )+[A-Z2-7]{1,4}$/);
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => shown.evaluate(hiddenWidth)).toBe(0);
    expect(await page.evaluate(`document.documentElement.scrollWidth`)).toBeLessThanOrEqual(width);
    await button(card, common.copy).scrollIntoViewIfNeeded();
  }
  const secret = (await card.locator('code').textContent())!;
  await card.getByLabel(factor.code).fill('000000');
  await button(card, factor.confirm).click();
  await card.getByRole('alert').getByText(en.entry.refusals.INVALID_CODE).waitFor();
  expect(await card.getByLabel(factor.code).getAttribute('aria-invalid')).toBe('true');
  await card.getByLabel(factor.code).fill(oneTimeCode(secret));
  await button(card, factor.confirm).click();
  const codes = (await card.locator('pre').textContent())!.split('\n');
  expect(codes.length).toBeGreaterThan(5);
  expect(new Set(codes).size).toBe(codes.length);
  const focusedText = () => page.evaluate('document.activeElement.textContent');
  await expect.poll(focusedText).toBe(factor.saveCodes);
  await button(card, factor.codesSaved).click();
  await expect.poll(focusedText).toBe(factor.on);
  await card.getByText(factor.on).waitFor();

  // Signing in by password alone takes a second step, which a recovery code answers once.
  const other = await visit(await open(), { url: own.url, as: null });
  const post = async (path: string, data: object) =>
    other.context.request.post(`${own.url}/api/auth${path}`, {
      data,
      headers: { origin: own.url },
    });
  const first = await post('/sign-in/email', ADA);
  expect(await first.json()).toMatchObject({ twoFactorRedirect: true });
  expect((await post('/two-factor/verify-backup-code', { code: codes[0] })).status()).toBe(200);
  expect((await other.context.request.get(`${own.url}/api/v1`)).status()).toBe(200);

  await card.getByText(factor.turnOff, { exact: true }).first().click();
  const form = card.locator('details[open]');
  await form.getByLabel(factor.password).fill(ADA.password);
  await button(form, factor.turnOff).click();
  await said(page, factor.turnedOff);
  await card.getByText(factor.off).waitFor();
  await leave(visited, other);
});

test('a passkey is added, named, renamed and removed', async () => {
  const own = await startOwnService(services);
  const visited = await ada(own);
  const page = await visited.open('/account');
  const devices = await visited.context.newCDPSession(page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const { passkeys } = account;
  const card = section(page, passkeys.title);
  await card.getByText(passkeys.none).waitFor();
  await card.locator('summary').click();
  await card.getByLabel(en.labels.name, { exact: true }).fill('Phone');
  await button(card, passkeys.add).click();
  await said(page, passkeys.addedOne);
  const row = card.getByRole('listitem');
  expect(await row.textContent()).toMatch(/^Phone.*added/);

  // The device has one already.
  await button(card, passkeys.add).click();
  await card.getByRole('alert').getByText(en.credentials.passkeyKnown).waitFor();

  await button(row, `${passkeys.rename}: Phone`).click();
  const dialog = page.getByRole('dialog', { name: passkeys.renameTitle('Phone') });
  await dialog.getByLabel(en.labels.name, { exact: true }).fill('Work phone');
  await button(dialog, passkeys.rename).click();
  await row.getByText('Work phone').waitFor();

  await button(row, `${en.labels.remove}: Work phone`).click();
  await confirm(page, passkeys.removeTitle('Work phone'), en.labels.remove);
  await card.getByText(passkeys.none).waitFor();
  await leave(visited);
});

test('sessions are ended elsewhere, one by one and all others', async () => {
  const own = await startOwnService(services);
  const visited = await ada(own);
  const phone = await ada(own);
  const tablet = await ada(own);
  const page = await visited.open('/account');
  const { sessions } = account;
  const card = section(page, sessions.title);
  await expect.poll(() => card.getByRole('listitem').count()).toBe(3);
  expect(await card.getByText(sessions.thisOne, { exact: true }).count()).toBe(1);

  await card
    .getByRole('button', { name: `${sessions.end}: ` })
    .first()
    .click();
  await said(page, sessions.ended);
  await expect.poll(() => card.getByRole('listitem').count()).toBe(2);

  await button(card, sessions.endOthers).click();
  await confirm(page, sessions.endOthersTitle, sessions.endOthers);
  await said(page, sessions.othersEnded);
  await expect.poll(() => card.getByRole('listitem').count()).toBe(1);
  expect(await button(card, sessions.endOthers).count()).toBe(0);
  for (const { context } of [phone, tablet])
    expect((await context.request.get(`${own.url}/api/v1`)).status()).toBe(401);
  await leave(visited, phone, tablet);
});

test('a changed password ends the other sessions, and replaces the former one', async () => {
  const own = await startOwnService(services);
  const visited = await ada(own, { expected: /40[01]/ });
  const other = await ada(own);
  const page = await visited.open('/account');
  const { password } = account;
  const newPassword = en.credentials;
  const card = section(page, password.title);
  const next = 'eleven quiet lighthouses';
  await card.locator('summary').click();
  await card.getByLabel(password.current, { exact: true }).fill('not this one');
  await card.getByLabel(en.labels.newPassword, { exact: true }).fill(next);
  await card.getByLabel(newPassword.again(en.labels.newPassword)).fill(`${next}!`);
  await button(card, password.change).click();
  await card.getByRole('alert').getByText(newPassword.differ).waitFor();
  await card.getByLabel(newPassword.again(en.labels.newPassword)).fill(next);
  await button(card, password.change).click();
  const current = card.getByLabel(password.current, { exact: true });
  await expect.poll(() => current.getAttribute('aria-invalid')).toBe('true');
  await current.fill(ADA.password);
  await button(card, password.change).click();
  await said(page, password.changed);
  expect(await current.inputValue()).toBe('');
  expect((await other.context.request.get(`${own.url}/api/v1`)).status()).toBe(401);
  expect((await visited.context.request.get(`${own.url}/api/v1`)).status()).toBe(200);
  const again = await visit(await open(), {
    url: own.url,
    as: { ...ADA, password: next },
  });
  await leave(visited, other, again);
});

test('an e-mail address is changed once both addresses have agreed', async () => {
  const own = await startOwnService(services);
  const visited = await ada(own);
  const page = await visited.open('/account');
  const { profile } = account;
  const card = section(page, profile.title);
  await card.getByText(profile.changeEmail, { exact: true }).click();
  await card.getByLabel(profile.newEmail).fill('ada@reyes.example');
  await button(card, profile.sendLinks).click();
  await card.getByText(profile.linksSent(ADA.email)).waitFor();
  for (const address of [ADA.email, 'ada@reyes.example']) {
    const link = linkIn(await own.mailTo(address), '/verify-email');
    await page.goto(link);
    await page.getByRole('button', { name: /^Confirm/ }).click();
    await page.getByRole('button', { name: /^Confirm/ }).waitFor({ state: 'hidden' });
  }
  await expect
    .poll(async () => {
      const me = await visited.context.request.get(`${own.url}/api/v1`);
      return ((await me.json()) as { user: { email: string } }).user.email;
    })
    .toBe('ada@reyes.example');
  await visited.open('/account');
  await page.getByText(account.signedInAs('ada', 'ada@reyes.example')).waitFor();
  await leave(visited);
});

test('name, time zone and language are changed and seen', async () => {
  const own = await startOwnService(services);
  const visited = await ada(own);
  const page = await visited.open('/account');
  const { profile, appearance } = account;
  const card = section(page, profile.title);
  await card.getByLabel(en.labels.name, { exact: true }).fill('Ada Reyes');
  await card.getByLabel(en.labels.timezone).selectOption('America/New_York');
  await button(card, common.save).click();
  await said(page, profile.saved);
  await page.getByText(account.signedInAs('Ada Reyes', ADA.email)).waitFor();
  // The session of the list began just now: its time in full is that of New York.
  const time = section(page, account.sessions.title).locator('time').first();
  expect(await time.getAttribute('title')).toMatch(/New York|GMT-[45]|E[SD]T/);

  const look = section(page, appearance.title);
  await button(look, appearance.themes.dark).click();
  await button(look, appearance.heights.dense).click();
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  await button(look, 'Deutsch').click();
  await heading(page, de.nav.account).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  const stays = button(
    section(page, de.account.appearance.title),
    de.account.appearance.heights.dense,
  );
  expect(await stays.getAttribute('aria-pressed')).toBe('true');
  await leave(visited);
});

test('the palette changes how the dashboard looks, and the keyboard closes it where it was', async () => {
  const own = await startOwnService(services);
  const visited = await ada(own);
  const page = await visited.open('/account');
  const create = button(section(page, account.tokens.title), account.tokens.create);
  await create.focus();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: palette.title });
  await field.fill(nav.dark);
  await page.keyboard.press('Enter');
  await field.waitFor({ state: 'detached' });
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  expect(await page.evaluate('document.activeElement.textContent')).toBe(account.tokens.create);
  await leave(visited);
});
