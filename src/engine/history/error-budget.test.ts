import { describe, expect, test } from 'vitest';
import { allowedShare, errorBudget } from './error-budget.ts';

const HOUR = 3_600_000;
const time = (upMs: number, downMs: number, degradedMs = 0) => ({ upMs, degradedMs, downMs });

describe('errorBudget', () => {
  test.each([
    ['unused', time(1_000 * HOUR, 0), 99.9, [HOUR, 0, HOUR, 100, 0]],
    ['half used', time(999.5 * HOUR, 0.5 * HOUR), 99.9, [HOUR, HOUR / 2, HOUR / 2, 50, 0.5]],
    ['degraded time is up', time(0, 0, 1_000 * HOUR), 99.9, [HOUR, 0, HOUR, 100, 0]],
    ['overspent', time(998 * HOUR, 2 * HOUR), 99.9, [HOUR, 2 * HOUR, -HOUR, -100, 2]],
    ['a lower target', time(90 * HOUR, 10 * HOUR), 75, [25 * HOUR, 10 * HOUR, 15 * HOUR, 60, 0.4]],
    ['nothing observed', time(0, 0), 99.9, [0, 0, 0, null, null]],
  ])('%s [46.12]', (_, observed, target, [budgetMs, spentMs, leftMs, leftPercent, burnRate]) => {
    const found = errorBudget(observed, target);
    expect(found).toMatchObject({ budgetMs, spentMs, leftMs });
    if (leftPercent === null) expect(found).toMatchObject({ leftPercent, burnRate });
    else {
      expect(found.leftPercent).toBeCloseTo(leftPercent!, 9);
      expect(found.burnRate).toBeCloseTo(burnRate!, 9);
    }
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
