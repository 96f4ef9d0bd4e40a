import { roundSettings } from '../../engine/schedule/request.ts';
import {
  explainIncident,
  votesNeeded,
  type ExplainedRound,
  type IncidentTimes,
} from '../../engine/verdict/incident-rounds.ts';
import type { Caller } from '../../identity/caller.ts';
import { INCIDENT_TYPES, TYPES_OF_ROUNDS, type IncidentType } from '../../model/condition.ts';
import type { Clock } from '../../lib/clock.ts';
import type { MonitorSettings } from '../../monitor-types/fields.ts';
import { readableSettings } from '../../monitor-types/settings.ts';
import type { Database } from '../../store/database/contract.ts';
import { listPings } from '../../store/engine/pings.ts';
import {
  readFailureTexts,
  readRounds,
  type FailureText,
  type StoredRound,
} from '../../store/engine/result-history.ts';
import { rangesAround, readKeptRounds, type KeptRound } from '../../store/engine/kept-rounds.ts';
import { findIncident, type IncidentRow } from '../../store/resources/incidents.ts';
import type { MonitorRow } from '../../store/resources/monitors.ts';
import { authorize } from '../common/errors.ts';
import { finderOf } from '../common/find.ts';
import { isoOrNull, isoTime, tenths } from '../common/time.ts';
import { requireMonitor } from '../monitors/find.ts';
import type { ViewDeps } from '../monitors/view.ts';
import { viewTimings } from './view.ts';

export const REASONS = {
  not_kept: 'The single results of that time are not kept any more.',
  not_automatic: 'A person recorded this incident.',
  push: 'Its job reports by pings: nothing is checked from here.',
  inspection: 'An inspection found it, which runs once per target and not in rounds.',
  error_budget: 'It follows from the downtime of the period of the SLO, not from single rounds.',
} as const;
type Reason = keyof typeof REASONS;

/** Shows the rounds that explain an incident. Throws `not_found` for ids of other teams. */
type ListIncidentRounds = (caller: Caller, id: number) => Promise<object>;

interface IncidentRoundsDeps extends ViewDeps {
  database: Database;
  clock: Pick<Clock, 'now'>;
}

export function createListIncidentRounds(deps: IncidentRoundsDeps): ListIncidentRounds {
  const { database, clock, secretBox } = deps;

  /** Reads the rounds around the begin and the end of an incident, in chronological order, whether their day is kept or not. */
  async function readAround(
    incident: IncidentRow,
    times: IncidentTimes,
    intervalMs: number,
  ): Promise<(StoredRound | KeptRound)[]> {
    const ranges = rangesAround(times, intervalMs, clock.now());
    // The kept ones last: a day that goes out of use meanwhile is among them.
    const parts = await Promise.all(
      ranges.map((range) => readRounds(database, [incident.monitor_id], range)),
    );
    const kept = await readKeptRounds(database, incident);
    const byStart = new Map([...kept, ...parts.flat()].map((round) => [round.startedAt, round]));
    return [...byStart.values()]
      .filter(({ kind }) => kind === 'voted')
      .toSorted((a, b) => a.startedAt - b.startedAt);
  }

  async function explain(
    incident: IncidentRow,
    type: IncidentType,
    settings: MonitorSettings,
  ): Promise<object[]> {
    const rule = roundSettings(settings, []);
    const times = {
      type,
      startedAt: incident.started_at,
      confirmedAt: incident.created_at,
      endedAt: incident.ended_at,
    };
    const rounds = await readAround(incident, times, rule.intervalMs);
    const explained = explainIncident(rounds, times, rule);
    const starts = explained.map(({ round }) => round.startedAt);
    const texts = await readFailureTexts(database, incident.monitor_id, starts);
    return explained.map((one) => {
      const { round } = one;
      return viewRound(one, 'texts' in round ? round.texts : texts.get(round.startedAt));
    });
  }

  /** What a push monitor waited for. */
  async function expectation(monitor: MonitorRow, incident: IncidentRow): Promise<object> {
    const query = { to: incident.started_at + 1, offset: 0, limit: 1 };
    const { pings } = await listPings(database, monitor.id, query);
    const [last] = pings;
    return {
      expected_at: isoOrNull(monitor.heartbeat_expected_at),
      grace_seconds: monitor.heartbeat_grace ?? 0,
      last_ping: last === undefined ? null : { kind: last.kind, received_at: isoTime(last.at) },
    };
  }

  return async (caller, id) => {
    authorize(caller, 'read');
    const incident = await requireIncident(database.read, caller, id);
    const monitor = await requireMonitor(database.read, caller, incident.monitor_id);
    const settings = readableSettings(monitor, secretBox);
    const type = INCIDENT_TYPES.find((one) => one === incident.type);
    const isOfRounds = type !== undefined && TYPES_OF_ROUNDS.includes(type);
    const rounds = isOfRounds ? await explain(incident, type, settings) : [];
    const reason = rounds.length > 0 ? null : reasonOf(type);
    return {
      incident_id: id,
      monitor_id: monitor.id,
      rule: isOfRounds ? viewRule(settings) : null,
      rounds,
      reason: reason && { code: reason, text: REASONS[reason] },
      expectation: type === 'heartbeat' ? await expectation(monitor, incident) : null,
    };
  };
}

const requireIncident = finderOf('incident', findIncident);

/** Why an incident has no rounds. */
function reasonOf(type: IncidentType | undefined): Reason {
  if (type === undefined) return 'not_automatic';
  if (type === 'heartbeat') return 'push';
  if (type === 'error_budget') return 'error_budget';
  return TYPES_OF_ROUNDS.includes(type) ? 'not_kept' : 'inspection';
}

function viewRule(settings: MonitorSettings) {
  const regions = settings.monitored_regions.length;
  return {
    regions,
    votes_needed: votesNeeded(regions),
    failure_threshold: settings.failure_threshold,
    recovery_threshold: settings.recovery_threshold,
    slow_response_threshold: settings.slow_response_threshold,
  };
}

function viewRound(
  { round, explanation, badRound }: ExplainedRound<StoredRound>,
  texts: ReadonlyMap<string, FailureText> | undefined,
) {
  const voting = round.results.filter(({ vote }) => vote !== 'unknown').length;
  return {
    at: isoTime(round.startedAt),
    verdict: round.class,
    explanation,
    votes: {
      voting,
      down: round.results.filter(({ vote }) => vote === 'down').length,
      needed: votesNeeded(voting),
    },
    bad_round: badRound,
    regions: round.results.map((result) => ({
      region: result.region,
      vote: result.vote,
      response_time: tenths(result.responseTimeMs),
      status_code: result.statusCode,
      failure_code: result.failureCode,
      text: texts?.get(result.region)?.text ?? null,
      remote_address: texts?.get(result.region)?.address ?? null,
      timings: viewTimings(result.timings),
    })),
  };
}
