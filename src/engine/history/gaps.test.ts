import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SPAN_STATUSES } from '../../model/incident.ts';
import { withGaps } from './times.ts';
import type { Interval, Span } from './uptime.ts';

/** Spans or gaps, written `online 0-10, offline 10-`. */
const spansOf = (text: string): Span[] =>
  text.split(', ').map((part) => {
    const [, status, from, to] = /^(\w+) (\d+)-(\d*)$/.exec(part)!;
    return {
      status: status as Span['status'],
      fromAt: Number(from),
      toAt: to === '' ? null : Number(to),
    };
  });
const gapsOf = (text: string): Interval[] =>
  text.split(', ').map((part) => {
    const [from, to] = part.split('-').map(Number);
    return { from: from!, to: to! };
  });
const textOf = (spans: readonly Span[]): string =>
  spans.map(({ status, fromAt, toAt }) => `${status} ${fromAt}-${toAt ?? ''}`).join(', ');

const statusAt = (spans: readonly Span[], instant: number) =>
  spans.find((span) => span.fromAt <= instant && instant < (span.toAt ?? Infinity))?.status;

describe('gaps over spans', () => {
  test.each([
    ['online 10-20', '20-30', 'online 10-20'],
    ['online 10-20', '0-10', 'online 10-20'],
    ['online 10-20', '15-15', 'online 10-20'],
    ['online 10-20', '12-14', 'online 10-12, unobserved 12-14, online 14-20'],
    ['online 10-20', '0-12', 'unobserved 10-12, online 12-20'],
    ['online 10-20', '18-22', 'online 10-18, unobserved 18-20'],
    ['online 10-20', '0-30', 'unobserved 10-20'],
    ['online 10-', '12-14', 'online 10-12, unobserved 12-14, online 14-'],
    ['online 10-20', '16-17, 12-15, 14-16', 'online 10-12, unobserved 12-17, online 17-20'],
    [
      'online 0-10, offline 10-20, online 20-',
      '8-12, 14-16, 30-40',
      'online 0-8, unobserved 8-10, unobserved 10-12, offline 12-14, unobserved 14-16, offline 16-20, online 20-30, unobserved 30-40, online 40-',
    ],
    ['unobserved 0-10, online 10-20', '5-15', 'unobserved 0-10, unobserved 10-15, online 15-20'],
  ])('%s with %s', (spans, gaps, expected) => {
    expect(textOf(withGaps(spansOf(spans), gapsOf(gaps)))).toBe(expected);
  });

  test('change nothing outside of them, and nothing is observed inside', () => {
    const at = fc.integer({ min: 0, max: 60 });
    const spans = fc
      .tuple(fc.uniqueArray(at, { maxLength: 10 }), fc.boolean(), fc.infiniteStream(fc.nat(3)))
      .map(([instants, isOpen, statuses]): Span[] => {
        const sorted = instants.toSorted((one, other) => one - other);
        return sorted.flatMap((fromAt, index) => {
          const toAt = sorted[index + 1] ?? null;
          // Time before or between spans may belong to none.
          if ((toAt === null && !isOpen) || fromAt % 7 === 0) return [];
          return [{ status: SPAN_STATUSES[statuses.next().value!]!, fromAt, toAt }];
        });
      });
    const gaps = fc.array(
      fc.tuple(at, at).map(([from, to]) => ({ from, to })),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(spans, gaps, (given, away) => {
        const found = withGaps(given, away);
        for (let instant = 0; instant < 70; instant++) {
          const was = statusAt(given, instant);
          const isAway = away.some((gap) => gap.from <= instant && instant < gap.to);
          expect(statusAt(found, instant)).toBe(was && isAway ? 'unobserved' : was);
        }
        for (const [index, span] of found.entries()) {
          expect(span.fromAt).toBeLessThan(span.toAt ?? Infinity);
          expect(span.fromAt).toBeGreaterThanOrEqual(found[index - 1]?.toAt ?? 0);
        }
      }),
      { numRuns: 500 },
    );
  });
});
