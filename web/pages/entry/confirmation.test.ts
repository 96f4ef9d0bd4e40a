import { expect, test } from 'vitest';
import { confirmationOf } from './confirmation.ts';

test.each([
  [{ email: 'ä?>~@example.com' }, 'address'],
  [{ updateTo: 'b@example.com', requestType: 'change-email-confirmation' }, 'agreement'],
  [{ updateTo: 'b@example.com', requestType: 'change-email-verification' }, 'newAddress'],
])('a link whose token says %j confirms: %s', (payload, kind) => {
  const bytes = new TextEncoder().encode(JSON.stringify(payload));
  const coded = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
  expect(confirmationOf(`e30.${coded}.c2lnbmVk`)).toBe(kind);
});

test.each(['', 'x', 'e30.%%%.x', `e30.${btoa('null')}.x`])(
  'a link with the token %j counts as confirming an address, which the server then refuses',
  (token) => {
    expect(confirmationOf(token)).toBe('address');
  },
);
