import { expect, test } from 'vitest';
import { createDiskSync } from './disk-sync.ts';

/** Syncs a disk that takes that many milliseconds for each, and returns where. */
async function syncs(count: number, takesMs: (index: number) => number) {
  let now = 0;
  let index = 0;
  const where: string[] = [];
  const sync = createDiskSync({
    here() {
      where.push('here');
      now += takesMs(index);
    },
    elsewhere: async () => void where.push('elsewhere'),
    now: () => now,
  });
  for (; index < count; index += 1) await sync();
  return where;
}

test('a quick disk is synced in this thread, also when it is slow once', async () => {
  const where = await syncs(500, (index) => (index === 250 ? 9 : 0.1));
  expect(where).toEqual(Array.from({ length: 500 }, () => 'here'));
});

test('a slow disk is synced in another thread, and tried again now and then', async () => {
  const where = await syncs(1_000, () => 20);
  expect(where.filter((place) => place === 'here')).toHaveLength(5);
  expect(where.slice(0, 2)).toEqual(['here', 'elsewhere']);
});

test('a failing sync rejects', async () => {
  const sync = createDiskSync({
    here() {
      throw new Error('I/O error');
    },
    elsewhere: async () => {},
    now: () => 0,
  });
  await expect(sync()).rejects.toThrow('I/O error');
});
