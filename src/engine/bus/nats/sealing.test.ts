import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deriveRegionKey } from '../../../lib/region-keys.ts';
import { createOpener, createSealer } from './sealing.ts';

const NBG = deriveRegionKey('the secret key of a test', 'nbg');
const SIN = deriveRegionKey('the secret key of a test', 'sin');

test('any text comes back, with the id of its key', () => {
  const sealer = createSealer(NBG);
  const opener = createOpener([SIN, NBG]);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, place) => {
      const wellFormed = text.toWellFormed();
      const opened = opener.open(sealer.seal(wellFormed, place), place);
      expect(opened).toEqual({ keyId: NBG.id, text: wellFormed });
    }),
  );
});

test('what was sealed shows nothing of its text, and never twice the same', () => {
  const sealer = createSealer(NBG);
  const sealed = [1, 2].map(() => sealer.seal('{"authorization":"Bearer secret"}', 'a'));
  expect(sealed[0]!.equals(sealed[1]!)).toBe(false);
  expect(sealed[0]!.toString('latin1')).not.toContain('secret');
});

test('a message opens at the place that it was sealed for only', () => {
  const sealed = createSealer(NBG).seal('text', 'tocsin.check.nbg.1 tocsin.answer.a.1');
  const opener = createOpener([NBG]);
  expect(opener.open(sealed, 'tocsin.check.nbg.1 tocsin.answer.b.1')).toBeNull();
  expect(opener.open(sealed, 'tocsin.check.nbg.1 tocsin.answer.a.1')?.text).toBe('text');
});

test('the key of another region opens nothing', () => {
  const sealed = createSealer(NBG).seal('text', 'a');
  expect(createOpener([SIN]).open(sealed, 'a')).toBeNull();
  expect(createOpener([]).open(sealed, 'a')).toBeNull();
});

test('a message that was changed in any bit, or cut, does not open', () => {
  const sealed = createSealer(NBG).seal('{"results":[]}', 'a');
  const opener = createOpener([NBG]);
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(opener.open(changed, 'a')).toBeNull();
  }
  for (let length = 0; length < sealed.length; length++)
    expect(opener.open(sealed.subarray(0, length), 'a')).toBeNull();
  expect(opener.open(sealed, 'a')?.text).toBe('{"results":[]}');
});

test('any bytes are refused without an exception', () => {
  const opener = createOpener([NBG]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(opener.open(bytes, 'a')).toBeNull();
    }),
  );
});

test('messages of many senders open, also with forged ones in between', () => {
  const opener = createOpener([NBG]);
  const sealers = Array.from({ length: 1_200 }, () => createSealer(NBG));
  for (const [index, sealer] of sealers.entries()) {
    expect(opener.open(sealer.seal(`${index}`, 'a'), 'a')?.text).toBe(`${index}`);
    const forged = createSealer(NBG).seal('forged', 'another place');
    expect(opener.open(forged, 'a')).toBeNull();
  }
  expect(opener.open(sealers[0]!.seal('again', 'a'), 'a')?.text).toBe('again');
});
