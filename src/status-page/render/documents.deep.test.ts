import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browser, findViolations } from '../../../test/support/chromium.ts';
import {
  daysOf,
  incidentFacts,
  PAGE_NOW as NOW,
  pageFacts,
  pageIdentity,
  serviceFacts,
} from '../../../test/support/page-facts.ts';
import { PAGE_LANGUAGES, type PageFacts, type PageLanguage } from '../facts/model.ts';
import { DOCUMENTS } from '../facts/urls.ts';
import { renderAnnouncement, renderMonth } from './announcements.ts';
import { ASSETS } from './assets.ts';
import { renderMessage, renderSignIn } from './message-page.ts';
import { renderEmbed, renderPage, renderUncorrected } from './page.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** No inline script or style, nothing from elsewhere. */
const POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'";

const LONG = 'Payments-gateway-for-continental-europe.internal.example.com';

/** A page with something of everything. */
function eventfulPage(language: PageLanguage): PageFacts {
  const happened = {
    0: { downMs: 14 * MINUTE },
    20: { degradedMs: HOUR },
    40: { excludedMs: HOUR },
    89: { unobservedMs: DAY },
  };
  const updates = [
    {
      id: 2,
      state: 'identified' as const,
      text: `**Cause**: ${LONG}`,
      at: NOW - MINUTE,
      editedAt: NOW,
    },
    { id: 1, state: 'investigating' as const, text: null, at: NOW - 9 * MINUTE, editedAt: null },
  ];
  const ofCheckout = [{ monitorId: 1, name: 'Checkout' }];
  return pageFacts([], {
    page: {
      language,
      timezone: 'Europe/Berlin',
      description: 'Everything that we run.',
      name: LONG,
    },
    groups: [
      {
        name: null,
        services: [
          serviceFacts('Checkout', {
            status: 'offline',
            statusSince: NOW - 14 * MINUTE,
            observedPercent: 95.6,
            days: daysOf({ happened, zone: 'Europe/Berlin' }),
            uncorrected: { uptimePercent: 99, observedPercent: 90 },
          }),
          serviceFacts(LONG, { status: 'degraded' }),
        ],
      },
      {
        name: LONG,
        services: [
          serviceFacts('A', { observedUntil: NOW - HOUR }),
          serviceFacts('B', { isPaused: true, display: 'figure' }),
          serviceFacts('C', { display: 'response_time', responseTimeMs: 142 }),
          serviceFacts('D', { maintenanceUntil: NOW + HOUR }),
        ],
      },
    ],
    announcements: [
      incidentFacts({ updates, services: ofCheckout, postMortem: { text: 'Why.', at: NOW } }),
      incidentFacts({
        id: 8,
        kind: 'maintenance',
        impact: 'none',
        state: 'scheduled',
        startedAt: NOW + HOUR,
        plannedUntil: NOW + 2 * HOUR,
        services: ofCheckout,
      }),
      incidentFacts({ id: 9, state: 'resolved', endedAt: NOW - DAY, services: ofCheckout }),
    ],
  });
}

/** A page of many services in groups, with incidents on two of the days. */
function largePage(slug: string, count: number): PageFacts {
  const services = Array.from({ length: count }, (_, index) =>
    serviceFacts(`Service ${index + 1}`, {
      status: index === 0 ? 'offline' : 'online',
      observedPercent: 99.3,
      responseTimeMs: 240,
      responseTimes: Array.from({ length: 24 }, (_one, hour) => (hour === 3 ? null : 200 + hour)),
      days: daysOf({ happened: index === 0 ? { 0: { downMs: 74 * MINUTE } } : {} }),
    }),
  );
  const ofFirst = [{ monitorId: services[0]!.monitorId, name: 'Service 1' }];
  const open = incidentFacts({ title: 'Orders are late', services: ofFirst });
  const past = Array.from({ length: 6 }, (_, ago) =>
    incidentFacts({
      id: 20 + ago,
      state: 'resolved',
      startedAt: NOW - (2 * ago + 1) * DAY - HOUR,
      endedAt: NOW - (2 * ago + 1) * DAY,
      services: ofFirst,
    }),
  );
  const half = Math.ceil(count / 2);
  const settings = { ...pageIdentity().settings, show_response_time: true };
  return pageFacts([], {
    page: { slug, settings, description: 'Everything that we run.' },
    groups: [
      { name: 'Shop', services: services.slice(0, half) },
      { name: 'Platform', services: services.slice(half) },
    ],
    announcements: [open, ...past],
    happened: [open, ...past],
  });
}

/** Documents by their path below `/status/`. */
function documentsOf(facts: PageFacts): Map<string, string> {
  const { page, announcements, readAt } = facts;
  const { slug } = page;
  const announcement = announcements[0]!;
  const services = facts.groups.flatMap((group) => group.services);
  const month = {
    page,
    month: '2026-11',
    previous: '2026-10',
    next: null,
    services,
    announcements,
  };
  const choices = {
    type: 'choices' as const,
    name: 'service',
    legend: LONG,
    isMultiple: true,
    options: [{ value: '1', label: LONG, group: null, isChecked: true }],
  };
  return new Map([
    [DOCUMENTS.page(slug), renderPage(facts, NOW)],
    [DOCUMENTS.announcement(slug, 7), renderAnnouncement({ page, readAt, announcement }, NOW)],
    [DOCUMENTS.month(slug, '2026-11'), renderMonth(month, NOW)],
    [DOCUMENTS.embed(slug), renderEmbed(facts, NOW)],
    [DOCUMENTS.uncorrected(slug), renderUncorrected(facts)!],
    [
      DOCUMENTS.signIn(slug),
      renderSignIn(page, { document: DOCUMENTS.signIn(slug), error: LONG, returnTo: slug }),
    ],
    [
      DOCUMENTS.subscribe(slug),
      renderMessage(page, {
        document: DOCUMENTS.subscribe(slug),
        title: LONG,
        text: LONG,
        form: {
          action: DOCUMENTS.subscribe(slug),
          submit: LONG,
          fields: [{ type: 'email', name: 'email', label: 'Address' }, choices],
        },
      }),
    ],
  ]);
}

const started = browser();
const documents = new Map<string, string>();
let server: Server;
let address: string;

beforeAll(async () => {
  for (const language of PAGE_LANGUAGES)
    for (const [path, html] of documentsOf(eventfulPage(language)))
      documents.set(`/${language}/status/${path}`, html);
  for (const facts of [largePage('twenty', 20), largePage('large', 32)])
    for (const [path, html] of documentsOf(facts)) documents.set(`/status/${path}`, html);
  server = createServer((request, response) => {
    const path = request.url!;
    const asset = ASSETS.find((one) => path.endsWith(`/status/${one.path}`));
    const html = documents.get(path);
    if (asset !== undefined) response.writeHead(200, { 'content-type': asset.type });
    else
      response.writeHead(html === undefined ? 404 : 200, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
      });
    response.end(asset?.bytes ?? html ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
});

const PATHS = [...documentsOf(eventfulPage('en')).keys()];

async function opened(path: string, { width = 1280 } = {}) {
  const page = await (
    await started()
  ).newPage({
    viewport: { width, height: 800 },
    reducedMotion: 'reduce',
  });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('requestfailed', (request) => complaints.push(request.url()));
  page.on('response', (answer) => {
    if (answer.status() >= 400) complaints.push(`${answer.status()} ${answer.url()}`);
  });
  await page.goto(`${address}${path}`);
  return { page, complaints };
}

describe.each(PAGE_LANGUAGES)('documents in %s', (language) => {
  test.each(PATHS)(
    '%s is accessible, light and dark, and fits 375 px [42.37, 42.38]',
    async (path) => {
      const { page, complaints } = await opened(`/${language}/status/${path}`);
      // What is folded is looked at too.
      await page.evaluate(
        "document.querySelectorAll('details').forEach((one) => (one.open = true))",
      );
      expect(await findViolations(page)).toEqual([]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await findViolations(page, 'colors')).toEqual([]);
      expect(complaints).toEqual([]);
      await page.setViewportSize({ width: 375, height: 800 });
      const overflow =
        'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(overflow)).toBe(0);
      await page.close();
    },
  );
});

test('a page is printed with its bars, and without what only helps on a screen [42.38]', async () => {
  const { page } = await opened('/en/status/northwind');
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.svc svg.bar').count()).toBe(4);
  expect(
    await page.evaluate("getComputedStyle(document.querySelector('.svc path')).printColorAdjust"),
  ).toBe('exact');
  expect(await page.locator('#updates').isVisible()).toBe(false);
  // No heading stands without what it heads: the link to the history is not printed.
  await page.evaluate("document.querySelectorAll('.past .day').forEach((day) => day.remove())");
  expect(await page.locator('.past').isVisible()).toBe(false);
  expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
  await page.close();
});

test('a page of 20 services is printed on one sheet, with what is folded and the time of its checks [42.38]', async () => {
  const { page } = await opened('/status/twenty');
  for (const format of ['A4', 'Letter']) {
    const pdf = (await page.pdf({ format })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1);
  }
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.svc:visible').count()).toBe(20);
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  expect(await page.locator('.asof').textContent()).toBe('Checked 22 Nov 2026, 14:16 UTC');
  await page.close();
});

test('a long list is searched, folds by group, and names the day under the pointer [42.59, 42.62]', async () => {
  const { page, complaints } = await opened('/status/large');
  const shown = () => page.locator('.svc:visible .name').allTextContents();
  expect((await shown()).length).toBe(16);
  await page.getByRole('searchbox').fill('service 2');
  expect(await shown()).toEqual([
    'Service 2',
    ...Array.from({ length: 10 }, (_, i) => `Service ${i + 20}`),
  ]);
  await page.getByRole('searchbox').fill('nothing');
  expect(await page.getByRole('status').textContent()).toBe('No service has this name.');
  await page.getByRole('searchbox').fill('');
  expect((await shown()).length).toBe(16);
  await page.getByText('Platform', { exact: true }).click();
  expect((await shown()).length).toBe(32);

  const bar = page.locator('.svc .bar').first();
  await bar.scrollIntoViewIfNeeded();
  const { width, height } = (await bar.boundingBox())!;
  await bar.hover({ position: { x: width - 2, y: height / 2 } });
  expect(await page.locator('.tip').textContent()).toBe(
    '22 Nov · Down · 1 hr 14 min\nOrders are late',
  );
  await bar.click({ position: { x: width - 2, y: height / 2 } });
  expect(page.url()).toBe(`${address}/status/large/history/2026-11#d22`);
  expect(await page.locator(':target').textContent()).toContain('Orders are late');
  expect(complaints).toEqual([]);
  await page.close();
});

test('without script all services are shown, and no search [42.37]', async () => {
  const context = await (await started()).newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${address}/status/large`);
  expect(await page.getByRole('searchbox').isVisible()).toBe(false);
  expect(await page.locator('.svc').count()).toBe(32);
  await page.locator('.svc summary').first().click();
  const days = page.locator('.svc td a').first();
  expect([await days.textContent(), await days.getAttribute('href')]).toEqual([
    '22 Nov',
    'large/history/2026-11#d22',
  ]);
  await context.close();
});

test('a page stays readable with text of twice the size [42.38]', async () => {
  const { page } = await opened('/de/status/northwind', { width: 640 });
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(overflow)).toBe(0);
  await page.close();
});

test.each(PAGE_LANGUAGES)(
  'a frame of 280 or 340 px breaks no word that fits: %s [42.38]',
  async (language) => {
    for (const width of [280, 340]) {
      const { page } = await opened(`/${language}/status/northwind/embed`, { width });
      expect(await page.locator('.embed li').count()).toBeGreaterThan(1);
      expect(await page.evaluate(brokenWords)).toEqual([]);
      await page.close();
    }
  },
);

/** Words of up to 16 letters that stand on two lines. */
const brokenWords = `[...document.querySelectorAll('.embed li span')].flatMap((span) => {
  const text = span.firstChild;
  return [...text.data.matchAll(/(?<!\\S)[\\p{Script=Latin}-]{2,16}(?!\\S)/gu)]
    .filter(({ 0: word, index }) => {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
    })
    .map(([word]) => word);
})`;

test('bars have a color for each class, and links lead to documents that exist [42.32, 42.39]', async () => {
  const { page } = await opened('/en/status/northwind/incidents/7');
  await page.click('a.brand');
  await page.waitForLoadState();
  expect(page.url()).toBe(`${address}/en/status/northwind`);
  const strokes = await page.evaluate(
    "[...document.querySelectorAll('.svc:first-child svg.bar path')].map((path) => getComputedStyle(path).stroke)",
  );
  expect(new Set(strokes as string[]).size).toBe(5);
  await page.click('.who a');
  expect(page.url()).toBe(`${address}/en/status/northwind/incidents/7`);
  await page.close();
});
