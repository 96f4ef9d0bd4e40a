import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { bitString, integer, objectId, sequence, tagged, time } from './der.ts';

export type KeyKind = 'ec' | 'ec384' | 'rsa' | 'rsa1024' | 'ed25519';

export interface CertificateOptions {
  /** Common name of the subject; null for an empty subject. */
  name?: string | null;
  /** Subject alternative names; null for no extension. An address is one, unless `dns:` stands before it. */
  names?: string[] | null;
  /** Epoch milliseconds. */
  validFrom?: number;
  validTo?: number;
  key?: KeyKind;
  /** Whether it is a certificate authority. */
  isAuthority?: boolean;
  /** Hexadecimal. */
  serialNumber?: string;
  /** Issuer; self-signed by default. */
  issuer?: Certificate;
  /** Uses the key of another certificate, as cross-signed certificates do. */
  sameKeyAs?: Certificate;
}

/** A certificate with its key. */
export interface Certificate {
  pem: string;
  keyPem: string;
  privateKey: KeyObject;
  /** DER of the public key, and of the subject's name. */
  publicKey: Buffer;
  subject: Buffer;
  /** Uppercase hexadecimal, as Node writes it. */
  serialNumber: string;
  /** SHA-256 fingerprint in hexadecimal. */
  fingerprint: string;
  validFrom: number;
  validTo: number;
}

const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;

/**
 * Creates a certificate (RFC 5280) with any dates, names and chain. By default it is for `localhost` and valid for
 * ninety days from yesterday.
 */
export function makeCertificate(options: CertificateOptions = {}): Certificate {
  const { issuer, isAuthority = false } = options;
  const pair = options.sameKeyAs ?? newKey(options.key ?? 'ec');
  const validFrom = wholeSeconds(options.validFrom ?? Date.now() - DAY_MS);
  const validTo = wholeSeconds(options.validTo ?? validFrom + 90 * DAY_MS);
  const serialNumber = (options.serialNumber ?? randomSerial()).toUpperCase();
  const subject = distinguishedName(options.name === undefined ? 'localhost' : options.name);
  const names = options.names === undefined && !isAuthority ? ['localhost'] : options.names;

  const signingKey = issuer?.privateKey ?? pair.privateKey;
  const body = sequence(
    tagged(0xa0, integer('02')),
    integer(serialNumber),
    signatureAlgorithm(signingKey),
    issuer?.subject ?? subject,
    sequence(time(validFrom), time(validTo)),
    subject,
    pair.publicKey,
    tagged(0xa3, sequence(...extensions(names ?? null, isAuthority))),
  );
  const signature = sign(digestOf(signingKey), body, signingKey);
  const der = sequence(body, signatureAlgorithm(signingKey), bitString(signature));
  return {
    pem: `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`,
    keyPem: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    privateKey: pair.privateKey,
    publicKey: pair.publicKey,
    subject,
    serialNumber,
    fingerprint: createHash('sha256').update(der).digest('hex'),
    validFrom,
    validTo,
  };
}

/** Creates a self-signed authority that is valid for years around now. */
export function makeAuthority(name: string, options: CertificateOptions = {}): Certificate {
  const validFrom = Date.now() - 1_000 * DAY_MS;
  return makeCertificate({
    name,
    isAuthority: true,
    validFrom,
    validTo: validFrom + 5_000 * DAY_MS,
    ...options,
  });
}

function newKey(kind: KeyKind): Pick<Certificate, 'privateKey' | 'publicKey'> {
  const pair = newPair(kind);
  return {
    privateKey: pair.privateKey,
    publicKey: pair.publicKey.export({ type: 'spki', format: 'der' }),
  };
}

function newPair(kind: KeyKind): { privateKey: KeyObject; publicKey: KeyObject } {
  if (kind === 'ed25519') return generateKeyPairSync('ed25519');
  if (kind === 'rsa') return generateKeyPairSync('rsa', { modulusLength: 2_048 });
  if (kind === 'rsa1024') return generateKeyPairSync('rsa', { modulusLength: 1_024 });
  return generateKeyPairSync('ec', { namedCurve: kind === 'ec' ? 'P-256' : 'P-384' });
}

function randomSerial(): string {
  return `4${randomBytes(8).toString('hex').slice(1)}`;
}

function wholeSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / SECOND_MS) * SECOND_MS;
}

function extensions(names: string[] | null, isAuthority: boolean): Buffer[] {
  const usage = sequence(objectId('2b06010505070301'));
  const constraints = sequence(...(isAuthority ? [tagged(0x01, Buffer.from([0xff]))] : []));
  return [
    sequence(objectId('551d13'), tagged(0x04, constraints)),
    ...(isAuthority ? [] : [sequence(objectId('551d25'), tagged(0x04, usage))]),
    ...(names === null
      ? []
      : [sequence(objectId('551d11'), tagged(0x04, sequence(...names.map(generalName))))]),
  ];
}

function generalName(name: string): Buffer {
  if (isIP(name) === 0) return tagged(0x82, Buffer.from(name.replace(/^dns:/, ''), 'latin1'));
  return tagged(0x87, addressBytes(name));
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const before = head.split(':').filter(Boolean);
  const after = tail.split(':').filter(Boolean);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  const groups = [...before, ...zeros, ...after];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function distinguishedName(commonName: string | null): Buffer {
  if (commonName === null) return sequence();
  const value = tagged(0x0c, Buffer.from(commonName, 'utf8'));
  return sequence(tagged(0x31, sequence(objectId('550403'), value)));
}

function digestOf(key: KeyObject): string | null {
  return key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
}

function signatureAlgorithm(key: KeyObject): Buffer {
  if (key.asymmetricKeyType === 'ed25519') return sequence(objectId('2b6570'));
  if (key.asymmetricKeyType === 'ec') return sequence(objectId('2a8648ce3d040302'));
  return sequence(objectId('2a864886f70d01010b'), tagged(0x05, Buffer.alloc(0)));
}
