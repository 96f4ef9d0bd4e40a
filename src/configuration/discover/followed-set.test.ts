import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConfigurationItem } from '../document.ts';
import type { Discovered } from './discovered.ts';
import { CONFIRM_MS, FollowedSet, type PendingDocument } from './followed-set.ts';

const HOUR_MS = 3_600_000;
const KEEP_MS = 24 * HOUR_MS;
const START = Date.UTC(2030, 0, 1, 12, 0);

const monitor = (key: string, more: object = {}): ConfigurationItem => ({
  key,
  monitor_type: 'http',
  url: `https://${key}.example.com`,
  ...more,
});

const found = (...monitors: ConfigurationItem[]): Discovered => ({
  groups: [{ key: 'shop', name: 'Shop' }],
  monitors,
  refused: [],
  warnings: [],
});

const newSet = () => new FollowedSet({ name: 'docker', keepMs: KEEP_MS });

/** The monitors of the next document, which is applied; null where there is none. */
function apply(set: FollowedSet, now: number): ConfigurationItem[] | null {
  const pending = set.next(now);
  if (pending !== null) set.applied(pending);
  return pending?.document.monitors ?? null;
}

const A = monitor('a');
const B = monitor('b');
const goneAt = (item: ConfigurationItem, at: string) => ({
  ...item,
  is_paused: true,
  tags: [...((item['tags'] as string[] | undefined) ?? []), `gone since ${at} UTC`],
});

describe('a followed set', () => {
  test('is applied when it changes, and only then', () => {
    const set = newSet();
    set.observe(found(A, B), START);
    expect(set.next(START)?.document).toEqual({ name: 'docker', groups: [], monitors: [A, B] });
    expect(apply(set, START)).toEqual([A, B]);
    set.observe(found(A, B), START + 1);
    expect(apply(set, START + 1)).toBeNull();
    const changed = monitor('b', { tags: ['new'] });
    set.observe(found(A, changed), START + 2);
    expect(apply(set, START + 2)).toEqual([A, changed]);
  });

  test('is offered again until it was applied', () => {
    const set = newSet();
    set.observe(found(A), START);
    expect(set.next(START)).toEqual(set.next(START + 1));
  });

  test('pauses what disappears, and deletes it later', () => {
    const set = newSet();
    const tagged = monitor('b', { tags: ['db'] });
    set.observe(found(A, tagged), START);
    apply(set, START);
    set.observe(found(A), START + 60_000);
    const gone = goneAt(tagged, '2030-01-01 12:01');
    expect(apply(set, START + 60_000)).toEqual([A, gone]);
    expect(set.changesAt).toBe(START + 60_000 + KEEP_MS);
    expect(apply(set, START + KEEP_MS)).toBeNull();
    expect(apply(set, START + 60_000 + KEEP_MS)).toEqual([A]);
    expect(set.changesAt).toBeNull();
  });

  test('resumes what comes back, once', () => {
    const set = newSet();
    set.observe(found(A, B), START);
    apply(set, START);
    set.observe(found(A), START);
    apply(set, START);
    set.observe(found(A, B), START);
    expect(apply(set, START)).toEqual([A, { is_paused: false, ...B }]);
    expect(apply(set, START)).toBeNull();
  });

  test('leaves alone who was away only between two documents: people may have paused it', () => {
    const set = newSet();
    set.observe(found(A, B), START);
    apply(set, START);
    set.observe(found(A), START);
    set.observe(found(A, B), START);
    expect(apply(set, START)).toBeNull();
  });

  test('resumes what came back while its pause was on the way', () => {
    const set = newSet();
    set.observe(found(A, B), START);
    apply(set, START);
    set.observe(found(A), START);
    const pause = set.next(START) as PendingDocument;
    set.observe(found(A, B), START);
    set.applied(pause);
    expect(apply(set, START)).toEqual([A, { is_paused: false, ...B }]);
  });

  test('has no more tags than a monitor may have', () => {
    const set = newSet();
    const tags = Array.from({ length: 20 }, (_, index) => `t${index}`);
    set.observe(found(A, monitor('b', { tags })), START);
    apply(set, START);
    set.observe(found(A), START);
    expect(apply(set, START)![1]!['tags']).toHaveLength(20);
  });

  test('has the groups of its monitors only, also of those that are gone', () => {
    const set = newSet();
    set.observe(found(A, monitor('b', { group_id: 'shop' })), START);
    apply(set, START);
    set.observe({ ...found(A), groups: [] }, START);
    expect(set.next(START)?.document.groups).toEqual([{ key: 'shop', name: 'Shop' }]);
    expect(set.next(START + KEEP_MS)?.document.groups).toEqual([]);
  });

  test('keeps what is described wrongly as it was', () => {
    const set = newSet();
    set.observe(found(A, B), START);
    apply(set, START);
    set.observe({ ...found(A), refused: ['b', 'c'] }, START);
    expect(apply(set, START)).toBeNull();
  });
});

describe('when most monitors are gone at once', () => {
  const all = ['a', 'b', 'c', 'd'].map((key) => monitor(key));

  function withAll() {
    const set = newSet();
    set.observe(found(...all), START);
    apply(set, START);
    return set;
  }

  test('nothing changes before a second list a minute later', () => {
    const set = withAll();
    set.observe(found(), START);
    expect(apply(set, START)).toBeNull();
    expect(set.confirmAt).toBe(START + CONFIRM_MS);
    set.observe(found(), START + CONFIRM_MS - 1);
    expect(apply(set, START + CONFIRM_MS - 1)).toBeNull();
    set.observe(found(), START + CONFIRM_MS);
    expect(set.confirmAt).toBeNull();
    expect(apply(set, START + CONFIRM_MS)!.every(({ is_paused: is }) => is === true)).toBe(true);
  });

  test('what is new or changed is taken over meanwhile', () => {
    const set = withAll();
    const changed = monitor('a', { tags: ['x'] });
    set.observe(found(changed, monitor('e')), START);
    expect(apply(set, START)).toEqual([changed, ...all.slice(1), monitor('e')]);
  });

  test('all is well when they are back', () => {
    const set = withAll();
    set.observe(found(), START);
    set.observe(found(...all), START + 1_000);
    expect(set.confirmAt).toBeNull();
    expect(apply(set, START + 1_000)).toBeNull();
    set.observe(found(), START + CONFIRM_MS);
    expect(apply(set, START + CONFIRM_MS)).toBeNull();
  });

  test.each([
    ['half of four', found(all[0]!, all[1]!), all],
    ['both of two', found(), all.slice(0, 2)],
  ])('%s are no such case', (_what, left, before) => {
    const set = newSet();
    set.observe(found(...before), START);
    apply(set, START);
    set.observe(left, START);
    expect(set.confirmAt).toBeNull();
  });
});

describe('after a restart', () => {
  test('what is gone is deleted when its time is over, and what is back is resumed', () => {
    const stored = [A, B, monitor('c')].map((item) => ({ tags: [], ...item }));
    const document = {
      name: 'docker',
      groups: [],
      monitors: [
        stored[0]!,
        goneAt(stored[1]!, '2030-01-01 11:00'),
        goneAt(stored[2]!, '2030-01-01 11:00'),
      ],
    };
    const set = newSet();
    set.restore(document, START);
    set.observe(found(A, B), START);
    expect(apply(set, START)).toEqual([
      A,
      { is_paused: false, ...B },
      goneAt(stored[2]!, '2030-01-01 11:00'),
    ]);
    expect(apply(set, START - HOUR_MS + KEEP_MS)).toEqual([A, B]);
  });

  test('a list with few of them is not trusted', () => {
    const monitors = ['a', 'b', 'c', 'd'].map((key) => monitor(key));
    const set = newSet();
    set.restore({ name: 'docker', monitors }, START);
    set.observe(found(), START);
    expect(apply(set, START)).toEqual(monitors);
    expect(set.confirmAt).toBe(START + CONFIRM_MS);
  });

  test('a tag of the future is one of now', () => {
    const set = newSet();
    set.restore({ name: 'docker', monitors: [goneAt(A, '2040-01-01 00:00')] }, START);
    set.observe(found(), START);
    expect(set.changesAt).toBe(START + KEEP_MS);
  });
});

describe('a monitor that the API refuses', () => {
  test('is left out until it is described otherwise', () => {
    const set = newSet();
    set.observe(found(A, B), START);
    expect(set.refuse(['b'], START)).toBe(true);
    expect(apply(set, START)).toEqual([A]);
    set.observe(found(A, B), START);
    expect(apply(set, START)).toBeNull();
    const other = monitor('b', { tags: ['x'] });
    set.observe(found(A, other), START);
    expect(apply(set, START)).toEqual([A, other]);
  });

  test('stays as it was where it was applied before', () => {
    const set = newSet();
    set.observe(found(A, B), START);
    apply(set, START);
    set.observe(found(A, monitor('b', { url: 'https://10.0.0.1' })), START);
    set.refuse(['b'], START);
    expect(apply(set, START)).toBeNull();
  });

  test('is tried again after an hour', () => {
    const set = newSet();
    set.observe(found(A, B), START);
    set.refuse(['b'], START);
    apply(set, START);
    expect(set.changesAt).toBe(START + HOUR_MS);
    expect(apply(set, START + HOUR_MS)).toEqual([A, B]);
  });

  test('and that disappears is forgotten', () => {
    const set = newSet();
    set.observe(found(A, B), START);
    set.refuse(['b'], START);
    apply(set, START);
    set.observe(found(A), START);
    expect(apply(set, START)).toBeNull();
  });

  test('that can not be left as it is helps nobody', () => {
    const set = newSet();
    set.observe(found(A), START);
    set.refuse(['a'], START);
    expect(set.refuse(['a', 'x'], START)).toBe(false);
  });

  test('is no parent of another one', () => {
    const set = newSet();
    set.observe(found(A, monitor('b', { depends_on: ['a'] })), START);
    set.refuse(['a'], START);
    expect(apply(set, START)).toEqual([monitor('b', { depends_on: [] })]);
  });
});

test('ends as a fresh list does, whatever has happened before', () => {
  const items = fc
    .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 5 })
    .chain((keys) =>
      fc
        .array(fc.constantFrom('x', 'y'), { minLength: keys.length, maxLength: keys.length })
        .map((tags) => keys.toSorted().map((key, index) => monitor(key, { tags: [tags[index]!] }))),
    );
  const step = fc.oneof(
    fc.record({ what: fc.constant('observe' as const), items }),
    fc.record({ what: fc.constant('apply' as const) }),
    fc.record({ what: fc.constant('apply late' as const) }),
    fc.record({ what: fc.constant('refuse' as const), key: fc.constantFrom('a', 'b', 'z') }),
    fc.record({ what: fc.constant('restart' as const) }),
  );
  const steps = fc.array(fc.tuple(step, fc.integer({ min: -1_000, max: 2 * HOUR_MS })));
  fc.assert(
    fc.property(steps, items, (course, last) => {
      let set = newSet();
      let now = START;
      let late: PendingDocument | null = null;
      let stored: PendingDocument | null = null;
      const settle = () => {
        const pending = set.next(now);
        if (pending !== null) set.applied((stored = pending));
      };
      for (const [one, passedMs] of course) {
        now += passedMs;
        if (one.what === 'observe') set.observe(found(...one.items), now);
        else if (one.what === 'refuse') set.refuse([one.key], now);
        else if (one.what === 'restart') {
          set = newSet();
          late = null;
          if (stored !== null) set.restore(stored.document, now);
        } else if (one.what === 'apply') settle();
        else if (late === null) late = set.next(now);
        else {
          set.applied((stored = late));
          late = null;
        }
      }
      set.observe(found(...last), now);
      set.observe(found(...last), (now += CONFIRM_MS));
      settle();
      now += KEEP_MS;
      settle();
      settle();
      const fresh = newSet();
      fresh.observe(found(...last), now);
      const { monitors = [] } = (stored as PendingDocument | null)?.document ?? {};
      const atRest = monitors.map(({ is_paused: _paused, ...item }) => item);
      expect(atRest).toEqual(fresh.next(now)!.document.monitors);
      expect(monitors.filter(({ is_paused: isPaused }) => isPaused === true)).toEqual([]);
      expect(set.next(now)).toBeNull();
    }),
  );
});
