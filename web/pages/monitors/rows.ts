import { standingOf, type Standing } from '../../lib/standing.ts';
import type { Overview, OverviewMonitor } from './overview-types.ts';

/** Filter of the list, as the address says it. Pure. */
export interface Filter {
  text: string;
  status: StatusFilter;
  /** Empty for all. */
  type: string;
  tag: string;
  /** Id; null for all. */
  group: number | null;
  sort: Sort;
}

export const STATUS_FILTERS = ['all', 'offline', 'degraded', 'online', 'paused'] as const;
export type StatusFilter = (typeof STATUS_FILTERS)[number];
export const SORTS = ['worst', 'name', 'response', 'uptime'] as const;
export type Sort = (typeof SORTS)[number];

export const NO_FILTER: Filter = {
  text: '',
  status: 'all',
  type: '',
  tag: '',
  group: null,
  sort: 'worst',
};

/** Reads a filter from the query of an address; unknown values are as if they were missing. */
export function readFilter(search: string): Filter {
  const query = new URLSearchParams(search);
  const group = Number(query.get('group'));
  return {
    text: query.get('q') ?? '',
    status: oneOf(STATUS_FILTERS, query.get('status')) ?? 'all',
    type: query.get('type') ?? '',
    tag: query.get('tag') ?? '',
    group: Number.isSafeInteger(group) && group > 0 ? group : null,
    sort: oneOf(SORTS, query.get('sort')) ?? 'worst',
  };
}

/** Writes a filter as the query of an address, without what is not set: "" or "?status=offline". */
export function writeFilter({ text, status, type, tag, group, sort }: Filter): string {
  const query = new URLSearchParams();
  if (text !== '') query.set('q', text);
  if (status !== 'all') query.set('status', status);
  if (type !== '') query.set('type', type);
  if (tag !== '') query.set('tag', tag);
  if (group !== null) query.set('group', String(group));
  if (sort !== 'worst') query.set('sort', sort);
  const written = query.toString();
  return written === '' ? '' : `?${written}`;
}

/** Whether a filter leaves anything out. */
export function isFiltering({ text, status, type, tag, group }: Filter): boolean {
  return text !== '' || status !== 'all' || type !== '' || tag !== '' || group !== null;
}

function oneOf<Value extends string>(values: readonly Value[], text: string | null): Value | null {
  return values.find((value) => value === text) ?? null;
}

/** A monitor with what filtering and sorting need, computed once for each answer. */
export interface Row {
  monitor: OverviewMonitor;
  standing: Standing;
  /** In lower case: name, target and tags. */
  text: string;
}

export function rowsOf({ monitors }: Pick<Overview, 'monitors'>): Row[] {
  return monitors.map((monitor) => ({
    monitor,
    standing: standingOf({
      status: monitor.status,
      is_paused: monitor.is_paused ?? false,
      in_maintenance: monitor.maintenance_until !== undefined,
    }),
    text: [monitor.name, monitor.target ?? '', ...(monitor.tags ?? [])].join('\n').toLowerCase(),
  }));
}

/** Number of rows by standing. */
export function countStandings(rows: readonly Row[]): Record<Standing, number> {
  const counts: Record<Standing, number> = {
    online: 0,
    offline: 0,
    degraded: 0,
    pending: 0,
    paused: 0,
    maintenance: 0,
    unknown: 0,
  };
  for (const { standing } of rows) counts[standing] += 1;
  return counts;
}

/** Rows that pass a filter. A monitor in maintenance is found by what was seen of it. */
export function filterRows(
  rows: readonly Row[],
  filter: Filter,
  below: (group: number) => ReadonlySet<number>,
): Row[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = filter.group === null ? null : below(filter.group);
  return rows.filter(
    ({ monitor, standing, text }) =>
      passesStatus(filter.status, monitor, standing) &&
      (filter.type === '' || monitor.type === filter.type) &&
      (filter.tag === '' || (monitor.tags ?? []).includes(filter.tag)) &&
      (groups === null || (monitor.group_id !== undefined && groups.has(monitor.group_id))) &&
      words.every((word) => text.includes(word)),
  );
}

function passesStatus(filter: StatusFilter, monitor: OverviewMonitor, standing: Standing): boolean {
  if (filter === 'all') return true;
  if (filter === 'paused') return standing === 'paused';
  return standing !== 'paused' && monitor.status === filter;
}

/** How bad a standing is: the worst first. */
const BADNESS: Record<Standing, number> = {
  offline: 0,
  degraded: 1,
  unknown: 2,
  maintenance: 3,
  pending: 4,
  online: 5,
  paused: 6,
};

/** Worst of some standings; null of none. */
export function worstStanding(rows: readonly Row[]): Standing | null {
  let worst: Standing | null = null;
  for (const { standing } of rows)
    if (worst === null || BADNESS[standing] < BADNESS[worst]) worst = standing;
  return worst;
}

type Compare = (one: Row, other: Row) => number;

const byName: Compare = ({ monitor: one }, { monitor: other }) =>
  one.name < other.name ? -1 : one.name > other.name ? 1 : one.id - other.id;

const ORDERS: Record<Sort, Compare> = {
  worst: (one, other) => BADNESS[one.standing] - BADNESS[other.standing] || byName(one, other),
  name: byName,
  response: ({ monitor: one }, { monitor: other }) =>
    (other.response_ms ?? -1) - (one.response_ms ?? -1),
  uptime: ({ monitor: one }, { monitor: other }) =>
    (one.uptime_90d ?? Infinity) - (other.uptime_90d ?? Infinity),
};

/** Line of the list: the head of a group, or a monitor. */
export type Line =
  | {
      kind: 'group';
      key: string;
      id: number | null;
      name: string | null;
      rows: Row[];
      isOpen: boolean;
    }
  | { kind: 'monitor'; key: string; row: Row };

/**
 * Lines of the list: groups in their own order, those without a group last; the monitors of each group in the order of
 * `sort`. Without any group there are no heads.
 */
export function linesOf(
  rows: readonly Row[],
  groups: Overview['groups'],
  sort: Sort,
  closed: ReadonlySet<number | null>,
): Line[] {
  const sorted = rows.toSorted(ORDERS[sort]);
  if (groups.length === 0) return sorted.map(lineOf);
  const byGroup = Map.groupBy(sorted, ({ monitor }) => monitor.group_id ?? null);
  const sections = [...groups, { id: null, name: null }].flatMap(({ id, name }) => {
    const members = byGroup.get(id) ?? [];
    return members.length === 0 ? [] : [{ id, name, members }];
  });
  return sections.flatMap(({ id, name, members }): Line[] => {
    const isOpen = !closed.has(id);
    const head: Line = { kind: 'group', key: `g${id ?? ''}`, id, name, rows: members, isOpen };
    return isOpen ? [head, ...members.map(lineOf)] : [head];
  });
}

function lineOf(row: Row): Line {
  return { kind: 'monitor', key: String(row.monitor.id), row };
}

/** Ids of a group and of the groups below it. */
export function groupsBelow(groups: Overview['groups'], id: number): ReadonlySet<number> {
  const found = new Set([id]);
  let before = 0;
  while (found.size !== before) {
    before = found.size;
    for (const group of groups)
      if (group.parent_id !== undefined && found.has(group.parent_id)) found.add(group.id);
  }
  return found;
}
