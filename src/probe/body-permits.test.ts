import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBodyPermits } from './body-permits.ts';

test('who waits gets a permit in the order of asking, unless the place was given up', () => {
  const permits = createBodyPermits(1);
  const granted: string[] = [];
  const ask = (name: string) => {
    const place = permits.place();
    return { place, isHeld: place.take(() => granted.push(name)) };
  };
  const [first, second, third, fourth] = ['a', 'b', 'c', 'd'].map(ask);
  expect([first, second, third, fourth].map((each) => each?.isHeld)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(first?.place.take(() => granted.push('never'))).toBe(true);
  third?.place.release();
  first?.place.release();
  expect(granted).toEqual(['b']);
  second?.place.release();
  second?.place.release();
  expect(granted).toEqual(['b', 'd']);
  expect(ask('e').isHeld).toBe(false);
  fourth?.place.release();
  expect(granted).toEqual(['b', 'd', 'e']);
});

test('never more than there are, and none is lost', () => {
  const steps = fc.array(fc.record({ place: fc.nat(9), isTaking: fc.boolean() }), {
    maxLength: 100,
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), steps, (count, todo) => {
      const permits = createBodyPermits(count);
      const places = Array.from({ length: 10 }, () => permits.place());
      const held = new Set<number>();
      const waiting = new Set<number>();
      for (const { place, isTaking } of todo) {
        if (isTaking) {
          const grant = (): void => {
            waiting.delete(place);
            held.add(place);
          };
          if (places[place]?.take(grant)) held.add(place);
          else waiting.add(place);
        } else {
          held.delete(place);
          waiting.delete(place);
          places[place]?.release();
        }
        expect(held.size).toBeLessThanOrEqual(count);
        expect(waiting.size === 0 || held.size === count).toBe(true);
      }
    }),
  );
});
