import { AsyncLocalStorage } from 'node:async_hooks';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../test/support/fake-clock.ts';
import { systemClock } from './clock.ts';
import { Closed, Dropped, GroupCommit, LOCKED, type GroupCommitOptions } from './group-commit.ts';

class Unavailable extends Error {}
class Invalid extends Error {}

const DEFAULTS = {
  maxBatch: 8,
  delayMs: 0,
  capacity: 100,
  isUnavailable: (error: unknown) => error instanceof Unavailable,
};

/** Store that can be unavailable or slow; items below zero are invalid. The outcome of an item is its text. */
function createStore(options: Partial<GroupCommitOptions<number, string>> = {}) {
  const clock = createFakeClock();
  const flushes: number[][] = [];
  const stored: number[] = [];
  const state = { isUnavailable: false, gate: null as Promise<void> | null };
  const commits = new GroupCommit<number, string>({
    ...DEFAULTS,
    clock,
    flush: async (items) => {
      flushes.push([...items]);
      await state.gate;
      if (state.isUnavailable) throw new Unavailable();
      if (items.some((item) => item < 0)) throw new Invalid();
      stored.push(...items);
      return items.map((item) => `stored ${item}`);
    },
    ...options,
  });
  return { clock, flushes, stored, state, commits };
}

/** Outcome of a submission, or the name of its error. */
const outcome = (promise: Promise<string>) =>
  promise.catch((error: Error) => error.constructor.name);

const byHundred = (item: number) => item * 100;

describe('GroupCommit', () => {
  it('flushes the items of one event loop iteration together, up to the batch limit', async () => {
    const { clock, flushes, commits } = createStore();
    const submitted = Array.from({ length: 10 }, (_, n) => commits.submit(n));
    await clock.settle();
    expect(await Promise.all(submitted)).toEqual(submitted.map((_, n) => `stored ${n}`));
    expect(flushes).toEqual([
      [0, 1, 2, 3, 4, 5, 6, 7],
      [8, 9],
    ]);
  });

  it('collects items for its delay, or until the batch is full', async () => {
    const { clock, flushes, commits } = createStore({ delayMs: 50, maxBatch: 3 });
    void commits.submit(1);
    await clock.advance(49);
    expect(flushes).toEqual([]);
    await clock.advance(1);
    expect(flushes).toEqual([[1]]);
    for (const item of [2, 3, 4]) void commits.submit(item);
    await clock.settle();
    expect(flushes).toEqual([[1], [2, 3, 4]]);
    expect(clock.pending()).toEqual({ timers: 0, soons: 0 });
  });

  it('flushes all when the first of them is due', async () => {
    const { clock, flushes, commits } = createStore({ delayOf: byHundred });
    void commits.submit(5);
    await clock.advance(200);
    void commits.submit(2);
    void commits.submit(9);
    await clock.advance(199);
    expect(flushes).toEqual([]);
    await clock.advance(1);
    expect(flushes).toEqual([[5, 2, 9]]);
    void commits.submit(3);
    await clock.advance(299);
    expect(flushes).toHaveLength(1);
    await clock.advance(1);
    expect(flushes[1]).toEqual([3]);
    expect(clock.pending()).toEqual({ timers: 0, soons: 0 });
  });

  it('flushes soon what waited during a flush for long enough', async () => {
    const { clock, flushes, state, commits } = createStore({ delayOf: byHundred });
    const gate = Promise.withResolvers<void>();
    state.gate = gate.promise;
    void commits.submit(0);
    await clock.settle();
    void commits.submit(4);
    void commits.submit(1);
    await clock.advance(150);
    expect(flushes).toEqual([[0]]);
    gate.resolve();
    await clock.settle();
    expect(flushes).toEqual([[0], [4, 1]]);
  });

  it('runs one flush at a time', async () => {
    const { clock, flushes, state, commits } = createStore();
    const gate = Promise.withResolvers<void>();
    state.gate = gate.promise;
    const first = commits.submit(1);
    await clock.settle();
    const others = [commits.submit(2), commits.submit(3)];
    await clock.settle();
    expect(flushes).toEqual([[1]]);
    expect(commits.counts).toEqual({ waiting: 3, dropped: 0 });
    gate.resolve();
    await clock.settle();
    await Promise.all([first, ...others]);
    expect(flushes).toEqual([[1], [2, 3]]);
    expect(commits.counts.waiting).toBe(0);
  });

  it.each([
    { items: [1, 2, -3, 4, 5], flushes: 5 },
    { items: [-1], flushes: 1 },
    { items: [-1, -2, -3, -4], flushes: 7 },
  ])('rejects only the invalid items of $items [40.7]', async ({ items, flushes: expected }) => {
    const { clock, flushes, stored, commits } = createStore();
    const outcomes = items.map((item) => outcome(commits.submit(item)));
    await clock.settle();
    expect(await Promise.all(outcomes)).toEqual(
      items.map((item) => (item < 0 ? 'Invalid' : `stored ${item}`)),
    );
    expect(stored).toEqual(items.filter((item) => item > 0));
    expect(flushes).toHaveLength(expected);
  });

  it('retries with increasing delays while the store is unavailable', async () => {
    const { clock, flushes, state, commits } = createStore();
    state.isUnavailable = true;
    const submitted = commits.submit(1);
    await clock.settle();
    const tries: number[] = [];
    for (let second = 0; second < 20; second += 1) {
      await clock.advance(1_000);
      tries.push(flushes.length);
    }
    expect(tries.slice(0, 4)).toEqual([4, 5, 5, 6]); // After 100, 300 and 700 ms, 1.5 s, 3.1 s …
    expect(tries.at(-1)! - tries.at(-6)!).toBe(1); // … and then every 5 s.
    state.isUnavailable = false;
    await clock.advance(5_000);
    expect(await submitted).toBe('stored 1');
    const next = commits.submit(2);
    await clock.settle();
    expect(await next).toBe('stored 2');
  });

  it('drops the oldest waiting item when the queue is full, and reports it', async () => {
    const dropped: number[] = [];
    const { clock, stored, state, commits } = createStore({
      capacity: 3,
      maxBatch: 2,
      onDrop: (item) => dropped.push(item),
    });
    state.isUnavailable = true;
    const outcomes = [1, 2].map((item) => outcome(commits.submit(item)));
    await clock.settle(); // These are being flushed.
    outcomes.push(...[3, 4, 5, 6, 7].map((item) => outcome(commits.submit(item))));
    state.isUnavailable = false;
    await clock.advance(1_000);
    expect(await Promise.all(outcomes)).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((item) =>
        [3, 4].includes(item) ? Dropped.name : `stored ${item}`,
      ),
    );
    expect(stored).toEqual([1, 2, 5, 6, 7]);
    expect(dropped).toEqual([3, 4]);
    expect(commits.counts).toEqual({ waiting: 0, dropped: 2 });
  });

  it('rejects items without an outcome', async () => {
    const { clock, commits } = createStore({ flush: async () => ['only one'] });
    const outcomes = [outcome(commits.submit(1)), outcome(commits.submit(2))];
    await clock.settle();
    expect(await Promise.all(outcomes)).toEqual(['only one', 'Error']);
  });

  it('flushes outside the async context of the caller', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const { commits } = createStore({
      clock: systemClock, // Node's timers keep the async context in which they were set.
      flush: async (items) => {
        seen.push(context.getStore());
        return items.map(String);
      },
    });
    const submitted = context.run('a transaction', () => commits.submit(1));
    await submitted;
    expect(seen).toEqual([undefined]);
  });
});

describe('closing', () => {
  it('flushes pending items without waiting for the delay, and rejects new ones', async () => {
    const { clock, stored, commits } = createStore({ delayMs: 1_000, maxBatch: 2 });
    const outcomes = [1, 2, 3].map((item) => outcome(commits.submit(item)));
    const closed = commits.close();
    expect(await outcome(commits.submit(4))).toBe(Closed.name);
    await clock.advance(3_000);
    await closed;
    await commits.close();
    expect(await Promise.all(outcomes)).toEqual(['stored 1', 'stored 2', 'stored 3']);
    expect(stored).toEqual([1, 2, 3]);
    expect(clock.pending()).toEqual({ timers: 0, soons: 0 });
  });

  it('ends at once without pending items', async () => {
    const { clock, commits } = createStore();
    const closed = commits.close();
    await clock.settle();
    await closed;
    expect(clock.pending().timers).toBe(0);
  });

  it('does not wait for an unavailable store', async () => {
    const { clock, state, commits } = createStore({ maxBatch: 2 });
    state.isUnavailable = true;
    const outcomes = [1, 2, 3].map((item) => outcome(commits.submit(item)));
    await clock.settle();
    const closed = commits.close();
    await clock.settle();
    await closed;
    expect(await Promise.all(outcomes)).toEqual([Closed.name, Closed.name, Closed.name]);
  });

  it('gives up on a flush that does not return', async () => {
    const { clock, flushes, state, commits } = createStore({ maxBatch: 2 });
    const gate = Promise.withResolvers<void>();
    state.gate = gate.promise;
    const outcomes = [1, -2, 3].map((item) => outcome(commits.submit(item)));
    await clock.settle();
    const closed = commits.close(2_000);
    await clock.advance(2_000);
    await closed;
    expect(await Promise.all(outcomes)).toEqual([Closed.name, Closed.name, Closed.name]);
    gate.resolve();
    await clock.advance(60_000);
    expect(flushes).toEqual([[1, -2]]);
  });
});

describe('in any order of events', () => {
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ submit: fc.integer({ min: 1, max: 12 }), poison: fc.boolean() }),
    },
    { weight: 3, arbitrary: fc.record({ pass: fc.integer({ min: 0, max: 2_000 }) }) },
    { weight: 2, arbitrary: fc.record({ isUnavailable: fc.boolean() }) },
  );

  it('settles each item exactly once and stores items in order', async () => {
    const property = fc.asyncProperty(
      fc.array(step, { maxLength: 25 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 20 }),
      fc.constantFrom(0, 30),
      fc.boolean(),
      async (steps, maxBatch, capacity, delayMs, closes) => {
        const { clock, stored, state, commits } = createStore({ maxBatch, capacity, delayMs });
        const outcomes: Promise<[number, string]>[] = [];
        for (const now of steps) {
          if ('isUnavailable' in now) state.isUnavailable = now.isUnavailable;
          else if ('pass' in now) await clock.advance(now.pass);
          else {
            for (let count = 0; count < now.submit; count += 1) {
              const item = (outcomes.length + 1) * (now.poison && count === 1 ? -1 : 1);
              outcomes.push(outcome(commits.submit(item)).then((text) => [item, text]));
            }
          }
        }
        if (!closes) state.isUnavailable = false;
        else void commits.close();
        await clock.advance(600_000);

        const settled = await Promise.all(outcomes);
        const resolved = settled.filter(([item, text]) => text === `stored ${item}`);
        expect(resolved.map(([item]) => item)).toEqual(stored);
        for (const [item, text] of settled) {
          const allowed = [item < 0 ? 'Invalid' : `stored ${item}`, Dropped.name];
          if (closes && state.isUnavailable) allowed.push(Closed.name);
          expect(allowed).toContain(text);
        }
        const dropped = settled.filter(([, text]) => text === Dropped.name).length;
        expect(commits.counts).toEqual({ waiting: 0, dropped });
        expect(clock.pending()).toEqual({ timers: 0, soons: 0 });
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });
});

const keyOf = (item: number) => Math.floor(Math.abs(item) / 10);

describe('an item locked by another session', () => {
  class Busy extends Error {}

  /** Store in which some keys are locked: their items are skipped, or fail the flush. Items are 10 × key + n. */
  function makeHeld(
    how: 'left out' | 'fails',
    options: Partial<GroupCommitOptions<number, string>> = {},
  ) {
    const held = new Set<number>();
    const isHeld = (item: number) => held.has(keyOf(item));
    const clock = createFakeClock();
    const flushes: number[][] = [];
    const commits = new GroupCommit<number, string>({
      ...DEFAULTS,
      clock,
      keyOf,
      isBusy: (error) => error instanceof Busy,
      flush: async (items) => {
        flushes.push([...items]);
        if (how === 'fails' && items.some(isHeld)) throw new Busy();
        if (items.some((item) => item < 0)) throw new Invalid();
        return items.map((item) => (isHeld(item) ? LOCKED : `stored ${item}`));
      },
      ...options,
    });
    return { clock, flushes, held, commits };
  }

  for (const how of ['left out', 'fails'] as const) {
    it(`delays no other item, and is stored once unlocked: ${how}`, async () => {
      const { clock, held, commits } = makeHeld(how);
      held.add(3);
      const settled: number[] = [];
      const submitted = Array.from({ length: 8 }, (_, key) => key * 10).map(async (item) => {
        await commits.submit(item);
        settled.push(item);
      });
      await clock.settle();
      expect(settled.toSorted((a, b) => a - b)).toEqual([0, 10, 20, 40, 50, 60, 70]);
      expect(commits.counts).toEqual({ waiting: 1, dropped: 0 });
      await clock.advance(60_000);
      const later = commits.submit(80);
      await clock.settle();
      expect(await later).toBe('stored 80');
      held.clear();
      await clock.advance(10_000);
      await Promise.all(submitted);
      expect(clock.pending()).toEqual({ timers: 0, soons: 0 });
    });

    it(`is followed by later items of its key, in order: ${how}`, async () => {
      const { clock, flushes, held, commits } = makeHeld(how);
      held.add(1);
      const all = [commits.submit(10), commits.submit(20), commits.submit(11)];
      await clock.settle();
      all.push(commits.submit(12));
      await clock.advance(3_000);
      all.push(commits.submit(13));
      held.clear();
      await clock.advance(10_000);
      expect(await Promise.all(all)).toEqual([
        'stored 10',
        'stored 20',
        'stored 11',
        'stored 12',
        'stored 13',
      ]);
      expect(flushes.at(-1)).toEqual([10, 11, 12, 13]);
    });
  }

  it('is rejected alone if it is invalid', async () => {
    const { clock, held, commits } = makeHeld('left out');
    held.add(1);
    const all = [commits.submit(10), commits.submit(-11), commits.submit(12)].map(outcome);
    await clock.advance(100);
    held.clear();
    await clock.advance(10_000);
    expect(await Promise.all(all)).toEqual(['stored 10', 'Invalid', 'stored 12']);
  });

  it('is rejected if the store closes before it is unlocked', async () => {
    const { clock, held, commits } = makeHeld('left out');
    held.add(1);
    const [one, other] = [outcome(commits.submit(10)), outcome(commits.submit(20))];
    await clock.settle();
    const closing = commits.close(1_000);
    await clock.advance(1_000);
    await closing;
    expect(await Promise.all([one, other])).toEqual(['Closed', 'stored 20']);
    expect(clock.pending()).toEqual({ timers: 0, soons: 0 });
  });

  it('closes at once when it is free meanwhile', async () => {
    const { clock, held, commits } = makeHeld('left out');
    held.add(1);
    const one = commits.submit(10);
    await clock.settle();
    const closing = commits.close(60_000);
    held.clear();
    await clock.advance(1_000);
    await closing;
    expect(await one).toBe('stored 10');
  });

  it('a batch that is too much is divided, and the next ones are smaller until they fit', async () => {
    const clock = createFakeClock();
    const flushes: number[] = [];
    const commits = new GroupCommit<number, string>({
      ...DEFAULTS,
      clock,
      maxBatch: 64,
      isBusy: (error) => error instanceof Busy,
      flush: async (items) => {
        flushes.push(items.length);
        if (items.length > 10) throw new Busy();
        return items.map((item) => `stored ${item}`);
      },
    });
    const all = Array.from({ length: 100 }, (_, item) => commits.submit(item));
    await clock.settle();
    expect(await Promise.all(all)).toEqual(all.map((_, item) => `stored ${item}`));
    expect(flushes.slice(0, 3)).toEqual([64, 32, 32]);
    expect(flushes.filter((size) => size > 10).length).toBeLessThan(flushes.length / 2);
  });
});
