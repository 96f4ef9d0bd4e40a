import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { signatureHeaders } from './webhook.ts';

const hex = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest('hex');
const base64 = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest('base64');

const AT = 1_674_087_231_999;
const body = '{"event":"monitor.down","name":"Grüße"}';
const sign = (secret: string, previousSecret: string | null = null) =>
  signatureHeaders({ messageId: 'msg_1', at: AT, body, secret, previousSecret });

test('the example of the Standard Webhooks specification [29.38]', () => {
  const headers = signatureHeaders({
    messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: 1_614_265_330_000,
    body: '{"test": 2432232314}',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    previousSecret: null,
  });
  expect(headers).toMatchObject({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test.each([
  ['whsec_c2VjcmV0IGtleQ==', Buffer.from('secret key')],
  ['a plain secret, 32 characters long', 'a plain secret, 32 characters long'],
  ['Schlüssel', 'Schlüssel'],
  // Nothing that base64 is follows.
  ['whsec_', 'whsec_'],
  ['whsec_not base64!', 'whsec_not base64!'],
  ['whsec_abc', 'whsec_abc'],
])('the keys of %j [29.37, 29.39]', (secret, key) => {
  expect(sign(secret)).toEqual({
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1674087231',
    'webhook-signature': `v1,${base64(key, `msg_1.1674087231.${body}`)}`,
    // The whole secret as it was given.
    'X-Webhook-Signature': `sha256=${hex(secret, body)}`,
  });
});

test('while a secret is being replaced, both sign [29.42]', () => {
  const headers = sign('new secret', 'old secret');
  const [first, second, ...more] = headers['webhook-signature']!.split(' ');
  expect(first).toBe(sign('new secret')['webhook-signature']);
  expect(second).toBe(sign('old secret')['webhook-signature']);
  expect(more).toEqual([]);
  expect(headers['X-Webhook-Signature']).toBe(`sha256=${hex('new secret', body)}`);
  expect(headers['X-Webhook-Signature-Previous']).toBe(`sha256=${hex('old secret', body)}`);
});

test('receivers with either secret can verify any body, and none can with another [29.37]', () => {
  const secrets = fc.tuple(fc.uint8Array({ minLength: 1 }), fc.uint8Array({ minLength: 1 }));
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), secrets, (text, [fresh, old]) => {
      const now = Date.now();
      const [secret, previousSecret] = [fresh, old].map(
        (key) => `whsec_${Buffer.from(key).toString('base64')}`,
      ) as [string, string];
      const signed = { messageId: 'msg_2', at: now, body: text, secret, previousSecret };
      const headers = signatureHeaders(signed);
      const verify = (key: string) => new Webhook(key).verify(text, headers, { jsonParse: false });
      verify(secret);
      verify(previousSecret);
      const other = `whsec_${Buffer.concat([fresh, old, Buffer.from('x')]).toString('base64')}`;
      expect(() => verify(other)).toThrow('No matching signature found');
    }),
  );
});
