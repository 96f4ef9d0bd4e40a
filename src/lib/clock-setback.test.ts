import { expect, test } from 'vitest';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { ClockSetbackDetector } from './clock.ts';

test('detects a step back until it is acknowledged, also after a step forward; ignores drift', async () => {
  const clock = createFakeClock();
  const watch = new ClockSetbackDetector(clock);
  expect(watch.isSetBack()).toBe(true);
  watch.acknowledge(watch.offset());
  await clock.advance(5_000);
  clock.stepWall(-900);
  expect(watch.isSetBack()).toBe(false);
  clock.stepWall(3_600_000);
  expect(watch.isSetBack()).toBe(false);
  clock.stepWall(-3_600_000);
  expect([watch.isSetBack(), watch.isSetBack()]).toEqual([true, true]);
  watch.acknowledge(watch.offset());
  expect(watch.isSetBack()).toBe(false);
});

test('detects a step back that happens while an earlier one is handled', () => {
  const clock = createFakeClock();
  const watch = new ClockSetbackDetector(clock);
  const offset = watch.offset();
  clock.stepWall(-3_600_000);
  watch.acknowledge(offset);
  expect(watch.isSetBack()).toBe(true);
});
