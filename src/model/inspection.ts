import type { Failure, TroubleCode } from './failure.ts';

/**
 * Looks at a target on a slow schedule of their own: once per target and not once per region, shared by all monitors
 * of the same target (contract 22.2).
 */
export const INSPECTION_KINDS = ['ssl', 'dns', 'domain'] as const;
export type InspectionKind = (typeof INSPECTION_KINDS)[number];

/** What a probe is asked for. Host names are in ASCII, addresses without brackets. */
export type InspectionRequest = SslRequest | DnsRequest | DomainRequest;

interface InspectionRequestBase {
  /** The whole inspection ends within this many milliseconds. */
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

/** What an inspection of each kind finds out. Times are epoch milliseconds. */
export interface FactsOf {
  ssl: SslFacts;
  dns: DnsFacts;
  domain: DomainFacts;
}

export interface SslFacts {
  /** The address that was spoken to. */
  address: string;
  /** Such as `TLSv1.3`, and the cipher's IANA name. */
  protocol: string | null;
  cipher: string | null;
  certificate: CertificateFacts;
  /** What the server sent after its own certificate, at most 10. */
  chain: ChainLink[];
  /** Why the certificate is not good (dates, name or trust, by Node's store and NODE_EXTRA_CA_CERTS); null when it is. */
  fault: Failure | null;
  /** What an OCSP staple says (RFC 6960); null when there was none. */
  ocsp: OcspStaple | null;
}

export interface CertificateFacts {
  /** SHA-256 of the whole certificate, 64 lower-case hex digits. */
  fingerprint: string;
  serialNumber: string;
  subject: string | null;
  issuer: string | null;
  /** DNS names and addresses that it is for, at most 100. */
  names: string[];
  validFrom: number;
  validTo: number;
  /** Such as `rsa` or `ec`; bits of the key, null where the type has only one size. */
  keyType: string | null;
  keyBits: number | null;
}

export interface ChainLink {
  subject: string | null;
  issuer: string | null;
  validTo: number;
  /** No client needs it, such as a root that all of them have: nothing follows from its dates. */
  isSpare?: true;
}

export interface OcspStaple {
  status: 'good' | 'revoked' | 'unknown' | 'unreadable';
  producedAt: number | null;
  nextUpdate: number | null;
}

/** The types of records that are looked up. */
export const DNS_RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA'] as const;
export type DnsRecordType = (typeof DNS_RECORD_TYPES)[number];

/** Each type's values as text, normalised and sorted, so that the same set is the same list; empty where there are none. */
export type DnsRecords = Record<DnsRecordType, string[]>;

export interface DnsFacts {
  records: DnsRecords;
  /** Who said so: a name server of the zone, or, where none of them can be reached, the machine's own resolver. */
  source: 'authoritative' | 'resolver';
  /** Address of the server that answered; null for the resolver. */
  server: string | null;
}

export interface DomainFacts {
  /** When the registration ends; null when the registry does not tell. */
  expiresAt: number | null;
  registrar: string | null;
  /** EPP status codes as RDAP writes them, such as `client transfer prohibited`. */
  statuses: string[];
  source: 'rdap' | 'whois';
  /** Host of the server that answered. */
  server: string;
}

/** What became of an inspection. A probe never throws for what a target does: it answers this. */
export type InspectionResult<Kind extends InspectionKind = InspectionKind> =
  | { state: 'known'; facts: FactsOf[Kind] }
  /** The target is at fault: only `dns` says this, of a name that can't be looked up. */
  | { state: 'failed'; failure: Failure }
  /** Nothing was found out: whatever was known before still holds. */
  | {
      state: 'unknown';
      /** One sentence without a full stop. */
      reason: string;
      /** How long the server asks to be left alone. */
      retryAfterMs?: number;
    };

/** What an inspection means for one monitor with its own thresholds. */
export type Finding =
  | { says: 'good' }
  | { says: 'bad'; condition: InspectionCondition; code: TroubleCode; text: string }
  | { says: 'unknown' };

export type InspectionCondition =
  | 'ssl_invalid'
  | 'ssl_expiring'
  | 'dns'
  | 'domain_expired'
  | 'domain_expiring';

/** What of a monitor's settings a finding depends on. */
export interface InspectionSettings {
  /** Days. */
  sslExpiryThreshold: number;
  domainExpiryThreshold: number;
  /** When false, only a certificate's dates are judged, and whether it is revoked. */
  verifySsl: boolean;
}
