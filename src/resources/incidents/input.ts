import { z } from 'zod';
import { INCIDENT_TYPES, SEVERITIES, type Severity } from '../../model/condition.ts';
import { INCIDENT_SORTS } from '../../store/resources/incident-path.ts';
import { dateTime, Findings, queryDay, queryNumber, readBody } from '../common/input.ts';
import { oneOf, text } from '../../lib/schemas.ts';
import { PAGE_QUERY } from '../common/page.ts';

/** A clock may be ahead of ours by so much. */
const FUTURE_MS = 5 * 60_000;
const ROOT_CAUSE_LENGTH = 2_000;

/** Those that we open, and those that people record. */
export const INCIDENT_LIST_TYPES = [...INCIDENT_TYPES, 'manual'] as const;

export const INCIDENT_STATUSES = ['open', 'resolved'] as const;

export const incidentListQuery = z.object({
  ...PAGE_QUERY,
  monitor_id: queryNumber(1, Number.MAX_SAFE_INTEGER, 'a whole number').optional(),
  status: oneOf(INCIDENT_STATUSES).optional(),
  type: oneOf(INCIDENT_LIST_TYPES).optional(),
  severity: oneOf(SEVERITIES).optional(),
  start_date: queryDay('Incidents that started on or after this UTC day.').optional(),
  end_date: queryDay('Incidents that started on or before this UTC day.').optional(),
  sort: oneOf(INCIDENT_SORTS).optional(),
});

/** Of one monitor, which the path names. */
export const monitorIncidentListQuery = incidentListQuery.omit({ monitor_id: true });

export const NO_MONITOR = 'must be the id of a monitor of your team';
const NO_ID = 'must be a whole number, the id of a monitor of your team';

const required = {
  monitor_id: z.int({ error: NO_ID }).min(1, { error: NO_ID }),
  started_at: timeSince1970('When the trouble began; without a zone in UTC.'),
  status: oneOf(INCIDENT_STATUSES),
};

/** How times must follow each other is a rule of `planIncident`. */
export const incidentCreateBody = z.object({
  ...required,
  severity: oneOf(SEVERITIES).nullish().meta({ description: '`critical`, if left out.' }),
  root_cause: text(ROOT_CAUSE_LENGTH).nullish(),
  ended_at: timeSince1970('When it ended; now, if left out.').nullish(),
});

/** As it is read: what is required is looked for afterwards, so that all errors are told at once. */
const incompleteBody = incidentCreateBody.extend({
  monitor_id: required.monitor_id.nullish(),
  started_at: required.started_at.nullish(),
  status: required.status.nullish(),
});

export const incidentUpdateBody = z.object({
  status: oneOf(INCIDENT_STATUSES).optional(),
  root_cause: text(ROOT_CAUSE_LENGTH).nullish(),
});

/** An incident to be recorded; times are epoch milliseconds, `endedAt` null for an open one. */
export interface PlannedIncident {
  monitorId: number;
  startedAt: number;
  endedAt: number | null;
  severity: Severity;
  rootCause: string | null;
}

/**
 * A new incident from a body (contract 21.1). Throws InvalidInput with everything that is wrong.
 *
 * @param isMonitor whether the team has that monitor; asked once, if the field is sound.
 */
export async function planIncident(
  body: unknown,
  now: number,
  isMonitor: (id: number) => Promise<boolean>,
): Promise<PlannedIncident> {
  const findings = new Findings();
  const input = readBody(incompleteBody, body, findings) as z.output<typeof incompleteBody>;
  const demand = (field: keyof typeof input, hint: string) => {
    if (input[field] == null && !findings.has(field)) findings.add(field, `is required: ${hint}`);
  };
  demand('monitor_id', 'give the id of a monitor of your team');
  demand('started_at', 'give a date and time such as 2030-01-31T12:00:00Z');
  demand('status', `give one of ${INCIDENT_STATUSES.join(', ')}`);
  const monitorId = input.monitor_id ?? null;
  if (monitorId !== null && !(await isMonitor(monitorId))) {
    findings.add('monitor_id', NO_MONITOR);
  }
  judgeTimes(input, now, findings);
  findings.throwIfAny();
  const startedAt = input.started_at!;
  const isOpen = input.status === 'open';
  return {
    monitorId: monitorId!,
    startedAt,
    endedAt: isOpen ? null : (input.ended_at ?? Math.max(startedAt, now)),
    severity: input.severity ?? 'critical',
    rootCause: input.root_cause ?? null,
  };
}

function judgeTimes(input: z.output<typeof incompleteBody>, now: number, findings: Findings): void {
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

/** What a partial update asks for; absent keys are undefined, a root cause of null is none. */
export interface WantedUpdate {
  status?: (typeof INCIDENT_STATUSES)[number] | undefined;
  root_cause?: string | null | undefined;
}

/** Throws InvalidInput with everything that is wrong. */
export function readUpdate(body: unknown): WantedUpdate {
  const findings = new Findings();
  const wanted: WantedUpdate = readBody(incidentUpdateBody, body, findings);
  findings.throwIfAny();
  return wanted;
}

function timeSince1970(description: string) {
  return dateTime()
    .refine((at) => at >= 0, { error: 'must not be before 1970' })
    .meta({ description });
}
