import type { MonitorLabels } from '../../store/resources/monitors.ts';
import { Findings } from '../common/input.ts';
import type { BulkActionBody, BulkActionName } from './bulk-input.ts';
import { MAX_TAGS } from '../../monitor-types/input-schemas.ts';

/** An action with what it needs. */
export type BulkAction =
  | { name: 'pause' | 'resume' | 'delete' }
  | { name: 'add_tags' | 'remove_tags'; tags: readonly string[] }
  | { name: 'move'; groupId: number | null };

const TAKES_TAGS: readonly BulkActionName[] = ['add_tags', 'remove_tags'];

/** The action of a body. Reports fields that it needs, and those of other actions: they may have been meant as filters. */
export function actionOf(body: Partial<BulkActionBody>, findings: Findings): BulkAction | null {
  const { action: name, tags, group_id: groupId, ids, filter } = body;
  const mentions = (field: string) => findings.has(field);
  if ((ids === undefined) === (filter === undefined) && !mentions('ids') && !mentions('filter'))
    findings.add('ids', 'must be sent, or filter: exactly one of the two');
  if (filter !== undefined && !mentions('filter')) requireFilter(filter, findings);
  if (name === undefined) return null;
  if (TAKES_TAGS.includes(name)) {
    if (tags === undefined && !mentions('tags')) findings.add('tags', `is required for ${name}`);
  } else if (tags !== undefined) {
    findings.add(
      'tags',
      'is for add_tags and remove_tags: to choose monitors by tag, send filter.tag',
    );
  }
  if (name === 'move') {
    if (groupId === undefined && !mentions('group_id'))
      findings.add('group_id', 'is required for move: the id of a group, or null for none');
  } else if (groupId !== undefined) {
    findings.add('group_id', 'is for move: to choose monitors by group, send filter.group_id');
  }
  if (name === 'move') return { name, groupId: groupId ?? null };
  return name === 'add_tags' || name === 'remove_tags' ? { name, tags: tags ?? [] } : { name };
}

/** Requires a filter, so that no request changes every monitor by mistake: that takes `all: true`. */
function requireFilter(filter: object, findings: Findings): void {
  const names = Object.keys(filter);
  if (names.length === 0)
    findings.add(
      'filter',
      'must have at least one filter: send {"all": true} for every monitor of your team',
    );
  else if (names.includes('all') && names.length > 1)
    findings.add('filter.all', 'must be sent alone: leave it out, or leave the other filters out');
}

/** The tags of a monitor after an action, in their order and without repeating those it has. */
export function tagsAfter(action: BulkAction, before: readonly string[]): string[] {
  if (action.name === 'add_tags')
    return [...before, ...new Set(action.tags.filter((tag) => !before.includes(tag)))];
  if (action.name === 'remove_tags') return before.filter((tag) => !action.tags.includes(tag));
  return [...before];
}

/** Whether an action changes a monitor. */
export function changes(action: BulkAction, monitor: MonitorLabels): boolean {
  switch (action.name) {
    case 'pause':
      return monitor.is_paused === 0;
    case 'resume':
      return monitor.is_paused === 1;
    case 'delete':
      return true;
    case 'move':
      return monitor.group_id !== action.groupId;
    default: {
      const before = tagsOf(monitor);
      return tagsAfter(action, before).length !== before.length;
    }
  }
}

/** Maximum number of monitors that an error names. */
const MAX_NAMED = 10;

/** False when the action would give a monitor more tags than it may have. */
export function hasRoomForTags(action: BulkAction, monitor: MonitorLabels): boolean {
  return action.name !== 'add_tags' || tagsAfter(action, tagsOf(monitor)).length <= MAX_TAGS;
}

/** Throws InvalidInput when the action would give a monitor more tags than it may have. */
export function requireRoomForTags(action: BulkAction, monitors: readonly MonitorLabels[]): void {
  const full = monitors.filter((one) => !hasRoomForTags(action, one));
  if (full.length === 0) return;
  const named = full
    .slice(0, MAX_NAMED)
    .map(({ id }) => id)
    .join(', ');
  const more = full.length > MAX_NAMED ? ` and ${full.length - MAX_NAMED} more` : '';
  const findings = new Findings();
  findings.add(
    'tags',
    `would give more than ${MAX_TAGS} tags to the monitors with the ids ${named}${more}: nothing was changed`,
  );
  throw findings.asError();
}

export function tagsOf({ tags }: Pick<MonitorLabels, 'tags'>): string[] {
  return JSON.parse(tags) as string[];
}
