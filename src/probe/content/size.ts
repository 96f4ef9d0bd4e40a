import type { ContentCheck, JsonAssertion } from '../../model/content.ts';

/** Measured: evaluation up to these sizes takes less than a millisecond, and a few for unusual contents. */
const SMALL_HTML_BYTES = 64 * 1024;
const SMALL_TEXT_BYTES = 16 * 1024;
const SMALL_JSON_BYTES = 32 * 1024;
/** Total length of the patterns of a check. Compiling them takes longer than searching. */
const SHORT_PATTERNS = 100;
/** Pattern without counted repetitions, flags and Unicode classes, which compile to large programs. */
const SIMPLE_PATTERN = /^(?!.*(?:\(\?|\\[pP]|\{))[\x20-\x7e]*$/;

/** Whether a content can be evaluated on the main thread. */
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
