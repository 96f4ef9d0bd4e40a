import type { Group } from '../../client/types.gen.ts';

/** What a tree needs of a monitor. */
export interface GroupedMonitor {
  group_id?: number;
  status: 'online' | 'offline' | 'degraded' | 'pending';
  is_paused?: boolean;
  /** There while it is not observed. */
  observed_until?: number;
}

/** Group with its subgroups, and what is wrong in all of them. */
export interface GroupNode {
  group: Group;
  children: GroupNode[];
  /** Monitors in it and its subgroups. */
  monitors: number;
  offline: number;
  degraded: number;
  /** Those that are not observed. */
  unknown: number;
}

/** Groups in their order, those inside of another below it. */
export function treeOf(
  groups: readonly Group[],
  monitors: readonly GroupedMonitor[],
  parent: number | null = null,
): GroupNode[] {
  return siblingsOf(groups, parent).map((group) => {
    const children = treeOf(groups, monitors, group.id);
    const own = monitors.filter(({ group_id: id }) => id === group.id);
    const active = own.filter(({ is_paused: isPaused }) => isPaused !== true);
    const seen = active.filter(({ observed_until: until }) => until === undefined);
    const count = (status: GroupedMonitor['status']) =>
      seen.filter((monitor) => monitor.status === status).length;
    const sum = (key: 'monitors' | 'offline' | 'degraded' | 'unknown') =>
      children.reduce((total, child) => total + child[key], 0);
    return {
      group,
      children,
      monitors: own.length + sum('monitors'),
      offline: count('offline') + sum('offline'),
      degraded: count('degraded') + sum('degraded'),
      unknown: active.length - seen.length + sum('unknown'),
    };
  });
}

/** Groups inside of another, or on the top level, in their order. */
export function siblingsOf(groups: readonly Group[], parent: number | null): Group[] {
  return groups
    .filter(({ parent_id: id }) => id === parent)
    .toSorted((a, b) => a.sort_order - b.sort_order || a.name.localeCompare(b.name));
}

/** Groups that a group can be inside of: those of the top level, unless it has subgroups itself. */
export function parentsFor(groups: readonly Group[], id: number | null): Group[] {
  if (groups.some(({ parent_id: parent }) => parent !== null && parent === id)) return [];
  return siblingsOf(groups, null).filter((group) => group.id !== id);
}
