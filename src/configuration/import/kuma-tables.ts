import { listOf, objectOf, textOf, type Given } from './values.ts';

/** A row of a table of Uptime Kuma, by the names of its columns; which there are depends on its version. */
export type Row = Readonly<Given>;

/** The tables of Uptime Kuma that are read, with what its versions 1 and 2 call them. */
export const KUMA_TABLES = [
  'monitor',
  'notification',
  'monitor_notification',
  'tag',
  'monitor_tag',
  'maintenance',
  'monitor_maintenance',
  'status_page',
  'status_page_cname',
  'group',
  'monitor_group',
  'setting',
  'stat_daily',
] as const;

/** What Uptime Kuma holds. */
export type KumaTables = Record<(typeof KUMA_TABLES)[number], readonly Row[]> & {
  /** Heartbeats summed up by monitor and day: `monitor_id`, `date`, `status`, `seconds`, `beats`. */
  heartbeat_day: readonly Row[];
};

/** Name of the key that marks the tables of a database in a text. */
export const DATABASE_KEY = 'uptime_kuma_database';

/** The tables of a JSON text: a backup of version 1, a list of monitors as its API gives it, or the tables of a database. */
export function tablesOf(source: unknown): KumaTables | null {
  const content = objectOf(source);
  if (Object.hasOwn(content, DATABASE_KEY)) return tablesFrom(objectOf(content[DATABASE_KEY]));
  const monitors = monitorsIn(source);
  if (monitors === null) return null;
  const rows = monitors.map(rowOf);
  return tablesFrom({
    monitor: rows,
    notification: entriesOf(content['notificationList']).map((one) => ({
      // Some exports have the configuration in the notification itself.
      ...objectOf(one),
      ...rowOf(one),
    })),
    monitor_notification: rows.flatMap((row) =>
      idsOf(row['notification_i_d_list']).map((id) => ({
        monitor_id: row['id'],
        notification_id: id,
      })),
    ),
    monitor_tag: rows.flatMap((row) =>
      listOf(row['tags']).map((tag) => ({ ...objectOf(tag), monitor_id: row['id'] })),
    ),
  });
}

function tablesFrom(tables: Given): KumaTables {
  const names = [...KUMA_TABLES, 'heartbeat_day'];
  return Object.fromEntries(
    names.map((name) => [name, listOf(tables[name]).map(objectOf)]),
  ) as unknown as KumaTables;
}

function monitorsIn(source: unknown): unknown[] | null {
  if (Array.isArray(source)) return source.every(isMonitor) ? source : null;
  const list = objectOf(source)['monitorList'] ?? objectOf(source)['monitors'];
  return typeof list === 'object' && list !== null ? entriesOf(list) : null;
}

const isMonitor = (value: unknown) =>
  typeof objectOf(value)['type'] === 'string' && Object.hasOwn(objectOf(value), 'name');

/** A list, or the values of an object whose keys are ids. */
function entriesOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : Object.values(objectOf(value));
}

/** In JSON, most columns have names such as `maxRetries`. */
function rowOf(value: unknown): Row {
  return Object.fromEntries(
    Object.entries(objectOf(value)).map(([name, part]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      part,
    ]),
  );
}

/** `{"1": true}`, or `[1]`. */
function idsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((id) => textOf(id) ?? []);
  return Object.entries(objectOf(value)).flatMap(([id, isOn]) => (isOn ? [id] : []));
}

/** A JSON text in a column; undefined for what is none. */
export function jsonIn(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** Rows by what a column of theirs refers to. */
export function rowsBy(rows: readonly Row[], column: string): ReadonlyMap<string, readonly Row[]> {
  return Map.groupBy(rows, (row) => idOf(row[column]));
}

/** The id of a row, or one that it refers to, as a text. */
export const idOf = (value: unknown): string => textOf(value) ?? '';
