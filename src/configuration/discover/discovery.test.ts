import { describe, expect, test } from 'vitest';
import { closedAfterEach } from '../../../test/support/closing.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { silentLog } from '../../lib/log.ts';
import type { ConfigurationDocument } from '../document.ts';
import type { Discovered } from './discovered.ts';
import { Discovery, type ApplyAnswer } from './discovery.ts';
import { FollowedSet } from './followed-set.ts';
import type { Source } from './source.ts';

const KEEP_MS = 24 * 3_600_000;
const open = closedAfterEach<() => unknown>();

const monitor = (key: string, more: object = {}) => ({
  key,
  monitor_type: 'http',
  url: `https://${key}.example.com`,
  ...more,
});

function found(keys: readonly string[], more: Partial<Discovered> = {}): Discovered {
  return {
    groups: [],
    monitors: keys.map((key) => monitor(key)),
    refused: [],
    warnings: [],
    ...more,
  };
}

/** A source that the test drives, an installation that it looks into, and a clock between them. */
function start({
  known = async () => null,
  apply = async () => ({ changes: 1, errors: {} }),
}: {
  known?: () => Promise<ConfigurationDocument | null>;
  apply?: (document: ConfigurationDocument) => Promise<ApplyAnswer>;
} = {}) {
  const clock = createFakeClock();
  const logged: { message: string; reason: unknown }[] = [];
  const applied: ConfigurationDocument[] = [];
  const world = {
    now: found(['a', 'b']),
    error: null as Error | null,
    connections: 0,
    onEvent: () => {},
    cut: (_error: Error) => {},
    end: () => {},
    /** Answers of lists after an event wait for this. */
    listed: Promise.resolve(),
  };
  const source: Source = {
    name: 'a source',
    list: async () => world.now,
    async connect(onEvent, signal) {
      world.connections += 1;
      if (world.error !== null) throw world.error;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      Object.assign(world, { onEvent, cut: reject, end: resolve });
      const current = async () => {
        await world.listed;
        return world.now;
      };
      return { discovered: world.now, current, ended: promise };
    },
  };
  const warn = ({ reason }: { reason?: unknown }, message: string) =>
    void logged.push({ message, reason });
  const discovery = new Discovery({
    source,
    set: new FollowedSet({ name: 'docker', keepMs: KEEP_MS }),
    known,
    async apply(document) {
      applied.push(document);
      return apply(document);
    },
    clock,
    log: { ...silentLog, warn },
    random: () => 0,
  });
  discovery.start();
  open.push(() => discovery.stop());
  const keys = () => applied.map(({ monitors }) => monitors!.map(({ key }) => key).join());
  return { clock, world, discovery, applied, keys, logged };
}

describe('discovery', () => {
  test('applies what there is, and what changes 2 s after it began to', async () => {
    const { clock, world, keys } = start();
    await clock.settle();
    expect(keys()).toEqual(['a,b']);
    world.now = found(['a', 'b', 'c']);
    world.onEvent();
    await clock.advance(1_000);
    world.now = found(['a', 'b', 'c', 'd']);
    world.onEvent();
    await clock.advance(999);
    expect(keys()).toHaveLength(1);
    await clock.advance(1);
    expect(keys()).toEqual(['a,b', 'a,b,c,d']);
    await clock.advance(2_000);
    expect(keys()).toHaveLength(2);
  });

  test('looks again after an event that came during a list', async () => {
    const { clock, world, keys } = start();
    await clock.settle();
    const slow = Promise.withResolvers<void>();
    world.listed = slow.promise;
    world.onEvent();
    await clock.advance(2_000);
    world.now = found(['a', 'b', 'c']);
    const { now } = world;
    world.now = found(['a', 'b']);
    world.onEvent();
    slow.resolve();
    await clock.settle();
    expect(keys()).toEqual(['a,b']);
    world.now = now;
    await clock.advance(2_000);
    expect(keys()).toEqual(['a,b', 'a,b,c']);
  });

  test('lists anew every 10 minutes, and when the connection ends', async () => {
    const { clock, world, keys, logged } = start();
    await clock.advance(599_999);
    expect(world.connections).toBe(1);
    world.now = found(['a', 'b', 'c']);
    await clock.advance(1);
    expect(world.connections).toBe(2);
    expect(keys()).toEqual(['a,b', 'a,b,c']);
    await clock.advance(31_000);
    world.end();
    await clock.settle();
    expect(world.connections).toBe(3);
    expect(logged).toEqual([]);
  });

  test('tries a source again later and later, and says since when it fails', async () => {
    const { clock, world, discovery, keys, logged } = start();
    await clock.settle();
    const since = clock.now();
    world.error = new Error('nothing listens there');
    world.cut(new Error('cut'));
    await clock.settle();
    expect(discovery.failing()).toEqual({ since, reason: 'cut' });
    const attempts: number[] = [];
    for (let second = 1; second <= 200; second += 1) {
      const before = world.connections;
      await clock.advance(1_000);
      if (world.connections > before) attempts.push(second);
    }
    expect(attempts).toEqual([1, 3, 7, 15, 31, 63, 123, 183]);
    expect(discovery.failing()).toEqual({ since, reason: 'nothing listens there' });
    expect(keys()).toEqual(['a,b']);
    world.error = null;
    await clock.advance(60_000);
    expect(discovery.failing()).toBeNull();
    expect(new Set(logged.map(({ message }) => message))).toEqual(
      new Set(['A source of discovery failed.']),
    );
  });

  test('gives a list that hangs up after a minute', async () => {
    const { clock, world, discovery } = start();
    await clock.settle();
    world.listed = new Promise(() => {});
    world.onEvent();
    await clock.advance(61_999);
    expect(world.connections).toBe(1);
    await clock.advance(1);
    // The connection was stable, so the next one does not wait.
    expect(world.connections).toBe(2);
    expect(discovery.failing()).toBeNull();
  });

  test('confirms an answer in which most are missing a minute later', async () => {
    const { clock, world, applied, logged } = start();
    world.now = found(['a', 'b', 'c', 'd']);
    await clock.settle();
    world.onEvent();
    await clock.advance(2_000);
    world.now = found([]);
    world.onEvent();
    await clock.advance(61_999);
    const paused = () => applied.at(-1)!.monitors!.filter(({ is_paused: is }) => is === true);
    expect(logged.map(({ message }) => message)).toEqual(['Most monitors of a source are gone.']);
    expect(paused()).toEqual([]);
    await clock.advance(1);
    expect(world.connections).toBe(2);
    expect(paused()).toHaveLength(4);
  });

  test('deletes what is gone when its time is over', async () => {
    const { clock, world, keys } = start();
    await clock.settle();
    world.now = found(['a']);
    world.onEvent();
    await clock.advance(2_000);
    expect(keys()).toEqual(['a,b', 'a,b']);
    await clock.advance(KEEP_MS - 1);
    expect(keys()).toHaveLength(2);
    await clock.advance(1);
    expect(keys()).toEqual(['a,b', 'a,b', 'a']);
  });

  test('logs each warning once', async () => {
    const { clock, world, logged } = start();
    await clock.settle();
    for (const warnings of [['x'], ['x', 'y'], [], ['x']]) {
      world.now = found(['a', 'b'], { warnings });
      world.onEvent();
      await clock.advance(2_000);
    }
    expect(logged.map(({ reason }) => reason)).toEqual(['x', 'y', 'x']);
  });

  test('knows after a restart what is gone', async () => {
    const known = { name: 'docker', monitors: [monitor('a'), monitor('z')] };
    const { clock, applied } = start({ known: async () => known });
    await clock.settle();
    expect(applied[0]!.monitors).toMatchObject([
      { key: 'a' },
      { key: 'b' },
      { key: 'z', is_paused: true },
    ]);
  });
});

describe('a set that can not be applied', () => {
  test('is tried again, with what has changed meanwhile', async () => {
    let isAway = true;
    const { clock, world, discovery, keys } = start({
      apply: async () => {
        if (isAway) throw new Error('the database is away');
        return { changes: 1, errors: {} };
      },
    });
    await clock.settle();
    expect(discovery.failing()).toMatchObject({ reason: 'the database is away' });
    world.now = found(['a', 'b', 'c']);
    world.onEvent();
    await clock.advance(4_999);
    expect(keys()).toEqual(['a,b']);
    isAway = false;
    await clock.advance(1);
    expect(keys()).toEqual(['a,b', 'a,b,c']);
    expect(discovery.failing()).toBeNull();
  });

  test('for one monitor is applied without it', async () => {
    const { clock, keys, logged, discovery } = start({
      apply: async ({ monitors = [] }) => {
        const index = monitors.findIndex(({ key }) => key === 'b');
        const place = `monitors.${index}.url`;
        const errors = index < 0 ? {} : { [place]: [`${place} must be public.`] };
        return { changes: 1, errors };
      },
    });
    await clock.settle();
    expect(keys()).toEqual(['a,b', 'a']);
    expect(logged).toEqual([
      { message: 'A discovered item is refused.', reason: 'monitors.1.url must be public.' },
    ]);
    expect(discovery.failing()).toBeNull();
    await clock.advance(3_600_000);
    expect(keys()).toEqual(['a,b', 'a', 'a,b']);
  });

  test('for a group is applied without it', async () => {
    const { clock, world, applied, discovery } = start({
      apply: async ({ groups = [] }) => {
        const errors = groups.length === 0 ? {} : { 'groups.0.name': ['must be unique.'] };
        return { changes: 1, errors };
      },
    });
    world.now = {
      ...found([]),
      groups: [{ key: 'shop', name: 'Shop' }],
      monitors: [monitor('a', { group_id: 'shop' })],
    };
    await clock.settle();
    expect(applied.at(-1)).toEqual({ name: 'docker', groups: [], monitors: [monitor('a')] });
    expect(discovery.failing()).toBeNull();
  });

  test('for the whole is a failure', async () => {
    const errors = { max_deletions: ['3 deletions, but at most 2 are allowed.'] };
    const { clock, keys, discovery } = start({ apply: async () => ({ changes: 0, errors }) });
    await clock.settle();
    expect(discovery.failing()).toMatchObject({
      reason: '3 deletions, but at most 2 are allowed.',
    });
    await clock.advance(60_000);
    expect(keys().length).toBeLessThan(6);
  });
});

describe('a discovery that is stopped', () => {
  test('ends its connection and its timers', async () => {
    const { clock, world, discovery } = start();
    await clock.settle();
    world.onEvent();
    await discovery.stop();
    expect(clock.pending().timers).toBe(0);
  });

  test('ends while it waits for a source that is away', async () => {
    const { clock, world, discovery } = start();
    world.error = new Error('away');
    world.cut(new Error('cut'));
    await clock.settle();
    await discovery.stop();
    expect(clock.pending().timers).toBe(0);
  });

  test('ends when it was refused meanwhile', async () => {
    const refused = Promise.withResolvers<never>();
    const { clock, discovery } = start({ known: () => refused.promise });
    await clock.settle();
    const stopping = discovery.stop();
    refused.reject(new Error('away'));
    await stopping;
    expect(clock.pending().timers).toBe(0);
  });

  test('waits for what is being applied, and applies no more', async () => {
    const slow = Promise.withResolvers<ApplyAnswer>();
    const { clock, world, discovery, applied } = start({ apply: () => slow.promise });
    await clock.settle();
    world.now = found(['c']);
    world.onEvent();
    await clock.advance(2_000);
    let isStopped = false;
    const stopping = discovery.stop().then(() => (isStopped = true));
    await clock.settle();
    expect(isStopped).toBe(false);
    slow.resolve({ changes: 1, errors: {} });
    await stopping;
    expect(applied).toHaveLength(1);
    expect(clock.pending().timers).toBe(0);
  });
});
