import { z } from 'zod';
import type { Caller } from '../identity/caller.ts';
import { SEVERITIES } from '../model/condition.ts';
import type { Database } from '../store/contract.ts';
import {
  findIncident,
  INCIDENT_SORTS,
  listActivities,
  listEvidence,
  listIncidents,
} from '../store/incidents.ts';
import { findMonitor } from '../store/monitors.ts';
import { authorise, notFound } from './errors.ts';
import { viewActivity, viewEvidence, viewIncident } from './incident-view.ts';
import { oneOf, queryNumber, readQuery } from './input.ts';
import { PAGE_QUERY, pageOf, pagingOf, type ListAddress } from './page.ts';

const DAY_MS = 86_400_000;

/** All types there are by completions, section 6; filtering by one that nothing raises yet finds none. */
const TYPES = [
  'uptime',
  'keyword',
  'json_assertion',
  'ssl',
  'domain',
  'dns',
  'regional',
  'slow_response',
  'heartbeat',
  'manual',
] as const;

const incidentListQuery = z.object({
  ...PAGE_QUERY,
  monitor_id: queryNumber(1, Number.MAX_SAFE_INTEGER, 'a whole number').optional(),
  status: oneOf(['open', 'resolved']).optional(),
  type: oneOf(TYPES).optional(),
  severity: oneOf(SEVERITIES).optional(),
  start_date: day().optional(),
  end_date: day().optional(),
  sort: oneOf(INCIDENT_SORTS).optional(),
});

/** What callers may do with incidents. */
export interface IncidentService {
  /** All of the team's, or those of one monitor. */
  list(caller: Caller, query: object, address: ListAddress, monitorId?: number): Promise<object>;
  get(caller: Caller, id: number): Promise<object>;
}

export function createIncidentService({ database }: { database: Database }): IncidentService {
  return {
    async list(caller, query, address, monitorId) {
      authorise(caller, 'read');
      if (
        monitorId !== undefined &&
        (await findMonitor(database.read, caller.team.id, monitorId)) === undefined
      ) {
        throw notFound('monitor');
      }
      const wanted = readQuery(incidentListQuery, query);
      const paging = pagingOf(wanted, 'started_at');
      const filter = {
        monitorId: monitorId ?? wanted.monitor_id ?? null,
        status: wanted.status ?? null,
        type: wanted.type ?? null,
        severity: wanted.severity ?? null,
        startedFrom: wanted.start_date ?? null,
        startedBefore: wanted.end_date === undefined ? null : wanted.end_date + DAY_MS,
      };
      const { rows, total } = await listIncidents(database, caller.team.id, filter, paging);
      return pageOf(rows.map(viewIncident), total, paging, address);
    },

    async get(caller, id) {
      authorise(caller, 'read');
      const row = await findIncident(database.read, caller.team.id, id);
      if (row === undefined) throw notFound('incident');
      const [activities, evidence] = await Promise.all([
        listActivities(database.read, caller.team.id, id),
        listEvidence(database.read, caller.team.id, id),
      ]);
      return {
        ...viewIncident(row),
        activities: activities.map(viewActivity),
        evidence: evidence.map(viewEvidence),
      };
    },
  };
}

/** A whole UTC day, as its first epoch millisecond; a time of day is understood and dropped. */
function day() {
  const error = 'must be a date such as 2030-01-31';
  return z
    .string({ error })
    .regex(/^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d)?)?$/, { error })
    .transform((value) => startOfDay(value))
    .refine((at) => at !== null, { error })
    .transform((at) => at ?? 0);
}

function startOfDay(value: string): number | null {
  const date = value.slice(0, 10);
  const start = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(start) || !new Date(start).toISOString().startsWith(date)) return null;
  if (value.length === 10) return start;
  const at = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(value) ? value : `${value}Z`);
  return Number.isNaN(at) ? null : Math.floor(at / DAY_MS) * DAY_MS;
}
