import { noun } from '../common/operation.ts';
import { createListIncidentRounds } from './rounds.ts';
import { z } from 'zod';
import { EXPLANATIONS } from '../../engine/verdict/incident-rounds.ts';
import { PING_KINDS } from '../../model/heartbeat.ts';
import { responseTimeMs, textOrNull, time, timings } from '../common/reference-schemas.ts';
import { REASONS } from './rounds.ts';

const REASON_CODES = Object.keys(REASONS) as [keyof typeof REASONS, ...(keyof typeof REASONS)[]];

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
    regions: z.array(
      z.object({
        region: z.string(),
        vote: z.enum(['up', 'down', 'unknown']),
        response_time: responseTimeMs,
        status_code: z.int().nullable(),
        failure_code: textOrNull,
        text: textOrNull.meta({ description: 'The failure as a sentence.' }),
        remote_address: textOrNull.meta({ description: 'Kept for failures only.' }),
        timings,
      }),
    ),
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
