import { expect, test } from 'vitest';
import { de } from '../words/de.ts';
import { en } from '../words/en.ts';
import { monitorsFor, readVerb, verbsFor, type Verb } from './palette-actions.ts';

test.each([
  [{ isPaused: false, isPush: false, hasUnacknowledged: false }, ['check', 'silence', 'pause']],
  [
    { isPaused: false, isPush: false, hasUnacknowledged: true },
    ['acknowledge', 'check', 'silence', 'pause'],
  ],
  [{ isPaused: false, isPush: true, hasUnacknowledged: false }, ['silence', 'pause']],
  [{ isPaused: true, isPush: false, hasUnacknowledged: false }, ['resume']],
  [{ isPaused: true, isPush: false, hasUnacknowledged: true }, ['acknowledge', 'resume']],
])('of a monitor with %o the actions are %j', (facts, verbs) => {
  expect(verbsFor(facts)).toEqual(verbs);
});

test.each<[string, { verb: Verb; rest: string } | null]>([
  ['pause checkout', { verb: 'pause', rest: 'checkout' }],
  ['  PAU  Checkout api ', { verb: 'pause', rest: 'checkout api' }],
  ['ack checkout', { verb: 'acknowledge', rest: 'checkout' }],
  ['mute checkout', { verb: 'silence', rest: 'checkout' }],
  ['unpause checkout', { verb: 'resume', rest: 'checkout' }],
  ['check', null],
  ['pa checkout', null],
  ['checkout api', null],
  ['', null],
])('%j is read as %o', (typed, read) => {
  expect(readVerb(typed, en.palette.verbs)).toEqual(read);
});

test('each language has words for each verb', () => {
  expect(readVerb('übernehmen checkout', de.palette.verbs)?.verb).toBe('acknowledge');
  for (const { palette } of [en, de])
    for (const [verb, names] of Object.entries(palette.verbs))
      expect(readVerb(`${names[0]} x`, palette.verbs)).toEqual({ verb, rest: 'x' });
});

test('a verb is for the monitors that it fits alone', () => {
  const monitors = [
    {
      text: 'Checkout API',
      verbs: verbsFor({ isPaused: true, isPush: false, hasUnacknowledged: false }),
    },
    {
      text: 'Checkout page',
      verbs: verbsFor({ isPaused: false, isPush: false, hasUnacknowledged: false }),
    },
    {
      text: 'Search',
      verbs: verbsFor({ isPaused: false, isPush: false, hasUnacknowledged: false }),
    },
  ];
  const texts = (verb: Verb, rest: string) =>
    monitorsFor(monitors, { verb, rest }).map(({ text }) => text);
  expect(texts('pause', 'checkout')).toEqual(['Checkout page']);
  expect(texts('resume', 'checkout')).toEqual(['Checkout API']);
  expect(texts('check', 'e')).toEqual(expect.arrayContaining(['Checkout page', 'Search']));
});
