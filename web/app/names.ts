import { useMemo } from 'react';
import { useRead } from './api.ts';

/** Something that is chosen by its name. */
export interface Named<Id extends number | string = number> {
  id: Id;
  name: string;
}

/** What the team has that rules can be about, by name. */
export interface TeamNames {
  monitors: Named[];
  groups: Named[];
  tags: string[];
}

const NOTHING: TeamNames = { monitors: [], groups: [], tags: [] };

/** Names of the team's monitors, groups and tags; empty until they are read. */
export function useTeamNames(): TeamNames {
  const overview = useRead('getMonitorOverview');
  const groups = useRead('listGroups');
  return useMemo(() => {
    if (overview.data === undefined || groups.data === undefined) return NOTHING;
    const { monitors } = overview.data;
    return {
      monitors: monitors.map(({ id, name }) => ({ id, name })),
      groups: groups.data.data.map(({ id, name }) => ({ id, name })),
      tags: [...new Set(monitors.flatMap(({ tags }) => tags ?? []))].toSorted(),
    };
  }, [overview.data, groups.data]);
}
