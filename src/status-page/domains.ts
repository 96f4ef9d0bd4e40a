import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createPoller } from '../lib/poller.ts';
import type { RecordLookup } from '../net/dns-channels.ts';
import type { Database, Tx } from '../store/database/contract.ts';
import { isUnavailable } from '../store/database/errors.ts';
import { pageDomains, pageRouting } from '../store/resources/page-facts.ts';
import { statusPageRows, type StatusPageRow } from '../store/resources/status-pages.ts';

const INTERVAL_MS = 5_000;
const BATCH = 20;
/** Maximum age of the list of verified domains, which is read only when it is asked for. */
const MAX_AGE_MS = 2_000;

/** Custom domains of status pages: verifies them by DNS, and answers which ones are verified. */
export type Domains = ReturnType<typeof createDomains>;

export function createDomains(deps: {
  database: Database;
  clock: Clock;
  log: Log;
  lookUp: RecordLookup;
  baseUrl: () => string;
}) {
  const { database, clock, log, lookUp } = deps;
  const host = () => new URL(deps.baseUrl()).hostname;
  const verified = createVerifiedList(deps);

  async function find(domain: string): Promise<FoundRecords> {
    const { name } = proofOf(domain, '', host());
    const [texts, aliases] = await Promise.all([lookUp(name, 'TXT'), lookUp(name, 'CNAME')]);
    return { texts, aliases };
  }

  /** Outcome for a page. A former holder whose record is gone loses the domain to it. */
  async function outcomeOf(tx: Tx, page: StatusPageRow, found: FoundRecords): Promise<Outcome> {
    const domain = page.custom_domain!;
    const finding = findingOf(found, proofOf(domain, page.domain_token!, host()));
    const holder = finding === 'proven' ? await pageDomains.holder(tx, domain) : undefined;
    if (holder === undefined || holder.id === page.id) return finding;
    const theirs = proofOf(domain, holder.domain_token!, host());
    if (findingOf(found, theirs) === 'proven') return 'held';
    const now = clock.now();
    const state = stateAfter({ verifiedAt: null, failingSince: now }, 'missing', theirs, now);
    await pageDomains.setState(tx, holder.id, columnsOf(state, now));
    return finding;
  }

  async function verify(
    { teamId, id }: { teamId: number; id: number },
    options: { isAskedFor: boolean },
    record?: (tx: Tx, before: StatusPageRow) => Promise<void>,
  ): Promise<void> {
    const read = await statusPageRows.find(database.read, teamId, id);
    if (read?.custom_domain == null) return;
    const found = await find(read.custom_domain);
    const change = await database.transaction(async (tx) => {
      const page = await statusPageRows.lock(tx, teamId, id);
      // Changed meanwhile: the new domain is due by itself.
      if (page === undefined || page.custom_domain !== read.custom_domain) return null;
      if (page.domain_token === null || page.domain_token !== read.domain_token) return null;
      const now = clock.now();
      const outcome = await outcomeOf(tx, page, found);
      const proof = proofOf(page.custom_domain!, page.domain_token, host());
      const isRestarted = options.isAskedFor && page.domain_verified_at === null;
      const state = stateAfter(
        {
          verifiedAt: page.domain_verified_at,
          failingSince: isRestarted ? now : page.domain_failing_since,
        },
        outcome,
        proof,
        now,
      );
      await pageDomains.setState(tx, id, columnsOf(state, now));
      await record?.(tx, page);
      return { page, state };
    });
    if (change !== null) report(change.page, change.state);
  }

  function report(page: StatusPageRow, state: DomainState): void {
    const fields = { status_page_id: page.id, team_id: page.team_id, domain: page.custom_domain };
    const was = page.domain_verified_at !== null;
    const is = state.verifiedAt !== null;
    if (is && !was)
      // Log: The status page is served there from now on.
      log.info(fields, 'A custom domain was verified.');
    if (was && !is)
      // Log: Its record was missing for 3 days. The status page is no longer served
      // there.
      log.warn(fields, 'A custom domain is no longer verified.');
  }

  const poller = createPoller({
    async run() {
      for (;;) {
        const due = await pageDomains.due(database.read, clock.now(), BATCH);
        const verifications = due.map((page) =>
          verify({ teamId: page.team_id, id: page.id }, { isAskedFor: false }),
        );
        for (const result of await Promise.allSettled(verifications))
          if (result.status === 'rejected') throw result.reason;
        if (due.length < BATCH || poller.isStopped) return;
      }
    },
    clock,
    intervalMs: INTERVAL_MS,
    isUnavailable,
    // Log: Due verifications are tried again every few seconds.
    onFailure: (error) => log.error({ error }, 'Custom domains could not be verified.'),
  });

  return {
    start: () => poller.start(),
    stop: () => poller.stop(),
    /**
     * Verifies the domain of a page now, and counts the time until verification is given up from now on.
     *
     * @param record runs in the transaction that stores the result, with the page as it was before.
     */
    verify: (
      page: { teamId: number; id: number },
      record: (tx: Tx, before: StatusPageRow) => Promise<void>,
    ) => verify(page, { isAskedFor: true }, record),
    /**
     * True for a verified domain of an existing page, at most 2 seconds old. Rejects while the database is away and nothing
     * was read before.
     */
    isVerified: async (domain: string) =>
      (await verified()).has(domain.toLowerCase().replace(/\.$/, '')),
  };
}

function columnsOf(state: DomainState, now: number) {
  return {
    domain_verified_at: state.verifiedAt,
    domain_checked_at: now,
    domain_error: state.error,
    domain_failing_since: state.failingSince,
    domain_next_at: state.nextAt,
  };
}

/** Reads the verified domains at most once in `MAX_AGE_MS`; keeps the former ones while the database is away. */
function createVerifiedList({ database, clock }: { database: Database; clock: Clock }) {
  let known: ReadonlySet<string> | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<ReadonlySet<string>> | null = null;

  async function read(): Promise<ReadonlySet<string>> {
    const startedAt = clock.monotonic();
    try {
      known = new Set((await pageRouting.domains(database.read)).map(({ domain }) => domain));
    } catch (error) {
      if (known === null || !isUnavailable(error)) throw error;
    }
    readAt = startedAt;
    return known;
  }

  return function verified(): Promise<ReadonlySet<string>> {
    if (known !== null && clock.monotonic() - readAt < MAX_AGE_MS) return Promise.resolve(known);
    reading ??= read().finally(() => (reading = null));
    return reading;
  };
}
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Time after which an unproven domain is no longer looked up, until verification is asked for. */
export const GIVE_UP_MS = 7 * DAY_MS;
/** Time for which a verified domain stays verified while its record is missing. */
export const GRACE_MS = 3 * DAY_MS;

type Proof = ReturnType<typeof proofOf>;

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
type Finding = 'proven' | 'missing' | 'unknown';

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
