import { addressFilter, number, oneOf, anyText } from '../../lib/address-filter.ts';

export const STATUS_FILTERS = [
  'all',
  'offline',
  'degraded',
  'unknown',
  'online',
  'maintenance',
  'paused',
] as const;
export type StatusFilter = (typeof STATUS_FILTERS)[number];
export const SORTS = ['worst', 'name', 'response', 'uptime'] as const;
export type Sort = (typeof SORTS)[number];

/** Filter of the list, as the address says it. */
export const {
  empty: NO_FILTER,
  read: readFilter,
  write: writeFilter,
} = addressFilter({
  text: { ...anyText(), name: 'q' },
  status: oneOf(STATUS_FILTERS, 'all'),
  type: anyText(),
  tag: anyText(),
  /** Id; null for all. */
  group: number(null),
  sort: oneOf(SORTS, 'worst'),
});

export type Filter = typeof NO_FILTER;

/** Whether a filter leaves anything out. */
export function isFiltering(filter: Filter): boolean {
  return writeFilter({ ...filter, sort: NO_FILTER.sort }) !== '';
}

/** Filter with a name, kept in this browser. */
export interface SavedFilter {
  name: string;
  /** Query of its address, such as "?status=offline". */
  search: string;
}

/** Reads kept filters; what is not one is left out. */
export function parseSaved(text: string): SavedFilter[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return [];
  }
  return Array.isArray(parsed) ? parsed.filter(isSaved) : [];
}

function isSaved(value: unknown): value is SavedFilter {
  if (typeof value !== 'object' || value === null) return false;
  const { name, search } = value as Record<string, unknown>;
  return typeof name === 'string' && name !== '' && typeof search === 'string';
}

/** Filters with one more, which takes the place of one with its name. In the order of their names. */
export function withSaved(saved: readonly SavedFilter[], added: SavedFilter): SavedFilter[] {
  return [...saved.filter(({ name }) => name !== added.name), added].toSorted((one, other) =>
    one.name.localeCompare(other.name),
  );
}

/** The filter that was saved as this one, if any. */
export function savedAs(saved: readonly SavedFilter[], filter: Filter): SavedFilter | undefined {
  const search = writeFilter(filter);
  return saved.find((one) => writeFilter(readFilter(one.search)) === search);
}

/** Reads kept ids; what is not one is left out. */
export function parseClosed(text: string): ReadonlySet<number | null> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!Array.isArray(parsed)) return new Set();
    return new Set(parsed.filter((id) => id === null || Number.isSafeInteger(id)));
  } catch {
    return new Set();
  }
}
