import type { RuleCoverage } from '../coverage.ts';
import { isInScope } from '../../../src/engine/maintenance/window.ts';
import { union, uptime } from '../../../src/engine/history/uptime.ts';
import type { Interval } from '../../../src/engine/history/uptime.ts';
import type { SpanStatus } from '../../../src/model/incident.ts';
import type { Database } from '../../../src/store/database/contract.ts';
import { readRounds, type StoredRound } from '../../../src/store/engine/result-history.ts';
import { scopedMonitors } from '../../../src/store/resources/scoped-monitors.ts';
import type { AlertEnvironment } from '../alerts/environment.ts';
import type { OwnedMonitor } from '../operator.ts';
import { RESOLVING } from '../commit-checker.ts';
import type { Random } from '../random.ts';

export interface MaintenanceEndOptions {
  database: Database;
  environment: AlertEnvironment;
  monitors: ReadonlyMap<number, OwnedMonitor>;
  beganAt: number;
  now: number;
  random: Random;
  coverage: RuleCoverage;
  violate(rule: string): void;
}

/** Maintenance of each monitor as it actually took place: ordered, without overlaps. */
export type MaintenanceTimes = ReadonlyMap<number, readonly Interval[]>;

export async function maintenanceTimes(database: Database): Promise<MaintenanceTimes> {
  const rows = await database.read.selectFrom('maintenance_occurrence').selectAll().execute();
  const ids = await database.read.selectFrom('monitor').select('id').execute();
  const monitors = await scopedMonitors(
    database.read,
    ids.map(({ id }) => id),
  );
  return new Map(
    monitors.map((monitor) => {
      const own = rows.filter(({ monitors: named, groups, tags }) =>
        isInScope(
          { monitors: JSON.parse(named), groups: JSON.parse(groups), tags: JSON.parse(tags) },
          monitor,
        ),
      );
      return [monitor.id, union(own.map(({ from_at: from, to_at: to }) => ({ from, to })))];
    }),
  );
}

/** Whether the interval, including its end, overlaps maintenance of the monitor. */
export function overlapsMaintenance(
  times: MaintenanceTimes,
  monitorId: number,
  { from, to }: Interval,
): boolean {
  return times.get(monitorId)?.some((off) => off.from <= to && from < off.to) ?? false;
}

export function maintenanceAt(
  times: MaintenanceTimes,
  monitorId: number,
  at: number,
): Interval | null {
  return times.get(monitorId)?.find(({ from, to }) => from <= at && at < to) ?? null;
}

/** Alerts are held until maintenance ends, and nobody is notified of incidents that ended before. */
export async function checkMaintenanceAtEnd(options: MaintenanceEndOptions): Promise<void> {
  const times = await maintenanceTimes(options.database);
  await checkHolding(options, times);
  await checkFirstAlarms(options, times);
  await checkEarlyEnds(options);
  await checkExclusion(options, times);
}

async function checkHolding(
  { database, environment, coverage, violate }: MaintenanceEndOptions,
  times: MaintenanceTimes,
): Promise<void> {
  const { read } = database;
  const events = await read.selectFrom('event').selectAll().orderBy('id').execute();
  const deliveries = await read
    .selectFrom('delivery')
    .select(['body', 'created_at', 'incident_id'])
    .where('destination_id', '=', environment.destinations.endpoint)
    .execute();
  const reopened = await read
    .selectFrom('activity')
    .select('incident_id')
    .where('type', '=', 'reopened')
    .execute();
  const isReopened = new Set(reopened.map((row) => row.incident_id));
  const sentAt = new Map(deliveries.map((one) => [one.body, one.created_at]));
  for (const open of events) {
    // Events without a delivery keep neither kind.
    const isOpening = open.kind === 'open' || (open.kind === 'dropped' && !isEnd(open));
    if (!isOpening || open.incident_id === null) continue;
    const began = maintenanceAt(times, open.monitor_id, open.created_at);
    if (began === null) continue;
    coverage.held += 1;
    const at = sentAt.get(open.payload);
    if (at !== undefined && maintenanceAt(times, open.monitor_id, at) !== null)
      violate(`event ${open.id} of monitor ${open.monitor_id} was fanned out in maintenance`);
    const end = events.find((e) => e.incident_id === open.incident_id && isEnd(e));
    if (isReopened.has(open.incident_id) || end === undefined || end.created_at >= began.to)
      continue;
    coverage.neverNotified += 1;
    const isKnown = environment.receivers.channel.arrivals.some(({ content }) =>
      content.troubles.some(({ incidentId }) => incidentId === open.incident_id),
    );
    if (isKnown || sentAt.has(open.payload) || sentAt.has(end.payload))
      violate(
        `incident ${open.incident_id} began and ended in maintenance, but a notification was sent`,
      );
  }
}

const isEnd = ({ type }: { type: string }) => RESOLVING.test(type);

/** No first alarm is sent while all monitors of the alert are in maintenance. */
async function checkFirstAlarms(
  { database, environment, violate }: MaintenanceEndOptions,
  times: MaintenanceTimes,
): Promise<void> {
  const { read } = database;
  const deliveries = await read
    .selectFrom('delivery')
    .select(['alert_id', 'created_at'])
    .where('destination_id', '=', environment.destinations.channel)
    .where('alert_id', 'is not', null)
    .orderBy('id')
    .execute();
  const members = await read.selectFrom('alert_incident').selectAll().execute();
  for (const [alert, [first]] of Map.groupBy(deliveries, (one) => one.alert_id)) {
    const about = members.filter(
      (one) => one.alert_id === alert && one.joined_at <= first!.created_at,
    );
    const isHeld = (monitorId: number) =>
      maintenanceAt(times, monitorId, first!.created_at) !== null;
    if (about.length > 0 && about.every(({ monitor_id: id }) => isHeld(id)))
      violate(`alert ${alert}: an alarm was sent while all its monitors were in maintenance`);
  }
}

/** From the start of a round to its record: the longest deadline, and a slow database. */
const LONGEST_ROUND_MS = 40_000;

function hasOnlyGood(rounds: readonly StoredRound[], goodRounds: number): boolean {
  const last = rounds.slice(-goodRounds);
  return last.length === goodRounds && last.every((one) => one.class === 'up');
}

/** Only good rounds end a window early. */
async function checkEarlyEnds({
  database,
  monitors,
  coverage,
  violate,
}: MaintenanceEndOptions): Promise<void> {
  const windows = await database.read.selectFrom('maintenance_window').selectAll().execute();
  const times = await database.read.selectFrom('maintenance_occurrence').selectAll().execute();
  const known = await scopedMonitors(database.read, [...monitors.keys()]);
  for (const time of times) {
    const window = windows.find(({ id }) => id === time.window_id)!;
    if (time.to_at - time.from_at === window.ends_at - window.starts_at) continue;
    coverage.endedEarly += 1;
    const what = `maintenance window ${window.id}`;
    if (window.good_rounds === null) {
      violate(`${what} ended early though nothing may end it`);
      continue;
    }
    const scope = {
      monitors: JSON.parse(window.monitors) as number[],
      groups: JSON.parse(window.groups) as number[],
      tags: JSON.parse(window.tags) as string[],
    };
    for (const monitor of known.filter((one) => isInScope(scope, one))) {
      const era = monitors.get(monitor.id)!.eras.findLast(({ wall }) => wall <= time.to_at);
      if (era === undefined || era.isPaused || era.isDeleted) continue;
      const range = { from: time.from_at, to: time.to_at + 1 };
      const rounds = await readRounds(database, [monitor.id], range);
      const seen = rounds.filter((one) => one.kind === 'voted' && one.class !== 'unknown');
      // The last rounds may have been recorded after the window had ended.
      const wasKnown = ({ startedAt }: StoredRound) => startedAt + LONGEST_ROUND_MS <= time.to_at;
      const isPossible = (_: StoredRound, index: number) =>
        !seen.slice(index + 1).some(wasKnown) &&
        hasOnlyGood(seen.slice(0, index + 1), window.good_rounds!);
      if (!seen.some(isPossible))
        violate(
          `${what} ended early, though monitor ${monitor.id} did not have ${window.good_rounds} good rounds`,
        );
    }
  }
}

/** Downtime within maintenance is reported separately, and all parts add up to the period. */
async function checkExclusion(
  options: MaintenanceEndOptions,
  times: MaintenanceTimes,
): Promise<void> {
  const { database, beganAt, now, random, coverage, violate } = options;
  for (const [id, excluded] of times) {
    const rows = await database.read
      .selectFrom('status_span')
      .selectAll()
      .where('monitor_id', '=', id)
      .orderBy('id')
      .execute();
    const state = await database.read
      .selectFrom('monitor_state')
      .select('observed_until')
      .where('monitor_id', '=', id)
      .executeTakeFirst();
    const spans = rows.map(({ status, from_at: fromAt, to_at: toAt }) => ({
      status: status as SpanStatus,
      fromAt,
      toAt,
    }));
    const from = random.integer(beganAt - 60_000, now);
    const to = random.integer(from, now + 60_000);
    const observedUntil = state?.observed_until ?? null;
    const question = { spans, observedUntil, from, to, now };
    const all = uptime(question);
    const apart = uptime({ ...question, excluded });
    const end = Math.min(to, now, observedUntil ?? from);
    const down = spans
      .filter(({ status }) => status === 'offline')
      .map(({ fromAt, toAt }) => ({
        from: Math.max(from, fromAt),
        to: Math.min(end, toAt ?? end),
      }));
    const expected =
      lengthOf(union(down)) + lengthOf([...excluded]) - lengthOf(union([...down, ...excluded]));
    if (expected > 0) coverage.excluded += 1;
    const { upMs, degradedMs, downMs, excludedMs, unobservedMs } = apart;
    if (excludedMs !== expected || downMs !== all.downMs - expected)
      violate(`monitor ${id}: ${excludedMs} ms of downtime are excluded and should be ${expected}`);
    if (upMs + degradedMs + downMs + excludedMs + unobservedMs !== to - from)
      violate(
        `monitor ${id}: its times with maintenance do not add up to the ${to - from} ms of the period`,
      );
    if (upMs !== all.upMs || unobservedMs !== all.unobservedMs)
      violate(`monitor ${id}: maintenance changed its time up or unobserved`);
  }
}

const lengthOf = (intervals: readonly Interval[]) =>
  intervals.reduce((sum, { from, to }) => sum + Math.max(0, to - from), 0);
