import { clockTolerance, leasesWithin, serversAway } from './bounds.ts';
import type { Bounds } from './bounds.ts';
import { seconds, time } from './gaps.ts';
import type { Records } from './records.ts';
import type { Tables } from './tables.ts';

type Span = Tables['spans'][number];

/** Milliseconds of the judged period by status. */
export function statusTimes(
  { plan }: Pick<Records, 'plan'>,
  spans: readonly Span[],
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { status, from, to } of spans) {
    const ms = Math.min(to ?? plan.to, plan.to) - Math.max(from, plan.from);
    if (ms > 0) sums[status] = (sums[status] ?? 0) + ms;
  }
  return sums;
}

/** Rule: uptime, downtime and unobserved time of a monitor are the whole period, and no time counts twice. */
export function judgeSpans(
  records: Pick<Records, 'plan'>,
  { spans }: Pick<Tables, 'spans'>,
): string[] {
  const { plan } = records;
  const periodMs = plan.to - plan.from;
  return plan.monitors.flatMap(({ id }) => {
    const own = spans.filter(({ monitor }) => monitor === id);
    const sum = Object.values(statusTimes(records, own)).reduce((a, b) => a + b, 0);
    const problems = own.flatMap((span, index) => {
      const expected = own[index + 1]?.from ?? null;
      return span.to === expected
        ? []
        : [`monitor ${id}: span ${span.id} ends at ${span.to}, the next one starts at ${expected}`];
    });
    if (sum !== periodMs) {
      problems.push(`monitor ${id}: its statuses cover ${sum} of ${periodMs} ms`);
    }
    return problems;
  });
}

/** Rule: no downtime is recorded that the target did not have. */
export function judgeDowntime(
  { plan, outages, faults }: Pick<Records, 'plan' | 'outages' | 'faults'>,
  { spans }: Pick<Tables, 'spans'>,
  { leaseMs, slackMs }: Bounds,
): string[] {
  const toleranceMs = clockTolerance(plan);
  return plan.monitors.flatMap(({ id, intervalMs }) => {
    const down = spans.filter(({ monitor, status }) => monitor === id && status === 'offline');
    const own = outages.filter(({ monitor }) => monitor === id);
    return down.flatMap(({ from, to }) => {
      const outage = own.findLast((one) => one.from - toleranceMs <= from);
      if (outage === undefined) return [`monitor ${id}: offline from ${time(from)} without outage`];
      const leases = leasesWithin(faults, outage.to - leaseMs, outage.to + intervalMs + leaseMs);
      const awayMs = serversAway(faults, outage.to, outage.to + intervalMs + leases * leaseMs);
      const latest = outage.to + intervalMs + leases * leaseMs + awayMs + slackMs + toleranceMs;
      const end = to ?? plan.to;
      return end <= latest
        ? []
        : [`monitor ${id}: offline for ${seconds(end - outage.to)} after its outage`];
    });
  });
}

/** A request leaves this much after the start of its round at most. */
const LATEST_REQUEST_MS = 15_000;

/** Rule: each stored round has a request of its own at the target, so none is stored twice or made up. */
export function judgeRounds(
  { plan, requests }: Pick<Records, 'plan' | 'requests'>,
  { rounds }: Pick<Tables, 'rounds'>,
): string[] {
  const toleranceMs = clockTolerance(plan);
  return plan.monitors.flatMap(({ id }) => {
    const of = (list: readonly { monitor: number; at: number }[]) =>
      list
        .filter(({ monitor }) => monitor === id)
        .map(({ at }) => at)
        .toSorted((a, b) => a - b);
    const seen = of(requests);
    let next = 0;
    return of(rounds.filter(({ at }) => at >= plan.from)).flatMap((at) => {
      while (next < seen.length && seen[next]! < at - toleranceMs) next += 1;
      const request = seen[next];
      if (request === undefined || request > at + LATEST_REQUEST_MS + toleranceMs) {
        return [`monitor ${id}: the round of ${time(at)} has no request of its own`];
      }
      next += 1;
      return [];
    });
  });
}

/** The service keeps this many pings of a job. */
const PINGS_KEPT = 1_000;

/** Rule: every ping that was acknowledged is stored, once. */
export function judgePings(
  { pings: acknowledged }: Pick<Records, 'pings'>,
  { pings: stored }: Pick<Tables, 'pings'>,
): string[] {
  const groups = Map.groupBy(acknowledged, ({ monitor }) => monitor);
  return [...groups].flatMap(([monitor, own]) => {
    const rows = stored.filter((one) => one.monitor === monitor);
    const counts = new Map<string | null, number>();
    for (const { mark } of rows) counts.set(mark, (counts.get(mark) ?? 0) + 1);
    // The oldest ones may have been deleted.
    const kept = rows.length < PINGS_KEPT ? own : own.slice(-PINGS_KEPT / 2);
    const lost = kept.filter(({ mark }) => !counts.has(mark));
    const repeated = own.filter(({ mark }) => (counts.get(mark) ?? 0) > 1);
    return [
      ...lost.map(({ mark, at }) => `job ${monitor}: ping ${mark} of ${time(at)} is lost`),
      ...repeated.map(({ mark }) => `job ${monitor}: ping ${mark} is stored twice`),
      ...numberProblems(monitor, rows),
    ];
  });
}

function numberProblems(monitor: number, rows: Tables['pings']): string[] {
  const numbers = rows.map((row) => row.number).toSorted((a, b) => a - b);
  const wrong = numbers.find((number, index) => index > 0 && number !== numbers[index - 1]! + 1);
  return wrong === undefined
    ? []
    : [`job ${monitor}: the numbers of its pings skip before ${wrong}`];
}
