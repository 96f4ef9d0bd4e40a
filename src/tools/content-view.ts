import { z } from 'zod';
import type { ExactNumber } from '../lib/exact-json.ts';
import { scalar } from '../lib/schemas.ts';
import { cut } from './shorten.ts';
import { fromTeam } from './target-text.ts';
import type { View } from './tool.ts';

/** A settings object of a content check as the API answers it: exactly as it was sent, which may be empty. */
export interface ContentSettings {
  search_target?: string;
  keywords?: { phrase: string; mode: string; case_sensitive?: boolean }[];
  assertions?: {
    path: string;
    operator: string;
    value?: string | number | boolean | null | ExactNumber;
  }[];
}

const total = z.int().optional();

/** What a page must hold, as part of a monitor. */
export const contentChecks = {
  keyword_settings: z
    .object({
      search_target: z.string().optional(),
      keywords: z.array(
        z.object({ phrase: z.string(), mode: z.string(), case_sensitive: z.boolean().optional() }),
      ),
      keywords_total: total,
    })
    .optional(),
  json_assertion_settings: z
    .object({
      assertions: z.array(
        z.object({
          path: z.string(),
          operator: z.string(),
          value: scalar().optional(),
        }),
      ),
      assertions_total: total,
    })
    .optional(),
};

interface ContentChecked {
  keyword_settings: ContentSettings | null;
  json_assertion_settings: ContentSettings | null;
}

/** Shows what a page must hold; nothing where nothing is asked for. */
export function contentChecksOf(monitor: ContentChecked, view: View) {
  const { keyword_settings: keywords, json_assertion_settings: assertions } = monitor;
  return {
    ...(keywords?.keywords !== undefined && { keyword_settings: viewKeywords(keywords, view) }),
    ...(assertions?.assertions !== undefined && {
      json_assertion_settings: viewAssertions(assertions, view),
    }),
  };
}

function viewKeywords({ search_target: target, keywords = [] }: ContentSettings, view: View) {
  const shown = keywords.map(({ phrase, mode, case_sensitive: isExact }) => ({
    phrase: fromTeam(phrase, view.textLimit),
    mode,
    ...(isExact !== undefined && { case_sensitive: isExact }),
  }));
  return {
    ...(target !== undefined && { search_target: target }),
    ...cut('keywords', shown, view.itemLimit),
  };
}

function viewAssertions({ assertions = [] }: ContentSettings, view: View) {
  const shown = assertions.map(({ path, operator, value }) => ({
    path: fromTeam(path, view.textLimit),
    operator,
    ...(value !== undefined && {
      value: typeof value === 'string' ? fromTeam(value, view.textLimit) : value,
    }),
  }));
  return cut('assertions', shown, view.itemLimit);
}
