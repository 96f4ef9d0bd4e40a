import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto';
import { expect, test } from 'vitest';
import {
  channelDelivery,
  channelTools,
  message,
  recoveryDelivery,
  stormDelivery,
} from '../../../test/support/channel-deliveries.ts';
import { tryChannel } from '../../../test/support/channel-trials.ts';
import { webPush } from './web-push.ts';

/** The browser's side of a subscription. */
const browser = createECDH('prime256v1');
browser.generateKeys();
const auth = randomBytes(16);
const SETTINGS = {
  endpoint: 'https://push.example.com/send/abc',
  p256dh: browser.getPublicKey('base64url'),
  auth: auth.toString('base64url'),
};

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { x = '', y = '', d = '' } = pair.privateKey.export({ format: 'jwk' });
const point = Buffer.concat([
  Buffer.of(4),
  Buffer.from(x, 'base64url'),
  Buffer.from(y, 'base64url'),
]);
const VAPID = {
  publicKey: point.toString('base64url'),
  privateKey: d,
  subject: 'mailto:ops@example.com',
};

const { provider, send } = tryChannel(webPush, SETTINGS, {
  vapid: () => Promise.resolve(VAPID),
});

const lastRequest = () => provider.requests.at(-1)!;

/** As a browser opens a message (RFC 8291, section 3.4, and RFC 8188, section 2). */
function opened(body: Buffer): Record<string, unknown> {
  const salt = body.subarray(0, 16);
  const keyLength = body[20]!;
  const sender = body.subarray(21, 21 + keyLength);
  const shared = browser.computeSecret(sender);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), sender]);
  const key = Buffer.from(hkdfSync('sha256', shared, auth, info, 32));
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, salt, Buffer.from(`Content-Encoding: ${name}\0`), length));
  const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  decipher.setAuthTag(body.subarray(-16));
  const sealed = body.subarray(21 + keyLength, -16);
  const record = Buffer.concat([decipher.update(sealed), decipher.final()]);
  // What follows the last record's delimiter is padding.
  const text = record.subarray(0, record.lastIndexOf(2)).toString('utf8');
  return JSON.parse(text) as Record<string, unknown>;
}

test('the browser can read it, and nobody else [34.26]', async () => {
  provider.answer({ status: 201, body: '' });
  expect(await send()).toEqual({ outcome: 'delivered', statusCode: 201 });
  const { method, url, headers, bytes } = lastRequest();
  expect([method, url]).toEqual(['POST', SETTINGS.endpoint]);
  expect(headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    'content-length': String(bytes.length),
    ttl: '86400',
    urgency: 'high',
  });
  expect(headers['topic']).toMatch(/^[\w-]{32}$/);
  expect(bytes.toString('latin1')).not.toContain('Shop');
  expect(opened(bytes)).toEqual({
    title: 'Shop is down since 08:02 UTC',
    body: 'Shop is down since 08:02 UTC.\nCause: HTTP 503.',
    tone: 'critical',
    tag: 'tocsin-alert-5',
    details: 'https://up.example.com/alert?token=abc',
    acknowledge: 'https://up.example.com/alert?token=abc&acknowledge=1',
  });
});

const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));

test('the push service learns who sends (RFC 8292)', async () => {
  await send();
  const authorization = lastRequest().headers['authorization']!;
  const [, token = '', key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization)!;
  expect(key).toBe(VAPID.publicKey);
  const [header = '', claims = '', signature = ''] = token.split('.');
  expect(read(header)).toMatchObject({ alg: 'ES256', typ: 'JWT' });
  expect(read(claims)).toMatchObject({
    aud: 'https://push.example.com',
    sub: 'mailto:ops@example.com',
  });
  const ends = read(claims).exp * 1_000 - Date.now();
  expect(ends > 0 && ends < 24 * 60 * 60_000).toBe(true);
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    {
      key: createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' }),
      dsaEncoding: 'ieee-p1363',
    },
    Buffer.from(signature, 'base64url'),
  );
  expect(isSigned).toBe(true);
});

test('a recovery replaces the alarm that still waits for the browser', async () => {
  await send();
  const { topic } = lastRequest().headers;
  await send(recoveryDelivery());
  expect(lastRequest().headers).toMatchObject({ topic, urgency: 'normal' });
  expect(opened(lastRequest().bytes)).toMatchObject({ tag: 'tocsin-alert-5', acknowledge: null });
  await send(recoveryDelivery({ dedupKey: 'tocsin-alert-6' }));
  expect(lastRequest().headers['topic']).not.toBe(topic);
  await send(channelDelivery({ dedupKey: null }));
  expect(lastRequest().headers).not.toHaveProperty('topic');
});

test('the longest message is within what every push service takes', async () => {
  const link = `https://up.example.com/${'a'.repeat(400)}`;
  const long = message({
    subject: '"🔥"'.repeat(500),
    lines: Array.from({ length: 900 }, () => '"\\"'),
    links: { details: link, acknowledge: link },
  });
  await send(stormDelivery(50, { message: long }));
  const { bytes } = lastRequest();
  expect(bytes.length).toBeLessThanOrEqual(4_096);
  expect(opened(bytes)).toMatchObject({ details: link, acknowledge: link });
});

test.each([
  [404, 'gone', 'the browser has unsubscribed'],
  [410, 'gone', 'the browser has unsubscribed'],
  [
    403,
    'refused',
    'the subscription belongs to another key: turn it off and on again in that browser',
  ],
  [413, 'refused', 'the message is too long for it'],
])('HTTP %i: %s, %s', async (status, outcome, meaning) => {
  provider.answer({ status, body: `no: ${SETTINGS.endpoint}` });
  expect(await send()).toEqual({
    outcome,
    statusCode: status,
    reason: `The push service answered HTTP ${status}: ${meaning}.`,
  });
});

test('a push service that is busy is asked again when it says so', async () => {
  provider.answer({ status: 429, headers: { 'Retry-After': '120' } });
  expect(await send()).toMatchObject({ outcome: 'failed', retryAfterMs: 120_000 });
});

test.each([
  ['no point of the curve', { p256dh: Buffer.alloc(65, 4).toString('base64url') }],
  ['too short a secret', { auth: 'AAAA' }],
])('a subscription with %s is refused, and nothing is sent', async (_what, settings) => {
  expect(await send(channelDelivery(), settings)).toEqual({
    outcome: 'refused',
    reason: 'The keys of the subscription are not valid: turn it off and on again in that browser.',
    statusCode: null,
  });
  expect(provider.requests).toEqual([]);
});

test('without a key pair it may go another time', async () => {
  const tools = channelTools(provider.http);
  const outcome = await webPush.send(
    SETTINGS,
    channelDelivery(),
    tools,
    new AbortController().signal,
  );
  expect(outcome).toMatchObject({
    outcome: 'failed',
    reason: "The key pair of Web Push can't be read: This test has no key pair.",
  });
});
