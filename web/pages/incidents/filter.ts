import type { QueryOf } from '../../app/client.ts';
import { SEVERITIES } from '../../lib/severity.ts';
import { addressFilter, number, oneOf, anyText } from '../../lib/address-filter.ts';
import { words } from '../../words/index.ts';

type Query = QueryOf<'listIncidents'>;

export const STATUSES = ['open', 'resolved'] as const;
type IncidentType = keyof typeof words.incidents.types;
/** In the order in which they are offered. */
export const TYPES = Object.keys(words.incidents.types) as IncidentType[];

/** Number of incidents on a page of the list. */
const PER_PAGE = 25;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** What of the incidents is shown, as the address says it; days are those of UTC, such as 2030-01-31. */
export const {
  empty: NO_INCIDENT_FILTER,
  read: readIncidentFilter,
  write: writeIncidentFilter,
} = addressFilter({
  status: oneOf(STATUSES, ''),
  severity: oneOf(SEVERITIES, ''),
  type: oneOf(TYPES, ''),
  from: anyText(isDay),
  to: anyText(isDay),
  monitor: number(null),
  page: number(1),
});

export type IncidentFilter = typeof NO_INCIDENT_FILTER;

/** Whether a filter leaves anything out. */
export function isFilteringIncidents(filter: IncidentFilter): boolean {
  return writeIncidentFilter({ ...filter, page: 1 }) !== '';
}

/** Number of filters besides the status. */
export function countFilters({ severity, type, monitor, from, to }: IncidentFilter): number {
  return [severity, type, monitor ?? '', from, to].filter((value) => value !== '').length;
}

/** Whether a text is a day that exists, such as 2030-01-31. */
function isDay(text: string): boolean {
  return DAY.test(text) && !Number.isNaN(Date.parse(text));
}

/** Query of the API for a filter, newest incidents first. */
export function queryOf({
  status,
  severity,
  type,
  monitor,
  from,
  to,
  page,
}: IncidentFilter): Query {
  return {
    sort: 'started_at',
    direction: 'desc',
    per_page: PER_PAGE,
    page,
    ...(status !== '' && { status }),
    ...(severity !== '' && { severity }),
    ...(type !== '' && { type }),
    ...(monitor !== null && { monitor_id: monitor }),
    ...(from !== '' && { start_date: from }),
    ...(to !== '' && { end_date: to }),
  };
}
