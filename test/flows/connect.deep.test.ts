import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { BASE_URL, openApi, type TestApi } from '../support/api.ts';
import { connectApplication } from '../support/applications.ts';
import { browser, findViolations } from '../support/chromium.ts';
import { startHttpsFront, type HttpsFront } from '../support/https-front.ts';
import { openInMemory } from '../support/memory-database.ts';
import { giveSession, type TestPerson } from '../support/people.ts';
import { freezeDates, givePassword, PASSWORD } from '../support/sign-in.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

const open = browser();
const REQUEST = 'client_id=abc&scope=read&ba_iat=1&sig=signed%2Fby%2Bus';
const CONNECT = `${BASE_URL}/connect?${REQUEST}`;
const ACCOUNT = `${BASE_URL}/account`;
const CALLBACK = 'https://claude.ai/callback?code=c&state=s';

const SCREENS = [
  { name: 'a wide light screen', width: 1280, colorScheme: 'light' },
  { name: 'a wide dark screen', width: 1280, colorScheme: 'dark' },
  { name: 'a light phone', width: 375, colorScheme: 'light' },
  { name: 'a dark phone', width: 375, colorScheme: 'dark' },
] as const;

freezeDates();
let api: TestApi;
let front: HttpsFront;
/** What the person answered so far. */
let answers: Record<string, unknown>[] = [];
/** What the server answers to that. */
let target = CALLBACK;

beforeAll(async () => {
  api = await openApi(await openInMemory());
  front = await startHttpsFront(api.app);
});
afterAll(() => front.close());
beforeEach(() => {
  answers = [];
  target = CALLBACK;
});

async function contextOf(
  who: TestPerson | null,
  screen: Partial<(typeof SCREENS)[number]> = SCREENS[0],
): Promise<BrowserContext> {
  const context = await (
    await open()
  ).newContext({
    viewport: { width: screen.width!, height: 900 },
    colorScheme: screen.colorScheme!,
    proxy: { server: front.proxy },
    ignoreHTTPSErrors: true,
  });
  if (who !== null) {
    const { cookie } = await giveSession(api.database, who, { now: api.clock.now() });
    const [name = '', ...value] = cookie.split('=');
    const itself = { name, value: value.join('='), url: BASE_URL };
    await context.addCookies([{ ...itself, secure: true, httpOnly: true }]);
  }
  return context;
}

interface AskedTeam {
  id: number;
  name: string;
  role: string;
  is_current?: boolean;
  needs_mfa?: boolean;
}

interface Asked {
  name?: string;
  host?: string;
  scopes?: string[];
  teams?: AskedTeam[];
}

/** Opens the consent page; the authorization server is scripted, all else is the service itself. */
async function openRequest(context: BrowserContext, asked: Asked = {}): Promise<Page> {
  const { name = 'Claude', host = 'claude.ai' } = asked;
  const page = await context.newPage();
  await page.route('**/api/auth/oauth2/**', async (route) => {
    const request = route.request();
    const url = new URL(request.url());
    if (url.pathname.endsWith('/consent-request')) {
      if (url.search !== `?${REQUEST}`) return route.fulfill({ status: 400, json: {} });
      const { scopes = ALL, teams = TWO_TEAMS() } = asked;
      const client = { name, redirect_host: host };
      const shown = teams.map((team) => ({ ...UNCONNECTED, ...team }));
      return route.fulfill({ json: { client, scopes, teams: shown } });
    }
    answers.push(request.postDataJSON() as Record<string, unknown>);
    return route.fulfill({ json: { url: target } });
  });
  await page.route('https://claude.ai/**', (route) => route.fulfill({ body: 'Back at Claude.' }));
  await page.goto(CONNECT);
  return page;
}

const UNCONNECTED = { is_current: false, needs_mfa: false, granted: null };
const ALL = ['offline_access', 'read', 'create', 'update', 'delete'];
const OURS = () => ({ id: api.alice.teamId, name: 'Team ours', role: 'owner', is_current: true });
const TWO_TEAMS = () => [{ id: 77, name: 'Customers in the north', role: 'viewer' }, OURS()];

const box = (page: Page, permission: string) => page.locator(`input[value=${permission}]`);

/** The permissions of the boxes that are checked, and of those that can be changed. */
async function boxes(page: Page): Promise<{ checked: string[]; free: string[] }> {
  const shown = await page.locator('input[name=permissions]').all();
  const found = { checked: [] as string[], free: [] as string[] };
  for (const one of shown) {
    const permission = (await one.getAttribute('value'))!;
    if (await one.isChecked()) found.checked.push(permission);
    if (await one.isEnabled()) found.free.push(permission);
  }
  return found;
}

/** What keeps a page from being usable, or is cut off. */
async function faultsOf(page: Page, width: number): Promise<object> {
  return {
    violations: await findViolations(page),
    isTooWide: ((await page.evaluate('document.documentElement.scrollWidth')) as number) > width,
  };
}
const NO_FAULTS = { violations: [], isTooWide: false };

describe.each(SCREENS)('on $name', (screen) => {
  test('the consent page is accessible and fits, whatever it shows [49.10]', async () => {
    const context = await contextOf(api.alice, screen);
    const long = {
      name: 'Assistant-of-'.repeat(7),
      host: `${'long-'.repeat(12)}.example.com:8443`,
    };
    const page = await openRequest(context, long);
    const refused: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) refused.push(message.text());
    });
    await page.locator('#ready').waitFor();
    expect(await faultsOf(page, screen.width)).toEqual(NO_FAULTS);
    await page.selectOption('#team', '77');
    expect(await faultsOf(page, screen.width)).toEqual(NO_FAULTS);
    target = 'cursor://anysphere.cursor-mcp/oauth/callback?code=c';
    await page.click('button.primary');
    await page.locator('#open').waitFor();
    expect(await faultsOf(page, screen.width)).toEqual(NO_FAULTS);
    await page.goto(`${BASE_URL}/connect?client_id=other`);
    await page.locator('#state.bad').waitFor();
    expect(await faultsOf(page, screen.width)).toEqual(NO_FAULTS);
    expect(refused).toEqual([]);
    await context.close();
  });

  test('the account page lists applications accessibly, and fits [49.10]', async () => {
    const context = await contextOf(api.ed, screen);
    await connectApplication(api.database, api.ed, {
      name: 'Assistant-of-'.repeat(7),
      redirectUri: 'http://127.0.0.1:33418/callback',
      now: api.clock.now(),
    });
    const page = await context.newPage();
    await page.goto(ACCOUNT);
    await page.locator('#applications button').first().waitFor();
    expect(await faultsOf(page, screen.width)).toEqual(NO_FAULTS);
    await context.close();
  });
});

test('by mouse a person chooses team and permissions, and is sent back [49.7, 49.8]', async () => {
  const context = await contextOf(api.alice);
  const page = await openRequest(context);
  await page.locator('#ready').waitFor();
  expect(await page.textContent('h1')).toBe('Connect “Claude”?');
  expect(await page.textContent('#ready > p')).toBe(
    'It asks to use Tocsin as you, alice@example.com. Access goes to claude.ai.',
  );
  expect(await page.textContent('#ready > .notice')).toContain('Tocsin has not verified this one');
  // The team of the session is chosen, though it is not the first.
  expect(await page.inputValue('#team')).toBe(String(api.alice.teamId));
  expect(await boxes(page)).toEqual({
    checked: ['read', 'create', 'update'],
    free: ['create', 'update', 'delete'],
  });
  await box(page, 'create').uncheck();
  await box(page, 'delete').check();
  await page.selectOption('#team', '77');
  expect(await boxes(page)).toEqual({ checked: ['read'], free: [] });
  expect(await page.textContent('#note')).toContain('viewer, only allows reading');
  await page.selectOption('#team', String(api.alice.teamId));
  expect(await page.isVisible('#note')).toBe(false);
  // Nothing is answered before the button is pressed.
  expect(answers).toEqual([]);
  await page.click('button.primary');
  await page.waitForURL(CALLBACK);
  expect(answers).toEqual([
    {
      accept: true,
      team_id: api.alice.teamId,
      permissions: ['read', 'update', 'delete'],
      oauth_query: REQUEST,
    },
  ]);
  await context.close();
});

test('by keyboard too, in the reading order [49.10]', async () => {
  const context = await contextOf(api.alice);
  const page = await openRequest(context);
  await page.locator('#ready').waitFor();
  const focused = () =>
    page.evaluate('document.activeElement.value || document.activeElement.textContent');
  const order: unknown[] = [await focused()];
  for (let step = 0; step < 8; step += 1) {
    await page.keyboard.press('Tab');
    order.push(await focused());
  }
  expect(order).toEqual([
    'Connect “Claude”?',
    String(api.alice.teamId),
    'create',
    'update',
    'delete',
    'Connect',
    'Cancel',
    'Use another account',
    'Your account',
  ]);
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await page.waitForURL(CALLBACK);
  expect(answers).toMatchObject([{ permissions: ['read', 'create', 'update', 'delete'] }]);
  await context.close();
});

test('an application of a viewer can only read; one team is no choice [49.8]', async () => {
  const context = await contextOf(api.vera);
  const teams = [{ id: api.vera.teamId, name: 'Team ours', role: 'viewer' }];
  const page = await openRequest(context, { teams });
  await page.click('button.primary');
  await page.waitForURL(CALLBACK);
  expect(answers).toMatchObject([{ team_id: api.vera.teamId, permissions: ['read'] }]);
  await context.close();
});

test('a team whose rules the person does not meet is not connected [49.8]', async () => {
  const context = await contextOf(api.alice);
  const strict = { id: 77, name: 'Strict', role: 'owner', is_current: true, needs_mfa: true };
  const page = await openRequest(context, { teams: [strict, OURS()] });
  await page.locator('#ready').waitFor();
  // The other one is chosen.
  expect(await page.isEnabled('button.primary')).toBe(true);
  await page.selectOption('#team', '77');
  expect(await page.textContent('#note')).toContain('requires two-factor authentication');
  expect(await page.isEnabled('button.primary')).toBe(false);
  await context.close();
});

test('cancel sends back without access [49.7]', async () => {
  target = 'https://claude.ai/callback?error=access_denied';
  const context = await contextOf(api.alice);
  const page = await openRequest(context);
  await page.click('#cancel');
  await page.waitForURL(target);
  expect(answers).toEqual([{ accept: false, oauth_query: REQUEST }]);
  await context.close();
});

test('the page stays beside an application on the device, and opens no script [49.7]', async () => {
  const context = await contextOf(api.alice);
  target = 'cursor://anysphere.cursor-mcp/oauth/callback?code=c';
  const page = await openRequest(context, { name: 'Cursor', host: 'cursor:' });
  await page.locator('#ready').waitFor();
  expect(await page.textContent('#destination')).toBe('an application on this device (cursor:)');
  await page.click('button.primary');
  await page.locator('#open').waitFor();
  expect(await page.getAttribute('#open', 'href')).toBe(target);
  expect(await page.textContent('h1')).toBe('Connected');
  expect(await page.isVisible('#ready')).toBe(false);

  target = 'javascript:document.body.replaceChildren()';
  const other = await openRequest(context);
  await other.click('button.primary');
  await other.locator('#state.bad').waitFor();
  expect(await other.isVisible('#open')).toBe(false);
  await context.close();
});

test('a request that is refused says what to do [49.9]', async () => {
  const context = await contextOf(api.alice);
  const page = await openRequest(context);
  for (const query of ['', '?client_id=altered']) {
    await page.goto(`${BASE_URL}/connect${query}`);
    await page.locator('#state.bad').waitFor();
    expect(await page.textContent('#state')).toContain('Go back to the application');
    expect(await page.isVisible('#ready')).toBe(false);
  }
  await context.close();
});

test('who is not signed in signs in, and comes back to the request [49.9]', async () => {
  await givePassword(api, api.alice);
  const context = await contextOf(null);
  const page = await openRequest(context);
  await page.waitForURL(/\/sign-in/);
  await page.fill('#email', 'alice@example.com');
  await page.fill('#password', PASSWORD);
  await page.click('button.primary');
  await page.locator('#ready').waitFor();
  expect(page.url()).toBe(CONNECT);
  await context.close();
});

test('the account page disconnects an application after a question [49.3]', async () => {
  const now = api.clock.now();
  await connectApplication(api.database, api.mallory, { name: 'Claude', now });
  const context = await contextOf(api.mallory);
  const page = await context.newPage();
  const questions: string[] = [];
  let isAccepted = false;
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    void (isAccepted ? dialog.accept() : dialog.dismiss());
  });
  await page.goto(ACCOUNT);
  const row = page.locator('#applications li');
  await row.getByRole('button').waitFor();
  expect(await row.textContent()).toMatch(/^Claude.*claude\.ai.*Team theirs.*may only read/);
  expect(await page.textContent('#tool-server')).toBe(`${BASE_URL}/mcp`);
  await row.getByRole('button').press('Enter');
  expect(await row.textContent()).toContain('Claude');
  isAccepted = true;
  await row.getByRole('button').press('Enter');
  await page.getByText('No application is connected.').waitFor();
  expect(questions).toEqual([
    'Disconnect "Claude" from the team Team theirs? It loses access at once. To use it again, connect it anew.',
    questions[0],
  ]);
  const { body } = await api.call(api.mallory, 'GET', '/api/v1/connected-applications');
  expect(body['total']).toBe(0);
  await context.close();
});
