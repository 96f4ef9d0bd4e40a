import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openApi } from '../support/api.ts';
import { browser, findViolations } from '../support/chromium.ts';
import { openInMemory } from '../support/memory-database.ts';

// The rules read every element of the reference, of which there are many.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });

const open = browser();
let base = '';
let close = async () => {};

beforeAll(async () => {
  const { app } = await openApi(await openInMemory());
  await app.listen({ host: '127.0.0.1', port: 0 });
  base = `http://localhost:${(app.server.address() as AddressInfo).port}`;
  close = () => app.close();
});

afterAll(() => close());

const PAGES = ['/docs', '/report-unsubscribe', '/report'];

describe.each(PAGES)('%s', (path) => {
  test.each([1280, 375])(
    'is accessible in both themes and complete, %i pixels wide',
    async (width) => {
      const page = await (
        await open()
      ).newPage({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
      try {
        const refused: string[] = [];
        page.on('console', (message) => {
          if (/Content Security Policy/.test(message.text())) refused.push(message.text());
        });
        await page.goto(base + path, { waitUntil: 'load' });
        await page.locator('h1').first().waitFor();
        // As once they were scrolled to: the rules read places that the browser has only estimated.
        await page.evaluate(
          `for (const article of document.querySelectorAll('article')) article.style.contentVisibility = 'visible'`,
        );
        expect(await findViolations(page)).toEqual([]);
        expect(await page.evaluate(widthOfDocument)).toBeLessThanOrEqual(width);
        expect(await page.evaluate(textsCutOff)).toEqual([]);
        expect(refused).toEqual([]);
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await findViolations(page, 'colors')).toEqual([]);
      } finally {
        await page.close();
      }
    },
  );
});

test.each(['listRegions', 'schema-WebhookMonitor'])(
  'a link to %s of the reference leads there, though what is above has no layout yet',
  async (id) => {
    const page = await (await open()).newPage({ viewport: { width: 1280, height: 900 } });
    try {
      await page.goto(`${base}/docs#${id}`, { waitUntil: 'load' });
      await expect
        .poll(() => page.evaluate(`document.getElementById('${id}').getBoundingClientRect().top`))
        .toSatisfy((top: number) => top >= 0 && top < 300);
    } finally {
      await page.close();
    }
  },
);

const widthOfDocument = 'document.documentElement.scrollWidth';

/** Texts that their element hides a part of, other than those for screen readers only. */
const textsCutOff = `[...document.querySelectorAll('body *')]
  .filter((element) => {
    const { overflowX, textOverflow, position } = getComputedStyle(element);
    const isCut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1;
    return isCut && position !== 'absolute' && (overflowX === 'hidden' || textOverflow === 'ellipsis');
  })
  .map((element) => element.textContent.trim().slice(0, 60))`;
