import type { MonitorOverview, OverviewMonitor } from '../../app/api.gen.ts';
import { displayStatusOf, type DisplayStatus } from '../../lib/display-status.ts';
import type { Filter, Sort } from './filter.ts';

/** A monitor with what filtering and sorting need, computed once for each answer. */
export interface Row {
  monitor: OverviewMonitor;
  displayStatus: DisplayStatus;
  /** In lower case: name, target and tags. Made when it is first searched. */
  text?: string;
  /** Name in lower case, with numbers of one length: "shop 9" comes before "shop 10". */
  order: string;
}

/** Rows of monitors by their data, which stays the same object in the next answer unless it changed. */
const known = new WeakMap<OverviewMonitor, Row>();

/** Rows of an overview. A monitor that did not change keeps its row, so that nothing about it is computed or drawn again. */
export function rowsOf({ monitors }: Pick<MonitorOverview, 'monitors'>): Row[] {
  return monitors.map((monitor) => {
    let row = known.get(monitor);
    if (row === undefined) known.set(monitor, (row = rowOf(monitor)));
    return row;
  });
}

function rowOf(monitor: OverviewMonitor): Row {
  return {
    monitor,
    displayStatus: displayStatusOf({
      status: monitor.status,
      is_paused: monitor.is_paused ?? false,
      in_maintenance: monitor.maintenance_until !== undefined,
      is_unobserved: monitor.observed_until !== undefined,
    }),
    order: monitor.name.toLowerCase().replaceAll(/\d+/g, (number) => number.padStart(12, '0')),
  };
}

function textOf(row: Row): string {
  const { name, target = '', tags = [] } = row.monitor;
  return (row.text ??= [name, target, ...tags].join('\n').toLowerCase());
}

/** Newest votes of the regions; those of a monitor that is paused or not observed say nothing of now. */
export function votesNow({
  regions,
  is_paused: isPaused,
  observed_until: until,
}: Pick<OverviewMonitor, 'regions' | 'is_paused' | 'observed_until'>): string | undefined {
  const isNow = isPaused !== true && until === undefined;
  return isNow ? regions : regions?.replaceAll(/[ud]/g, '?');
}

/** Number of rows by displayStatus. */
export function countByStatus(rows: readonly Row[]): Record<DisplayStatus, number> {
  const counts: Record<DisplayStatus, number> = {
    online: 0,
    offline: 0,
    degraded: 0,
    pending: 0,
    paused: 0,
    maintenance: 0,
    unknown: 0,
  };
  for (const { displayStatus } of rows) counts[displayStatus] += 1;
  return counts;
}

export function filterRows(
  rows: readonly Row[],
  filter: Filter,
  below: (group: number) => ReadonlySet<number>,
): Row[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = filter.group === null ? null : below(filter.group);
  return rows
    .filter(isOfStatus(filter.status))
    .filter(
      (row) =>
        (filter.type === '' || row.monitor.type === filter.type) &&
        (filter.tag === '' || (row.monitor.tags ?? []).includes(filter.tag)) &&
        (groups === null ||
          (row.monitor.group_id !== undefined && groups.has(row.monitor.group_id))) &&
        words.every((word) => textOf(row).includes(word)),
    );
}

/** Whether a row has the status that is filtered by. */
export function isOfStatus(status: Filter['status']): (row: Row) => boolean {
  return ({ displayStatus }) => status === 'all' || displayStatus === status;
}

/** How bad a displayStatus is: the worst first. */
const BADNESS: Record<DisplayStatus, number> = {
  offline: 0,
  degraded: 1,
  unknown: 2,
  maintenance: 3,
  pending: 4,
  online: 5,
  paused: 6,
};

/** What stands for several monitors: a problem before everything, and what is up before what says nothing yet. */
const FOR_ALL: readonly DisplayStatus[] = [
  'offline',
  'degraded',
  'unknown',
  'online',
  'maintenance',
  'pending',
  'paused',
];

/** DisplayStatus of several monitors together; null of none. */
export function displayStatusOfAll(rows: readonly Row[]): DisplayStatus | null {
  const found = new Set(rows.map(({ displayStatus }) => displayStatus));
  return FOR_ALL.find((displayStatus) => found.has(displayStatus)) ?? null;
}

type Compare = (one: Row, other: Row) => number;

const byName: Compare = (one, other) =>
  one.order < other.order ? -1 : one.order > other.order ? 1 : one.monitor.id - other.monitor.id;

/** By a number, the smallest first; those without one last. */
const by =
  (numberOf: (row: Row) => number | undefined): Compare =>
  (one, other) => {
    const a = numberOf(one) ?? Infinity;
    const b = numberOf(other) ?? Infinity;
    return a === b ? byName(one, other) : a - b;
  };

const ORDERS: Record<Sort, Compare> = {
  worst: by(({ displayStatus }) => BADNESS[displayStatus]),
  name: byName,
  response: by(({ monitor: { response_ms: ms } }) => (ms === undefined ? undefined : -ms)),
  uptime: by(({ monitor }) => monitor.uptime_90d),
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

/** Rows in the order of the list. */
export function sortRows(rows: readonly Row[], sort: Sort): Row[] {
  return rows.toSorted(ORDERS[sort]);
}

/**
 * Lines of the list: groups in their own order, those without a group last; the monitors of each group in the order of the
 * rows. Without any group there are no heads.
 */
export function linesOf(
  sorted: readonly Row[],
  groups: MonitorOverview['groups'],
  closed: ReadonlySet<number | null>,
): Line[] {
  if (groups.length === 0) return sorted.map(lineOf);
  const byGroup = Map.groupBy(sorted, ({ monitor }) => monitor.group_id ?? null);
  const names = new Map(groups.map(({ id, name }) => [id, name]));
  const sections = [...groups, { id: null, name: null, parent_id: undefined }].flatMap((group) => {
    const { id, name, parent_id: parent } = group;
    const members = byGroup.get(id) ?? [];
    const above = parent === undefined ? undefined : names.get(parent);
    const title = above === undefined ? name : `${above} › ${name}`;
    return members.length === 0 ? [] : [{ id, name: title, members }];
  });
  return sections.flatMap(({ id, name, members }): Line[] => {
    const isOpen = !closed.has(id);
    const head: Line = { kind: 'group', key: `g${id ?? ''}`, id, name, rows: members, isOpen };
    return isOpen ? [head, ...members.map(lineOf)] : [head];
  });
}

const lineOfRow = new WeakMap<Row, Line>();

function lineOf(row: Row): Line {
  const line = lineOfRow.get(row) ?? { kind: 'monitor', key: String(row.monitor.id), row };
  lineOfRow.set(row, line);
  return line;
}

/** Ids of a group and of the groups below it. */
export function groupsBelow(groups: MonitorOverview['groups'], id: number): ReadonlySet<number> {
  const found = new Set([id]);
  let before = 0;
  while (found.size !== before) {
    before = found.size;
    for (const group of groups)
      if (group.parent_id !== undefined && found.has(group.parent_id)) found.add(group.id);
  }
  return found;
}

/** Which rows of the list are chosen for an action. Pure. */

/** A set with a value if it was without it, and without it if it had it. */
export function toggled<Value>(set: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}

/** Ids of the monitors from one to another in the order of the list, both included; only `to` where `from` is not shown. */
export function idsBetween(lines: readonly Line[], from: number, to: number): number[] {
  const ids = lines.flatMap((line) => (line.kind === 'monitor' ? [line.row.monitor.id] : []));
  const [start, end] = [ids.indexOf(from), ids.indexOf(to)];
  if (start < 0 || end < 0) return [to];
  return ids.slice(Math.min(start, end), Math.max(start, end) + 1);
}

/**
 * Selection after a click on the box of a monitor. With shift, all from the box that was clicked before become what this one
 * becomes.
 */
export function afterClick(
  selected: ReadonlySet<number>,
  lines: readonly Line[],
  { id, before, isRange }: { id: number; before: number | null; isRange: boolean },
): ReadonlySet<number> {
  if (!isRange || before === null) return toggled(selected, id);
  const next = new Set(selected);
  for (const one of idsBetween(lines, before, id))
    if (selected.has(id)) next.delete(one);
    else next.add(one);
  return next;
}

/** Index of the monitor before or after a line, beyond heads of groups; null where there is none. */
export function nextMonitor(lines: readonly Line[], from: number, step: 1 | -1): number | null {
  for (let index = from + step; index >= 0 && index < lines.length; index += step)
    if (lines[index]!.kind === 'monitor') return index;
  return null;
}
