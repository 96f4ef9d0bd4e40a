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
