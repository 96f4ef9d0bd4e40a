import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** TRUST_PROXY: everybody, nobody, that many proxies in a row counted from us, or these addresses and networks. */
export type ProxyTrust = boolean | number | string[];

/** The same, as Fastify takes it. */
export function proxyTrust(rule: ProxyTrust) {
  return typeof rule === 'number' ? (_address: string, hop: number) => hop < rule : rule;
}

/** Finds the client's address as Fastify's `request.ip` does; an empty text when the socket is gone already. */
export function createClientAddress(rule: ProxyTrust): (request: IncomingMessage) => string {
  if (rule === false) return (request) => request.socket.remoteAddress ?? '';
  const believes = proxyTrust(rule);
  const trust =
    typeof believes === 'function'
      ? believes
      : believes === true
        ? () => true
        : proxyAddr.compile(rule as string[]);
  return (request) => (proxyAddr(request, trust) as string | undefined) ?? '';
}

/** A forged header may hold anything. */
const LONGEST_SHOWN = 100;

/** An address as people know it: an IPv4 one that came over an IPv6 socket is written as IPv4. */
export function shownAddress(address: string): string {
  const isMapped = address.startsWith('::ffff:') && address.includes('.');
  return (isMapped ? address.slice(7) : address).slice(0, LONGEST_SHOWN);
}
