import { noun } from '../common/operation.ts';
import { createIncidentService } from './service.ts';
import { z } from 'zod';
import { SEVERITIES } from '../../model/condition.ts';
import { CORRECTION_KINDS } from '../../model/correction.ts';
import { ACTIVITY_TYPES } from '../../model/incident.ts';
import {
  incidentCreateBody,
  incidentListQuery,
  monitorIncidentListQuery,
  INCIDENT_LIST_TYPES,
  INCIDENT_STATUSES,
  incidentNoteBody,
  incidentUpdateBody,
} from './input.ts';
import { textOrNull, time, timings } from '../common/reference-schemas.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';

const fields = {
  id: z.int(),
  monitor_id: z.int(),
  type: z.enum(INCIDENT_LIST_TYPES).meta({
    description:
      'Type of the problem. `manual` incidents are recorded by users, all others are detected.',
  }),
  severity: z.enum(SEVERITIES),
  status: z.enum(INCIDENT_STATUSES),
  root_cause: textOrNull.meta({ description: 'A sentence for people.' }),
  started_at: time.meta({
    description: 'Time of the first failing result, not of its confirmation.',
  }),
  ended_at: time.nullable().meta({ description: 'Null while it is open.' }),
  duration: z
    .int()
    .nullable()
    .meta({ description: 'Rounded minutes, at least 1; null while it is open.' }),
  duration_seconds: z.int().nullable().meta({ description: 'Null while it is open.' }),
  acknowledged_at: time.nullable(),
  acknowledged_by: z.int().nullable().meta({ description: 'Id of a user.' }),
  is_regional: z.boolean().meta({ description: 'True when only some regions see it.' }),
  region: textOrNull.meta({
    description:
      'Codes of the regions that see it, joined by commas; null when it is not regional.',
  }),
  counted_as: z.enum(CORRECTION_KINDS).nullable().meta({
    description: 'As what its beginning counts by a correction of the monitor; null without one.',
  }),
  monitor: z.object({
    id: z.int(),
    url: z.string().meta({ description: 'For a push monitor, its ping URL.' }),
    friendly_name: textOrNull,
  }),
  created_at: time,
  updated_at: time,
};

/** An incident in lists and in responses to changes. */
export const incident = z
  .object(fields)
  .meta({ id: 'Incident', description: 'Period with a confirmed problem of a monitor.' });

const activity = z
  .object({
    id: z.int(),
    type: z.enum(ACTIVITY_TYPES).meta({ description: 'More types may be added.' }),
    description: z.string().meta({ description: 'A sentence for people; the text of a note.' }),
    user: z
      .object({ id: z.int(), name: textOrNull })
      .nullable()
      .meta({ description: 'Null when Tocsin itself did it.' }),
    created_at: time,
  })
  .meta({ id: 'IncidentActivity', description: 'Line in the log of an incident.' });

const evidence = z
  .object({
    region: textOrNull.meta({ description: 'Null for an inspection, which has no region.' }),
    vantage: textOrNull.meta({
      description:
        'Name of the machine that ran the check. Regions with the same vantage are one place.',
    }),
    checked_at: time,
    attempts: z.array(time).meta({
      description: 'Times of its failures in the rounds that confirmed the problem, at most ten.',
    }),
    failure: z
      .object({
        code: z.string().meta({ description: 'Stable across versions, such as `dns_timeout`.' }),
        text: z.string(),
      })
      .nullable()
      .meta({ description: 'Null for a region without a failure.' }),
    status_code: z.int().nullable(),
    remote_address: textOrNull,
    timings,
    status_line: textOrNull,
    headers: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: 'Headers of the response, without secrets.' }),
    body: textOrNull.meta({ description: 'First 4 KiB of the response as text.' }),
    redirects: z
      .array(z.string())
      .meta({ description: 'URLs of the redirects that were followed.' }),
    tls: z
      .object({
        protocol: textOrNull,
        subject: textOrNull,
        issuer: textOrNull,
        valid_from: textOrNull,
        valid_to: textOrNull,
        cipher: textOrNull,
        chain: z
          .array(z.object({ subject: textOrNull, issuer: textOrNull, valid_to: textOrNull }))
          .meta({ description: 'Further certificates of the chain, at most 10.' }),
      })
      .nullable()
      .meta({ description: 'Certificate of the server.' }),
  })
  .meta({
    id: 'IncidentEvidence',
    description: 'Result of one region, or of an inspection, when the incident opened.',
  });

const incidentDetail = z
  .object({
    ...fields,
    unobserved_seconds: z.int().nullable().meta({
      description:
        'How much of its duration nothing was observed, as in the uptime of the monitor: no downtime is claimed for it. Null when nothing is recorded of that time.',
    }),
    activities: z.array(activity).meta({ description: 'Log, oldest line first.' }),
    evidence: z.array(evidence).meta({
      description: 'One per region, also for regions without a failure; one for an inspection.',
    }),
  })
  .meta({ id: 'IncidentDetail', description: 'An incident with its log and evidence.' });

const incidentPage = pageSchema(incident, 'IncidentPage');

const acknowledgement = z
  .object({ success: z.literal(true), message: z.string(), incident })
  .meta({ id: 'Acknowledgement', description: 'Acknowledged incident.' });

const REPORTED = {
  id: 1,
  monitor_id: 1,
  type: 'manual',
  severity: 'warning',
  status: 'open',
  root_cause: 'The database is being moved',
  started_at: '2030-01-01T00:00:00.000Z',
  ended_at: null,
  duration: null,
  duration_seconds: null,
  acknowledged_at: null,
  acknowledged_by: null,
  is_regional: false,
  region: null,
  counted_as: null,
  monitor: { id: 1, url: 'https://example.com/login', friendly_name: 'Sign-in page' },
  created_at: '2030-01-01T00:01:00.000Z',
  updated_at: '2030-01-01T00:01:00.000Z',
} as const;

const RESOLVED = {
  ...REPORTED,
  status: 'resolved',
  ended_at: '2030-01-01T00:16:00.000Z',
  duration: 16,
  duration_seconds: 960,
  updated_at: '2030-01-01T00:16:00.000Z',
} as const;

const OPENED_LINE = {
  id: 1,
  type: 'opened',
  description: 'Alice opened the incident: The database is being moved.',
  user: { id: 1, name: 'Alice' },
  created_at: '2030-01-01T00:01:00.000Z',
} as const;

const NOTE_LINE = {
  id: 2,
  type: 'note',
  description: 'The disk of the primary is full. Moving it now.',
  user: { id: 1, name: 'Alice' },
  created_at: '2030-01-01T00:05:00.000Z',
} as const;

const MANUALLY =
  'If the target still fails, the monitor keeps its status, and a new incident opens once the failure threshold is reached again.';
const ORDER =
  'Newest first by default. A `sort` without `direction` is ascending; equal values are sorted by id, and nulls come last.';

export const incidents = noun('Incidents', createIncidentService, {
  listIncidents: {
    at: 'GET /incidents',
    summary: 'List incidents',
    description: ORDER,
    query: incidentListQuery,
    answer: incidentPage,
    example: { query: 'status=open', answer: pageExample('/incidents', [REPORTED]) },
    handle: (its, { caller, query, address }) => its.list(caller, query, address),
  },
  createIncident: {
    at: 'POST /incidents',
    summary: 'Record an incident',
    description:
      'Creates an incident of type `manual`. It changes no status, and any number of them may be open. `monitor_id`, `started_at` and `status` are required, times may be at most 5 minutes in the future, and `ended_at` is for `resolved` only.',
    body: incidentCreateBody,
    answer: incident,
    example: {
      body: {
        monitor_id: 1,
        started_at: '2025-01-01T00:00:00Z',
        status: 'open',
        severity: 'warning',
        root_cause: 'The database is being moved',
      },
      answer: REPORTED,
    },
  },
  getIncident: {
    at: 'GET /incidents/:id',
    summary: 'Get an incident',
    answer: incidentDetail,
    example: {
      answer: { ...REPORTED, unobserved_seconds: null, activities: [OPENED_LINE], evidence: [] },
    },
  },
  updateIncident: {
    at: 'PUT /incidents/:id',
    summary: 'Update an incident',
    description: `Changes only the given fields. The status \`resolved\` is the same as the action resolve; \`open\` reopens a resolved incident without changing the status of its monitor. ${MANUALLY}`,
    body: incidentUpdateBody,
    answer: incident,
    example: {
      body: { root_cause: 'The database was moved' },
      answer: {
        ...REPORTED,
        root_cause: 'The database was moved',
        updated_at: '2030-01-01T00:05:00.000Z',
      },
    },
    refusals: ['conflict'],
  },
  deleteIncident: {
    at: 'DELETE /incidents/:id',
    summary: 'Delete an incident',
    description: `Deletes its log and evidence too. ${MANUALLY}`,
  },
  resolveIncident: {
    at: 'POST /incidents/:id/resolve',
    needs: 'update',
    summary: 'Resolve an incident',
    description: `Ends it now; a resolved one does not change. ${MANUALLY}`,
    answer: incident,
    example: { answer: RESOLVED },
  },
  acknowledgeIncident: {
    at: 'POST /incidents/:id/acknowledge',
    needs: 'update',
    summary: 'Acknowledge an incident',
    description:
      'Shows the team that somebody is working on it, and stops reminders. The first acknowledgement stays. Resolved incidents can be acknowledged too.',
    answer: acknowledgement,
    example: {
      answer: {
        success: true,
        message: 'The incident is acknowledged.',
        incident: {
          ...REPORTED,
          acknowledged_at: '2030-01-01T00:02:00.000Z',
          acknowledged_by: 1,
          updated_at: '2030-01-01T00:02:00.000Z',
        },
      },
    },
  },
  createIncidentNote: {
    at: 'POST /incidents/:id/notes',
    summary: 'Add a note to an incident',
    description:
      'Adds an entry of type `note` to its `activities`, for the team alone: notes are not on status pages, in reports, alerts or webhooks. They are not changed or deleted by themselves. A log takes notes up to 1,000 entries.',
    body: incidentNoteBody,
    answer: activity,
    example: {
      body: { text: 'The disk of the primary is full. Moving it now.' },
      answer: NOTE_LINE,
    },
    refusals: ['conflict'],
  },
  listMonitorIncidents: {
    at: 'GET /monitors/:id/incidents',
    summary: 'List the incidents of a monitor',
    description: ORDER,
    query: monitorIncidentListQuery,
    answer: incidentPage,
    example: { answer: pageExample('/monitors/1/incidents', [REPORTED]) },
    handle: (its, { caller, id, query, address }) => its.list(caller, query, address, id),
  },
});
