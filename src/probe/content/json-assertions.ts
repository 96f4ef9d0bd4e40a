import { RE2JS } from 're2js';
import { parseJsonPath } from '../../lib/json-path.ts';
import { jsonExcess } from '../../lib/json-size.ts';
import { toNumber } from '../../lib/numeric-text.ts';
import type {
  AssertionOperator,
  AssertionOutcome,
  ContentOutcome,
  JsonAssertion,
  JsonCheck,
} from '../../model/content.ts';
import { decodeJson, inUtf8 } from './decode.ts';
import { hiddenDifference, quoted, shortened } from './wording.ts';

type Expected = NonNullable<JsonAssertion['value']> | null;

/** Result of comparing a value; a text says why it can't be compared. */
type Comparison = boolean | string;

/** A document that was read, or the reason for which it was not: a sentence. */
export type JsonDocument = { value: unknown } | { fault: string };

/**
 * Limits of a document that is read: within them the heap of the thread suffices (`thread.ts`), while 10 MiB of brackets
 * alone would take a gigabyte.
 */
const MAX_JSON = { levels: 100, parts: 1_000_000 };

/** Reads the body of an answer. */
export function readJson(bytes: Uint8Array): JsonDocument {
  const excess = jsonExcess(inUtf8(bytes), MAX_JSON);
  if (excess === 'too deep')
    return { fault: `The answer is nested deeper than ${MAX_JSON.levels} levels` };
  if (excess === 'too many parts')
    return {
      fault: `The answer has more than ${MAX_JSON.parts.toLocaleString('en-US')} values and names`,
    };
  try {
    return { value: JSON.parse(decodeJson(bytes)) };
  } catch {
    return { fault: 'The answer is not JSON' };
  }
}

export function evaluateAssertions(check: JsonCheck, document: JsonDocument): ContentOutcome {
  const outcomes = check.assertions.map((assertion) =>
    'fault' in document
      ? { passed: false, text: document.fault }
      : evaluateAssertion(assertion, document.value),
  );
  return { kind: 'json', passed: outcomes.every(({ passed }) => passed), outcomes };
}

function evaluateAssertion(assertion: JsonAssertion, document: unknown): AssertionOutcome {
  const { path, operator, value: expected = null } = assertion;
  const parsed = parseJsonPath(path);
  const place = `JSON ${shortened(path)}`;
  if (!parsed.ok) return { passed: false, text: `${place} can't be read as a path` };
  const found = valueAt(document, parsed.segments);
  const comparison = OPERATORS[operator].test(found, expected);
  const got = found === undefined ? 'is missing' : `is ${describeValue(found)}`;
  const note = typeof comparison === 'string' ? `, ${comparison}` : '';
  const difference = operator === 'equals' ? hiddenDifference(found, expected) : '';
  return {
    passed: comparison === true,
    text: `${place} ${got}${note}, expected ${describeExpected(operator, expected)}${difference}`,
  };
}

/**
 * Finds the value at a path; `undefined` if there is none. Numbers are indexes of arrays and ordinary keys of objects.
 * Ignores inherited properties.
 */
function valueAt(document: unknown, segments: readonly string[]): unknown {
  let value = document;
  for (const segment of segments) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) value = /^\d+$/.test(segment) ? value[Number(segment)] : undefined;
    else if (Object.hasOwn(value, segment)) value = (value as Record<string, unknown>)[segment];
    else return undefined;
  }
  return value;
}

interface Operator {
  /** Words between "expected" and the value. */
  words: string;
  test(found: unknown, expected: Expected): Comparison;
}

/**
 * Assertions about a missing value fail, except `not_exists`: a mistyped path must not look like success. For existing
 * values `not_…` is the opposite.
 */
const OPERATORS: Record<AssertionOperator, Operator> = {
  exists: { words: 'to exist', test: (found) => found !== undefined },
  not_exists: { words: 'not to exist', test: (found) => found === undefined },
  equals: { words: '', test: ifPresent((found, expected) => found === expected) },
  not_equals: { words: 'other than', test: ifPresent((found, expected) => found !== expected) },
  contains: { words: 'to contain', test: ifPresent(contains) },
  not_contains: {
    words: 'not to contain',
    test: ifPresent((found, expected) => !contains(found, expected)),
  },
  gt: { words: 'greater than', test: ifPresent(compared((found, expected) => found > expected)) },
  gte: { words: 'at least', test: ifPresent(compared((found, expected) => found >= expected)) },
  lt: { words: 'less than', test: ifPresent(compared((found, expected) => found < expected)) },
  lte: { words: 'at most', test: ifPresent(compared((found, expected) => found <= expected)) },
  regex: { words: 'to match', test: ifPresent((found, pattern) => matches(found, pattern)) },
  not_regex: {
    words: 'not to match',
    test: ifPresent((found, pattern) => not(matches(found, pattern))),
  },
};

function ifPresent(testValue: Operator['test']): Operator['test'] {
  return (found, expected) => found !== undefined && testValue(found, expected);
}

/** Strings contain strings, arrays their entries, objects their keys; other values contain nothing. */
function contains(found: unknown, expected: Expected): boolean {
  if (typeof found === 'string') return found.includes(String(expected));
  if (Array.isArray(found)) return found.includes(expected);
  if (typeof found !== 'object' || found === null) return false;
  return typeof expected === 'string' && Object.hasOwn(found, expected);
}

/** Numeric strings compare as numbers (contract 17.12). */
function compared(holds: (found: number, expected: number) => boolean): Operator['test'] {
  return (found, expected) => {
    const [left, right] = [toNumber(found), toNumber(expected)];
    if (left === null) return 'not a number';
    return right !== null && holds(left, right);
  };
}

/** Matches numbers, true, false and null in their JSON form. */
function matches(found: unknown, pattern: Expected): Comparison {
  if (typeof found === 'object' && found !== null) return 'not text';
  try {
    return RE2JS.compile(String(pattern)).matcher(String(found)).find();
  } catch {
    return "the pattern can't be read";
  }
}

function not(comparison: Comparison): Comparison {
  return typeof comparison === 'string' ? comparison : !comparison;
}

function describeExpected(operator: AssertionOperator, expected: Expected): string {
  const { words } = OPERATORS[operator];
  if (operator === 'exists' || operator === 'not_exists') return words;
  const isPattern = operator === 'regex' || operator === 'not_regex';
  return `${words} ${isPattern ? shortened(String(expected)) : describeValue(expected)}`.trimStart();
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
