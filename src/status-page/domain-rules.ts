const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Time after which an unproven domain is no longer looked up, until verification is asked for. */
export const GIVE_UP_MS = 7 * DAY_MS;
/** Time for which a verified domain stays verified while its record is missing. */
export const GRACE_MS = 3 * DAY_MS;

export type Proof = ReturnType<typeof proofOf>;

/**
 * The records that prove a domain to a page: one of the two is enough. Both hold the page's token: a CNAME of the domain itself to this
 * installation would also prove a domain to a team that does not own it, once its owner left the CNAME behind.
 *
 * @param host host name of BASE_URL.
 */
export function proofOf(domain: string, token: string, host: string) {
  return {
    name: `_tocsin.${domain}`,
    text: `tocsin-verification=${token}`,
    /** Target of the CNAME record, which need not exist; null where this installation has no host name. */
    alias: host.includes('.') && !/^[\d.]+$|[:[]/.test(host) ? `${token}.${host}` : null,
  };
}

/** Records that were found under the name of a proof; null where no server answered. */
export interface FoundRecords {
  texts: readonly string[] | null;
  aliases: readonly string[] | null;
}

/** `unknown` when the name servers gave no answer. */
export type Finding = 'proven' | 'missing' | 'unknown';

export function findingOf({ texts, aliases }: FoundRecords, proof: Proof): Finding {
  const isText = texts?.some((text) => text.trim() === proof.text) ?? false;
  const isAlias =
    proof.alias !== null &&
    (aliases?.some((name) => plainName(name) === plainName(proof.alias!)) ?? false);
  if (isText || isAlias) return 'proven';
  return texts === null || aliases === null ? 'unknown' : 'missing';
}

const plainName = (name: string) => name.toLowerCase().replace(/\.$/, '');

export interface DomainState {
  verifiedAt: number | null;
  /** Since when it is not proven; null while it is. */
  failingSince: number | null;
  /** When it is looked up next; null for not until it is asked for. */
  nextAt: number | null;
  error: string | null;
}

/** `held` when the domain is proven, and proven to another page, too. */
export type Outcome = Finding | 'held';

/**
 * State of a domain after a verification. An unproven domain is looked up after a minute, then after half of the time
 * since it was set, at most an hour; a verified one daily, and hourly while its record is missing.
 */
export function stateAfter(
  { verifiedAt, failingSince }: Pick<DomainState, 'verifiedAt' | 'failingSince'>,
  outcome: Outcome,
  proof: Proof,
  now: number,
): DomainState {
  if (outcome === 'proven')
    return {
      verifiedAt: verifiedAt ?? now,
      failingSince: null,
      nextAt: now + DAY_MS,
      error: null,
    };
  const error = ERRORS[outcome](proof);
  if (verifiedAt === null) return unproven(failingSince ?? now, error, now);
  // Name servers that don't answer say nothing about the owner.
  const since = outcome === 'unknown' ? failingSince : (failingSince ?? now);
  if (outcome === 'unknown' || now - since! < GRACE_MS)
    return { verifiedAt, failingSince: since, nextAt: now + HOUR_MS, error };
  return unproven(now, error, now);
}

function unproven(failingSince: number, error: string, now: number): DomainState {
  const elapsed = now - failingSince;
  const wait = Math.min(Math.max(elapsed / 2, MINUTE_MS), HOUR_MS);
  const isOver = elapsed >= GIVE_UP_MS;
  return {
    verifiedAt: null,
    failingSince,
    nextAt: isOver ? null : now + Math.round(wait),
    error: isOver ? `${error} Verification ended after 7 days: start it again.` : error,
  };
}

const ERRORS: Record<Exclude<Outcome, 'proven'>, (proof: Proof) => string> = {
  missing: ({ name }) =>
    `${name} has no TXT or CNAME record with the token of this page. Records may take an hour to be seen.`,
  unknown: ({ name }) => `The name servers gave no answer for ${name}.`,
  held: ({ name }) =>
    `Another status page has verified this domain, and its record is still there: remove that record from ${name}.`,
};
