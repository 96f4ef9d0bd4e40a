import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { en } from '../../web/words/en.ts';
import { PASSWORD, VIEWER } from './support/demo.ts';
import { useDemo } from './support/demo-visits.ts';
import { NO_PAGE_FAULTS, pageFaults } from './support/page-faults.ts';
import { isSettled } from './support/visit.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const { served, visitDemo } = useDemo();
const { nav, palette, common, errors } = en;

/** Text of the element that has the focus. */
const focused = async (page: Page) =>
  (await page.evaluate(
    '`${document.activeElement.tagName} ${document.activeElement.textContent}`',
  )) as string;
const expectFocus = (page: Page, text: RegExp) =>
  expect.poll(() => focused(page), { timeout: 10_000 }).toMatch(text);

test('the keyboard goes from page to page: each begins at its heading', async () => {
  const visited = await visitDemo();
  const page = await visited.open('/monitors');
  await page.keyboard.press('Tab');
  await expectFocus(page, new RegExp(`^A ${nav.skip}$`));
  await page.keyboard.press('Enter');
  await expectFocus(page, /^MAIN/);

  const incidents = page.locator('.rail').getByRole('link', { name: nav.incidents });
  await incidents.focus();
  await page.keyboard.press('Enter');
  await expectFocus(page, /^H1 3 incidents are open$/);
  await expect.poll(() => page.title()).toBe(`(2) ${nav.incidents} · Tocsin`);
  expect(await incidents.getAttribute('aria-current')).toBe('page');

  // The menu of the person begins at its first entry; Escape leads back to its button.
  const person = page.locator('.rail').getByRole('button', { name: 'Ada Reyes' });
  await person.focus();
  await page.keyboard.press('Enter');
  await expectFocus(page, new RegExp(`^DIV ${nav.account}$`));
  await page.keyboard.press('Escape');
  await expectFocus(page, /^BUTTON Ada Reyes$/);
  await page.keyboard.press('Enter');
  await expectFocus(page, new RegExp(`^DIV ${nav.account}$`));
  await page.keyboard.press('Enter');
  await expectFocus(page, new RegExp(`^H1 ${en.nav.account}$`));

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: palette.title }).fill(nav.members);
  await page.keyboard.press('Enter');
  await expectFocus(page, /^H1 Northwind has 4 members$/);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: nav.shortcuts }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: nav.shortcuts }).waitFor({ state: 'detached' });
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await expectFocus(page, /^H1 2 of 60 monitors are down$/);
  expect(visited.complaints).toEqual([]);
  await visited.context.close();
});

test('a page that is nowhere leads on, and is named in the tab', async () => {
  const visited = await visitDemo({ expected: /404/ });
  for (const path of ['/nowhere', '/monitors/99999999', '/incidents/99999999']) {
    const page = await visited.open(path);
    await page.getByRole('heading', { level: 1, name: errors.notFound }).waitFor();
    await expect.poll(() => page.title()).toBe(`(2) ${errors.notFound} · Tocsin`);
    expect(await pageFaults(page)).toEqual(NO_PAGE_FAULTS);
    await page.getByRole('main').getByRole('link', { name: nav.monitors }).click();
    await page.waitForURL(/\/monitors$/);
    await isSettled(page);
  }
  expect(visited.complaints).toEqual([]);
  await visited.context.close();
});

test('a page that is opened while the server is away appears once it is back', async () => {
  const visited = await visitDemo({ expected: /Failed to load resource/ });
  const page = await visited.open('/monitors');
  const isAsset = /\.js$/;
  let refused = 0;
  await page.route(isAsset, (request) => {
    refused++;
    return request.abort('connectionrefused');
  });
  await page.locator('.rail').getByRole('link', { name: nav.reports }).click();
  await expect.poll(() => refused, { timeout: 20_000 }).toBeGreaterThan(2);
  await page.unroute(isAsset);
  await page.getByRole('heading', { level: 1, name: /report/i }).waitFor();
  expect(visited.complaints).toEqual([]);
  await visited.context.close();
});

test('the palette gets each letter that is typed while it opens for the first time', async () => {
  const visited = await visitDemo();
  const page = visited.page;
  await page.route(/\.js$/, async (request) => {
    // Slow for what is loaded once the page runs.
    if (page.url().endsWith('/monitors')) await new Promise((next) => setTimeout(next, 300));
    await request.continue();
  });
  await visited.open('/monitors');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('checkzz', { delay: 5 });
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  const field = page.getByRole('combobox', { name: palette.title });
  await field.waitFor();
  await expect.poll(() => field.inputValue()).toBe('check');
  await page.keyboard.type('out');
  expect(await field.inputValue()).toBe('checkout');
  expect(visited.complaints).toEqual([]);
  await visited.context.close();
});

test('many teams with long names are switched on a phone, too', async () => {
  const visited = await visitDemo({ width: 375 });
  const names = Array.from(
    { length: 12 },
    (_, index) => `Team ${index + 10} of the International Department of Very Long Names`,
  );
  for (const name of names) {
    const answer = await visited.context.request.post(`${served().url}/api/v1/teams`, {
      data: { name },
      headers: { origin: served().url },
    });
    expect(answer.status(), await answer.text()).toBe(201);
  }
  const page = await visited.open('/settings');
  const top = page.locator('header.top');
  await top.getByRole('button', { name: 'Northwind' }).click();
  const entries = page.getByRole('menuitem');
  // The teams, and what there is to do besides.
  await expect.poll(() => entries.count()).toBe(15);
  const popup = page.getByRole('menu');
  expect(await popup.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await page.getByRole('menuitem', { name: names[11]! }).click();
  await page.waitForURL(/\/monitors$/);
  await top.getByRole('button', { name: names[11]! }).waitFor();
  await visited.open('/settings');
  expect(await pageFaults(page)).toEqual(NO_PAGE_FAULTS);
  await top.getByRole('button', { name: names[11]! }).click();
  await page.getByRole('menuitem', { name: 'Northwind' }).click();
  await top.getByRole('button', { name: 'Northwind' }).waitFor();
  expect(visited.complaints).toEqual([]);
  await visited.context.close();
});

test('on a phone all pages are in the menu at the bottom; a viewer is offered nothing to create', async () => {
  const person = { email: VIEWER, password: PASSWORD };
  const visited = await visitDemo({ as: person, width: 375 });
  const page = await visited.open('/monitors');
  expect(await page.getByRole('button', { name: nav.newMonitor }).count()).toBe(0);
  await page.locator('.tabbar').getByRole('button', { name: en.common.more }).click();
  await page.getByRole('menuitem', { name: nav.members }).waitFor();
  expect(await page.getByRole('menuitem', { name: nav.auditLog }).count()).toBe(0);
  await page.getByRole('menuitem', { name: nav.settings }).click();
  await page.getByRole('heading', { level: 1, name: en.nav.settings }).waitFor();
  expect(visited.complaints).toEqual([]);
  await visited.context.close();
});

test.each(['light', 'dark'] as const)(
  'palette, shortcuts, menus and dialogs are accessible, %s',
  async (colorScheme) => {
    const visited = await visitDemo({ colorScheme });
    const page = await visited.open('/members');
    const menuOf = common.actionsFor('Chidi Okafor');
    const layers: Record<string, () => Promise<void>> = {
      palette: () => page.keyboard.press('Control+k'),
      shortcuts: () => page.keyboard.press('?'),
      menu: () => page.getByRole('button', { name: menuOf }).click(),
      dialog: () => page.getByRole('button', { name: en.members.invite, exact: true }).click(),
      async question() {
        await page.getByRole('button', { name: menuOf }).click();
        await page.getByRole('menuitem', { name: en.labels.remove, exact: true }).click();
      },
      async typedQuestion() {
        await page.getByRole('button', { name: menuOf }).click();
        await page.getByRole('menuitem', { name: en.members.transfer, exact: true }).click();
      },
    };
    for (const [name, show] of Object.entries(layers)) {
      await show();
      const layer = page.locator('[role=dialog], [role=alertdialog], [role=menu]').last();
      await layer.waitFor();
      const { violations } = await pageFaults(page);
      // A menu belongs to its button, not to a landmark.
      const found = violations.filter(({ rule }) => rule !== 'region' || name !== 'menu');
      expect({ [name]: found }).toEqual({ [name]: [] });
      await page.keyboard.press('Escape');
      await layer.waitFor({ state: 'detached' });
    }
    expect(visited.complaints).toEqual([]);
    await visited.context.close();
  },
);
