import { describe, expect, test } from 'vitest';
import type { Region } from '../app/api.gen.ts';
import { letterOf, numberOf, placesOf } from './places.ts';

const regionAt = (code: string, vantage: string | null): Region => ({
  code,
  vantage,
  title: code,
  is_live: true,
  probes: [],
});
const ONE = ['ash', 'pdx', 'nbg', 'sin'].map((code) => regionAt(code, 'vm'));
const TWO = [regionAt('ash', 'vm'), regionAt('nbg', 'vm'), regionAt('sin', 'cloud')];
const UNKNOWN = [regionAt('ash', null), regionAt('nbg', null)];

describe('places', () => {
  test.each<[string, string[], Region[], [string | null, string[]][]]>([
    ['one machine', ['ash', 'pdx', 'nbg', 'sin'], ONE, [['vm', ['ash', 'pdx', 'nbg', 'sin']]]],
    ['one of its regions', ['nbg'], ONE, [['vm', ['nbg']]]],
    [
      'a machine and a city',
      ['ash', 'sin', 'nbg'],
      TWO,
      [
        ['vm', ['ash', 'nbg']],
        [null, ['sin']],
      ],
    ],
    [
      'no probe yet',
      ['ash', 'nbg'],
      UNKNOWN,
      [
        [null, ['ash']],
        [null, ['nbg']],
      ],
    ],
    [
      'regions that are not read yet',
      ['ash', 'nbg'],
      [],
      [
        [null, ['ash']],
        [null, ['nbg']],
      ],
    ],
  ])('of %s', (_, codes, regions, expected) => {
    const places = placesOf(codes, regions);
    expect(places.map(({ machine, codes: of }) => [machine, of])).toEqual(expected);
  });

  test.each([
    ['uuuu', 'u'],
    ['uudd', 'u'],
    ['uddd', 'd'],
    ['d???', 'd'],
    ['????', '?'],
  ])('say by %s %s', (letters, letter) => {
    const [place] = placesOf(['ash', 'pdx', 'nbg', 'sin'], ONE);
    expect(letterOf(place!, (code) => letters[ONE.findIndex((one) => one.code === code)]!)).toBe(
      letter,
    );
  });

  test('number the checks of a machine', () => {
    expect(TWO.slice(0, 2).map(({ code }) => numberOf(code, TWO))).toEqual([1, 2]);
  });
});
