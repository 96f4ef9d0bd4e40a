import type { MonitorOverview, StatusPage } from '../../app/api.gen.ts';
import { isWholeTeam, type Scope } from '../../parts/scope.ts';

/** Status pages on which visitors read of maintenance of a scope: those that show one of its monitors. */
export function pagesShowing(
  scope: Scope,
  {
    monitors,
    groups,
  }: Pick<MonitorOverview, 'groups'> & {
    monitors: readonly Pick<MonitorOverview['monitors'][number], 'id' | 'group_id' | 'tags'>[];
  },
  pages: readonly {
    name: string;
    services: readonly Pick<StatusPage['services'][number], 'monitor_id'>[];
  }[],
): string[] {
  const within = new Set(scope.groups);
  for (const { id, parent_id } of groups) if (within.has(parent_id ?? 0)) within.add(id);
  const isAll = isWholeTeam(scope);
  const covered = new Set(
    monitors
      .filter(
        ({ id, group_id, tags }) =>
          isAll ||
          scope.monitors.includes(id) ||
          within.has(group_id ?? 0) ||
          (tags ?? []).some((tag) => scope.tags.includes(tag)),
      )
      .map(({ id }) => id),
  );
  return pages
    .filter(({ services }) => services.some(({ monitor_id }) => covered.has(monitor_id)))
    .map(({ name }) => name);
}
