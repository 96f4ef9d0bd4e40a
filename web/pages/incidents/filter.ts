import type { QueryOf } from '../../app/client.ts';
import { SEVERITIES, type Severity } from '../../lib/severity.ts';
import { words } from '../../words/index.ts';

type Query = QueryOf<'listIncidents'>;

export const STATUSES = ['open', 'resolved'] as const;
type IncidentType = keyof typeof words.incidents.types;
/** In the order in which they are offered. */
export const TYPES = Object.keys(words.incidents.types) as IncidentType[];

/** Number of incidents on a page of the list. */
const PER_PAGE = 25;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** What of the incidents is shown; empty texts and null filter nothing. */
export interface IncidentFilter {
  status: (typeof STATUSES)[number] | '';
  severity: Severity | '';
  type: IncidentType | '';
  monitor: number | null;
  /** UTC days such as 2030-01-31. */
  from: string;
  to: string;
  page: number;
}

export const NO_INCIDENT_FILTER: IncidentFilter = {
  status: '',
  severity: '',
  type: '',
  monitor: null,
  from: '',
  to: '',
  page: 1,
};

/** Reads a filter from the query of an address; unknown values are as if they were missing. */
export function readIncidentFilter(search: string): IncidentFilter {
  const query = new URLSearchParams(search);
  return {
    status: oneOf(STATUSES, query.get('status')),
    severity: oneOf(SEVERITIES, query.get('severity')),
    type: oneOf(TYPES, query.get('type')),
    monitor: positive(query.get('monitor')),
    from: day(query.get('from')),
    to: day(query.get('to')),
    page: positive(query.get('page')) ?? 1,
  };
}

/** Writes a filter as the query of an address: "" or "?status=open&page=2". */
export function writeIncidentFilter(filter: IncidentFilter): string {
  const query = new URLSearchParams();
  for (const name of ['status', 'severity', 'type', 'from', 'to'] as const)
    if (filter[name] !== '') query.set(name, filter[name]);
  if (filter.monitor !== null) query.set('monitor', String(filter.monitor));
  if (filter.page > 1) query.set('page', String(filter.page));
  const written = query.toString();
  return written === '' ? '' : `?${written}`;
}

/** Whether a filter leaves anything out. */
export function isFilteringIncidents(filter: IncidentFilter): boolean {
  return writeIncidentFilter({ ...filter, page: 1 }) !== '';
}

/** Number of filters besides the status. */
export function countFilters({ severity, type, monitor, from, to }: IncidentFilter): number {
  return [severity, type, monitor ?? '', from, to].filter((value) => value !== '').length;
}

/** Whether a text is a day that exists, such as 2030-01-31. */
export function isDay(text: string): boolean {
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

function oneOf<Value extends string>(values: readonly Value[], text: string | null): Value | '' {
  return values.find((value) => value === text) ?? '';
}

function positive(text: string | null): number | null {
  const number = Number(text ?? '');
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}

function day(text: string | null): string {
  return text !== null && isDay(text) ? text : '';
}
