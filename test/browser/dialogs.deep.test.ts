import { expect, test, vi } from 'vitest';
import { en } from '../../web/words/en.ts';
import { findViolations } from '../support/chromium.ts';
import { useDemo } from './support/demo-visits.ts';
import { tabToEnd } from './support/focus.ts';
import { isSettled, type Visit } from './support/visit.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const { visitDemo } = useDemo();

/** Dialogs and menus of the pages about alerts, reports and visitors: where each is, and the button that opens it. */
const OPENED: [page: string, path: readonly string[], button: string | RegExp][] = [
  ['a group', ['/groups'], en.groups.new],
  ['deletion of a route', ['/alert-routes'], /^Delete: /],
  ['a new ping URL', ['/monitors?type=cron', 'Nightly backup'], en.labels.replace],
  ['start of maintenance', ['/maintenance'], en.maintenance.startNow],
  ['end of maintenance', ['/maintenance'], en.maintenance.end],
  ['a route', ['/alert-routes'], en.alertRoutes.new],
  ['a webhook', ['/webhooks'], en.webhooks.new],
  ['a new secret', ['/webhooks', 'Incident bot', en.nav.settings], en.webhooks.rotate],
  ['deletion of a channel', ['/channels', '#ops'], en.common.delete],
  ['a report', ['/reports', 'For the board'], en.common.edit],
  ['actions of a report', ['/reports', 'For the board'], en.common.actionsFor('For the board')],
  ['a correction', ['/reports', 'For the board'], /^Reclassify/],
  ['corrections of a monitor', ['/reports', 'For the board'], /^Corrections of/],
  ['publishing', ['/status-pages', 'Northwind status'], en.statusPages.publish],
  ['services of a page', ['/status-pages', 'Northwind status'], en.statusPages.addServices],
  ['a template', ['/status-pages?tab=templates'], en.statusPages.newTemplate],
];

/** A menu stands at the end of the document, outside of all landmarks, while it is open. */
const OF_LANDMARKS = 'region';

/** Opens a page by its path and the links and tabs on it, by name. */
async function goTo({ page, open: go }: Visit, [path, ...links]: readonly string[]) {
  await go(path!);
  for (const name of links) {
    const main = page.locator('main');
    const link = main.getByRole('link', { name, exact: true });
    await link.or(main.getByRole('button', { name, exact: true })).click();
    await page.getByRole('navigation', { name: en.nav.breadcrumb }).waitFor();
    await isSettled(page);
  }
}

test('each dialog and menu opens and closes by keyboard, gives the focus back, and is accessible in both themes', async () => {
  const visited = await visitDemo();
  const { page, complaints, context } = visited;
  const found: Record<string, unknown> = {};
  for (const [name, path, label] of OPENED) {
    await goTo(visited, path);
    const exact = typeof label === 'string';
    const button = page.locator('main').getByRole('button', { name: label, exact }).first();
    await button.focus();
    await page.keyboard.press('Enter');
    const layer = page.locator('[role=dialog], [role=alertdialog], [role=menu]');
    await layer.waitFor();
    await page.locator('.waiting').first().waitFor({ state: 'detached' });
    const hasFocus = () => layer.evaluate((element) => element.matches(':focus-within'));
    await expect.poll(hasFocus, { message: name }).toBe(true);
    const all = await findViolations(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    all.push(...(await findViolations(page, 'colors')));
    await page.emulateMedia({ colorScheme: 'light' });
    const violations = all.map(({ rule }) => rule).filter((rule) => rule !== OF_LANDMARKS);
    await page.keyboard.press('Escape');
    await layer.waitFor({ state: 'detached' });
    const isBack = () => button.evaluate((element) => element.matches(':focus'));
    await expect.poll(isBack, { message: name }).toBe(true);
    found[name] = violations;
  }
  expect(found).toEqual(Object.fromEntries(OPENED.map(([name]) => [name, []])));
  expect(complaints).toEqual([]);
  await context.close();
});

test('Tab leads through the fields of a long dialog, none of them under the buttons that stay at its end', async () => {
  const { page, open: go, complaints, context } = await visitDemo();
  await go('/alert-routes');
  await page.getByRole('button', { name: en.alertRoutes.new, exact: true }).click();
  await page.getByRole('dialog').locator('input[name=name]').waitFor();
  const places = await tabToEnd(page, '.dialog');
  expect(places.length).toBeGreaterThan(8);
  expect(new Set(places)).toEqual(new Set(['seen', 'end']));
  expect(complaints).toEqual([]);
  await context.close();
});

test('a dialog in which something was typed asks before Escape or a click beside it closes it', async () => {
  const { page, open: go, complaints, context } = await visitDemo();
  await go('/groups');
  await page.getByRole('button', { name: en.groups.new, exact: true }).click();
  const dialog = page.getByRole('dialog');
  const name = dialog.getByLabel(en.labels.name, { exact: true });
  await name.fill('Warehouse');
  const question = page.getByRole('alertdialog', { name: en.dialog.discardTitle });
  await page.keyboard.press('Escape');
  await question.waitFor();
  // What is below a question is as dark as the page: two dialogs of one width would look like one.
  const dimmed = page
    .locator('[role=dialog]')
    .evaluate((one) => one.ownerDocument.defaultView!.getComputedStyle(one).filter);
  expect(await dimmed).toBe('brightness(0.64)');
  await question.getByRole('button', { name: en.dialog.keepEditing, exact: true }).click();
  await question.waitFor({ state: 'detached' });
  expect(await name.inputValue()).toBe('Warehouse');
  await page.mouse.click(5, 5);
  await question.getByRole('button', { name: en.dialog.discard, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: en.groups.new, exact: true }).click();
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await context.close();
});
