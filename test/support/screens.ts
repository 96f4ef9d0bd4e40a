import type { Browser, BrowserContext, Page } from 'playwright-core';
import { BASE_URL, type TestApi } from './api.ts';
import { findViolations, type Violation } from './chromium.ts';
import type { HttpsFront } from './https-front.ts';
import { giveSession, type TestPerson } from './people.ts';

/** Pixels of a wide screen and of a phone. */
export const WIDTHS = [1280, 375];

/** A browser on the public address of an API, in which a person is signed in. */
export async function openContext(
  browser: Browser,
  options: { api: TestApi; front: HttpsFront; who: TestPerson | null; width?: number },
): Promise<BrowserContext> {
  const { api, front, who, width = WIDTHS[0]! } = options;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
    proxy: { server: front.proxy },
    ignoreHTTPSErrors: true,
  });
  if (who === null) return context;
  const { cookie } = await giveSession(api.database, who, { now: api.clock.now() });
  const [name = '', ...value] = cookie.split('=');
  const itself = { name, value: value.join('='), url: BASE_URL };
  await context.addCookies([{ ...itself, secure: true, httpOnly: true }]);
  return context;
}

/** What keeps a page from being usable, in either theme. */
export async function faultsOf(
  page: Page,
): Promise<{ violations: Violation[]; isTooWide: boolean }> {
  const isTooWide = (await page.evaluate(
    'document.documentElement.scrollWidth > innerWidth',
  )) as boolean;
  const violations = await findViolations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  violations.push(...(await findViolations(page, 'colors')));
  await page.emulateMedia({ colorScheme: 'light' });
  return { violations, isTooWide };
}

export const NO_FAULTS = { violations: [], isTooWide: false };
