import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A software passkey that answers as a browser would (WebAuthn Level 3, sections 5.1.3 and 5.1.4). */
interface TestAuthenticator {
  register(options: { challenge: string }): object;
  authenticate(options: { challenge: string }): object;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED = 0x40;

export function createAuthenticator(site: {
  origin: string;
  rpId: string;
  /** Whether it verifies the user. */
  verifiesUser?: boolean;
}): TestAuthenticator {
  const { origin, rpId, verifiesUser = true } = site;
  const id = randomBytes(16);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  let counter = 0;

  function authenticatorData(attested: Buffer | null): Buffer {
    counter += 1;
    const flags =
      USER_PRESENT | (verifiesUser ? USER_VERIFIED : 0) | (attested === null ? 0 : ATTESTED);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const head = [sha256(rpId), Buffer.from([flags]), count];
    return Buffer.concat(attested === null ? head : [...head, attested]);
  }

  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  const answer = (response: Record<string, Buffer | string[]>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(
      Object.entries(response).map(([name, value]) => [
        name,
        Buffer.isBuffer(value) ? value.toString('base64url') : value,
      ]),
    ),
  });

  return {
    register({ challenge }) {
      const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
      // EC2 over P-256, for ES256 (RFC 9053, section 7.1.1).
      const key = cborMap([
        [cborInteger(1), cborInteger(2)],
        [cborInteger(3), cborInteger(-7)],
        [cborInteger(-1), cborInteger(1)],
        [cborInteger(-2), cborBytes(Buffer.from(x, 'base64url'))],
        [cborInteger(-3), cborBytes(Buffer.from(y, 'base64url'))],
      ]);
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const attestationObject = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(authenticatorData(attested))],
      ]);
      const clientDataJSON = clientData('webauthn.create', challenge);
      return answer({ clientDataJSON, attestationObject, transports: ['internal'] });
    },
    authenticate({ challenge }) {
      const clientDataJSON = clientData('webauthn.get', challenge);
      const data = authenticatorData(null);
      const signature = sign('sha256', Buffer.concat([data, sha256(clientDataJSON)]), privateKey);
      return answer({ clientDataJSON, authenticatorData: data, signature });
    },
  };
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

// The part of CBOR that is needed (RFC 8949, section 3).
function cborHead(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.from([(major << 5) | argument]);
  if (argument < 256) return Buffer.from([(major << 5) | 24, argument]);
  return Buffer.from([(major << 5) | 25, argument >> 8, argument & 0xff]);
}

function cborInteger(value: number): Buffer {
  return value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value);
}

function cborBytes(value: Buffer): Buffer {
  return Buffer.concat([cborHead(2, value.length), value]);
}

function cborText(value: string): Buffer {
  return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
}

function cborMap(entries: [Buffer, Buffer][]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
}
