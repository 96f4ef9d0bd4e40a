import { z } from 'zod';
import { SEVERITIES } from '../../model/condition.ts';
import { ACTIVITY_TYPES } from '../../model/incident.ts';
import {
  incidentCreateBody,
  incidentListQuery,
  monitorIncidentListQuery,
  INCIDENT_LIST_TYPES,
  INCIDENT_STATUSES,
  incidentUpdateBody,
} from './input.ts';
import type { Operation } from '../common/operation.ts';
import { pageExample, pageOf } from '../common/page-reference.ts';

const fields = {
  id: z.int(),
  monitor_id: z.int(),
  type: z.enum(INCIDENT_LIST_TYPES).meta({
    description:
      'What the trouble is. `manual` ones are recorded by people, all others by the service.',
  }),
  severity: z.enum(SEVERITIES),
  status: z.enum(INCIDENT_STATUSES),
  root_cause: z.string().nullable().meta({ description: 'A sentence for people.' }),
  started_at: z.iso.datetime().meta({
    description: 'The first failing result, not the time at which it was confirmed.',
  }),
  ended_at: z.iso.datetime().nullable().meta({ description: 'Null while it is open.' }),
  duration: z
    .int()
    .nullable()
    .meta({ description: 'Whole minutes, rounded, at least 1; null while it is open.' }),
  duration_seconds: z.int().nullable().meta({ description: 'Null while it is open.' }),
  acknowledged_at: z.iso.datetime().nullable(),
  acknowledged_by: z.int().nullable().meta({ description: 'The id of a user.' }),
  is_regional: z.boolean().meta({ description: 'Whether only some regions see it.' }),
  region: z.string().nullable().meta({
    description:
      'The codes of the regions that see it, joined by a comma; null when it is not regional.',
  }),
  monitor: z.object({
    id: z.int(),
    url: z.string().meta({ description: 'The ping URL of a push monitor.' }),
    friendly_name: z.string().nullable(),
  }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
};

/** An incident as lists and the answers to changes show it. */
export const incident = z
  .object(fields)
  .meta({ id: 'Incident', description: 'A time in which something was not well.' });

const activity = z
  .object({
    id: z.int(),
    type: z.enum(ACTIVITY_TYPES).meta({ description: 'More types may come later.' }),
    description: z.string().meta({ description: 'A sentence for people.' }),
    user: z
      .object({ id: z.int(), name: z.string().nullable() })
      .nullable()
      .meta({ description: 'Null where the service itself did it.' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'IncidentActivity', description: 'A line in the log of an incident.' });

const milliseconds = z.number().nullable();
const textOrNull = z.string().nullable();

const evidence = z
  .object({
    region: textOrNull.meta({ description: 'Null for an inspection, which has no region.' }),
    vantage: textOrNull.meta({
      description: 'Name of the machine that looked. Regions with the same vantage are one place.',
    }),
    checked_at: z.iso.datetime(),
    attempts: z.array(z.iso.datetime()).meta({
      description: 'When it failed in the run that confirmed it, at most ten times.',
    }),
    failure: z
      .object({
        code: z
          .string()
          .meta({ description: 'Stays the same over versions, such as `dns_timeout`.' }),
        text: z.string(),
      })
      .nullable()
      .meta({ description: 'Null of a region that was well.' }),
    status_code: z.int().nullable(),
    remote_address: textOrNull,
    timings: z
      .object({
        dns_ms: milliseconds,
        tcp_ms: milliseconds,
        tls_ms: milliseconds,
        ttfb_ms: milliseconds,
        total_ms: milliseconds,
      })
      .meta({ description: 'Milliseconds of each phase; null where it did not happen or end.' }),
    status_line: textOrNull,
    headers: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: 'Of the answer, without secrets.' }),
    body: textOrNull.meta({ description: 'The first 4 KiB of the answer, as text.' }),
    redirects: z.array(z.string()).meta({ description: 'The URLs that were followed.' }),
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
          .meta({ description: 'The certificates after it, at most 10.' }),
      })
      .nullable()
      .meta({ description: 'The certificate that was shown.' }),
  })
  .meta({
    id: 'IncidentEvidence',
    description: 'What one region, or an inspection, saw when the incident opened.',
  });

const incidentDetail = z
  .object({
    ...fields,
    activities: z.array(activity).meta({ description: 'Its log, the oldest line first.' }),
    evidence: z.array(evidence).meta({
      description: 'One for each region, those that were well too; one of an inspection.',
    }),
  })
  .meta({ id: 'IncidentDetail', description: 'An incident with its log and what was seen.' });

const incidentPage = pageOf(incident, 'IncidentPage');

const acknowledgement = z
  .object({ success: z.literal(true), message: z.string(), incident })
  .meta({ id: 'Acknowledgement', description: 'That somebody has seen the incident.' });

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

const BY_HAND =
  'While the target still fails, the monitor keeps its status, failures are counted from zero, and a new incident opens when the threshold is reached again.';
const ORDER =
  'The newest come first. A `sort` without `direction` is ascending; with equal values the id decides, and nulls come last.';

export const INCIDENT_OPERATIONS = {
  listIncidents: {
    tag: 'Incidents',
    summary: 'List incidents',
    description: ORDER,
    query: incidentListQuery,
    answer: incidentPage,
    example: { query: 'status=open', answer: pageExample('/incidents', [REPORTED]) },
  },
  createIncident: {
    tag: 'Incidents',
    summary: 'Record an incident',
    description:
      'Of the type `manual`: it changes no status, and any number of them may be open. `monitor_id`, `started_at` and `status` are required, times are at most 5 minutes in the future, and `ended_at` goes with `resolved` only.',
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
    tag: 'Incidents',
    summary: 'Get an incident',
    answer: incidentDetail,
    example: { answer: { ...REPORTED, activities: [OPENED_LINE], evidence: [] } },
  },
  updateIncident: {
    tag: 'Incidents',
    summary: 'Update an incident',
    description: `Only the keys that are present change. \`resolved\` is the same as the action of that name; \`open\` opens a resolved one again, which changes no status. ${BY_HAND}`,
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
    tag: 'Incidents',
    summary: 'Delete an incident',
    description: `With its log and evidence. ${BY_HAND}`,
  },
  resolveIncident: {
    tag: 'Incidents',
    summary: 'Resolve an incident',
    description: `It ends now; one that is resolved stays as it is. ${BY_HAND}`,
    answer: incident,
    example: { answer: RESOLVED },
  },
  acknowledgeIncident: {
    tag: 'Incidents',
    summary: 'Acknowledge an incident',
    description:
      'Tells the others that somebody is on it: no more reminders are sent. The first one who does stays the one who did. Resolved ones can be acknowledged, too.',
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
  listMonitorIncidents: {
    tag: 'Incidents',
    summary: 'List the incidents of a monitor',
    description: ORDER,
    query: monitorIncidentListQuery,
    answer: incidentPage,
    example: { answer: pageExample('/monitors/1/incidents', [REPORTED]) },
  },
} satisfies Record<string, Operation>;
