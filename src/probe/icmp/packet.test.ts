import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  buildEcho,
  checksum,
  parseMessage,
  parseQuotedEcho,
  stripIpv4Header,
  TOKEN_BYTES,
  unreachableReason,
} from './packet.ts';

const token = Uint8Array.from({ length: TOKEN_BYTES }, (_, i) => i + 1);
const request = { identifier: 0x1234, sequence: 0xabcd, token };

function replyTo(family: 4 | 6, length = 64): Uint8Array {
  const bytes = buildEcho(family, request).slice(0, length);
  bytes[0] = family === 4 ? 0 : 129;
  return bytes;
}

const ipv4Header = (options: { protocol?: number; words?: number } = {}) => {
  const { protocol = 1, words = 5 } = options;
  const bytes = new Uint8Array(words * 4);
  bytes[0] = 0x40 | words;
  bytes[9] = protocol;
  bytes.set([192, 168, 7, 9], 16);
  return bytes;
};

const ipv6Header = (next = 58) => {
  const bytes = new Uint8Array(40);
  bytes[0] = 0x60;
  bytes[6] = next;
  bytes.set(
    Array.from({ length: 16 }, (_, i) => i),
    24,
  );
  return bytes;
};

const join = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));
const error = (type: number, code: number, ...quoted: Uint8Array[]) =>
  join(Uint8Array.of(type, code, 0, 0, 0, 0, 0, 0), ...quoted);

describe('an echo request', () => {
  test('follows RFC 792, with a valid checksum', () => {
    const bytes = buildEcho(4, request);
    expect([...bytes.slice(0, 2), ...bytes.slice(4, 8)]).toEqual([8, 0, 0x12, 0x34, 0xab, 0xcd]);
    expect(bytes.length).toBe(64);
    expect(checksum(bytes)).toBe(0);
    expect(checksum(bytes.with(20, bytes[20]! ^ 1))).not.toBe(0);
  });

  test('leaves the checksum of IPv6 to the kernel', () => {
    expect(buildEcho(6, request).slice(0, 4)).toEqual(Uint8Array.of(128, 0, 0, 0));
  });

  test('has the checksum of the example in RFC 1071, section 3', () => {
    const sum = checksum(Uint8Array.of(0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7));
    expect(sum).toBe(~0xddf2 & 0xffff);
  });
});

describe('a reply', () => {
  test.each([4, 6] as const)('of IPv%i gives back sequence and token', (family) => {
    expect(parseMessage(family, replyTo(family))).toEqual({
      kind: 'reply',
      sequence: 0xabcd,
      token,
    });
  });

  test.each<[string, 4 | 6, Uint8Array]>([
    ['nothing', 4, new Uint8Array(0)],
    ['half a header', 4, replyTo(4, 7)],
    ['a header alone', 4, replyTo(4, 8)],
    ['a token cut short', 4, replyTo(4, 8 + TOKEN_BYTES - 1)],
    ['our own request', 4, buildEcho(4, request)],
    ['a code that is not 0', 4, replyTo(4).with(1, 1)],
    ['a reply of the other family', 6, replyTo(4)],
    ['a redirect', 4, error(5, 1, ipv4Header(), buildEcho(4, request))],
    ['packet too big', 4, error(3, 4, ipv4Header(), buildEcho(4, request))],
    ['an error about nothing', 4, error(3, 1)],
    ['an error about UDP', 4, error(3, 3, ipv4Header({ protocol: 17 }), buildEcho(4, request))],
    ['an error about a reply', 4, error(3, 1, ipv4Header(), replyTo(4))],
    ['an error with half an IP header', 4, error(3, 1, ipv4Header().slice(0, 19))],
    [
      'an error whose IP header is too short',
      4,
      error(3, 1, ipv4Header().with(0, 0x44), buildEcho(4, request)),
    ],
    ['an IPv6 error about TCP', 6, error(1, 0, ipv6Header(6), buildEcho(6, request))],
    ['an IPv6 error with half an IP header', 6, error(1, 0, ipv6Header().slice(0, 39))],
  ])('is not %s', (_name, family, bytes) => {
    expect(parseMessage(family, bytes)).toBeNull();
  });
});

describe('an error', () => {
  test('identifies the echo and its destination, despite IP options', () => {
    const bytes = error(3, 1, ipv4Header({ words: 8 }), buildEcho(4, request));
    expect(parseMessage(4, bytes)).toEqual({
      kind: 'unreachable',
      code: 1,
      identifier: 0x1234,
      sequence: 0xabcd,
      destination: Uint8Array.of(192, 168, 7, 9),
      token,
    });
  });

  test('may quote only the ICMP header', () => {
    const bytes = error(3, 13, ipv4Header(), buildEcho(4, request).slice(0, 8));
    expect(parseMessage(4, bytes)).toMatchObject({ code: 13, sequence: 0xabcd, token: null });
  });

  test('of IPv6 has its own types and addresses', () => {
    const bytes = error(1, 3, ipv6Header(), buildEcho(6, request));
    expect(parseMessage(6, bytes)).toMatchObject({
      kind: 'unreachable',
      code: 3,
      destination: Uint8Array.from({ length: 16 }, (_, i) => i),
      token,
    });
  });

  test('has a reason for any code', () => {
    expect(unreachableReason(4, 1)).toBe('it does not answer on its network');
    expect(unreachableReason(6, 1)).toBe('filtered by a firewall');
    expect(unreachableReason(4, 200)).toBe('ICMP code 200');
  });
});

test('random bytes never throw', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<4 | 6>(4, 6),
      fc.constantFrom(null, 0, 1, 3, 129),
      fc.uint8Array({ maxLength: 128 }),
      (family, type, bytes) => {
        if (type !== null && bytes.length > 0) bytes[0] = type;
        parseMessage(family, bytes);
        parseQuotedEcho(family, bytes);
        stripIpv4Header(bytes);
        // Errors contain an IP packet: cover that, too.
        parseMessage(4, error(3, 1, Uint8Array.of(0x45), bytes));
        parseMessage(6, error(1, 1, Uint8Array.of(0x60), bytes));
      },
    ),
    { numRuns: 2_000 },
  );
});

test('any echo is parsed from its reply', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<4 | 6>(4, 6),
      fc.nat(0xffff),
      fc.uint8Array({ minLength: TOKEN_BYTES, maxLength: TOKEN_BYTES }),
      (family, sequence, drawn) => {
        const bytes = buildEcho(family, { identifier: 1, sequence, token: drawn });
        bytes[0] = family === 4 ? 0 : 129;
        expect(parseMessage(family, bytes)).toEqual({ kind: 'reply', sequence, token: drawn });
      },
    ),
  );
});
