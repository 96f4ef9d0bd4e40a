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
