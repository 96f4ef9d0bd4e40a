import { expect, test } from 'vitest';
import { isMailAddress, mailboxOf } from './mail-address.ts';

test.for([
  ['sam@example.com', 'Sam@Example.COM', true],
  ['sam@example.com', ' sam@example.com ', true],
  ['sam@example.com', 'sam+shop@example.com', true],
  ['sam@example.com', 'sam+a+b@example.com', true],
  ['sam@example.com', 'sam@example.com.', true],
  ['sam@example.com', 'sam@ex\uFF41mple.com', true],
  ['sam@xn--bcher-kva.example', 'sam@b\u00FCcher.example', true],
  ['sam@example.com', 'pat@example.com', false],
  ['sam@example.com', 'sam@example.org', false],
  ['sam@example.com', 's.am@example.com', false],
  ['samlee@gmail.com', 's.am.lee+x@googlemail.com', true],
  ['+a@example.com', '+b@example.com', false],
] as const)('%s and %s are one mailbox: %s', ([one, other, isSame]) => {
  expect(mailboxOf(one) === mailboxOf(other)).toBe(isSame);
});

test.each([
  ['sam@example.com', true],
  ['sam+shop@example.com', true],
  ['s\u00E4m@b\u00FCcher.example', true],
  ['sam', false],
  ['sam@', false],
  ['sam(1)@example.com', false],
  ['sam@example.com(1)', false],
  ['"sam"@example.com', false],
  ['all:sam@example.com', false],
  ['s\\am@example.com', false],
  ['sam@[192.0.2.1]', false],
  ['sam@example.com,pat@example.com', false],
  ['sam@example.com\r\nBcc: pat@example.com', false],
  ['sam\0@example.com', false],
  [`${'a'.repeat(250)}@example.com`, false],
])('%j is an address: %s', (text, isOne) => {
  expect(isMailAddress(text)).toBe(isOne);
});
