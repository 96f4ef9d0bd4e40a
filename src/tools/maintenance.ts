import { maintenanceWindows } from '../resources/maintenance/windows.ts';
import { counted } from './common.ts';
import { count, detailed, list, made, shown, team } from './shown.ts';
import { byId, finalTool, listTool, viewTool, type Tool } from './tool.ts';

const maintenanceWindow = shown(maintenanceWindows.answer, {
  id: true,
  name: team(100),
  status: true,
  active_until: true,
  next_starts_at: true,
  next_ends_at: true,
  is_for_whole_team: made(
    ({ monitors, groups, tags }) => monitors.length + groups.length + tags.length === 0,
  ),
  monitors_covered: true,
  good_rounds: true,
  warnings: true,
  rrule: team(200),
  ...detailed({
    starts_at: true,
    ends_at: true,
    timezone: true,
    monitors_total: count('monitors'),
    monitors: list(true),
    groups_total: count('groups'),
    groups: list(true),
    tags_total: count('tags'),
    tags: list(team(50)),
  }),
});

const WINDOW_PATH = byId('maintenance_id');

const SCOPE =
  'Without monitors, groups and tags it covers the WHOLE TEAM. Checks go on, alerts wait until its end, its downtime does not count.';

/** Visitors and subscribers read it: such a text is only published after a dry run, by the tool of updates. */
const hiddenFields = ['description'];

export const MAINTENANCE_TOOLS: readonly Tool[] = [
  listTool({
    name: 'list_maintenance',
    operation: 'listMaintenanceWindows',
    hiddenQuery: ['sort', 'direction'],
    hasDetail: true,
    items: 'maintenance_windows',
    item: maintenanceWindow,
  }),
  viewTool({
    name: 'get_maintenance',
    operation: 'getMaintenanceWindow',
    path: WINDOW_PATH,
    hasDetail: true,
    content: maintenanceWindow,
    summary: sentenceOf,
  }),
  viewTool({
    name: 'start_maintenance',
    description: `Starts maintenance now, or mutes, for minutes (60 by default, at most 1,440); it ends earlier after 5 good rounds unless good_rounds is null. ${SCOPE}`,
    nullable: ['good_rounds'],
    hiddenFields,
    content: maintenanceWindow,
    summary: sentenceOf,
  }),
  viewTool({
    name: 'schedule_maintenance',
    operation: 'createMaintenanceWindow',
    hiddenFields,
    description: `Plans maintenance of at most 31 days, once or recurring (rrule). ${SCOPE}`,
    content: maintenanceWindow,
    summary: sentenceOf,
  }),
  viewTool({
    name: 'end_maintenance',
    description: 'Ends the active occurrence of a maintenance window now.',
    path: WINDOW_PATH,
    content: maintenanceWindow,
    summary: sentenceOf,
  }),
  finalTool({
    name: 'delete_maintenance',
    operation: 'deleteMaintenanceWindow',
    path: WINDOW_PATH,
    shows: 'get_maintenance',
    effect: 'delete the maintenance window with all later occurrences',
  }),
];

function sentenceOf(window: ReturnType<typeof maintenanceWindow.view>): string {
  const { id, name, status, active_until: until, next_starts_at: next } = window;
  const scope = window.is_for_whole_team ? 'the whole team, ' : '';
  const state = until !== null ? `active until ${until}` : status;
  const later = next === null ? '' : `, next from ${next}`;
  return `Maintenance ${id}, ${name}, is ${state}${later}. It covers ${scope}${counted(window.monitors_covered, 'monitor')}.`;
}
