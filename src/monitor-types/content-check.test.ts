import { describe, expect, test } from 'vitest';
import { jsonAssertionSettings, keywordSettings } from './content-settings.ts';
import { contentCheckOf } from './content-check.ts';

const KEYWORDS = { keywords: [{ phrase: 'Welcome', mode: 'must_contain' }] };
const ASSERTIONS = { assertions: [{ path: 'status', operator: 'equals', value: 'ok' }] };
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
  const settings = { keywords: [keyword], search_target: 'text' };
  expect(keywordSettings.safeParse(settings).success).toBe(true);
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
  const settings = { assertions: [{ path: 'a.0', ...sent }] };
  expect(jsonAssertionSettings.safeParse(settings).success).toBe(true);
  expect(contentCheckOf(['json'], null, settings)).toEqual({
    kind: 'json',
    assertions: [{ path: 'a.0', ...shown }],
  });
});

test.each([{}, { keywords: [] }])('settings without content are no check: %j', (settings) => {
  expect(contentCheckOf(['keyword'], settings, null)).toBeNull();
});
