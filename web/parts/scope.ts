import type { Named, TeamNames } from '../app/names.ts';
import { words } from '../words/index.ts';

/** Monitors that something applies to: all of the team when the three lists are empty. */
export interface Scope {
  monitors: number[];
  groups: number[];
  tags: string[];
}

/** Scope while it is edited: "some" stays chosen while its lists are empty. */
export interface ScopeDraft extends Scope {
  isAll: boolean;
}

export const NO_SCOPE: ScopeDraft = { isAll: false, monitors: [], groups: [], tags: [] };

/** Lists for the API: none where all monitors are meant. */
export function scopeOf({ isAll, monitors, groups, tags }: ScopeDraft): Scope {
  return isAll ? { monitors: [], groups: [], tags: [] } : { monitors, groups, tags };
}

/** Whether a scope names nothing, which stands for all monitors. */
export function isWholeTeam({ monitors, groups, tags }: Scope): boolean {
  return monitors.length + groups.length + tags.length === 0;
}

/** Whether "some monitors" is chosen and none is named: the API would take that for all. */
export function lacksScope(scope: ScopeDraft): boolean {
  return !scope.isAll && isWholeTeam(scope);
}

/** Names of ids; a deleted one by its number. */
export function namesOf(ids: readonly number[], known: readonly Named[]): string[] {
  const names = new Map(known.map(({ id, name }) => [id, name]));
  return ids.map((id) => names.get(id) ?? words.maintenance.unknown(id));
}

/** Scope in words: "Checkout API, group Data, tagged prod". */
export function scopeText(scope: Scope, known: TeamNames): string {
  const { maintenance } = words;
  if (isWholeTeam(scope)) return maintenance.allMonitors;
  const groups = namesOf(scope.groups, known.groups);
  return [
    ...namesOf(scope.monitors, known.monitors),
    ...(groups.length === 0 ? [] : [maintenance.inGroup(groups.join(', '))]),
    ...(scope.tags.length === 0 ? [] : [maintenance.tagged(scope.tags.join(', '))]),
  ].join(', ');
}
