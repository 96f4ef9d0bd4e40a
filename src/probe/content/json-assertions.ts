import { RE2JS } from 're2js';
import { parseJsonPath, membersAt, sourcesAt } from '../../lib/json-path.ts';
import { jsonShape } from '../../lib/json-size.ts';
import { compareDecimals, isDecimal } from '../../lib/decimal.ts';
import type {
  AssertionOperator,
  AssertionOutcome,
  ContentOutcome,
  JsonAssertion,
  JsonCheck,
} from '../../model/content.ts';
import { decodeJson, inUtf8 } from './decode.ts';
import { hiddenDifference, quoted, shortened } from './wording.ts';

/** A number in the digits in which it was written. */
class Spelled {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toString(): string {
    return this.digits;
  }
}

/** A list, and how it is written. */
class List {
  readonly entries: unknown[];
  readonly #source: () => string | null;

  constructor(entries: unknown[], source: () => string | null) {
    this.entries = entries;
    this.#source = source;
  }

  /** Only numbers that are rounded alike can be equal, so that the source is rarely read. */
  includesNumber({ digits }: Spelled): boolean {
    const rounded = Number(digits);
    if (!this.entries.includes(rounded)) return false;
    const source = this.#source();
    if (source === null) return compareDecimals(String(rounded), digits) === 0;
    for (const { name, start, end } of membersAt(source, 0)) {
      const isNear = this.entries[Number(name)] === rounded;
      if (isNear && compareDecimals(source.slice(start, end), digits) === 0) return true;
    }
    return false;
  }
}

type Expected = string | boolean | null | Spelled;

/** Result of comparing a value; a text says why it can't be compared. */
type Comparison = boolean | string;

/** A document that was read, or the reason for which it was not: a sentence. */
export type JsonDocument = ReadDocument | { fault: string };

interface ReadDocument {
  value: unknown;
  /** How the document is written; null if its numbers say as much. */
  source: string | null;
}

/**
 * Limits of a document that is read: within them the heap of the thread suffices (`thread.ts`), while 10 MiB of brackets
 * alone would take a gigabyte.
 */
const MAX_JSON = { levels: 100, parts: 1_000_000 };

export function readJson(bytes: Uint8Array): JsonDocument {
  const { excess, hasOddNumbers } = jsonShape(inUtf8(bytes), MAX_JSON);
  if (excess === 'too deep')
    return { fault: `The answer is nested deeper than ${MAX_JSON.levels} levels` };
  if (excess === 'too many parts')
    return {
      fault: `The answer has more than ${MAX_JSON.parts.toLocaleString('en-US')} values and names`,
    };
  try {
    const text = decodeJson(bytes);
    return { value: JSON.parse(text), source: hasOddNumbers ? text : null };
  } catch {
    return { fault: 'The answer is not JSON' };
  }
}

export function evaluateAssertions(check: JsonCheck, document: JsonDocument): ContentOutcome {
  const outcomes =
    'fault' in document
      ? check.assertions.map(() => ({ passed: false, text: document.fault }))
      : evaluateEach(check.assertions, document);
  return { kind: 'json', passed: outcomes.every(({ passed }) => passed), outcomes };
}

function evaluateEach(
  assertions: readonly JsonAssertion[],
  { value, source }: ReadDocument,
): AssertionOutcome[] {
  const paths = assertions.map(({ path }) => parseJsonPath(path));
  const segments = paths.map((path) => (path.ok ? path.segments : []));
  let sources: (string | undefined)[] | null = null;
  const sourceOf = (index: number) =>
    source === null ? null : ((sources ??= sourcesAt(source, segments))[index] ?? null);
  return assertions.map((assertion, index) => {
    if (!paths[index]!.ok) {
      const text = `JSON ${shortened(assertion.path)} can't be read as a path`;
      return { passed: false, text };
    }
    const found = valueAt(value, segments[index]!);
    return evaluateAssertion(
      assertion,
      written(found, () => sourceOf(index)),
    );
  });
}

/** Numbers and lists as they are written, since parsing rounds numbers. */
function written(found: unknown, source: () => string | null): unknown {
  if (typeof found === 'number') return new Spelled(source() ?? String(found));
  return Array.isArray(found) ? new List(found, source) : found;
}

function evaluateAssertion(assertion: JsonAssertion, found: unknown): AssertionOutcome {
  const { path, operator, value = null, spelling } = assertion;
  const expected = typeof value === 'number' ? new Spelled(spelling ?? String(value)) : value;
  const comparison = OPERATORS[operator].test(found, expected);
  const got = found === undefined ? 'is missing' : `is ${describeValue(found)}`;
  const note = typeof comparison === 'string' ? `, ${comparison}` : '';
  const difference = operator === 'equals' ? hiddenDifference(found, expected) : '';
  return {
    passed: comparison === true,
    text: `JSON ${shortened(path)} ${got}${note}, expected ${describeExpected(operator, expected)}${difference}`,
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
  equals: { words: '', test: ifPresent(equals) },
  not_equals: {
    words: 'other than',
    test: ifPresent((found, expected) => !equals(found, expected)),
  },
  contains: { words: 'to contain', test: ifPresent(contains) },
  not_contains: {
    words: 'not to contain',
    test: ifPresent((found, expected) => !contains(found, expected)),
  },
  gt: { words: 'greater than', test: ifPresent(compared((order) => order > 0)) },
  gte: { words: 'at least', test: ifPresent(compared((order) => order >= 0)) },
  lt: { words: 'less than', test: ifPresent(compared((order) => order < 0)) },
  lte: { words: 'at most', test: ifPresent(compared((order) => order <= 0)) },
  regex: { words: 'to match', test: ifPresent((found, pattern) => matches(found, pattern)) },
  not_regex: {
    words: 'not to match',
    test: ifPresent((found, pattern) => not(matches(found, pattern))),
  },
};

function ifPresent(testValue: Operator['test']): Operator['test'] {
  return (found, expected) => found !== undefined && testValue(found, expected);
}

function equals(found: unknown, expected: Expected): boolean {
  if (!(found instanceof Spelled) || !(expected instanceof Spelled)) return found === expected;
  return compareDecimals(found.digits, expected.digits) === 0;
}

/** Strings contain strings, arrays their entries, objects their keys; other values contain nothing. */
function contains(found: unknown, expected: Expected): boolean {
  if (typeof found === 'string') return found.includes(String(expected));
  if (found instanceof List) {
    return expected instanceof Spelled
      ? found.includesNumber(expected)
      : found.entries.includes(expected);
  }
  if (typeof found !== 'object' || found === null || found instanceof Spelled) return false;
  return typeof expected === 'string' && Object.hasOwn(found, expected);
}

/** Numeric strings compare as numbers (contract 17.12). */
function compared(holds: (order: number) => boolean): Operator['test'] {
  return (found, expected) => {
    const order = compareDecimals(numericText(found), numericText(expected));
    if (order === null) return isDecimal(numericText(found)) ? false : 'not a number';
    return holds(order);
  };
}

/** Empty, which is no number, unless the value is a number or text. */
function numericText(value: unknown): string {
  return typeof value === 'string' || value instanceof Spelled ? String(value) : '';
}

/** Matches numbers, true, false and null as they are written in JSON. */
function matches(found: unknown, pattern: Expected): Comparison {
  if (typeof found === 'object' && found !== null && !(found instanceof Spelled)) return 'not text';
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
  if (value instanceof Spelled) return shortened(value.digits);
  if (value instanceof List) {
    const { length } = value.entries;
    return length === 0 ? 'an empty list' : `a list of ${length}`;
  }
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}
