import { setTimeout as pause } from 'node:timers/promises';
import type { DatabaseOptions } from '../src/store/database/database.ts';
import type { PostgresWatch } from './postgres-watch.ts';
import { preloadLastHour, sumUpLastHour } from './preload-history.ts';

/** Monitors whose hour is rolled up. */
const MONITORS = 2_000;
const LOOK_EVERY_MS = 20;
/** A worker looks for work every 30 s, and may be slow on a busy machine. */
const WITHIN_MS = 120_000;

/** Cursor over the monitors of the hour that is rolled up. */
const CURSOR = `select position from progress where name = 'rollup_hour_monitor'`;

/**
 * Monitors a second whose last hour, a round every 30 s, the workers roll up, beside what else goes on. One of them does one hour of
 * a hundred monitors after another, however many workers there are.
 *
 * @throws if they don't within two minutes.
 */
export async function measureRollups(owner: DatabaseOptions, postgres: PostgresWatch) {
  await preloadLastHour(owner, MONITORS);
  await postgres.execute(sumUpLastHour);
  const deadline = performance.now() + WITHIN_MS;
  let first: { at: number; monitor: number } | null = null;
  while (performance.now() < deadline) {
    const [row] = await postgres.rows<{ position: string }>(CURSOR);
    const monitor = Number(row?.position ?? 0);
    const at = performance.now();
    if (first === null && monitor > 0 && monitor < MONITORS) first = { at, monitor };
    if (first !== null && (monitor >= MONITORS || monitor < first.monitor))
      return ((MONITORS - first.monitor) / (at - first.at)) * 1000;
    await pause(LOOK_EVERY_MS);
  }
  throw new Error('No worker rolled up the last hour.');
}
