import type { MonitorOverview, StatusPage } from '../../app/api.gen.ts';
import { isWholeTeam, type Scope } from '../../parts/scope.ts';

/** Status pages on which visitors read of maintenance of a scope, each with the monitors of the scope that it shows. */
export function pagesShowing(
  scope: Scope,
  {
    monitors,
    groups,
  }: Pick<MonitorOverview, 'groups'> & {
    monitors: readonly Pick<MonitorOverview['monitors'][number], 'id' | 'group_id' | 'tags'>[];
  },
  pages: readonly {
    id: number;
    name: string;
    draft: boolean;
    services: readonly Pick<StatusPage['services'][number], 'monitor_id'>[];
  }[],
) {
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
    .filter(({ draft }) => !draft)
    .map(({ id, name, services }) => ({
      id,
      name,
      monitors: services.map(({ monitor_id }) => monitor_id).filter((one) => covered.has(one)),
    }))
    .filter(({ monitors: shown }) => shown.length > 0);
}
