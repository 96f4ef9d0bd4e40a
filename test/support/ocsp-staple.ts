import { createHash, sign } from 'node:crypto';
import { bitString, generalizedTime, integer, objectId, sequence, tagged } from './der.ts';
import type { Certificate } from './certificate-maker.ts';

export interface StapleOptions {
  status: 'good' | 'revoked' | 'unknown';
  /** Serial numbers of the certificates, in hexadecimal. */
  serialNumbers: string[];
  /** Epoch milliseconds, whole seconds. */
  producedAt: number;
  nextUpdate?: number | null;
}

const SHA1 = sequence(objectId('2b0e03021a'), tagged(0x05, Buffer.alloc(0)));
const ECDSA_SHA256 = sequence(objectId('2a8648ce3d040302'));
const BASIC_RESPONSE = objectId('2b0601050507300101');

/** An OCSP response of an authority with a P-256 key (RFC 6960, OCSPResponse). */
export function makeStaple(authority: Certificate, options: StapleOptions): Buffer {
  const data = sequence(
    tagged(0xa2, tagged(0x04, sha1(keyBits(authority)))),
    generalizedTime(options.producedAt),
    sequence(...options.serialNumbers.map((serial) => singleResponse(authority, serial, options))),
  );
  const signature = sign('sha256', data, authority.privateKey);
  const answer = sequence(data, ECDSA_SHA256, bitString(signature));
  return response(0, sequence(BASIC_RESPONSE, tagged(0x04, answer)));
}

/** An OCSP error response, such as 3 for "try later". */
export function makeRefusal(status: number): Buffer {
  return response(status);
}

function response(status: number, ...bytes: Buffer[]): Buffer {
  const code = tagged(0x0a, Buffer.from([status]));
  return sequence(code, ...bytes.map((each) => tagged(0xa0, each)));
}

function singleResponse(
  authority: Certificate,
  serialNumber: string,
  { status, producedAt, nextUpdate = null }: StapleOptions,
): Buffer {
  const name = tagged(0x04, sha1(authority.subject));
  const key = tagged(0x04, sha1(keyBits(authority)));
  return sequence(
    sequence(SHA1, name, key, integer(serialNumber)),
    certificateStatus(status, producedAt),
    generalizedTime(producedAt),
    ...(nextUpdate === null ? [] : [tagged(0xa0, generalizedTime(nextUpdate))]),
  );
}

function certificateStatus(status: StapleOptions['status'], revokedAt: number): Buffer {
  if (status === 'revoked') return tagged(0xa1, generalizedTime(revokedAt));
  return tagged(status === 'good' ? 0x80 : 0x82, Buffer.alloc(0));
}

/** The key as an uncompressed point, without its algorithm. */
function keyBits({ publicKey }: Certificate): Buffer {
  return publicKey.subarray(-65);
}

function sha1(bytes: Buffer): Buffer {
  return createHash('sha1').update(bytes).digest();
}
