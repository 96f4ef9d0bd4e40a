import type { Bounds } from './bounds.ts';
import { judgeEvents } from './events.ts';
import { judgeGaps, time } from './gaps.ts';
import { judgeDowntime, judgePings, judgeRounds, judgeSpans } from './history.ts';
import { judgeIncidents, judgeOverlaps } from './incidents.ts';
import type { Records } from './records.ts';
import type { Tables } from './tables.ts';

/** All rules of a run. Returns what is wrong, a line each. Pure. */
export function judge(records: Records, tables: Tables, bounds: Bounds): string[] {
  return [
    ...judgeCoverage(records, tables),
    ...judgeEnds(records),
    ...judgeRoles(records, bounds),
    ...judgeGaps(records, bounds),
    ...judgeIncidents(records, tables, bounds),
    ...judgeOverlaps(tables),
    ...judgeEvents(records, tables),
    ...judgePings(records, tables),
    ...judgeSpans(records, tables),
    ...judgeDowntime(records, tables, bounds),
    ...judgeRounds(records, tables),
  ];
}

/** Rule: a run in which nothing happened proves nothing. */
function judgeCoverage({ plan, requests, pings, faults }: Records, { rounds }: Tables): string[] {
  const counts = {
    monitors: plan.monitors.length,
    requests: requests.length,
    pings: pings.length,
    faults: faults.length,
    rounds: rounds.length,
  };
  return Object.entries(counts)
    .filter(([, count]) => count === 0)
    .map(([name]) => `nothing was tried: no ${name}`);
}

/** Rule: a process that gets SIGTERM ends in time, with all that it had to store. */
function judgeEnds({ faults }: Records): string[] {
  return faults
    .filter(({ exitCode = 0 }) => exitCode !== 0)
    .map(
      ({ process, at, exitCode }) =>
        `${process} ended with ${exitCode} after SIGTERM at ${time(at)}`,
    );
}

/** Time until a role that was killed is reported: until it is missed, until that counts, and until another process takes over. */
const MISSED_WITHIN_MS = 30_000 + 60_000 + 30_000;
/** Time without an observation after which a problem is over. */
const OVER_WITHIN_MS = 60_000 + 30_000;

/** Rule: the operators are told of each role that no process has for minutes, of its return, and of no other role. */
function judgeRoles({ plan, faults, problems }: Records, { slackMs }: Bounds): string[] {
  const missing = problems.filter(({ kind }) => kind === 'role_missing');
  const away = faults.flatMap(({ role, at, until }) =>
    role === undefined || until === null ? [] : [{ role, at, until }],
  );
  const find = (type: string, role: string, from: number, to: number) =>
    missing.some(
      (one) => one.type === type && one.subject === role && one.at >= from && one.at <= to,
    );
  const unheard = away.flatMap(({ role, at, until }) => {
    const about = `no process had the role ${role} from ${time(at)} to ${time(until)}`;
    const missedAt = at + MISSED_WITHIN_MS + slackMs;
    const overAt = until + OVER_WITHIN_MS + slackMs;
    if (missedAt > until) return [];
    if (!find('installation.problem_opened', role, at, missedAt)) return [`${about}, unreported`];
    const isOver = overAt > plan.to || find('installation.problem_ended', role, until, overAt);
    return isOver ? [] : [`${about}: the report of its return is missing`];
  });
  const wrong = missing.filter(
    ({ type, subject, at }) =>
      type === 'installation.problem_opened' &&
      !away.some((one) => one.role === subject && at >= one.at && at <= one.until + slackMs),
  );
  return [
    ...unheard,
    ...wrong.map(({ subject, at }) => `the role ${subject} was reported as missing at ${time(at)}`),
  ];
}
