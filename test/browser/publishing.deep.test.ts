import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { en } from '../../web/words/en.ts';
import { useDemo } from './support/demo-visits.ts';
import type { Visit } from './support/visit.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const w = en.statusPages;
const { served, visitDemo } = useDemo();

/** Creates a page through the form, and resolves when its editor is open. */
async function makePage(visited: Visit, name: string, monitors: readonly string[]): Promise<Page> {
  const page = await visited.open('/status-pages');
  await page.getByRole('link', { name: w.create, exact: true }).click();
  await page.getByLabel(en.labels.title, { exact: true }).fill(name);
  for (const monitor of monitors)
    await page.getByRole('checkbox', { name: monitor, exact: true }).check();
  const goOn = page.getByRole('button', { name: en.terms.goOn, exact: true });
  await goOn.click();
  await page.getByText(w.linksHint, { exact: true }).waitFor();
  // The pressed button is gone: the keyboard goes on at the steps.
  expect(await page.locator('ol:focus').innerText()).toContain(w.steps[1]);
  await page.evaluate('history.back()');
  const question = page.getByRole('alertdialog', { name: en.leave.title });
  await question.getByRole('button', { name: en.common.cancel, exact: true }).click();
  await goOn.click();
  await page.getByRole('button', { name: w.publishPage, exact: true }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  return page;
}

/** Opens a page of visitors until it shows a text: it is rendered within seconds of a change. */
function untilShown({ page }: Visit, path: string, text: string) {
  const shown = async () => {
    await page.goto(`${served().url}${path}?at=${performance.now()}`);
    return page.locator('body').innerText();
  };
  return expect.poll(shown).toContain(text);
}

test('a status page is made, edited beside its preview, and read by visitors with and without script', async () => {
  const owner = await visitDemo();
  const page = await makePage(owner, 'Partners', ['Checkout API', 'Search']);
  const preview = page.frameLocator('iframe');
  await preview.getByRole('link', { name: 'Partners', exact: true }).waitFor();
  await preview.getByText('Checkout API').first().waitFor();

  const list = page.locator('.rail').getByRole('link', { name: en.nav.statusPages });
  await page.getByLabel(en.labels.title, { exact: true }).fill('Partners of Northwind');
  await list.click();
  const question = page.getByRole('alertdialog', { name: en.leave.title });
  await question.getByRole('button', { name: en.common.cancel, exact: true }).click();
  await page.getByRole('button', { name: w.takeOff('Search'), exact: true }).click();
  await page.getByRole('button', { name: en.common.save, exact: true }).click();
  await page.getByText(en.terms.saved, { exact: true }).waitFor();
  await preview.getByRole('link', { name: 'Partners of Northwind', exact: true }).waitFor();
  await preview.getByText('Search', { exact: true }).waitFor({ state: 'detached' });
  // What is saved can be left.
  await list.click();
  await page.waitForURL(`${served().url}/status-pages`);

  for (const hasScript of [true, false]) {
    const visitor = await visitDemo({ as: null, hasScript });
    await untilShown(visitor, '/status/partners', 'Partners of Northwind');
    const services = await visitor.page.locator('.svc').allInnerTexts();
    expect(services).toEqual([expect.stringContaining('Checkout API')]);
    expect(visitor.complaints).toEqual([]);
    await visitor.context.close();
  }
  expect(owner.complaints).toEqual([]);
  await owner.context.close();
});

test('a page that stays open shows what changed, and keeps what a visitor typed and opened', async () => {
  const owner = await visitDemo();
  const editor = await makePage(owner, 'Stays open', ['Checkout API', 'Search']);
  const visitor = await visitDemo({ as: null });
  await untilShown(visitor, '/status/stays-open', 'Checkout API');
  const { page } = visitor;
  await page.clock.install();
  await page.goto(`${served().url}/status/stays-open`);
  await page.locator('.asof', { hasText: /seconds? ago|now/ }).waitFor();

  const bar = page.locator('.svc .bar').first();
  const { width, height } = (await bar.boundingBox())!;
  await bar.hover({ position: { x: width - 2, y: height / 2 } });
  expect(await page.locator('.tip').textContent()).toMatch(/^\S+ \S+ · \S/);

  await page.locator('.svc details').first().locator('summary').click();
  await page.getByRole('textbox').fill('vera@example.com');
  await editor.getByLabel(en.labels.title, { exact: true }).fill('Stays current');
  await editor.getByRole('button', { name: en.common.save, exact: true }).click();
  await editor.getByText(en.terms.saved, { exact: true }).waitFor();
  await expect
    .poll(
      async () => {
        await page.clock.fastForward(61_000);
        return page.title();
      },
      { interval: 1_000 },
    )
    .toContain('Stays current');
  expect(await page.getByRole('textbox').inputValue()).toBe('vera@example.com');
  expect(await page.locator('.svc details').first().getAttribute('open')).not.toBeNull();
  expect(visitor.complaints).toEqual([]);
  await Promise.all([visitor, owner].map(({ context }) => context.close()));
});

test('an announcement is published, updated and ended, and visitors read it', async () => {
  const owner = await visitDemo();
  const visitor = await visitDemo({ as: null });
  const page = await makePage(owner, 'Shops', ['Product pages']);
  const publish = async (item: string) => {
    await page.getByRole('button', { name: w.publish }).click();
    await page.getByRole('menuitem', { name: item }).click();
    return page.getByRole('dialog');
  };

  const announcement = await publish(w.newKind.incident);
  await announcement.getByLabel(en.labels.title, { exact: true }).fill('Pictures are missing');
  await announcement.getByLabel(w.text, { exact: true }).fill('We **restart** the image servers.');
  await announcement.getByText('restart', { exact: true }).waitFor();
  await announcement.getByRole('checkbox', { name: 'Product pages', exact: true }).check();
  await announcement.getByText(w.nobodySubscribed, { exact: true }).waitFor();
  await announcement.getByText(w.seeMail, { exact: true }).click();
  const mail = announcement.frameLocator('iframe');
  await mail.getByRole('heading', { name: 'Investigating: Pictures are missing' }).waitFor();
  const [button] = await mail.locator('td.main').all();
  expect(await button!.evaluate((cell) => cell.style.borderRadius)).toBe('7px');
  await announcement.getByRole('button', { name: en.terms.publish, exact: true }).click();
  await page.getByText(w.publishedAndSent, { exact: true }).waitFor();
  await untilShown(visitor, '/status/shops', 'Pictures are missing');
  await untilShown(visitor, '/status/shops', 'We restart the image servers.');

  const update = await publish(w.updateFor('Pictures are missing'));
  await update.getByLabel(w.state, { exact: true }).selectOption('resolved');
  await update.getByLabel(w.text, { exact: true }).fill('All pictures are there again.');
  await update.getByRole('checkbox', { name: new RegExp(w.notify) }).uncheck();
  await update.getByRole('button', { name: en.terms.publish, exact: true }).click();
  await page.getByText(w.published, { exact: true }).waitFor();
  await untilShown(visitor, '/status/shops', 'All pictures are there again.');

  await page.getByRole('button', { name: w.tabs.announcements, exact: true }).click();
  await page.getByText(w.nothingOpen, { exact: true }).waitFor();
  await page.getByRole('button', { name: w.filters.ended, exact: true }).click();
  await page.getByText('Pictures are missing').first().waitFor();
  expect([...owner.complaints, ...visitor.complaints]).toEqual([]);
  await Promise.all([owner.context.close(), visitor.context.close()]);
});

test('a page is a draft until it is published, and its preview shows what is not saved', async () => {
  const owner = await visitDemo();
  const page = await owner.open('/status-pages/new');
  const preview = page.frameLocator('iframe');
  await page.getByLabel(en.labels.title, { exact: true }).fill('Not yet');
  await preview.getByRole('link', { name: 'Not yet', exact: true }).waitFor();
  const goOn = page.getByRole('button', { name: en.terms.goOn, exact: true });
  await goOn.click();
  await page.getByLabel(w.accent, { exact: true }).fill('#0a7d4f');
  await preview.locator('body.branded').waitFor();
  const color = await preview
    .locator('.btn')
    .first()
    .evaluate(
      (button) => button.ownerDocument.defaultView!.getComputedStyle(button).backgroundColor,
    );
  expect(color).toBe('rgb(10, 125, 79)');
  await goOn.click();
  await page.getByRole('button', { name: w.saveDraft, exact: true }).click();
  await page.getByText(w.draftHint, { exact: true }).waitFor();
  const visitor = await visitDemo({ as: null });
  const { page: seen } = visitor;
  const statusOf = async () => (await seen.request.get(`${served().url}/status/not-yet`)).status();
  expect(await statusOf()).toBe(404);
  await page.getByRole('button', { name: w.publishPage, exact: true }).click();
  await page.getByText(w.created('Not yet'), { exact: true }).waitFor();
  await expect.poll(statusOf).toBe(200);
  expect(owner.complaints).toEqual([]);
  await Promise.all([visitor, owner].map(({ context }) => context.close()));
});

test('links of a restricted page leave its preview as it is', async () => {
  const owner = await visitDemo();
  const { page } = owner;
  const answer = await page.request.get(`${served().url}/api/v1/status-pages?per_page=100`);
  const { data } = (await answer.json()) as { data: { id: number; name: string; slug: string }[] };
  const wholesale = data.find(({ slug }) => slug === 'northwind-wholesale')!;
  await owner.open(`/status-pages/${wholesale.id}`);
  const heading = page
    .frameLocator('iframe')
    .getByRole('link', { name: wholesale.name, exact: true });
  const [tab] = await Promise.all([page.context().waitForEvent('page'), heading.click()]);
  await tab.waitForURL(/\/status\/northwind-wholesale$/);
  await tab.close();
  await heading.waitFor();
  expect(owner.complaints.filter((text) => !text.includes('403'))).toEqual([]);
  await owner.context.close();
});
