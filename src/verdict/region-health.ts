import type { RegionResult } from '../model/check.ts';
import type { FailureCode } from '../model/failure.ts';
import type { Region } from '../model/monitor.ts';

/**
 * Whether it is a region's own network that fails, and not the targets (completions, section 6: "the probe's own network
 * failed its self-check"). It is judged from failures that come together: one region that alone can't reach many
 * targets which have nothing in common, or nearly all targets gone everywhere at once. Pure; times are epoch
 * milliseconds.
 */

/** Newer results are looked at, older ones say nothing of now. */
export const FRESH_MS = 120_000;
/** Failures that began within so long may have one cause. */
export const ONSET_MS = 300_000;

/** How many unrelated targets must have begun to fail, and what part of all that were seen since. */
export interface Rule {
  least: number;
  share: number;
}

/** Of a region that fails where most other regions of the same rounds reach the target. */
export const ALONE: Rule = { least: 5, share: 0.5 };
/** Of targets that were up, and that no region reaches. */
export const EVERYWHERE: Rule = { least: 10, share: 0.8 };

/** Failures that a broken network between us and the target causes; an answer, whatever it says, is none of them. */
const NETWORK_CODES: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'dns_not_found',
  'dns_timeout',
  'dns_failed',
  'connection_refused',
  'connection_timeout',
  'connection_reset',
  'connection_failed',
  'host_unreachable',
  'no_response',
  'no_echo',
]);
const NAME_CODES: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'dns_not_found',
  'dns_timeout',
  'dns_failed',
]);

export function isNetworkFailure({ vote, failure }: Pick<RegionResult, 'vote' | 'failure'>) {
  if (vote !== 'down' || failure === null) return false;
  if (failure.code === 'tls_handshake') return failure.text.includes('not finished within');
  return NETWORK_CODES.has(failure.code);
}

export function isNameFailure({ failure }: Pick<RegionResult, 'failure'>): boolean {
  return failure !== null && NAME_CODES.has(failure.code);
}

/** What a round says of the networks of its regions. */
export interface Sighting {
  /** Regions that did not reach the target, while most others say that it is up. */
  alone: Region[];
  /** Regions that voted beside others, and did not fail alone. */
  sound: Region[];
  /** `cut_off` when no region reached the target; null when none voted. */
  target: 'reached' | 'cut_off' | null;
}

/** Votes as the probes gave them, those of quarantined regions too. */
export function sightingOf(results: readonly RegionResult[]): Sighting {
  const voting = results.filter(({ vote }) => vote !== 'unknown');
  const up = voting.filter(({ vote }) => vote === 'up').length;
  const sighting: Sighting = { alone: [], sound: [], target: null };
  if (voting.length === 0) return sighting;
  sighting.target = voting.every(isNetworkFailure) ? 'cut_off' : 'reached';
  const others = voting.length - 1;
  if (others === 0) return sighting;
  for (const result of voting) {
    const isAlone = isNetworkFailure(result) && up > others / 2;
    sighting[isAlone ? 'alone' : 'sound'].push(result.region);
  }
  return sighting;
}

/** A target that fails. The three keys are any numbers: equal ones mean that the targets are related. */
export interface FailingTarget {
  host: number;
  /** Of its /24 or /48; of the host where no address is known. */
  network: number;
  /** Of what failed by its name: the registrable domain, whose name servers may be the cause; else of the host. */
  domain: number;
  /** When it began to fail, and when it was seen to fail last. */
  since: number;
  at: number;
}

/** What speaks for a broken network: so many unrelated targets fail, of so many. */
export interface Evidence {
  failing: number;
  targets: number;
}

/**
 * Whether targets that have nothing in common began to fail together. Of the moments at which one of them did, there
 * must be one since which nearly nothing else was seen to work: so it is noticed as soon as enough rounds have come,
 * and a few failures among many good rounds never are.
 *
 * @param reached when each host was last seen to work.
 */
export function evidenceOfCut(
  failing: readonly FailingTarget[],
  reached: ReadonlyMap<number, number>,
  rule: Rule,
  now: number,
): Evidence | null {
  const candidates = failing
    .filter(({ since, at }) => since > now - ONSET_MS && at > now - FRESH_MS)
    .toSorted((a, b) => b.since - a.since);
  if (unrelated(candidates) < rule.least) return null;
  const works = [...reached.values()].toSorted((a, b) => b - a);
  const counting = createCount();
  let working = 0;
  for (const [index, target] of candidates.entries()) {
    counting.add(target);
    if (candidates[index + 1]?.since === target.since) continue;
    while (working < works.length && works[working]! >= target.since) working += 1;
    const count = counting.unrelated();
    const targets = count + working;
    if (count >= rule.least && count >= rule.share * targets) return { failing: count, targets };
  }
  return null;
}

/** How many of these have nothing in common, counted with care: never more than there are. */
export function unrelated(targets: readonly FailingTarget[]): number {
  const counting = createCount();
  for (const target of targets) counting.add(target);
  return counting.unrelated();
}

function createCount() {
  const hosts = new Set<number>();
  const networks = new Set<number>();
  const domains = new Set<number>();
  return {
    add({ host, network, domain }: FailingTarget) {
      hosts.add(host);
      networks.add(network);
      domains.add(domain);
    },
    unrelated: () => Math.min(hosts.size, networks.size, domains.size),
  };
}

/** What a region has seen of late. */
export interface Standing {
  /** Unrelated targets that it alone did not reach. */
  alone: number;
  /** Those that no region reached. */
  cutOff: number;
  /** Hosts that it saw as other regions did. */
  reached: number;
}

/** Fewer than a tenth fail, or a single one, which may be its own fault; and at least half answer. */
export function isWell({ alone, cutOff, reached }: Standing): boolean {
  const isSoundAlone = alone <= 1 || alone < 0.1 * (alone + reached);
  return reached > 0 && isSoundAlone && reached >= cutOff;
}

/** `alone`: by votes of one region; `everywhere`: of all; `self_check`: by targets of the operator's; `earlier`: before a restart. */
export type QuarantineCause = 'alone' | 'everywhere' | 'self_check' | 'earlier';

export interface Quarantine {
  since: number;
  cause: QuarantineCause;
  /** A sentence for people. */
  reason: string;
  /** Since when all is well again; null while it is not. */
  wellSince: number | null;
}

/** No quarantine ends before that, and one of a single region only when all was well for so long. */
export const LEAST_MS = 60_000;

/** What becomes of a quarantine, given what the region sees now: null when it is over. */
export function stepQuarantine(
  quarantine: Quarantine,
  standing: Standing,
  now: number,
): Quarantine | null {
  if (quarantine.cause === 'self_check') return quarantine;
  // Nothing was seen, so nothing is known.
  if (standing.alone + standing.cutOff + standing.reached === 0) return quarantine;
  if (!isWell(standing)) return { ...quarantine, wellSince: null };
  const wellSince = quarantine.wellSince ?? now;
  const waits = quarantine.cause === 'everywhere' ? 0 : LEAST_MS;
  const isOver = now - quarantine.since >= LEAST_MS && now - wellSince >= waits;
  return isOver ? null : { ...quarantine, wellSince };
}
