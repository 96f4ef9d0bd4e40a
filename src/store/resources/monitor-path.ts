import type { MonitorFilter, MonitorSort, Paging } from './monitors.ts';

/** The way in which a page's rows are found. */
export interface AccessPath {
  /**
   * `order`: along the index of the order, leaving out what does not match. `filter`: all that match, by the index of
   * a filter, and then sorted. `scan`: all that there are. `tag` and `group`: all with a tag or in some groups, and
   * then sorted. `ids`: some whose ids are known, and then sorted.
   */
  by: 'order' | 'filter' | 'scan' | 'tag' | 'group' | 'ids';
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

/** The way to a page that steps over the fewest rows. Searches have another one (see searchPath). */
export function choosePath(
  filter: MonitorFilter,
  paging: Paging<MonitorSort>,
  counts: Counts,
): AccessPath {
  const { team, matching } = counts;
  const isFiltered = filter.status !== null || filter.type !== null || filter.interval !== null;
  const hasIndex = paging.sort !== 'last_checked_at';
  // A status may be rare at one end of an order, as that of a host which is down: then many more rows are skipped.
  const risk = filter.status !== null && isByText(paging) ? RISK : 1;
  const along = hasIndex ? (paging.offset + paging.limit) * (team / Math.max(1, matching)) : team;
  if (isFiltered && matching <= along * risk) {
    return {
      by: 'filter',
      from: filter.status === null ? 'monitor' : 'monitor_state',
      steps: matching,
    };
  }
  const from = paging.sort === 'status' ? 'monitor_state' : 'monitor';
  return { by: hasIndex ? 'order' : 'scan', from, steps: Math.min(along, team) };
}

/** Expected steps along an order are taken for this many where its values go with the filter's. */
const RISK = 8;

const isByText = ({ sort }: Paging<MonitorSort>) => sort === 'url' || sort === 'check_interval';

/** The filters that are not counted by indexes: their matches are read once, and counted and sorted there. */
export function isSearch({ search, q, tags, groupIds, region }: MonitorFilter): boolean {
  return [search, q, tags, groupIds, region].some((value) => value !== null);
}

/** A search for a part of a text, perhaps among other filters. */
export function isSearchOfTexts({ search, q }: MonitorFilter): boolean {
  return search !== null || q !== null;
}

/** A search that has no other filters. */
export function isOnlyOfTexts({ search: _search, q: _q, ...others }: MonitorFilter): boolean {
  return Object.values(others).every((value) => value === null);
}

/** The way to all that a search finds: by its tag or groups, which are indexed, or through all monitors. */
export function searchPath({ tags, groupIds }: MonitorFilter): Pick<AccessPath, 'by' | 'from'> {
  if (tags !== null) return { by: 'tag', from: 'monitor' };
  if (groupIds !== null) return { by: 'group', from: 'monitor' };
  return { by: 'scan', from: 'monitor' };
}

/** The way to count the monitors of a status that another filter matches, too. */
export interface CountPath extends AccessPath {
  /** Whether the monitors of all other statuses are counted, and subtracted from those that the other filter matches. */
  isByOthers: boolean;
}

/**
 * The way to count those of a status that other filters let through as well, of which it is known how many each lets
 * through alone. A scan reads the tables in the order in which they lie, so its steps are many times shorter.
 */
export function choosePathOfCount(known: {
  team: number;
  ofStatus: number;
  ofRest: number;
}): CountPath {
  const { team, ofStatus, ofRest } = known;
  const ofOthers = Math.max(0, team - ofStatus);
  const fewest = Math.min(ofStatus, ofRest, ofOthers);
  const isByOthers = fewest === ofOthers && fewest < Math.min(ofStatus, ofRest);
  if (fewest * SCAN_GAIN > team)
    return { by: 'scan', from: 'monitor', steps: team, isByOthers: false };
  const from = isByOthers || ofStatus < ofRest ? 'monitor_state' : 'monitor';
  return { by: 'filter', from, steps: fewest, isByOthers };
}

const SCAN_GAIN = 5;
