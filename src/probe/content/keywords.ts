import type {
  AssertionOutcome,
  ContentOutcome,
  Keyword,
  KeywordCheck,
} from '../../model/content.ts';
import { normalizeVisible, visibleText } from './visible-text.ts';
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
  const text = isText ? visibleText(document, contentType) : document;
  const foldedText = check.keywords.every((each) => each.caseSensitive) ? '' : folded(text);
  const outcomes = check.keywords.map((keyword) => {
    // A phrase of white space only is kept as it is.
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

/** Lower-cases by Unicode and unifies the two forms of sigma. */
function folded(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ');
}
