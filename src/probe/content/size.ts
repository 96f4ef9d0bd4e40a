import type { ContentCheck, JsonAssertion } from '../../model/content.ts';

/** Measured: up to these an evaluation takes less than a millisecond, and a few with the oddest of contents. */
const SMALL_HTML_BYTES = 64 * 1024;
const SMALL_TEXT_BYTES = 16 * 1024;
const SMALL_JSON_BYTES = 32 * 1024;
/** Of all patterns of a check together. To compile them takes longer than to search. */
const SHORT_PATTERNS = 100;
/** Without repeats by number, flags and Unicode classes, which make large programs of short patterns. */
const SIMPLE_PATTERN = /^(?!.*(?:\(\?|\\[pP]|\{))[\x20-\x7e]*$/;

/** Whether a content can be judged on the thread that measures times. */
export function isSmall(check: ContentCheck, bytes: number): boolean {
  if (check.kind === 'json')
    return bytes <= SMALL_JSON_BYTES && arePatternsSimple(check.assertions);
  return bytes <= (check.target === 'text' ? SMALL_TEXT_BYTES : SMALL_HTML_BYTES);
}

function arePatternsSimple(assertions: readonly JsonAssertion[]): boolean {
  const patterns = assertions
    .filter(({ operator }) => operator === 'regex' || operator === 'not_regex')
    .map(({ value }) => String(value));
  const length = patterns.reduce((sum, pattern) => sum + pattern.length, 0);
  return length <= SHORT_PATTERNS && patterns.every((pattern) => SIMPLE_PATTERN.test(pattern));
}
