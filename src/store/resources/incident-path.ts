import type {
  IncidentCounts,
  IncidentDay,
  IncidentFilter,
  IncidentKind,
  IncidentStatus,
} from './incident-counts.ts';
import { DAY_MS } from '../engine/results.ts';

export const INCIDENT_SORTS = ['started_at', 'ended_at', 'duration', 'status'] as const;
export type IncidentSort = (typeof INCIDENT_SORTS)[number];

/** Rows that the main thread may step over for one page: some milliseconds. */
export const QUICK_STEPS = 2_000;

/**
 * Matching incidents that are all read and sorted. Above that a walk along the index of the order is expected to meet
 * them soon, though it can't be promised.
 */
const COLLECTED = 10_000;

/**
 * Incidents of a list that follow each other in the order of one column, ties by id. Lists by `ended_at`, `duration`
 * and `status` have two parts: of those that are open only the id differs.
 */
export interface ListPart {
  order: 'started_at' | 'ended_at' | 'duration' | 'id';
  status: IncidentStatus | null;
  count: number;
}

/** A stretch of a part: `take` incidents after the first `skip`. */
export interface PartSlice extends ListPart {
  skip: number;
  take: number;
  direction: 'asc' | 'desc';
}

export const matchingKinds = ({ kinds }: IncidentCounts, filter: IncidentFilter) =>
  kinds.filter(
    ({ type, severity }) =>
      (filter.type === null || filter.type === type) &&
      (filter.severity === null || filter.severity === severity),
  );

/** The number of these that are open, resolved, or either. */
export function countOf(
  kinds: readonly Pick<IncidentKind, 'total' | 'open'>[],
  status: IncidentStatus | null,
): number {
  const one = { open: 1, resolved: 0 };
  return kinds.reduce((sum, { total, open }) => {
    if (status === null) return sum + total;
    return sum + (one[status] === 1 ? open : total - open);
  }, 0);
}

/** The parts of a list in their order; empty ones are left out. */
export function partsOf(
  kinds: readonly IncidentKind[],
  status: IncidentStatus | null,
  sort: IncidentSort,
  direction: 'asc' | 'desc',
): ListPart[] {
  if (sort === 'started_at') {
    return [{ order: 'started_at' as const, status, count: countOf(kinds, status) }];
  }
  const open = { order: 'id', status: 'open', count: countOf(kinds, 'open') } as const;
  const count = countOf(kinds, 'resolved');
  const resolved = { order: sort === 'status' ? 'id' : sort, status: 'resolved', count } as const;
  const isOpenFirst = sort === 'status' && direction === 'asc';
  const parts: ListPart[] = isOpenFirst ? [open, resolved] : [resolved, open];
  return parts.filter((part) => part.count > 0 && (status === null || status === part.status));
}

/** Divides a page among the parts. */
export function slicesOf(
  parts: readonly ListPart[],
  page: { offset: number; limit: number; direction: 'asc' | 'desc' },
): PartSlice[] {
  const { direction } = page;
  let [skip, left] = [page.offset, page.limit];
  const slices: PartSlice[] = [];
  for (const part of parts) {
    const take = Math.min(left, part.count - skip);
    if (take > 0) slices.push({ ...part, skip, take, direction });
    left -= Math.max(0, take);
    skip = Math.max(0, skip - part.count);
  }
  return slices;
}

/** The same incidents, counted from the nearer end; `isReversed` when they then come in the other order. */
export function fromNearerEnd(slice: PartSlice): PartSlice & { isReversed: boolean } {
  const after = slice.count - slice.skip - slice.take;
  if (slice.skip <= after) return { ...slice, isReversed: false };
  const direction = slice.direction === 'asc' ? 'desc' : 'asc';
  return { ...slice, skip: Math.max(0, after), direction, isReversed: true };
}

/** Whether it lies so deep that the days before it should be stepped over by their counts. */
export const isDeep = (slice: PartSlice) =>
  slice.order === 'started_at' && fromNearerEnd(slice).skip > QUICK_STEPS;

/** The same incidents, of the days that hold them only. @param days oldest first. */
export function withinDays(slice: PartSlice, filter: IncidentFilter, days: readonly IncidentDay[]) {
  const { status, direction, take } = slice;
  let [skip, count] = [slice.skip, 0];
  const held: IncidentDay[] = [];
  for (const day of direction === 'asc' ? days : days.toReversed()) {
    const size = countOf([day], status);
    if (held.length === 0 && size <= skip) {
      skip -= size;
      continue;
    }
    held.push(day);
    count += size;
    if (count >= skip + take) break;
  }
  const ofHeld = held.map(({ day }) => day * DAY_MS);
  const startedFrom = Math.min(...ofHeld);
  const startedBefore = Math.max(...ofHeld) + DAY_MS;
  if (held.length === 0) return { slice, filter };
  return { slice: { ...slice, skip, count }, filter: { ...filter, startedFrom, startedBefore } };
}

/** The indexes of migrations 0001 and 0014 that lists are read by. */
export type IncidentIndex =
  | 'incident_team'
  | 'incident_monitor'
  | 'incident_kind'
  | 'incident_open_since'
  | 'incident_ended'
  | 'incident_duration'
  | 'incident_resolved';

/** A way to the incidents of a slice. */
export interface IncidentPath {
  index: IncidentIndex;
  /** Along the index in the list's order; else all that match are read and sorted. */
  isWalk: boolean;
  /** Upper bound of the rows to step over; infinite where it depends on how the matching ones are spread. */
  steps: number;
}

const WALKS = {
  ended_at: 'incident_ended',
  duration: 'incident_duration',
  id: 'incident_resolved',
} as const;

/** The way with the fewest steps. */
export function choosePath(
  slice: PartSlice,
  filter: IncidentFilter,
  counts: IncidentCounts,
): IncidentPath {
  const paths = filter.monitorId === null ? teamPaths : monitorPaths;
  const [first, ...others] = paths(slice, filter, counts);
  return others.reduce((best, path) => (path.steps < best.steps ? path : best), first!);
}

function teamPaths(
  slice: PartSlice,
  filter: IncidentFilter,
  counts: IncidentCounts,
): IncidentPath[] {
  const { hidden } = counts;
  const kinds = matchingKinds(counts, filter);
  const ofKinds = countOf(kinds, null) + hidden;
  const isOfKinds = filter.type !== null || filter.severity !== null;
  const reach = slice.skip + slice.take + hidden;
  const isWalk = slice.order === 'started_at';
  if (slice.status === 'open') {
    const open = isOfKinds || !isWalk ? countOf(counts.kinds, 'open') + hidden : reach;
    const byOpen: IncidentPath = { index: 'incident_open_since', isWalk, steps: open };
    return isOfKinds ? [byOpen, { index: 'incident_kind', isWalk, steps: ofKinds }] : [byOpen];
  }
  if (isWalk) {
    const skipped = slice.status === null ? 0 : countOf(isOfKinds ? kinds : counts.kinds, 'open');
    const steps = isOfKinds ? kinds.length * reach + skipped : reach + skipped;
    return [{ index: isOfKinds ? 'incident_kind' : 'incident_team', isWalk, steps }];
  }
  const walk = WALKS[slice.order as keyof typeof WALKS];
  if (!isOfKinds && filter.startedFrom === null && filter.startedBefore === null) {
    return [{ index: walk, isWalk: true, steps: reach }];
  }
  if (ofKinds > COLLECTED) return [{ index: walk, isWalk: true, steps: Infinity }];
  return [{ index: isOfKinds ? 'incident_kind' : 'incident_team', isWalk, steps: ofKinds }];
}

function monitorPaths(
  slice: PartSlice,
  filter: IncidentFilter,
  { kinds }: IncidentCounts,
): IncidentPath[] {
  const all = countOf(kinds, null);
  const isWalk = slice.order === 'started_at';
  const isWhole = slice.status === null && filter.type === null && filter.severity === null;
  if (isWalk && isWhole) {
    return [{ index: 'incident_monitor', isWalk, steps: slice.skip + slice.take }];
  }
  if (!isWalk && slice.status === 'resolved' && all > COLLECTED) {
    const index = WALKS[slice.order as keyof typeof WALKS];
    return [{ index, isWalk: true, steps: Infinity }];
  }
  return [{ index: 'incident_monitor', isWalk, steps: all }];
}
