import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { roundOf, settingsOf } from '../../../test/support/rounds.ts';
import { classOf, verdictOf } from './round.ts';

describe('the class of a round', () => {
  test.each([
    // One letter a region: u up, d down, ? unknown, - no live probe in the last hour.
    ['uuuu', 'up'],
    ['uuu?', 'up'],
    ['u---', 'up'],
    ['????', 'unknown'],
    ['----', 'unknown'],
    ['dddd', 'down'],
    ['dddu', 'down'],
    ['ddd?', 'down'],
    ['dd?u', 'down'],
    ['dduu', 'regional'],
    ['duuu', 'regional'],
    // Half of the regions is not more than half: two survivors of four can't declare an outage, nor can one.
    ['dd??', 'regional'],
    ['d???', 'regional'],
    // Regions whose probe is long gone do not count.
    ['d---', 'down'],
    ['dd--', 'down'],
    ['du--', 'regional'],
    ['d?--', 'regional'],
    ['d', 'down'],
    ['u', 'up'],
    ['?', 'unknown'],
    ['dd', 'down'],
    ['du', 'regional'],
    ['ddu', 'down'],
    ['dud', 'down'],
    ['duu', 'regional'],
    ['d??', 'regional'],
  ])('%s is %s [18.1, 18.6]', (votes, expected) => {
    expect(verdictOf(roundOf(votes)).class).toBe(expected);
  });

  test('follows the rule of votes, for any numbers [18.5]', () => {
    const numbers = fc
      .integer({ min: 0, max: 12 })
      .chain((known) => fc.tuple(fc.constant(known), fc.integer({ min: 0, max: known })))
      .chain(([known, voting]) =>
        fc.tuple(fc.constant(known), fc.constant(voting), fc.integer({ min: 0, max: voting })),
      );
    fc.assert(
      fc.property(numbers, ([known, voting, down]) => {
        const roundClass = classOf(known, voting, down);
        expect(roundClass === 'unknown').toBe(voting === 0);
        expect(roundClass === 'up').toBe(voting > 0 && down === 0);
        expect(roundClass === 'down').toBe(down > 0 && 2 * down > voting && 2 * voting > known);
      }),
    );
  });

  test('names the failing regions in the order of the monitor', () => {
    expect(verdictOf(roundOf('dud?')).failing).toEqual(['ash', 'nbg']);
  });
});

const watched = (votes: string, responseTimeMs: number) =>
  verdictOf(
    roundOf(votes, { responseTimeMs, settings: settingsOf({ slowResponseThresholdMs: 500 }) }),
  );

describe('slowness', () => {
  test.each([
    ['uuuu', 501, 'bad'],
    ['uuuu', 500, 'good'],
    ['duuu', 501, 'bad'],
    ['dddu', 501, 'unknown'],
    ['dddd', 501, 'unknown'],
    ['????', 501, 'unknown'],
  ])('%s at %d ms is %s', (votes, responseTimeMs, expected) => {
    expect(watched(votes, responseTimeMs).slow).toBe(expected);
  });

  test('is unknown in a round that saw nothing, whatever the threshold', () => {
    expect(verdictOf(roundOf('????')).slow).toBe('unknown');
  });

  test('is off without a threshold', () => {
    expect(verdictOf(roundOf('uuuu', { responseTimeMs: 60_000 })).slow).toBe('off');
  });

  test('looks at the median, so that one slow region of four is not slow [18.9]', () => {
    const round = roundOf('uuuu', { settings: settingsOf({ slowResponseThresholdMs: 500 }) });
    [100, 400, 450, 9_000].forEach((ms, index) => (round.results[index]!.responseTimeMs = ms));
    expect(verdictOf(round)).toMatchObject({ slow: 'good', medianMs: 425 });
  });
});
