import type { Failure, ProblemCode } from './failure.ts';

/**
 * Slow checks on their own schedule: once per target rather than per region, shared by all monitors of the target
 * (contract 22.2).
 */
export const INSPECTION_KINDS = ['ssl', 'dns', 'domain'] as const;
export type InspectionKind = (typeof INSPECTION_KINDS)[number];

/** Request to a probe. Host names are in ASCII, addresses without brackets. */
export type InspectionRequest = SslRequest | DnsRequest | DomainRequest;

interface InspectionRequestBase {
  timeoutMs: number;
}

export interface SslRequest extends InspectionRequestBase {
  kind: 'ssl';
  host: string;
  /** TCP port, 1 to 65535. */
  port: number;
}

export interface DnsRequest extends InspectionRequestBase {
  kind: 'dns';
  /** Never an address. */
  host: string;
}

export interface DomainRequest extends InspectionRequestBase {
  kind: 'domain';
  /** A registrable domain, such as `example.co.uk`. */
  domain: string;
}

/** Facts that each kind of inspection collects. Times are epoch milliseconds. */
export interface FactsOf {
  ssl: SslFacts;
  dns: DnsFacts;
  domain: DomainFacts;
}

export interface SslFacts {
  address: string;
  /** Protocol such as `TLSv1.3`, and the cipher's IANA name. */
  protocol: string | null;
  cipher: string | null;
  certificate: CertificateFacts;
  /** Certificates sent after the server's own, at most 10. */
  chain: ChainLink[];
  /**
   * Why the certificate is invalid (dates, name or trust, by Node's store and NODE_EXTRA_CA_CERTS); null if it is
   * valid.
   */
  fault: Failure | null;
  /** Content of the OCSP staple (RFC 6960); null without one. */
  ocsp: OcspStaple | null;
}

export interface CertificateFacts {
  /** SHA-256 of the DER certificate, 64 lower-case hex digits. */
  fingerprint: string;
  serialNumber: string;
  subject: string | null;
  issuer: string | null;
  /** DNS names and addresses in the certificate, at most 100. */
  names: string[];
  validFrom: number;
  validTo: number;
  /** Type such as `rsa` or `ec`; key size in bits, null if the type has only one. */
  keyType: string | null;
  keyBits: number | null;
}

export interface ChainLink {
  subject: string | null;
  issuer: string | null;
  validTo: number;
  /** Clients don't need it, such as a root in every trust store: its dates are ignored. */
  isSpare?: true;
}

export interface OcspStaple {
  status: 'good' | 'revoked' | 'unknown' | 'unreadable';
  producedAt: number | null;
  nextUpdate: number | null;
}

export const DNS_RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA'] as const;
export type DnsRecordType = (typeof DNS_RECORD_TYPES)[number];

/** Values of each type as text, normalized and sorted, so that equal sets are equal lists. */
export type DnsRecords = Record<DnsRecordType, string[]>;

export interface DnsFacts {
  records: DnsRecords;
  /** A name server of the zone, or the machine's own resolver if none of them can be reached. */
  source: 'authoritative' | 'resolver';
  /** Address of the server that answered; null for the resolver. */
  server: string | null;
}

export interface DomainFacts {
  /** End of the registration; null if the registry doesn't publish it. */
  expiresAt: number | null;
  registrar: string | null;
  /** EPP status codes as in RDAP, such as `client transfer prohibited`. */
  statuses: string[];
  source: 'rdap' | 'whois';
  server: string;
}

/** Outcome of an inspection. Probes return it for anything a target does; they never throw. */
export type InspectionResult<Kind extends InspectionKind = InspectionKind> =
  | { state: 'known'; facts: FactsOf[Kind] }
  /** The target is at fault; only for `dns`, when the name can't be looked up. */
  | { state: 'failed'; failure: Failure }
  /** Nothing was found out: previous facts still hold. */
  | {
      state: 'unknown';
      /** One sentence without a full stop. */
      reason: string;
      /** Delay requested by the server. */
      retryAfterMs?: number;
    };

/** Result of an inspection for one monitor, by its own thresholds. */
export type Finding =
  | { says: 'good' }
  | { says: 'bad'; condition: InspectionCondition; code: ProblemCode; text: string }
  | { says: 'unknown' };

export type InspectionCondition =
  | 'ssl_invalid'
  | 'ssl_expiring'
  | 'dns'
  | 'domain_expired'
  | 'domain_expiring';
