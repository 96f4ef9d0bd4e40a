import type { Clock } from '../../lib/clock.ts';
import { findRdapServer, type RdapServers } from '../../lib/rdap-bootstrap.ts';
import type { DomainRequest, InspectionResult } from '../../model/inspection.ts';
import type { AbortReason, Inspector, ProbeContext } from '../contract.ts';
import { createTlsContexts } from '../tls/tls.ts';
import { askRdap, RDAP_SERVERS } from './rdap.ts';
import { createServerQueue } from './server-queue.ts';
import { askForServer, askWhois } from './whois.ts';
import {
  ROOT_WHOIS_SERVER,
  PUBLISHES_NO_EXPIRY,
  WHOIS_SERVERS,
  type WhoisRegistry,
} from './whois-servers.ts';

type Result = InspectionResult<'domain'>;
type Known = Extract<Result, { state: 'known' }>;
type Unknown = Extract<Result, { state: 'unknown' }>;

export interface DomainInspectorDeps {
  clock: Clock;
  /** Servers from `loadRdapServers`; the built-in table by default. */
  rdapServers?: RdapServers;
  /** By top-level domain. */
  whoisServers?: ReadonlyMap<string, WhoisRegistry>;
  /** Server that knows the WHOIS server of each top-level domain. */
  rootWhoisServer?: string;
  whoisPort?: number;
  /** PEM certificates that replace the trust store. */
  authorities?: string[];
}

const WHOIS_PORT = 43;
const LOST_STATUSES = new Set(['redemption period', 'pending delete']);
/** Share of the time limit for RDAP; the rest is left for WHOIS. */
const RDAP_SHARE = 0.5;
const REFERRAL_TTL_MS = 24 * 60 * 60_000;
/** More than the number of top-level domains; names may end in anything. */
const MAX_REFERRALS = 2_000;

/**
 * Finds the expiry date of a domain by RDAP, and by WHOIS if there is no RDAP server, it fails or doesn't publish the
 * date. If neither has it, the result is unknown, which never counts against the domain.
 */
export function createDomainInspector(deps: DomainInspectorDeps): Inspector<DomainRequest> {
  const { clock } = deps;
  const rdapServers = deps.rdapServers ?? RDAP_SERVERS;
  const whoisServers = deps.whoisServers ?? WHOIS_SERVERS;
  const rootWhoisServer = deps.rootWhoisServer ?? ROOT_WHOIS_SERVER;
  const whoisPort = deps.whoisPort ?? WHOIS_PORT;
  const tlsContexts = createTlsContexts(deps.authorities);
  const queue = createServerQueue(clock);
  const referrals = new Map<string, { server: string | null; until: number }>();

  async function lookUpByRdap(request: DomainRequest, context: ProbeContext) {
    const { domain } = request;
    const baseUrl = findRdapServer(rdapServers, domain);
    if (baseUrl === null) return null;
    const timeoutMs = Math.round(request.timeoutMs * RDAP_SHARE);
    return withTimeLimit(timeoutMs, context, (signal) =>
      askRdap({ baseUrl, domain, timeoutMs }, { ...context, signal, queue, tlsContexts }),
    );
  }

  async function lookUpByWhois(
    { domain, timeoutMs }: DomainRequest,
    context: ProbeContext,
  ): Promise<Result | null> {
    const topLevelDomain = domain.slice(domain.lastIndexOf('.') + 1);
    let registry = whoisServers.get(topLevelDomain) ?? null;
    if (registry === null) {
      const found = await referral(topLevelDomain, timeoutMs, context);
      if ('reason' in found) return found;
      if (found.server === null) return null;
      registry = { server: found.server };
    }
    const request = { domain, port: whoisPort, timeoutMs };
    return askWhois(registry, request, { ...context, queue });
  }

  async function referral(topLevelDomain: string, timeoutMs: number, context: ProbeContext) {
    const kept = referrals.get(topLevelDomain);
    if (kept !== undefined && kept.until > clock.monotonic()) return kept;
    const found = await askForServer(
      { server: rootWhoisServer, port: whoisPort, query: topLevelDomain, timeoutMs },
      { ...context, queue },
    );
    if ('server' in found) {
      const until = clock.monotonic() + REFERRAL_TTL_MS;
      if (referrals.size >= MAX_REFERRALS) referrals.clear();
      referrals.set(topLevelDomain, { server: found.server, until });
    }
    return found;
  }

  return async (request, context) => {
    const domain = request.domain.toLowerCase();
    const topLevelDomain = domain.slice(domain.lastIndexOf('.') + 1);
    const rdap = await lookUpByRdap({ ...request, domain }, context);
    const isFound = rdap?.state === 'known';
    if (isFound && (rdap.facts.expiresAt !== null || PUBLISHES_NO_EXPIRY.has(topLevelDomain))) {
      return rdap;
    }
    const whois = await lookUpByWhois({ ...request, domain }, context);
    return combine(rdap, whois, topLevelDomain);
  };
}

/**
 * Combines both results. A date counts from either source. "No date" only counts if every source that could know has
 * answered: otherwise an unavailable server would hide a date that is near.
 */
function combine(rdap: Result | null, whois: Result | null, topLevelDomain: string): Result {
  if (whois?.state === 'known' && whois.facts.expiresAt !== null) {
    return rdap?.state === 'known' ? withStatusesOf(rdap, whois) : whois;
  }
  const failures = [rdap, whois].filter((result) => result?.state === 'unknown');
  const known = [rdap, whois].find((result) => result?.state === 'known');
  const isEnough = failures.length === 0 || PUBLISHES_NO_EXPIRY.has(topLevelDomain);
  if (known?.state === 'known' && (isEnough || isLost(known))) return known;
  const reasons = [
    reasonOf(rdap) ?? `there is no RDAP server for .${topLevelDomain}`,
    reasonOf(whois) ?? `there is no WHOIS server for .${topLevelDomain}`,
  ];
  const waits = failures.map((result) => (result as Unknown).retryAfterMs ?? 0);
  const retryAfterMs = Math.max(0, ...waits);
  return {
    state: 'unknown',
    reason: capitalized(reasons.join(', and ')),
    ...(retryAfterMs > 0 ? { retryAfterMs } : {}),
  };
}

/** The owner has lost the domain: a date would not change that. */
function isLost({ facts }: Known): boolean {
  return facts.statuses.some((status) => LOST_STATUSES.has(status));
}

/** Keeps the statuses of RDAP, which are standardized, with the date of WHOIS. */
function withStatusesOf(rdap: Known, whois: Known): Known {
  const statuses = [...new Set([...rdap.facts.statuses, ...whois.facts.statuses])];
  const registrar = rdap.facts.registrar ?? whois.facts.registrar;
  return { state: 'known', facts: { ...whois.facts, registrar, statuses } };
}

function reasonOf(result: Result | null): string | null {
  if (result === null) return null;
  if (result.state === 'unknown') return result.reason;
  if (result.state === 'failed') return result.failure.text;
  const { source, server } = result.facts;
  return `${source.toUpperCase()} server ${server} does not return the expiry date`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Runs a part of the work with a shorter time limit. Aborting the whole aborts the part, too. */
async function withTimeLimit<T>(
  milliseconds: number,
  { signal, clock }: ProbeContext,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const part = new AbortController();
  const end = (): void => part.abort(signal.reason as AbortReason);
  const timer = clock.after(milliseconds, () => part.abort('deadline' satisfies AbortReason));
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  try {
    return await work(part.signal);
  } finally {
    clock.clear(timer);
    signal.removeEventListener('abort', end);
  }
}
