import type { Group } from '../../app/api.gen.ts';
import type { Row } from '../monitors/rows.ts';

/** Group with its subgroups, and the monitors of all of them. */
export interface GroupNode {
  group: Group;
  children: GroupNode[];
  rows: Row[];
}

/** Groups in their order, those inside of another below it. */
export function treeOf(
  groups: readonly Group[],
  rows: readonly Row[],
  parent: number | null = null,
): GroupNode[] {
  return siblingsOf(groups, parent).map((group) => {
    const children = treeOf(groups, rows, group.id);
    const own = rows.filter(({ monitor }) => monitor.group_id === group.id);
    return { group, children, rows: [...own, ...children.flatMap((child) => child.rows)] };
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
