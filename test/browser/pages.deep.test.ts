import type { Page } from 'playwright-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { findViolations } from '../support/chromium.ts';
import { useDemo } from './support/demo-visits.ts';
import { pageAddresses, type PageAddress } from './support/addresses.ts';
import { NO_PAGE_FAULTS, pageFaults } from './support/page-faults.ts';
import { isSettled, type Visit } from './support/visit.ts';
import { readFileSync } from 'node:fs';

const WORDS = new URL('../../web/words/', import.meta.url);

/** Names that are the same in every language. */
const NAMES = new Set(['Microsoft Teams', 'Google Chat', 'GitHub Actions']);

/** Texts of a page that are in the English words of the dashboard and not in the German ones. */
async function englishLeftOn(page: Page): Promise<string[]> {
  const text = (await page.evaluate(ALL_TEXT)) as string;
  const lines = new Set(text.split('\n'));
  const { whole, parts } = englishOnly();
  return [...whole.filter((one) => lines.has(one)), ...parts.filter((part) => text.includes(part))];
}

/** What people see and what screen readers say, one text on each line. */
const ALL_TEXT = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [document.title];
  while (walker.nextNode()) texts.push(walker.currentNode.data.trim());
  for (const element of document.querySelectorAll('[aria-label], [placeholder], [title]'))
    for (const name of ['aria-label', 'placeholder', 'title']) texts.push(element.getAttribute(name) ?? '');
  return texts.join('\\n');
})()`;

interface Phrases {
  /** Texts without values, of two words or more. */
  whole: string[];
  /** Parts between values, of three words or more: shorter ones are in other texts by chance. */
  parts: string[];
}

function englishOnly(): Phrases {
  const german = phrasesIn('de.ts');
  const english = phrasesIn('en.ts');
  const known = new Set([...german.whole, ...german.parts, ...NAMES]);
  const isOnlyEnglish = (text: string) => !known.has(text);
  return {
    whole: english.whole.filter(isOnlyEnglish),
    parts: english.parts.filter(isOnlyEnglish),
  };
}

function phrasesIn(file: string): Phrases {
  const source = readFileSync(new URL(file, WORDS), 'utf8').replaceAll(
    /\/\*\*.*?\*\/|^import.*?$/gms,
    '',
  );
  const whole: string[] = [];
  const parts: string[] = [];
  const texts = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`([^`]*)`/g;
  for (const [, single, double, template] of source.matchAll(texts)) {
    if (template === undefined) whole.push(single ?? double ?? '');
    else parts.push(...template.split(/\$\{[^}]*\}/).map((part) => part.trim()));
  }
  return {
    whole: whole.filter((text) => /\p{L} \p{L}/u.test(text)),
    parts: parts.filter((text) => /\p{L} \p{L}+ \p{L}/u.test(text)),
  };
}

// Every page is looked at on three screens.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 120_000 });

const { served, visitDemo } = useDemo();

let addresses: PageAddress[];

beforeAll(async () => {
  const { context } = await visitDemo();
  addresses = await pageAddresses(context.request, served().url);
  await context.close();
});

/** Opens the pages one after another, each in the browser of a person or of a visitor, and collects what is wrong. */
async function eachPage(
  options: { width?: number; language?: 'en' | 'de' },
  look: (page: Page, visited: Visit) => Promise<unknown>,
): Promise<Record<string, unknown>> {
  const person = await visitDemo(options);
  // Pages of links say that theirs leads to nothing.
  const visitor = await visitDemo({ as: null, expected: /status of 4\d\d/, ...options });
  const found: Record<string, unknown> = {};
  for (const { name, path, isEntry } of addresses) {
    const visited = isEntry ? visitor : person;
    found[name] = await visited.open(path).then((page) => look(page, visited));
  }
  await Promise.all([person.context.close(), visitor.context.close()]);
  return found;
}

const expectOnAll = (found: Record<string, unknown>, wanted: unknown) =>
  expect(found).toEqual(Object.fromEntries(addresses.map(({ name }) => [name, wanted])));

test('the pages of the dashboard are known', () => {
  expect(addresses.length).toBeGreaterThan(25);
});

test.each([1280, 768, 375])(
  'every page has one heading and a title, and is accessible in both themes, %i pixels wide',
  async (width) => {
    const found = await eachPage({ width }, async (page, { complaints }) => {
      await page.emulateMedia({ colorScheme: 'light' });
      const faults = await pageFaults(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      const inDark = await findViolations(page, 'colors');
      const title = await page.title();
      return {
        faults,
        inDark,
        hasTitle: /^\S.* · Tocsin$/.test(title),
        complaints: complaints.splice(0),
      };
    });
    expectOnAll(found, {
      faults: NO_PAGE_FAULTS,
      inDark: [],
      hasTitle: true,
      complaints: [],
    });
  },
);

/** Sums up how far what is shown moves by itself: the score of the Layout Instability API. */
const SUM_SHIFTS = `
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });`;

/** Above it people lose their place: half of what the Core Web Vitals call good. */
const MAX_SHIFT = 0.05;

test.each([1280, 375])('nothing moves while a page loads, %i pixels wide', async (width) => {
  const moving: Record<string, number> = {};
  const person = await visitDemo({ width });
  await person.context.addInitScript(SUM_SHIFTS);
  // Answers that take as long as over a network: each part of a page arrives by itself.
  let answers = 0;
  await person.context.route(/\/api\//, async (request) => {
    const delay = 60 + (answers++ % 4) * 60;
    await new Promise((next) => setTimeout(next, delay));
    await request.continue();
  });
  for (const { name, path, isEntry } of addresses) {
    if (isEntry) continue;
    const page = await person.open(path);
    await page.waitForLoadState('networkidle', { timeout: 1_500 }).catch(() => {});
    const shift = (await page.evaluate('window.shift')) as number;
    if (shift > MAX_SHIFT) moving[name] = shift;
  }
  await person.context.close();
  expect(moving).toEqual({});
});

test('in German no page has English words of the dashboard', async () => {
  const found = await eachPage({ language: 'de' }, async (page) => englishLeftOn(page));
  expectOnAll(found, []);
});

test('a page goes to another without losing its heading', async () => {
  const { page, open: go, context } = await visitDemo();
  await go('/monitors');
  const links = page.locator('nav').first().getByRole('link');
  const count = await links.count();
  expect(count).toBeGreaterThan(8);
  for (let index = 0; index < count; index += 1) {
    await links.nth(index).click();
    await isSettled(page);
    expect(await links.nth(index).getAttribute('aria-current')).toBe('page');
  }
  await context.close();
});
