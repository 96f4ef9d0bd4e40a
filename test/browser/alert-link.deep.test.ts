import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { de } from '../../web/words/de.ts';
import { en } from '../../web/words/en.ts';
import { browser } from '../support/chromium.ts';
import { createMonitor, incidents, untilAll, useServices } from '../support/service.ts';
import { startTarget } from '../support/target-server.ts';
import { ADA, linkIn, startOwnService, type OwnService } from './support/own-service.ts';
import { NO_PAGE_FAULTS, pageFaults } from './support/page-faults.ts';
import { visit } from './support/visit.ts';

vi.setConfig({ testTimeout: 300_000 });

const open = browser();
const services = useServices();
const { alertLink: alert } = en;

/** Lets a monitor go down. Resolves with the link of the mail about it, and a way to heal its target. */
async function outage(own: OwnService) {
  const target = services.use(await startTarget());
  const options = { url: target.url(), friendly_name: 'Shop', recovery_threshold: 1 };
  const id = await createMonitor(own.service, options);
  await untilAll(own.service, [id], 'online');
  await target.fail();
  await untilAll(own.service, [id], 'offline');
  const heal = async () => {
    await target.heal();
    await untilAll(own.service, [id], 'online');
  };
  return { link: linkIn(await own.mailTo(ADA.email), 'acknowledge=1'), heal };
}

/** Gathers the calls of the API that a page makes from now on. */
function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname}`);
  });
  return calls;
}

test('an alert is acknowledged on a phone by its link, and only by the button, since mail scanners open links [33.12]', async () => {
  const own = await startOwnService(services);
  const { link, heal } = await outage(own);
  const visited = await visit(await open(), {
    url: own.url,
    as: null,
    width: 375,
    colorScheme: 'dark',
  });
  const { page } = visited;
  const calls = callsOf(page);
  await page.goto(link);
  await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor();
  await page.getByText(alert.nobody(1)).waitFor();
  await page.waitForLoadState('networkidle');
  // Phones load pages again that were in the background; a key press by accident sends nothing.
  await page.reload();
  await page.getByText(alert.nobody(1)).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  expect([...new Set(calls)]).toEqual(['GET /api/v1/alert-links']);
  expect(page.url()).toBe(`${own.url}/alert`);
  expect((await incidents(own.service))[0]).toMatchObject({ acknowledged_at: null });
  expect(await pageFaults(page)).toEqual(NO_PAGE_FAULTS);
  const button = page.getByRole('button', { name: en.labels.acknowledge, exact: true });
  expect((await button.boundingBox())!.y).toBeLessThan(800);

  await button.click();
  await page.getByText(alert.takenBy([ADA.email.split('@')[0]!])).waitFor();
  expect(await button.count()).toBe(0);
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Acknowledged by');
  expect((await incidents(own.service))[0]).toMatchObject({
    acknowledged_at: expect.any(String),
    status: 'open',
  });

  await heal();
  // The person comes back to the page.
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
  await page.locator('.notice.good').waitFor();
  await page.getByRole('link', { name: alert.toDashboard }).click();
  await page.waitForURL(({ pathname }) => pathname === '/sign-in');
  expect(visited.complaints.filter((one) => !one.includes('401'))).toEqual([]);
  await visited.context.close();
});

test('a link that is not valid says so; one that can not be read now can be tried again', async () => {
  const own = await startOwnService(services);
  const { link } = await outage(own);
  const visited = await visit(await open(), {
    url: own.url,
    as: null,
    language: 'de',
    expected: /status of 4|ERR_FAILED|status of 503/,
  });
  const { page } = visited;
  const words = de.alertLink;
  await page.goto(`${own.url}/alert?token=wrong`);
  await page.getByText(words.invalid).waitFor();
  expect(await page.getByRole('button').count()).toBe(0);
  await page.goto('about:blank');
  await page.goto(`${own.url}/alert`);
  await page.getByText(words.noToken).waitFor();

  await page.route('**/api/v1/alert-links*', (route) => route.abort());
  await page.goto(link);
  await page.getByText(de.errors.unreachable).waitFor();
  await page.unroute('**/api/v1/alert-links*');
  await page.getByRole('button', { name: de.common.retry }).click();
  await page.getByText(words.nobody(1)).waitFor();
  // What is shown stays when it can't be read again, marked as old.
  await page.route('**/api/v1/alert-links*', (route) => route.abort());
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
  await page.getByText(words.outdated).waitFor();
  expect(await page.getByRole('button', { name: de.labels.acknowledge }).count()).toBe(1);
  expect(visited.complaints).toEqual([]);
  await visited.context.close();
});
