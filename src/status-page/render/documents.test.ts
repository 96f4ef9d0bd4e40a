import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  daysOf,
  incidentFacts,
  PAGE_NOW as NOW,
  pageFacts,
  pageIdentity,
  serviceFacts,
  type Happened,
} from '../../../test/support/page-facts.ts';
import { ACCESS_TYPES, PAGE_LANGUAGES, type Display, type PageFacts } from '../facts/model.ts';
import { renderAnnouncement, renderMonth } from './announcements.ts';
import { ASSETS } from './assets.ts';
import { FONT_FILES } from './brand.ts';
import { renderMessage, renderNotFound, renderSignIn } from './message-page.ts';
import { renderEmbed, renderPage, renderUncorrected } from './page.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const image = (type: string) => ({ type, hash: 'abcdefghijklmnop' });

/** All documents of a page, by name. */
function documentsOf(facts: PageFacts): Record<string, string> {
  const { page, announcements, readAt } = facts;
  return {
    page: renderPage(facts, NOW),
    embed: renderEmbed(facts, NOW),
    uncorrected: renderUncorrected(facts)!,
    announcement: renderAnnouncement({ page, readAt, announcement: announcements[0]! }, NOW),
    month: renderMonth(
      {
        page,
        month: '2026-11',
        previous: '2026-10',
        next: '2026-12',
        services: facts.groups.flatMap(({ services }) => services),
        announcements,
      },
      NOW,
    ),
    signIn: renderSignIn(page, {
      document: 'northwind/sign-in',
      error: 'Wrong.',
      returnTo: 'northwind',
    }),
    notFound: renderNotFound(page, 'northwind/incidents/9'),
    message: renderMessage(page, {
      document: 'northwind/subscribe',
      title: 'Title',
      text: 'Text',
      form: {
        action: 'northwind/subscribe',
        submit: 'Send',
        fields: [
          { type: 'email', name: 'email', label: 'Address' },
          { type: 'hidden', name: 'token', value: 'abc' },
          {
            type: 'choices',
            name: 'service',
            legend: 'Services',
            isMultiple: true,
            options: [{ value: '1', label: 'One', group: 'Shop', isChecked: true }],
          },
        ],
      },
    }),
  };
}

const NAMES = Object.keys(
  documentsOf(pageFacts([serviceFacts('A')], { announcements: [incidentFacts()] })),
);

/** A different event on each of 90 days, which makes the largest number of runs. */
function eventful(seed: number): Happened {
  const kinds = [
    { downMs: 62 * MINUTE },
    { degradedMs: HOUR },
    { excludedMs: HOUR },
    { unobservedMs: DAY },
    {},
  ];
  return Object.fromEntries(
    Array.from({ length: 90 }, (_, ago) => [ago, kinds[(ago * 2 + seed + (ago % 7)) % 5]!]),
  );
}

const longUpdate = (id: number) => ({
  id,
  state: 'identified' as const,
  text: 'word '.repeat(2_000),
  at: NOW - HOUR,
  editedAt: null,
});

describe('the size of a page', () => {
  test.each(PAGE_LANGUAGES)(
    'in %s with 20 services and 90 eventful days is at most 50 kB, and 15 kB with gzip [42.36]',
    (language) => {
      const services = Array.from({ length: 20 }, (_, index) =>
        serviceFacts(`Service number ${index}`, {
          status: index % 3 === 0 ? 'offline' : 'online',
          uptimePercent: 97.123,
          observedPercent: 81.456,
          days: daysOf({ happened: eventful(index), zone: 'Europe/Berlin' }),
        }),
      );
      const updates = [3, 2, 1].map((id) => ({
        id,
        state: 'identified' as const,
        text: 'We found the cause and are working on it. '.repeat(8),
        at: NOW - HOUR,
        editedAt: null,
      }));
      const announcements = [
        incidentFacts({ updates }),
        ...Array.from({ length: 14 }, (_, ago) =>
          incidentFacts({
            id: 100 + ago,
            state: 'resolved',
            endedAt: NOW - ago * DAY,
            startedAt: NOW - ago * DAY - HOUR,
            updates: updates.slice(0, 1),
            services: [{ monitorId: 1, name: 'Service number 1' }],
          }),
        ),
      ];
      const page = renderPage(
        pageFacts(services, { announcements, page: { language, timezone: 'Europe/Berlin' } }),
        NOW,
      );
      expect(Buffer.byteLength(page)).toBeLessThanOrEqual(50_000);
      expect(gzipSync(page).length).toBeLessThanOrEqual(15_000);
    },
  );

  test('does not grow with the length and number of updates [42.41]', () => {
    const announcements = Array.from({ length: 30 }, (_, id) =>
      incidentFacts({
        id,
        updates: Array.from({ length: 30 }, (_one, index) => longUpdate(index)),
      }),
    );
    const page = renderPage(pageFacts([serviceFacts('A')], { announcements }), NOW);
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(50_000);
    expect(page.match(/Read more/g)!.length).toBeGreaterThan(4);
  });
});

/** The script of documents that keep themselves current. */
const LIVE = /<script type="module" src="[./]*_\/[\w-]{16}\/live\.js"><\/script>/;

test('the script that keeps documents current is at most 3 kB as it is sent', () => {
  const script = ASSETS.find(({ path }) => path.endsWith('/live.js'))!;
  expect(gzipSync(script.bytes).length).toBeLessThanOrEqual(3_000);
});

describe.each(NAMES)('%s', (name) => {
  test.each(PAGE_LANGUAGES)(
    'in %s has its language, no style, and no script but the one that keeps it current [42.37]',
    (language) => {
      const facts = pageFacts([serviceFacts('A')], {
        announcements: [incidentFacts()],
        page: { language },
      });
      const document = documentsOf(facts)[name]!;
      expect(document).toMatch(new RegExp(`^<!doctype html>\\s*<html lang="${language}">`, 'i'));
      expect(document.replace(LIVE, '')).not.toMatch(
        /<script|<style|\sstyle=|\son[a-z]+=|javascript:|undefined|NaN|\[object/,
      );
    },
  );

  test('escapes every text [42.40]', () => {
    const evil = `<script>alert(1)</script>"'&`;
    const incident = incidentFacts({
      title: evil,
      services: [{ monitorId: 1, name: evil }],
      updates: [{ id: 1, state: 'identified', text: evil, at: NOW, editedAt: null }],
      postMortem: { text: evil, at: NOW },
    });
    const facts = pageFacts([], {
      groups: [{ name: evil, services: [serviceFacts(evil, { status: 'offline' })] }],
      announcements: [incident, { ...incident, id: 8, state: 'resolved', endedAt: NOW }],
      page: { name: evil, description: evil },
    });
    const document = documentsOf(facts)[name]!;
    expect(document.replace(LIVE, '')).not.toContain('<script');
    expect(document).not.toMatch(/="[^"]*alert\(1\)[^"]*"'/);
  });

  test('has relative links only [42.39]', () => {
    const facts = pageFacts(
      [serviceFacts('A', { uncorrected: { uptimePercent: 1, observedPercent: 1 } })],
      {
        announcements: [incidentFacts()],
        page: { images: { logo: { type: 'image/png', hash: 'abcdefghijklmnop' } } },
      },
    );
    const html = documentsOf(facts)[name]!.replace(/<link rel="canonical"[^>]*>/, '');
    const links = [...html.matchAll(/\s(?:href|src|action)="([^"]*)"/g)];
    expect(links.length).toBeGreaterThan(1);
    for (const [, link] of links)
      expect(link).toMatch(/^(#|(\.\.\/)*(_\/[\w-]{16}\/[\w.]+|northwind([/.?][\w/.=?-]+)?)$)/);
  });
});

const pageWith = (changes: Parameters<typeof pageFacts>[1] = {}) =>
  renderPage(pageFacts([serviceFacts('Checkout')], changes), NOW);

const embedOf = (name: string) => renderEmbed(pageFacts([], { page: { name } }), NOW);

describe('the page', () => {
  test('says "status of" only for names that do not [42.35]', () => {
    expect(embedOf('Northwind')).toContain('>Status of Northwind</a');
    expect(embedOf('Northwind Status')).toContain('>Northwind Status</a');
  });

  test('leads to the choice of services where mail is configured [42.42]', () => {
    expect(pageWith()).toContain('<a href="northwind/subscribe">Choose services</a>');
    expect(pageWith({ page: { subscribeBy: [] } })).not.toContain('northwind/subscribe');
  });

  test('leads to its history also when the last days had nothing to say', () => {
    const unobserved = Object.fromEntries(
      Array.from({ length: 90 }, (_, ago) => [ago, { unobservedMs: 24 * 3_600_000 }]),
    );
    const days = daysOf({ happened: unobserved });
    const html = renderPage(pageFacts([serviceFacts('A', { days })]), NOW);
    expect(html).toMatch(/<p class="all">\s*<a href="[^"]*\/history\/\d{4}-\d{2}"/);
  });

  test.each<[description: string, html: string, text: string]>([
    [
      'Status of **our** [shop](https://shop.example).',
      '<p>Status of <strong>our</strong> <a href="https://shop.example/" rel="nofollow noopener">shop</a>.</p>',
      'Status of our shop (https://shop.example/).',
    ],
    [
      'Old text\nin two lines.\n\n- a\n- b',
      '<p>Old text<br>\nin two lines.</p>\n<ul><li>a</li><li>b</li></ul>',
      'Old text in two lines. - a - b',
    ],
    ['2 * 3 * 4 < x_y_z', '<p>2 * 3 * 4 &lt; x_y_z</p>', '2 * 3 * 4 &lt; x_y_z'],
    ['<b>"x"</b>', '<p>&lt;b&gt;&quot;x&quot;&lt;/b&gt;</p>', '&lt;b&gt;&quot;x&quot;&lt;/b&gt;'],
  ])('shows its description %j as Markdown [42.58]', (description, shown, text) => {
    const html = renderPage(pageFacts([], { page: { description } }), NOW);
    expect(html).toContain(`<div class="about">${shown}</div>`);
    const [, about] = /<meta name="description" content="([^"]*)"/.exec(html)!;
    expect(about!.endsWith(` · ${text}`), about).toBe(true);
  });

  test('has the state in its title, description and icon [42.30]', () => {
    const html = renderPage(pageFacts([serviceFacts('Checkout', { status: 'offline' })]), NOW);
    expect(html).toContain('<title>Checkout is down · Northwind</title>');
    expect(html).toMatch(/<meta name="description" content="Checkout is down\."/);
    expect(html).toMatch(/<link\s+rel="icon"[^>]*down\.svg"/);
  });

  test('offers a subscription by mail only where mail is configured [42.42]', () => {
    expect(pageWith()).toMatch(/<form[^>]*action="northwind\/subscribe"/);
    expect(pageWith({ page: { subscribeBy: [] } })).not.toContain('<form');
    expect(pageWith({ page: { subscribeBy: [] } })).toContain('northwind.atom');
  });

  test.each(ACCESS_TYPES)(
    'with access %s is for search engines only if it is public [42.42]',
    (access) => {
      const html = pageWith({ page: { access } });
      expect(html.includes('noindex')).toBe(access !== 'public');
      expect(html.includes('rel="canonical"')).toBe(access === 'public');
    },
  );

  test('is canonical below BASE_URL, or on its domain [42.39]', () => {
    expect(pageWith()).toMatch(
      /rel="canonical" href="https:\/\/up\.example\.com\/status\/northwind"/,
    );
    expect(pageWith({ page: { customDomain: 'status.example.com' } })).toMatch(
      /rel="canonical" href="https:\/\/status\.example\.com\/"/,
    );
  });

  test('links the style of its owner after its own, by its content [42.37]', () => {
    const settings = { ...pageIdentity().settings, custom_css: '.card { color: red }' };
    const sheets = [
      ...pageWith({ page: { settings } }).matchAll(/rel="stylesheet"\s+href="([^"]*)"/g),
    ];
    expect(sheets.map(([, link]) => link)).toEqual([
      expect.stringMatching(/style\.css$/),
      expect.stringMatching(/^northwind\/custom\.css\?v=[\w-]{12}$/),
    ]);
  });

  test.each(['strip', 'dot'] as const)('has a frame that is a %s, which leads to it', (variant) => {
    const html = renderEmbed(pageFacts([serviceFacts('A')]), NOW, variant);
    expect(html).toMatch(
      new RegExp(`class="state fact ${variant} up"[^]*href="../northwind"[^]*All services are up`),
    );
    expect(html).not.toContain('<ul');
  });

  test.each([
    ['page', '#updates'],
    ['announcement', '../../northwind/subscribe'],
    ['month', '../../northwind/subscribe'],
  ] as const)('%s leads to the subscription', (name, href) => {
    const facts = pageFacts([serviceFacts('A')], { announcements: [incidentFacts()] });
    expect(documentsOf(facts)[name]).toContain(`<a class="btn" href="${href}">Get updates</a>`);
  });

  test('a choice of services says the group of each', () => {
    const facts = pageFacts([serviceFacts('A')], { announcements: [incidentFacts()] });
    expect(documentsOf(facts).message).toContain(
      '<span>One <small class="hint">Shop</small></span>',
    );
  });

  test('shows its brand: logos, icon, picture for previews, links', () => {
    const html = pageWith({
      page: {
        images: {
          logo: image('image/svg+xml'),
          logo_dark: image('image/png'),
          favicon: image('image/png'),
          social_image: image('image/jpeg'),
        },
        brand: {
          accent: '#0a7d4f',
          font: 'inter',
          layout: 'wide',
          links: {
            site: 'https://www.acme.example/',
            contact: 'mailto:help@acme.example',
            terms: null,
          },
        },
      },
    });
    for (const part of [
      '<body class="page branded wide">',
      'srcset="northwind/logo-dark?v=abcdefghijkl"',
      'src="northwind/logo?v=abcdefghijkl"',
      'type="image/png" href="northwind/favicon?v=abcdefghijkl"',
      'content="https://up.example.com/status/northwind/social-image?v=abcdefghijkl"',
      'content="summary_large_image"',
      '>acme.example</a>',
      'href="mailto:help@acme.example" rel="noopener">Contact</a>',
    ])
      expect(html).toContain(part);
    expect(html).not.toContain('>Terms</a>');
  });

  test('links both figures where corrections changed one [42.34]', () => {
    const corrected = serviceFacts('A', {
      uncorrected: { uptimePercent: 98, observedPercent: 90 },
    });
    expect(pageWith()).not.toContain('northwind/uncorrected');
    expect(renderPage(pageFacts([corrected]), NOW)).toContain('href="northwind/uncorrected"');
    const both = renderUncorrected(pageFacts([corrected]));
    expect(both).toContain('<td>100%</td>');
    expect(both).toContain('<td>98% <span class="faint">90% observed</span></td>');
  });

  test('lists both figures only of services whose uptime it shows [42.9]', () => {
    const { settings } = pageFacts([]).page;
    const page = { settings: { ...settings, show_uptime_percentage: false } };
    const bar = serviceFacts('Internal name');
    const figure = serviceFacts('Checkout', { display: 'figure' });
    const both = renderUncorrected(pageFacts([bar, figure], { page }));
    expect(both).toContain('Checkout');
    expect(both).not.toContain('Internal name');
    expect(renderUncorrected(pageFacts([bar], { page }))).toBeNull();
  });

  test('draws response times as a curve with its range in words, and a gap for an hour without one [42.63]', () => {
    expect(chartOf([100, 200, null, 50, null, 100, 200])).toEqual([
      'M0 24l1-24M3 36h0M5 24l1-24',
      'Response times of 24 hours: 50 ms to 200 ms',
    ]);
    expect(chartOf([100, null])).toBeNull();
    expect(chartOf([100, 200], 'figure')).toBeNull();
  });

  test('draws one path for each class of days, each of its own height or pattern [42.32]', () => {
    const happened = {
      0: { downMs: 1 },
      1: { degradedMs: 1 },
      2: { excludedMs: 1 },
      3: { unobservedMs: DAY },
    };
    const html = renderPage(
      pageFacts([serviceFacts('A', { days: daysOf({ count: 6, happened }) })]),
      NOW,
    );
    const bar = /<svg\s+class="bar"[\s\S]*?<\/svg>/.exec(html)![0].replaceAll(/\s+/g, ' ');
    expect([...bar.matchAll(/<path [^>]*>/g)].map(([path]) => path)).toEqual([
      '<path class="u" d="M0 21h2" />',
      '<path class="w" d="M4 18.5h1" />',
      '<path class="d" d="M5 16h1" />',
      '<path class="t" stroke="url(#m)" d="M3 21h1" />',
      '<path class="n" stroke="url(#h)" d="M2 21h1" />',
    ]);
  });
});

test('static files are those that documents link, under the hash of their content [42.37]', () => {
  const html = renderPage(pageFacts([serviceFacts('A')]), NOW);
  const linked = [...html.matchAll(/(?:href|src)="(_\/[^"]+)"/g)].map(([, path]) => path);
  const paths = ASSETS.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(linked));
  expect(paths.map((path) => path.split('/')[2])).toEqual([
    'style.css',
    'live.js',
    'up.svg',
    'down.svg',
    'degraded.svg',
    'maintenance.svg',
    'unknown.svg',
    'paused.svg',
    ...FONT_FILES.map(({ name }) => name),
  ]);
  const style = ASSETS[0]!.bytes.toString();
  expect(style).not.toMatch(/url\(|@import|https?:/);
});

/** The curve of a service's response times and the words for its range; null without a chart. */
function chartOf(
  responseTimes: readonly (number | null)[],
  display: Display = 'response_time',
): string[] | null {
  const html = renderPage(pageFacts([serviceFacts('A', { display, responseTimes })]), NOW);
  return /<path d="([^"]*)" \/>[\s\S]*?class="tbl">([^<]*)</.exec(html)?.slice(1) ?? null;
}
