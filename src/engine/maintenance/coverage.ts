import type { MaintenanceScope, ScopedMonitor } from './window.ts';

/** Number of monitors that a scope covers. */
export type Coverage = (scope: MaintenanceScope) => number;

/** Counts by an index, so that a page of windows looks at each monitor of the team once. */
export function coverageOf(monitors: readonly ScopedMonitor[]): Coverage {
  const ids = new Set<number>();
  const byGroup = new Map<number, number[]>();
  const byTag = new Map<string, number[]>();
  for (const { id, groupIds, tags } of monitors) {
    ids.add(id);
    for (const group of groupIds) add(byGroup, group, id);
    for (const tag of tags) add(byTag, tag, id);
  }
  return (scope) => {
    if (scope.monitors.length + scope.groups.length + scope.tags.length === 0) return ids.size;
    const covered = new Set(scope.monitors.filter((id) => ids.has(id)));
    for (const group of scope.groups) for (const id of byGroup.get(group) ?? []) covered.add(id);
    for (const tag of scope.tags) for (const id of byTag.get(tag) ?? []) covered.add(id);
    return covered.size;
  };
}

function add<Key>(index: Map<Key, number[]>, key: Key, id: number): void {
  const list = index.get(key);
  if (list === undefined) index.set(key, [id]);
  else list.push(id);
}
