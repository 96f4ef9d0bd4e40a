import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ASSERTION_OPERATORS, KEYWORD_MODES, SEARCH_TARGETS } from '../../model/content.ts';
import type { ContentCheck, JsonAssertion, Keyword } from '../../model/content.ts';
import { evaluateContent, failureOf } from './evaluate.ts';

const must = (phrase: string): Keyword => ({ phrase, mode: 'must_contain', caseSensitive: false });
const mustNot = (phrase: string): Keyword => ({ ...must(phrase), mode: 'must_not_contain' });
const keywords = (...list: Keyword[]): ContentCheck => ({
  kind: 'keyword',
  target: 'html',
  keywords: list,
});
const json = (...assertions: JsonAssertion[]): ContentCheck => ({ kind: 'json', assertions });
const status = { path: 'status', operator: 'equals', value: 'ok' } as const;

test.each<[string, ContentCheck, { code: string; text: string } | null]>([
  ['Welcome', keywords(must('Welcome'), mustNot('Fatal')), null],
  [
    'Hello',
    keywords(must('Welcome')),
    { code: 'keyword_missing', text: 'Keyword "Welcome" is missing' },
  ],
  [
    'Fatal',
    keywords(mustNot('Fatal')),
    { code: 'keyword_found', text: 'Keyword "Fatal" was found' },
  ],
  [
    'Fatal',
    keywords(must('Fatal'), must('Welcome'), mustNot('Fatal'), must('Hello')),
    { code: 'keyword_missing', text: 'Keyword "Welcome" is missing (and 2 more)' },
  ],
  [
    'Fatal',
    keywords(mustNot('Fatal'), must('x was found')),
    { code: 'keyword_found', text: 'Keyword "Fatal" was found (and 1 more)' },
  ],
  [
    'x',
    keywords(must('was found')),
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
  ['', keywords(must('a')), { code: 'keyword_missing', text: 'Keyword "a" is missing' }],
])('of %j by %j [17.7]', (body, check, failure) => {
  const outcome = evaluateContent(check, Buffer.from(body), 'text/html');
  expect(outcome.passed).toBe(failure === null);
  expect(failureOf(outcome)).toEqual(failure);
});

test('keywords are searched in the charset of the header, JSON is UTF-8 [17.8]', () => {
  const latin1 = 'text/html; charset=iso-8859-1';
  const passes = (check: ContentCheck, body: Buffer) => evaluateContent(check, body, latin1).passed;
  expect(passes(keywords(must('CAFÉ')), Buffer.from('café', 'latin1'))).toBe(true);
  expect(passes(keywords(must('CAFÉ')), Buffer.from('café'))).toBe(false);
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
