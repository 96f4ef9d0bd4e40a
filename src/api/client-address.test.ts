import { afterEach, describe, expect, test } from 'vitest';
import {
  budgetOf,
  call,
  closeAll,
  openPings,
  PING,
  RECORDED,
} from '../../test/support/ping-edge.ts';
import type { ProxyTrust } from './client-address.ts';

afterEach(closeAll);

describe('the client', () => {
  const chain = '192.0.2.9, 192.0.2.1';
  test.each<[what: string, rule: ProxyTrust, forwarded: string, address: string]>([
    ['whom nobody may speak for', false, chain, '127.0.0.1'],
    ['whom everybody may speak for', true, chain, '192.0.2.9'],
    ['one proxy away', 1, chain, '192.0.2.1'],
    ['two proxies away', 2, chain, '192.0.2.9'],
    ['behind this proxy', ['127.0.0.1'], chain, '192.0.2.1'],
    ['behind these proxies', ['127.0.0.0/8', '192.0.2.1'], chain, '192.0.2.9'],
    ['behind no proxy that is known', ['10.0.0.1'], chain, '127.0.0.1'],
    ['with an IPv4 address in its IPv6 form', true, '::ffff:192.0.2.1', '192.0.2.1'],
    ['with an IPv6 address', true, '::ffff:1', '::ffff:1'],
    ['with a forged text', true, 'x'.repeat(5_000), 'x'.repeat(100)],
  ])('%s', async (_, trustProxy, forwarded, address) => {
    const edge = await openPings(() => RECORDED, { trustProxy });
    await call(edge, PING, { headers: { 'x-forwarded-for': forwarded } });
    expect(edge.taken[0]?.sourceAddress).toBe(address);
  });

  test('behind a trusted proxy has its own budget', async () => {
    const edge = await openPings(() => ({ kind: 'unknown' }), { trustProxy: ['127.0.0.1'] });
    const from = async (address: string) => {
      const answer = await call(edge, PING, { headers: { 'x-forwarded-for': address } });
      return [answer.status, budgetOf(answer)[1]];
    };
    expect([await from('192.0.2.1'), await from('192.0.2.1')]).toEqual([
      [404, 2],
      [404, 1],
    ]);
    expect(await from('192.0.2.2')).toEqual([404, 2]);
    expect(await from('192.0.2.1')).toEqual([404, 0]);
    expect(await from('192.0.2.1')).toEqual([429, 0]);
    expect(await from('192.0.2.2')).toEqual([404, 1]);
  });
});
