import { enumerated } from '../../lib/text.ts';
import type { HeartbeatCode } from '../../model/failure.ts';
import type { Heartbeat, Ping } from '../../model/heartbeat.ts';

type Missed = Pick<Heartbeat, 'expectedAt' | 'armedAt' | 'firstPingAt' | 'runs'>;

interface HeartbeatCause {
  /** One sentence without a full stop. */
  rootCause: string;
  failureCode: HeartbeatCode;
}

/**
 * Cause of a missed ping: the ping that was expected did not come within `graceMs` milliseconds. A run that began while
 * it was waited for is named: then a ping did come, and only the end is missing.
 */
export function missedCause(
  { expectedAt, armedAt, firstPingAt, runs }: Missed,
  graceMs: number,
): HeartbeatCause {
  const time = timeOf(expectedAt);
  const begun = runs.findLast(({ startedAt }) => startedAt >= armedAt);
  if (begun !== undefined) {
    const inTime = graceMs === 0 ? time : `${time} or in the ${spanOf(graceMs)} after`;
    return {
      rootCause: `The run that started at ${timeOf(begun.startedAt)} did not end in time: its end was expected at ${inTime}`,
      failureCode: 'ping_missed',
    };
  }
  const rootCause =
    firstPingAt === null
      ? `No ping ever came; one was expected at ${time}`
      : graceMs === 0
        ? `No ping came at ${time}, when it was expected`
        : `No ping came at ${time}, when it was expected, nor in the ${spanOf(graceMs)} after`;
  return { rootCause, failureCode: 'ping_missed' };
}

export function failureCause({ exitCode }: Pick<Ping, 'exitCode'>): HeartbeatCause {
  const rootCause =
    exitCode === null ? 'The job reported a failure' : `The job ended with exit code ${exitCode}`;
  return { rootCause, failureCode: 'job_failed' };
}

export function unfinishedCause(startedAt: number, maxRuntimeMs: number): HeartbeatCause {
  const rootCause = `The run that started at ${timeOf(startedAt)} did not finish within ${lengthOf(maxRuntimeMs)}`;
  return { rootCause, failureCode: 'run_unfinished' };
}

/** A time such as `2026-11-21 02:00:00 UTC`. */
function timeOf(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** A period as it follows `the`: minute, 5 minutes. */
function spanOf(ms: number): string {
  return lengthOf(ms).replace(/^1 (?=\w+$)/, '');
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A duration such as `1 hour and 30 minutes`. */
function lengthOf(milliseconds: number): string {
  const parts: string[] = [];
  let left = Math.round(milliseconds / 1_000);
  for (const [name, seconds] of UNITS) {
    const count = Math.floor(left / seconds);
    left -= count * seconds;
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`);
  }
  return enumerated(parts) || '0 seconds';
}
