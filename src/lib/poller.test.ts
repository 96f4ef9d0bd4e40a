import { expect, test } from 'vitest';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createPoller } from './poller.ts';
import type { PollerOptions } from './poller.ts';

class Away extends Error {}

/** A poller every second, after a failure every five; `script` is what each look does. */
function pollerWith(options: Partial<PollerOptions> = {}) {
  const clock = createFakeClock();
  const looks: number[] = [];
  const failures: unknown[] = [];
  const script: { look(): void | Promise<void> } = { look: () => undefined };
  const poller = createPoller({
    async look() {
      looks.push(clock.monotonic());
      await script.look();
    },
    clock,
    everyMs: 1_000,
    afterFailureMs: 5_000,
    isUnavailable: (error) => error instanceof Away,
    onFailure: (error) => void failures.push(error),
    ...options,
  });
  return { clock, looks, failures, script, poller };
}

test('It looks at once, and again and again.', async () => {
  const { clock, looks, poller } = pollerWith();
  poller.start();
  await clock.advance(2_500);
  expect(looks).toEqual([0, 1_000, 2_000]);
});

test('The first look can wait.', async () => {
  const { clock, looks, poller } = pollerWith();
  poller.start(300);
  await clock.advance(299);
  expect(looks).toEqual([]);
  await clock.advance(1_001);
  expect(looks).toEqual([300, 1_300]);
});

test('The wait begins when a look has ended, however long it took, and there is one look at a time.', async () => {
  const { clock, looks, poller, script } = pollerWith();
  script.look = () => new Promise((resolve) => void clock.after(10_000, resolve));
  poller.start();
  await clock.advance(22_000);
  expect(looks).toEqual([0, 11_000, 22_000]);
});

test('Who nudges has it look now, and the wait begins anew.', async () => {
  const { clock, looks, poller } = pollerWith();
  poller.start();
  await clock.advance(400);
  poller.nudge();
  await clock.advance(1_000);
  expect(looks).toEqual([0, 400, 1_400]);
  expect(clock.pending().timers).toBe(1);
});

test('However often it is nudged during a look, it looks once more after it.', async () => {
  const { clock, looks, poller, script } = pollerWith();
  script.look = () => new Promise((resolve) => void clock.after(100, resolve));
  poller.start();
  for (let count = 0; count < 5; count += 1) poller.nudge();
  await clock.advance(999);
  expect(looks).toEqual([0, 100]);
});

test('A look that nudges before it waits for anything is not joined by another one.', async () => {
  const { clock, looks, poller, script } = pollerWith();
  let underWay = 0;
  let most = 0;
  script.look = async () => {
    most = Math.max(most, (underWay += 1));
    if (looks.length === 1) poller.nudge();
    await new Promise<void>((resolve) => void clock.after(10, resolve));
    underWay -= 1;
  };
  poller.start();
  await clock.advance(100);
  expect(looks).toEqual([0, 10]);
  expect(most).toBe(1);
});

test('A look that leaves something nudges, and the next one follows without a wait.', async () => {
  const { clock, looks, poller, script } = pollerWith();
  script.look = () => (looks.length < 3 ? poller.nudge() : undefined);
  poller.start();
  await clock.settle();
  expect(looks).toEqual([0, 0, 0]);
});

test('A nudge before the start, or before a first look that waits, changes nothing or hastens it.', async () => {
  const { clock, looks, poller } = pollerWith();
  poller.nudge();
  await clock.advance(5_000);
  expect(looks).toEqual([]);
  poller.start(1_000);
  poller.nudge();
  await clock.advance(1_500);
  expect(looks).toEqual([5_000, 6_000]);
});

test('A second start changes nothing.', async () => {
  const { clock, looks, poller } = pollerWith();
  poller.start();
  poller.start();
  await clock.advance(1_500);
  expect(looks).toEqual([0, 1_000]);
  expect(clock.pending().timers).toBe(1);
});

test('A failure is told, and the next look waits longer.', async () => {
  const { clock, looks, failures, poller, script } = pollerWith();
  const fault = new Error('one row is odd');
  script.look = () => (looks.length === 1 ? Promise.reject(fault) : undefined);
  poller.start();
  await clock.advance(6_500);
  expect(looks).toEqual([0, 5_000, 6_000]);
  expect(failures).toEqual([fault]);
});

test('What may pass by itself is told nobody, and the next look comes as always.', async () => {
  const { clock, looks, failures, poller, script } = pollerWith();
  script.look = () => Promise.reject(new Away());
  poller.start();
  await clock.advance(2_500);
  expect(looks).toEqual([0, 1_000, 2_000]);
  expect(failures).toEqual([]);
});

test('Who nudges during a look that fails has it look again at once, and what comes of that counts.', async () => {
  const { clock, looks, failures, poller, script } = pollerWith();
  script.look = () => {
    if (looks.length > 1) return;
    poller.nudge();
    throw new Error('the first one fails');
  };
  poller.start();
  await clock.advance(1_500);
  expect(looks).toEqual([0, 0, 1_000]);
  expect(failures).toHaveLength(1);
});

test('Stopped between two looks, it looks no more, whoever nudges or starts it.', async () => {
  const { clock, looks, poller } = pollerWith();
  poller.start();
  await clock.advance(500);
  expect(poller.isStopped).toBe(false);
  await poller.stop();
  expect(poller.isStopped).toBe(true);
  poller.nudge();
  poller.start();
  await clock.advance(10_000);
  expect(looks).toEqual([0]);
  expect(clock.pending().timers).toBe(0);
});

test('Stopped during a look, it waits for that one, and for no other that was asked for.', async () => {
  const { clock, looks, poller, script } = pollerWith();
  script.look = () => new Promise((resolve) => void clock.after(3_000, resolve));
  poller.start();
  poller.nudge();
  let hasStopped = false;
  const stopped = poller.stop().then(() => (hasStopped = true));
  await clock.advance(2_999);
  expect(hasStopped).toBe(false);
  await clock.advance(1);
  await stopped;
  expect(looks).toEqual([0]);
  expect(clock.pending().timers).toBe(0);
});

test('Stopped during a look that fails, it tells of it and ends.', async () => {
  const { clock, failures, poller, script } = pollerWith();
  script.look = async () => {
    await new Promise<void>((resolve) => void clock.after(10, resolve));
    throw new Error('too late');
  };
  poller.start();
  const stopped = poller.stop();
  await clock.advance(10);
  await stopped;
  expect(failures).toHaveLength(1);
  expect(clock.pending().timers).toBe(0);
});

test('One that never started stops, and does not start any more.', async () => {
  const { clock, looks, poller } = pollerWith();
  await poller.stop();
  poller.start();
  await clock.advance(5_000);
  expect(looks).toEqual([]);
});
