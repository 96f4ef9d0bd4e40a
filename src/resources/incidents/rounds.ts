import { roundSettings } from '../../engine/schedule/request.ts';
import {
  explainIncident,
  votesNeeded,
  type ExplainedRound,
  type IncidentTimes,
  EXPLANATIONS,
} from '../../engine/verdict/incident-rounds.ts';
import { foundBy, INCIDENT_TYPES, type IncidentType } from '../../model/condition.ts';
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
import { shownAs } from '../common/answer.ts';
import { finderOf } from '../common/find.ts';
import { isoOrNull, isoTime, tenths } from '../common/time.ts';
import { requireMonitor } from '../monitors/find.ts';
import type { ViewDeps } from '../monitors/view.ts';
import { viewTimings } from './detail.ts';
import { type Call, noun } from '../common/operation.ts';
import { z } from 'zod';
import { PING_KINDS } from '../../model/heartbeat.ts';
import { responseTimeMs, textOrNull, time, timings } from '../common/reference-schemas.ts';

const REASONS = {
  not_kept: 'The single results of that time are not kept any more.',
  not_automatic: 'A person recorded this incident.',
  push: 'Its job reports by pings: nothing is checked from here.',
  inspection: 'An inspection found it, which runs once per target and not in rounds.',
  error_budget: 'It follows from the downtime of the period of the SLO, not from single rounds.',
} as const;
type Reason = keyof typeof REASONS;

interface IncidentRoundsDeps extends ViewDeps {
  database: Database;
  clock: Pick<Clock, 'now'>;
}

/** Shows the rounds that explain an incident. Throws `not_found` for ids of other teams. */
function createListIncidentRounds({ database, clock, secretBox }: IncidentRoundsDeps) {
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

  return async ({ caller, id }: Call) => {
    const incident = await requireIncident(database.read, caller, id);
    const monitor = await requireMonitor(database.read, caller, incident.monitor_id);
    const settings = readableSettings(monitor, secretBox);
    const type = INCIDENT_TYPES.find((one) => one === incident.type);
    const by = foundBy(incident.type);
    const isOfRounds = type !== undefined && by === 'rounds';
    const rounds = isOfRounds ? await explain(incident, type, settings) : [];
    const reason = rounds.length > 0 ? null : WITHOUT_ROUNDS[by ?? 'people'];
    return {
      incident_id: id,
      monitor_id: monitor.id,
      rule: isOfRounds ? viewRule(settings) : null,
      rounds,
      reason: reason && { code: reason, text: REASONS[reason] },
      expectation: by === 'pings' ? await expectation(monitor, incident) : null,
    };
  };
}

const requireIncident = finderOf('incident', findIncident);

/** Why an incident has no rounds, by what found it. */
const WITHOUT_ROUNDS = {
  rounds: 'not_kept',
  inspections: 'inspection',
  pings: 'push',
  'error budgets': 'error_budget',
  people: 'not_automatic',
} as const satisfies Record<string, Reason>;

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
    regions: round.results.map((result) => seen.view(result, texts?.get(result.region))),
  };
}

const REASON_CODES = Object.keys(REASONS) as [keyof typeof REASONS, ...(keyof typeof REASONS)[]];

/** What a region saw in a round. */
const seen = shownAs<StoredRound['results'][number], FailureText | undefined>()({
  region: [z.string(), ({ region }) => region],
  vote: [z.enum(['up', 'down', 'unknown']), ({ vote }) => vote],
  response_time: [responseTimeMs, ({ responseTimeMs: ms }) => tenths(ms)],
  status_code: [z.int().nullable(), ({ statusCode }) => statusCode],
  failure_code: [textOrNull, ({ failureCode }) => failureCode],
  text: [
    textOrNull.meta({ description: 'The failure as a sentence.' }),
    (_, failure) => failure?.text ?? null,
  ],
  remote_address: [
    textOrNull.meta({ description: 'Kept for failures only.' }),
    (_, failure) => failure?.address ?? null,
  ],
  timings: [timings, (result) => viewTimings(result.timings)],
});

const round = z
  .object({
    at: time.meta({ description: 'Start of the round.' }),
    verdict: z.enum(['up', 'regional', 'down', 'unknown']).meta({
      description: 'regional: some regions were down, or too few voted. unknown: none voted.',
    }),
    explanation: z.enum(EXPLANATIONS).meta({ description: 'Why the verdict is what it is.' }),
    votes: z
      .object({ voting: z.int(), down: z.int(), needed: z.int() })
      .meta({ description: 'Regions that voted and that were down, and those that must be.' }),
    bad_round: z.int().min(1).nullable().meta({
      description:
        'Position among the rounds that confirmed the incident, of `failure_threshold`; null for others, and where single results do not show the problem (`dual_stack`).',
    }),
    regions: z.array(z.object(seen.shape)),
  })
  .meta({ id: 'IncidentRound', description: 'Round of checks that explains an incident.' });

const answer = z
  .object({
    incident_id: z.int(),
    monitor_id: z.int(),
    rule: z
      .object({
        regions: z.int().meta({ description: 'Regions of the monitor.' }),
        votes_needed: z.int().meta({ description: 'Regions that must be down if all vote.' }),
        failure_threshold: z.int().meta({ description: 'Bad rounds in a row that confirm it.' }),
        recovery_threshold: z.int().meta({ description: 'Good rounds in a row that end it.' }),
        slow_response_threshold: z.int().nullable().meta({ description: 'Milliseconds.' }),
      })
      .nullable()
      .meta({ description: 'Settings of the monitor now; null where rounds do not decide.' }),
    rounds: z.array(round).meta({
      description:
        'In chronological order: the last good round before, at most ten of its confirmation, and the newest three.',
    }),
    reason: z
      .object({ code: z.enum(REASON_CODES), text: z.string() })
      .nullable()
      .meta({ description: 'Why there are no rounds; null where there are.' }),
    expectation: z
      .object({
        expected_at: time.nullable().meta({
          description: 'When a ping is expected now; in the past while it is missed.',
        }),
        grace_seconds: z.int(),
        last_ping: z
          .object({ kind: z.enum(PING_KINDS), received_at: time })
          .nullable()
          .meta({ description: 'Last ping when the incident began; null without one.' }),
      })
      .nullable()
      .meta({ description: 'For incidents of push monitors only.' }),
  })
  .meta({ id: 'IncidentRounds', description: 'Why an incident was opened, in rounds of checks.' });

export const listIncidentRounds = noun('Incidents', createListIncidentRounds, {
  listIncidentRounds: {
    at: 'GET /incidents/:id/rounds',
    summary: 'Get the rounds that explain an incident',
    description:
      'For "why does it count as down?": what each region saw before, during the confirmation and most recently. From single results, so it is empty once these are deleted.',
    answer,
    example: {
      answer: {
        incident_id: 1,
        monitor_id: 1,
        rule: null,
        rounds: [],
        reason: { code: 'not_automatic', text: REASONS.not_automatic },
        expectation: null,
      },
    },
  },
});
