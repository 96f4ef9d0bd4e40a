/** Expected content of a response (contract, section 17). */
export type ContentCheck = KeywordCheck | JsonCheck;

/** A monitor has at most one of them. */
export type ContentKind = ContentCheck['kind'];

export const KEYWORD_MODES = ['must_contain', 'must_not_contain'] as const;
export const SEARCH_TARGETS = ['html', 'text'] as const;

export interface Keyword {
  phrase: string;
  mode: (typeof KEYWORD_MODES)[number];
  caseSensitive: boolean;
}

export interface KeywordCheck {
  kind: 'keyword';
  /** At most 10. */
  keywords: Keyword[];
  /** `html`: the document as sent. `text`: the visible text. */
  target: (typeof SEARCH_TARGETS)[number];
}

export const ASSERTION_OPERATORS = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'exists',
  'not_exists',
  'gt',
  'gte',
  'lt',
  'lte',
  'regex',
  'not_regex',
] as const;
export type AssertionOperator = (typeof ASSERTION_OPERATORS)[number];

export interface JsonAssertion {
  /** Path as parsed by lib/json-path.ts. */
  path: string;
  operator: AssertionOperator;
  /** Undefined for `exists` and `not_exists`. */
  value?: string | number | boolean | null;
  /** Digits of a number as they were written, where JavaScript would write it differently. */
  spelling?: string;
}

export interface JsonCheck {
  kind: 'json';
  /** At most 10. */
  assertions: JsonAssertion[];
}

export interface AssertionOutcome {
  passed: boolean;
  /** One sentence without a full stop with the phrase or path, the expected and the actual value. */
  text: string;
}

/** Result of a content check, with one outcome per keyword or assertion, in order. */
export interface ContentOutcome {
  kind: ContentKind;
  passed: boolean;
  outcomes: AssertionOutcome[];
}
