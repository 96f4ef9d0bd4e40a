import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { parseHost } from '../../net/host.ts';

/** A subject alternative name that clients compare: a host name as it is written, or an address in canonical spelling. */
export interface CertificateName {
  kind: 'name' | 'address';
  value: string;
}

/** Node writes `DNS:one.example, IP Address:192.0.2.1`, and values that contain a comma as JSON strings. */
const ENTRY = /([^:]*):("(?:[^"\\]|\\.)*"|[^,]*)(?:, |$)/gsy;

/** Names that a certificate is for. Its common name is none (RFC 9525, section 2). */
export function certificateNames({ subjectAltName = '' }: Pick<X509Certificate, 'subjectAltName'>) {
  const names: CertificateName[] = [];
  for (const [, type, value = ''] of subjectAltName.matchAll(ENTRY)) {
    if (type === 'DNS') names.push({ kind: 'name', value });
    if (type !== 'IP Address') continue;
    const host = parseHost(value);
    if (host?.kind === 'address') names.push({ kind: 'address', value: host.address });
  }
  return names;
}

/**
 * Whether clients accept a certificate with these names for a host (RFC 9525, section 6): an address needs one of its
 * own, and `*` stands for one whole left-most label, whatever its letters. Browsers and curl accept an underscore there,
 * which OpenSSL's own comparison does not.
 */
export function isForHost(names: readonly CertificateName[], host: string): boolean {
  const wanted = parseHost(host);
  if (wanted === null) return false;
  return names.some(({ kind, value }) =>
    wanted.kind === 'address'
      ? kind === 'address' && value === wanted.address
      : kind === 'name' && isForName(value, wanted.name),
  );
}

/** @param name in ASCII and lower case, without the final dot. */
function isForName(pattern: string, name: string): boolean {
  if (!/^[!-~]+$/.test(pattern)) return false;
  const presented = pattern.toLowerCase().replace(/\.$/, '');
  if (!presented.includes('*')) return presented === name;
  const parent = presented.slice('*.'.length);
  // As in browsers and curl, a wildcard below a top-level domain counts for nothing.
  const isWildcard = presented.startsWith('*.') && /^[^*]+\.[^*]+$/.test(parent);
  return isWildcard && name.slice(name.indexOf('.') + 1) === parent;
}

const MAX_SHOWN = 3;
const MAX_SHOWN_LENGTH = 100;

/** First names of a certificate, for a sentence. It has at least one. */
export function describeNames(names: readonly CertificateName[]): string {
  const shown = names.slice(0, MAX_SHOWN).map(describeName).join(', ');
  const more = names.length - MAX_SHOWN;
  return shown + (more > 0 ? ` and ${more} more` : '');
}

function describeName({ kind, value }: CertificateName): string {
  const text = value.replace(/[^ -~]/g, '?').slice(0, MAX_SHOWN_LENGTH);
  if (kind === 'address') return text;
  if (isIP(value) !== 0) return `${text} (as a host name, not as an address)`;
  const isPartial = value.includes('*') && !/^\*\.[^*]+$/.test(value);
  return isPartial ? `${text} (a wildcard that browsers ignore)` : text;
}
