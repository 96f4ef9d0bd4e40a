import type { FinalCheckOptions } from '../final-checks.ts';
import { uptimeOf } from '../../../src/engine/history/stored-uptime.ts';
import { listGaps } from '../../../src/store/engine/process-marks.ts';
import { timeOf } from '../story.ts';
import { isAnswered } from './jobs.ts';
import type { Attempt } from './jobs.ts';
import { EARLIEST_MS } from './job.ts';
import type { JobKind, PushSettings } from './scenario.ts';
import { PING_LIMIT } from './scenario.ts';
import type { PushChecker } from './commit-checker.ts';
import type { FailureReport, TrackedPush } from './tracked-push.ts';

export interface PushEndOptions extends FinalCheckOptions {
  checker: PushChecker;
  attempts: readonly Attempt[];
}

/** A ping that was sent this long before it was expected may count for it. */
const EARLY_MS = 60_000;
/** Largest difference between the clocks of two processes. */
const SKEW_MS = 1_000;
/** A ping that arrives at most this long after a deadline is still in time. */
const SETTLE_MS = 3_000;
/** Jobs that always ping in time. */
const RELIABLE: readonly JobKind[] = ['steady', 'twice', 'running'];
/** Callers hang up after this time. */
const CALLER_TIMEOUT_MS = 10_000;

/** Checks of jobs that need the complete history of the world. */
export async function checkPushesAtEnd(options: PushEndOptions): Promise<void> {
  const { checker, attempts, coverage } = options;
  for (const report of checker.failureReports) checkFailureReport(options, report);
  for (const found of checker.tracked.values()) {
    const { id, scenario } = found.push;
    if (RELIABLE.includes(scenario.job.kind)) coverage.reliable += 1;
    const own = attempts.filter((attempt) => attempt.monitorId === id);
    coverage.lostCalls += own.filter((one) => !isAnswered(one) && one.outcome !== null).length;
    await checkPings(options, found, own);
    if (options.isClockSteady) await checkUptime(options, found);
  }
}

/** No job is reported as failed if it pinged in time, even if the service missed the ping. */
function checkFailureReport(
  { attempts, isClockSteady, wallAt, violate }: PushEndOptions,
  { push, of, from, to, runId, at, commit, since, ...circumstances }: FailureReport,
): void {
  const own = attempts.filter(({ monitorId, kind, sentAt }) => {
    return monitorId === push.id && (kind === 'success' || kind === 'failure') && sentAt <= at;
  });
  const ends = own.filter(({ sentAt, runId: id }) => {
    if (of === 'run' && id !== runId) return false;
    // The clock was set back: a ping sent at the first occurrence of a time does not count for its second one.
    return isClockSteady || of === 'run' || sentAt >= since - EARLY_MS;
  });
  const isBetween = ({ sentAt }: Attempt, toleranceMs: number) =>
    wallAt(sentAt) > from - toleranceMs && wallAt(sentAt) <= to + toleranceMs;
  /** Whether the clock was set back later, and showed the time of a call once more until the report. */
  const occursAgain = ({ sentAt }: Attempt) => {
    const setBackMs = at - sentAt - (wallAt(at) - wallAt(sentAt));
    return setBackMs > 0 && sentAt + setBackMs <= at;
  };
  const call = ends.find((one) => {
    const { row, outcome, isStranded } = one;
    // Nobody can know of a call that was lost at the first occurrence of a time.
    if (row === null && occursAgain(one)) return false;
    const isRefused = outcome === 'ignored' || outcome === 'limited' || outcome === 'unknown';
    if (isStranded || !isBetween(one, 0)) return false;
    return row === null ? !isRefused : row.commit >= commit;
  });
  const { isExcused, isEdited, isHurried } = circumstances;
  const what = of === 'run' ? 'as overrunning' : 'as silent';
  const times = `from ${timeOf(from - wallAt(0))} to ${timeOf(to - wallAt(0))}`;
  if (call && !isExcused)
    violate(`monitor ${push.id} is reported ${what} ${times}, but sent ping ${call.number}`);
  // The end of the run may have been recorded by the other process before its start.
  const begun = of === 'run' ? attempts.find((one) => isBeginning(one, push.id, from)) : undefined;
  const isOvertaken =
    begun !== undefined &&
    (begun.isStranded ||
      ends.some(
        (end) =>
          end.sentAt > begun.sentAt && (end.row?.number ?? Infinity) < (begun.row?.number ?? 0),
      ));
  const { schedule, graceMs } = push.eras.at(-1)!.settings;
  const isUnavoidable =
    isOvertaken ||
    // A rejected ping would have moved the deadline, or have ended the run.
    ends.some(
      (one) =>
        one.outcome === 'limited' &&
        (of === 'run' ? wallAt(one.sentAt) >= from : one.sentAt >= since) &&
        wallAt(one.sentAt) <= to + SETTLE_MS,
    ) ||
    ends.some((one) => one.isStranded && isBetween(one, SETTLE_MS + SKEW_MS)) ||
    // The next one, lost while none listened, came earlier than what counts for that deadline.
    (attempts.some((one) => isArmedLate(one, push.id, wallAt(since))) &&
      ends.some(
        ({ outcome, sentAt }) =>
          outcome === 'no_listener' && sentAt >= since && wallAt(sentAt) < from,
      )) ||
    // The run that was waited for came early, and was lost, or ignored in a pause, before the wait began.
    (schedule.kind === 'cron' &&
      own.some((one) => {
        const earlyMs = to - graceMs - wallAt(one.sentAt);
        const isLost = !isAnswered(one) || one.outcome === 'ignored';
        return isLost && wallAt(one.sentAt) < from && earlyMs <= EARLIEST_MS;
      })) ||
    (schedule.kind === 'cron' && isOffByOne(own, { schedule, before: from, wallAt }));
  const isReliable = RELIABLE.includes(push.scenario.job.kind) && !isUnavoidable;
  const isRushed = isHurried && push.eras[0]!.settings.schedule.kind === 'interval';
  if (isReliable && !isExcused && !isEdited && !isRushed)
    violate(`monitor ${push.id} is reported ${what} ${times}, but always pinged in time`);
}

/**
 * Whether a ping was lost and all later ones up to that time were early, so that each counted as the late one of the
 * time before. The service can't tell the two apart.
 */
function isOffByOne(
  own: readonly Attempt[],
  {
    schedule,
    before,
    wallAt,
  }: { schedule: PushSettings['schedule']; before: number; wallAt(at: number): number },
): boolean {
  const isEarly = ({ sentAt }: Attempt) =>
    schedule.everyMs - (wallAt(sentAt) % schedule.everyMs) <= EARLIEST_MS;
  const earlier = own.filter(({ sentAt }) => wallAt(sentAt) <= before);
  const last = earlier.findLast((one) => !isAnswered(one) || !isEarly(one));
  return last !== undefined && !isAnswered(last) && earlier.at(-1) !== last;
}

/** Whether this ping armed a deadline at that time, long after it was sent to a frozen process. */
function isArmedLate(
  { monitorId, outcome, row, takenAt }: Attempt,
  id: number,
  at: number,
): boolean {
  const isTaken = row !== null && Math.abs(takenAt! - at) <= SETTLE_MS;
  return monitorId === id && outcome === 'gone' && isTaken;
}

function isBeginning({ monitorId, kind, takenAt }: Attempt, id: number, from: number): boolean {
  return monitorId === id && kind === 'start' && takenAt === from;
}

/** Exactly the recorded pings are stored. */
async function checkPings(
  { database, isClockSteady, violate }: PushEndOptions,
  { push: { id } }: TrackedPush,
  attempts: readonly Attempt[],
): Promise<void> {
  const stored = await database.read
    .selectFrom('ping')
    .select(['number', 'at', 'body'])
    .where('monitor_id', '=', id)
    .orderBy('number')
    .execute();
  const rows = stored.map(({ number, body }) => `${number}: ${body}`);
  const expected = attempts
    .flatMap(({ row, number }) => (row === null ? [] : [{ row: row.number, number }]))
    .toSorted((a, b) => a.row - b.row);
  if (rows.join() !== expected.map(({ row, number }) => `${row}: ${number}`).join())
    violate(`monitor ${id}: its pings are not those that were recorded`);
  if (!isClockSteady) return;
  stored.forEach(({ at }, index) => {
    const later = stored[index + 2 * PING_LIMIT];
    if (later && later.at - at < 60_000)
      violate(`monitor ${id}: more than ${2 * PING_LIMIT} pings in a minute`);
  });
}

/**
 * Time in which the service was down or the monitor paused is unobserved; other time is not once its state is known.
 */
async function checkUptime(options: PushEndOptions, found: TrackedPush): Promise<void> {
  const { database, disturbances, wallAt, until, random, coverage } = options;
  const { id, eras } = found.push;
  const violate = (rule: string) => options.violate(`monitor ${id}: ${rule}`);
  const now = wallAt(until);
  const uptimeBetween = async (from: number, to: number) =>
    (await uptimeOf(database, [id], { from, to, now }))[0]!.whole;
  const expectUnobserved = async (since: number, to: number, why: string) => {
    // Time before the monitor existed belongs to no period.
    const from = Math.max(since, eras[0]!.wall);
    if (to <= from) return;
    coverage.unobserved += 1;
    const wrong = to - from - (await uptimeBetween(from, to)).unobservedMs;
    const times = `${timeOf(from - wallAt(0))} to ${timeOf(to - wallAt(0))}`;
    if (wrong > 0) violate(`${wrong} ms of ${times} count as observed, though ${why}`);
  };

  for (const [index, era] of eras.entries()) {
    if (era.isPaused || era.isDeleted)
      await expectUnobserved(era.wall, eras[index + 1]?.wall ?? now, 'it was paused or deleted');
  }
  const gaps = await listGaps(database.read, 0);
  for (const { from, to } of gaps)
    await expectUnobserved(Math.max(from, wallAt(0)), to, 'no process was listening');
  for (const { kind, from, to } of disturbances) {
    const isLong = kind === 'away' || (kind === 'frozen' && to - from > CALLER_TIMEOUT_MS);
    // Excludes a step of the clock at the very end.
    if (isLong) await expectUnobserved(wallAt(from), wallAt(to - 1), `the process was ${kind}`);
  }

  if (found.knownFrom !== null) {
    const since = Math.max(found.knownFrom, ...gaps.map((gap) => gap.to));
    const { unobservedMs } = await uptimeBetween(since, now);
    coverage.observed += 1;
    if (unobservedMs > 0) violate(`${unobservedMs} ms since ${since} count as unobserved`);
  }
  for (let draw = 0; draw < 3; draw += 1) {
    const from = random.integer(wallAt(0) - 60_000, now);
    const to = random.integer(from, now + 60_000);
    const { upMs, degradedMs, downMs, excludedMs, unobservedMs } = await uptimeBetween(from, to);
    const parts = [upMs, degradedMs, downMs, excludedMs, unobservedMs];
    coverage.jobPartition += 1;
    // Time before the monitor existed belongs to no period.
    const period = Math.max(0, to - Math.max(from, eras[0]!.wall));
    const isWhole = parts.reduce((sum, part) => sum + part, 0) === period;
    if (!isWhole || parts.some((part) => part < 0))
      violate(`${parts.join(' + ')} is not the ${period} ms of its period`);
  }
}
