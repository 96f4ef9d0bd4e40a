import fc from 'fast-check';
import { expect, test, describe } from 'vitest';
import {
  ASSERTION_OPERATORS,
  KEYWORD_MODES,
  SEARCH_TARGETS,
  type ContentCheck,
  type JsonAssertion,
  type Keyword,
  type KeywordCheck,
} from '../../model/content.ts';
import { evaluateContent, failureOf, evaluateKeywords } from './evaluate.ts';

const must = (phrase: string): Keyword => ({ phrase, mode: 'must_contain', caseSensitive: false });
const mustNot = (phrase: string): Keyword => ({ ...must(phrase), mode: 'must_not_contain' });
const searching = (...list: Keyword[]): ContentCheck => ({
  kind: 'keyword',
  target: 'html',
  keywords: list,
});
const json = (...assertions: JsonAssertion[]): ContentCheck => ({ kind: 'json', assertions });
const status = { path: 'status', operator: 'equals', value: 'ok' } as const;

test.each<[string, ContentCheck, { code: string; text: string } | null]>([
  ['Welcome', searching(must('Welcome'), mustNot('Fatal')), null],
  [
    'Hello',
    searching(must('Welcome')),
    { code: 'keyword_missing', text: 'Keyword "Welcome" is missing' },
  ],
  [
    'Fatal',
    searching(mustNot('Fatal')),
    { code: 'keyword_found', text: 'Keyword "Fatal" was found' },
  ],
  [
    'Fatal',
    searching(must('Fatal'), must('Welcome'), mustNot('Fatal'), must('Hello')),
    { code: 'keyword_missing', text: 'Keyword "Welcome" is missing (and 2 more)' },
  ],
  [
    'Fatal',
    searching(mustNot('Fatal'), must('x was found')),
    { code: 'keyword_found', text: 'Keyword "Fatal" was found (and 1 more)' },
  ],
  [
    'x',
    searching(must('was found')),
    { code: 'keyword_missing', text: 'Keyword "was found" is missing' },
  ],
  ['{"status":"ok"}', json(status), null],
  [
    '{"status":"down"}',
    json(status, { path: 'load', operator: 'lt', value: 5 }),
    {
      code: 'json_assertion',
      text: 'JSON status is "down", expected "ok" (and 1 more)',
    },
  ],
  [
    'Not Found',
    json(status, { path: 'a', operator: 'exists' }),
    { code: 'json_assertion', text: 'The answer is not JSON' },
  ],
  ['', searching(must('a')), { code: 'keyword_missing', text: 'Keyword "a" is missing' }],
])('of %j by %j [17.7]', (body, check, failure) => {
  const outcome = evaluateContent(check, Buffer.from(body), 'text/html');
  expect(outcome.passed).toBe(failure === null);
  expect(failureOf(outcome)).toEqual(failure);
});

test('keywords are searched in the charset of the header, JSON is UTF-8 [17.8]', () => {
  const latin1 = 'text/html; charset=iso-8859-1';
  const passes = (check: ContentCheck, body: Buffer) => evaluateContent(check, body, latin1).passed;
  expect(passes(searching(must('CAFÉ')), Buffer.from('café', 'latin1'))).toBe(true);
  expect(passes(searching(must('CAFÉ')), Buffer.from('café'))).toBe(false);
  const cafe = json({ path: '$', operator: 'equals', value: 'café' });
  expect(passes(cafe, Buffer.from('"café"'))).toBe(true);
});

test('any response has one outcome per keyword or assertion', () => {
  const keyword = fc.record({
    phrase: fc.string({ minLength: 1 }),
    mode: fc.constantFrom(...KEYWORD_MODES),
    caseSensitive: fc.boolean(),
  });
  const assertion = fc.record({
    path: fc.constantFrom('a', '0', '$', 'a.b.0'),
    operator: fc.constantFrom(...ASSERTION_OPERATORS),
    value: fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
  });
  const check: fc.Arbitrary<ContentCheck> = fc.oneof(
    fc.record({
      kind: fc.constant('keyword' as const),
      keywords: fc.array(keyword, { minLength: 1, maxLength: 10 }),
      target: fc.constantFrom(...SEARCH_TARGETS),
    }),
    fc.record({
      kind: fc.constant('json' as const),
      assertions: fc.array(assertion, { minLength: 1, maxLength: 10 }),
    }),
  );
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.json().map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(check, body, fc.option(fc.string()), (one, bytes, contentType) => {
      const outcome = evaluateContent(one, bytes, contentType);
      const asked = one.kind === 'json' ? one.assertions : one.keywords;
      expect(outcome.outcomes).toHaveLength(asked.length);
      expect(outcome.passed).toBe(outcome.outcomes.every(({ passed }) => passed));
      expect(failureOf(outcome) === null).toBe(outcome.passed);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['10 MiB of brackets', '['.repeat(10_485_760), 'The answer is nested deeper than 100 levels'],
  [
    'brackets in UTF-16',
    Buffer.from(`\ufeff${'['.repeat(1_000)}`, 'utf16le'),
    'The answer is nested deeper than 100 levels',
  ],
  [
    'a million entries',
    `[${'1,'.repeat(1_000_000)}1]`,
    'The answer has more than 1,000,000 values and names',
  ],
])('JSON of %s is not parsed [17.17]', (_name, body, text) => {
  const outcome = evaluateContent(json(status), Buffer.from(body as string), null);
  expect(outcome).toEqual({ kind: 'json', passed: false, outcomes: [{ passed: false, text }] });
  expect(failureOf(outcome)).toEqual({ code: 'json_assertion', text });
});

test('JSON of 100 levels is parsed [17.17]', () => {
  const body = Buffer.from(`${'['.repeat(100)}${']'.repeat(100)}`);
  const check = json({ path: '0.0', operator: 'exists' });
  expect(evaluateContent(check, body, null).passed).toBe(true);
});

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
