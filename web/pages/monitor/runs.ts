import type { Incident, Ping } from '../../app/api.gen.ts';
import { JOB_INCIDENT } from '../../lib/monitor-types.ts';

/** One run of a job. Times are epoch milliseconds. */
export interface Run {
  key: string;
  outcome: 'succeeded' | 'failed' | 'missed' | 'running';
  /** End of the run; its start while it runs; the end of the grace period of a run that did not come. */
  at: number;
  /** Milliseconds; null where no start is known. */
  duration: number | null;
  exitCode: number | null;
}

/** A failed run opens its incident within this time. */
const SAME_TIME_MS = 10_000;

/**
 * Newest runs of a job, the oldest first: its ends, a start without an end, and runs that did not come, which only the incidents
 * know.
 *
 * @param pings the newest first, as the API lists them
 */
export function runsOf(
  pings: readonly Ping[],
  incidents: readonly Pick<Incident, 'id' | 'type' | 'started_at'>[],
  most: number,
): Run[] {
  return [...endsOf(pings), ...openStart(pings), ...missedRuns(pings, incidents)]
    .toSorted((one, other) => one.at - other.at)
    .slice(-most);
}

/** Runs that did not come since the oldest of these pings. */
export function missedRuns(
  pings: readonly Ping[],
  incidents: readonly Pick<Incident, 'id' | 'type' | 'started_at'>[],
): Run[] {
  const oldest = Math.min(...pings.map(({ received_at }) => Date.parse(received_at)));
  return incidents
    .filter(({ type }) => type === JOB_INCIDENT)
    .map(({ id, started_at }) => ({ id, at: Date.parse(started_at) }))
    .filter(({ at }) => at >= oldest && !hasFailureAt(pings, at))
    .map(({ id, at }) => ({
      key: `incident ${id}`,
      outcome: 'missed',
      at,
      duration: null,
      exitCode: null,
    }));
}

function endsOf(pings: readonly Ping[]): Run[] {
  return pings.flatMap(({ id, kind, received_at, duration_ms, exit_code }) =>
    kind === 'success' || kind === 'failure'
      ? [
          {
            key: `ping ${id}`,
            outcome: kind === 'success' ? 'succeeded' : 'failed',
            at: Date.parse(received_at),
            duration: duration_ms,
            exitCode: exit_code,
          },
        ]
      : [],
  );
}

/** The run that began last, if no end of it has come. */
function openStart(pings: readonly Ping[]): Run[] {
  const newest = pings.findIndex(({ kind }) => kind === 'start');
  const start = pings[newest];
  if (start === undefined) return [];
  const hasEnded = pings
    .slice(0, newest)
    .some(
      ({ kind, run_id }) =>
        (kind === 'success' || kind === 'failure') &&
        (start.run_id === null || run_id === null || run_id === start.run_id),
    );
  if (hasEnded) return [];
  const at = Date.parse(start.received_at);
  return [{ key: `ping ${start.id}`, outcome: 'running', at, duration: null, exitCode: null }];
}

function hasFailureAt(pings: readonly Ping[], at: number): boolean {
  return pings.some(
    ({ kind, received_at }) =>
      kind === 'failure' && Math.abs(Date.parse(received_at) - at) < SAME_TIME_MS,
  );
}

/** What is to be said of a job first. */
export type JobState =
  | { kind: 'paused' | 'never' | 'late' }
  | { kind: 'running'; since: number }
  | { kind: 'failed'; at: number }
  | { kind: 'ran'; at: number; duration: number | null };

/** State of a job: whether it ran. */
export function jobStateOf(
  monitor: { is_paused: boolean; status: string; last_checked_at: string | null },
  runs: readonly Run[],
): JobState {
  if (monitor.is_paused) return { kind: 'paused' };
  const newest = runs.at(-1);
  if (newest === undefined) return { kind: monitor.status === 'offline' ? 'late' : 'never' };
  switch (newest.outcome) {
    case 'missed':
      return { kind: 'late' };
    case 'running':
      return { kind: 'running', since: newest.at };
    case 'failed':
      return { kind: 'failed', at: newest.at };
    case 'succeeded':
      return { kind: 'ran', at: newest.at, duration: newest.duration };
  }
}

/** Minutes that a zone is ahead of UTC at a time. */
export function offsetMinutes(at: number, zone: string): number {
  const name = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(name ?? '') ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** Writes an offset: "UTC+1", "UTC+5:30", "UTC". */
export function offsetText(minutes: number): string {
  if (minutes === 0) return 'UTC';
  const hours = Math.floor(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}

/** Expected times, each with the new offset where the clocks of the zone change before it. */
export function withClockChanges(
  times: readonly number[],
  zone: string,
  now: number,
): { at: number; change: string | null }[] {
  let offset = offsetMinutes(now, zone);
  return times.map((at) => {
    const next = offsetMinutes(at, zone);
    const change = next === offset ? null : offsetText(next);
    offset = next;
    return { at, change };
  });
}
