import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeAuthority } from '../../../test/support/certificate-maker.ts';
import { makeRefusal, makeStaple } from '../../../test/support/ocsp-staple.ts';
import type { StapleOptions } from '../../../test/support/ocsp-staple.ts';
import { readStaple } from './ocsp.ts';

const authority = makeAuthority('Staple authority');
const PRODUCED_AT = Date.UTC(2026, 10, 20, 12);
const NEXT_UPDATE = Date.UTC(2026, 10, 27, 12);
const UNREADABLE = { status: 'unreadable', producedAt: null, nextUpdate: null };

function staple(options: Partial<StapleOptions> = {}): Buffer {
  return makeStaple(authority, {
    status: 'good',
    serialNumbers: ['4a11'],
    producedAt: PRODUCED_AT,
    nextUpdate: NEXT_UPDATE,
    ...options,
  });
}

describe('a staple', () => {
  test.each(['good', 'revoked', 'unknown'] as const)('that says %s', async (status) => {
    expect(await readStaple(staple({ status }), '4A11')).toEqual({
      status,
      producedAt: PRODUCED_AT,
      nextUpdate: NEXT_UPDATE,
    });
  });

  test('without a next update', async () => {
    expect(await readStaple(staple({ nextUpdate: null }), '4A11')).toMatchObject({
      status: 'good',
      nextUpdate: null,
    });
  });

  test('about another certificate', async () => {
    expect(await readStaple(staple({ status: 'revoked' }), '4A12')).toEqual(UNREADABLE);
  });

  test('about several certificates', async () => {
    const several = staple({ status: 'revoked', serialNumbers: ['01', 'ff00', '4a11'] });
    expect(await readStaple(several, 'FF00')).toMatchObject({ status: 'revoked' });
    expect(await readStaple(several, '02')).toEqual(UNREADABLE);
  });

  test.each(['01', '7F', '80', 'F1', '00F1', 'FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF'])(
    'for the serial number %s',
    async (serialNumber) => {
      const found = await readStaple(staple({ serialNumbers: [serialNumber] }), serialNumber);
      expect(found.status).toBe('good');
    },
  );

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('no staple at all')],
    ['a refusal', makeRefusal(3)],
    ['an answer that is only called one', makeRefusal(0)],
    ['one that is cut short', staple().subarray(0, 60)],
    ['one that is far too long', Buffer.concat([staple(), Buffer.alloc(20_000)])],
    ['nesting without end', Buffer.alloc(16_000, Buffer.from([0x30, 0x80]))],
  ])('that is %s', async (_name, der) => {
    expect(await readStaple(der, '4A11')).toEqual(UNREADABLE);
  });

  test('of any bytes, or with any byte changed, never throws', async () => {
    const whole = staple({ status: 'revoked' });
    const changed = fc
      .array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
      .map((changes) => {
        const bytes = Buffer.from(whole);
        for (const [at, value] of changes) bytes[at] = value;
        return bytes;
      });
    const random = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
    await fc.assert(
      fc.asyncProperty(fc.oneof(changed, random), async (der) => {
        const { status, producedAt, nextUpdate } = await readStaple(der, '4A11');
        expect(['good', 'revoked', 'unknown', 'unreadable']).toContain(status);
        for (const time of [producedAt, nextUpdate]) {
          expect(time === null || Number.isFinite(time)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
