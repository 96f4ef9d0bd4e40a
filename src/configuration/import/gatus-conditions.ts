import { codesThat, Content, scalarIn, type Assertion } from './content.ts';
import { secondsOf } from './duration.ts';
import { quoted, type Notes } from './notes.ts';
import { numberOf, textOf } from './values.ts';

/** What the conditions of an endpoint demand. */
export interface Expectations {
  /** All where no condition names the status; empty where the conditions on it are left out, or no code meets them. */
  accepted_status_codes: (string | number)[];
  /** Seconds from which on an answer is slow. */
  slow?: number;
  /** Seconds that a certificate or a registration must still last. */
  certificate?: number;
  domain?: number;
  content: Content;
}

/** In the order in which Gatus looks for them. */
const COMPARISONS = ['==', '!=', '<=', '>=', '>', '<'] as const;
type Comparison = (typeof COMPARISONS)[number];
const OPERATORS = {
  '==': 'equals',
  '!=': 'not_equals',
  '<=': 'lte',
  '>=': 'gte',
  '>': 'gt',
  '<': 'lt',
} as const;
/** A condition such as `len([BODY].users) > 0`. */
interface Condition {
  text: string;
  /** `len` or `has` around the placeholder. */
  wrapper: string | null;
  /** In capitals, such as `BODY`. */
  placeholder: string;
  /** What follows the placeholder, such as `.users[0].id`. */
  path: string;
  comparison: Comparison;
  operand: string;
}

/** Reads conditions (https://github.com/TwiN/gatus#conditions, version 5). What has no counterpart is in the notes. */
export function readConditions(conditions: readonly unknown[], notes: Notes): Expectations {
  const expected: Expectations = { accepted_status_codes: [], content: new Content() };
  const isAccepted: ((code: number) => boolean)[] = [];
  for (const written of conditions) {
    const condition = conditionIn(textOf(written) ?? '');
    const fault =
      condition === null
        ? 'it has no form that Gatus knows'
        : condition.placeholder === 'STATUS'
          ? statusOf(condition, isAccepted)
          : demand(condition, expected, notes);
    if (fault !== null)
      notes.change(`Its condition ${quoted(textOf(written) ?? '')} is left out: ${fault}.`);
  }
  const isNamed = conditions.some((condition) => /\[STATUS\]/i.test(textOf(condition) ?? ''));
  if (isAccepted.length > 0 || !isNamed)
    expected.accepted_status_codes = codesThat((code) => isAccepted.every((test) => test(code)));
  if (expected.accepted_status_codes.length === 0)
    notes.change(
      'It accepts 2xx and 3xx: no status code meets its conditions, or they are left out.',
    );
  return expected;
}

function conditionIn(text: string): Condition | null {
  const comparison = COMPARISONS.find((one) => text.includes(` ${one} `));
  if (comparison === undefined) return null;
  const [left = '', right = '', ...more] = text.split(` ${comparison} `).map((part) => part.trim());
  if (more.length > 0 || /&&|\|\|/.test(text)) return null;
  const isMirrored = !left.includes('[') && /^(?:len|has)?\(?\[/.test(right);
  const [subject, operand] = isMirrored ? [right, left] : [left, right];
  const parts = /^(?:(len|has)\()?\[([A-Z_]+)\](.*?)\)?$/i.exec(subject);
  if (parts === null) return null;
  const [, wrapper = null, placeholder = '', path = ''] = parts;
  return {
    text,
    wrapper,
    placeholder: placeholder.toUpperCase(),
    path,
    comparison: isMirrored ? mirrored(comparison) : comparison,
    operand,
  };
}

/** That with its sides exchanged. */
const mirrored = (comparison: Comparison) =>
  comparison.replace(/[<>]/, (sign) => (sign === '<' ? '>' : '<')) as Comparison;

/** What a condition on anything but the status demands. Returns why it is left out; null when it is not. */
function demand(condition: Condition, expected: Expectations, notes: Notes): string | null {
  const { wrapper, placeholder, comparison, operand } = condition;
  if (/^(?:len\(|has\()?\[[A-Z_]+\]/.test(operand))
    return 'two values of an answer are not compared';
  const isFloor = comparison === '>' || comparison === '>=';
  const seconds = secondsOf(operand) ?? (numberOf(operand) ?? NaN) / 1_000;
  switch (wrapper === null || placeholder === 'BODY' ? placeholder : '') {
    case 'CONNECTED':
      return comparison === '==' && operand === 'true' ? null : 'a target must be reachable';
    case 'RESPONSE_TIME':
      if (isFloor || comparison.includes('=') !== (comparison === '<=') || Number.isNaN(seconds))
        return 'only an upper limit of the response time is known';
      expected.slow = Math.min(
        expected.slow ?? Infinity,
        seconds + (comparison === '<=' ? 0.001 : 0),
      );
      notes.change('A slow answer makes it degraded, not offline.');
      return null;
    case 'CERTIFICATE_EXPIRATION':
    case 'DOMAIN_EXPIRATION': {
      if (!isFloor || Number.isNaN(seconds)) return 'only a lower limit of the time left is known';
      const which = placeholder === 'DOMAIN_EXPIRATION' ? 'domain' : 'certificate';
      expected[which] = Math.max(expected[which] ?? 0, seconds);
      return null;
    }
    case 'BODY':
      return condition.path === '' && wrapper === null
        ? wholeBody(condition, expected, notes)
        : partOfBody(condition, expected, notes);
    default:
      return 'Tocsin does not check this';
  }
}

function statusOf(
  { comparison, operand, wrapper, path }: Condition,
  isAccepted: ((code: number) => boolean)[],
): string | null {
  if (wrapper !== null || path !== '') return 'Tocsin does not check this';
  const test = equalTo(operand);
  const limit = numberOf(operand);
  if (comparison === '==' || comparison === '!=') {
    if (test === null) return 'its pattern is not known';
    isAccepted.push((code) => test(String(code)) === (comparison === '=='));
    return null;
  }
  if (limit === undefined) return `${quoted(operand)} is no number`;
  const tests = {
    '<=': (code: number) => code <= limit,
    '>=': (code: number) => code >= limit,
    '>': (code: number) => code > limit,
    '<': (code: number) => code < limit,
  };
  isAccepted.push(tests[comparison]);
  return null;
}

/** Whether a text is one of `any(…)`, matches `pat(…)`, or is the operand itself; null for a pattern that is not known. */
function equalTo(operand: string): ((text: string) => boolean) | null {
  const { name, given } = functionIn(operand);
  if (name === 'any') {
    const texts = given.split(',').map((one) => one.trim());
    return (text) => texts.includes(text);
  }
  if (name === null) return (text) => text === operand;
  // Longer ones are of no use for a status, and may take long to match.
  const pattern = given.length > 10 ? null : patternOf(given);
  return pattern === null ? null : (text) => new RegExp(pattern).test(text);
}

function functionIn(operand: string): { name: string | null; given: string } {
  const [, name = null, given = operand] = /^(any|pat)\((.*)\)$/s.exec(operand) ?? [];
  return { name, given };
}

/** The regular expression of a pattern of Gatus, in which `*` stands for any text and `?` for one character. */
function patternOf(glob: string): string | null {
  if (/[[\]\\]/.test(glob)) return null;
  const parts = glob.split(/(\*+|\?)/).map((part) => {
    if (part.startsWith('*')) return '.*';
    return part === '?' ? '.' : escaped(part);
  });
  return `^${parts.join('')}$`;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function wholeBody({ comparison, operand }: Condition, expected: Expectations, notes: Notes) {
  const { name, given } = functionIn(operand);
  if (name === 'any' || !['==', '!='].includes(comparison) || /^pat\(.*[[\]\\]/.test(operand))
    return 'only texts in the body are known';
  const phrases =
    name === 'pat' ? given.split(/[*?]+/).filter((part) => part.trim() !== '') : [given];
  const isContained = name === 'pat' && phrases.length === 1 && given === `*${phrases[0]}*`;
  if (phrases.length === 0) return 'it holds for every text';
  if (comparison === '!=' && !isContained)
    return 'only texts that must not be in the body are known';
  const mode = comparison === '==' ? 'must_contain' : 'must_not_contain';
  for (const phrase of phrases) {
    const fault = expected.content.addKeyword({ phrase, mode, case_sensitive: true });
    if (fault !== null) return fault;
  }
  if (!isContained)
    notes.change('Its body must contain the texts of a condition, wherever they stand.');
  return null;
}

function partOfBody(condition: Condition, expected: Expectations, notes: Notes): string | null {
  const assertion = assertionOf(condition, notes);
  if (typeof assertion === 'string') return assertion;
  const fault = expected.content.addAssertion(assertion);
  if (fault !== null) return fault;
  if (condition.wrapper === null && condition.comparison === '!=')
    notes.change(`JSON ${quoted(assertion.path)} must be there, which Gatus does not demand.`);
  return null;
}

function assertionOf(
  { wrapper, path: written, comparison, operand }: Condition,
  notes: Notes,
): Assertion | string {
  const path = written.replace(/^\./, '') || '$';
  const isEqual = comparison === '==';
  if (wrapper === 'has') {
    if (!(isEqual || comparison === '!=') || !['true', 'false'].includes(operand))
      return 'it must be true or false';
    return { path, operator: (operand === 'true') === isEqual ? 'exists' : 'not_exists' };
  }
  if (wrapper === 'len') {
    const isSome =
      (comparison === '>' && operand === '0') || (comparison === '>=' && operand === '1');
    if (!isSome) return 'Tocsin does not measure lengths';
    notes.change(`JSON ${quoted(path)} must be there: Tocsin does not measure lengths.`);
    return { path, operator: 'exists' };
  }
  const { name, given } = functionIn(operand);
  if (name === null) return { path, operator: OPERATORS[comparison], value: scalarIn(operand) };
  const alternatives = given.split(',').map((one) => escaped(one.trim()));
  const pattern = name === 'pat' ? patternOf(given) : `^(?:${alternatives.join('|')})$`;
  if (pattern === null || !(isEqual || comparison === '!=')) return 'its pattern is not known';
  return { path, operator: isEqual ? 'regex' : 'not_regex', value: `(?s)${pattern}` };
}
