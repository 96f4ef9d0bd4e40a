import { afterAll, beforeAll, expect, test } from 'vitest';
import { en } from '../../web/words/en.ts';
import { browser } from '../support/chromium.ts';
import { OWNER, PASSWORD, serveDemo, VIEWER, type ServedDemo } from './support/demo.ts';
import { isSettled, visit } from './support/visit.ts';

const open = browser();
let served: ServedDemo;

beforeAll(async () => {
  served = await serveDemo();
});

afterAll(() => served.close());

test('a person signs in, reads what is down, opens a monitor, and acknowledges its incident', async () => {
  const { url, demo } = served;
  const { page, complaints, context } = await visit(await open(), { url, as: null });
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('E-mail', { exact: true }).first().fill(OWNER);
  await page.getByLabel('Password', { exact: true }).first().fill(PASSWORD);
  await page.getByLabel('Password', { exact: true }).first().press('Enter');
  await page.waitForURL((address) => address.pathname !== '/sign-in');

  await page.goto(`${url}/monitors`);
  await page.getByRole('heading', { level: 1, name: en.monitors.down(2, 60) }).waitFor();
  expect(await page.title()).toBe(`${en.monitors.down(2, 60)} · Tocsin`);

  await page.getByRole('link', { name: 'Checkout API', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: en.monitor.isDown('Checkout API') }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/monitors/${demo.monitor('Checkout API')}`);
  await page.getByRole('button', { name: en.monitor.acknowledge }).click();
  await page.getByText(en.monitor.hasIt('Ada Reyes')).first().waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

test('a viewer sees the same and changes nothing', async () => {
  const { url } = served;
  const as = { email: VIEWER, password: PASSWORD };
  const visited = await visit(await open(), { url, as });
  const page = await visited.open('/monitors');
  await isSettled(page);
  await page.getByRole('heading', { level: 1, name: en.monitors.down(2, 60) }).waitFor();
  expect(await page.getByRole('button', { name: en.monitors.acknowledge }).count()).toBe(0);
  expect(await page.getByRole('link', { name: en.nav.newMonitor }).count()).toBe(0);
  expect(visited.complaints).toEqual([]);
  await visited.context.close();
});
