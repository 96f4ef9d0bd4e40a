import { isDeepStrictEqual } from 'node:util';
import type { MonitorSettings } from '../../monitor-types/fields.ts';
import { SECRET_FIELDS } from '../../monitor-types/settings.ts';
import { invalidField } from '../common/errors.ts';

/** What would send the secrets, and what a caller can do in place of it. */
interface Attempt {
  /** Predicate of the url, before the names of the fields. */
  refused: string;
  remedy: string;
}

/** Callers who may change a monitor can do that, but an assistant may have been talked into it by a text that it read. */
export const EDIT_BY_ASSISTANT: Attempt = {
  refused: "can't lead an assistant's edit to another host while that host would get",
  remedy: 'give these anew or as null in the same call, or ask a person to change the url',
};

export const TEST_OF_SETTINGS: Attempt = {
  refused: "can't lead a test to another host while that host would get",
  remedy: 'give these anew or as null, or save the url first',
};

/** Throws when these settings would send stored secrets to another host. */
export function refuseSecretsSentElsewhere(
  before: MonitorSettings,
  after: MonitorSettings,
  { refused, remedy }: Attempt,
): void {
  if (originOf(before.url) === originOf(after.url)) return;
  const kept = SECRET_FIELDS.filter((name) => holdsAnyOf(after[name], before[name]));
  if (kept.length === 0) return;
  throw invalidField('url', `${refused} what is stored in ${kept.join(', ')}: ${remedy}`);
}

/** Scheme, host and port; the text itself where it is no URL. */
function originOf(url: string | null): string | null {
  return (url === null ? null : URL.parse(url)?.origin) ?? url;
}

/** True when a value, or one of an object's values, is that of before. */
function holdsAnyOf(after: unknown, before: unknown): boolean {
  if (before === null || before === undefined || after === null || after === undefined)
    return false;
  if (typeof before !== 'object' || typeof after !== 'object') {
    return isDeepStrictEqual(after, before);
  }
  const former = new Set(Object.values(before));
  return Object.values(after).some((value) => former.has(value));
}
