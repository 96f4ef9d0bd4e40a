import type { ContentOutcome } from './content.ts';
import type { Failure, UnknownCode } from './failure.ts';
import type { Region } from './monitor.ts';

/** Everything a probe needs for one check, since probes have no database. What a type asks besides is in its file in monitor-types. */
export interface CheckRequest {
  /** Name of the monitor type. */
  type: string;
  monitorId: number;
  /**
   * Team whose share of the probe's capacity the check uses: it may have to wait for a slot. Absent for self-checks and
   * for checks that a person waits for: they start at once or not at all.
   */
  teamId?: number;
  /** Time limit of the whole check, including name lookup and redirects, counted from its own start. */
  timeoutMs: number;
}

/** Duration of each phase in milliseconds; null if the phase didn't happen or didn't end. */
export interface Timings {
  dnsMs: number | null;
  tcpMs: number | null;
  tlsMs: number | null;
  /** From the last byte of the request to the first byte of the response. */
  ttfbMs: number | null;
  totalMs: number | null;
}

export const NO_TIMINGS: Timings = {
  dnsMs: null,
  tcpMs: null,
  tlsMs: null,
  ttfbMs: null,
  totalMs: null,
};

/** Rounds a time to microseconds, the precision of reported timings. */
export function toMicroseconds<T extends number | null>(milliseconds: T): T {
  return (milliseconds === null ? null : Math.round(milliseconds * 1_000) / 1_000) as T;
}

/** `unknown` counts as neither up nor down: the probe failed, not the target. */
export type Vote = 'up' | 'down' | 'unknown';

/** Outcome of a check in one region. Probes return it for anything a target does; they never throw. */
export interface CheckResult {
  vote: Vote;
  failure: Failure | null;
  /** Milliseconds from the start of the check to the end of its last phase; null if the target didn't respond. */
  responseTimeMs: number | null;
  statusCode: number | null;
  timings: Timings;
  /** Address the probe connected to or tried last; null if none was found. */
  remoteAddress: string | null;
  /** The address belongs to this machine or a directly attached network: the result says nothing about the uplink. */
  isOnLink?: true;
  /** Set for failed checks, and where the request captures all. */
  evidence: Evidence | null;
  /** Set if content is checked, the request succeeded and the content could be evaluated. */
  content?: ContentOutcome;
  /** Certificate fault that doesn't fail the check, see `isCertificateInspected`. */
  certificateFault?: Failure;
  /** Set if the name has addresses of both families and this machine can reach both. */
  families?: FamilyOutcomes;
  /**
   * The target has addresses of one family only, so there is nothing to compare. If neither this nor `families` is set,
   * both is unknown.
   */
  hasOneFamily?: true;
  /**
   * Epoch milliseconds, by the probe's clock, at which the first packet of the check was sent: a DNS query, a SYN or an
   * ICMP echo. Absent if none was.
   */
  sentAt?: number;
}

/** Whether each address family responds: null if it does, else the failure. Rounds fail only if neither does. */
export interface FamilyOutcomes {
  ipv4: Failure | null;
  ipv6: Failure | null;
}

/** Result of a check that the probe couldn't carry out. */
export function unknownResult(code: UnknownCode, text: string): CheckResult {
  return {
    vote: 'unknown',
    failure: { code, text },
    responseTimeMs: null,
    statusCode: null,
    timings: NO_TIMINGS,
    remoteAddress: null,
    evidence: null,
  };
}

/** Response of a failed check, with secrets removed at capture (contract 20.9, 20.10). */
export interface Evidence {
  statusLine: string | null;
  headers: Record<string, string>;
  /** First 4 KiB of the body as text. */
  body: string | null;
  /** Redirects followed, without credentials and query. */
  redirects: string[];
  tls: TlsSummary | null;
}

export interface TlsSummary {
  protocol: string | null;
  subject: string | null;
  issuer: string | null;
  /** Validity of the leaf certificate, ISO 8601. */
  validFrom: string | null;
  validTo: string | null;
  /** IANA name of the cipher. */
  cipher: string | null;
  /** Certificates after the leaf, as sent or found, at most 10. */
  chain: { subject: string | null; issuer: string | null; validTo: string | null }[];
}

export interface RegionResult extends CheckResult {
  region: Region;
  /** Name of the machine that ran the check; absent if unknown. */
  vantage?: string;
  /** Epoch milliseconds at which the check was sent to the region. */
  checkedAt: number;
}

interface Observation {
  /** Name of the machine; absent if no machine was involved. */
  vantage?: string | null;
}

/**
 * Name of the one machine that made all observations; null if there were several, or none is known (contract 14.17).
 */
export function sharedProbeHost(observations: readonly Observation[]): string | null {
  const names = new Set(observations.flatMap(({ vantage }) => vantage ?? []));
  return names.size === 1 ? [...names][0]! : null;
}

/** The only machine that probes for all regions of an installation. */
export interface SoleProbeHost {
  name: string;
  regions: readonly string[];
}

/** Finds the only machine that probes for these regions; null if there are several, or one is unknown. */
export function soleProbeHost(
  regions: readonly string[],
  probeHostOf: (region: string) => string | null,
): SoleProbeHost | null {
  const hosts = regions.map(probeHostOf);
  if (hosts.includes(null)) return null;
  const name = sharedProbeHost(hosts.map((vantage) => ({ vantage })));
  return name === null ? null : { name, regions };
}
