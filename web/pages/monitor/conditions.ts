import type { JsonAssertionSettings, MonitorDetail } from '../../client/types.gen.ts';

type Operator = NonNullable<JsonAssertionSettings['assertions']>[number]['operator'];

const SIGNS: Record<Operator, string> = {
  equals: '=',
  not_equals: '≠',
  contains: '∋',
  not_contains: '∌',
  exists: '∃',
  not_exists: '∄',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  regex: '~',
  not_regex: '!~',
};

/** What the content must be, one line for each condition. */
export function conditionsOf(
  {
    keyword_settings,
    json_assertion_settings,
  }: Pick<MonitorDetail, 'keyword_settings' | 'json_assertion_settings'>,
  text: { contains: (phrase: string) => string; lacks: (phrase: string) => string },
): string[] {
  const keywords = (keyword_settings?.keywords ?? []).map(({ phrase, mode }) =>
    mode === 'must_contain' ? text.contains(phrase) : text.lacks(phrase),
  );
  const assertions = (json_assertion_settings?.assertions ?? []).map(({ path, operator, value }) =>
    operator === 'exists' || operator === 'not_exists'
      ? `${SIGNS[operator]} ${path}`
      : `${path} ${SIGNS[operator]} ${JSON.stringify(value)}`,
  );
  return [...keywords, ...assertions];
}
