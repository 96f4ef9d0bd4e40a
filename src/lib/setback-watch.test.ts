import { expect, test } from 'vitest';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { SetbackWatch } from './setback-watch.ts';

test('a step back is noticed until it was dealt with, also after a step forward; a drift is not', async () => {
  const clock = createFakeClock();
  const watch = new SetbackWatch(clock);
  expect(watch.isSetBack()).toBe(true);
  watch.settle();
  await clock.advance(5_000);
  clock.stepWall(-900);
  expect(watch.isSetBack()).toBe(false);
  clock.stepWall(3_600_000);
  expect(watch.isSetBack()).toBe(false);
  clock.stepWall(-3_600_000);
  expect([watch.isSetBack(), watch.isSetBack()]).toEqual([true, true]);
  watch.settle();
  expect(watch.isSetBack()).toBe(false);
});
