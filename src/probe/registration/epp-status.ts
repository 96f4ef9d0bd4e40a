/** Status codes as written in RDAP (RFC 8056), by the letters of any spelling. */
const STATUSES = new Map(
  [
    'active',
    'inactive',
    'add period',
    'auto renew period',
    'renew period',
    'transfer period',
    'client delete prohibited',
    'client hold',
    'client renew prohibited',
    'client transfer prohibited',
    'client update prohibited',
    'server delete prohibited',
    'server hold',
    'server renew prohibited',
    'server transfer prohibited',
    'server update prohibited',
    'pending create',
    'pending delete',
    'pending renew',
    'pending restore',
    'pending transfer',
    'pending update',
    'redemption period',
  ].map((status) => [letters(status), status]),
);
/** EPP's word for a name without any other status is `ok`. */
STATUSES.set('ok', 'active');

const MAX_STATUSES = 20;
const MAX_LENGTH = 60;

/**
 * Normalizes status codes in any spelling, such as `clientHold https://icann.org/epp#clientHold`, to RDAP's. Removes
 * explanations in brackets and links; keeps unknown codes.
 */
export function normalizeStatuses(texts: readonly string[]): string[] {
  const statuses = texts
    .map((text) =>
      text
        .slice(0, 200)
        .replace(/\(?https?:\S*|\([^()]*\)/gi, '')
        .trim(),
    )
    .filter((text) => text !== '')
    .map((text) => STATUSES.get(letters(text)) ?? text.toLowerCase().slice(0, MAX_LENGTH));
  return [...new Set(statuses)].slice(0, MAX_STATUSES);
}

function letters(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '');
}
