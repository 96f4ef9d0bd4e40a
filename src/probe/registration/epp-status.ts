/** As RDAP writes them (RFC 8056), by what is left of any spelling when only letters are kept. */
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
 * Status codes in any spelling, such as `clientHold https://icann.org/epp#clientHold`, as RDAP writes them; what they
 * mean, in brackets or behind a link, is left out. Others are kept as they are.
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
