import type { MonitorFilter, MonitorSort, Paging } from './monitors.ts';

/** The way in which a page's rows are found. */
export interface AccessPath {
  /**
   * `order`: along the index of the order, leaving out what does not match. `filter`: all that match, by the index of
   * a filter, and then sorted. `scan`: all that there are. `tag` and `group`: all with a tag or in some groups, and
   * then sorted.
   */
  by: 'order' | 'filter' | 'scan' | 'tag' | 'group';
  /** The table that is read first. */
  from: 'monitor' | 'monitor_state';
  /** Approximate number of rows that are skipped. */
  steps: number;
}

/** Counts that are known before a page is read; they may be slightly outdated. */
export interface Counts {
  /** Monitors of the team. */
  team: number;
  /** The number that match the filter. */
  matching: number;
}

/** The way to a page that steps over the fewest rows. A search in texts is none of them: it always scans. */
export function choosePath(
  filter: MonitorFilter,
  paging: Paging<MonitorSort>,
  counts: Counts,
): AccessPath {
  const { team, matching } = counts;
  const isFiltered = filter.status !== null || filter.type !== null || filter.interval !== null;
  const hasIndex = paging.sort !== 'last_checked_at';
  const along = hasIndex ? (paging.offset + paging.limit) * (team / Math.max(1, matching)) : team;
  if (isFiltered && matching <= along) {
    return {
      by: 'filter',
      from: filter.status === null ? 'monitor' : 'monitor_state',
      steps: matching,
    };
  }
  const from = paging.sort === 'status' ? 'monitor_state' : 'monitor';
  return { by: hasIndex ? 'order' : 'scan', from, steps: Math.min(along, team) };
}

/** The filters that are not counted by indexes: their matches are read once, and counted and sorted there. */
export function isSearch({ search, q, tags, groupIds, region }: MonitorFilter): boolean {
  return [search, q, tags, groupIds, region].some((value) => value !== null);
}

/** The way to all that a search finds: by its tag or groups, which are indexed, or through all monitors. */
export function searchPath({ tags, groupIds }: MonitorFilter): Pick<AccessPath, 'by' | 'from'> {
  if (tags !== null) return { by: 'tag', from: 'monitor' };
  if (groupIds !== null) return { by: 'group', from: 'monitor' };
  return { by: 'scan', from: 'monitor' };
}

/**
 * The way to count those of a status that other filters let through as well, of which it is known how many each lets
 * through alone. A scan reads the tables in the order in which they lie, so its steps are many times shorter.
 */
export function choosePathOfCount(known: {
  team: number;
  ofStatus: number;
  ofRest: number;
}): AccessPath {
  const { team, ofStatus, ofRest } = known;
  const fewest = Math.min(ofStatus, ofRest);
  if (fewest * SCAN_GAIN > team) return { by: 'scan', from: 'monitor', steps: team };
  return { by: 'filter', from: ofStatus < ofRest ? 'monitor_state' : 'monitor', steps: fewest };
}

const SCAN_GAIN = 5;
