import { z } from 'zod';
import { isExactNumber, type ExactNumber } from '../lib/exact-json.ts';
import type { ContentCheck, JsonAssertion, Keyword, SEARCH_TARGETS } from '../model/content.ts';
import type { CheckType } from '../model/monitor.ts';
import { pathsOf, settingsSizeFault } from '../lib/schemas.ts';

/** The content checks, the fields of their settings, and the list of conditions in these. */
export const CONTENT_CHECKS = [
  { type: 'keyword', field: 'keyword_settings', list: 'keywords' },
  { type: 'json', field: 'json_assertion_settings', list: 'assertions' },
] as const;

/** Whether a value asks for nothing: null, `{}`, `[]`, or settings whose list is empty. */
export function hasNoContent(value: unknown, list: string | null): boolean {
  if (value === undefined || value === null || isEmptyList(value)) return true;
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  if (Object.keys(value).length === 0) return true;
  return list !== null && isEmptyList((value as Record<string, unknown>)[list]);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Settings as they were sent and validated (contract, section 8). */
interface KeywordSettings {
  keywords: { phrase: string; mode: Keyword['mode']; case_sensitive?: boolean }[];
  search_target?: (typeof SEARCH_TARGETS)[number];
}

interface JsonAssertionSettings {
  assertions: (Omit<JsonAssertion, 'value'> & { value?: JsonAssertion['value'] | ExactNumber })[];
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
  if (checkTypes.includes('keyword') && !hasNoContent(keywordSettings, 'keywords')) {
    return keywordCheck(keywordSettings as KeywordSettings);
  }
  if (checkTypes.includes('json') && !hasNoContent(jsonAssertionSettings, 'assertions')) {
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
    assertions: assertions.map(({ path, operator, value }) => {
      if (value === undefined || operator === 'exists' || operator === 'not_exists')
        return { path, operator };
      return isExactNumber(value)
        ? { path, operator, value: Number(value.rawJSON), spelling: value.rawJSON }
        : { path, operator, value };
    }),
  };
}

/** What is wrong with a value inside settings. */
export type SettingsFault = [path: (string | number)[], message: string];

/**
 * Schema of a settings object in requests. Settings come back as they were sent, empty ones too: the schema only reports
 * what is wrong, and its own output is dropped. An empty list in place of an object is null.
 *
 * @param furtherFaults what the schema can't express; called with settings of any shape.
 */
export function settingsAsSent<Settings>(
  schema: z.ZodType,
  furtherFaults: (settings: unknown) => SettingsFault[],
) {
  return z
    .unknown()
    .superRefine((settings, context) => {
      if (hasNoContent(settings, null)) return;
      const refuse = (path: PropertyKey[], message: string) =>
        context.addIssue({ code: 'custom', path, message });
      const tooLarge = settingsSizeFault(settings);
      if (tooLarge !== null) return refuse([], tooLarge);
      for (const issue of schema.safeParse(settings).error?.issues ?? []) {
        for (const path of pathsOf(issue)) refuse(path, issue.message);
      }
      for (const [path, message] of furtherFaults(settings)) refuse(path, message);
    })
    .transform((settings) =>
      Array.isArray(settings) ? null : (settings as Settings | null | undefined),
    )
    .optional();
}
