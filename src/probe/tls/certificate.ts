import { X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { getCACertificates } from 'node:tls';
import type { CertificateFacts, ChainLink } from '../../model/inspection.ts';
import { withoutControls } from '../http/secret-removal.ts';
import { certificateNames } from './names.ts';
import { commonName } from './tls.ts';

/** Whether the trust store contains the issuer of a certificate. */
export type Anchors = (certificate: X509Certificate) => boolean;

const MAX_NAMES = 100;
const MAX_LINKS = 10;
const MAX_NAME_LENGTH = 253;

/** Facts of a certificate; null if its dates can't be read. Never throws for a certificate that Node could parse. */
export function readCertificate(certificate: X509Certificate): CertificateFacts | null {
  const validFrom = certificate.validFromDate.getTime();
  const validTo = certificate.validToDate.getTime();
  if (Number.isNaN(validFrom) || Number.isNaN(validTo)) return null;
  return {
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    serialNumber: certificate.serialNumber,
    subject: displayName(certificate.subject),
    issuer: displayName(certificate.issuer),
    names: certificateNames(certificate)
      .slice(0, MAX_NAMES)
      .map(({ value }) => shorten(value)),
    validFrom,
    validTo,
    ...keyOf(certificate),
  };
}

/**
 * Certificates sent after the server's own, with those marked that clients don't need: only those on the path to a
 * trusted authority are needed. Finds the path as OpenSSL does, which looks for each issuer in its store first and then
 * among those sent. So an expired cross-signature of a widely trusted root does no harm.
 */
export function readChain(
  leaf: X509Certificate,
  { isTrusted, anchors, now }: { isTrusted: boolean; anchors: Anchors; now: number },
): ChainLink[] {
  const sent = sentAfter(leaf);
  const needed = new Set<X509Certificate>();
  let current = leaf;
  while (current.subject !== current.issuer && !anchors(current)) {
    const issuer = issuerAmong(sent, needed, current);
    // The chain is trusted although this certificate has expired, so it is not needed.
    if (issuer === null || (isTrusted && issuer.validToDate.getTime() <= now)) break;
    needed.add(issuer);
    current = issuer;
  }
  return sent.map((each) => ({
    subject: displayName(each.subject),
    issuer: displayName(each.issuer),
    validTo: each.validToDate.getTime(),
    ...(needed.has(each) ? {} : { isSpare: true }),
  }));
}

/** Reads the store at the first call, which takes some ten milliseconds. `authorities` (PEM) replace Node's. */
export function createAnchors(authorities?: string[]): Anchors {
  let store: Map<string, X509Certificate[]> | null = null;
  return (certificate) => {
    store ??= Map.groupBy(
      (authorities ?? getCACertificates('default')).map((pem) => new X509Certificate(pem)),
      ({ subject }) => subject,
    );
    const candidates = store.get(certificate.issuer) ?? [];
    return candidates.some((each) => certificate.checkIssued(each));
  };
}

function sentAfter(leaf: X509Certificate): X509Certificate[] {
  const sent: X509Certificate[] = [];
  let each = leaf.issuerCertificate;
  for (; each !== undefined && sent.length < MAX_LINKS; each = each.issuerCertificate) {
    if (!Number.isNaN(each.validToDate.getTime())) sent.push(each);
  }
  return sent;
}

/** Returns the certificate of an authority that expires last. */
function issuerAmong(
  sent: X509Certificate[],
  taken: ReadonlySet<X509Certificate>,
  certificate: X509Certificate,
): X509Certificate | null {
  const candidates = sent.filter((each) => !taken.has(each) && certificate.checkIssued(each));
  const longestFirst = candidates.toSorted((a, b) => +b.validToDate - +a.validToDate);
  return longestFirst[0] ?? null;
}

/** Common name without the escapes of RFC 2253 and unprintable characters. */
function displayName(distinguishedName: string | undefined): string | null {
  const name = commonName(distinguishedName);
  if (name === null) return null;
  const plain = name
    .replace(/\\([0-9A-Fa-f]{2})/g, ' ')
    .replace(/\\(.)/gs, '$1')
    .trim();
  return plain === '' ? null : shorten(plain);
}

function shorten(text: string): string {
  return withoutControls(text).slice(0, MAX_NAME_LENGTH).toWellFormed();
}

function keyOf(certificate: X509Certificate): Pick<CertificateFacts, 'keyType' | 'keyBits'> {
  let key: KeyObject;
  try {
    key = certificate.publicKey;
  } catch {
    // A key type that OpenSSL doesn't support.
    return { keyType: null, keyBits: null };
  }
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  // The names of all curves contain their size, such as prime256v1 and secp384r1.
  const curveBits = namedCurve === undefined ? null : /\d{3}/.exec(namedCurve)?.[0];
  return {
    keyType: key.asymmetricKeyType ?? null,
    keyBits: modulusLength ?? (curveBits ? Number(curveBits) : null),
  };
}
