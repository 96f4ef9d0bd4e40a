import type { ContentCheck, JsonAssertion, Keyword, SEARCH_TARGETS } from '../model/content.ts';
import type { CheckType } from '../model/monitor.ts';

/** The content checks and the fields of their settings. */
export const CONTENT_CHECKS = [
  { type: 'keyword', field: 'keyword_settings' },
  { type: 'json', field: 'json_assertion_settings' },
] as const;

/** Settings as they were sent and validated (contract, section 8); what they do not know stands beside. */
interface KeywordSettings {
  keywords: { phrase: string; mode: Keyword['mode']; case_sensitive?: boolean }[];
  search_target?: (typeof SEARCH_TARGETS)[number];
}

interface JsonAssertionSettings {
  assertions: JsonAssertion[];
}

/**
 * The content check of a monitor: that of the check type that is on, of which there is one at most. Null without one.
 * Settings may be stored while their type is off.
 *
 * @param keywordSettings and `jsonAssertionSettings`: parsed, as validation accepted them.
 */
export function contentCheckOf(
  checkTypes: readonly CheckType[],
  keywordSettings: object | null,
  jsonAssertionSettings: object | null,
): ContentCheck | null {
  if (checkTypes.includes('keyword') && keywordSettings !== null) {
    return keywordCheck(keywordSettings as KeywordSettings);
  }
  if (checkTypes.includes('json') && jsonAssertionSettings !== null) {
    return jsonCheck(jsonAssertionSettings as JsonAssertionSettings);
  }
  return null;
}

function keywordCheck({ keywords, search_target: target = 'html' }: KeywordSettings): ContentCheck {
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

function jsonCheck({ assertions }: JsonAssertionSettings): ContentCheck {
  return {
    kind: 'json',
    assertions: assertions.map(({ path, operator, value }) =>
      value === undefined || operator === 'exists' || operator === 'not_exists'
        ? { path, operator }
        : { path, operator, value },
    ),
  };
}
