import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { en } from '../../web/words/en.ts';
import { OWNER, PASSWORD, VIEWER } from './support/demo.ts';
import { useDemo } from './support/demo-visits.ts';
import { tabToEnd } from './support/focus.ts';
import { NO_PAGE_FAULTS, pageFaults } from './support/page-faults.ts';
import type { Visit } from './support/visit.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

const { served, visitDemo } = useDemo();

async function listOf(email: string): Promise<Visit> {
  const as = { email, password: PASSWORD };
  const visited = await visitDemo({ as });
  await visited.open('/monitors');
  await visited.page.locator('[data-row]').first().waitFor();
  return visited;
}

const rowOf = (page: Page, name: string) =>
  page.locator(`[data-monitor="${served().demo.monitor(name)}"]`);

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const isThere = `document.activeElement?.matches(${JSON.stringify(selector)})`;
    if (await page.evaluate(isThere)) return;
  }
  throw new Error(`No press of Tab leads to ${selector}.`);
}

const focusedText = (page: Page) => page.evaluate('document.activeElement?.textContent');

/** What the service stores, not what the page shows. */
async function stored(page: Page, name: string): Promise<{ is_paused: boolean; tags: string[] }> {
  const answer = await page.request.get(
    `${served().url}/api/v1/monitors/${served().demo.monitor(name)}`,
  );
  return (await answer.json()) as { is_paused: boolean; tags: string[] };
}

test('with keys alone a person opens a monitor, acknowledges its incident, edits, and creates one', async () => {
  const { page, complaints, context } = await listOf(OWNER);
  await page.keyboard.press('j');
  await expect.poll(() => focusedText(page)).toBe('Checkout API');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: en.monitor.isDown('Checkout API') }).waitFor();

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await page.keyboard.type('ack checkout');
  await page.getByRole('option', { name: en.palette.does.acknowledge('Checkout API') }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText(en.palette.acknowledged('Checkout API')).waitFor();
  await page.getByText(en.monitor.hasIt('Ada Reyes')).first().waitFor();

  await page.keyboard.press('e');
  await page.waitForURL(/\/monitors\/\d+\/edit$/);
  await page.keyboard.press('n');
  await page.waitForURL(/\/monitors\/new$/);
  await page.locator('input[name=url]').waitFor();
  await tabTo(page, 'input[name=url]');
  await page.keyboard.type('https://keys.northwind.example/njx?');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/monitors\/\d+$/);

  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await page.locator('[data-row]').first().waitFor();
  await page.keyboard.press('/');
  const ring = "getComputedStyle(document.activeElement.closest('.field')).outlineStyle";
  expect(await page.evaluate(ring)).toBe('solid');
  // Letters of shortcuts are letters while one types.
  await page.keyboard.type('keys njx');
  await page.getByRole('link', { name: 'keys.northwind.example' }).waitFor();
  await expect.poll(() => page.locator('[data-row]').count()).toBe(1);
  await page.keyboard.press('Enter');
  await expect
    .poll(() => page.evaluate('document.activeElement.ariaLabel'))
    .toBe(en.monitors.selectAll('1'));
  expect(complaints).toEqual([]);
  await context.close();
});

test.each([375, 1280])(
  'Tab leads through the form of a monitor in sight, %i px wide',
  async (width) => {
    const { page, open, complaints, context } = await visitDemo({ width });
    await open('/monitors/new');
    await tabTo(page, 'input[name=url]');
    const places = await tabToEnd(page, '.mf');
    expect(places.length).toBeGreaterThan(8);
    expect(new Set(places)).toEqual(new Set(['seen', 'end']));
    expect(complaints).toEqual([]);
    await context.close();
  },
);

test('j and k lead through the whole list, with the focus in sight, and x selects', async () => {
  const { page, complaints, context } = await listOf(OWNER);
  const answer = await page.request.get(`${served().url}/api/v1/monitors?per_page=1`);
  const { total } = (await answer.json()) as { total: number };
  const seen = new Set<unknown>();
  for (let presses = 0; presses < total; presses += 1) {
    await page.keyboard.press('j');
    await expect
      .poll(() => page.evaluate('document.activeElement.closest("[data-monitor]") !== null'))
      .toBe(true);
    seen.add(await focusedText(page));
  }
  expect(seen.size).toBe(total);
  const isInSight = `(() => {
    const { top, bottom } = document.activeElement.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  })()`;
  expect(await page.evaluate(isInSight)).toBe(true);

  await page.keyboard.press('x');
  await page.keyboard.press('k');
  await page.keyboard.press('x');
  await page.getByText(en.bulk.selected('2')).waitFor();
  expect(await page.evaluate(isInSight)).toBe(true);
  expect(complaints).toEqual([]);
  await context.close();
});

test('many monitors are paused, tagged and moved at once, and each is taken back', async () => {
  const { page, complaints, context } = await listOf(OWNER);
  const bar = page.getByRole('toolbar', { name: en.bulk.label });
  await rowOf(page, 'Cart API').getByRole('checkbox').click();
  await rowOf(page, 'Inventory API')
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] });
  await page.getByText(en.bulk.selected('3')).waitFor();
  expect(await pageFaults(page)).toEqual(NO_PAGE_FAULTS);

  const names = ['Cart API', 'GraphQL gateway', 'Inventory API'];
  const paused = () =>
    Promise.all(names.map((name) => stored(page, name).then((one) => one.is_paused)));
  await bar.getByRole('button', { name: en.labels.pause }).click();
  await page.getByText(en.bulk.paused(3, '')).waitFor();
  expect(await paused()).toEqual([true, true, true]);
  // What was seen of them is not of now, and they are not among what is up.
  const row = rowOf(page, 'Cart API');
  await row.getByText(new RegExp(`^${en.status.paused} · `)).waitFor();
  expect(await row.locator('.regs i').count()).toBe(await row.locator('.regs i.none').count());
  await page.getByText(/The rest: .* paused/).waitFor();
  await page.getByRole('button', { name: en.common.undo }).click();
  await expect.poll(paused).toEqual([false, false, false]);

  const tags = () => Promise.all(names.map((name) => stored(page, name).then((one) => one.tags)));
  const before = await tags();
  await bar.getByRole('button', { name: en.bulk.tag }).click();
  await page.getByRole('dialog').getByLabel(en.monitors.tag).fill('night');
  await page.keyboard.press('Enter');
  await page.getByText(en.bulk.tagged('night')(3, '')).waitFor();
  expect(await tags()).toEqual(before.map((list) => [...list, 'night']));
  await page.getByRole('button', { name: en.common.undo }).click();
  await expect.poll(tags).toEqual(before);

  await bar.getByRole('button', { name: en.bulk.move }).click();
  await page.getByRole('menuitem', { name: 'Partners' }).click();
  await page.getByText(en.bulk.moved('Partners')(3, '')).waitFor();
  await page.getByRole('button', { name: en.common.undo }).click();
  await page.getByText(en.bulk.moved('Partners')(3, '')).waitFor({ state: 'detached' });
  await page.goto(`${served().url}/monitors?q=inventory&group=1`);
  await rowOf(page, 'Inventory API').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('a filter is saved with a name, taken apart by its chips, and opened again', async () => {
  const { page, complaints, context } = await listOf(OWNER);
  await page.goto(`${served().url}/monitors?status=offline&tag=nothing`);
  await page.getByText(en.monitors.noMatch).waitFor();
  await page.getByRole('button', { name: en.listExtras.saved.title }).click();
  await page.getByRole('menuitem', { name: en.listExtras.saved.save }).click();
  await page.getByRole('dialog').getByLabel(en.labels.name).fill('Night watch');
  await page.keyboard.press('Enter');
  await page.getByText(en.listExtras.saved.done('Night watch')).waitFor();
  const chip = en.listExtras.removeFilter(`${en.monitors.tag}: nothing`);
  await page.getByRole('button', { name: chip }).click();
  await page.waitForURL((address) => address.search === '?status=offline');
  await rowOf(page, 'Checkout API').waitFor();

  await page.reload();
  await page.getByRole('button', { name: en.listExtras.saved.title }).click();
  await page.getByRole('menuitem', { name: 'Night watch' }).click();
  await page.waitForURL((address) => address.search === '?status=offline&tag=nothing');
  expect(complaints).toEqual([]);
  await context.close();
});

test('a viewer can select nothing and change nothing', async () => {
  const { page, complaints, context } = await listOf(VIEWER);
  expect(await page.getByRole('checkbox').count()).toBe(0);
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('e');
  expect(new URL(page.url()).pathname).toBe('/monitors');
  await rowOf(page, 'Checkout API')
    .getByRole('button', { name: en.common.actionsFor('Checkout API') })
    .click();
  const items = page.getByRole('menuitem');
  await items.first().waitFor();
  expect(await items.allTextContents()).toEqual([en.listExtras.copyId]);
  expect(complaints).toEqual([]);
  await context.close();
});

test('a browser without a locale shows the chart of a monitor', async () => {
  const { page, open, complaints, context } = await visitDemo();
  const language = "{ value: 'en-US@posix', configurable: true }";
  await page.addInitScript(`Object.defineProperty(navigator, 'language', ${language})`);
  await open(`/monitors/${served().demo.monitor('Checkout API')}`);
  await page.locator('main canvas').first().waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});
