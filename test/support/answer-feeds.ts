import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { CHANNEL_TYPES } from '../../src/alerting/channels/index.ts';
import { sendWebhook, type WebhookTarget } from '../../src/alerting/delivery/webhook.ts';
import { charsetOfType, decodeBytes, mediaTypeOf } from '../../src/lib/charset.ts';
import type { HttpClient } from '../../src/net/http-client.ts';
import { channelDelivery, channelTools } from './channel-deliveries.ts';
import { secretBox } from './deliveries.ts';

/** An HTTP client whose every request gets this answer, cut to what the caller reads. */
function answering(status: number, text: string): HttpClient {
  const body = Buffer.from(text);
  const headers = { 'retry-after': text.slice(0, 8_192), 'content-type': 'application/json' };
  return {
    request: async ({ maxBytes }) => ({
      ok: true,
      status,
      headers,
      body: body.subarray(0, maxBytes),
    }),
  };
}

const { signal } = new AbortController();
/** Addresses and credentials as long as they may be: what a receiver repeats of them is masked. */
const SECRET = 'secret-part/'.repeat(300);
const URL_TEXT = `https://hooks.example.com/${SECRET.slice(0, 2_000)}`;
const SECRETS = secretBox.of('webhook_endpoint', 1);
const TARGET: WebhookTarget = {
  row: { kind: 'webhook_endpoint', owner: 1, urlColumn: 'url' },
  url: SECRETS.seal(URL_TEXT, 'url'),
  authType: 'bearer',
  authHeaderName: null,
  authToken: SECRETS.seal(SECRET.slice(0, 500), 'auth_token'),
  signingSecret: SECRETS.seal(SECRET.slice(0, 255), 'signing_secret'),
  previousSigningSecret: null,
  previousSecretUntil: null,
};
const SETTINGS: Record<string, unknown> = { numbers: ['+4930123456'], addresses: ['a@b.example'] };

/** Has all kinds of receivers of messages answer with that text: endpoints and each type of channel. */
export async function answerMessages(text: string): Promise<void> {
  const tools = { secretBox, userAgent: 'Tocsin', now: () => 0 };
  for (const status of [200, 400, 403, 404, 503]) {
    const http = answering(status, text);
    await sendWebhook(TARGET, { messageId: 'one', body: '{}' }, { ...tools, http }, signal);
    for (const type of CHANNEL_TYPES) {
      await setImmediate();
      const fields = Object.entries(type.fields).map(([name, { kind }]) => [
        name,
        SETTINGS[name] ?? (kind === 'url' ? URL_TEXT : SECRET.slice(0, 200)),
      ]);
      // What a type can not send with such settings is not what is measured.
      await type
        .send(Object.fromEntries(fields), channelDelivery(), channelTools(http), signal)
        .catch(() => null);
    }
  }
}

/** Decodes the kept part of a ping's body. @param text the Content-Type up to the first line break, then the body. */
export function readPing(text: string): void {
  const end = text.indexOf('\n');
  const charset = charsetOfType(mediaTypeOf(text.slice(0, end))) ?? 'utf-8';
  decodeBytes(Buffer.from(text.slice(end + 1), 'latin1').subarray(0, 10 * 1024), charset, true);
}

const CHALLENGE = Buffer.alloc(32, 1).toString('base64url');
const ORIGIN = 'https://up.example.com';

/** Registers and signs in with passkeys whose CBOR is that text, byte for byte. */
export async function readPasskey(text: string): Promise<void> {
  const ours = createRequire(import.meta.url).resolve('@better-auth/passkey');
  const library = createRequire(ours).resolve('@simplewebauthn/server');
  const { verifyRegistrationResponse, verifyAuthenticationResponse } = await import(
    pathToFileURL(library).href
  );
  const bytes = Buffer.from(text, 'latin1');
  const clientData = (type: string) =>
    Buffer.from(JSON.stringify({ type, challenge: CHALLENGE, origin: ORIGIN })).toString(
      'base64url',
    );
  const id = bytes.subarray(0, 1_023).toString('base64url');
  const shared = { id, rawId: id, type: 'public-key', clientExtensionResults: {} };
  const expected = {
    expectedChallenge: CHALLENGE,
    expectedOrigin: ORIGIN,
    expectedRPID: 'up.example.com',
  };
  const whole = bytes.toString('base64url');
  const data = authenticatorData(bytes);
  const attestation = Buffer.concat([ATTESTATION_HEAD, cborBytes(data)]).toString('base64url');
  for (const attestationObject of [whole, attestation])
    await verifyRegistrationResponse({
      ...expected,
      response: {
        ...shared,
        response: { clientDataJSON: clientData('webauthn.create'), attestationObject },
      },
    }).catch(() => null);
  await setImmediate();
  await verifyAuthenticationResponse({
    ...expected,
    credential: { id, publicKey: bytes, counter: 0 },
    response: {
      ...shared,
      response: {
        clientDataJSON: clientData('webauthn.get'),
        authenticatorData: data.toString('base64url'),
        signature: whole,
      },
    },
  }).catch(() => null);
}

/** Data of an authenticator with a credential whose key, and extensions, are those bytes (WebAuthn Level 3, section 6.1). */
function authenticatorData(key: Buffer): Buffer {
  const head = Buffer.alloc(37 + 16 + 2 + 16);
  // Present, verified, with a credential and extensions.
  head[32] = 0x01 | 0x04 | 0x40 | 0x80;
  head.writeUInt16BE(16, 37 + 16);
  return Buffer.concat([head, key]);
}

/** `{fmt: "none", attStmt: {}, authData: …` as a CBOR map. */
const ATTESTATION_HEAD = Buffer.from('\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData', 'latin1');

function cborBytes(bytes: Buffer): Buffer {
  const head = Buffer.from([0x5a, 0, 0, 0, 0]);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}
