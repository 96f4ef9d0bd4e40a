import { expect, test } from 'vitest';
import { Room } from './room.ts';

const never = new Promise<string>(() => {});
const at = (holder: string, most = 1) => ({ holder, most });

test('a place is held as long as the work takes, whatever comes of it', async () => {
  const room = new Room();
  const work = Promise.withResolvers<string>();
  const first = room.during([at('a')], () => work.promise);
  expect(await room.during([at('a')], async () => 'second')).toBeNull();
  expect(await room.during([at('a', 2)], async () => 'beside')).toBe('beside');
  work.reject(new Error('in vain'));
  await expect(first).rejects.toThrow('in vain');
  expect(await room.during([at('a')], async () => 'third')).toBe('third');
});

test('who has no place with one holder takes none of another', async () => {
  const room = new Room();
  void room.during([at('a')], () => never);
  for (const claims of [
    [at('a'), at('b')],
    [at('b'), at('a')],
  ]) {
    expect(await room.during(claims, async () => 'both')).toBeNull();
  }
  expect(await room.during([at('b')], async () => 'b')).toBe('b');
});
