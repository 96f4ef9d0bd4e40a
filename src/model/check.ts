import type { ContentCheck, ContentOutcome } from './content.ts';
import type { Failure, UnknownCode } from './failure.ts';
import type { HttpMethod, Region } from './monitor.ts';

/** What a probe is asked to do: everything it needs and nothing else, since probes have no database. */
export type CheckRequest = HttpCheckRequest | PingCheckRequest | PortCheckRequest;

interface CheckRequestBase {
  monitorId: number;
  /**
   * The team whose share of the probe's capacity the check uses: it may have to wait for a slot. Absent for
   * self-checks, and for checks that a person waits for: they start at once or not at all.
   */
  teamId?: number;
  /** The whole check, name look-up and redirects included, ends within this many milliseconds of its own start. */
  timeoutMs: number;
}

export interface HttpCheckRequest extends CheckRequestBase {
  type: 'http';
  /** Absolute http or https URL, exactly as the user wrote it. */
  url: string;
  method: HttpMethod;
  headers: Record<string, string>;
  body: string | null;
  /** `"200"` or `"2xx"`; null means 2xx and 3xx. */
  acceptedStatusCodes: string[] | null;
  /** At most 5 redirects are followed. */
  followRedirects: boolean;
  /** Whether a bad certificate fails the check. */
  verifySsl: boolean;
  /**
   * A certificate fault is told in `certificateFault` and does not fail the check: it is inspected apart, and raises
   * `ssl` alone (contract 16.22).
   */
  isCertificateInspected?: boolean;
  /** Whether a server's error text on an accepted page fails the check. */
  errorTextDetection: boolean;
  /** For digest authentication (RFC 7616), which waits for the server's challenge. */
  digest?: Credentials;
  content?: ContentCheck;
}

export interface Credentials {
  username: string;
  password: string;
}

export interface PingCheckRequest extends CheckRequestBase {
  type: 'ping';
  /** Host name, IPv4 or IPv6 address without brackets. */
  host: string;
}

export interface PortCheckRequest extends CheckRequestBase {
  type: 'port';
  host: string;
  /** TCP port, 1 to 65535. */
  port: number;
}

/** Milliseconds of each phase, null where the phase did not happen or did not end. */
export interface Timings {
  dnsMs: number | null;
  tcpMs: number | null;
  tlsMs: number | null;
  /** From the request's last byte to the answer's first one. */
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

/** Times of a check are told to the microsecond; a clock's further digits say nothing. */
export function toMicroseconds<T extends number | null>(milliseconds: T): T {
  return (milliseconds === null ? null : Math.round(milliseconds * 1_000) / 1_000) as T;
}

/** `unknown` never counts as up or down: our own side failed, not the target. */
export type Vote = 'up' | 'down' | 'unknown';

/** What one probe saw of one target. A probe never throws for what a target does: it answers this. */
export interface CheckResult {
  vote: Vote;
  /** Why it is down, or why nothing is known; null when up. */
  failure: Failure | null;
  /** Milliseconds from the start of the check to its last phase; null unless the target answered. */
  responseTimeMs: number | null;
  /** HTTP status code of the final answer, null when there was none. */
  statusCode: number | null;
  timings: Timings;
  /** The address the probe spoke to, or tried last; null when none was found. */
  remoteAddress: string | null;
  /** That address is this machine's own, or in a network that it is attached to: it says nothing about the way beyond. */
  isOnLink?: true;
  /** Kept for a failed check only. */
  evidence: Evidence | null;
  /** Of a check with content whose request succeeded and whose content could be judged. */
  content?: ContentOutcome;
  /** A certificate fault that does not fail the check, see `isCertificateInspected`. */
  certificateFault?: Failure;
  /** Of a name that has addresses of both families, both of which this machine can reach. */
  families?: FamilyOutcomes;
  /** The target has addresses of one family, so there is nothing to compare. Without either nothing was found out. */
  hasOneFamily?: true;
  /**
   * Epoch milliseconds, by the probe's clock, at which the first packet of the check left: a name query, a SYN or an
   * echo. Absent when none did.
   */
  sentAt?: number;
}

/** Whether each family of addresses answers: null when it does, else why not. Rounds fail only when neither does. */
export interface FamilyOutcomes {
  ipv4: Failure | null;
  ipv6: Failure | null;
}

/** The result of a check that our own side could not do. */
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

/** What the target answered when it failed, secrets removed at capture (contract 20.9, 20.10). */
export interface Evidence {
  statusLine: string | null;
  headers: Record<string, string>;
  /** The first 4 KiB of the body as text. */
  body: string | null;
  /** Each redirect followed, without credentials or query. */
  redirects: string[];
  tls: TlsSummary | null;
}

export interface TlsSummary {
  protocol: string | null;
  subject: string | null;
  issuer: string | null;
  /** ISO 8601 times of the leaf certificate. */
  validFrom: string | null;
  validTo: string | null;
  /** IANA name of the cipher. */
  cipher: string | null;
  /** The certificates after the leaf, as they were sent or found, at most 10. */
  chain: { subject: string | null; issuer: string | null; validTo: string | null }[];
}

/** One region's part of a round. */
export interface RegionResult extends CheckResult {
  region: Region;
  /** Name of the machine that looked for the region; absent where it is not known. */
  vantage?: string;
  /** Epoch milliseconds at which the check was handed to the region. */
  checkedAt: number;
}
