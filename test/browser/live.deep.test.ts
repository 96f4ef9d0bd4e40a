import { expect, test, vi } from 'vitest';
import { en } from '../../web/words/en.ts';
import { browser } from '../support/chromium.ts';
import { freePorts } from '../support/free-ports.ts';
import { createMonitor, untilAll, useServices, type Service } from '../support/service.ts';
import { startTarget } from '../support/target-server.ts';
import { visit } from './support/visit.ts';

vi.setConfig({ testTimeout: 300_000 });

const NOT_OBSERVED = en.monitors.notObservedFor('').trim();
const PATIENTLY = { timeout: 60_000 };
const open = browser();
const services = useServices();
const as = { email: 'ada@northwind.example', password: 'correct-horse-battery-9' };

/** Settings of a service that has an owner, reached under the same address when it starts again. */
async function settings(): Promise<Record<string, string> & { BASE_URL: string }> {
  const [port] = (await freePorts(1)) as [number];
  return {
    DATA_DIR: await services.folder(),
    PORT: String(port),
    BASE_URL: `http://localhost:${port}`,
    ADMIN_EMAIL: as.email,
    ADMIN_PASSWORD: as.password,
    ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
  };
}

async function watched(service: Service) {
  const target = services.use(await startTarget());
  const id = await createMonitor(service, {
    monitor_type: 'http',
    url: target.url('/shop'),
    friendly_name: 'Shop',
    monitored_regions: ['ash'],
  });
  await untilAll(service, [id], 'online');
  return { target, id };
}

test('an outage appears without loading the page again, is acknowledged, and ends', async () => {
  const environment = await settings();
  const service = await services.start(environment);
  const { target, id } = await watched(service);
  const visited = await visit(await open(), { url: environment.BASE_URL, as });
  const page = await visited.open('/monitors');
  await page.getByRole('heading', { level: 1, name: en.monitors.allUp(1) }).waitFor();
  // Lost when the page is loaded again.
  await page.evaluate('window.wasHere = true');

  await target.fail();
  await untilAll(service, [id], 'offline');
  await page.getByRole('heading', { level: 1, name: en.monitors.down(1, 1) }).waitFor(PATIENTLY);
  await expect.poll(() => page.title()).toBe(`(1) ${en.monitors.down(1, 1)} · Tocsin`);
  const icon = page.locator('link[rel=icon]');
  await expect.poll(() => icon.getAttribute('href')).toMatch(/^data:image\/svg/);
  const row = page.locator('[data-row]').first();
  await row.getByText('HTTP 503 Service Unavailable').waitFor(PATIENTLY);

  await page.getByRole('button', { name: en.labels.acknowledge, exact: true }).click();
  await page.getByText(en.monitors.acknowledged, { exact: true }).waitFor(PATIENTLY);
  // The button is gone: the keyboard goes on in its row.
  expect(await page.locator('a:focus').getAttribute('href')).toMatch(/\/incidents\/\d+$/);

  await target.heal();
  await untilAll(service, [id], 'online');
  await page.getByRole('heading', { level: 1, name: en.monitors.allUp(1) }).waitFor(PATIENTLY);
  await expect.poll(() => page.title()).toBe(`${en.monitors.allUp(1)} · Tocsin`);
  await expect.poll(() => icon.getAttribute('href')).toMatch(/icon\.svg$/);
  expect(await page.evaluate('window.wasHere')).toBe(true);
  expect(visited.complaints).toEqual([]);
  await visited.context.close();
  await service.stop();
});

test('a list shows what others change, also where it is part of another page', async () => {
  const environment = await settings();
  const service = await services.start(environment);
  const { id } = await watched(service);
  const visited = await visit(await open(), { url: environment.BASE_URL, as });
  const statusPage = { name: 'Shop status', slug: 'shop', monitors: [{ id }] };
  expect((await service.post('/api/v1/status-pages', statusPage)).status).toBe(201);
  const steps: [path: string, shows: string, change: () => Promise<{ status: number }>][] = [
    ['/groups', 'Payments', () => service.post('/api/v1/groups', { name: 'Payments' })],
    [
      '/status-pages?tab=templates',
      'We are looking into it',
      () =>
        service.post('/api/v1/update-templates', {
          name: 'We are looking into it',
          kind: 'incident',
          state: 'investigating',
          text: 'We know of it.',
        }),
    ],
    ['/audit-log', 'Shipping', () => service.post('/api/v1/groups', { name: 'Shipping' })],
  ];
  for (const [path, shows, change] of steps) {
    const page = await visited.open(path);
    await page.getByText(en.live.live, { exact: true }).first().waitFor(PATIENTLY);
    expect(await page.locator('main').getByText(shows).count()).toBe(0);
    expect((await change()).status).toBe(201);
    await page.locator('main').getByText(shows).first().waitFor(PATIENTLY);
  }
  expect(visited.complaints).toEqual([]);
  await visited.context.close();
  await service.stop();
});

test('a page says when the server is away, and shows what changed when it is back', async () => {
  const environment = await settings();
  const first = await services.start(environment);
  const { target, id } = await watched(first);
  const { BASE_URL: url } = environment;
  // Requests fail while there is no server.
  const expected =
    /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|503/;
  const visited = await visit(await open(), { url, as, expected });
  const page = await visited.open('/monitors');
  await page.getByText(en.live.live, { exact: true }).first().waitFor(PATIENTLY);
  await page.evaluate('window.wasHere = true');

  await first.stop();
  await page
    .getByText(/^Not live\. Last news/)
    .first()
    .waitFor(PATIENTLY);
  // What was known stays for a moment, and is not taken for the present after it.
  expect(await page.getByRole('heading', { level: 1, name: en.monitors.allUp(1) }).count()).toBe(1);
  const cannotTell = page.getByRole('heading', { level: 1, name: NOT_OBSERVED });
  await cannotTell.waitFor(PATIENTLY);
  const row = page.locator('[data-row]').first();
  await row.getByRole('img', { name: en.status.unknown, exact: true }).waitFor();
  await page.getByText(en.monitors.wasUp).waitFor();

  await target.fail();
  const second = await services.start(environment);
  await untilAll(second, [id], 'offline');
  await page.getByText(en.live.live, { exact: true }).first().waitFor(PATIENTLY);
  await page.getByRole('heading', { level: 1, name: en.monitors.down(1, 1) }).waitFor(PATIENTLY);

  // A server that answers, without a probe in the region: no event tells of it.
  await second.stop();
  const third = await services.start({ ...environment, PROBE_REGIONS: 'sin' });
  await page.getByText(en.live.live, { exact: true }).first().waitFor(PATIENTLY);
  await cannotTell.waitFor({ timeout: 150_000 });
  await page.getByText(en.monitors.wasDown('Shop')).waitFor();
  await row.getByText(/^Was down for .* when it was last observed/).waitFor();
  expect(await page.evaluate('window.wasHere')).toBe(true);
  expect(visited.complaints).toEqual([]);
  await visited.context.close();
  await third.stop();
});

test('the first ping of a job appears, and leaves the URL where somebody reads it', async () => {
  const environment = await settings();
  const service = await services.start(environment);
  const id = await createMonitor(service, {
    monitor_type: 'heartbeat',
    friendly_name: 'Backup',
    heartbeat_interval: 3_600,
  });
  const visited = await visit(await open(), { url: environment.BASE_URL, as });
  const page = await visited.open(`/monitors/${id}`);
  const first = page.locator('.mo-first').getByRole('textbox', { name: en.push.url.title });
  await page.getByRole('heading', { level: 1, name: en.push.never('Backup') }).waitFor();
  await page.getByText(en.live.live, { exact: true }).first().waitFor(PATIENTLY);
  expect((await fetch(await first.inputValue())).status).toBe(200);
  const ran = page.getByRole('heading', { level: 1, name: en.push.ran('Backup', '').trim() });
  await ran.waitFor(PATIENTLY);
  expect(await first.isVisible()).toBe(true);
  expect(visited.complaints).toEqual([]);
  await visited.context.close();
  await service.stop();
});
