import type { ContentCheck, ContentKind, ContentOutcome } from '../../model/content.ts';
import type { Failure } from '../../model/failure.ts';
import { decodeText } from './decode.ts';
import { evaluateAssertions, readJson } from './json-assertions.ts';
import { evaluateKeywords, WAS_FOUND } from './keywords.ts';
import type { ContentReply, ContentRequest } from './thread.ts';

/** @param body complete and decompressed. */
export function evaluateContent(
  check: ContentCheck,
  body: Uint8Array,
  contentType: string | null,
): ContentOutcome {
  return check.kind === 'json'
    ? evaluateAssertions(check, readJson(body))
    : evaluateKeywords(check, decodeText(body, contentType), contentType);
}

/** Evaluates a content and reports unexpected errors instead of throwing. */
export function evaluateSafely({ check, body, contentType }: ContentRequest): ContentReply {
  try {
    return { state: 'evaluated', outcome: evaluateContent(check, body, contentType) };
  } catch (error) {
    return { state: 'failed', reason: 'could not be searched', error: String(error) };
  }
}

/** Failure of a content: its first failing keyword or assertion, and the number of others. Null if all passed. */
export function failureOf({ kind, outcomes }: ContentOutcome): Failure | null {
  // If the response is not JSON, all assertions have the same text.
  const texts = new Set(outcomes.filter(({ passed }) => !passed).map(({ text }) => text));
  const [first] = texts;
  if (first === undefined) return null;
  const more = texts.size > 1 ? ` (and ${texts.size - 1} more)` : '';
  return { code: codeOf(kind, first), text: first + more };
}

function codeOf(kind: ContentKind, text: string): Failure['code'] {
  if (kind === 'json') return 'json_assertion';
  return text.endsWith(WAS_FOUND) ? 'keyword_found' : 'keyword_missing';
}
