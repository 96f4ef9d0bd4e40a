import type { Family } from '../../net/host.ts';

/** ICMP echo messages (RFC 792, RFC 4443). Pure; parsing never throws. */

/** Length of the random token in our echoes: replies without it belong to others. */
export const TOKEN_BYTES = 16;
const HEADER_BYTES = 8;
/** 56 bytes of data, as in the ping program. */
const DATA_BYTES = 56;

const V4 = { echo: 8, reply: 0, unreachable: 3 } as const;
const V6 = { echo: 128, reply: 129, unreachable: 1 } as const;

export interface EchoRequest {
  /** 16 bits; replaced by the kernel on datagram sockets. */
  identifier: number;
  /** 16 bits; distinguishes concurrent echoes. */
  sequence: number;
  token: Uint8Array;
}

export type IcmpMessage =
  | { kind: 'reply'; sequence: number; token: Uint8Array }
  | {
      kind: 'unreachable';
      /** ICMP code, such as 1 for host unreachable in IPv4; null if unavailable. */
      code: number | null;
      /** Identifier of the undelivered echo. */
      identifier: number;
      sequence: number;
      /** Destination of that echo, 4 or 16 bytes. */
      destination: Uint8Array;
      /** Null if the router quoted too little of the echo. */
      token: Uint8Array | null;
    };

/** Length of our echoes. */
export const ECHO_BYTES = HEADER_BYTES + DATA_BYTES;

/** Builds an echo request. */
export function buildEcho(family: Family, request: EchoRequest): Uint8Array {
  const bytes = new Uint8Array(ECHO_BYTES);
  writeEcho(bytes, family, request);
  return bytes;
}

/** Writes an echo request over the last one. The kernel adds the checksum for IPv6, which covers the IP addresses. */
export function writeEcho(bytes: Uint8Array, family: Family, request: EchoRequest): void {
  const { identifier, sequence, token } = request;
  bytes[0] = family === 4 ? V4.echo : V6.echo;
  bytes[1] = bytes[2] = bytes[3] = 0;
  bytes[4] = identifier >> 8;
  bytes[5] = identifier & 255;
  bytes[6] = sequence >> 8;
  bytes[7] = sequence & 255;
  for (let at = 0; at < TOKEN_BYTES; at++) bytes[HEADER_BYTES + at] = token[at]!;
  if (family === 6) return;
  const sum = checksum(bytes);
  bytes[2] = sum >> 8;
  bytes[3] = sum & 255;
}

/** Parses an ICMP message (without the IP header) about an echo; null for anything else. */
export function parseMessage(family: Family, bytes: Uint8Array): IcmpMessage | null {
  if (bytes.length < HEADER_BYTES) return null;
  const types = family === 4 ? V4 : V6;
  if (bytes[0] === types.reply && bytes[1] === 0) {
    const token = tokenOf(bytes);
    return token && { kind: 'reply', sequence: uint16(bytes, 6), token };
  }
  if (bytes[0] === types.unreachable)
    return parseUnreachable(family, bytes[1]!, bytes.subarray(HEADER_BYTES));
  return null;
}

/** Parses an echo request quoted in an error, without the IP header; null for anything else. */
export function parseQuotedEcho(
  family: Family,
  bytes: Uint8Array,
): (Pick<EchoRequest, 'identifier' | 'sequence'> & { token: Uint8Array | null }) | null {
  if (bytes.length < HEADER_BYTES) return null;
  if (bytes[0] !== (family === 4 ? V4.echo : V6.echo) || bytes[1] !== 0) return null;
  return { identifier: uint16(bytes, 4), sequence: uint16(bytes, 6), token: tokenOf(bytes) };
}

/** Removes the IPv4 header, which raw IPv4 sockets deliver too; null if the header is invalid. */
export function stripIpv4Header(packet: Uint8Array): Uint8Array | null {
  const first = packet[0];
  if (first === undefined || first >> 4 !== 4) return null;
  const length = (first & 15) * 4;
  return length < 20 || packet.length < length ? null : packet.subarray(length);
}

/** RFC 1071 checksum of bytes whose checksum field is zero; 0 for a message with a valid checksum. */
export function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < bytes.length; i += 2) sum += (bytes[i]! << 8) | (bytes[i + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}

/** Reason of an "unreachable" message, to follow "Host unreachable: ". */
export function unreachableReason(family: Family, code: number): string {
  const reasons = family === 4 ? REASONS_V4 : REASONS_V6;
  return reasons[code] ?? `ICMP code ${code}`;
}

const REASONS_V4: Record<number, string> = {
  0: 'no route to its network',
  1: 'it does not answer on its network',
  2: 'it does not speak the protocol',
  // Port unreachable: the default of iptables' REJECT. An echo has no port.
  3: 'rejected by a firewall',
  6: 'its network is unknown',
  7: 'the host is unknown',
  9: 'its network is prohibited',
  10: 'the host is prohibited',
  13: 'filtered by a firewall',
};

const REASONS_V6: Record<number, string> = {
  0: 'no route to it',
  1: 'filtered by a firewall',
  2: 'beyond the scope of the source address',
  3: 'it does not answer on its network',
  4: 'rejected by a firewall',
  5: 'the source address is not allowed',
  6: 'the route to it is rejected',
};

function parseUnreachable(family: Family, code: number, quoted: Uint8Array): IcmpMessage | null {
  // "Fragmentation needed" is about packet sizes, not reachability.
  if (family === 4 && code === 4) return null;
  const inner = family === 4 ? stripIpv4Header(quoted) : stripIpv6Header(quoted);
  if (!inner || (family === 4 && quoted[9] !== 1)) return null;
  const echo = parseQuotedEcho(family, inner);
  if (!echo) return null;
  const destination = family === 4 ? quoted.subarray(16, 20) : quoted.subarray(24, 40);
  return { kind: 'unreachable', code, destination, ...echo };
}

/** Our echoes have no extension headers, so ICMPv6 (58) follows the fixed header. */
function stripIpv6Header(packet: Uint8Array): Uint8Array | null {
  return packet.length < 40 || packet[0]! >> 4 !== 6 || packet[6] !== 58
    ? null
    : packet.subarray(40);
}

function tokenOf(message: Uint8Array): Uint8Array | null {
  if (message.length < HEADER_BYTES + TOKEN_BYTES) return null;
  return message.subarray(HEADER_BYTES, HEADER_BYTES + TOKEN_BYTES);
}

function uint16(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}
