import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  editedMonitors,
  scheduledMonitorsOfShard,
  readVersions,
  type ScheduledMonitorRow,
} from '../../store/engine/shards.ts';
import type { Ownership } from './shards.ts';

/** Loads the monitors of the owned shards, then polls for edited ones. */
export type MonitorLoader = ReturnType<typeof createMonitorLoader>;

const POLL_MS = 500;
const MAX_BACKOFF_MS = 5_000;
const PAGE_SIZE = 500;

export function createMonitorLoader(dependencies: {
  database: Database;
  clock: Clock;
  log: Log;
  ownership: Pick<Ownership, 'owned' | 'observe'>;
  /** Called with the current row of a monitor in an owned shard; `loaded` when the whole shard was read after a gap. */
  onRow(row: ScheduledMonitorRow, how: 'loaded' | 'edited'): void;
}) {
  const { database, clock, log, ownership, onRow: onPlan } = dependencies;
  /** Version up to which each shard is loaded; a missing shard has not been read. */
  const loaded = new Map<number, number>();
  const requestedShards = new Set<number>();
  let isAllRequested = false;
  let isScheduled = false;
  let timer: Timer | null = null;
  let running: Promise<void> | null = null;
  let allPolledAt = -Infinity;
  let failures = 0;
  /** Counts losses of shards, so that a read that spans one is not taken for complete. */
  let losses = 0;
  let isStopped = false;

  const nextTick = () => new Promise<void>((resolve) => clock.soon(resolve));
  const isOwned = (shard: number) => !isStopped && ownership.owned.has(shard);

  function schedulePoll(): void {
    if (isScheduled || isStopped) return;
    isScheduled = true;
    clock.soon(() => {
      isScheduled = false;
      if (running === null) poll();
    });
  }

  function poll(): void {
    if (isStopped) return;
    clock.clear(timer);
    timer = null;
    const now = clock.monotonic();
    // After a failure all shards are polled, since the failed poll may have missed edits of any of them.
    const isAll = isAllRequested || failures > 0 || now - allPolledAt >= POLL_MS;
    const only = isAll ? null : new Set(requestedShards);
    if (isAll) allPolledAt = now;
    isAllRequested = false;
    requestedShards.clear();
    running = pollAndContinue(only);
  }

  async function pollAndContinue(shards: ReadonlySet<number> | null): Promise<void> {
    const waitMs = await tryLoad(shards);
    running = null;
    if (isAllRequested || requestedShards.size > 0) schedulePoll();
    else if (!isStopped) {
      const now = clock.monotonic();
      timer = clock.after(Math.max(0, allPolledAt + waitMs - now), pollAll);
    }
  }

  function pollAll(): void {
    isAllRequested = true;
    poll();
  }

  /** @returns milliseconds until the next poll. */
  async function tryLoad(shards: ReadonlySet<number> | null): Promise<number> {
    try {
      await load(shards);
      if (failures > 0)
        // Log: The database is back.
        log.info({}, 'Edited monitors are loaded again.');
      failures = 0;
      return POLL_MS;
    } catch (error) {
      if (isStopped) return POLL_MS;
      if (failures === 0) {
        // Log: The database is away.
        log.error(
          { error },
          'Edited monitors could not be loaded; checks continue with the last known settings.',
        );
      }
      failures++;
      return Math.min(POLL_MS * 2 ** failures, MAX_BACKOFF_MS);
    }
  }

  async function load(shards: ReadonlySet<number> | null): Promise<void> {
    const askedAt = clock.monotonic();
    const versions = await readVersions(database, shards ?? undefined);
    ownership.observe(versions, askedAt);
    const owned = versions.filter(({ shard }) => isOwned(shard));
    await loadEdits(
      owned.filter(({ shard, version }) => version > (loaded.get(shard) ?? Infinity)),
    );
    for (const { shard, version } of owned) {
      if (isOwned(shard) && !loaded.has(shard)) await loadShard(shard, version);
    }
  }

  /**
   * Loads edited monitors. Versions of a shard become visible in order and rows are read after them, so the rows contain
   * every edit up to `version`, or a later one of the same monitor.
   */
  async function loadEdits(changed: { shard: number; version: number }[]): Promise<void> {
    if (changed.length === 0) return;
    const since = new Map(changed.map(({ shard }) => [shard, loaded.get(shard) ?? 0]));
    const rows = await editedMonitors(database, since);
    for (const row of rows) if (isOwned(row.shard) && loaded.has(row.shard)) onPlan(row, 'edited');
    for (const { shard, version } of changed) if (loaded.has(shard)) loaded.set(shard, version);
  }

  async function loadShard(shard: number, version: number): Promise<void> {
    const lossesBefore = losses;
    for (let afterId = 0; ;) {
      const rows = await scheduledMonitorsOfShard(database, shard, afterId, PAGE_SIZE);
      if (!isOwned(shard) || losses !== lossesBefore) return;
      for (const row of rows) onPlan(row, 'loaded');
      const last = rows.at(-1);
      if (last && rows.length === PAGE_SIZE) afterId = last.id;
      else break;
      await nextTick();
    }
    loaded.set(shard, version);
    await nextTick();
  }

  return {
    start: () => pollAll(),
    /** Polls now, only that shard if given. Call it after an edit is committed. */
    wake(shard?: number) {
      if (shard === undefined) isAllRequested = true;
      else requestedShards.add(shard);
      schedulePoll();
    },
    /** Forgets shards that were lost; they are read whole when owned again. */
    forget(shards: readonly number[]) {
      losses++;
      for (const shard of shards) loaded.delete(shard);
    },
    /** Resolves when a read in progress has ended. */
    async stop() {
      isStopped = true;
      clock.clear(timer);
      await running;
    },
  };
}
