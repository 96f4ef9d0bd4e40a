import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { OUT_OF_WHEEL, TimingWheel } from './timing-wheel.ts';
import type { Timed } from './timing-wheel.ts';

interface Item extends Timed {
  name: number;
}

const item = (name: number): Item => ({ ...OUT_OF_WHEEL, name });

function wheelOn(clock = createFakeClock()) {
  const fired: { name: number; at: number; lateMs: number }[] = [];
  const wakes: number[] = [];
  const wheel = new TimingWheel<Item>({
    clock,
    fire: ({ name }, lateMs) => fired.push({ name, at: clock.monotonic(), lateMs }),
    onWake: (lateMs) => wakes.push(lateMs),
  });
  return { clock, wheel, fired, wakes };
}

describe('the timing wheel', () => {
  test('fires each entry once, in the order of their instants, never early', async () => {
    const { clock, wheel, fired } = wheelOn();
    for (const at of [300, 100, 200]) wheel.set(item(at), at);
    await clock.advance(99);
    expect(fired).toEqual([]);
    await clock.advance(1_000);
    expect(fired.map(({ name }) => name)).toEqual([100, 200, 300]);
    expect(fired.every(({ name, at }) => at >= name)).toBe(true);
    expect(wheel.size).toBe(0);
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

  test('behaves as a sorted list does, whatever is set, moved and removed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 60 }), async (operations) => {
        const { clock, wheel, fired } = wheelOn();
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
          expect(wheel.size).toBe(model.size);
        };
        for (const { do: what, name, inMs } of operations) {
          const at = clock.monotonic() + inMs;
          if (what === 'advance') {
            await clock.advance(inMs);
            check(clock.monotonic());
          } else if (what === 'set') {
            wheel.set(items[name]!, at);
            model.set(name, at);
          } else {
            wheel.remove(items[name]!);
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

  test('an entry that fires may be set again, and others moved or taken out from within', async () => {
    const clock = createFakeClock();
    const seen: string[] = [];
    const [first, second, third] = [item(1), item(2), item(3)] as [Item, Item, Item];
    const wheel = new TimingWheel<Item>({
      clock,
      fire: (entry) => {
        seen.push(`${entry.name} at ${clock.monotonic()}`);
        if (entry !== first || seen.length > 1) return;
        wheel.set(first, 50);
        wheel.remove(second);
        wheel.set(third, 70);
      },
    });
    wheel.set(first, 10);
    wheel.set(second, 10);
    wheel.set(third, 10);
    await clock.advance(100);
    expect(seen).toEqual(['1 at 10', '1 at 50', '3 at 70']);
  });

  test('what is due at once fires in slices, with the event loop between them', async () => {
    const { clock, wheel, fired } = wheelOn();
    for (let name = 0; name < 1_000; name++) wheel.set(item(name), 10);
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

  test('entries that are due within a few milliseconds share a wake', async () => {
    const { clock, wheel, fired, wakes } = wheelOn();
    for (let name = 0; name < 100; name++) wheel.set(item(name), 1_000 + name);
    await clock.advance(2_000);
    expect(fired).toHaveLength(100);
    expect(wakes.length).toBeLessThan(30);
    expect(Math.max(...fired.map(({ lateMs }) => lateMs))).toBeLessThanOrEqual(5);
  });

  test('an idle wheel sets no timer, and a far entry needs one only', async () => {
    const { clock, wheel, wakes } = wheelOn();
    expect(clock.pending().timers).toBe(0);
    const far = item(1);
    wheel.set(far, 3_600_000);
    wheel.set(item(2), 3_700_000);
    expect(clock.pending().timers).toBe(1);
    await clock.advance(3_599_000);
    expect(wakes).toEqual([]);
  });

  test('an entry beyond what a timer can wait for fires all the same', async () => {
    const { clock, wheel, fired } = wheelOn();
    wheel.set(item(1), 2 ** 31 + 5_000);
    await clock.advance(2 ** 31 + 4_000);
    expect(fired).toEqual([]);
    await clock.advance(1_000);
    expect(fired).toHaveLength(1);
  });

  test('says how late it woke after the process stood still, before anything fires', async () => {
    const clock = createFakeClock();
    const seen: string[] = [];
    const late = item(1);
    const wheel = new TimingWheel<Item>({
      clock,
      fire: ({ name }, lateMs) => seen.push(`${name} fired ${lateMs} late`),
      onWake: (lateMs) => {
        seen.push(`woke ${lateMs} late`);
        if (lateMs > 1_000) wheel.set(late, clock.monotonic() + 500);
      },
    });
    wheel.set(late, 100);
    clock.freeze(10_100);
    expect(wheel.lagMs()).toBe(10_000);
    await clock.advance(600);
    expect(seen).toEqual(['woke 10000 late', 'woke 0 late', '1 fired 0 late']);
    expect(wheel.lagMs()).toBe(0);
  });

  test('nothing fires once it is stopped, and nothing is left behind', async () => {
    const { clock, wheel, fired } = wheelOn();
    for (let name = 0; name < 200; name++) wheel.set(item(name), 10);
    clock.after(10, () => wheel.stop());
    await clock.advance(10);
    const firedBefore = fired.length;
    wheel.set(item(1), 20);
    await clock.advance(100);
    expect(fired).toHaveLength(firedBefore);
    expect(wheel.size).toBe(0);
    expect(clock.pending()).toEqual({ timers: 0, soons: 0 });
  });
});
