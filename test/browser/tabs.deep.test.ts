import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { en } from '../../web/words/en.ts';
import { browser } from '../support/chromium.ts';
import { createMonitor, untilAll, useServices } from '../support/service.ts';
import { startTarget } from '../support/target-server.ts';
import { ADA, startOwnService, type OwnService } from './support/own-service.ts';
import { isSettled, visit } from './support/visit.ts';

vi.setConfig({ testTimeout: 300_000 });

const PATIENTLY = { timeout: 60_000 };
const open = browser();
const services = useServices();

/** Holds streams back that a tab opens from now on. Call what it returns to let them through. */
async function holdStreams(page: Page): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route('**/api/v1/events**', async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

/** A service with a monitor that is up, and ways to let it fail and to rename it. */
async function watching() {
  const own = await startOwnService(services, { mail: false });
  const target = services.use(await startTarget());
  const id = await createMonitor(own.service, { url: target.url(), friendly_name: 'Shop' });
  await untilAll(own.service, [id], 'online');
  const rename = async (name: string) => {
    const { status } = await own.service.put(`/api/v1/monitors/${id}`, { friendly_name: name });
    expect(status).toBe(200);
  };
  return { own, fail: () => target.fail(), rename };
}

const ada = async (own: OwnService) => visit(await open(), { url: own.url, as: ADA });

/** Opens the list of monitors in a tab of the same browser, and waits until it is live. */
async function openList(page: Page, { url }: OwnService): Promise<void> {
  await page.goto(`${url}/monitors`);
  await page.getByRole('heading', { level: 1, name: en.monitors.allUp(1) }).waitFor();
  await page.getByText(en.live.live, { exact: true }).first().waitFor(PATIENTLY);
}

const isTold = (page: Page) =>
  page.getByRole('heading', { level: 1, name: en.monitors.down(1, 1) }).waitFor(PATIENTLY);

/** Counts the streams that a tab opens from now on. */
function streamsOf(page: Page): string[] {
  const opened: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/v1/events') opened.push(request.url());
  });
  return opened;
}

test('the tabs of a browser share one stream, which another takes over when its tab is closed', async () => {
  const { own, fail } = await watching();
  const { page: first, context } = await ada(own);
  const second = await context.newPage();
  const streams = { first: streamsOf(first), second: streamsOf(second) };
  await openList(first, own);
  await openList(second, own);
  expect([streams.first.length, streams.second.length]).toEqual([1, 0]);
  await first.close();
  await expect.poll(() => streams.second.length, PATIENTLY).toBe(1);
  await fail();
  await isTold(second);
  await context.close();
});

test('a tab that takes the stream over misses nothing of what happens meanwhile', async () => {
  const { own, rename } = await watching();
  const { page: first, context } = await ada(own);
  const second = await context.newPage();
  await openList(first, own);
  await openList(second, own);
  const letThrough = await holdStreams(second);
  const taken = second.waitForRequest(/\/api\/v1\/events/);
  await first.close();
  expect(new URL((await taken).url()).searchParams.get('last_event_id')).not.toBe(null);
  await rename('Shop in between');
  letThrough();
  await second.getByText('Shop in between', { exact: true }).first().waitFor(PATIENTLY);
  await context.close();
});

test('what happens before the stream of a page begins is shown when it does', async () => {
  const { own, rename } = await watching();
  const { page, context } = await ada(own);
  const letThrough = await holdStreams(page);
  await page.goto(`${own.url}/monitors`);
  await page.getByText('Shop', { exact: true }).first().waitFor(PATIENTLY);
  await rename('Shop before');
  letThrough();
  await page.getByText('Shop before', { exact: true }).first().waitFor(PATIENTLY);
  await page.getByText(en.live.live, { exact: true }).first().waitFor(PATIENTLY);
  await context.close();
});

test('without locks, which need HTTPS, each tab has a stream of its own', async () => {
  const { own, fail } = await watching();
  const { page: first, context } = await ada(own);
  await context.addInitScript("Object.defineProperty(navigator, 'locks', { value: undefined })");
  const second = await context.newPage();
  const streams = { first: streamsOf(first), second: streamsOf(second) };
  await openList(first, own);
  await openList(second, own);
  expect([streams.first.length, streams.second.length]).toEqual([1, 1]);
  await fail();
  await isTold(first);
  await isTold(second);
  await context.close();
});

test('a page whose session has ended leads to the sign-in page, and back', async () => {
  const { own } = await watching();
  const { page, context } = await ada(own);
  await openList(page, own);
  const sessions = `${own.url}/api/v1/sessions`;
  const { data } = (await (await context.request.get(sessions)).json()) as {
    data: { id: number; is_current: boolean }[];
  };
  const current = data.find(({ is_current }) => is_current)!;
  const ended = await context.request.delete(`${sessions}/${current.id}`, {
    headers: { origin: own.url },
  });
  expect(ended.ok()).toBe(true);
  await page.waitForURL(({ pathname }) => pathname === '/sign-in', PATIENTLY);
  await page.getByLabel(en.labels.email, { exact: true }).fill(ADA.email);
  await page.getByLabel(en.labels.password, { exact: true }).fill(ADA.password);
  await page.getByRole('button', { name: en.entry.signIn.title, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: en.monitors.allUp(1) }).waitFor(PATIENTLY);
  await context.close();
});

test('a team that is switched in one tab is switched in the others: none mixes two teams', async () => {
  const { own } = await watching();
  const { page: first, context } = await ada(own);
  const made = await context.request.post(`${own.url}/api/v1/teams`, {
    data: { name: 'Second team' },
    headers: { origin: own.url },
  });
  expect(made.status()).toBe(201);
  await openList(first, own);
  const second = await context.newPage();
  await openList(second, own);
  await second.evaluate('window.wasHere = true');

  await first.locator('.rail .team').click();
  await first.getByRole('menuitem', { name: /Second team/ }).click();
  for (const page of [first, second]) {
    await page.locator('.rail').getByText('Second team').waitFor(PATIENTLY);
    await isSettled(page);
    expect(await page.getByText('Shop', { exact: true }).count()).toBe(0);
  }
  expect(await second.evaluate('window.wasHere')).toBeUndefined();
  await context.close();
});
