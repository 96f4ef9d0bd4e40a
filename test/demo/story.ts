import { fanOut, stepAlerts } from '../../src/alerting/index.ts';
import { applyIncidentChanges } from '../../src/engine/record/record.ts';
import { silentLog } from '../../src/lib/log.ts';
import { CONDITIONS } from '../../src/model/condition.ts';
import type { IncidentChange, RegionEvidence } from '../../src/model/incident.ts';
import { createPublisher } from '../../src/status-page/publisher/publisher.ts';
import { isAlertDue } from '../../src/store/alerting/alerts.ts';
import { deliver } from './deliveries.ts';
import type { Desk } from './desk.ts';
import { answersOf, type DemoMonitor } from './history.ts';
import type { Problem } from './northwind/problems.ts';
import { statusDuring } from './timeline.ts';

/** Something that happens at a time, epoch milliseconds. */
export interface Step {
  at: number;
  do(): Promise<unknown>;
}

/** Time from the beginning of a problem to its confirmation by a second round. */
const CONFIRMED_MS = 21_000;
/** Time after which pages show a problem by themselves, and a little more. */
const SHOWN_MS = 5 * 60_000 + 1_000;
/** Steps of alerts at one time: an alert that stayed due would be a fault. */
const MAX_STEPS = 20;

/** The steps of all problems of monitors. */
export function problemSteps(desk: Desk, monitors: readonly DemoMonitor[], now: number): Step[] {
  return monitors.flatMap((monitor) =>
    monitor.problems.flatMap((problem) => stepsOf(desk, monitor, problem, now)),
  );
}

function stepsOf(desk: Desk, monitor: DemoMonitor, problem: Problem, now: number): Step[] {
  const began = now - problem.beganAgo;
  const ended = problem.endedAgo === null ? null : now - problem.endedAgo;
  const record = (at: number, change: IncidentChange): Step => ({
    at,
    do: () => desk.database.transaction((tx) => applyIncidentChanges(tx, [change], at)),
  });
  const confirmed = monitor.isPush ? began + 1_000 : began + CONFIRMED_MS;
  const steps = [record(confirmed, openingOf(monitor, problem, now))];
  const shown = began + SHOWN_MS;
  if (shown < (ended ?? now)) steps.push({ at: shown, do: async () => {} });
  const { acknowledged } = problem;
  if (acknowledged !== undefined)
    steps.push({
      at: began + acknowledged.afterMs,
      do: () => acknowledge(desk, monitor.id, acknowledged.by),
    });
  if (ended !== null) steps.push(record(ended + 1_000, endingOf(monitor, problem, ended)));
  return steps;
}

function openingOf(monitor: DemoMonitor, problem: Problem, now: number): IncidentChange {
  const { condition, cause, code } = problem;
  const { type, severity } = CONDITIONS[condition];
  return {
    kind: 'open',
    monitorId: monitor.id,
    teamId: monitor.teamId,
    type,
    condition,
    severity,
    at: now - problem.beganAgo,
    status: { previous: 'online', current: statusDuring(condition) },
    rootCause: cause,
    failureCode: code,
    regions: condition === 'regional' ? [...problem.regions!] : null,
    evidence: monitor.isPush ? [] : evidenceOf(monitor, problem, now),
    from: null,
  };
}

function endingOf(monitor: DemoMonitor, { condition }: Problem, ended: number): IncidentChange {
  return {
    kind: 'resolve',
    monitorId: monitor.id,
    teamId: monitor.teamId,
    type: CONDITIONS[condition].type,
    condition,
    at: ended,
    status: { previous: statusDuring(condition), current: 'online' },
    reason: 'recovered',
    into: null,
  };
}

/** What each region saw in the round that confirmed the problem. */
function evidenceOf(monitor: DemoMonitor, problem: Problem, now: number): RegionEvidence[] {
  const began = now - problem.beganAgo;
  const answers = answersOf(monitor, now);
  return monitor.regions.flatMap((region, index) => {
    const result = answers(region, began);
    if (result === null) return [];
    const { vote, failure, timings, statusCode, remoteAddress, evidence } = result;
    const checkedAt = began + 10_000 + index * 210;
    return {
      region,
      vantage: `probe-${region}`,
      failure,
      checkedAt,
      attempts: vote === 'down' ? [began, checkedAt] : [],
      timings,
      statusCode,
      remoteAddress,
      answer: evidence,
    };
  });
}

async function acknowledge({ database, carryOut, as }: Desk, monitorId: number, by: string) {
  const open = await database.read
    .selectFrom('incident')
    .select('id')
    .where('monitor_id', '=', monitorId)
    .where('ended_at', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  await carryOut('acknowledgeIncident', as(by), { id: open.id });
}

/** Runs steps in the order of their times, each with what the program does because of it. */
export async function play(desk: Desk, steps: readonly Step[], now: number): Promise<void> {
  for (const step of steps.toSorted((one, other) => one.at - other.at)) {
    desk.goTo(step.at);
    await step.do();
    await react(desk, step.at, now);
  }
}

/** Notifies people and programs, and updates status pages, as the program does every second. */
export async function react(desk: Desk, at: number, now: number): Promise<void> {
  const { database, clock } = desk;
  const options = { now: at, mail: true };
  while ((await fanOut(database, options)).events > 0);
  for (let left = MAX_STEPS; left > 0 && (await isAlertDue(database.read, at)); left -= 1)
    await stepAlerts(database, options);
  await deliver(database, at, now);
  await createPublisher({ database, clock, log: silentLog }).run();
}
