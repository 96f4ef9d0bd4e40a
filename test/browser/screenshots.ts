/**
 * Takes pictures of every page of the dashboard on the data of the demo: wide and narrow, light and dark.
 * `npm run screenshots`, and `npm run screenshots -- --only monitors-id,incidents --out pictures --language de`. With
 * `--window` they show what a window shows, without scrolling. `--mails` takes pictures of a mail of each kind.
 */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { launchChromium } from '../support/launch-chromium.ts';
import { sampleMails, showMail } from '../support/sample-mails.ts';
import { pageAddresses } from './support/addresses.ts';
import { OWNER, PASSWORD, serveDemo } from './support/demo.ts';
import { isSettled, visit } from './support/visit.ts';

const WIDTHS = { wide: 1280, narrow: 375 };
/** Widths of a phone and of the reading pane of a mail program. */
const MAIL_WIDTHS = [375, 700];
const SCHEMES = ['light', 'dark'] as const;
/** Time in which charts are drawn after their data arrived, in milliseconds. */
const DRAWING_MS = 600;
/** Pixels. */
const MAX_HEIGHT = 8_000;

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'screenshots' },
    only: { type: 'string' },
    window: { type: 'boolean', default: false },
    mails: { type: 'boolean', default: false },
    language: { type: 'string', default: 'en' },
  },
});
const { out, only } = values;
const language = values.language === 'de' ? 'de' : 'en';
mkdirSync(out, { recursive: true });
// Hinting moves letters to whole pixels, which closes the gaps between words of small text.
const browser = await launchChromium('--font-render-hinting=none');
try {
  await (values.mails ? takeMails() : takePages());
} finally {
  await browser.close();
}

async function takeMails(): Promise<void> {
  const page = await browser.newPage();
  for (const [name, mail] of Object.entries(sampleMails())) {
    if (only !== undefined && !only.split(',').includes(name)) continue;
    for (const width of MAIL_WIDTHS) {
      for (const colorScheme of SCHEMES) {
        await page.setViewportSize({ width, height: 300 });
        await page.emulateMedia({ colorScheme });
        await page.setContent(showMail(mail));
        await page.screenshot({
          path: path.join(out, `mail-${name}-${width}-${colorScheme}.png`),
          fullPage: true,
        });
      }
    }
  }
}

async function takePages(): Promise<void> {
  const served = await serveDemo();
  try {
    await visitPages(served.url);
  } finally {
    await served.close();
  }
}

async function visitPages(url: string): Promise<void> {
  const as = { email: OWNER, password: PASSWORD };
  const person = await visit(browser, { url, as, language });
  const visitor = await visit(browser, { url, as: null, language });
  const addresses = await pageAddresses(person.context.request, url);
  const wanted = addresses.filter(
    ({ name }) => only === undefined || only.split(',').includes(name),
  );
  for (const { name, path: address, isEntry } of wanted) {
    const { page, complaints } = isEntry ? visitor : person;
    for (const [size, width] of Object.entries(WIDTHS)) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(url + address);
      await isSettled(page);
      if (!values.window) await page.setViewportSize({ width, height: await heightOf(page) });
      await page.waitForTimeout(DRAWING_MS);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        const file = path.join(out, `${name}-${size}-${colorScheme}.png`);
        await page.screenshot({ path: file });
      }
    }
    for (const complaint of complaints.splice(0)) console.error(`${address}: ${complaint}`);
  }
  console.log(`${wanted.length * 4} pictures are in ${out}.`);
}

/** Height of a page in pixels. Long lists render what the window shows, so that it must be as high as they are. */
async function heightOf(page: Page): Promise<number> {
  const height = (await page.evaluate('document.documentElement.scrollHeight')) as number;
  return Math.min(MAX_HEIGHT, Math.max(900, height));
}
