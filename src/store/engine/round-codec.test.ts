import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DOWN_CODES, UNKNOWN_CODES, type FailureCode } from '../../model/failure.ts';
import type { RegionResult, Vote } from '../../model/check.ts';
import { roundOf } from '../../../test/support/rounds.ts';
import {
  decodeRound,
  encodeRound,
  FAILURE_NUMBERS,
  regionsOfByte,
  REGIONS_BYTE,
  type RecordedRound,
  type RegionNumbers,
} from './round-codec.ts';

const NAMES = ['ash', 'pdx', 'nbg', 'sin', 'r4', 'r5', 'r6', 'r7', 'r8', 'r200'];
const numbers: RegionNumbers = {
  numberOf: (region) => (NAMES.includes(region) ? NAMES.indexOf(region) : undefined),
  regionOf: (number) => NAMES[number],
};
const codes = [...DOWN_CODES, ...UNKNOWN_CODES];

/** To the precision that is kept. */
const round10 = (value: number | null) => (value === null ? null : Math.round(value * 10) / 10);

const time = fc.option(
  fc.oneof(
    fc.double({ min: 0, max: 300, noNaN: true }),
    fc.double({ min: 0, max: 120_000, noNaN: true }),
  ),
);
const STARTED_AT = 1_750_000_000_123;

const result: fc.Arbitrary<RegionResult> = fc
  .record({
    region: fc.oneof(fc.constantFrom(...NAMES), fc.constantFrom('new', 'Zürich-ö', '')),
    vote: fc.constantFrom<Vote>('up', 'down', 'unknown'),
    code: fc.constantFrom<FailureCode>(...codes),
    responseTimeMs: time,
    statusCode: fc.option(fc.oneof(fc.constantFrom(200, 301, 503), fc.nat(999))),
    timings: fc.record({ dnsMs: time, tcpMs: time, tlsMs: time, ttfbMs: time, totalMs: time }),
    totalIsResponse: fc.boolean(),
    offset: fc.oneof(fc.constant(0), fc.integer({ min: -5_000, max: 60_000 })),
  })
  .map(({ code, offset, totalIsResponse, ...rest }) => ({
    ...rest,
    timings: {
      ...rest.timings,
      totalMs: totalIsResponse ? rest.responseTimeMs : rest.timings.totalMs,
    },
    failure: rest.vote === 'up' ? null : { code, text: 'why' },
    remoteAddress: null,
    evidence: null,
    checkedAt: STARTED_AT + offset,
  }));

const recorded: fc.Arbitrary<RecordedRound> = fc.record({
  round: fc
    .array(result, { maxLength: 12 })
    .map((results) => roundOf('', { startedAt: STARTED_AT, results })),
  kind: fc.constantFrom('voted', 'stale', 'manual'),
  class: fc.constantFrom('up', 'regional', 'down', 'unknown'),
});

function kept({ region, vote, failure, statusCode, checkedAt, ...rest }: RegionResult) {
  const { dnsMs, tcpMs, tlsMs, ttfbMs, totalMs } = rest.timings;
  return {
    region,
    vote,
    failureCode: failure?.code ?? null,
    statusCode,
    checkedAt,
    responseTimeMs: round10(rest.responseTimeMs),
    timings: {
      dnsMs: round10(dnsMs),
      tcpMs: round10(tcpMs),
      tlsMs: round10(tlsMs),
      ttfbMs: round10(ttfbMs),
      totalMs: round10(totalMs),
    },
  };
}

const sortable = (value: unknown) => JSON.stringify(value);
const sorted = (values: unknown[]) => values.map(sortable).toSorted();

describe('a packed round', () => {
  test('gives back all to 0.1 ms, whatever the regions', () => {
    fc.assert(
      fc.property(recorded, (one) => {
        const { results, ...rest } = decodeRound(encodeRound(one, numbers), STARTED_AT, numbers)!;
        expect(rest).toEqual({ kind: one.kind, class: one.class });
        const canonical = results.map(
          ({ region, vote, failureCode, statusCode, checkedAt, ...other }) => ({
            region,
            vote,
            failureCode,
            statusCode,
            checkedAt,
            ...other,
          }),
        );
        expect(sorted(canonical)).toEqual(sorted(one.round.results.map(kept)));
      }),
      { numRuns: 1000 },
    );
  });

  test('holds its regions in the order of their numbers, known by one byte', () => {
    const { results } = roundOf('uuu');
    const round = roundOf('', { results: results.toReversed() });
    const bytes = encodeRound({ round, kind: 'voted', class: 'up' }, numbers);
    expect(regionsOfByte(bytes[REGIONS_BYTE - 1]!)).toEqual([0, 1, 2]);
    const names = decodeRound(bytes, round.startedAt, numbers)!.results.map(({ region }) => region);
    expect(names).toEqual(['ash', 'pdx', 'nbg']);
  });

  test('says that its regions byte does not tell when a region has no number yet', () => {
    const bytes = encodeRound(
      { round: roundOf('u'), kind: 'voted', class: 'up' },
      {
        numberOf: () => undefined,
        regionOf: () => undefined,
      },
    );
    expect(regionsOfByte(bytes[REGIONS_BYTE - 1]!)).toBeNull();
    expect(decodeRound(bytes, 0, numbers)!.results[0]!.region).toBe('ash');
  });

  test('of four regions far away takes 45 bytes at most', () => {
    const results = [12.3, 88.1, 154.9, 231.4].map((ms, index): RegionResult => ({
      ...roundOf('uuuu').results[index]!,
      checkedAt: STARTED_AT,
      responseTimeMs: 4 * ms + 3.7,
      timings: {
        dnsMs: 0.4 * ms,
        tcpMs: ms,
        tlsMs: 1.1 * ms,
        ttfbMs: 1.5 * ms,
        totalMs: 4 * ms + 3.7,
      },
    }));
    const round = roundOf('', { startedAt: STARTED_AT, results });
    const { length } = encodeRound({ round, kind: 'voted', class: 'up' }, numbers);
    expect(length).toBeLessThanOrEqual(45);
  });

  test('takes times and codes that cannot be as none', () => {
    const [one] = roundOf('u').results as [RegionResult];
    const odd = { ...one, statusCode: -1, responseTimeMs: Number.NaN };
    const round = roundOf('', {
      results: [{ ...odd, timings: { ...one.timings, dnsMs: -3, tcpMs: Infinity } }],
    });
    const [back] = decodeRound(
      encodeRound({ round, kind: 'manual', class: 'up' }, numbers),
      0,
      numbers,
    )!.results;
    expect(back).toMatchObject({ statusCode: null, responseTimeMs: null });
    expect(back!.timings).toMatchObject({ dnsMs: 0, tcpMs: null });
  });

  test('of a newer version or damaged is null, never an error', () => {
    const bytes = encodeRound({ round: roundOf('ud'), kind: 'voted', class: 'down' }, numbers);
    expect(decodeRound(bytes.subarray(0, -1), 0, numbers)).toBeNull();
    bytes[0] = 99;
    expect(decodeRound(bytes, 0, numbers)).toBeNull();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (any) => void decodeRound(any, 0, numbers)),
    );
  });

  test('with numbers that a newer version gave decodes to what is known', () => {
    const bytes = encodeRound({ round: roundOf('d'), kind: 'voted', class: 'down' }, numbers);
    const at = bytes.indexOf(FAILURE_NUMBERS.connection_refused, REGIONS_BYTE);
    bytes[at] = 120;
    bytes[1] = 3 | (7 << 2);
    const round = decodeRound(bytes, 0, { ...numbers, regionOf: () => undefined })!;
    expect(round).toMatchObject({ kind: 'stale', class: 'unknown' });
    expect(round.results[0]).toMatchObject({ region: 'region-0', vote: 'down', failureCode: null });
  });

  test('numbers each failure once, and never anew', () => {
    expect(new Set(Object.values(FAILURE_NUMBERS)).size).toBe(codes.length);
    expect(Object.keys(FAILURE_NUMBERS).toSorted()).toEqual([...codes].toSorted());
    expect(FAILURE_NUMBERS).toMatchObject({ dns_not_found: 1, http_status: 16, aborted: 30 });
  });
});
