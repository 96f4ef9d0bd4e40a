import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ASSERTION_OPERATORS } from '../../model/content.ts';
import type { AssertionOperator, JsonAssertion } from '../../model/content.ts';
import { evaluateAssertions, readJson } from './json-assertions.ts';

const evaluate = (document: string, ...assertions: JsonAssertion[]) =>
  evaluateAssertions({ kind: 'json', assertions }, readJson(Buffer.from(document)));
const holds = (found: string, operator: AssertionOperator, value?: JsonAssertion['value']) =>
  evaluate(`{"a":${found}}`, { path: 'a', operator, ...(value === undefined ? {} : { value }) })
    .passed;

const VALUES = {
  text: '"abc"',
  five: '5',
  'five as text': '"5"',
  half: '0.5',
  true: 'true',
  false: 'false',
  null: 'null',
  object: '{"abc":1,"5":2}',
  list: '["abc",5,null,[1],true]',
  'an empty list': '[]',
} as const;
type Kind = keyof typeof VALUES;

const passing = (operator: AssertionOperator, value: JsonAssertion['value']) =>
  (Object.keys(VALUES) as Kind[]).filter((kind) => holds(VALUES[kind], operator, value));

/** Values that pass each assertion; no others do. */
const PASSES: [AssertionOperator, JsonAssertion['value'], Kind[]][] = [
  ['exists', undefined, Object.keys(VALUES) as Kind[]],
  ['not_exists', undefined, []],
  ['equals', 'abc', ['text']],
  ['equals', 'ABC', []],
  ['equals', 5, ['five']],
  ['equals', '5', ['five as text']],
  ['equals', 0.5, ['half']],
  ['equals', true, ['true']],
  ['equals', 'true', []],
  ['equals', false, ['false']],
  ['equals', null, ['null']],
  ['equals', '', []],
  ['contains', 'b', ['text']],
  ['contains', 'B', []],
  ['contains', 'abc', ['text', 'object', 'list']],
  ['contains', '', ['text', 'five as text']],
  ['contains', 5, ['five as text', 'list']],
  ['contains', '5', ['five as text', 'object']],
  ['contains', null, ['list']],
  ['contains', true, ['list']],
  ['gt', 4, ['five', 'five as text']],
  ['gt', 5, []],
  ['gt', '4.5', ['five', 'five as text']],
  ['gte', 5, ['five', 'five as text']],
  ['lt', 5, ['half']],
  ['lt', 6, ['five', 'five as text', 'half']],
  ['lte', '5', ['five', 'five as text', 'half']],
  ['lte', -1, []],
  ['regex', '^[a-c]+$', ['text']],
  ['regex', '(?i)ABC', ['text']],
  ['regex', '5', ['five', 'five as text', 'half']],
  ['regex', '^(true|null)$', ['true', 'null']],
  ['regex', '', ['text', 'five', 'five as text', 'half', 'true', 'false', 'null']],
  ['regex', '(', []],
];

describe('an operator against a value of each kind [17.10, 17.11]', () => {
  test.each(PASSES)('%s %j', (operator, value, kinds) => {
    expect(passing(operator, value)).toEqual(kinds);
  });

  test.each(
    PASSES.filter(([operator]) => ['equals', 'contains'].includes(operator)).map(
      ([operator, value]) => [operator, value] as const,
    ),
  )('not_%s %j is the opposite', (operator, value) => {
    for (const found of Object.values(VALUES)) {
      const opposite = `not_${operator}` as AssertionOperator;
      expect(holds(found, opposite, value)).toBe(!holds(found, operator, value));
    }
  });

  test('not_regex is the opposite where there is text to search [17.13]', () => {
    expect(passing('not_regex', '5')).toEqual(['text', 'true', 'false', 'null']);
    expect(passing('not_regex', '^$')).toEqual([
      'text',
      'five',
      'five as text',
      'half',
      'true',
      'false',
      'null',
    ]);
    expect(passing('not_regex', '(')).toEqual([]);
  });

  test('a missing value passes only not_exists [17.14]', () => {
    const operators = ASSERTION_OPERATORS.filter(
      (operator) => evaluate('{}', { path: 'a', operator, value: '5' }).passed,
    );
    expect(operators).toEqual(['not_exists']);
  });
});

describe('a path', () => {
  const DOCUMENT = JSON.stringify({
    data: { items: [{ name: 'first' }, { name: 'second' }], none: null, 'a.b': 1 },
    0: 'zero',
    '': 'empty',
  });

  test.each([
    ['data.items.0.name', '"first"'],
    ['data.items[1].name', '"second"'],
    ['$.data.none', 'null'],
    ['data["a.b"]', '1'],
    ['0', '"zero"'],
    ['[""]', '"empty"'],
    ['data', 'an object'],
    ['$', 'an object'],
    ['data.items', 'a list of 2'],
  ])('%s leads to %s [17.9]', (path, got) => {
    const { passed, outcomes } = evaluate(DOCUMENT, { path, operator: 'exists' });
    expect([passed, outcomes[0]?.text]).toEqual([
      true,
      `JSON ${path} is ${got}, expected to exist`,
    ]);
  });

  test.each([
    'none',
    'data.items.2',
    'data.items.x',
    'data.items.length',
    'data.items.-1',
    'data.items.0.name.0',
    'data.none.x',
    'data.items.99999999999999999999',
    '__proto__',
    'constructor',
    'constructor.name',
    'data.items.constructor',
    'data.items.0.toString',
    'data.items.0.name.length',
  ])('%s leads nowhere', (path) => {
    expect(evaluate(DOCUMENT, { path, operator: 'not_exists' }).passed).toBe(true);
  });

  test('leads to own keys with inherited names', () => {
    const document = '{"__proto__":{"x":1},"constructor":2,"hasOwnProperty":3}';
    const paths = ['__proto__.x', 'constructor', 'hasOwnProperty'];
    const outcome = evaluate(
      document,
      ...paths.map((path, index) => ({ path, operator: 'equals' as const, value: index + 1 })),
    );
    expect(outcome.passed).toBe(true);
  });

  test.each([
    ['a document that is a list', '[[1,2],[3]]', '1.0', 3],
    ['a document that is a number', '7', '$', 7],
  ])('into %s', (_, document, path, value) => {
    expect(evaluate(document, { path, operator: 'equals', value }).passed).toBe(true);
  });
});

const spelled = (digits: string): Partial<JsonAssertion> => ({
  value: Number(digits),
  ...(String(Number(digits)) !== digits && { spelling: digits }),
});

describe('numbers are compared as they are written [17.18]', () => {
  test.each<[found: string, AssertionOperator, expected: string, passes: boolean]>([
    ['9007199254740993', 'equals', '9007199254740992', false],
    ['9007199254740993', 'equals', '9007199254740993', true],
    ['9007199254740993', 'not_equals', '9007199254740992', true],
    ['9007199254740993', 'gt', '9007199254740992', true],
    ['9007199254740993', 'lte', '9007199254740992', false],
    ['9007199254740993', 'gte', '9007199254740993', true],
    ['"9007199254740993"', 'gt', '9007199254740992', true],
    ['"9007199254740993"', 'equals', '9007199254740993', false],
    ['"id 9007199254740993"', 'contains', '9007199254740993', true],
    ['[1, 9007199254740993]', 'contains', '9007199254740993', true],
    ['[1, 9007199254740993]', 'contains', '9007199254740992', false],
    [
      '[9007199254740992, "x", {"y":[]}, 9007199254740993 ]',
      'not_contains',
      '9007199254740993',
      false,
    ],
    ['[[9007199254740993]]', 'contains', '9007199254740993', false],
    ['{"9007199254740993":1}', 'contains', '9007199254740993', false],
    ['1.0', 'equals', '1', true],
    ['1', 'equals', '1.00', true],
    ['1e2', 'equals', '100', true],
    ['1.0000000000000000001', 'equals', '1', false],
    ['1.0000000000000000001', 'gt', '1', true],
    ['1e400', 'equals', '1e400', true],
    ['1e400', 'equals', '2e400', false],
    ['1e400', 'lt', '2e400', true],
    ['-1e400', 'lt', '0', true],
    ['1e-400', 'gt', '0', true],
    ['0', 'equals', '-0', true],
    ['-0.0', 'equals', '0', true],
  ])('%s %s %s: %s', (found, operator, expected, passes) => {
    const assertion = { path: 'a', operator, ...spelled(expected) };
    expect(evaluate(`{"b":0,"a":${found}}`, assertion).passed).toBe(passes);
  });

  test.each([
    ['9007199254740993', '^9007199254740993$', true],
    ['9007199254740993', '992$', false],
    ['1.50', String.raw`^1\.50$`, true],
    ['1e400', 'Infinity', false],
    ['1E+2', '^1E\\+2$', true],
    ['-0', '^-0$', true],
  ])('%s matches %s: %s', (found, value, passes) => {
    expect(holds(found, 'regex', value)).toBe(passes);
    expect(holds(found, 'not_regex', value)).toBe(!passes);
  });

  test.each([
    ['1e400', { value: 1 }, 'JSON a is 1e400, expected 1'],
    ['1.0', spelled('2.0'), 'JSON a is 1.0, expected 2.0'],
    [`1${'0'.repeat(99)}`, { value: 1 }, `JSON a is 1${'0'.repeat(58)}…, expected 1`],
  ])('%s is shown as it is written', (found, expected, text) => {
    const { outcomes } = evaluate(`{"a":${found}}`, { path: 'a', operator: 'equals', ...expected });
    expect(outcomes[0]?.text).toBe(text);
  });
});

describe('the text', () => {
  const long = 'x'.repeat(100);
  const LONG = `"${'x'.repeat(59)}…"`;
  const ODD = String.raw`{"a":"one\ntwo\u202e\u0000\ud800three"}`;
  const NO_PATTERN = `JSON a is "b", the pattern can't be read, expected to match (`;
  test.each<[string, JsonAssertion['operator'], unknown, string]>([
    ['{}', 'equals', 1, 'JSON a is missing, expected 1'],
    ['{}', 'exists', undefined, 'JSON a is missing, expected to exist'],
    ['{"a":1}', 'not_exists', undefined, 'JSON a is 1, expected not to exist'],
    ['{"a":null}', 'not_equals', null, 'JSON a is null, expected other than null'],
    ['{"a":[1,2,3]}', 'contains', 4, 'JSON a is a list of 3, expected to contain 4'],
    ['{"a":[]}', 'equals', true, 'JSON a is an empty list, expected true'],
    ['{"a":"fatal"}', 'not_contains', 'fat', 'JSON a is "fatal", expected not to contain "fat"'],
    ['{"a":5}', 'gt', 7, 'JSON a is 5, expected greater than 7'],
    ['{"a":5}', 'gte', '7', 'JSON a is 5, expected at least "7"'],
    ['{"a":"high"}', 'lte', 7, 'JSON a is "high", not a number, expected at most 7'],
    ['{"a":{}}', 'lt', 7, 'JSON a is an object, not a number, expected less than 7'],
    ['{"a":"b"}', 'regex', '^a', 'JSON a is "b", expected to match ^a'],
    ['{"a":"b"}', 'not_regex', 'b', 'JSON a is "b", expected not to match b'],
    ['{"a":[1]}', 'not_regex', 'b', 'JSON a is a list of 1, not text, expected not to match b'],
    ['{"a":"b"}', 'regex', '(', NO_PATTERN],
    ['<html>', 'not_exists', undefined, 'The answer is not JSON'],
    [
      `{"a":"${long}"}`,
      'equals',
      `${long}y`,
      `JSON a is ${LONG}, expected ${LONG} (nothing at character 101, expected U+0079)`,
    ],
    [
      '{"a":"😀Gro\u0308ße"}',
      'equals',
      '😀Größe',
      'JSON a is "😀Gro\u0308ße", expected "😀Größe" (U+006F U+0308 at character 4, expected U+00F6 U+00DF)',
    ],
    [
      '{"a":"up\u00a0now"}',
      'equals',
      'up now',
      'JSON a is "up\u00a0now", expected "up now" (U+00A0 U+006E at character 3, expected U+0020 U+006E)',
    ],
    [
      String.raw`{"a":"up\u200b"}`,
      'equals',
      'up',
      'JSON a is "up ", expected "up" (U+200B at character 3, expected nothing)',
    ],
    ['{"a":"Up"}', 'equals', 'up', 'JSON a is "Up", expected "up"'],
    [ODD, 'equals', '', 'JSON a is "one two \ufffdthree", expected ""'],
  ])('about %s by %s %j [20.7, 17.20]', (document, operator, value, text) => {
    const assertion = { path: 'a', operator, ...(value !== undefined && { value }) };
    const { passed, outcomes } = evaluate(document, assertion as JsonAssertion);
    expect([passed, outcomes]).toEqual([false, [{ passed: false, text }]]);
  });

  test.each<[string, string, string]>([
    ['{"data":{"status":"down"}}', 'data.status', 'JSON data.status is "down", expected "ok"'],
    ['{}', 'a..b', "JSON a..b can't be read as a path"],
    ['', '$', 'The answer is not JSON'],
  ])('about %s at %s [20.7]', (document, path, text) => {
    const { outcomes } = evaluate(document, { path, operator: 'equals', value: 'ok' });
    expect(outcomes).toEqual([{ passed: false, text }]);
  });

  test('exists for passing assertions, too', () => {
    expect(evaluate('{"a":"ok"}', { path: 'a', operator: 'equals', value: 'ok' })).toEqual({
      kind: 'json',
      passed: true,
      outcomes: [{ passed: true, text: 'JSON a is "ok", expected "ok"' }],
    });
  });
});

test('each assertion has its outcome, in order', () => {
  const { passed, outcomes } = evaluate(
    '{"a":1}',
    { path: 'a', operator: 'equals', value: 1 },
    { path: 'b', operator: 'exists' },
    { path: 'a', operator: 'lt', value: 2 },
  );
  expect([passed, outcomes.map((each) => each.passed)]).toEqual([false, [true, false, true]]);
});

test('deep and wide documents are parsed', () => {
  const deep = `${'['.repeat(100)}7${']'.repeat(100)}`;
  const assertion = { path: '0.0.0', operator: 'equals', value: 7 } as const;
  expect(evaluate(deep, assertion).outcomes[0]?.text).toBe('JSON 0.0.0 is a list of 1, expected 7');
  const wide = `[${'{},'.repeat(200_000)}7]`;
  expect(evaluate(wide, { path: '200000', operator: 'equals', value: 7 }).passed).toBe(true);
});

test('any document and assertion have an outcome in one line', () => {
  const assertion = fc.record({
    path: fc.oneof(fc.constantFrom('a', 'a.0', '$', '["x"]'), fc.string()),
    operator: fc.constantFrom(...ASSERTION_OPERATORS),
    value: fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null)),
  });
  const document = fc.oneof(
    fc.json(),
    fc.string(),
    fc.jsonValue().map((value) => JSON.stringify({ a: value })),
  );
  fc.assert(
    fc.property(document, assertion, (text, one) => {
      const { outcomes } = evaluate(text, one);
      expect(outcomes).toHaveLength(1);
      expect(outcomes[0]?.text).toMatch(/^[^\n\r]{5,300}$/);
      expect(outcomes[0]?.text.isWellFormed()).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('equals and not_equals are opposites for any existing scalar', () => {
  const scalar = fc.oneof(
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  );
  fc.assert(
    fc.property(scalar, scalar, (found, value) => {
      const text = JSON.stringify(found);
      const isSame = JSON.stringify(value) === text;
      expect(holds(text, 'equals', value)).toBe(isSame);
      expect(holds(text, 'not_equals', value)).toBe(!isSame);
      expect(holds(text, 'equals', found)).toBe(true);
    }),
  );
});
