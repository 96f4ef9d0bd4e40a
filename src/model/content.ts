/** What of an answer's content is checked, beside the answer's being there (contract, section 17). */
export type ContentCheck = KeywordCheck | JsonCheck;

/** A monitor has one of them at most. */
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
  /** `html`: the document as it was sent. `text`: what a reader sees of it. */
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
  /** As lib/json-path.ts reads it. */
  path: string;
  operator: AssertionOperator;
  /** Undefined with `exists` and `not_exists`. */
  value?: string | number | boolean | null;
}

export interface JsonCheck {
  kind: 'json';
  /** At most 10. */
  assertions: JsonAssertion[];
}

/** What became of one keyword or assertion. */
export interface AssertionOutcome {
  passed: boolean;
  /** One sentence without a full stop that names the phrase or the path, what was expected and what was got. */
  text: string;
}

/** What became of a content check, one outcome for each keyword or assertion in their order. */
export interface ContentOutcome {
  kind: ContentKind;
  passed: boolean;
  outcomes: AssertionOutcome[];
}
