import { codesThat, Content, scalarIn, type Assertion } from './content.ts';
import { quoted, type Notes } from './notes.ts';
import { listOf, numberOf, objectOf, textOf } from './values.ts';

/** What the assertions of a check demand. */
export interface Demands {
  /** Empty where no assertion is on the status, or no code meets them. */
  accepted_status_codes: (string | number)[];
  content: Content;
  /** Seconds from which on an answer is slow; infinite without a limit. */
  slow: number;
}

/** Comparisons with a value at a path. */
const OPERATORS = {
  EQUALS: 'equals',
  NOT_EQUALS: 'not_equals',
  GREATER_THAN: 'gt',
  LESS_THAN: 'lt',
  CONTAINS: 'contains',
  NOT_CONTAINS: 'not_contains',
  HAS_KEY: 'contains',
  NOT_HAS_KEY: 'not_contains',
  HAS_VALUE: 'contains',
  NOT_HAS_VALUE: 'not_contains',
} as const;

const STATUS_TESTS = new Map<string, (code: number, limit: number) => boolean>([
  ['EQUALS', (code, limit) => code === limit],
  ['NOT_EQUALS', (code, limit) => code !== limit],
  ['GREATER_THAN', (code, limit) => code > limit],
  ['LESS_THAN', (code, limit) => code < limit],
]);

/** Reads assertions, by the builders of checkly-cli. What has no counterpart is in the notes. */
export function readAssertions(given: unknown, notes: Notes): Demands {
  const demands: Demands = { accepted_status_codes: [], content: new Content(), slow: Infinity };
  const tests: ((code: number) => boolean)[] = [];
  for (const assertion of listOf(given).map(objectOf)) {
    const [source = '', property = '', comparison = '', target = ''] = [
      'source',
      'property',
      'comparison',
      'target',
    ].map((name) => textOf(assertion[name]) ?? '');
    const fault = read({ source, property, comparison, target }, demands, tests, notes);
    const written = [source, property, comparison, target].filter((part) => part !== '').join(' ');
    if (fault !== null) notes.change(`Its assertion ${quoted(written)} is left out: ${fault}.`);
  }
  if (tests.length > 0) {
    demands.accepted_status_codes = codesThat((code) => tests.every((test) => test(code)));
    if (demands.accepted_status_codes.length === 0)
      notes.change('It accepts 2xx and 3xx: no status code meets its assertions.');
  }
  return demands;
}

interface Written {
  source: string;
  property: string;
  comparison: string;
  target: string;
}

function read(
  written: Written,
  demands: Demands,
  tests: ((code: number) => boolean)[],
  notes: Notes,
): string | null {
  const { source, comparison, target, property } = written;
  if (/\{\{/.test(target)) return 'it holds a variable';
  switch (source) {
    case 'STATUS_CODE': {
      const [test, limit] = [STATUS_TESTS.get(comparison), numberOf(target)];
      if (test === undefined || limit === undefined)
        return 'Tocsin does not compare a status like that';
      tests.push((code) => test(code, limit));
      return null;
    }
    case 'RESPONSE_TIME':
    case 'LATENCY': {
      const limit = numberOf(target);
      if (comparison !== 'LESS_THAN' || limit === undefined) return 'only an upper limit is known';
      demands.slow = Math.min(demands.slow, limit / 1_000);
      notes.change('A slow answer makes it degraded, not offline.');
      return null;
    }
    case 'JSON_BODY': {
      const assertion = assertionOf(written, notes);
      return typeof assertion === 'string' ? assertion : demands.content.addAssertion(assertion);
    }
    case 'TEXT_BODY': {
      const isKnown = ['CONTAINS', 'NOT_CONTAINS', 'EQUALS'].includes(comparison);
      if (property !== '' || !isKnown || target === '') return 'only texts in the body are known';
      if (comparison === 'EQUALS') notes.change('Its body must contain a text, and may hold more.');
      const mode = comparison === 'NOT_CONTAINS' ? 'must_not_contain' : 'must_contain';
      return demands.content.addKeyword({ phrase: target, mode, case_sensitive: true });
    }
    default:
      return 'Tocsin does not check this';
  }
}

function assertionOf({ property, comparison, target }: Written, notes: Notes): Assertion | string {
  const path = property === '' ? '$' : property;
  // JSONPath has the length of a list; Tocsin looks for a key of that name.
  if (path.endsWith('.length')) return 'Tocsin does not measure lengths';
  if (comparison === 'IS_NULL' || comparison === 'NOT_NULL')
    return { path, operator: comparison === 'IS_NULL' ? 'equals' : 'not_equals', value: null };
  if (comparison === 'NOT_EMPTY') {
    notes.change(`JSON ${quoted(path)} must be there, and may be empty.`);
    return { path, operator: 'exists' };
  }
  if (!Object.hasOwn(OPERATORS, comparison)) return 'Tocsin has no such comparison';
  const operator = OPERATORS[comparison as keyof typeof OPERATORS];
  // Keys are texts.
  return { path, operator, value: comparison.endsWith('_KEY') ? target : scalarIn(target) };
}
