import { MASK } from '../../lib/secret-box.ts';
import type { MonitorSettings } from '../../monitor-types/fields.ts';
import { SECRET_FIELDS } from '../../monitor-types/settings.ts';
import { invalidField } from '../common/errors.ts';
import { fieldIn } from '../common/input.ts';

/**
 * Throws when these settings would send stored secrets to another scheme, host or port: anybody with the right to edit a monitor could
 * read them there. Secrets that the body sends again belong to the caller.
 */
export function refuseSecretsSentElsewhere(
  before: MonitorSettings,
  after: MonitorSettings,
  body: unknown,
): void {
  if (originOf(before.url) === originOf(after.url)) return;
  const kept = SECRET_FIELDS.filter(
    (name) => (after[name] ?? null) !== null && isKept(fieldIn(body, name)),
  );
  if (kept.length === 0) return;
  throw invalidField(
    'url',
    `can't lead to another scheme, host or port, which would get what is stored in ${kept.join(', ')}: send these again in the same request, or as null`,
  );
}

/** Scheme, host and port; the text itself where it is no URL. */
function originOf(url: string | null): string | null {
  return (url === null ? null : URL.parse(url)?.origin) ?? url;
}

/** True when a field of a body, or one of an object's values, stands for what is stored. */
function isKept(sent: unknown): boolean {
  if (sent === null || sent === MASK) return true;
  return typeof sent === 'object' && Object.values(sent).includes(MASK);
}
