import fc from 'fast-check';
import { expect, test } from 'vitest';
import { OrderedSet } from './ordered-set.ts';

/** What is done to the items: an item is added or deleted, or the first one is taken. */
const step = fc.oneof(
  fc.record({ kind: fc.constantFrom('add', 'delete'), item: fc.integer({ min: 0, max: 9 }) }),
  fc.record({ kind: fc.constantFrom('first', 'take'), item: fc.constant(0) }),
);

test('has the order and the first item of a set', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const items = new OrderedSet<number>();
      const set = new Set<number>();
      for (const { kind, item } of steps) {
        const [first] = set;
        if (kind === 'add') {
          items.add(item);
          set.add(item);
        } else if (kind === 'delete') {
          expect(items.delete(item)).toBe(set.delete(item));
        } else {
          expect(items.first()).toBe(first);
          if (kind === 'take' && first !== undefined) {
            items.delete(first);
            set.delete(first);
          }
        }
        expect([...items]).toEqual([...set]);
        expect(items.size).toBe(set.size);
      }
    }),
    { numRuns: 500 },
  );
});

test('an item that leaves and comes back is behind the others', () => {
  const items = new OrderedSet<string>();
  items.add('a');
  items.add('b');
  expect(items.first()).toBe('a');
  items.delete('a');
  items.add('a');
  expect(items.first()).toBe('b');
  expect([...items]).toEqual(['b', 'a']);
});

test('many items are taken from the front in linear time', () => {
  const items = new OrderedSet<number>();
  const emptied = (length: number) => {
    for (let item = 0; item < length; item++) items.add(item);
    const before = process.cpuUsage();
    for (let first = items.first(); first !== undefined; first = items.first()) items.delete(first);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  emptied(10_000);
  // A plain set takes about 16 s.
  expect(emptied(400_000)).toBeLessThan(4_000);
});
