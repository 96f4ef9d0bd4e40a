import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDashboard } from '../../src/dashboard/dashboard.ts';
import { buildPlaces } from '../../src/dashboard/builds.ts';
import { silentLog } from '../../src/lib/log.ts';
import { insertRow } from '../../src/store/database/rows.ts';
import { teamStore } from '../../src/store/people/teams.ts';
import { en } from '../../web/words/en.ts';
import { BASE_URL, openApi, type TestApi } from '../support/api.ts';
import { browser } from '../support/chromium.ts';
import { startHttpsFront, type HttpsFront } from '../support/https-front.ts';
import { openInMemory } from '../support/memory-database.ts';
import { OAUTH, registerClient } from '../support/oauth.ts';
import type { TestPerson } from '../support/people.ts';
import { faultsOf, NO_FAULTS, openContext, WIDTHS } from '../support/screens.ts';
import { freezeDates, givePassword, PASSWORD } from '../support/sign-in.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

const open = browser();
const { connect } = en;
const ORIGIN = 'https://claude.ai';
const CALLBACK = `${ORIGIN}/callback`;
const CURSOR = 'cursor://anysphere.cursor-mcp/oauth/callback';
const ALL = 'offline_access read create update delete';

freezeDates();
let api: TestApi;
let front: HttpsFront;
let dashboard: ReturnType<typeof openDashboard>;
/** A team that requires two-factor authentication, in which Ed is an editor. */
let strictTeam = 0;

// Alice is a viewer in Mallory's team, too.
beforeAll(async () => {
  dashboard = openDashboard({ places: buildPlaces(null), log: silentLog });
  api = await openApi(
    await openInMemory(),
    {},
    { dashboard: { builds: dashboard, version: 'test' } },
  );
  front = await startHttpsFront(api.app);
  const now = api.clock.now();
  const times = { created_at: now, updated_at: now };
  await api.database.transaction(async (tx) => {
    const strict = { name: 'Strict', slug: 'strict', personal_team: 0, mfa_required: 1, ...times };
    strictTeam = await insertRow(tx, 'team', strict);
    await teamStore(tx).insertMember(strictTeam, api.ed.personId, 'editor', now);
    await teamStore(tx).insertMember(api.mallory.teamId, api.alice.personId, 'viewer', now);
  });
});
afterAll(async () => {
  await front.close();
  await dashboard.stop();
});

const contextOf = async (who: TestPerson | null, width?: number) =>
  openContext(await open(), { api, front, who, ...(width !== undefined && { width }) });

/** Lets a new application ask for access. @returns the page to which that leads. */
async function openRequest(
  context: BrowserContext,
  asked: { name?: string; redirectUri?: string; scope?: string } = {},
): Promise<Page> {
  const { name = 'Claude', redirectUri = CALLBACK, scope = ALL } = asked;
  const client = await registerClient(api, { client_name: name, redirect_uris: [redirectUri] });
  const page = await context.newPage();
  await page.route(`${CALLBACK}*`, (route) => route.fulfill({ body: 'Back at Claude.' }));
  const query = client.query({ redirect_uri: redirectUri, scope });
  await page.goto(`${BASE_URL}${OAUTH}/authorize?${query}`);
  return page;
}

/** The button that connects, once presses of it count. */
const USABLE = `button[type=submit]:text-is("${connect.submit}"):not([aria-disabled])`;

/** Signs Alice in on the page to which she was led, and waits until the request is shown. */
async function signInOn(page: Page): Promise<void> {
  await page.waitForURL(/\/sign-in/);
  await page.getByLabel(en.labels.email, { exact: true }).fill('alice@example.com');
  await page.getByLabel(en.labels.password, { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: en.entry.signIn.title, exact: true }).click();
  await page.locator(USABLE).waitFor();
}

async function openConsent(...asked: Parameters<typeof openRequest>): Promise<Page> {
  const page = await openRequest(...asked);
  await page.locator(USABLE).waitFor();
  return page;
}

/** The applications that a person connected, the newest first. */
async function connected(who: TestPerson) {
  const { body } = await api.call(who, 'GET', '/api/v1/connected-applications');
  return body['data'] as { name: string; team: { id: number }; permissions: string[] }[];
}

const team = (page: Page) => page.getByLabel(en.nav.team, { exact: true });
/** What the page says went wrong. */
const trouble = (page: Page) => page.getByRole('alert');
const hint = (page: Page) => page.getByRole('status');
const openLink = (page: Page) => page.getByRole('link', { name: connect.open });

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

test.each(WIDTHS)(
  'the consent page is accessible and fits, whatever it shows, %i pixels wide [49.10]',
  async (width) => {
    const context = await contextOf(api.alice, width);
    const refused: string[] = [];
    context.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) refused.push(message.text());
    });
    const long = `https://${'long-'.repeat(11)}name.example.com:8443/callback`;
    const name = 'Assistant-of-'.repeat(7);
    const page = await openConsent(context, { name, redirectUri: long });
    expect(await faultsOf(page)).toEqual(NO_FAULTS);
    await team(page).selectOption(String(api.mallory.teamId));
    expect(await faultsOf(page)).toEqual(NO_FAULTS);
    await page.goto(`${BASE_URL}/connect?client_id=other`);
    await trouble(page).waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULTS);
    const other = await openConsent(context, { name, redirectUri: CURSOR });
    await other.click(USABLE);
    await openLink(other).waitFor();
    expect(await faultsOf(other)).toEqual(NO_FAULTS);
    expect(refused).toEqual([]);
    await context.close();
  },
);

test('by mouse a person chooses team and permissions, and is sent back [49.7, 49.8]', async () => {
  const context = await contextOf(api.alice);
  const page = await openConsent(context);
  expect(await page.textContent('h1')).toBe('Connect “Claude”?');
  expect(await page.locator('main > p').first().textContent()).toBe(
    'It asks to use Tocsin as you, alice@example.com. Access goes to claude.ai.',
  );
  expect(await page.locator('main > .notice').textContent()).toContain(
    'Tocsin has not verified this one',
  );
  // The team of the session is chosen.
  expect(await team(page).inputValue()).toBe(String(api.alice.teamId));
  expect(await boxes(page)).toEqual({
    checked: ['read', 'create', 'update'],
    free: ['create', 'update', 'delete'],
  });
  await box(page, 'create').uncheck();
  await box(page, 'delete').check();
  await team(page).selectOption(String(api.mallory.teamId));
  expect(await boxes(page)).toEqual({ checked: ['read'], free: [] });
  expect(await hint(page).textContent()).toContain('viewer, only allows reading');
  await team(page).selectOption(String(api.alice.teamId));
  expect(await hint(page).isVisible()).toBe(false);
  const before = await connected(api.alice);
  await page.click(USABLE);
  await page.waitForURL(`${CALLBACK}?*code=*`);
  expect(await connected(api.alice)).toEqual([
    expect.objectContaining({
      name: 'Claude',
      team: { id: api.alice.teamId, name: 'Team ours' },
      permissions: ['read', 'update', 'delete'],
    }),
    // Nothing was connected before the button was pressed.
    ...before,
  ]);
  await context.close();
});

test('by keyboard too, in the reading order [49.10]', async () => {
  const context = await contextOf(api.alice);
  const page = await openConsent(context);
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
  await page.waitForURL(`${CALLBACK}?*code=*`);
  const permissions = ['read', 'create', 'update', 'delete'];
  expect((await connected(api.alice))[0]).toMatchObject({ permissions });
  await context.close();
});

test('an application of a viewer can only read; one team is no choice [49.8]', async () => {
  const context = await contextOf(api.vera);
  const page = await openConsent(context);
  expect(await page.locator('form p').first().textContent()).toBe(
    'It acts in your team Team ours.',
  );
  expect(await team(page).isVisible()).toBe(false);
  expect(await boxes(page)).toEqual({ checked: ['read'], free: [] });
  await page.click(USABLE);
  await page.waitForURL(`${CALLBACK}?*code=*`);
  expect(await connected(api.vera)).toMatchObject([{ permissions: ['read'] }]);
  await context.close();
});

test('only what the application asks for is offered, and asked again it keeps what it has [49.8]', async () => {
  const context = await contextOf(api.mallory);
  const page = await openConsent(context, { scope: 'read update delete' });
  expect(await boxes(page)).toEqual({ checked: ['read', 'update'], free: ['update', 'delete'] });
  await box(page, 'update').uncheck();
  await box(page, 'delete').check();
  const address = page.url();
  await page.click(USABLE);
  await page.waitForURL(`${CALLBACK}?*code=*`);
  await page.goto(address);
  await page.locator(USABLE).waitFor();
  expect(await hint(page).textContent()).toContain('It is connected already.');
  expect(await boxes(page)).toEqual({ checked: ['read', 'delete'], free: ['update', 'delete'] });
  await context.close();
});

test('a team whose rules the person does not meet is not connected [49.8]', async () => {
  const context = await contextOf({ ...api.ed, teamId: strictTeam });
  const page = await openConsent(context);
  // The other one is chosen.
  expect(await team(page).inputValue()).toBe(String(api.ed.teamId));
  await page.locator(USABLE).waitFor();
  await team(page).selectOption(String(strictTeam));
  expect(await hint(page).textContent()).toContain('requires two-factor authentication');
  expect(await page.locator(USABLE).count()).toBe(0);
  await context.close();
});

test('cancel sends back without access [49.7]', async () => {
  const context = await contextOf(api.alice);
  const before = await connected(api.alice);
  const page = await openConsent(context);
  await page.getByRole('button', { name: en.common.cancel, exact: true }).click();
  await page.waitForURL(`${CALLBACK}?*error=access_denied*`);
  expect(await connected(api.alice)).toEqual(before);
  await context.close();
});

test('the page stays beside an application on the device [49.7]', async () => {
  const context = await contextOf(api.alice);
  const page = await openConsent(context, { name: 'Cursor', redirectUri: CURSOR });
  expect(await page.locator('main > p strong').last().textContent()).toBe(
    'an application on this device (cursor:)',
  );
  await page.click(USABLE);
  await openLink(page).waitFor();
  expect(await openLink(page).getAttribute('href')).toMatch(/^cursor:.*[?&]code=/);
  expect(await page.textContent('h1')).toBe('Connected');
  expect(await page.locator('form').count()).toBe(0);
  await context.close();
});

test('the page runs no script, whatever it is answered [49.7]', async () => {
  const context = await contextOf(api.alice);
  const page = await openConsent(context);
  const url = 'javascript:document.body.replaceChildren()';
  await page.route('**/oauth2/consent', (route) => route.fulfill({ json: { url } }));
  await page.click(USABLE);
  await trouble(page).waitFor();
  expect(await openLink(page).isVisible()).toBe(false);
  await context.close();
});

test('a press that was meant for a window in front of the page does not count [49.7]', async () => {
  const context = await contextOf(api.alice);
  const page = await openConsent(context);
  const before = await connected(api.alice);
  const sent: string[] = [];
  page.on('request', (request) => void sent.push(request.url()));
  for (const event of [
    'window.dispatchEvent(new Event("focus"))',
    'document.dispatchEvent(new Event("visibilitychange"))',
  ])
    await page.evaluate(`${event}; document.querySelector('button[type=submit]').click()`);
  await page.locator(USABLE).waitFor();
  expect(sent).toEqual([]);
  expect(await connected(api.alice)).toEqual(before);
  await page.click(USABLE);
  await page.waitForURL(`${CALLBACK}?*code=*`);
  await context.close();
});

test.each(['signed in', 'not signed in'])(
  'an application in a browser may ask in a window of its own, when the person is %s [49.11]',
  async (standing) => {
    await givePassword(api, api.alice);
    const context = await contextOf(standing === 'signed in' ? api.alice : null);
    await context.route(`${ORIGIN}/**`, (route) =>
      route.fulfill({ body: 'Claude', contentType: 'text/html' }),
    );
    const client = await registerClient(api, { redirect_uris: [CALLBACK] });
    const opener = await context.newPage();
    await opener.goto(ORIGIN);
    const query = client.query({ redirect_uri: CALLBACK });
    const opened = opener.waitForEvent('popup');
    await opener.evaluate(
      `void window.open('${BASE_URL}${OAUTH}/authorize?${query}', '', 'popup')`,
    );
    const popup = await opened;
    if (standing !== 'signed in') await signInOn(popup);
    await popup.click(USABLE);
    await popup.waitForURL(`${CALLBACK}?*code=*`);
    expect(await popup.evaluate('window.opener !== null')).toBe(true);
    await context.close();
  },
);

test('a request that is refused says what to do [49.9]', async () => {
  const context = await contextOf(api.alice);
  const page = await openConsent(context);
  const signed = page.url();
  for (const address of [
    `${BASE_URL}/connect`,
    signed.replace('claude.ai', 'evil.example'),
    signed.replace('delete', ''),
  ]) {
    await page.goto(address);
    await trouble(page).waitFor();
    expect(await trouble(page).textContent()).toContain('Go back to the application');
    expect(await page.locator('form').count()).toBe(0);
  }
  // An application that nobody knows does not make people sign in.
  const stranger = await (await contextOf(null)).newPage();
  const unknown = new URLSearchParams({ client_id: 'unknown', response_type: 'code' });
  await stranger.goto(`${BASE_URL}${OAUTH}/authorize?${unknown}`);
  await trouble(stranger).waitFor();
  expect(stranger.url()).toContain('/connect');
  expect(await trouble(stranger).textContent()).toContain('does not know this application');
  await context.close();
});

test('who is not signed in signs in, and comes back to the request [49.9]', async () => {
  await givePassword(api, api.alice);
  const context = await contextOf(null);
  const page = await openRequest(context);
  await signInOn(page);
  expect(await page.textContent('h1')).toBe('Connect “Claude”?');
  // The session ends while the page is open.
  const address = page.url();
  await context.clearCookies();
  await page.click(USABLE);
  await signInOn(page);
  expect(page.url()).toBe(address);
  await page.click(USABLE);
  await page.waitForURL(`${CALLBACK}?*code=*`);
  await context.close();
});
