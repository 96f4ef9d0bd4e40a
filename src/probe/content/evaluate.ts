import type {
  ContentCheck,
  ContentKind,
  ContentOutcome,
  AssertionOutcome,
  Keyword,
  KeywordCheck,
} from '../../model/content.ts';
import type { Failure } from '../../model/failure.ts';
import { decodeText } from './decode.ts';
import { evaluateAssertions, readJson } from './json-assertions.ts';
import type { ContentReply, ContentRequest } from './thread.ts';
import { asSeen, normalizeVisible, visibleText } from './visible-text.ts';
import { quoted } from './wording.ts';

/** @param body complete and decompressed. */
export function evaluateContent(check: ContentCheck, body: Uint8Array, contentType: string | null) {
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

const WAS_FOUND = 'was found';

/** @param document decoded, as sent. */
export function evaluateKeywords(
  check: KeywordCheck,
  document: string,
  contentType: string | null,
): ContentOutcome {
  const isText = check.target === 'text';
  const text = isText ? visibleText(document, contentType) : asSeen(document);
  const foldedText = check.keywords.every((each) => each.caseSensitive) ? '' : folded(text);
  const outcomes = check.keywords.map((keyword) => {
    const seen = asSeen(keyword.phrase);
    // A phrase that can't be seen is searched as it is, and so is one of white space.
    if (seen === '') return outcomeOf(keyword, document.includes(keyword.phrase));
    const phrase = (isText && normalizeVisible(seen)) || seen;
    const isFound = keyword.caseSensitive
      ? text.includes(phrase)
      : foldedText.includes(folded(phrase));
    return outcomeOf(keyword, isFound);
  });
  return { kind: 'keyword', passed: outcomes.every(({ passed }) => passed), outcomes };
}

function outcomeOf({ phrase, mode }: Keyword, isFound: boolean): AssertionOutcome {
  const mustContain = mode === 'must_contain';
  const result = isFound ? WAS_FOUND : mustContain ? 'is missing' : 'is absent';
  return { passed: isFound === mustContain, text: `Keyword ${quoted(phrase)} ${result}` };
}

/** Lower-cases by Unicode and unifies the two forms of sigma. */
function folded(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}
