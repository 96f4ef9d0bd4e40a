import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DNS_RECORD_TYPES,
  type DnsRecords,
  type InspectionResult,
} from '../../model/inspection.ts';
import { describeDnsChange, dnsFinding } from './finding.ts';

const NONE: DnsRecords = { A: [], AAAA: [], CNAME: [], MX: [], NS: [], TXT: [], SOA: [] };

const failure = { code: 'dns_not_found', text: 'DNS name x.example not found (NXDOMAIN)' } as const;
test.each<[string, InspectionResult<'dns'>, object]>([
  ['failed', { state: 'failed', failure }, { says: 'bad', condition: 'dns', ...failure }],
  ['not found out', { state: 'unknown', reason: 'The probe has no network' }, { says: 'unknown' }],
  [
    'a name without any record',
    { state: 'known', facts: { records: NONE, source: 'authoritative', server: '192.0.2.53' } },
    { says: 'good' },
  ],
])('%s', (_name, result, finding) => {
  expect(dnsFinding(result)).toEqual(finding);
});

function long(letter: string): string[] {
  return [1, 2, 3, 4].map((n) => letter.repeat(90) + n);
}

describe('describeDnsChange', () => {
  test.each<[Partial<DnsRecords>, Partial<DnsRecords>, string | null]>([
    [{}, {}, null],
    [{ A: ['192.0.2.1', '192.0.2.7'] }, { A: ['192.0.2.7', '192.0.2.1'] }, null],
    [
      { A: ['192.0.2.1'] },
      { A: ['192.0.2.7'], TXT: ['v=spf1 -all'] },
      'DNS records changed: A added 192.0.2.7, removed 192.0.2.1; TXT added "v=spf1 -all".',
    ],
    [{ TXT: ['a "b"'] }, {}, 'DNS records changed: TXT removed "a \\"b\\"".'],
    [
      { MX: ['10 a.example', '20 b.example'] },
      { MX: ['10 a.example'] },
      'DNS records changed: MX removed 20 b.example.',
    ],
    [
      {},
      { A: ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5'] },
      'DNS records changed: A added 10.0.0.1, 10.0.0.2, 10.0.0.3 and 2 more.',
    ],
    [{}, { TXT: ['x'.repeat(100)] }, `DNS records changed: TXT added "${'x'.repeat(79)}…".`],
  ])('%j to %j', (before, after, sentence) => {
    expect(describeDnsChange({ ...NONE, ...before }, { ...NONE, ...after })).toBe(sentence);
  });

  test('what finds no room is named by its type', () => {
    const sentence = describeDnsChange(NONE, { ...NONE, MX: long('m'), NS: long('n'), TXT: ['t'] });
    expect(sentence).toMatch(/^DNS records changed: MX added m+…/);
    expect(sentence).toMatch(/ and 1 more; further changes in NS, TXT\.$/);
  });

  test('names every type that changed and no other, in 500 characters at most', () => {
    const values = fc.uniqueArray(fc.string({ unit: 'grapheme', maxLength: 150 }), {
      maxLength: 8,
    });
    const records = fc.record(
      Object.fromEntries(DNS_RECORD_TYPES.map((type) => [type, values])),
    ) as fc.Arbitrary<DnsRecords>;
    fc.assert(
      fc.property(records, records, (before, after) => {
        const sentence = describeDnsChange(before, after);
        const isSame = DNS_RECORD_TYPES.every(
          (type) => before[type].toSorted().join('\0') === after[type].toSorted().join('\0'),
        );
        expect(sentence === null).toBe(isSame);
        expect(sentence?.length ?? 0).toBeLessThanOrEqual(500);
        expect(sentence?.isWellFormed() ?? true).toBe(true);
        expect(describeDnsChange(after, after)).toBeNull();
      }),
    );
  });
});
