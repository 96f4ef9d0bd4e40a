import {
  type Bounds,
  clockTolerance,
  CONFIRMATION_MS,
  leasesWithin,
  serversAway,
} from './bounds.ts';
import { judgeGaps, time, seconds } from './gaps.ts';
import { judgeDowntime, judgePings, judgeRounds, judgeSpans } from './history.ts';
import type { Records, ReceivedEvent, Outage } from './records.ts';
import type { Tables } from './tables.ts';

type Incident = Tables['incidents'][number];

/**
 * Rule: each outage that lasted long enough to be confirmed has exactly one incident, with its start and end within
 * bounds; a shorter one has at most one; there is no incident without an outage.
 */
function judgeIncidents(
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
function judgeOverlaps({ incidents }: Pick<Tables, 'incidents'>): string[] {
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

const DOWN = 'monitor.down';

const UP = 'monitor.up';

/**
 * Rule: the receiver got one event when an incident began and one when it ended, in order. The same event may come again,
 * which is what its id is for; a second id would be a second message.
 */
function judgeEvents(
  { events }: Pick<Records, 'events'>,
  { incidents, pending }: Pick<Tables, 'incidents' | 'pending'>,
): string[] {
  const problems: string[] = [];
  if (pending > 0) problems.push(`${pending} deliveries were never sent`);
  const byIncident = Map.groupBy(events, ({ incident }) => incident);
  const known = new Set<number | null>(incidents.map(({ id }) => id));
  for (const [incident, received] of byIncident) {
    if (known.has(incident)) continue;
    problems.push(`event ${received[0]!.event} of incident ${incident}, which does not exist`);
  }
  for (const { id, type, to, monitor } of incidents) {
    const about = `monitor ${monitor}: incident ${id} (${type})`;
    const received = byIncident.get(id) ?? [];
    const expected = to === null ? [DOWN] : [DOWN, UP];
    for (const name of expected) {
      const ids = new Set(received.filter(({ event }) => event === name).map((one) => one.id));
      if (ids.size !== 1) problems.push(`${about}: ${ids.size} events ${name}`);
    }
    const others = received.filter(({ event }) => !expected.includes(event));
    for (const { event } of others) problems.push(`${about}: unexpected event ${event}`);
  }
  return [...problems, ...judgeOrder(events)];
}

/** The first arrivals of the events of a monitor: down and up in turn. */
function judgeOrder(events: readonly ReceivedEvent[]): string[] {
  const groups = Map.groupBy(events, ({ monitor }) => monitor);
  return [...groups].flatMap(([monitor, own]) => {
    const seen = new Set<string>();
    const first = own.filter(({ id }) => seen.size < seen.add(id).size);
    const wrong = first.find(({ event }, index) => event !== (index % 2 === 0 ? DOWN : UP));
    return wrong === undefined
      ? []
      : [
          `monitor ${monitor}: event ${wrong.event} of incident ${wrong.incident} came out of order`,
        ];
  });
}

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
