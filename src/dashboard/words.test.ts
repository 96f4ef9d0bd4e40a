import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { en } from '../../web/words/en.ts';
import { LANGUAGE_NAMES } from '../../web/words/languages.ts';
import { LANGUAGES } from './manifest.ts';
import { sectionOf, withSections } from './words.ts';

const IMPORT = "import { words } from '../words/index.ts';";

describe('a module gets the sections that it names', () => {
  test.each([
    ['a member', 'say(words.nav.title);', ['nav']],
    ['members, each once', 'words.nav.a + words.common.b + words.nav.c', ['common', 'nav']],
    ['parts', 'const { nav, common: shared } = words;', ['common', 'nav']],
    ['parts of a section', 'const { title } = words.nav;', ['nav']],
    ['in a template', '`${words.nav.title}`', ['nav']],
    ['not a property of that name', 'words.nav; other.words.title; helpers_words.x', ['nav']],
    ['not a file of that name', "import { a } from './words.ts'; words.nav", ['nav']],
  ])('%s', (_what, code, sections) => {
    const changed = withSections(`${IMPORT}\n${code}`, 'a.ts')!;
    const imported = Array.from(changed.matchAll(/from 'words:(\w+)'/g), ([, name]) => name);
    expect(imported).toEqual(sections);
    expect(changed.split('\n')[1]).toBe(code);
    expect(changed).not.toContain('index.ts');
  });

  test.each([
    ['has no words', "import { a } from './a.ts';"],
    ['imports their type', "import type { Words } from '../words/index.ts';"],
  ])('a module that %s stays as it is', (_what, source) => {
    expect(withSections(source, 'a.ts')).toBeNull();
  });

  test.each([
    ['without a section', `${IMPORT}\nsay(words);`],
    ['under another name', "import { words as all } from '../words/index.ts';\nall.nav"],
    ['with other names', "import { words, other } from '../words/index.ts';\nwords.nav"],
  ])('words that are used %s are refused, with the name of the file', (_how, source) => {
    expect(() => withSections(source, 'web/a.ts')).toThrow('web/a.ts must import the words');
  });
});

const FILE = `const grouped = (value: number) => String(value);

/** Words. */
export const en = {
  nav: {
    title: 'Title',
    deeper: {
      text: 'Text',
    },
  },

  common: {
    count: (value: number) => grouped(value),
  },
};
`;

test('a section is a module with what all sections share', () => {
  expect(sectionOf(FILE, 'common')).toBe(`const grouped = (value: number) => String(value);

/** Words. */
export default {
    count: (value: number) => grouped(value),
};
`);
  expect(sectionOf(FILE, 'nav')).not.toContain('count');
  expect(() => sectionOf(FILE, 'deeper')).toThrow('There are no words named deeper.');
});

test('every section of every language is found, and every section is used', () => {
  const web = new URL('../../web/', import.meta.url);
  const used = new Set<string>();
  for (const name of globSync('{app,pages,parts}/**/*.{ts,tsx}', { cwd: web })) {
    if (name.includes('.test.')) continue;
    const changed = withSections(readFileSync(new URL(name, web), 'utf8'), name) ?? '';
    for (const [, section] of changed.matchAll(/from 'words:(\w+)'/g)) used.add(section!);
  }
  expect(Object.keys(LANGUAGE_NAMES)).toEqual([...LANGUAGES]);
  for (const language of LANGUAGES) {
    const text = readFileSync(new URL(`words/${language}.ts`, web), 'utf8');
    const sections = Array.from(text.matchAll(/^ {2}(\w+): \{$/gm), ([, name]) => name!);
    expect(sections.toSorted()).toEqual([...used].toSorted());
    for (const section of sections) expect(sectionOf(text, section)).toContain('export default {');
  }
});

test('every word is named where pages are written', () => {
  const web = new URL('../../web/', import.meta.url);
  const code = globSync('{app,lib,pages,parts}/**/*.{ts,tsx}', { cwd: web })
    .filter((name) => !/\.(test|gen)\./.test(name))
    .map((name) => readFileSync(new URL(name, web), 'utf8'));
  const named = new Set(code.join('\n').match(/[\w$]+/g));
  const unused = wordsOf(en).filter((key) => /^[a-z]+([A-Z][a-z]*)*$/.test(key) && !named.has(key));
  expect(unused.filter((key) => !OF_THE_API.has(key))).toEqual([]);
});

/** Words with the names that the API uses: regions, kinds of results and of messages, ways to sign in, fonts of pages. */
const OF_THE_API = new Set(
  'ash pdx nbg sin stale alarm topic oidc google inter humanist monospace'.split(' '),
);

/** Names of all words of a section and of the sections in it: of ours, and codes of the API such as `report.created`. */
function wordsOf(section: object): string[] {
  return Object.entries(section).flatMap(([name, word]) =>
    typeof word === 'object' && !Array.isArray(word) ? wordsOf(word) : [name],
  );
}
