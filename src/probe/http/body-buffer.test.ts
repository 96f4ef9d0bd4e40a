import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BodyBuffer } from './body-buffer.ts';

test('returns the first bytes unchanged, in any chunks', () => {
  const sizes = fc.array(
    fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ max: 100_000, min: 0 })),
    {
      maxLength: 100,
    },
  );
  fc.assert(
    fc.property(
      sizes,
      fc.integer({ min: 0, max: 2_000_000 }),
      fc.boolean(),
      (each, limit, isKnown) => {
        const whole = Buffer.alloc(each.reduce((sum, size) => sum + size, 0));
        for (let at = 0; at + 4 <= whole.length; at += 4) whole.writeUInt32LE(at, at);
        const buffer = new BodyBuffer(limit, isKnown ? whole.length : null);
        let at = 0;
        for (const size of each) {
          buffer.add(whole.subarray(at, at + size));
          at += size;
        }
        expect(buffer.take().equals(whole.subarray(0, limit))).toBe(true);
        expect(buffer.take()).toHaveLength(0);
      },
    ),
    { numRuns: 50 },
  );
});

test('keeps little of a large read in memory', () => {
  const buffer = new BodyBuffer(100, null);
  const read = Buffer.allocUnsafeSlow(65_536);
  buffer.add(read.subarray(0, 50));
  buffer.add(read.subarray(50));
  expect(buffer.take().buffer).not.toBe(read.buffer);
});

test('a body of known length is one transferable block', () => {
  const buffer = new BodyBuffer(1_000_000, 300_000);
  for (let count = 0; count < 30; count++) buffer.add(Buffer.alloc(10_000, count));
  const body = buffer.take();
  expect([body.length, body.byteOffset, body.buffer.byteLength]).toEqual([300_000, 0, 300_000]);
});

test('copies chunks whose memory is overwritten afterwards', () => {
  const buffer = new BodyBuffer(100_000, null, true);
  const memory = Buffer.alloc(20_000);
  for (const text of ['a', 'b', 'c']) buffer.add(memory.fill(text));

  const whole = ['a', 'b', 'c'].map((text) => text.repeat(20_000)).join('');
  expect(buffer.take().toString()).toBe(whole);
});
