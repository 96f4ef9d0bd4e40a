import type {
  AssertionOutcome,
  ContentOutcome,
  Keyword,
  KeywordCheck,
} from '../../model/content.ts';
import { normalizeVisible, visibleText } from './visible-text.ts';
import { quoted } from './wording.ts';

/** Ends the sentence of a keyword that was found. */
export const WAS_FOUND = 'was found';

/** @param document decoded, as it was sent. */
export function evaluateKeywords(
  check: KeywordCheck,
  document: string,
  contentType: string | null,
): ContentOutcome {
  const isText = check.target === 'text';
  const text = isText ? visibleText(document, contentType) : document;
  const foldedText = check.keywords.every((each) => each.caseSensitive) ? '' : folded(text);
  const outcomes = check.keywords.map((keyword) => {
    // A phrase of nothing but blanks stays what it is.
    const phrase = (isText && normalizeVisible(keyword.phrase)) || keyword.phrase;
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

/** In lower case by Unicode, where a sigma is the same wherever in a word it stands. */
function folded(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}
