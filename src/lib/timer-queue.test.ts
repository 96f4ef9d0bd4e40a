import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { UNQUEUED_TIMER, TimerQueue } from './timer-queue.ts';
import type { QueuedTimer } from './timer-queue.ts';

interface Item extends QueuedTimer {
  name: number;
}

const item = (name: number): Item => ({ ...UNQUEUED_TIMER, name });

function wheelOn(clock = createFakeClock()) {
  const fired: { name: number; at: number; lateMs: number }[] = [];
  const wakes: number[] = [];
  const queue = new TimerQueue<Item>({
    clock,
    fire: ({ name }, lateMs) => fired.push({ name, at: clock.monotonic(), lateMs }),
    onWake: (lateMs) => wakes.push(lateMs),
  });
  return { clock, queue, fired, wakes };
}

describe('TimerQueue', () => {
  test('fires each entry once, in order and never early', async () => {
    const { clock, queue, fired } = wheelOn();
    for (const at of [300, 100, 200]) queue.set(item(at), at);
    await clock.advance(99);
    expect(fired).toEqual([]);
    await clock.advance(1_000);
    expect(fired.map(({ name }) => name)).toEqual([100, 200, 300]);
    expect(fired.every(({ name, at }) => at >= name)).toBe(true);
    expect(queue.size).toBe(0);
  });

  const operation = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('set' as const),
        name: fc.nat(40),
        inMs: fc.nat(500),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('remove' as const),
        name: fc.nat(40),
        inMs: fc.constant(0),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('advance' as const),
        name: fc.constant(0),
        inMs: fc.nat(120),
      }),
    },
  );

  test('behaves like a sorted list', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 60 }), async (operations) => {
        const { clock, queue, fired } = wheelOn();
        const items = Array.from({ length: 41 }, (_, name) => item(name));
        const model = new Map<number, number>();
        const check = (upTo: number) => {
          for (const { name, at } of fired.splice(0)) {
            const wanted = model.get(name);
            expect(wanted, `entry ${name} fired though it was not in`).toBeDefined();
            expect(at).toBeGreaterThanOrEqual(wanted!);
            expect(at - wanted!).toBeLessThanOrEqual(6);
            model.delete(name);
          }
          for (const at of model.values()) expect(at).toBeGreaterThan(upTo - 6);
          expect(queue.size).toBe(model.size);
        };
        for (const { do: what, name, inMs } of operations) {
          const at = clock.monotonic() + inMs;
          if (what === 'advance') {
            await clock.advance(inMs);
            check(clock.monotonic());
          } else if (what === 'set') {
            queue.set(items[name]!, at);
            model.set(name, at);
          } else {
            queue.remove(items[name]!);
            model.delete(name);
          }
        }
        await clock.advance(1_000);
        check(clock.monotonic());
        expect(model.size).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test('fire may set the entry again and move or remove others', async () => {
    const clock = createFakeClock();
    const seen: string[] = [];
    const [first, second, third] = [item(1), item(2), item(3)] as [Item, Item, Item];
    const queue = new TimerQueue<Item>({
      clock,
      fire: (entry) => {
        seen.push(`${entry.name} at ${clock.monotonic()}`);
        if (entry !== first || seen.length > 1) return;
        queue.set(first, 50);
        queue.remove(second);
        queue.set(third, 70);
      },
    });
    queue.set(first, 10);
    queue.set(second, 10);
    queue.set(third, 10);
    await clock.advance(100);
    expect(seen).toEqual(['1 at 10', '1 at 50', '3 at 70']);
  });

  test('entries due at once fire in slices, one per event loop iteration', async () => {
    const { clock, queue, fired } = wheelOn();
    for (let name = 0; name < 1_000; name++) queue.set(item(name), 10);
    const seenBetween = new Set<number>();
    const look = () => {
      seenBetween.add(fired.length);
      if (fired.length < 1_000) clock.soon(look);
    };
    clock.after(10, () => clock.soon(look));
    await clock.advance(20);
    expect(fired).toHaveLength(1_000);
    const steps = [...seenBetween].toSorted((a, b) => a - b);
    const largest = Math.max(...steps.slice(1).map((count, index) => count - steps[index]!));
    expect(largest).toBeLessThanOrEqual(64);
  });

  test('entries due within a few milliseconds share a timer', async () => {
    const { clock, queue, fired, wakes } = wheelOn();
    for (let name = 0; name < 100; name++) queue.set(item(name), 1_000 + name);
    await clock.advance(2_000);
    expect(fired).toHaveLength(100);
    expect(wakes.length).toBeLessThan(30);
    expect(Math.max(...fired.map(({ lateMs }) => lateMs))).toBeLessThanOrEqual(5);
  });

  test('an idle queue sets no timer, and a distant entry only one', async () => {
    const { clock, queue, wakes } = wheelOn();
    expect(clock.pending().timers).toBe(0);
    const far = item(1);
    queue.set(far, 3_600_000);
    queue.set(item(2), 3_700_000);
    expect(clock.pending().timers).toBe(1);
    await clock.advance(3_599_000);
    expect(wakes).toEqual([]);
  });

  test('fires entries beyond the maximum delay of a timer', async () => {
    const { clock, queue, fired } = wheelOn();
    queue.set(item(1), 2 ** 31 + 5_000);
    await clock.advance(2 ** 31 + 4_000);
    expect(fired).toEqual([]);
    await clock.advance(1_000);
    expect(fired).toHaveLength(1);
  });

  test('reports how late it woke after a suspension before anything fires', async () => {
    const clock = createFakeClock();
    const seen: string[] = [];
    const late = item(1);
    const queue = new TimerQueue<Item>({
      clock,
      fire: ({ name }, lateMs) => seen.push(`${name} fired ${lateMs} late`),
      onWake: (lateMs) => {
        seen.push(`woke ${lateMs} late`);
        if (lateMs > 1_000) queue.set(late, clock.monotonic() + 500);
      },
    });
    queue.set(late, 100);
    clock.freeze(10_100);
    expect(queue.lagMs()).toBe(10_000);
    await clock.advance(600);
    expect(seen).toEqual(['woke 10000 late', 'woke 0 late', '1 fired 0 late']);
    expect(queue.lagMs()).toBe(0);
  });

  test('stop removes all entries, and nothing fires afterwards', async () => {
    const { clock, queue, fired } = wheelOn();
    for (let name = 0; name < 200; name++) queue.set(item(name), 10);
    clock.after(10, () => queue.stop());
    await clock.advance(10);
    const firedBefore = fired.length;
    queue.set(item(1), 20);
    await clock.advance(100);
    expect(fired).toHaveLength(firedBefore);
    expect(queue.size).toBe(0);
    expect(clock.pending()).toEqual({ timers: 0, soons: 0 });
  });
});
