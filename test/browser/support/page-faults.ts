import type { Page } from 'playwright-core';
import { findViolations, type Violation } from '../../support/chromium.ts';

/** What keeps a page from being usable. */
export interface PageFaults {
  headings: number;
  /** Pixels by which the page is wider than its window. */
  excess: number;
  /** Texts that their element cuts without a sign of it. */
  cutTexts: string[];
  violations: Violation[];
}

export const NO_PAGE_FAULTS: PageFaults = { headings: 1, excess: 0, cutTexts: [], violations: [] };

/** Looks for faults of an open page, by all rules of accessibility among others. */
export async function pageFaults(page: Page): Promise<PageFaults> {
  return {
    headings: await page.locator('h1').count(),
    excess: (await page.evaluate(EXCESS)) as number,
    cutTexts: (await page.evaluate(CUT_TEXTS)) as string[],
    violations: await findViolations(page),
  };
}

const EXCESS = 'Math.max(0, document.documentElement.scrollWidth - window.innerWidth)';

/** Except those for screen readers only, and those that end in an ellipsis; frames have no text of their own. */
const CUT_TEXTS = `[...document.querySelectorAll('main *, aside *')]
  .filter((element) => {
    const { overflowX, textOverflow, position } = getComputedStyle(element);
    const isCut = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1;
    return isCut && position !== 'absolute' && overflowX === 'hidden' && textOverflow !== 'ellipsis';
  })
  .map((element) => element.textContent.trim().slice(0, 60))
  .filter((text) => text !== '')`;
