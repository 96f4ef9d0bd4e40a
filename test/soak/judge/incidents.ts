import { clockTolerance, CONFIRMATION_MS, leasesWithin, serversAway } from './bounds.ts';
import type { Bounds } from './bounds.ts';
import { seconds, time } from './gaps.ts';
import type { Outage, Records } from './records.ts';
import type { Tables } from './tables.ts';

type Incident = Tables['incidents'][number];

/**
 * Rule: each outage that lasted long enough to be confirmed has exactly one incident, with its start and end within
 * bounds; a shorter one has at most one; there is no incident without an outage.
 */
export function judgeIncidents(
  records: Pick<Records, 'plan' | 'outages' | 'faults'>,
  { incidents }: Pick<Tables, 'incidents'>,
  bounds: Bounds,
): string[] {
  const { plan, outages } = records;
  const toleranceMs = clockTolerance(plan);
  const problems: string[] = [];
  const matched = new Set<Incident>();
  for (const { id, intervalMs } of plan.monitors) {
    const own = incidents.filter((one) => one.monitor === id && one.type === 'uptime');
    for (const outage of outages.filter(({ monitor }) => monitor === id)) {
      const within = own.filter(
        ({ from }) => from >= outage.from - toleranceMs && from <= outage.to + toleranceMs,
      );
      for (const one of within) matched.add(one);
      const about = `monitor ${id}: outage from ${time(outage.from)} for ${seconds(outage.to - outage.from)}`;
      const [first] = within;
      if (within.length > 1) problems.push(`${about} has ${within.length} incidents`);
      const allowed = allowedTimes(records, outage, intervalMs, bounds);
      const isLong = outage.to - outage.from > allowed.noticedMs && outage.to <= plan.to;
      if (first === undefined) {
        if (isLong) problems.push(`${about} has no incident`);
        continue;
      }
      if (first.from > outage.from + allowed.firstMs + toleranceMs) {
        problems.push(`${about}: its incident starts ${seconds(first.from - outage.from)} late`);
      }
      problems.push(...endProblems(first, outage, { about, plan, toleranceMs, ...allowed }));
    }
  }
  for (const one of incidents.filter((each) => !matched.has(each))) {
    problems.push(
      `monitor ${one.monitor}: incident ${one.id} (${one.type}) from ${time(one.from)} has no outage`,
    );
  }
  return problems;
}

interface Allowed {
  /** Time until the first bad round, and until the outage is confirmed. */
  firstMs: number;
  noticedMs: number;
  /** Time from the end of the outage until a round sees it. */
  endedMs: number;
}

function allowedTimes(
  { faults }: Pick<Records, 'faults'>,
  outage: Outage,
  intervalMs: number,
  { leaseMs, slackMs }: Bounds,
): Allowed {
  const within = (from: number, forMs: number) => {
    const to = from + forMs + leaseMs;
    const leases = leasesWithin(faults, from - leaseMs, to);
    const awayMs = serversAway(faults, from, to + leases * leaseMs);
    return forMs + leases * leaseMs + awayMs + slackMs;
  };
  return {
    firstMs: within(outage.from, intervalMs),
    noticedMs: within(outage.from, intervalMs + CONFIRMATION_MS),
    endedMs: within(outage.to, intervalMs),
  };
}

function endProblems(
  { to }: Incident,
  outage: Outage,
  {
    about,
    plan,
    toleranceMs,
    endedMs,
  }: Allowed & { about: string; plan: Records['plan']; toleranceMs: number },
): string[] {
  const latest = outage.to + endedMs + toleranceMs;
  if (to === null) return latest < plan.to ? [`${about}: its incident is still open`] : [];
  if (to < outage.to - toleranceMs) {
    return [`${about}: its incident ends ${seconds(outage.to - to)} before it`];
  }
  return to > latest ? [`${about}: its incident ends ${seconds(to - outage.to)} after it`] : [];
}

/** Rule: at no time a monitor has two open incidents of one type. */
export function judgeOverlaps({ incidents }: Pick<Tables, 'incidents'>): string[] {
  const groups = Map.groupBy(incidents, ({ monitor, type }) => `${monitor} ${type}`);
  return [...groups].flatMap(([key, own]) => {
    const sorted = own.toSorted((a, b) => a.from - b.from);
    return sorted.flatMap(({ to, id }, index) => {
      const next = sorted[index + 1];
      const isOver = next === undefined || (to !== null && to <= next.from);
      return isOver ? [] : [`monitor ${key}: incidents ${id} and ${next.id} overlap`];
    });
  });
}
