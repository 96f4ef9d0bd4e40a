import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Keyword, KeywordCheck } from '../../model/content.ts';
import { evaluateKeywords } from './keywords.ts';

const keyword = (phrase: string, more: Partial<Keyword> = {}): Keyword => ({
  phrase,
  mode: 'must_contain',
  caseSensitive: false,
  ...more,
});
const checkOf = (target: KeywordCheck['target'], ...keywords: Keyword[]): KeywordCheck => ({
  kind: 'keyword',
  target,
  keywords,
});
const isFound = (target: KeywordCheck['target'], document: string, one: Keyword) =>
  evaluateKeywords(checkOf(target, one), document, 'text/html').passed;

describe('html is the document as sent', () => {
  test.each([
    ['Welcome', '<h1>Welcome</h1>', true],
    ['WELCOME', '<h1>Welcome</h1>', true],
    ['<h1>wel', '<h1>Welcome</h1>', true],
    ['Fish &amp; Chips', 'Fish &amp; Chips', true],
    ['Fish & Chips', 'Fish &amp; Chips', false],
    ['a b', 'a  b', false],
    ['alert(', '<script>alert(1)</script>', true],
    ['ÄRGER', 'ärger', true],
    ['ΟΔΟΣ', 'οδος', true],
    ['ΟΔΟΣ', 'οδοσα', true],
    ['straße', 'STRASSE', false],
    [' ', 'a', false],
    ['', 'a', true],
    ['<h1>Größe', '<h1>Gro\u0308ße', true],
    ['<h1>Gro\u0308ße', '<h1>Größe', true],
    ['fatal error', 'fa\0tal\u200d e\u2060rror', true],
    ['wel\u00adcome', 'Welcome', true],
    ['\u200b', 'a\u200bb', true],
    ['\u200b', 'ab', false],
  ])('%j in %j: %s [17.1, 17.19]', (phrase, document, found) => {
    expect(isFound('html', document, keyword(phrase))).toBe(found);
  });
});

describe('text is the visible text', () => {
  test.each([
    ['Welcome back', '<b>Wel</b>come\n  back', true],
    ['  Welcome \n back ', '<p>Welcome</p><p>back</p>', true],
    ['Fish & Chips', 'Fish &amp; Chips', true],
    ['<h1>', '<h1>a</h1>', false],
    ['alert', '<script>alert(1)</script>', false],
    ['café', 'cafe&#769;', true],
    ['cafe\u0301', 'café', true],
    [' ', 'a b', true],
    [' ', 'a', false],
    ...[0, 0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200b, 0x200d, 0x200e, 0x202e, 0x2060, 0x2066]
      .concat([0x3164, 0xfe0f, 0xfeff, 0xe0041, 0xe0100])
      .map((code) => String.fromCodePoint(code))
      .flatMap((invisible): [string, string, boolean][] => [
        ['abc def', `abc${invisible} def`, true],
        ['abc def', `a${invisible}bc ${invisible}${invisible} d${invisible}ef`, true],
        [`abc ${invisible} def`, 'abc def', true],
        ['abc def', `abc${invisible}def`, false],
        [invisible, 'abc', false],
        [invisible, `a${invisible}b`, true],
      ]),
    ['\u200e \u200e', 'ab', false],
    ['\u200e \u200e', 'a b', true],
  ])('%j in %j: %s [17.19]', (phrase, document, found) => {
    expect(isFound('text', document, keyword(phrase))).toBe(found);
  });
});

test.each([
  ['Welcome', 'Welcome', true],
  ['Welcome', 'welcome', false],
  ['é', 'É', false],
])('case-sensitive: %j in %j: %s [17.5]', (phrase, document, found) => {
  const sensitive = keyword(phrase, { caseSensitive: true });
  expect(isFound('html', document, sensitive)).toBe(found);
  expect(isFound('text', document, sensitive)).toBe(found);
});

test('each keyword has its outcome, in order [20.6]', () => {
  const banned = { mode: 'must_not_contain' } as const;
  const check = checkOf(
    'html',
    keyword('Welcome'),
    keyword('Goodbye'),
    keyword('Fatal', banned),
    keyword('Wel', banned),
    keyword('WELCOME', { caseSensitive: true }),
    keyword(`say "hi"\n${'x'.repeat(100)}`),
  );
  expect(evaluateKeywords(check, 'Welcome!', null)).toEqual({
    kind: 'keyword',
    passed: false,
    outcomes: [
      { passed: true, text: 'Keyword "Welcome" was found' },
      { passed: false, text: 'Keyword "Goodbye" is missing' },
      { passed: true, text: 'Keyword "Fatal" is absent' },
      { passed: false, text: 'Keyword "Wel" was found' },
      { passed: false, text: 'Keyword "WELCOME" is missing' },
      { passed: false, text: `Keyword "say "hi" ${'x'.repeat(50)}…" is missing` },
    ],
  });
});

test('in html a case-sensitive phrase is found where it occurs, required or forbidden', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '<', ' ', 'é', '😀') });
  fc.assert(
    fc.property(text, text, fc.boolean(), (document, phrase, caseSensitive) => {
      const isThere = caseSensitive
        ? document.indexOf(phrase) !== -1
        : document.toLowerCase().indexOf(phrase.toLowerCase()) !== -1;
      expect(isFound('html', document, keyword(phrase, { caseSensitive }))).toBe(isThere);
      const forbidden = keyword(phrase, { caseSensitive, mode: 'must_not_contain' });
      expect(isFound('html', document, forbidden)).toBe(!isThere);
    }),
    { numRuns: 500 },
  );
});

test('in text a phrase is found across tags and line breaks [17.3]', () => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  const gap = fc.constantFrom(' ', '\n', ' \t ', '<br>', '</p><p>', ' <b> ', '&nbsp;', '<!-- --> ');
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), gap, (words, between) => {
      expect(isFound('text', `x ${words.join(between)} y`, keyword(words.join(' ')))).toBe(true);
    }),
  );
});
