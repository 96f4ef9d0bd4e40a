import { RE2JS } from 're2js';
import { z } from 'zod';
import { parseJsonPath } from '../lib/json-path.ts';
import { memoize } from '../lib/memoize.ts';
import { isDecimal } from '../lib/decimal.ts';
import { isExactNumber } from '../lib/exact-json.ts';
import {
  ASSERTION_OPERATORS,
  KEYWORD_MODES,
  SEARCH_TARGETS,
  type ContentCheck,
} from '../model/content.ts';
import {
  oneOf,
  scalar,
  settingsObject,
  text,
  yesOrNo,
  pathsOf,
  settingsSizeFault,
} from '../lib/schemas.ts';
import type { CheckType } from '../model/monitor.ts';

const MAX_ENTRIES = 10;
const LONGEST_PATTERN = 1000;
/** Each step takes about 4 µs to compile, and a body may hold ten patterns. */
const LARGEST_PATTERN = 2000;
/** Each such range takes milliseconds to compile: all its characters are folded one by one. */
const MOST_WIDE_RANGES = 4;
const IGNORES_CASE = /\(\?\w*i/;
const WIDE_RANGE = /-(?:[^\0-\x7f]|\\x)/g;
/** Each takes 0.1 ms: it has hundreds of ranges, which are folded where case is ignored, and merged in brackets. */
const MOST_UNICODE_CLASSES = 20;
const ESCAPE = /\\[^]/g;
/** Steps that take as long as a Unicode class, and as a range beyond ASCII that is folded. */
const STEPS = { unicodeClass: 60, wideRange: 700 };
/** Steps of all patterns of a monitor: about 10 ms, and three times that in a process that has just begun. */
const MOST_STEPS = 8_000;

const keyword = settingsObject(
  {
    phrase: text(500),
    mode: oneOf(KEYWORD_MODES),
    case_sensitive: yesOrNo()
      .optional()
      .meta({ description: 'Whether capitals must fit, too. `false` unless given.' }),
  },
  'must be an object such as {"phrase": "Welcome", "mode": "must_contain"}',
);

/** Specification, "Monitor", `keyword_settings`. */
export const keywordSettings = settingsObject(
  {
    keywords: entries(keyword, 'keywords'),
    search_target: oneOf(SEARCH_TARGETS).optional().meta({
      description:
        'html: the document as it was sent. text: what a reader sees of it. `html` unless given.',
    }),
  },
  'must be an object such as {"keywords": [{"phrase": "Welcome", "mode": "must_contain"}]}',
).meta({ id: 'KeywordSettings', description: 'What the page must, or must not, contain.' });

const assertion = settingsObject(
  {
    path: text(500)
      .superRefine((path, context) => {
        const parsed = parseJsonPath(path);
        if (path !== '' && !parsed.ok) context.addIssue({ code: 'custom', message: parsed.fault });
      })
      .meta({
        description:
          'Names and numbers divided by dots, such as `data.items.0.name`; `["a.b"]` for a key that holds a dot, `$` for the whole.',
      }),
    operator: oneOf(ASSERTION_OPERATORS),
    value: scalar().optional().meta({
      description:
        'Required by all operators but exists and not_exists. gt, gte, lt and lte take numbers and text that spells one; regex and not_regex a pattern in RE2 syntax.',
    }),
  },
  'must be an object such as {"path": "status", "operator": "equals", "value": "ok"}',
);

/** Specification, "Monitor", `json_assertion_settings`; `contentInput` checks which values suit an operator. */
export const jsonAssertionSettings = settingsObject(
  { assertions: entries(assertion, 'assertions') },
  'must be an object such as {"assertions": [{"path": "status", "operator": "equals", "value": "ok"}]}',
).meta({
  id: 'JsonAssertionSettings',
  description: 'What must hold for the JSON that is answered.',
});

export const keywordInput = () => contentInput(keywordSettings, 'keywords', () => []);
export const jsonAssertionInput = () =>
  contentInput(jsonAssertionSettings, 'assertions', assertionFaults);

/** @param list key of the list that the settings require. */
function contentInput(
  schema: z.ZodType,
  list: string,
  furtherFaults: (settings: unknown) => SettingsFault[],
) {
  return settingsAsSent(schema, (settings) => {
    const lacksList =
      typeof settings === 'object' && !Array.isArray(settings) && !Object.hasOwn(settings!, list);
    const missing: SettingsFault[] = lacksList ? [[[list], aList(list)]] : [];
    return [...missing, ...furtherFaults(settings)];
  });
}

/** The values, by their operators. The schema reports what is wrong with the rest of an assertion. */
function assertionFaults(settings: unknown): SettingsFault[] {
  const { assertions } = settings as { assertions?: unknown };
  if (!Array.isArray(assertions)) return [];
  if (patternSteps([...patternsIn(settings)]) > MOST_STEPS) return [[['assertions'], TOO_COMPLEX]];
  return assertions.slice(0, MAX_ENTRIES).flatMap((one: unknown, index): SettingsFault[] => {
    if (typeof one !== 'object' || one === null) return [];
    const { operator, value } = one as { operator?: unknown; value?: unknown };
    const fault = valueFault(operator, value);
    return fault === null ? [] : [[['assertions', index, 'value'], fault]];
  });
}

function valueFault(operator: unknown, sent: unknown): string | null {
  const value = isExactNumber(sent) ? Number(sent.rawJSON) : sent;
  if (!(ASSERTION_OPERATORS as readonly unknown[]).includes(operator)) return null;
  if (operator === 'exists' || operator === 'not_exists') return null;
  if (value === undefined) return `is required with the operator ${operator}`;
  // The schema says so.
  if (typeof value === 'object' && value !== null) return null;
  if (operator === 'regex' || operator === 'not_regex') return patternFault(value);
  const isNumber = typeof value === 'number' || (typeof value === 'string' && isDecimal(value));
  if (['gt', 'gte', 'lt', 'lte'].includes(operator as string) && !isNumber) {
    return `must be a number, or text that is one, with the operator ${operator}`;
  }
  return null;
}

const TOO_COMPLEX = 'have patterns that are too complex together: use fewer or simpler ones';

/** The different patterns of settings that are short enough to be compiled. */
export function patternsIn(settings: unknown): Set<string> {
  const { assertions } = (settings ?? {}) as { assertions?: unknown };
  const list: unknown[] = Array.isArray(assertions) ? assertions.slice(0, MAX_ENTRIES) : [];
  const values = list.flatMap((one) => {
    const { operator, value } = (one ?? {}) as { operator?: unknown; value?: unknown };
    return (operator === 'regex' || operator === 'not_regex') && typeof value === 'string'
      ? [value]
      : [];
  });
  return new Set(values.filter((value) => value.length <= LONGEST_PATTERN));
}

/** What patterns take to be compiled, as a number of instructions; one that is refused before counts nothing. */
export function patternSteps(patterns: readonly string[]): number {
  return patterns
    .filter((pattern) => sizeFault(pattern) === null)
    .map(
      (pattern) =>
        patternSize(pattern) +
        STEPS.unicodeClass * unicodeClasses(pattern) +
        STEPS.wideRange * wideRanges(pattern),
    )
    .reduce((sum, steps) => sum + steps, 0);
}

/** RE2 syntax (https://github.com/google/re2/wiki/Syntax), which can't be made to run for ever. */
function patternFault(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > LONGEST_PATTERN) {
    return `must be a regular expression of at most ${LONGEST_PATTERN} characters`;
  }
  return sizeFault(value) ?? syntaxFault(value);
}

const unicodeClasses = (pattern: string) =>
  (pattern.match(ESCAPE) ?? []).filter((escape) => /[pP]/.test(escape)).length;

const wideRanges = (pattern: string) =>
  IGNORES_CASE.test(pattern) ? (pattern.match(WIDE_RANGE) ?? []).length : 0;

function sizeFault(value: string): string | null {
  if (wideRanges(value) > MOST_WIDE_RANGES) {
    return `must have at most ${MOST_WIDE_RANGES} ranges beyond ASCII where it ignores case`;
  }
  if (unicodeClasses(value) > MOST_UNICODE_CLASSES) {
    return `must have at most ${MOST_UNICODE_CLASSES} Unicode classes such as \\pL`;
  }
  if (patternSize(value) > LARGEST_PATTERN) {
    return `must have fewer repeats: written out, it must have at most ${LARGEST_PATTERN} steps`;
  }
  return null;
}

/** Remembered, since many monitors have the same patterns. */
const syntaxFault = memoize((value) => {
  try {
    RE2JS.compile(value);
    return null;
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replace('error parsing regexp: ', '') : '';
    return `is no regular expression in RE2 syntax: ${reason.slice(0, 200)}`;
  }
}, 1_000);

/** The conditions of settings. Only settings without any key may leave them out: see contentInput. */
function entries<Entry extends z.ZodType>(entry: Entry, list: string) {
  return z
    .array(entry, { error: aList(list) })
    .max(MAX_ENTRIES, { error: `must have at most ${MAX_ENTRIES} ${list}` })
    .optional();
}

function aList(list: string): string {
  return `must be a list of 1 to ${MAX_ENTRIES} ${list}`;
}

/**
 * Approximate number of instructions that an RE2 pattern compiles to, with counted repetitions expanded: `(ab){3}` is
 * as large as `ababab`, and nested repetitions multiply. Works on invalid patterns too.
 */
export function patternSize(pattern: string): number {
  const groups: Group[] = [{ before: 0, last: 0 }];
  for (const [token] of pattern.matchAll(TOKEN)) {
    const group = groups.at(-1)!;
    const repeat = REPEAT.exec(token);
    if (repeat !== null) {
      const [, min = '0', max] = repeat;
      group.last *= Math.max(1, Number(min), Number(max || 0));
    } else if (token === '(') groups.push({ before: 0, last: 0 });
    else if (token === ')' && groups.length > 1) append(groups.at(-2)!, sizeOf(groups.pop()!) + 1);
    else append(group, token.startsWith('\\Q') ? token.length : 1);
  }
  return groups.reduce((sum, group) => sum + sizeOf(group), 0);
}

/** A unit that a repetition applies to (quoted text, an escape, a class, any character), or a repetition. */
const TOKEN = /\\Q.*?(?:\\E|$)|\\.|\[\]?(?:\\.|[^\]\\])*\]|\{\d*(?:,\d*)?\}|[^]/gs;
const REPEAT = /^\{(\d+)(?:,(\d*))?\}$/;

interface Group {
  before: number;
  /** Size of the last token, which a repetition multiplies. */
  last: number;
}

function append(group: Group, size: number): void {
  group.before += group.last;
  group.last = size;
}

const sizeOf = ({ before, last }: Group) => before + last;

/** The content checks, the fields of their settings, and the list of conditions in these. */
export const CONTENT_CHECKS = [
  { type: 'keyword', field: 'keyword_settings', list: 'keywords' },
  { type: 'json', field: 'json_assertion_settings', list: 'assertions' },
] as const;

/** Whether a value asks for nothing: null, `{}`, `[]`, or settings whose list is empty. */
export function hasNoContent(value: unknown, list: string | null): boolean {
  if (value === undefined || value === null || isEmptyList(value)) return true;
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  if (Object.keys(value).length === 0) return true;
  return list !== null && isEmptyList((value as Record<string, unknown>)[list]);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/**
 * The content check of a monitor: that of the check type that is on, of which there is one at most. Null without one.
 * Settings may be stored while their type is off.
 */
export function contentCheckOf(
  checkTypes: readonly CheckType[],
  keywords: z.output<typeof keywordSettings> | null,
  assertions: z.output<typeof jsonAssertionSettings> | null,
): ContentCheck | null {
  if (checkTypes.includes('keyword') && keywords !== null && !hasNoContent(keywords, 'keywords'))
    return keywordCheck(keywords);
  if (checkTypes.includes('json') && assertions !== null && !hasNoContent(assertions, 'assertions'))
    return jsonCheck(assertions);
  return null;
}

function keywordCheck({
  keywords = [],
  search_target: target = 'html',
}: z.output<typeof keywordSettings>): ContentCheck {
  return {
    kind: 'keyword',
    target,
    keywords: keywords.map(({ phrase, mode, case_sensitive: caseSensitive = false }) => ({
      phrase,
      mode,
      caseSensitive,
    })),
  };
}

function jsonCheck({ assertions = [] }: z.output<typeof jsonAssertionSettings>): ContentCheck {
  return {
    kind: 'json',
    assertions: assertions.map(({ path, operator, value }) => {
      if (value === undefined || operator === 'exists' || operator === 'not_exists')
        return { path, operator };
      return isExactNumber(value)
        ? { path, operator, value: Number(value.rawJSON), spelling: value.rawJSON }
        : { path, operator, value };
    }),
  };
}

export type SettingsFault = [path: (string | number)[], message: string];

/**
 * Schema of a settings object in requests. Settings come back as they were sent, empty ones too: the schema only reports
 * what is wrong, and its own output is dropped. An empty list in place of an object is null.
 *
 * @param furtherFaults what the schema can't express; called with settings of any shape.
 */
export function settingsAsSent<Settings>(
  schema: z.ZodType<Settings>,
  furtherFaults: (settings: unknown) => SettingsFault[],
) {
  return z
    .unknown()
    .superRefine((settings, context) => {
      if (hasNoContent(settings, null)) return;
      const refuse = (path: PropertyKey[], message: string) =>
        context.addIssue({ code: 'custom', path, message });
      const tooLarge = settingsSizeFault(settings);
      if (tooLarge !== null) return refuse([], tooLarge);
      for (const issue of schema.safeParse(settings).error?.issues ?? []) {
        for (const path of pathsOf(issue)) refuse(path, issue.message);
      }
      for (const [path, message] of furtherFaults(settings)) refuse(path, message);
    })
    .transform((settings) =>
      Array.isArray(settings) ? null : (settings as Settings | null | undefined),
    )
    .optional();
}
