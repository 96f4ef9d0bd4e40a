import type { Browser, BrowserContext, Page } from 'playwright-core';
import { BASE_URL, type TestApi } from './api.ts';
import { findViolations, type Violation } from './chromium.ts';
import type { HttpsFront } from './https-front.ts';
import { giveSession, type TestPerson } from './people.ts';

export interface Screen {
  name: string;
  /** Pixels. */
  width: number;
  colorScheme: 'light' | 'dark';
}

const WIDE: Screen = { name: 'a wide light screen', width: 1280, colorScheme: 'light' };

export const SCREENS: readonly Screen[] = [
  WIDE,
  { name: 'a wide dark screen', width: 1280, colorScheme: 'dark' },
  { name: 'a light phone', width: 375, colorScheme: 'light' },
  { name: 'a dark phone', width: 375, colorScheme: 'dark' },
];

/** A browser on the public address of an API, in which a person is signed in. */
export async function openContext(
  browser: Browser,
  options: { api: TestApi; front: HttpsFront; who: TestPerson | null; screen?: Screen },
): Promise<BrowserContext> {
  const { api, front, who, screen = WIDE } = options;
  const context = await browser.newContext({
    viewport: { width: screen.width, height: 900 },
    colorScheme: screen.colorScheme,
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

/** What keeps a page from being usable. */
export async function faultsOf(
  page: Page,
  { width }: Screen,
): Promise<{ violations: Violation[]; isTooWide: boolean }> {
  const contents = (await page.evaluate('document.documentElement.scrollWidth')) as number;
  return { violations: await findViolations(page), isTooWide: contents > width };
}

export const NO_FAULTS = { violations: [], isTooWide: false };
