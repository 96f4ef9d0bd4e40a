import { z } from 'zod';
import { CHANGING } from '../common/changing.ts';
import { INCIDENT_TYPES, SEVERITIES, type Severity } from '../../model/condition.ts';
import { CORRECTION_KINDS } from '../../model/correction.ts';
import { auditTarget, type AuditTarget } from '../../model/audit.ts';
import type { IncidentRow } from '../../store/resources/incidents.ts';
import { shownAs } from '../common/answer.ts';
import { textOrNull, time } from '../common/reference-schemas.ts';
import { isoOrNull, isoTime } from '../common/time.ts';
import { monitorTarget } from '../monitors/audit.ts';
import { urlOf, type ViewDeps } from '../monitors/view.ts';

/** Types of incidents in lists: detected ones, and manual ones. */
export const INCIDENT_LIST_TYPES = [...INCIDENT_TYPES, 'manual'] as const;

export const INCIDENT_STATUSES = ['open', 'resolved'] as const;

const statusOf = ({ ended_at }: Pick<IncidentRow, 'ended_at'>) =>
  ended_at === null ? 'open' : 'resolved';

/** Whole seconds of a time in milliseconds. */
export function wholeSeconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.round(milliseconds / 1_000);
}

const durationMs = ({ started_at, ended_at }: IncidentRow) =>
  ended_at === null ? null : ended_at - started_at;

/** Rounded minutes, at least 1; null while open. */
export function durationMinutes(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.max(1, Math.round(milliseconds / 60_000));
}

/**
 * What the API shows of an incident (contract 21.23). Tools, the audit log, exports and lists of monitors show some or all of
 * it; links of alerts and overviews, which name people, have tables of their own below.
 */
const facts = shownAs<IncidentRow>()({
  id: [z.int(), ({ id }) => id, 1],
  monitor_id: [z.int(), ({ monitor_id }) => monitor_id, 1],
  type: [
    z.enum(INCIDENT_LIST_TYPES).meta({
      description:
        'Type of the problem. `manual` incidents are recorded by users, all others are detected.',
    }),
    ({ type }) => type as (typeof INCIDENT_LIST_TYPES)[number],
    'manual',
  ],
  severity: [z.enum(SEVERITIES), ({ severity }) => severity as Severity, 'warning'],
  status: [z.enum(INCIDENT_STATUSES), statusOf, 'open'],
  root_cause: [
    textOrNull.meta({ description: 'A sentence for people.' }),
    ({ root_cause }) => root_cause,
    'The database is being moved',
  ],
  started_at: [
    time.meta({ description: 'Time of the first failing result, not of its confirmation.' }),
    ({ started_at }) => isoTime(started_at),
    '2030-01-01T00:00:00.000Z',
  ],
  ended_at: [
    time.nullable().meta({ description: 'Null while it is open.' }),
    ({ ended_at }) => isoOrNull(ended_at),
    null,
  ],
  duration: [
    z.int().nullable().meta({
      description: 'Rounded minutes, at least 1; null while it is open.',
    }),
    (row) => durationMinutes(durationMs(row)),
    null,
  ],
  duration_seconds: [
    z.int().nullable().meta({ description: 'Null while it is open.' }),
    (row) => wholeSeconds(durationMs(row)),
    null,
  ],
  acknowledged_at: [time.nullable(), ({ acknowledged_at }) => isoOrNull(acknowledged_at), null],
  acknowledged_by: [
    z.int().nullable().meta({ description: 'Id of a user.' }),
    ({ acknowledged_by }) => acknowledged_by,
    null,
  ],
  is_regional: [
    z.boolean().meta({ description: 'True when only some regions see it.' }),
    ({ is_regional }) => is_regional === 1,
    false,
  ],
  region: [
    textOrNull.meta({
      description:
        'Codes of the regions that see it, joined by commas; null when it is not regional.',
    }),
    ({ region }) => region,
    null,
  ],
  counted_as: [
    z.enum(CORRECTION_KINDS).nullable().meta({
      description: 'As what its beginning counts by a correction of the monitor; null without one.',
    }),
    ({ counted_as }) => counted_as,
    null,
  ],
  created_at: [time, ({ created_at }) => isoTime(created_at), '2030-01-01T00:01:00.000Z'],
  updated_at: [time, ({ updated_at }) => isoTime(updated_at), '2030-01-01T00:01:00.000Z'],
});

export const incidentFields = {
  ...facts.shape,
  monitor: z.object({
    id: z.int(),
    url: z.string().meta({ description: 'For a push monitor, its ping URL.' }),
    friendly_name: textOrNull,
  }),
};

/** An incident in lists, in responses to changes and in exports. */
export function viewIncident(row: IncidentRow, deps: ViewDeps): z.output<typeof incident> {
  const { monitor_id: id, monitor_url: url, monitor_ping_token: ping_token } = row;
  const monitor = {
    id,
    url: urlOf({ team_id: row.team_id, url, ping_token }, deps),
    friendly_name: row.monitor_friendly_name,
  };
  return { ...facts.view(row), monitor };
}

/** An incident in lists and in responses to changes. */
export const incident = z
  .object(incidentFields)
  .meta({ id: 'Incident', description: 'Period with a confirmed problem of a monitor.' })
  .register(CHANGING, { fields: ['counted_as', 'monitor'] });

/** One that a person recorded. */
export const EXAMPLE_INCIDENT = {
  ...facts.example,
  monitor: { id: 1, url: 'https://example.com/login', friendly_name: 'Sign-in page' },
};
export const ACKNOWLEDGED_EXAMPLE = {
  ...EXAMPLE_INCIDENT,
  acknowledged_at: '2030-01-01T00:02:00.000Z',
  acknowledged_by: 1,
  updated_at: '2030-01-01T00:02:00.000Z',
};

/** Who acknowledged an incident, for those who know people by their names. */
type Acknowledged = Pick<IncidentRow, 'acknowledged_at'> & { acknowledger: string | null };

/** As links of alerts show it. */
export const acknowledgedOfLink = shownAs<Acknowledged>()({
  acknowledged_at: [time.nullable(), ({ acknowledged_at: at }) => isoOrNull(at), null],
  acknowledged_by: [
    textOrNull.meta({
      description: 'A name; null also for somebody who used the link of a channel of the team.',
    }),
    ({ acknowledger }) => acknowledger,
    null,
  ],
});

/** As the overview of monitors shows it, which leaves out what is null. */
export const acknowledgedOfOverview = shownAs<Acknowledged>()({
  acknowledged_at: [
    z.int().optional().meta({
      description: 'Absent when nobody acknowledged it. In Unix seconds.',
    }),
    ({ acknowledged_at: at }) => (at === null ? undefined : Math.floor(at / 1_000)),
  ],
  acknowledged_by: [
    z.string().optional().meta({
      description: 'Name of the person; absent when nobody did, or the account is gone.',
    }),
    ({ acknowledger }) => acknowledger ?? undefined,
  ],
});

/** What tools show with detail, besides what they always show. */
export const DETAILS_OF_TOOLS = { acknowledged_by: true, created_at: true } as const;

/** What the audit log keeps: nothing that follows from the rest, such as the duration. */
const AUDITED = [
  'monitor_id',
  'type',
  'severity',
  'status',
  'root_cause',
  'started_at',
  'ended_at',
  'acknowledged_at',
  'acknowledged_by',
] as const satisfies (keyof typeof facts.shape)[];

export function auditedIncident(row: IncidentRow): object {
  const view = facts.view(row);
  return Object.fromEntries(AUDITED.map((name) => [name, view[name]]));
}

/** An incident has the name of its monitor. */
export function incidentTarget(row: IncidentRow): AuditTarget {
  const monitor = { friendly_name: row.monitor_friendly_name, url: row.monitor_url };
  return auditTarget('incident', { id: row.id, name: monitorTarget(row.monitor_id, monitor).name });
}
