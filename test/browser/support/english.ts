import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const WORDS = new URL('../../../web/words/', import.meta.url);
/** Names that are the same in every language. */
const NAMES = new Set(['Microsoft Teams', 'Google Chat', 'GitHub Actions']);

/** Texts of a page that are in the English words of the dashboard and not in the German ones. */
export async function englishLeftOn(page: Page): Promise<string[]> {
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
