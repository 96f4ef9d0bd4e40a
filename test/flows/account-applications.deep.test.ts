import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDashboard } from '../../src/dashboard/dashboard.ts';
import { buildPlaces } from '../../src/dashboard/builds.ts';
import { silentLog } from '../../src/lib/log.ts';
import { BASE_URL, openApi, type TestApi } from '../support/api.ts';
import { connectApplication } from '../support/applications.ts';
import { browser } from '../support/chromium.ts';
import { startHttpsFront, type HttpsFront } from '../support/https-front.ts';
import { openInMemory } from '../support/memory-database.ts';
import type { TestPerson } from '../support/people.ts';
import { faultsOf, NO_FAULTS, openContext, WIDTHS } from '../support/screens.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

const open = browser();
const ACCOUNT = `${BASE_URL}/account`;
const builds = openDashboard({ places: buildPlaces(null), log: silentLog });
let api: TestApi;
let front: HttpsFront;

beforeAll(async () => {
  const dashboard = { builds, version: '1.2.3' };
  api = await openApi(await openInMemory(), {}, { dashboard });
  front = await startHttpsFront(api.app);
});
afterAll(async () => {
  await front.close();
  await builds.stop();
});

const contextOf = async (who: TestPerson, width?: number) =>
  openContext(await open(), { api, front, who, ...(width !== undefined && { width }) });

test.each(WIDTHS)(
  'the account page lists applications accessibly, and fits, %i pixels wide [49.10]',
  async (width) => {
    const context = await contextOf(api.ed, width);
    await connectApplication(api.database, api.ed, {
      name: 'Assistant-of-'.repeat(7),
      redirectUri: 'http://127.0.0.1:33418/callback',
      now: api.clock.now(),
    });
    const page = await context.newPage();
    await page.goto(ACCOUNT);
    await page.locator('#applications li button').first().waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULTS);
    await context.close();
  },
);

test('the account page disconnects an application after a question [49.3]', async () => {
  const now = api.clock.now();
  await connectApplication(api.database, api.mallory, { name: 'Claude', now });
  const context = await contextOf(api.mallory);
  const page = await context.newPage();
  await page.goto(ACCOUNT);
  const row = page.locator('#applications li');
  await row.getByRole('button').waitFor();
  expect(await row.textContent()).toMatch(/^Claude.*claude\.ai.*Team theirs.*may only read/);
  expect(await page.locator('#applications input').inputValue()).toBe(`${BASE_URL}/mcp`);
  const question = page.getByRole('alertdialog');
  await row.getByRole('button').press('Enter');
  expect(await question.textContent()).toMatch(
    /^Disconnect Claude from the team Team theirs\?It loses access at once\. To use it again, connect it anew\./,
  );
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(await row.textContent()).toContain('Claude');
  await row.getByRole('button').press('Enter');
  await question.getByRole('button', { name: 'Disconnect' }).press('Enter');
  await page.getByText('No application is connected.').waitFor();
  const { body } = await api.call(api.mallory, 'GET', '/api/v1/connected-applications');
  expect(body['total']).toBe(0);
  await context.close();
});
