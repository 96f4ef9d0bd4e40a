import { z } from 'zod';
import { SEVERITIES } from '../../model/condition.ts';
import { INCIDENT_SORTS } from '../../store/resources/incident-path.ts';
import { Findings, queryNumber, readBody, required } from '../common/input.ts';
import { oneOf, text } from '../../lib/schemas.ts';
import { PAGE_QUERY } from '../common/page.ts';
import { INCIDENT_LIST_TYPES, INCIDENT_STATUSES } from './facts.ts';
import { dateTime, queryDay, since1970 } from '../common/time-input.ts';

/** Tolerance for clocks that are ahead of the server's. */
const FUTURE_MS = 5 * 60_000;
const ROOT_CAUSE_LENGTH = 2_000;

export const incidentListQuery = z.object({
  ...PAGE_QUERY,
  monitor_id: queryNumber(1, Number.MAX_SAFE_INTEGER, 'a whole number').optional(),
  status: oneOf(INCIDENT_STATUSES).optional(),
  type: oneOf(INCIDENT_LIST_TYPES).optional(),
  severity: oneOf(SEVERITIES).optional(),
  start_date: queryDay('from', 'Incidents that started on or after this UTC day.').optional(),
  end_date: queryDay('to', 'Incidents that started on or before this UTC day.').optional(),
  sort: oneOf(INCIDENT_SORTS).optional(),
});

/** For the incidents of one monitor, which the path names. */
export const monitorIncidentListQuery = incidentListQuery.omit({ monitor_id: true });

export const UNKNOWN_MONITOR = 'must be the id of a monitor of your team';

const monitorId = required(
  'is required: give the id of a monitor of your team',
  'must be a whole number, the id of a monitor of your team',
);

export const incidentCreateBody = z.object({
  monitor_id: z.int({ error: monitorId }).min(1, { error: monitorId }),
  started_at: since1970(
    dateTime(undefined, 'is required: give a date and time such as 2030-01-31T12:00:00Z'),
  ).meta({ description: 'When the problem began; UTC unless a time zone is given.' }),
  status: oneOf(INCIDENT_STATUSES),
  severity: oneOf(SEVERITIES).nullish().meta({ description: '`critical` by default.' }),
  root_cause: text(ROOT_CAUSE_LENGTH).nullish(),
  ended_at: since1970(dateTime()).nullish().meta({ description: 'When it ended; by default now.' }),
});

export const incidentUpdateBody = z.object({
  status: oneOf(INCIDENT_STATUSES).optional(),
  root_cause: text(ROOT_CAUSE_LENGTH).nullish(),
});

/** Longest note, in characters. */
const NOTE_LENGTH = 5_000;

export const incidentNoteBody = z.object({
  text: text(NOTE_LENGTH).meta({ description: 'What the team should know, as plain text.' }),
});

/**
 * Reads a new incident from a body (contract 21.1). Throws InvalidInput with all errors.
 *
 * @param isMonitor true for the id of a monitor of the team; called at most once.
 */
export async function readIncident(
  body: unknown,
  now: number,
  isMonitor: (id: number) => Promise<boolean>,
) {
  const findings = new Findings();
  const input = readBody(incidentCreateBody, body, findings);
  if (input.monitor_id !== undefined && !(await isMonitor(input.monitor_id))) {
    findings.add('monitor_id', UNKNOWN_MONITOR);
  }
  addTimeErrors(input, now, findings);
  findings.throwIfAny();
  const { monitor_id, started_at, status, ...others } = input as z.output<
    typeof incidentCreateBody
  >;
  const endedAt = others.ended_at ?? Math.max(started_at, now);
  return {
    monitor_id,
    started_at,
    ended_at: status === 'open' ? null : endedAt,
    severity: others.severity ?? 'critical',
    root_cause: others.root_cause ?? null,
  };
}

function addTimeErrors(
  input: Partial<z.output<typeof incidentCreateBody>>,
  now: number,
  findings: Findings,
): void {
  for (const field of ['started_at', 'ended_at'] as const) {
    if ((input[field] ?? 0) > now + FUTURE_MS) {
      findings.add(field, 'must not be more than 5 minutes in the future');
    }
  }
  if (input.ended_at == null) return;
  if (input.status === 'open') {
    findings.add('ended_at', 'is for resolved incidents only: leave it out, or send null');
  }
  if (input.ended_at < (input.started_at ?? 0)) {
    findings.add('ended_at', 'must not be before started_at');
  }
}
