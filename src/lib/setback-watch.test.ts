import { expect, test } from 'vitest';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { SetbackWatch } from './setback-watch.ts';

test('a step back is noticed until it was dealt with, also after a step forward; a drift is not', async () => {
  const clock = createFakeClock();
  const watch = new SetbackWatch(clock);
  expect(watch.isSetBack()).toBe(true);
  watch.settle(watch.offset());
  await clock.advance(5_000);
  clock.stepWall(-900);
  expect(watch.isSetBack()).toBe(false);
  clock.stepWall(3_600_000);
  expect(watch.isSetBack()).toBe(false);
  clock.stepWall(-3_600_000);
  expect([watch.isSetBack(), watch.isSetBack()]).toEqual([true, true]);
  watch.settle(watch.offset());
  expect(watch.isSetBack()).toBe(false);
});

test('a step back while an earlier one is dealt with is noticed after it', () => {
  const clock = createFakeClock();
  const watch = new SetbackWatch(clock);
  const offset = watch.offset();
  clock.stepWall(-3_600_000);
  watch.settle(offset);
  expect(watch.isSetBack()).toBe(true);
});
