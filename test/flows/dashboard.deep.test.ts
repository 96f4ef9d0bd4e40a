import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDashboard } from '../../src/dashboard/dashboard.ts';
import { buildPlaces } from '../../src/dashboard/builds.ts';
import { silentLog } from '../../src/lib/log.ts';
import { openApi, type TestApi } from '../support/api.ts';
import { browser } from '../support/chromium.ts';
import { openInMemory } from '../support/memory-database.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const open = browser();
const builds = openDashboard({ places: buildPlaces(null), log: silentLog });
let api: TestApi;
let base = '';

beforeAll(async () => {
  const dashboard = { builds, version: '1.2.3' };
  api = await openApi(await openInMemory(), {}, { dashboard });
  await api.create({ name: 'Shop', type: 'http', url: 'https://shop.example.com' });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  base = `http://localhost:${(api.app.server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await api.app.close();
  await builds.stop();
});

/** Opens pages as a signed-in person and collects what the browser complains about. */
async function newPage(): Promise<{ page: Page; complaints: string[] }> {
  const page = await (await open()).newPage();
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${api.alice.token}` });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return { page, complaints };
}

test('the dashboard mounts, without an error and without a refusal of its policy', async () => {
  const { page, complaints } = await newPage();
  await page.goto(`${base}/monitors`);
  await page.getByText('Shop').first().waitFor();
  expect(await page.locator('html').getAttribute('data-version')).toBe('1.2.3');
  // Styles that libraries set on elements are applied: the policy is against styles in the document.
  const applied = `(() => {
    const element = document.body.appendChild(document.createElement('p'));
    element.style.width = '17px';
    return getComputedStyle(element).width;
  })()`;
  expect(await page.evaluate(applied)).toBe('17px');
  expect(complaints).toEqual([]);
  await page.close();
});

test('the theme of the cookie is there before any script', async () => {
  const { page } = await newPage();
  await page.context().addCookies([{ name: 'theme', value: 'dark', url: base }]);
  await page.route('**/*.js', (route) => route.abort());
  await page.goto(`${base}/monitors`);
  expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe(
    'dark',
  );
  await page.close();
});

test('the policy refuses an inline script', async () => {
  const { page, complaints } = await newPage();
  await page.goto(`${base}/monitors`);
  await page.getByText('Shop').first().waitFor();
  await page.evaluate(`(() => {
    const script = document.createElement('script');
    script.textContent = 'window.wasRun = true';
    document.head.append(script);
  })()`);
  expect(await page.evaluate('window.wasRun')).toBeUndefined();
  expect(complaints.join()).toContain('Content Security Policy');
  await page.close();
});
