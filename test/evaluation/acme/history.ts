import { CONDITIONS } from '../../../src/model/condition.ts';
import type { IncidentChange, SpanChange, SpanStatus } from '../../../src/model/incident.ts';
import type { NewestResult } from '../../../src/model/state.ts';
import { applyIncidentChanges } from '../../../src/engine/record/record.ts';
import type { Database } from '../../../src/store/database/contract.ts';
import { changeSpans } from '../../../src/store/engine/spans.ts';
import { storeRounds } from '../../support/history.ts';
import { REGIONS, roundOf } from '../../support/rounds.ts';
import { updateRows } from '../../support/rows.ts';
import { BEGINNING, evidenceOf, NOW, type Problem } from './incidents.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Response times in milliseconds; 100 for all others. */
const RESPONSE_TIMES: Record<string, number> = { API: 1_900, Search: 850, Website: 140 };

/** A monitor of the world. */
export interface Placed {
  id: number;
  teamId: number;
  name: string;
  isPush: boolean;
}

/** A problem begins. */
export function openingOf(problem: Problem, { id, teamId }: Placed): IncidentChange {
  const { condition, from, cause, code, regions } = problem;
  const { type, severity } = CONDITIONS[condition];
  return {
    kind: 'open',
    monitorId: id,
    teamId,
    type,
    condition,
    severity,
    at: from,
    status: { previous: 'online', current: statusIn(problem) },
    rootCause: cause,
    failureCode: code,
    regions: condition === 'regional' ? [...regions!] : null,
    evidence: evidenceOf(problem),
    from: null,
  };
}

/** A problem ends. */
export function endingOf(problem: Problem, { id, teamId }: Placed): IncidentChange {
  const { condition, to } = problem;
  return {
    kind: 'resolve',
    monitorId: id,
    teamId,
    type: CONDITIONS[condition].type,
    condition,
    at: to!,
    status: { previous: statusIn(problem), current: 'online' },
    reason: 'recovered',
    into: null,
  };
}

/** Records a change of an incident at its time, as the engine does. */
export async function recordChange(database: Database, change: IncidentChange): Promise<void> {
  await database.transaction((tx) => applyIncidentChanges(tx, [change], change.at));
}

/** Stores the statuses of a monitor over time, its results by the hour, and its state now. */
export async function storeHistory(
  database: Database,
  monitor: Placed,
  problems: readonly Problem[],
): Promise<void> {
  await storeSpans(database, monitor, problems);
  if (!monitor.isPush) await storeResults(database, monitor, problems);
  const open = problems.filter(({ to }) => to === null);
  await updateRows(
    database,
    'monitor_state',
    {
      status: open.length === 0 ? 'online' : statusIn(open[0]!),
      last_checked_at: NOW - MINUTE_MS,
      last_slot: NOW - MINUTE_MS,
      run_at: null,
      observed_until: NOW + 5 * MINUTE_MS,
      newest: JSON.stringify(monitor.isPush ? {} : newestOf(monitor, open)),
    },
    { monitor_id: monitor.id },
  );
}

function storeSpans(
  database: Database,
  { id, teamId }: Placed,
  problems: readonly Problem[],
): Promise<void> {
  const change = (status: SpanStatus, at: number): SpanChange => ({
    monitorId: id,
    teamId,
    status,
    at,
  });
  const changes = problems.flatMap((problem) => [
    change(statusIn(problem), problem.from),
    ...(problem.to === null ? [] : [change('online', problem.to)]),
  ]);
  return database.transaction((tx) => changeSpans(tx, [change('online', BEGINNING), ...changes]));
}

async function storeResults(
  database: Database,
  { id, teamId, name }: Placed,
  problems: readonly Problem[],
): Promise<void> {
  const responseTimeMs = RESPONSE_TIMES[name] ?? 100;
  const rounds = [];
  for (let startedAt = NOW - HOUR_MS; startedAt >= NOW - 7 * 24 * HOUR_MS; startedAt -= HOUR_MS) {
    const isDown = problems.some((one) => isDuring(one, startedAt) && statusIn(one) === 'offline');
    const round = roundOf(isDown ? 'dddd' : 'uuuu', {
      monitorId: id,
      teamId,
      startedAt,
      slot: startedAt,
      responseTimeMs,
    });
    rounds.push({
      round,
      kind: 'voted' as const,
      class: isDown ? ('down' as const) : ('up' as const),
    });
  }
  await storeRounds(database, rounds);
}

function newestOf({ name }: Placed, open: readonly Problem[]): Record<string, NewestResult> {
  const down = open.find((one) => statusIn(one) === 'offline');
  const result: NewestResult = {
    responseTimeMs: down === undefined ? (RESPONSE_TIMES[name] ?? 100) : null,
    statusCode: down === undefined ? 200 : (down.statusCode ?? null),
    checkedAt: NOW - MINUTE_MS,
    failure: down === undefined ? null : (down.code as NewestResult['failure']),
  };
  return Object.fromEntries(REGIONS.map((region) => [region, result]));
}

const statusIn = ({ condition }: Problem) =>
  CONDITIONS[condition].severity === 'critical' ? ('offline' as const) : ('degraded' as const);

const isDuring = ({ from, to }: Problem, time: number) =>
  from <= time && (to === null || time < to);
