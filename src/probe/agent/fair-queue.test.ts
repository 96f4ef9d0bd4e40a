import { describe, expect, test } from 'vitest';
import { createFairQueue, type Owner } from './fair-queue.ts';

type FairQueue = ReturnType<typeof createFairQueue<string>>;

const owner = (teamId: number, host = 'a'): Owner => ({ teamId, host });

/** Adds an item by its name: `1 a` belongs to team 1 and host a. */
function add(queue: FairQueue, ...items: string[]): void {
  for (const item of items) queue.add(ownerOf(item), item);
}

function ownerOf(item: string): Owner {
  const [teamId, host] = item.split(' ');
  return owner(Number(teamId), host!);
}

/** Takes that many items, each of which then has a slot, as in a probe. */
function start(queue: FairQueue, count: number): (string | undefined)[] {
  return Array.from({ length: count }, () => {
    const item = queue.take();
    if (item !== undefined) queue.acquire(ownerOf(item));
    return item;
  });
}

describe('a fair queue', () => {
  test('keeps the order of one host', () => {
    const queue = createFairQueue<string>();
    add(queue, '1 a first', '1 a second', '1 a third');
    expect(start(queue, 4)).toEqual(['1 a first', '1 a second', '1 a third', undefined]);
    expect(queue.size).toBe(0);
  });

  test('serves teams round-robin, however many checks one of them has', () => {
    const queue = createFairQueue<string>();
    add(queue, '1 a', '1 b', '1 c', '1 d', '2 a', '3 a', '2 b');
    expect(start(queue, 7)).toEqual(['1 a', '2 a', '3 a', '1 b', '2 b', '1 c', '1 d']);
  });

  test('serves the hosts of a team round-robin', () => {
    const queue = createFairQueue<string>();
    add(queue, '1 a x', '1 a y', '1 a z', '1 b x', '1 b y', '1 c x');
    expect(start(queue, 6)).toEqual(['1 a x', '1 b x', '1 c x', '1 a y', '1 b y', '1 a z']);
  });

  test('prefers the team that holds the fewest slots to the one that waited longer [25.21]', () => {
    const queue = createFairQueue<string>();
    for (let held = 0; held < 3; held++) queue.acquire(owner(1));
    queue.acquire(owner(2));
    add(queue, '1 a', '2 a', '2 b', '2 c');
    expect(start(queue, 4)).toEqual(['2 b', '2 c', '1 a', '2 a']);
  });

  test('prefers the host that holds the fewest slots', () => {
    const queue = createFairQueue<string>();
    queue.acquire(owner(1, 'hung'));
    queue.acquire(owner(1, 'hung'));
    add(queue, '1 hung x', '1 well x', '1 well y');
    expect(start(queue, 3)).toEqual(['1 well x', '1 well y', '1 hung x']);
  });

  test('counts a released slot', () => {
    const queue = createFairQueue<string>();
    queue.acquire(owner(1, 'hung'));
    queue.acquire(owner(2, 'hung'));
    add(queue, '1 a', '2 a');
    queue.release(owner(2, 'hung'));
    expect(start(queue, 2)).toEqual(['2 a', '1 a']);
  });

  test('removes items that no longer wait', () => {
    const queue = createFairQueue<string>();
    add(queue, '1 a', '1 b', '2 a');
    queue.remove(ownerOf('1 a'), '1 a');
    queue.remove(ownerOf('1 a'), '1 a');
    queue.remove(owner(9), 'never there');
    expect(queue.size).toBe(2);
    expect(start(queue, 3)).toEqual(['1 b', '2 a', undefined]);
  });

  test('limits a team whose checks hang to its share of the slots, beside one with fast checks', () => {
    const queue = createFairQueue<string>();
    const hung = Array.from({ length: 1_000 }, (_, host) => `1 h${host}`);
    add(queue, ...hung);
    const running = start(queue, 100) as string[];
    expect(running).toEqual(hung.slice(0, 100));
    add(queue, ...Array.from({ length: 60 }, (_, host) => `2 q${host}`));
    // One hung check ends; from then on its slot belongs to the second team until that has no more checks.
    queue.release(ownerOf(running[0]!));
    for (let served = 0; served < 60; served++) {
      const [item] = start(queue, 1);
      expect(item).toBe(`2 q${served}`);
      queue.release(ownerOf(item!));
    }
    expect(start(queue, 1)).toEqual(['1 h100']);
  });
});
