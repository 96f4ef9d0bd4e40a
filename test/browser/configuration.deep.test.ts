import type { APIRequestContext, Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { en } from '../../web/words/en.ts';
import { useDemo } from './support/demo-visits.ts';
import { NO_PAGE_FAULTS, pageFaults } from './support/page-faults.ts';
import { VIEWER, PASSWORD } from './support/demo.ts';
import { isSettled } from './support/visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const { served, visitDemo } = useDemo();
const { imports, items, kept, configuration, common } = en;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const question = (page: Page) => page.getByRole('alertdialog', { name: kept.title, exact: true });

async function post(request: APIRequestContext, path: string, data: object) {
  const { url } = served();
  const answer = await request.post(`${url}/api/v1${path}`, { data, headers: { origin: url } });
  expect(answer.ok(), await answer.text()).toBe(true);
}

/** Pastes a file of Uptime Kuma with these monitors. */
async function paste(page: Page, monitors: object[]): Promise<void> {
  const text = JSON.stringify({ version: '1.23.0', monitorList: monitors });
  await page.getByLabel(imports.contents, { exact: true }).fill(text);
  await button(page, imports.read).click();
}

const http = (id: number, name: string, url: string) => ({
  id,
  name,
  type: 'http',
  url,
  interval: 60,
});

test('what is wrong with a file, with an item and with a plan is said where it is', async () => {
  const expected = /status of (?:4(?:12|22)|503)/;
  const { page, open: go, complaints, context } = await visitDemo({ expected });
  await go('/import?from=uptime-kuma');
  await page.getByLabel(imports.contents, { exact: true }).fill('{\n  "monitorList": [}');
  await button(page, imports.read).click();
  await page
    .getByText(/^Contents can't be read in line 2, column 19: /)
    .first()
    .waitFor();

  await page.getByLabel(imports.file, { exact: true }).setInputFiles({
    name: 'kuma.db',
    mimeType: 'application/octet-stream',
    buffer: Buffer.from('SQLite format 3\0'),
  });
  const command = page.getByLabel(imports.command, { exact: true });
  expect(await command.inputValue()).toBe('tocsin import uptime-kuma kuma.db');
  expect(await button(page, imports.read).getAttribute('aria-disabled')).toBe('true');
  // It is twice as long in a request.
  const quotes = Buffer.from('"'.repeat(2_200_000));
  await page.getByLabel(imports.file, { exact: true }).setInputFiles({
    name: 'quotes.json',
    mimeType: 'application/json',
    buffer: quotes,
  });
  await button(page, imports.read).click();
  await page.getByText(imports.tooLarge, { exact: true }).first().waitFor();
  const two = ['a.json', 'b.json'].map((name) => ({
    name,
    mimeType: 'application/json',
    buffer: Buffer.from('{}'),
  }));
  await page.getByLabel(imports.file, { exact: true }).setInputFiles(two);
  await page.getByText(imports.fileFirst('a.json', 2), { exact: true }).waitFor();
  await page.getByLabel(imports.file, { exact: true }).setInputFiles([]);

  await paste(page, [
    http(1, 'Good', 'https://good.example'),
    http(2, 'Metadata', 'http://169.254.169.254/latest'),
  ]);
  await heading(page, imports.coming(2, 'Uptime Kuma'));
  await button(page, imports.review).click();
  const refused = page.getByRole('row').filter({ hasText: 'Metadata' });
  await refused.getByText(imports.refusedWord, { exact: true }).waitFor();
  expect(await refused.innerText()).toContain('url ');
  expect(await pageFaults(page)).toEqual(NO_PAGE_FAULTS);
  await button(page, imports.leaveRefused).click();
  await page.getByRole('checkbox', { name: imports.keep('uptime-kuma') }).check();
  await button(page, imports.review).click();
  await button(page, imports.apply(1)).waitFor();

  // Another plan is due by then: the item takes over what somebody else made.
  const made = { friendly_name: 'Good', url: 'https://good.example', check_interval: 5 };
  await post(context.request, '/monitors', made);
  await button(page, imports.apply(1)).click();
  await page.getByText(imports.renewed, { exact: true }).waitFor();
  await page.getByText(imports.actionCounts.adopt(1)).waitFor();
  await button(page, imports.apply(1)).click();
  await heading(page, imports.doneTitle(1, 'Uptime Kuma'));
  await page.getByText(imports.doneKept('uptime-kuma')).waitFor();

  await page.getByRole('link', { name: 'Good', exact: true }).click();
  await page.getByText(kept.mark('uptime-kuma', 'good')).waitFor({ state: 'attached' });

  await go('/import?from=uptime-kuma');
  await paste(page, [http(1, 'Good', 'https://good.example')]);
  await button(page, imports.review).click();
  await heading(page, imports.noChanges);
  expect(await button(page, en.terms.back).count()).toBe(1);

  // The set stays, even if the page could not read that there is one.
  const sets = '**/api/v1/configuration/sets*';
  await page.route(sets, (route) => route.fulfill({ status: 503 }));
  await go('/import');
  await page.getByRole('button', { name: /^Uptime Kuma/ }).click();
  await paste(page, [
    http(1, 'Good', 'https://good.example'),
    http(3, 'Third', 'https://third.example'),
  ]);
  await button(page, imports.review).click();
  await button(page, imports.apply(1)).waitFor();
  await page.unroute(sets);
  await button(page, imports.apply(1)).click();
  await heading(page, imports.doneTitle(1, 'Uptime Kuma'));
  await page.getByText(imports.doneKept('uptime-kuma')).waitFor();

  // The next import begins anew, and changes nothing the second time.
  const importFourth = async () => {
    await page.goBack();
    await page.getByRole('button', { name: /^Gatus/ }).click();
    const endpoints = 'endpoints: [{ name: Fourth, url: "https://fourth.example" }]';
    await page.getByLabel(imports.contents, { exact: true }).fill(endpoints);
    await button(page, imports.read).click();
    await heading(page, imports.coming(1, 'Gatus'));
    await button(page, imports.review).click();
  };
  await importFourth();
  await button(page, imports.apply(1)).click();
  await heading(page, imports.doneTitle(1, 'Gatus'));
  await importFourth();
  await heading(page, imports.noChanges);

  // A single set is exported from its row alone.
  await go('/configuration');
  await button(page, `${en.terms.export}: uptime-kuma`).waitFor();
  expect(await button(page, en.terms.export).count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test('forms of what a set keeps ask once, and a set is released', async () => {
  const { page, open: go, complaints, context } = await visitDemo();
  const document = {
    name: 'shop',
    groups: [{ key: 'kept', name: 'Kept group' }],
    monitors: [
      { key: 'kept', friendly_name: 'Kept', url: 'https://kept.example', check_interval: 5 },
    ],
    webhook_endpoints: [
      {
        key: 'chat',
        name: 'Kept chat',
        url: { from: 'env X', value: 'https://hooks.example.com' },
      },
      {
        key: 'chat-of-the-people-who-answer-customers-of-the-shop-at-night',
        name: 'Long key',
        url: { from: 'env Y', value: 'https://hooks.example.com' },
      },
    ],
  };
  await post(context.request, '/configuration/apply', { document });

  await go('/configuration');
  const set = page.locator('.entry').filter({ has: page.getByText('shop', { exact: true }) });
  await set.locator('summary').click();
  expect(await pageFaults(page)).toEqual(NO_PAGE_FAULTS);
  await button(page, `${en.terms.export}: shop`).click();
  const exported = page.getByRole('dialog', { name: configuration.exported, exact: true });
  await exported.waitFor();
  expect(await pageFaults(page)).toEqual(NO_PAGE_FAULTS);
  await exported.getByRole('button', { name: common.close, exact: true }).click();
  await set.getByRole('link', { name: 'kept', exact: true }).first().click();
  await page.waitForURL(/\/monitors\/\d+$/);
  const { pathname } = new URL(page.url());

  await page.getByRole('link', { name: common.edit, exact: true }).first().click();
  await question(page).getByText(kept.text(items.monitors.named, 'shop')).waitFor();
  await question(page).getByRole('button', { name: common.cancel, exact: true }).click();
  await page.waitForURL((url) => url.pathname === pathname);
  await page.getByRole('link', { name: common.edit, exact: true }).first().click();
  await question(page).getByRole('button', { name: kept.change, exact: true }).click();
  await button(page, common.save).waitFor();

  await go('/groups');
  await page.getByText(kept.mark('shop', 'kept')).waitFor({ state: 'attached' });
  const editGroup = async (group: string) => {
    await button(page, common.actionsFor(group)).click();
    await page.getByRole('menuitem', { name: common.edit, exact: true }).click();
  };
  await editGroup('Kept group');
  await question(page).getByRole('button', { name: kept.change, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: en.groups.edit, exact: true });
  await dialog.getByRole('button', { name: common.cancel, exact: true }).click();
  // A group that no set keeps is edited at once.
  await editGroup('Storefront');
  await dialog.waitFor();

  // A form that is on the page by itself asks at the first change, and takes it back.
  await go('/webhooks');
  await page.getByRole('link', { name: 'Kept chat', exact: true }).click();
  await button(page, en.nav.settings).click();
  const name = page.getByLabel(en.labels.name, { exact: true });
  await name.fill('Other');
  await question(page).getByRole('button', { name: common.cancel, exact: true }).click();
  await expect.poll(() => name.inputValue()).toBe('Kept chat');
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name');
  await name.fill('Other');
  await question(page).getByRole('button', { name: kept.change, exact: true }).click();
  await button(page, common.save).click();
  await page.locator('.toast').getByText(en.dialog.saved('Other')).waitFor();

  await go('/configuration');
  await button(page, `${configuration.release}: shop`).click();
  const release = page.getByRole('alertdialog', { name: configuration.releaseTitle('shop') });
  await release.getByRole('button', { name: configuration.release, exact: true }).click();
  await release.waitFor({ state: 'detached' });
  await go(pathname);
  expect(await page.getByText(kept.mark('shop', 'kept')).count()).toBe(0);
  expect(complaints).toEqual([]);
  await context.close();
});

test('viewers see the sets, and import nothing', async () => {
  const visited = await visitDemo({ as: { email: VIEWER, password: PASSWORD } });
  const page = await visited.open('/configuration');
  await isSettled(page);
  expect(await button(page, en.terms.export).count()).toBe(0);
  await visited.open('/import');
  await page.getByText(imports.notAllowed).waitFor();
  expect(visited.complaints).toEqual([]);
  await visited.context.close();
});
