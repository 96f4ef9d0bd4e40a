import type { Clock, Timer } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Database } from '../../store/database/contract.ts';
import { editedPlans, plansOfShard } from '../../store/engine/plans.ts';
import type { PlanRow } from '../../store/engine/plans.ts';
import { readVersions } from '../../store/engine/shards.ts';
import type { Ownership } from './shards.ts';

export interface EditsDependencies {
  database: Database;
  clock: Clock;
  log: Log;
  ownership: Pick<Ownership, 'owned' | 'observe'>;
  /** A monitor of an owned shard as it is now; `loaded` when its shard was read whole, after a gap. */
  onPlan(row: PlanRow, how: 'loaded' | 'edited'): void;
}

/** Follows what is stored of the monitors of the owned shards. */
export interface Edits {
  start(): void;
  /** Something was edited, in that shard if given: look now. Call it once the edit is committed. */
  nudge(shard?: number): void;
  /** Those shards are no longer ours: when they are again, they are read whole. */
  forget(shards: readonly number[]): void;
  /** Settles when nothing is being read any more. */
  stop(): Promise<void>;
}

const POLL_MS = 500;
const LONGEST_BACK_OFF_MS = 5_000;
const PAGE = 500;

export function createEdits(dependencies: EditsDependencies): Edits {
  const { database, clock, log, ownership, onPlan } = dependencies;
  /** The version up to which each shard is known; a shard that is missing is yet to be read whole. */
  const known = new Map<number, number>();
  const nudged = new Set<number>();
  let isAllNudged = false;
  let isAsked = false;
  let timer: Timer | null = null;
  let running: Promise<void> | null = null;
  /** Monotonic milliseconds at which all shards were looked at last. */
  let allLookedAt = -Infinity;
  let failures = 0;
  /** Counts how often shards were lost, so that what was read across such a moment is not taken for whole. */
  let losses = 0;
  let isStopped = false;

  const nextTurn = () => new Promise<void>((resolve) => clock.soon(resolve));
  const isOwned = (shard: number) => !isStopped && ownership.owned.has(shard);

  function askSoon(): void {
    if (isAsked || isStopped) return;
    isAsked = true;
    clock.soon(() => {
      isAsked = false;
      if (running === null) look();
    });
  }

  function look(): void {
    if (isStopped) return;
    clock.clear(timer);
    timer = null;
    const now = clock.monotonic();
    // After a failure all are looked at, since it is not known what the failed look would have brought.
    const isAll = isAllNudged || failures > 0 || now - allLookedAt >= POLL_MS;
    const only = isAll ? null : new Set(nudged);
    if (isAll) allLookedAt = now;
    isAllNudged = false;
    nudged.clear();
    running = lookAndGoOn(only);
  }

  async function lookAndGoOn(shards: ReadonlySet<number> | null): Promise<void> {
    const waitMs = await lookAt(shards);
    running = null;
    if (isAllNudged || nudged.size > 0) askSoon();
    else if (!isStopped) {
      const now = clock.monotonic();
      timer = clock.after(Math.max(0, allLookedAt + waitMs - now), lookAtAll);
    }
  }

  function lookAtAll(): void {
    isAllNudged = true;
    look();
  }

  /** Answers after how many milliseconds to look again. */
  async function lookAt(shards: ReadonlySet<number> | null): Promise<number> {
    try {
      await follow(shards);
      if (failures > 0) log.info({}, 'Monitors are read from the database again.');
      failures = 0;
      return POLL_MS;
    } catch (error) {
      if (isStopped) return POLL_MS;
      if (failures === 0) {
        log.error({ error }, 'Edits of monitors can not be read; checks go on with what is known.');
      }
      failures++;
      return Math.min(POLL_MS * 2 ** failures, LONGEST_BACK_OFF_MS);
    }
  }

  async function follow(shards: ReadonlySet<number> | null): Promise<void> {
    const askedAt = clock.monotonic();
    const versions = await readVersions(database, shards ?? undefined);
    ownership.observe(versions, askedAt);
    const owned = versions.filter(({ shard }) => isOwned(shard));
    await loadEdits(owned.filter(({ shard, version }) => version > (known.get(shard) ?? Infinity)));
    for (const { shard, version } of owned) {
      if (isOwned(shard) && !known.has(shard)) await loadShard(shard, version);
    }
  }

  /**
   * Versions of a shard become visible in order and the monitors are read after them, so all edits up to `version`
   * are among the rows, or a later one of the same monitor.
   */
  async function loadEdits(changed: { shard: number; version: number }[]): Promise<void> {
    if (changed.length === 0) return;
    const since = new Map(changed.map(({ shard }) => [shard, known.get(shard) ?? 0]));
    const rows = await editedPlans(database, since);
    for (const row of rows) if (isOwned(row.shard) && known.has(row.shard)) onPlan(row, 'edited');
    for (const { shard, version } of changed) if (known.has(shard)) known.set(shard, version);
  }

  async function loadShard(shard: number, version: number): Promise<void> {
    const lossesBefore = losses;
    for (let afterId = 0; ;) {
      const rows = await plansOfShard(database, shard, afterId, PAGE);
      if (!isOwned(shard) || losses !== lossesBefore) return;
      for (const row of rows) onPlan(row, 'loaded');
      const last = rows.at(-1);
      if (last && rows.length === PAGE) afterId = last.id;
      else break;
      await nextTurn();
    }
    known.set(shard, version);
    await nextTurn();
  }

  return {
    start: () => lookAtAll(),
    nudge(shard) {
      if (shard === undefined) isAllNudged = true;
      else nudged.add(shard);
      askSoon();
    },
    forget(shards) {
      losses++;
      for (const shard of shards) known.delete(shard);
    },
    async stop() {
      isStopped = true;
      clock.clear(timer);
      await running;
    },
  };
}
