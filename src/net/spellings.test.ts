import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { encode, decode } from 'dns-packet';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../lib/clock.ts';
import { hostOf } from '../lib/url-host.ts';
import { createAddressGuard, evaluateHostLiteral } from './address-guard.ts';
import type { ResolvedAddress } from './host.ts';
import { findTarget, createResolver, type Resolver } from './resolver.ts';

/** `yes`: allowed. `no`: refused by the guard. `none`: not a host, or a name that doesn't exist. */
type Answer = 'yes' | 'no' | 'none';

const NAMES: Record<string, string[]> = {
  localhost: ['127.0.0.1', '::1'],
  'public.example': ['93.184.216.34', '2606:2800:220:1::1'],
  'xn--mnchen-3ya.example': ['93.184.216.34'],
  'private.example': ['10.0.0.1'],
  'mixed.example': ['93.184.216.34', '10.0.0.1'],
  'mixed-six.example': ['93.184.216.34', 'fd00::1'],
  'metadata.example': ['169.254.169.254'],
  'mixed-metadata.example': ['93.184.216.34', '169.254.169.254'],
  'mapped.example': ['::ffff:10.0.0.1'],
  'mapped-metadata.example': ['::ffff:169.254.169.254'],
  'nat64.example': ['64:ff9b::a9fe:a9fe'],
  'zero.example': ['0.0.0.0'],
  '127.0.0.1.example': ['93.184.216.34'],
  '10-0-0-1.example': ['10.0.0.1'],
};

/** Written as the host of an http URL, and, without brackets, as a ping or port monitor's host. */
const SPELLINGS: [spelling: string, open: Answer, closed: Answer][] = [
  // Public addresses.
  ['93.184.216.34', 'yes', 'yes'],
  ['93.184.216.34.', 'yes', 'yes'],
  ['0x5db8d822', 'yes', 'yes'],
  ['1572395042', 'yes', 'yes'],
  ['1.1', 'yes', 'yes'],
  ['[2606:2800:220:1::1]', 'yes', 'yes'],
  ['[2606:2800:0220:0001:0000:0000:0000:0001]', 'yes', 'yes'],
  ['[::ffff:93.184.216.34]', 'yes', 'yes'],
  ['[::ffff:5db8:d822]', 'yes', 'yes'],
  ['[64:ff9b::93.184.216.34]', 'yes', 'yes'],
  ['172.15.255.255', 'yes', 'yes'],
  ['172.32.0.0', 'yes', 'yes'],
  ['100.63.255.255', 'yes', 'yes'],
  ['100.128.0.0', 'yes', 'yes'],
  ['126.255.255.255', 'yes', 'yes'],
  ['223.255.255.255', 'yes', 'yes'],
  // Loopback, in every number format.
  ['127.0.0.1', 'yes', 'no'],
  ['127.0.0.1.', 'yes', 'no'],
  ['127.1', 'yes', 'no'],
  ['127.0.1', 'yes', 'no'],
  ['127.65535', 'yes', 'no'],
  ['127.255.255.254', 'yes', 'no'],
  ['2130706433', 'yes', 'no'],
  ['2130706433.', 'yes', 'no'],
  ['0x7f000001', 'yes', 'no'],
  ['0X7F000001', 'yes', 'no'],
  ['0x7f.0x0.0x0.0x1', 'yes', 'no'],
  ['0x7f.1', 'yes', 'no'],
  ['0x7f.0.1', 'yes', 'no'],
  ['017700000001', 'yes', 'no'],
  ['0177.0.0.1', 'yes', 'no'],
  ['0177.0.0.01', 'yes', 'no'],
  ['00000177.0.0.1', 'yes', 'no'],
  ['0177.0x0.1', 'yes', 'no'],
  ['127.0.0.0x1', 'yes', 'no'],
  ['127.0x.0.1', 'yes', 'no'],
  // Digits and dots that IDNA maps.
  ['①②⑦.⓪.⓪.①', 'yes', 'no'],
  ['１２７.０.０.１', 'yes', 'no'],
  ['１２７。０。０。１', 'yes', 'no'],
  ['127。0。0。1', 'yes', 'no'],
  ['127．0．0．1', 'yes', 'no'],
  ['127｡0｡0｡1', 'yes', 'no'],
  ['𝟏𝟐𝟕.𝟎.𝟎.𝟏', 'yes', 'no'],
  ['¹²⁷.0.0.1', 'yes', 'no'],
  ['0ｘ7f.1', 'yes', 'no'],
  ['127.0.\u00ad0.1', 'yes', 'no'],
  ['127.0.\u200b0.1', 'yes', 'no'],
  // IPv6 loopback, and IPv4 inside of IPv6.
  ['[::1]', 'yes', 'no'],
  ['[0:0:0:0:0:0:0:1]', 'yes', 'no'],
  ['[0000:0000:0000:0000:0000:0000:0000:0001]', 'yes', 'no'],
  ['[::0.0.0.1]', 'yes', 'no'],
  ['[::ffff:127.0.0.1]', 'yes', 'no'],
  ['[::FFFF:127.0.0.1]', 'yes', 'no'],
  ['[::ffff:7f00:1]', 'yes', 'no'],
  ['[0:0:0:0:0:ffff:7f00:0001]', 'yes', 'no'],
  ['[0:0:0:0:0:ffff:127.0.0.1]', 'yes', 'no'],
  ['[64:ff9b::127.0.0.1]', 'yes', 'no'],
  ['[64:ff9b::7f00:1]', 'yes', 'no'],
  ['[0064:ff9b:0:0:0:0:7f00:0001]', 'yes', 'no'],
  // Private.
  ['10.0.0.1', 'yes', 'no'],
  ['10.1', 'yes', 'no'],
  ['012.1', 'yes', 'no'],
  ['0xa.0.0.1', 'yes', 'no'],
  ['167772161', 'yes', 'no'],
  ['172.16.0.1', 'yes', 'no'],
  ['172.31.255.255', 'yes', 'no'],
  ['192.168.0.1', 'yes', 'no'],
  ['192.168.1', 'yes', 'no'],
  ['0xc0a80001', 'yes', 'no'],
  ['100.64.0.1', 'yes', 'no'],
  ['100.127.255.255', 'yes', 'no'],
  ['[fd00::1]', 'yes', 'no'],
  ['[FC00::]', 'yes', 'no'],
  ['[fdff:ffff::1]', 'yes', 'no'],
  ['[::ffff:10.0.0.1]', 'yes', 'no'],
  ['[::ffff:a00:1]', 'yes', 'no'],
  ['[64:ff9b::10.0.0.1]', 'yes', 'no'],
  ['[64:ff9b::c0a8:1]', 'yes', 'no'],
  // Cloud metadata and link-local.
  ['169.254.169.254', 'no', 'no'],
  ['169.254.169.254.', 'no', 'no'],
  ['169.254.43518', 'no', 'no'],
  ['169.16689662', 'no', 'no'],
  ['2852039166', 'no', 'no'],
  ['0xa9fea9fe', 'no', 'no'],
  ['0xa9.0xfe.0xa9.0xfe', 'no', 'no'],
  ['0251.0376.0251.0376', 'no', 'no'],
  ['025177524776', 'no', 'no'],
  ['１６９.２５４.１６９.２５４', 'no', 'no'],
  ['169.254.170.2', 'no', 'no'],
  ['[::ffff:169.254.169.254]', 'no', 'no'],
  ['[::ffff:a9fe:a9fe]', 'no', 'no'],
  ['[64:ff9b::169.254.169.254]', 'no', 'no'],
  ['[64:ff9b::a9fe:a9fe]', 'no', 'no'],
  ['[fe80::1]', 'no', 'no'],
  ['[fe80::a9fe:a9fe]', 'no', 'no'],
  ['[febf::1]', 'no', 'no'],
  ['[fec0::1]', 'no', 'no'],
  ['[fd00:ec2::254]', 'no', 'no'],
  ['[fd00:ec2::23]', 'no', 'no'],
  ['[fd20:ce::254]', 'no', 'no'],
  ['[fd00:42::42]', 'no', 'no'],
  ['100.100.100.200', 'no', 'no'],
  ['0x64646464.', 'yes', 'no'],
  ['1684301000', 'no', 'no'],
  ['168.63.129.16', 'no', 'no'],
  ['[::ffff:168.63.129.16]', 'no', 'no'],
  ['192.0.0.192', 'no', 'no'],
  // Unspecified: the system treats these as loopback.
  ['0', 'no', 'no'],
  ['0.', 'no', 'no'],
  ['0x0', 'no', 'no'],
  ['0x', 'no', 'no'],
  ['00', 'no', 'no'],
  ['0.0', 'no', 'no'],
  ['0.0.0.0', 'no', 'no'],
  ['0.0.0.1', 'no', 'no'],
  ['1', 'no', 'no'],
  ['0.1.2.3', 'no', 'no'],
  ['[::]', 'no', 'no'],
  ['[0:0:0:0:0:0:0:0]', 'no', 'no'],
  ['[::0.0.0.0]', 'no', 'no'],
  ['[::ffff:0.0.0.0]', 'no', 'no'],
  ['[::ffff:0:0]', 'no', 'no'],
  // Tunnels and obsolete embeddings, whatever they contain.
  ['[::127.0.0.1]', 'no', 'no'],
  ['[::7f00:1]', 'no', 'no'],
  ['[::93.184.216.34]', 'no', 'no'],
  ['[::ffff:0:127.0.0.1]', 'no', 'no'],
  ['[64:ff9b:1::7f00:1]', 'no', 'no'],
  ['[64:ff9b:1::a9fe:a9fe]', 'no', 'no'],
  ['[64:ff9b:1::93.184.216.34]', 'no', 'no'],
  ['[2002:7f00:1::]', 'no', 'no'],
  ['[2002:a00:1::1]', 'no', 'no'],
  ['[2002:a9fe:a9fe::]', 'no', 'no'],
  ['[2002:5db8:d822::1]', 'no', 'no'],
  ['[2001::1]', 'no', 'no'],
  ['[2001:0:4136:e378:8000:63bf:3fff:fdd2]', 'no', 'no'],
  ['[2001:0:a9fe:a9fe::]', 'no', 'no'],
  // Multicast, broadcast, reserved.
  ['224.0.0.1', 'no', 'no'],
  ['239.255.255.255', 'no', 'no'],
  ['240.0.0.1', 'no', 'no'],
  ['255.255.255.255', 'no', 'no'],
  ['4294967295', 'no', 'no'],
  ['0xffffffff', 'no', 'no'],
  ['192.0.2.1', 'no', 'no'],
  ['198.51.100.1', 'no', 'no'],
  ['203.0.113.1', 'no', 'no'],
  ['198.18.0.1', 'no', 'no'],
  ['192.88.99.1', 'no', 'no'],
  ['[ff02::1]', 'no', 'no'],
  ['[2001:db8::1]', 'no', 'no'],
  ['[3fff::1]', 'no', 'no'],
  ['[100::1]', 'no', 'no'],
  ['[5f00::1]', 'no', 'no'],
  ['[4000::1]', 'no', 'no'],
  // Names: all of their addresses count.
  ['public.example', 'yes', 'yes'],
  ['PUBLIC.example.', 'yes', 'yes'],
  ['ｐｕｂｌｉｃ.example', 'yes', 'yes'],
  ['München.example', 'yes', 'yes'],
  ['127.0.0.1.example', 'yes', 'yes'],
  ['localhost', 'yes', 'no'],
  ['LOCALHOST', 'yes', 'no'],
  ['localhost.', 'yes', 'no'],
  ['ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'yes', 'no'],
  ['app.localhost', 'yes', 'no'],
  ['private.example', 'yes', 'no'],
  ['10-0-0-1.example', 'yes', 'no'],
  ['mixed.example', 'yes', 'no'],
  ['mixed-six.example', 'yes', 'no'],
  ['mapped.example', 'yes', 'no'],
  ['metadata.example', 'no', 'no'],
  ['mixed-metadata.example', 'no', 'no'],
  ['mapped-metadata.example', 'no', 'no'],
  ['nat64.example', 'no', 'no'],
  ['zero.example', 'no', 'no'],
  ['nowhere.example', 'none', 'none'],
  // Not hosts.
  ['256.1.1.1', 'none', 'none'],
  ['127.0.0.1.1', 'none', 'none'],
  ['127.0.0.256', 'none', 'none'],
  ['4294967296', 'none', 'none'],
  ['127.0.0.08', 'none', 'none'],
  ['0x7g.1', 'none', 'none'],
  ['127..0.1', 'none', 'none'],
  ['127.0.0.1..', 'none', 'none'],
  ['.127.0.0.1', 'none', 'none'],
  ['a..public.example', 'none', 'none'],
  ['public.example..', 'none', 'none'],
  ['.', 'none', 'none'],
  ['[::1', 'none', 'none'],
  ['[::1]]', 'none', 'none'],
  ['[::ffff:127.1]', 'none', 'none'],
  ['[::ffff:0177.0.0.1]', 'none', 'none'],
  ['[1::2::3]', 'none', 'none'],
];

/** Percent signs are escapes only in URLs; zone ids can be written only outside of them. */
const IN_URLS: [spelling: string, open: Answer, closed: Answer][] = [
  ['%31%32%37.0.0.1', 'yes', 'no'],
  ['127%2e0%2e0%2e1', 'yes', 'no'],
  ['%6c%6f%63%61%6c%68%6f%73%74', 'yes', 'no'],
  ['169.254.169.25%34', 'no', 'no'],
  ['%EF%BC%91%EF%BC%92%EF%BC%97.0.0.1', 'yes', 'no'],
  ['%30', 'no', 'no'],
  ['user:secret@169.254.169.254', 'no', 'no'],
  ['public.example@169.254.169.254', 'no', 'no'],
  ['public.example:80@169.254.169.254', 'no', 'no'],
  ['169.254.169.254#@public.example', 'no', 'no'],
  ['169.254.169.254\\@public.example', 'no', 'no'],
  ['169.254.169.254:80', 'no', 'no'],
  ['\t169.254.\n169.254', 'no', 'no'],
  ['%00169.254.169.254', 'none', 'none'],
  ['%5B::1%5D', 'none', 'none'],
  ['[fe80::1%25eth0]', 'none', 'none'],
  ['[::1%lo]', 'none', 'none'],
  ['[127.0.0.1]', 'none', 'none'],
  ['127.0.0.1%2f.public.example', 'none', 'none'],
];
const OUTSIDE_URLS: [spelling: string, open: Answer, closed: Answer][] = [
  ['::1', 'yes', 'no'],
  ['::1%lo', 'yes', 'no'],
  ['fd00::1%eth0', 'yes', 'no'],
  ['fe80::1%eth0', 'no', 'no'],
  ['fe80::a9fe:a9fe%25eth0', 'no', 'no'],
  ['::ffff:169.254.169.254%eth0', 'no', 'no'],
  ['::ffff:127.0.0.1', 'yes', 'no'],
  ['http://169.254.169.254/x', 'no', 'no'],
  ['ssh://[::ffff:a9fe:a9fe]:22', 'no', 'no'],
  ['127.0.0.1/8', 'yes', 'no'],
  ['[127.0.0.1]', 'yes', 'no'],
  ['[::1%lo]', 'yes', 'no'],
  ['[fe80::1%25eth0]', 'no', 'no'],
];

const resolver: Resolver = {
  hasNetwork: () => true,
  resolve: async (name) => {
    const found = NAMES[name.endsWith('.localhost') ? 'localhost' : name.toLowerCase()];
    if (found === undefined) return { ok: false, code: 'dns_not_found' };
    const addresses = found.map((address): ResolvedAddress => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    return { ok: true, addresses, lookupMs: 0 };
  },
};
const open = createAddressGuard(true);
const closed = createAddressGuard(false);

async function evaluateHost(
  host: string | null,
  allowPrivate: boolean,
  names = resolver,
): Promise<Answer> {
  if (host === null) return 'none';
  const guard = allowPrivate ? open : closed;
  const target = await findTarget(host, {
    resolver: names,
    guard,
    signal: new AbortController().signal,
  });
  if (target.ok) return 'yes';
  return target.failure.code === 'target_not_allowed' ? 'no' : 'none';
}

const inUrl = (spelling: string): string | null => {
  const hostname = URL.parse(`http://${spelling}/`)?.hostname ?? null;
  return hostname === null ? null : hostname.replace(/^\[(.*)\]$/, '$1');
};
const bare = (spelling: string): string => hostOf(spelling) ?? spelling;

describe('every spelling is evaluated as the address it leads to [15.12]', () => {
  test('the table is complete', () => {
    expect(SPELLINGS.length + IN_URLS.length + OUTSIDE_URLS.length).toBeGreaterThan(200);
    expect(new Set(SPELLINGS.map(([spelling]) => spelling)).size).toBe(SPELLINGS.length);
  });

  test.each([...SPELLINGS, ...IN_URLS])(
    'in a URL, %j: %s when private targets are allowed, else %s',
    async (spelling, whenOpen, whenClosed) => {
      const host = inUrl(spelling);
      expect([await evaluateHost(host, true), await evaluateHost(host, false)]).toEqual([
        whenOpen,
        whenClosed,
      ]);
    },
  );

  test.each([...SPELLINGS, ...OUTSIDE_URLS])(
    'as a host, %j: %s when private targets are allowed, else %s',
    async (spelling, whenOpen, whenClosed) => {
      const host = bare(spelling);
      expect([await evaluateHost(host, true), await evaluateHost(host, false)]).toEqual([
        whenOpen,
        whenClosed,
      ]);
    },
  );

  test('validation refuses every address that a check would refuse', async () => {
    for (const [spelling, whenOpen, whenClosed] of SPELLINGS) {
      const host = inUrl(spelling);
      if (host === null || NAMES[host.replace(/\.$/, '')] !== undefined) continue;
      const decisions = [evaluateHostLiteral(open, host), evaluateHostLiteral(closed, host)];
      const words = decisions.map((decision) =>
        decision === null ? 'name' : decision.allowed ? 'yes' : 'no',
      );
      if (words[0] !== 'name')
        expect([spelling, ...words]).toEqual([spelling, whenOpen, whenClosed]);
    }
  });
});

/** A number in decimal, octal or hexadecimal, with leading zeros. */
const number = (value: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(10, 8, 16), fc.nat({ max: 4 }), fc.boolean())
    .map(([radix, zeros, upper]) => {
      const prefix = radix === 10 ? '' : radix === 8 ? '0' : '0x';
      const text = prefix + (radix === 10 ? '' : '0'.repeat(zeros)) + value.toString(radix);
      return upper ? text.toUpperCase() : text;
    });

const DRESSES: ((character: string) => string)[] = [
  (character) => character,
  (character) => String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0),
  (character) => (character === '.' ? '。' : character),
  (character) => `%${character.charCodeAt(0).toString(16)}`,
];

/** The bytes of an IPv4 address as one to four numbers of any radix, in characters of any kind. */
const spelling = fc
  .tuple(fc.nat({ max: 0xff_ff_ff_ff }), fc.integer({ min: 1, max: 4 }))
  .chain(([value, parts]) => {
    const address = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);
    const last = address.slice(parts - 1).reduce((sum, byte) => sum * 256 + byte, 0);
    return fc
      .tuple(
        fc.tuple(...[...address.slice(0, parts - 1), last].map(number)),
        fc.constantFrom(...DRESSES),
        fc.constantFrom('', '.'),
      )
      .map(([numbers, dress, end]) => ({
        address: address.join('.'),
        text: [...(numbers.join('.') + end)].map(dress).join(''),
      }));
  });

describe('everything that the URL parser reads as an address', () => {
  test('IPv4 of any radix, length, character set and escape', () => {
    fc.assert(
      fc.property(spelling, ({ address, text }) => {
        expect(inUrl(text)).toBe(address);
        for (const guard of [open, closed]) {
          expect(evaluateHostLiteral(guard, inUrl(text) ?? '')).toEqual(guard.evaluate(address));
          if (!text.includes('%')) expect(guard.evaluate(text)).toEqual(guard.evaluate(address));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('IPv6 with embedded IPv4 is evaluated as that IPv4, or refused [15.13]', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom('::ffff:', '64:ff9b::'), (inner, prefix) => {
        const host = inUrl(`[${prefix}${inner}]`) ?? '';
        for (const guard of [open, closed]) {
          expect(guard.evaluate(host)).toEqual(guard.evaluate(inner));
        }
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom('::', '::ffff:0:', '64:ff9b:1::'), (inner, prefix) => {
        // The last two of `::` are not embedded addresses: unspecified and loopback.
        fc.pre(!/^0\.0\.0\.[01]$/.test(inner));
        expect(open.evaluate(inUrl(`[${prefix}${inner}]`) ?? '').allowed).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  test('any text that both parse as an address is the same address', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'0123456789abfx.:%[]①。') }), (text) => {
        const host = inUrl(text);
        const decision = host === null ? null : evaluateHostLiteral(closed, host);
        if (decision === null) return;
        expect(decision).toEqual(closed.evaluate(host ?? ''));
        const raw = evaluateHostLiteral(closed, text);
        if (raw !== null) expect(raw).toEqual(decision);
      }),
      { numRuns: 2_000 },
    );
  });
});

test('a CNAME of a private name is refused', async () => {
  const server = createSocket('udp4');
  server.on('message', (message, client) => {
    const query = decode(message);
    const [question] = query.questions ?? [];
    const alias = {
      type: 'CNAME',
      name: 'alias.example',
      data: 'inside.example',
      ttl: 60,
    } as const;
    const inside = { type: 'A', name: 'inside.example', data: '10.0.0.1', ttl: 60 } as const;
    const reply = encode({
      type: 'response',
      ...(query.id === undefined ? {} : { id: query.id }),
      questions: query.questions ?? [],
      answers: question?.type === 'A' ? [alias, inside] : [alias],
    });
    server.send(reply, client.port, client.address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const names = createResolver({
    clock: systemClock,
    servers: [`127.0.0.1:${port}`],
    hostsFile: '/dev/null',
    hasNetwork: () => true,
  });
  try {
    expect(await evaluateHost('alias.example', true, names)).toBe('yes');
    expect(await evaluateHost('alias.example', false, names)).toBe('no');
  } finally {
    await new Promise<void>((resolve) => void server.close(() => resolve()));
  }
});
