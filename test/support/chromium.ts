import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { launchChromium } from './launch-chromium.ts';

/** Violation of an accessibility rule, with the elements concerned. */
export interface Violation {
  rule: string;
  elements: string[];
}

/** Starts a browser on first use, and closes it after the tests of the file. */
export function browser(): () => Promise<Browser> {
  let starting: Promise<Browser> | null = null;
  afterAll(async () => (await starting)?.close());
  return () => (starting ??= launchChromium());
}

/** Rules of axe that judge colors: all that another theme can break. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Runs all rules of axe on a page, or those of colors only. */
export async function findViolations(page: Page, which?: 'colors'): Promise<Violation[]> {
  const axe = path.join(path.dirname(findPackageJSON('axe-core', import.meta.url)!), 'axe.min.js');
  // Evaluated by the debugger, to which the page's policy does not apply.
  await page.evaluate(await readFile(axe, 'utf8'));
  const options = {
    ...(which === 'colors'
      ? { runOnly: COLOR_RULES }
      : { rules: { 'target-size': { enabled: true } } }),
    // Elements that pass are not described one by one.
    resultTypes: ['violations'],
  };
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResult;
  return violations.map(({ id, nodes }) => ({ rule: id, elements: nodes.map(({ html }) => html) }));
}

interface AxeResult {
  violations: { id: string; nodes: { html: string }[] }[];
}
