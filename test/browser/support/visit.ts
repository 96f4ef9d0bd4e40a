import type { Browser, BrowserContext, Page } from 'playwright-core';

export interface VisitOptions {
  /** Address of the service, without a trailing slash. */
  url: string;
  /** Who is signed in; null for a visitor. */
  as: { email: string; password: string } | null;
  /** Width of the window in pixels; 1280 unless given. */
  width?: number;
  colorScheme?: 'light' | 'dark';
  language?: 'en' | 'de';
  /** Whether scripts run; they do unless given. */
  hasScript?: boolean;
  /** Complaints that the test causes on purpose. */
  expected?: RegExp;
}

/** A browser of one person, with a page. */
export interface Visit {
  context: BrowserContext;
  page: Page;
  /** Errors of the console and of scripts, and refusals of the content security policy. */
  complaints: string[];
  /** Opens a page of the dashboard, and waits until it shows its data. */
  open(path: string): Promise<Page>;
}

/** Opens a browser without cookies, in which a person is signed in. */
export async function visit(browser: Browser, options: VisitOptions): Promise<Visit> {
  const {
    url,
    as,
    width = 1280,
    colorScheme = 'light',
    language = 'en',
    hasScript = true,
    expected,
  } = options;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme,
    locale: language === 'de' ? 'de-DE' : 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    javaScriptEnabled: hasScript,
  });
  if (as !== null) await signIn(context, url, as);
  const page = await context.newPage();
  const complaints: string[] = [];
  const complain = (text: string) => {
    if (expected === undefined || !expected.test(text)) complaints.push(text);
  };
  page.on('pageerror', (error) => complain(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complain(`${message.text()} (${message.location().url})`);
  });
  const open = async (path: string) => {
    await page.goto(url + path);
    await isSettled(page);
    return page;
  };
  return { context, page, complaints, open };
}

/** Signs a person in as the sign-in page does; the cookies are those of the context. */
async function signIn(
  context: BrowserContext,
  url: string,
  { email, password }: { email: string; password: string },
): Promise<void> {
  const answer = await context.request.post(`${url}/api/auth/sign-in/email`, {
    data: { email, password },
    headers: { origin: url },
  });
  if (!answer.ok()) throw new Error(`${email} is not signed in: ${await answer.text()}`);
}

/** Resolves when a page has its heading and waits for no more data. */
export async function isSettled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('.waiting').first().waitFor({ state: 'detached' });
}
