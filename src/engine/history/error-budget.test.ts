import { describe, expect, test } from 'vitest';
import { allowedShare, errorBudget } from './error-budget.ts';

const HOUR = 3_600_000;
const MONTH = 720 * HOUR;
const time = (upMs: number, downMs: number, degradedMs = 0) => ({ upMs, degradedMs, downMs });

describe('errorBudget', () => {
  test.each([
    ['unused', time(MONTH, 0), 99.9, 30, [0.72, 0, 0.72, 100]],
    ['half used', time(MONTH - 0.36 * HOUR, 0.36 * HOUR), 99.9, 30, [0.72, 0.36, 0.36, 50]],
    ['degraded time is up', time(0, 0, MONTH), 99.9, 30, [0.72, 0, 0.72, 100]],
    ['overspent', time(MONTH, 1.44 * HOUR), 99.9, 30, [0.72, 1.44, -0.72, -100]],
    ['a lower target', time(90 * HOUR, 10 * HOUR), 75, 7, [42, 10, 32, 100 * (32 / 42)]],
    [
      'a monitor of a minute that is down',
      time(0, HOUR / 60),
      99.9,
      30,
      [0.72, 1 / 60, 0.70333, 97.685],
    ],
    ['a gap of half the window', time(MONTH / 2, 0.18 * HOUR), 99.9, 30, [0.72, 0.18, 0.54, 75]],
    ['nothing observed', time(0, 0), 99.9, 30, [0.72, 0, 0.72, null]],
  ])('%s [46.12]', (_, observed, targetPercent, windowDays, [budget, spent, left, leftPercent]) => {
    const found = errorBudget(observed, { targetPercent, windowDays });
    expect(found.budgetMs).toBeCloseTo(budget! * HOUR, 6);
    expect(found.spentMs).toBe(spent! * HOUR);
    expect(found.leftMs / HOUR).toBeCloseTo(left!, 4);
    if (leftPercent === null) expect(found.leftPercent).toBeNull();
    else expect(found.leftPercent).toBeCloseTo(leftPercent!, 3);
  });

  test.each([
    [99.9, 0.001],
    [99.99, 0.0001],
    [99.999, 0.00001],
    [99.95, 0.0005],
    [50, 0.5],
  ])('a target of %d allows %d', (target, share) => {
    expect(allowedShare(target)).toBe(share);
  });
});
