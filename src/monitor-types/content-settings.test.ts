import { expect, test, describe } from 'vitest';
import {
  patternSize,
  jsonAssertionSettings,
  keywordSettings,
  contentCheckOf,
} from './content-settings.ts';

test.for([
  ['', 0],
  ['abc', 3],
  ['a{3}', 3],
  ['a{3}b', 4],
  ['a{2,5}', 5],
  ['a{7,}', 7],
  ['a{0,1000}', 1000],
  ['a{0}', 1],
  ['ab{10}', 11],
  ['(ab){10}', 30],
  ['((a{10}){10}){10}', 1110],
  ['a{10}{10}', 100],
  ['[a-z]{50}', 50],
  ['[]{3}a]{50}', 50],
  ['[^\\]x]{5}', 5],
  ['\\d{20}', 20],
  ['\\{20}', 4],
  ['\\Qa{9}\\E', 8],
  ['a|b{4}', 6],
  ['a{x}', 4],
  ['{5}', 0],
  ['(((', 0],
  [')))', 3],
  ['a{0,1000}'.repeat(110), 110_000],
] as const)('%s has %i steps', ([pattern, size]) => {
  expect(patternSize(pattern)).toBe(size);
});

const KEYWORDS = keywordSettings.parse({ keywords: [{ phrase: 'Welcome', mode: 'must_contain' }] });
const ASSERTIONS = jsonAssertionSettings.parse({
  assertions: [{ path: 'status', operator: 'equals', value: 'ok' }],
});
const KEYWORD_CHECK = {
  kind: 'keyword',
  target: 'html',
  keywords: [{ phrase: 'Welcome', mode: 'must_contain', caseSensitive: false }],
};
const JSON_CHECK = {
  kind: 'json',
  assertions: [{ path: 'status', operator: 'equals', value: 'ok' }],
};

describe('which check is on', () => {
  test.each([
    [[], null, null, null],
    [[], KEYWORDS, ASSERTIONS, null],
    [['ssl', 'dns'], KEYWORDS, null, null],
    [['keyword'], KEYWORDS, null, KEYWORD_CHECK],
    [['ssl', 'keyword'], KEYWORDS, ASSERTIONS, KEYWORD_CHECK],
    [['json', 'domain'], KEYWORDS, ASSERTIONS, JSON_CHECK],
    [['json'], null, ASSERTIONS, JSON_CHECK],
    [['keyword'], null, ASSERTIONS, null],
    [['json'], KEYWORDS, null, null],
  ] as const)('%j with %j and %j', (types, keywords, assertions, check) => {
    expect(contentCheckOf([...types], keywords, assertions)).toEqual(check);
  });
});

test.each([
  [{}, { caseSensitive: false }],
  [{ case_sensitive: false }, { caseSensitive: false }],
  [{ case_sensitive: true }, { caseSensitive: true }],
  [{ mode: 'must_not_contain' }, { mode: 'must_not_contain' }],
])('a keyword with %j', (more, shown) => {
  const keyword = { phrase: 'a', mode: 'must_contain', ...more };
  const settings = keywordSettings.parse({ keywords: [keyword], search_target: 'text' });
  expect(contentCheckOf(['keyword'], settings, null)).toEqual({
    kind: 'keyword',
    target: 'text',
    keywords: [{ phrase: 'a', mode: 'must_contain', caseSensitive: false, ...shown }],
  });
});

test.each([
  [
    { operator: 'equals', value: null },
    { operator: 'equals', value: null },
  ],
  [
    { operator: 'equals', value: false },
    { operator: 'equals', value: false },
  ],
  [
    { operator: 'gt', value: '5' },
    { operator: 'gt', value: '5' },
  ],
  [{ operator: 'exists' }, { operator: 'exists' }],
  [{ operator: 'not_exists', value: 'x' }, { operator: 'not_exists' }],
  [{ operator: 'exists', value: null }, { operator: 'exists' }],
])('an assertion %j', (sent, shown) => {
  const settings = jsonAssertionSettings.parse({ assertions: [{ path: 'a.0', ...sent }] });
  expect(contentCheckOf(['json'], null, settings)).toEqual({
    kind: 'json',
    assertions: [{ path: 'a.0', ...shown }],
  });
});

test.each([{}, { keywords: [] }])('settings without content are no check: %j', (settings) => {
  expect(contentCheckOf(['keyword'], settings, null)).toBeNull();
});
