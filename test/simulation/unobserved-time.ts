import { uptime } from '../../src/engine/history/uptime.ts';
import type { SpanStatus } from '../../src/model/incident.ts';
import type { FinalCheckOptions } from './final-checks.ts';
import type { OwnedMonitor } from './operator.ts';
import { coverageMs } from './reference-model.ts';
import { timeOf } from './story.ts';

export interface StoredHistory {
  spans: { status: string; from_at: number; to_at: number | null }[];
  observedUntil: number | null;
}

export interface UnobservedTimeOptions extends FinalCheckOptions {
  monitor: OwnedMonitor;
  history: StoredHistory;
}

/** Checks that time without checks counts as unobserved and that all parts of a period add up. */
export function checkUnobservedTime(options: UnobservedTimeOptions): void {
  const { monitor, history, disturbances, wallAt, until, coverage, violate } = options;
  const now = wallAt(until);
  const uptimeBetween = (from: number, to: number) =>
    uptime({
      spans: history.spans.map((span) => ({
        status: span.status as SpanStatus,
        fromAt: span.from_at,
        toAt: span.to_at,
      })),
      observedUntil: history.observedUntil,
      from,
      to,
      now,
    });
  const observed = (from: number, to: number) => to - from - uptimeBetween(from, to).unobservedMs;
  const expectUnobserved = (from: number, to: number, why: string) => {
    if (to <= from) return false;
    const wrong = observed(from, to);
    if (wrong > 0)
      violate(
        `${wrong} ms between ${timeOf(from - wallAt(0))} and ${timeOf(to - wallAt(0))} count as observed, though ${why}`,
      );
    return true;
  };

  monitor.eras.forEach((era, index) => {
    if (!era.isPaused && !era.isDeleted) return;
    const next = monitor.eras[index + 1];
    if (expectUnobserved(era.wall, next ? next.wall : now, 'it was paused or deleted'))
      coverage.paused += 1;
  });

  for (const { from, to, kind } of disturbances) {
    if (kind !== 'away' && kind !== 'frozen') continue;
    const intervals = monitor.eras
      .filter((era) => era.from <= to)
      .map((era) => era.settings.intervalMs);
    if (intervals.length === 0) continue;
    const spoken = coverageMs(Math.max(...intervals), true);
    // If the clock is set forward at the same instant, a round may have started just before.
    const end = wallAt(to - 1) + 1;
    if (expectUnobserved(wallAt(from) + spoken, end, `the process was ${kind}`)) coverage.away += 1;
  }

  checkPartition(options, uptimeBetween, now);
}

/** The parts of any period add up to it, and none is negative. */
function checkPartition(
  { random, wallAt, monitor, coverage, violate }: UnobservedTimeOptions,
  uptimeBetween: (from: number, to: number) => ReturnType<typeof uptime>,
  now: number,
): void {
  for (let draw = 0; draw < 5; draw += 1) {
    const from = random.integer(wallAt(0) - 60_000, now);
    const to = random.integer(from, now + 60_000);
    const { upMs, degradedMs, downMs, excludedMs, unobservedMs } = uptimeBetween(from, to);
    const parts = [upMs, degradedMs, downMs, excludedMs, unobservedMs];
    coverage.partition += 1;
    if (
      parts.some((part) => part < 0) ||
      parts.reduce((sum, part) => sum + part, 0) !== to - from
    ) {
      violate(
        `monitor ${monitor.id}: ${parts.join(' + ')} is not the ${to - from} ms of its period`,
      );
    }
  }
}
