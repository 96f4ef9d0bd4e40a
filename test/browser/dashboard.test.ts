import { gzipSync } from 'node:zlib';
import { Secret, TOTP } from 'otpauth';
import type { Page, Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { en } from '../../web/words/en.ts';
import { AUTHENTICATOR, PEOPLE } from '../demo/northwind/people.ts';
import { giveToken } from '../support/people.ts';
import { OWNER, PASSWORD, VIEWER } from './support/demo.ts';
import { useDemo } from './support/demo-visits.ts';
import { NO_PAGE_FAULTS, pageFaults } from './support/page-faults.ts';
import { isSettled } from './support/visit.ts';

/** Gzip bytes of all scripts that are loaded until the list is shown: shell, words and page (ADR 36). */
const MAX_LIST_SCRIPT_BYTES = 130_000;
/** Bytes of the API that the page of a monitor reads when it is opened, as they are sent. */
const MAX_MONITOR_DATA_BYTES = 120_000;

const { served, visitDemo } = useDemo();
const startedAt = Date.now();

test('a person signs in, reads what is down, opens a monitor, and acknowledges its incident', async () => {
  const { url, demo } = served();
  const { page, complaints, context } = await visitDemo({ as: null });
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('E-mail', { exact: true }).first().fill(OWNER);
  await page.getByLabel('Password', { exact: true }).first().fill(PASSWORD);
  await page.getByLabel('Password', { exact: true }).first().press('Enter');
  await page.waitForURL((address) => address.pathname !== '/sign-in');

  await page.goto(`${url}/monitors`);
  await page.getByRole('heading', { level: 1, name: en.monitors.down(2, 60) }).waitFor();
  expect(await page.title()).toBe(`${en.monitors.down(2, 60)} · Tocsin`);
  const shadow = "getComputedStyle(document.querySelector('.card')).boxShadow";
  expect(await page.evaluate(shadow)).not.toBe('none');

  await page.getByRole('link', { name: 'Checkout API', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: en.monitor.isDown('Checkout API') }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/monitors/${demo.monitor('Checkout API')}`);
  await page.getByRole('button', { name: en.labels.acknowledge }).click();
  await page.getByText(en.monitor.hasIt('Ada Reyes')).first().waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('all scripts until the list is shown, and the data of a monitor, stay within their bounds', async () => {
  const as = { email: VIEWER, password: PASSWORD };
  const { page, context } = await visitDemo({ as });
  const scripts = bytesOf(
    page,
    (path) => path.endsWith('.js'),
    async (response) => gzipSync(await response.body(), { level: 9 }).length,
  );
  await page.goto(`${served().url}/monitors`);
  await page.getByRole('link', { name: 'Checkout API', exact: true }).first().waitFor();
  const sizes = await Promise.all(scripts.splice(0));
  expect(sizes.length).toBeGreaterThan(3);
  expect(sumOf(sizes)).toBeLessThan(MAX_LIST_SCRIPT_BYTES);

  const answers = bytesOf(
    page,
    (path) => path.startsWith('/api/v1/') && !path.endsWith('/events'),
    async (response) => (await response.request().sizes()).responseBodySize,
  );
  await page.goto(`${served().url}/monitors/${served().demo.monitor('Cart API')}`);
  for (const shown of ['.mo-days', '.mo-plot']) await page.locator(shown).waitFor();
  await isSettled(page);
  const read = await Promise.all(answers.splice(0));
  expect(read.length).toBeGreaterThan(8);
  expect(sumOf(read)).toBeLessThan(MAX_MONITOR_DATA_BYTES);
  await context.close();
});

const sumOf = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0);

/** Gathers the bytes of each response that a page gets from now on from a path that counts. */
function bytesOf(
  page: Page,
  counts: (path: string) => boolean,
  sizeOf: (response: Response) => Promise<number>,
): Promise<number>[] {
  const found: Promise<number>[] = [];
  page.on('response', (response) => {
    if (counts(new URL(response.url()).pathname)) found.push(sizeOf(response));
  });
  return found;
}

test('a viewer sees the same and changes nothing', async () => {
  const as = { email: VIEWER, password: PASSWORD };
  const visited = await visitDemo({ as });
  const page = await visited.open('/monitors');
  await isSettled(page);
  await page.getByRole('heading', { level: 1, name: en.monitors.down(2, 60) }).waitFor();
  expect(await page.getByRole('button', { name: en.labels.acknowledge }).count()).toBe(0);
  expect(await page.getByRole('link', { name: en.nav.newMonitor }).count()).toBe(0);
  expect(visited.complaints).toEqual([]);
  await visited.context.close();
});

test('the demo goes on by itself: targets answer as scripted, and people sign in', async () => {
  const { url, demo, service } = served();
  const { database } = service.resources;
  const [ada] = demo.people;
  const filled = { personId: ada!.id, teamId: demo.teamId };
  const token = await giveToken(database, filled, { now: Date.now() });
  const response = await fetch(`${url}/api/v1/monitors/${demo.monitor('Checkout API')}/check`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await response.text()).toContain('503');
  const isCounted = async () => {
    const row = await database.read
      .selectFrom('monitor_state')
      .select('last_slot')
      .where('monitor_id', '=', demo.monitor('Checkout API'))
      .executeTakeFirstOrThrow();
    return row.last_slot! > startedAt;
  };
  await expect.poll(isCounted).toBe(true);
  await expectSignIn(url);
});

/** The owner signs in with the password, and the admin needs a code as well. */
async function expectSignIn(url: string): Promise<void> {
  const post = (path: string, body: object, cookie = '') =>
    fetch(`${url}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, cookie },
      body: JSON.stringify(body),
    });
  const [owner, admin] = PEOPLE;
  const signIn = (email: string) => post('sign-in/email', { email, password: PASSWORD });
  const ofOwner = await signIn(owner!.email);
  expect(await ofOwner.json()).toMatchObject({ user: { name: owner!.name } });
  const ofAdmin = await signIn(admin!.email);
  expect(await ofAdmin.json()).toMatchObject({ twoFactorRedirect: true });
  const cookie = ofAdmin.headers
    .getSetCookie()
    .map((one) => one.split(';')[0]!)
    .join('; ');
  const code = new TOTP({ secret: Secret.fromBase32(AUTHENTICATOR.base32) }).generate();
  const verified = await post('two-factor/verify-totp', { code }, cookie);
  expect(verified.status, await verified.text()).toBe(200);
}

/** A backup of another service with a website, a job that pings it, and something that can't be imported. */
const BACKUP = JSON.stringify({
  version: '1.23.0',
  monitorList: [
    { id: 1, name: 'Moved shop', type: 'http', url: 'https://shop.example', interval: 60 },
    { id: 2, name: 'Moved job', type: 'push', pushToken: 'k2mF8sQwE1', interval: 3_600 },
    { id: 3, name: 'Game', type: 'gamedig', hostname: 'game.example', port: 27_015 },
  ],
});

test('monitors of another service are imported from its file: seen first, then chosen, then applied', async () => {
  const { imports } = en;
  const { page, open: go, complaints, context } = await visitDemo();
  await go('/import');
  await page.getByRole('button', { name: /^Uptime Kuma/ }).click();
  const file = { name: 'backup.json', mimeType: 'application/json', buffer: Buffer.from(BACKUP) };
  await page.getByLabel(imports.file, { exact: true }).setInputFiles(file);
  await page.getByRole('button', { name: imports.read, exact: true }).click();
  const title = imports.coming(2, 'Uptime Kuma');
  const heading = page.getByRole('heading', { level: 1, name: title, exact: true });
  await heading.waitFor();
  expect(await page.evaluate('document.activeElement?.textContent')).toBe(title);
  const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name });
  expect(await rowOf('Game').getByRole('checkbox').isDisabled()).toBe(true);
  expect(await pageFaults(page)).toEqual(NO_PAGE_FAULTS);
  await page.getByRole('button', { name: imports.review, exact: true }).click();
  await page.getByRole('button', { name: imports.apply(2), exact: true }).click();
  await page.getByRole('heading', { level: 2, name: imports.jobsTitle(1), exact: true }).waitFor();
  expect(await pageFaults(page)).toEqual(NO_PAGE_FAULTS);
  await page.getByRole('link', { name: 'Moved shop', exact: true }).click();
  await page.waitForURL(/\/monitors\/\d+$/);
  await page.getByRole('heading', { level: 1, name: /Moved shop/ }).waitFor();
  // No set keeps it, as nobody asked for one.
  expect(await page.getByText(en.kept.mark('uptime-kuma', 'moved-shop')).count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});
