import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  at,
  expectSound,
  play,
  secondsOf,
  take,
  told,
  type Played,
} from '../../../test/support/job-story.ts';
import type { JobSettings } from '../../../test/support/jobs.ts';
import type { ServiceGap } from '../../model/heartbeat.ts';
import { nextDeadline, evaluateSilence } from './state.ts';

/** Stories of a few hours with everything in them, in the order of time. */
const plans: fc.Arbitrary<JobSettings> = fc.record({
  interval: fc.constantFrom(30, 300, 3_600),
  cron: fc.constantFrom(undefined, undefined, '* * * * *', '*/15 * * * *', '0 * * * *'),
  grace: fc.constantFrom(0, 10, 60, 900),
  maxRuntime: fc.constantFrom(null, null, 20, 600),
  waits: fc.boolean(),
}) as fc.Arbitrary<JobSettings>;

const WORDS = [
  'ok ok ok fail start start:a start:b ok:a fail:b log',
  'look look look close reopen pause resume reschedule',
].flatMap((line) => line.split(' '));

function storiesOf(words: readonly string[]): fc.Arbitrary<string> {
  const event = fc.record({
    wait: fc.constantFrom(0, 1, 7, 29, 61, 299, 360, 950, 4_000),
    what: fc.constantFrom(...words),
  });
  return fc.array(event, { maxLength: 25 }).map((events) => {
    let now = 0;
    return events.map(({ wait, what }) => `${(now += wait)} ${what}`).join(', ');
  });
}

const gapsUpTo = (length: number) =>
  fc.array(
    fc
      .record({ from: fc.integer({ min: 0, max: 20_000 }), length: fc.nat({ max: length }) })
      .map((gap) => ({ from: at(gap.from), to: at(gap.from + gap.length) })),
    { maxLength: 6 },
  );

const away = (gaps: ServiceGap[]) =>
  gaps.map(({ from, to }) => `${secondsOf(from)}-${secondsOf(to)} away`);

describe('whatever happens', () => {
  test('status is that of the worst condition, and incidents open and end in turn', () => {
    fc.assert(
      fc.property(plans, storiesOf(WORDS), gapsUpTo(900), (settings, story, gaps) => {
        expectSound(play([...away(gaps), story].join(', '), settings));
      }),
      { numRuns: 500 },
    );
  });

  test('a second look sees nothing more, and the next is at the next deadline', () => {
    fc.assert(
      fc.property(plans, storiesOf(WORDS), gapsUpTo(900), fc.nat(9_000), (...drawn) => {
        const [settings, story, gaps, later] = drawn;
        const { state, plan } = play([...away(gaps), story].join(', '), settings);
        const now = at(20_000 + later);
        const first = evaluateSilence(state, plan, { now, heardUntil: now, gaps });
        const second = evaluateSilence(first.state, plan, { now, heardUntil: now, gaps });
        expect(second).toEqual({ state: first.state, spans: [], incidents: [] });
        expect(first.state.dueAt).toBe(nextDeadline(first.state, plan));
        expect(first.state.dueAt ?? Infinity).toBeGreaterThan(now);
      }),
      { numRuns: 500 },
    );
  });

  test('one look after a long time sees what many would have seen', () => {
    const times = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 8 });
    // A person's closing is acted on when somebody looks: that moment counts.
    const words = WORDS.filter((word) => word !== 'close');
    fc.assert(
      fc.property(plans, storiesOf(words), gapsUpTo(900), times, (settings, story, gaps, looks) => {
        const before = play([...away(gaps), story].join(', '), settings);
        const last = at(130_000);
        const seen = (moments: number[]) =>
          moments.reduce<Played>(
            (played, now) => {
              take(played, now, 'look', gaps);
              return played;
            },
            { ...before, incidents: [], spans: [] },
          );
        const often = seen([
          ...looks.map((one) => at(100_000 + one)).toSorted((a, b) => a - b),
          last,
        ]);
        expect(often).toEqual(seen([last]));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    [300, 60],
    [3_600, 900],
  ])(
    'a job that calls every %i s, give or take %i, is never missed, wherever we were away',
    (interval, grace) => {
      const jitters = fc.array(fc.nat({ max: grace - 1 }), { minLength: 8, maxLength: 8 });
      const begin = fc.integer({ min: 0, max: 8 * interval });
      fc.assert(
        fc.property(jitters, begin, fc.nat(3 * interval), (late, from, length) => {
          const gap = { from: at(from), to: at(from + length) };
          const calls = late.map((seconds, index) => ({
            when: interval * (index + 1) + seconds,
            what: 'ok',
          }));
          const looks = Array.from({ length: 9 * 30 }, (_, index) => ({
            when: (index * interval) / 30,
            what: 'look',
          }));
          // What came while we were away was lost, and nobody looked.
          const story = [...calls, ...looks]
            .filter(({ when }) => at(when) < gap.from || at(when) > gap.to)
            .toSorted((one, other) => one.when - other.when)
            .map(({ when, what }) => `${when} ${what}`);
          const played = play([...away([gap]), ...story].join(', '), { interval, grace });
          expect(told(played)).toBe('');
        }),
        { numRuns: 300 },
      );
    },
  );

  test('a job that is dead is told of, wherever we were away before [13.22]', () => {
    fc.assert(
      fc.property(plans, gapsUpTo(300), (settings, gaps) => {
        const story = [...away(gaps), '0 ok', '100000 look'].join(', ');
        expect(told(play(story, settings))).toMatch(/^open \d+$/);
      }),
    );
  });
});
