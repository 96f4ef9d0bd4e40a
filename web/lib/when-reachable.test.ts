import { expect, test, vi } from 'vitest';
import { whenReachable } from './when-reachable.ts';

const failed = async (error: unknown): Promise<never> => {
  throw error;
};

test('a load that fails while the server is away is repeated when it answers', async () => {
  vi.useFakeTimers();
  try {
    const answers = [false, false, true];
    const load = vi.fn(async () => {
      if (answers.length > 0) throw new TypeError('Failed to fetch');
      return 'page';
    });
    const isReachable = async () => answers.shift()!;
    const loaded = whenReachable(load, { isReachable, reload: failed })();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await loaded).toBe('page');
    expect(load).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

test('a load that fails although the server answers loads the document again', async () => {
  const load = vi.fn(() => Promise.reject(new TypeError('no such file')));
  const reload = vi.fn(failed);
  const loaded = whenReachable(load, { isReachable: async () => true, reload })();
  await expect(loaded).rejects.toThrow('no such file');
  expect(reload).toHaveBeenCalledOnce();
});
