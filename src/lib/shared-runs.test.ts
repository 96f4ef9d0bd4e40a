import { expect, test } from 'vitest';
import { createSharedRuns } from './shared-runs.ts';

/** Work whose runs end when the test says so. */
function controlled() {
  const runs: PromiseWithResolvers<number>[] = [];
  const work = () => {
    const run = Promise.withResolvers<number>();
    runs.push(run);
    return run.promise;
  };
  return { runs, work };
}

const microtasks = () => new Promise((resolve) => setImmediate(resolve));

test('callers during a run share the next one, which begins after it', async () => {
  const { runs, work } = controlled();
  const shared = createSharedRuns<number>();
  const first = shared.run('a', work);
  const [second, third] = [shared.run('a', work), shared.run('a', work)];
  await microtasks();
  expect(runs).toHaveLength(1);
  runs[0]!.resolve(1);
  expect(await first).toBe(1);
  await microtasks();
  expect(runs).toHaveLength(2);
  // This one arrives after the second run began.
  const fourth = shared.run('a', work);
  runs[1]!.resolve(2);
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  await microtasks();
  runs[2]!.resolve(3);
  expect(await fourth).toBe(3);
  void shared.run('a', work);
  expect(runs).toHaveLength(4);
});

test('keys run on their own, and a failed run fails its callers only', async () => {
  const { runs, work } = controlled();
  const shared = createSharedRuns<number>();
  const failing = shared.run('a', work);
  const after = shared.run('a', work);
  const other = shared.run('b', work);
  expect(runs).toHaveLength(2);
  runs[0]!.reject(new Error('Away.'));
  runs[1]!.resolve(2);
  await expect(failing).rejects.toThrow('Away.');
  expect(await other).toBe(2);
  await microtasks();
  runs[2]!.resolve(3);
  expect(await after).toBe(3);
});
