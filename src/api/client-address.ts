import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** TRUST_PROXY: all proxies, none, that many hops, or these addresses and networks. */
export type ProxyTrust = boolean | number | string[];

export function proxyTrust(rule: ProxyTrust) {
  return typeof rule === 'number' ? (_address: string, hop: number) => hop < rule : rule;
}

/** Finds the client's address as Fastify's `request.ip` does; an empty string when the socket is closed. */
export function createClientAddress(rule: ProxyTrust): (request: IncomingMessage) => string {
  if (rule === false) return (request) => request.socket.remoteAddress ?? '';
  const converted = proxyTrust(rule);
  const trust =
    typeof converted === 'function'
      ? converted
      : converted === true
        ? () => true
        : proxyAddr.compile(rule as string[]);
  return (request) => (proxyAddr(request, trust) as string | undefined) ?? '';
}

/** A forged header may contain anything. */
const MAX_ADDRESS_LENGTH = 100;

/** Formats an address for display: an IPv4 address from an IPv6 socket is written as IPv4. */
export function displayAddress(address: string): string {
  const isMapped = address.startsWith('::ffff:') && address.includes('.');
  return (isMapped ? address.slice(7) : address).slice(0, MAX_ADDRESS_LENGTH);
}
