import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { createLargeBodySlots, MIN_HOLD_MS } from './large-body-slots.ts';
import type { LargeBodySlot } from './large-body-slots.ts';

/** Slots by name, such as `a1`: the letter is the monitor. Those that read release their slot when revoked. */
function open(count: number) {
  const clock = createFakeClock();
  const slots = createLargeBodySlots(count);
  const holding: string[] = [];
  const ended: string[] = [];
  const places = new Map<string, LargeBodySlot>();
  const release = (name: string): void => {
    if (holding.includes(name)) holding.splice(holding.indexOf(name), 1);
    places.get(name)?.release();
  };
  const ask = (name: string): void => {
    const slot = slots.slotFor(name.charCodeAt(0), clock);
    places.set(name, slot);
    if (slot.acquire(() => holding.push(name))) holding.push(name);
  };
  const read = (...names: string[]): void => {
    for (const name of names) {
      ask(name);
      places.get(name)?.onRevoke(() => {
        ended.push(name);
        release(name);
      });
    }
  };
  const slot = (name: string): LargeBodySlot => places.get(name) ?? expect.unreachable();
  return { clock, slots, holding, ended, ask, read, release, slot };
}

describe('a slot', () => {
  test('is acquired once, and passed on in order unless released while waiting', () => {
    const { holding, ask, release, slot } = open(1);
    ['a', 'b', 'c', 'd'].forEach(ask);
    expect(holding).toEqual(['a']);
    expect(slot('a').acquire(() => expect.unreachable())).toBe(true);
    release('c');
    release('a');
    expect(holding).toEqual(['b']);
    release('b');
    release('b');
    expect(holding).toEqual(['d']);
    ask('e');
    expect(holding).toEqual(['d']);
    release('d');
    expect(holding).toEqual(['e']);
  });

  test('goes to the monitors in turn', () => {
    const { holding, ask, release } = open(1);
    const order: (string | undefined)[] = [];
    ['x', 'a1', 'a2', 'a3', 'b1', 'b2', 'c1'].forEach(ask);
    for (let turn = 0; turn < 7; turn++) {
      order.push(holding[0]);
      release(holding[0] ?? '');
    }
    expect(order).toEqual(['x', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  test('goes first to the monitors with the fewest slots', () => {
    const { holding, ask, release } = open(3);
    ['a1', 'a2', 'b1', 'a3', 'b2', 'c1'].forEach(ask);
    release('a1');
    expect(holding).toEqual(['a2', 'b1', 'c1']);
    release('c1');
    expect(holding).toEqual(['a2', 'b1', 'b2']);
    release('a2');
    expect(holding).toEqual(['b1', 'b2', 'a3']);
  });
});

describe('a slow page', () => {
  test('is given up after three seconds, one for each waiting monitor', async () => {
    const { clock, holding, ended, read } = open(4);
    read('a1', 'a2', 'a3', 'a4', 'b1');
    await clock.advance(MIN_HOLD_MS - 1);
    expect(ended).toEqual([]);
    await clock.advance(1);
    expect(ended).toEqual(['a1']);
    expect(holding).toEqual(['a2', 'a3', 'a4', 'b1']);
    expect(clock.pending().timers).toBe(0);
    // The others have waited long enough already.
    read('c1');
    expect(ended).toEqual(['a1', 'a2']);
    expect(holding).toEqual(['a3', 'a4', 'b1', 'c1']);
  });

  test('continues while no monitor with fewer slots waits', async () => {
    const { clock, ended, read } = open(2);
    read('a1', 'b1');
    await clock.advance(10 * MIN_HOLD_MS);
    read('a2', 'b2');
    await clock.advance(10 * MIN_HOLD_MS);
    expect(ended).toEqual([]);
  });

  test('makes room for the waiting monitor, not for its own', async () => {
    const { clock, ended, holding, read } = open(1);
    read('a1', 'a2', 'b1');
    await clock.advance(MIN_HOLD_MS);
    expect(ended).toEqual(['a1']);
    expect(holding).toEqual(['b1']);
  });

  test('of the monitor with the most slots is given up first', async () => {
    const { clock, ended, read } = open(3);
    read('a1', 'b1', 'b2', 'c1');
    await clock.advance(MIN_HOLD_MS);
    expect(ended).toEqual(['b1']);
  });

  test('keeps its slot once it is read', async () => {
    const { clock, ended, holding, read, slot, release } = open(1);
    read('a');
    slot('a').onRevoke(null);
    expect(slot('a').isContended()).toBe(false);
    read('b');
    expect(slot('a').isContended()).toBe(true);
    expect(slot('b').isContended()).toBe(false);
    await clock.advance(2 * MIN_HOLD_MS);
    expect(ended).toEqual([]);
    slot('a').onRevoke(() => ended.push('a, as it reads again'));
    expect(ended).toEqual(['a, as it reads again']);
    // The slot is taken until it is released.
    await clock.advance(2 * MIN_HOLD_MS);
    expect(holding).toEqual(['a']);
    release('a');
    expect(holding).toEqual(['b']);
    release('b');
    expect(clock.pending().timers).toBe(0);
  });
});

test('slots never exceed the limit, none is lost, and every waiting check gets one', async () => {
  const steps = fc.array(
    fc.record({
      name: fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(4)).map((both) => both.join('')),
      isAsking: fc.boolean(),
      passMs: fc.constantFrom(0, 0, 0, 1_000),
    }),
    { maxLength: 60 },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), steps, async (count, todo) => {
      const { clock, holding, ended, read, release } = open(count);
      const present = new Set<string>();
      for (const { name, isAsking, passMs } of todo) {
        if (isAsking && !present.has(name)) {
          present.add(name);
          read(name);
        } else if (!isAsking) {
          present.delete(name);
          release(name);
        }
        if (passMs > 0) await clock.advance(passMs);
        for (const each of ended.splice(0)) present.delete(each);
        expect(holding.length).toBe(Math.min(count, present.size));
      }
      await clock.advance(20 * MIN_HOLD_MS);
      for (const each of ended.splice(0)) present.delete(each);
      const held = (letter: string) => holding.filter((name) => name[0] === letter).length;
      const most = Math.max(0, ...holding.map((name) => held(name[0] ?? '')));
      for (const name of present) {
        if (!holding.includes(name)) expect(held(name[0] ?? '')).toBeGreaterThanOrEqual(most);
      }
      for (const name of present) release(name);
      expect(holding).toEqual([]);
      expect(clock.pending().timers).toBe(0);
    }),
    { numRuns: 60 },
  );
});
