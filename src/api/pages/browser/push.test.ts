import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOf, settingsOf } from './push.js';

test('decodes keys from base64url, for any bytes and length', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      const base64 = btoa(String.fromCharCode(...bytes));
      const base64url = base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
      expect(bytesOf(base64url)).toEqual(bytes);
    }),
  );
});

test('a subscription becomes the settings of the channel', () => {
  const endpoint = 'https://push.example.com/send/abc';
  const keys = { p256dh: 'BCVx', auth: 'BTBZ' };
  expect(settingsOf({ endpoint, expirationTime: null, keys })).toEqual({ endpoint, ...keys });
  for (const lacking of [{ keys }, { endpoint }, { endpoint, keys: { auth: 'BTBZ' } }])
    expect(() => settingsOf(lacking as PushSubscriptionJSON)).toThrow(
      'This browser does not support encrypted push messages.',
    );
});
