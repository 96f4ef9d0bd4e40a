import fc from 'fast-check';
import type { Answer } from 'dns-packet';
import { describe, expect, test } from 'vitest';
import { DNS_RECORD_TYPES } from '../../model/inspection.ts';
import { isQueryable, isWithin, normalizeName, normalizeRecords, readRecord } from './records.ts';

const NONE = { A: [], AAAA: [], CNAME: [], MX: [], NS: [], TXT: [], SOA: [] };

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
  fc.string({ minLength: 1_990, maxLength: 2_020, unit: 'binary' }),
);
const anyValue = fc.oneof(
  anyText,
  fc.domain(),
  fc.ipV4(),
  fc.ipV6(),
  fc.tuple(fc.nat(70_000), fc.domain()).map(([preference, name]) => `${preference} ${name}.`),
);
const anyRecords = fc.record(
  Object.fromEntries(
    DNS_RECORD_TYPES.map((type) => [type, fc.array(anyValue, { maxLength: 70 })]),
  ) as Record<(typeof DNS_RECORD_TYPES)[number], fc.Arbitrary<string[]>>,
);

describe('normalizeRecords', () => {
  test.each([
    ['A', ['192.0.2.9', '192.0.2.10', '192.0.2.9', 'x', '1.2.3'], ['192.0.2.10', '192.0.2.9']],
    ['AAAA', ['2001:DB8:0::1', '2001:db8::1', 'fe80::1%eth0'], ['2001:db8::1']],
    ['CNAME', ['WWW.Example.COM.'], ['www.example.com']],
    [
      'NS',
      ['ns2.example.com.', 'NS1.example.com', '.'],
      ['.', 'ns1.example.com', 'ns2.example.com'],
    ],
    [
      'MX',
      ['20 B.example.', '5 a.example', '020 b.example', '0 .', 'mail.example'],
      ['0 .', '5 a.example', '20 b.example'],
    ],
    [
      'TXT',
      ['v=spf1 -All', 'a\u0000b\u202ec\nd'],
      ['a\\000b\\226\\128\\174c\\010d', 'v=spf1 -All'],
    ],
    ['SOA', [' NS1.example.  Host.Example. '], ['ns1.example host.example']],
  ] as const)('%s', (type, values, expected) => {
    expect(normalizeRecords({ [type]: values })).toEqual({ ...NONE, [type]: expected });
  });

  test('is idempotent, independent of order, bounded and safe to show [23.17]', () => {
    fc.assert(
      fc.property(anyRecords, fc.func(fc.integer()), (values, rank) => {
        const once = normalizeRecords(values);
        expect(normalizeRecords(once)).toEqual(once);
        const shuffled = Object.fromEntries(
          DNS_RECORD_TYPES.map((type) => [
            type,
            values[type].toSorted((a, b) => rank(a) - rank(b)),
          ]),
        );
        expect(normalizeRecords(shuffled)).toEqual(once);
        for (const value of Object.values(once).flat()) {
          expect(value.length).toBeLessThanOrEqual(2_000);
          expect(value.isWellFormed()).toBe(true);
          expect(value).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('fifty values of a type, two thousand characters of a value [23.18]', () => {
    const addresses = Array.from({ length: 200 }, (_, index) => `10.0.0.${index}`);
    const { A, TXT } = normalizeRecords({ A: addresses, TXT: ['😀'.repeat(5_000)] });
    expect(A).toHaveLength(50);
    expect(TXT[0]).toHaveLength(1_999);
    expect(TXT[0]).toMatch(/😀…$/u);
  });
});

describe('readRecord', () => {
  const base = { name: 'WWW.Example.com', class: 'IN' as const };
  test.each<[string, Answer, string | null]>([
    ['address', { ...base, type: 'A', data: '192.0.2.1' }, '192.0.2.1'],
    ['IPv6', { ...base, type: 'AAAA', data: '2001:DB8::0:1' }, '2001:db8::1'],
    ['mail', { ...base, type: 'MX', data: { exchange: 'MX.example.' } }, '0 mx.example'],
    [
      'a name with a space in it',
      { ...base, type: 'NS', data: 'a b.Example\n' },
      'a\\032b.example\\010',
    ],
    [
      'authority without serial and timers',
      { ...base, type: 'SOA', data: { mname: 'NS1.x', rname: 'a\\.b.x', serial: 7, minimum: 9 } },
      'ns1.x a\\.b.x',
    ],
    ['strings of one text', { ...base, type: 'TXT', data: ['v=spf1 ', '-all'] }, 'v=spf1 -all'],
    ['a character cut in two', { ...base, type: 'TXT', data: halves('ü') }, 'ü'],
    ['bytes that are no UTF-8', { ...base, type: 'TXT', data: bytes(0xff, 65) }, '\\255A'],
    ['a backslash', { ...base, type: 'TXT', data: 'a\\010b\n' }, 'a\\\\010b\\010'],
    ['an empty text', { ...base, type: 'TXT', data: '' }, ''],
    ['no address', { ...base, type: 'A', data: '1.2.undefined.undefined' }, null],
    ['another class', { ...base, class: 'CH', type: 'TXT', data: 'x' }, null],
    ['another type', { ...base, type: 'SRV', data: { port: 1, target: 'x' } }, null],
    ['EDNS', { name: '.', type: 'OPT' } as Answer, null],
  ])('%s', (_name, answer, value) => {
    const { type } = answer;
    expect(readRecord(answer)).toEqual(
      value === null ? null : { name: 'www.example.com', type, value },
    );
  });
});

function halves(text: string): Buffer[] {
  const whole = Buffer.from(text);
  return [whole.subarray(0, 1), whole.subarray(1)];
}

function bytes(...values: number[]): Buffer {
  return Buffer.from(values);
}

test.each([
  ['www.example.com', true],
  ['_dmarc.example.com', true],
  ['.', true],
  ['', false],
  ['a..b', false],
  [`${'a'.repeat(63)}.example`, true],
  [`${'a'.repeat(64)}.example`, false],
  [Array.from({ length: 130 }, () => 'a').join('.'), false],
  ['a\\010b.example', false],
  ['a b.example', false],
  ['münchen.example', false],
])('%j can be queried: %s', (name, isPossible) => {
  expect(isQueryable(name)).toBe(isPossible);
});

test('names under a zone', () => {
  expect(isWithin('www.example.com', 'example.com')).toBe(true);
  expect(isWithin('example.com', 'example.com')).toBe(true);
  expect(isWithin('anything', '.')).toBe(true);
  expect(isWithin('badexample.com', 'example.com')).toBe(false);
  expect(isWithin('com', 'example.com')).toBe(false);
  expect(normalizeName('Example.COM.')).toBe('example.com');
});
