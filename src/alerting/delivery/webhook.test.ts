import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startProvider, type Provider } from '../../../test/support/provider.ts';
import { secretBox } from '../../../test/support/deliveries.ts';
import { KEPT_BYTES, sendWebhook, type WebhookTarget } from './webhook.ts';

let provider: Provider;
beforeEach(async () => void (provider = await startProvider()));
afterEach(() => provider.close());

const { seal } = secretBox.of('webhook_endpoint', 1);
const NOW = Date.UTC(2030, 0, 1);

function send(more: Partial<WebhookTarget> = {}, body = '{"event": "monitor.down"}', now = NOW) {
  const target: WebhookTarget = {
    row: { kind: 'webhook_endpoint', owner: 1, urlColumn: 'url' },
    url: seal('https://hooks.example.com/in?key=1', 'url'),
    authType: 'none',
    authHeaderName: null,
    authToken: null,
    signingSecret: null,
    previousSigningSecret: null,
    previousSecretUntil: null,
    ...more,
  };
  return sendWebhook(
    target,
    { messageId: 'msg_1', body },
    { http: provider.http, secretBox, userAgent: 'Tocsin/1.2.3', now: () => now },
    new AbortController().signal,
  );
}

test('the body goes as it is, byte for byte, with who sends it and which message it is [28.12]', async () => {
  const body = '{ "name":"Grüße",\n "price": 1.10 }';
  expect(await send({}, body)).toEqual({
    outcome: 'delivered',
    reason: null,
    statusCode: 200,
    retryAfterMs: null,
    response: '{}',
  });
  const [request] = provider.requests;
  expect(request).toMatchObject({
    method: 'POST',
    url: 'https://hooks.example.com/in?key=1',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Tocsin/1.2.3',
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(NOW / 1_000),
    },
  });
  expect(request!.bytes).toEqual(Buffer.from(body));
  expect(request!.headers).not.toHaveProperty('webhook-signature');
  expect(request!.headers).not.toHaveProperty('authorization');
});

describe('authentication', () => {
  test.each([
    ['bearer', null, { authorization: 'Bearer s3cret-token' }],
    ['header', 'X-Api-Key', { 'x-api-key': 's3cret-token' }],
  ])('%s', async (authType, authHeaderName, expected) => {
    await send({ authType, authHeaderName, authToken: seal('s3cret-token', 'auth_token') });
    expect(provider.requests[0]!.headers).toMatchObject(expected);
  });

  test('basic is base64 of user and password [29.40]', async () => {
    await send({ authType: 'basic', authToken: seal('ada:pässword', 'auth_token') });
    const encoded = Buffer.from('ada:pässword', 'utf8').toString('base64');
    expect(provider.requests[0]!.headers.authorization).toBe(`Basic ${encoded}`);
  });
});

const verify = (key: string) => {
  const { headers, body } = provider.requests.at(-1)!;
  return new Webhook(key).verify(body, headers as Record<string, string>);
};

describe('signature', () => {
  const secret = `whsec_${Buffer.from('a secret of 24 bytes or so').toString('base64')}`;
  const former = `whsec_${Buffer.from('the one that was before it').toString('base64')}`;
  test('a receiver verifies it with the secret', async () => {
    await send(
      { signingSecret: seal(secret, 'signing_secret') },
      '{"event":"monitor.up"}',
      Date.now(),
    );
    expect(verify(secret)).toEqual({ event: 'monitor.up' });
    expect(() => verify(former)).toThrow('No matching signature');
  });

  test.each([
    ['still signs', 1, true],
    ['signs no more', 0, false],
  ])('a former secret %s', async (_, left, signs) => {
    const now = Date.now();
    const rotation = {
      signingSecret: seal(secret, 'signing_secret'),
      previousSigningSecret: seal(former, 'previous_signing_secret'),
      previousSecretUntil: now + left,
    };
    await send(rotation, '{}', now);
    expect(verify(secret)).toEqual({});
    const { headers } = provider.requests[0]!;
    expect('x-webhook-signature-previous' in headers).toBe(signs);
    if (signs) expect(verify(former)).toEqual({});
    else expect(() => verify(former)).toThrow('No matching signature');
  });
});

describe('answers', () => {
  test.each([
    [204, 'delivered', null],
    [302, 'refused', 'The endpoint answered HTTP 302: redirects are not followed.'],
    [401, 'refused', 'The endpoint answered HTTP 401.'],
    [408, 'failed', 'The endpoint answered HTTP 408.'],
    [410, 'gone', 'The endpoint answered HTTP 410.'],
    [429, 'failed', 'The endpoint answered HTTP 429.'],
    [500, 'failed', 'The endpoint answered HTTP 500.'],
  ])('HTTP %i is %s [29.24]', async (status, outcome, reason) => {
    provider.answer({ status, headers: { Location: '/elsewhere' } });
    expect(await send()).toMatchObject({ outcome, reason, statusCode: status });
    expect(provider.requests).toHaveLength(1);
  });

  test('how long it asks us to wait', async () => {
    provider.answer({ status: 503, headers: { 'Retry-After': '90' } });
    expect(await send()).toMatchObject({ outcome: 'failed', retryAfterMs: 90_000 });
  });

  test('only the beginning is kept, as text that any database takes', async () => {
    provider.answer({ status: 200, body: `\0${'x'.repeat(100_000)}` });
    const { outcome, response } = await send();
    expect(outcome).toBe('delivered');
    expect(response).toBe(`\u{fffd}${'x'.repeat(KEPT_BYTES - 1)}`);
  });

  test('secrets that it repeats are not kept [29.34]', async () => {
    const secrets = {
      authType: 'basic',
      authToken: seal('ada:pass', 'auth_token'),
      signingSecret: seal('s3cret', 'signing_secret'),
    };
    const encoded = Buffer.from('ada:pass').toString('base64');
    provider.answer({ status: 400, body: `got ada:pass, ${encoded} and s3cret` });
    const { response } = await send(secrets);
    expect(response).toBe('got ••••••••, •••••••• and ••••••••');
  });

  test.each([
    ['its path', 'Cannot POST /hooks/T0/x8Zk2mQp91Lr?key=a1', 'Cannot POST ••••••••'],
    ['a part of it', '{"error":"no hook x8Zk2mQp91Lr"}', '{"error":"no hook ••••••••"}'],
    [
      'all of it',
      'not for https://hooks.example.com/hooks/T0/x8Zk2mQp91Lr?key=a1',
      'not for ••••••••',
    ],
    ['none of it', 'hooks of hooks.example.com are off', 'hooks of hooks.example.com are off'],
  ])('the address that is secret is not kept where it repeats %s', async (_, body, kept) => {
    provider.answer({ status: 404, body });
    const url = seal('https://hooks.example.com/hooks/T0/x8Zk2mQp91Lr?key=a1', 'url');
    expect(await send({ url })).toMatchObject({ response: kept });
  });
});
