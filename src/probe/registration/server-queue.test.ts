import { expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { ServerBusy, createServerQueue } from './server-queue.ts';

const never = (): AbortSignal => new AbortController().signal;

test('one query at a time per server, a second apart, in order [23.24]', async () => {
  const clock = createFakeClock();
  const queue = createServerQueue(clock);
  const started: [string, number][] = [];
  const answers: (() => void)[] = [];
  const ask = (server: string, name: string) =>
    queue.run(server, never(), () => {
      started.push([name, clock.monotonic()]);
      return new Promise<string>((resolve) => void answers.push(() => resolve(name)));
    });
  const asked = [ask('a', 'a1'), ask('a', 'a2'), ask('b', 'b1'), ask('a', 'a3')];
  await clock.advance(5_000);
  expect(started).toEqual([
    ['a1', 0],
    ['b1', 0],
  ]);
  answers.shift()?.();
  await clock.advance(999);
  expect(started).toHaveLength(2);
  await clock.advance(1);
  expect(started.at(-1)).toEqual(['a2', 6_000]);
  while (started.length < 4 || answers.length > 0) {
    answers.shift()?.();
    await clock.advance(1_000);
  }
  expect(started.at(-1)).toEqual(['a3', 8_000]);
  expect(await Promise.all(asked)).toEqual(['a1', 'a2', 'b1', 'a3']);
  expect([queue.size, clock.pending().timers]).toEqual([0, 0]);
});

test('a caller whose signal is aborted gets a retry delay, and later ones still run', async () => {
  const clock = createFakeClock();
  const queue = createServerQueue(clock);
  const deadline = new AbortController();
  const first = queue.run('a', never(), () => Promise.reject(new Error('broken')));
  const second = queue.run('a', deadline.signal, () => Promise.resolve('second'));
  const third = queue.run('a', never(), () => Promise.resolve('third'));
  deadline.abort('deadline');
  expect(await second).toEqual(new ServerBusy(61_000));
  await expect(first).rejects.toThrow('broken');
  await clock.advance(1_000);
  expect(await third).toBe('third');
  expect(await queue.run('b', deadline.signal, () => Promise.resolve('late'))).toBeInstanceOf(
    ServerBusy,
  );
  await clock.advance(1_000);
  expect(queue.size).toBe(0);
});
