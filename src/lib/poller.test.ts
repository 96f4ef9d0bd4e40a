import { expect, test } from 'vitest';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { createPoller } from './poller.ts';
import type { PollerOptions } from './poller.ts';

class Unavailable extends Error {}

/** Poller with an interval of 1 s, 5 s after a failure. `script.run` is what each run does. */
function pollerWith(options: Partial<PollerOptions> = {}) {
  const clock = createFakeClock();
  const runs: number[] = [];
  const failures: unknown[] = [];
  const script: { run(): void | Promise<void> } = { run: () => undefined };
  const poller = createPoller({
    async run() {
      runs.push(clock.monotonic());
      await script.run();
    },
    clock,
    intervalMs: 1_000,
    failureIntervalMs: 5_000,
    isUnavailable: (error) => error instanceof Unavailable,
    onFailure: (error) => void failures.push(error),
    ...options,
  });
  return { clock, runs, failures, script, poller };
}

test('runs at once and then at each interval', async () => {
  const { clock, runs, poller } = pollerWith();
  poller.start();
  await clock.advance(2_500);
  expect(runs).toEqual([0, 1_000, 2_000]);
});

test('the first run can be delayed', async () => {
  const { clock, runs, poller } = pollerWith();
  poller.start(300);
  await clock.advance(299);
  expect(runs).toEqual([]);
  await clock.advance(1_001);
  expect(runs).toEqual([300, 1_300]);
});

test('the interval starts at the end of a run, and runs never overlap', async () => {
  const { clock, runs, poller, script } = pollerWith();
  script.run = () => new Promise((resolve) => void clock.after(10_000, resolve));
  poller.start();
  await clock.advance(22_000);
  expect(runs).toEqual([0, 11_000, 22_000]);
});

test('wake runs at once and restarts the interval', async () => {
  const { clock, runs, poller } = pollerWith();
  poller.start();
  await clock.advance(400);
  poller.wake();
  await clock.advance(1_000);
  expect(runs).toEqual([0, 400, 1_400]);
  expect(clock.pending().timers).toBe(1);
});

test('any number of wakes during a run cause one more run', async () => {
  const { clock, runs, poller, script } = pollerWith();
  script.run = () => new Promise((resolve) => void clock.after(100, resolve));
  poller.start();
  for (let count = 0; count < 5; count += 1) poller.wake();
  await clock.advance(999);
  expect(runs).toEqual([0, 100]);
});

test('a run that wakes the poller synchronously does not overlap with the next', async () => {
  const { clock, runs, poller, script } = pollerWith();
  let underWay = 0;
  let most = 0;
  script.run = async () => {
    most = Math.max(most, (underWay += 1));
    if (runs.length === 1) poller.wake();
    await new Promise<void>((resolve) => void clock.after(10, resolve));
    underWay -= 1;
  };
  poller.start();
  await clock.advance(100);
  expect(runs).toEqual([0, 10]);
  expect(most).toBe(1);
});

test('a run that wakes the poller is followed by the next without delay', async () => {
  const { clock, runs, poller, script } = pollerWith();
  script.run = () => (runs.length < 3 ? poller.wake() : undefined);
  poller.start();
  await clock.settle();
  expect(runs).toEqual([0, 0, 0]);
});

test('wake does nothing before the start and ends the delay of the first run', async () => {
  const { clock, runs, poller } = pollerWith();
  poller.wake();
  await clock.advance(5_000);
  expect(runs).toEqual([]);
  poller.start(1_000);
  poller.wake();
  await clock.advance(1_500);
  expect(runs).toEqual([5_000, 6_000]);
});

test('a second start does nothing', async () => {
  const { clock, runs, poller } = pollerWith();
  poller.start();
  poller.start();
  await clock.advance(1_500);
  expect(runs).toEqual([0, 1_000]);
  expect(clock.pending().timers).toBe(1);
});

test('a failure is reported and delays the next run', async () => {
  const { clock, runs, failures, poller, script } = pollerWith();
  const fault = new Error('one row is odd');
  script.run = () => (runs.length === 1 ? Promise.reject(fault) : undefined);
  poller.start();
  await clock.advance(6_500);
  expect(runs).toEqual([0, 5_000, 6_000]);
  expect(failures).toEqual([fault]);
});

test('temporary errors are not reported without delaying the next run', async () => {
  const { clock, runs, failures, poller, script } = pollerWith();
  script.run = () => Promise.reject(new Unavailable());
  poller.start();
  await clock.advance(2_500);
  expect(runs).toEqual([0, 1_000, 2_000]);
  expect(failures).toEqual([]);
});

test('wake during a failing run causes another at once, whose outcome decides the delay', async () => {
  const { clock, runs, failures, poller, script } = pollerWith();
  script.run = () => {
    if (runs.length > 1) return;
    poller.wake();
    throw new Error('the first one fails');
  };
  poller.start();
  await clock.advance(1_500);
  expect(runs).toEqual([0, 0, 1_000]);
  expect(failures).toHaveLength(1);
});

test('stopped between runs, it ignores wake and start', async () => {
  const { clock, runs, poller } = pollerWith();
  poller.start();
  await clock.advance(500);
  expect(poller.isStopped).toBe(false);
  await poller.stop();
  expect(poller.isStopped).toBe(true);
  poller.wake();
  poller.start();
  await clock.advance(10_000);
  expect(runs).toEqual([0]);
  expect(clock.pending().timers).toBe(0);
});

test('stopped during a run, it waits for that run and drops requested ones', async () => {
  const { clock, runs, poller, script } = pollerWith();
  script.run = () => new Promise((resolve) => void clock.after(3_000, resolve));
  poller.start();
  poller.wake();
  let hasStopped = false;
  const stopped = poller.stop().then(() => (hasStopped = true));
  await clock.advance(2_999);
  expect(hasStopped).toBe(false);
  await clock.advance(1);
  await stopped;
  expect(runs).toEqual([0]);
  expect(clock.pending().timers).toBe(0);
});

test('stopped during a failing run, it reports the failure', async () => {
  const { clock, failures, poller, script } = pollerWith();
  script.run = async () => {
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

test('a poller that never started can be stopped, and does not start afterwards', async () => {
  const { clock, runs, poller } = pollerWith();
  await poller.stop();
  poller.start();
  await clock.advance(5_000);
  expect(runs).toEqual([]);
});
