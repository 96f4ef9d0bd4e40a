import type {
  AssertionOutcome,
  ContentOutcome,
  Keyword,
  KeywordCheck,
} from '../../model/content.ts';
import { asSeen, normalizeVisible, visibleText } from './visible-text.ts';
import { quoted } from './wording.ts';

/** End of the text of a keyword that was found. */
export const WAS_FOUND = 'was found';

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
