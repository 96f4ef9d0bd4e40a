import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromTarget, fromTeam } from './target-text.ts';

it.each([
  ['tags', 'a\u{e0049}\u{e0067}b', 'a b'],
  ['bidirectional overrides', 'a\u202eb\u2066c', 'a b c'],
  ['zero-width characters', 'de\u200blete', 'de lete'],
  ['variation selectors, which can carry bytes', 'a\ufe01\u{e0101}b', 'a b'],
  ['control characters and escape sequences', 'a\u001b[31mb\u0000', 'a [31mb'],
  ['line breaks of every kind', 'a\r\nb\u0085c\u2028d\u2029e', 'a b c d e'],
  ['characters for private use', 'a\ue000\u{f0000}b', 'a b'],
  ['a filler that looks like a space', 'a\u3164b', 'a b'],
])('leaves out %s', (_what, text, expected) => {
  expect(fromTarget(text, 100)).toEqual({ from_target: expected });
  expect(fromTeam(text, 100)).toBe(expected);
});

it('keeps what people write', () => {
  const text = 'Grüße, 日本語, عربى, 😀: "x" <b>';
  expect(fromTarget(text, 100)).toEqual({ from_target: text });
});

it('cuts between characters and says so', () => {
  expect(fromTarget('😀😀😀', 2)).toEqual({ from_target: '😀😀', is_cut: true });
  expect(fromTeam('😀😀😀', 2)).toBe('😀…');
});

it('says that a text was longer when all that is seen of it comes early', () => {
  expect(fromTarget(`a${'\u200b'.repeat(500)}b`, 10)).toEqual({ from_target: 'a', is_cut: true });
});

it('does not mistake a cut in the middle of a character for a broken one', () => {
  expect(fromTarget(`a${' '.repeat(38)}😀`, 10)).toEqual({ from_target: 'a', is_cut: true });
});

it('keeps null', () => {
  expect([fromTarget(null, 10), fromTeam(null, 10)]).toEqual([null, null]);
});

describe('whatever the text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    // Lone surrogates too.
    fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 })
      .map((units) => String.fromCharCode(...units)),
  );
  const limit = fc.integer({ min: 1, max: 60 });

  it('is no longer than its limit, has nothing hidden and stays the same when it is marked again', () => {
    fc.assert(
      fc.property(text, limit, (given, most) => {
        const marked = fromTarget(given, most);
        expect([...marked.from_target].length).toBeLessThanOrEqual(most);
        expect(marked.from_target).not.toMatch(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(marked.from_target.isWellFormed()).toBe(true);
        expect(fromTarget(marked.from_target, most).from_target).toBe(marked.from_target.trim());
        expect([...fromTeam(given, most)].length).toBeLessThanOrEqual(most);
      }),
      { numRuns: 500 },
    );
  });

  it('is whole unless it says that it was cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 80 }), limit, (given, most) => {
        const { from_target: shown, is_cut: isCut = false } = fromTarget(given, most);
        expect(isCut).toBe(given.trim().length > most || given.length > most * 4);
        if (!isCut) expect(shown).toBe(given.trim());
      }),
    );
  });
});
