import { expect, test } from 'vitest';
import { addressOf, type Address } from './call-address.ts';

test.each<[string, Address, string]>([
  ['a path alone', { url: '/monitors' }, '/monitors'],
  [
    'parameters of the path',
    { url: '/monitors/{id}/slos/{slo}', path: { id: 7, slo: 'a/b c' } },
    '/monitors/7/slos/a%2Fb%20c',
  ],
  [
    'a query',
    { url: '/monitors', query: { q: 'a&b=c d', page: 2 } },
    '/monitors?q=a%26b%3Dc+d&page=2',
  ],
  [
    'false, zero and an empty text',
    { url: '/x', query: { a: false, b: 0, c: '' } },
    '/x?a=false&b=0&c=',
  ],
  ['what is not given', { url: '/x', query: { a: undefined, b: null } }, '/x'],
  ['a list', { url: '/x', query: { tag: ['a', 'b'], none: [] } }, '/x?tag=a&tag=b'],
])('the address of a call has %s', (_what, call, address) => {
  expect(addressOf(call)).toBe(address);
});
