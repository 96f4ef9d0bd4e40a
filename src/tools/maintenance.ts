import { z } from 'zod';
import { counted, time } from './common.ts';
import { fromTeam } from './target-text.ts';
import { listTool, finalTool, viewTool, type Tool, type View } from './tool.ts';

const WINDOW_STATUSES = ['scheduled', 'active', 'over'] as const;

/** What tools read of a maintenance window as the API answers it. */
interface WindowAnswer {
  id: number;
  name: string;
  starts_at: string;
  ends_at: string;
  rrule: string | null;
  timezone: string;
  monitors: number[];
  groups: number[];
  tags: string[];
  good_rounds: number | null;
  monitors_covered: number;
  warnings: string[];
  status: (typeof WINDOW_STATUSES)[number];
  active_until: string | null;
  next_starts_at: string | null;
  next_ends_at: string | null;
}

const ids = z.array(z.int());

const maintenanceWindow = z.object({
  id: z.int(),
  name: z.string(),
  status: z.enum(WINDOW_STATUSES),
  active_until: time.nullable().meta({ description: 'Null while it is not active.' }),
  next_starts_at: time.nullable().meta({ description: 'Null after its last occurrence.' }),
  next_ends_at: time.nullable(),
  is_for_whole_team: z.boolean().meta({
    description: 'True when it names no monitors, groups and tags.',
  }),
  monitors_covered: z.int().meta({ description: 'Monitors that it covers at the moment.' }),
  good_rounds: z.int().nullable().meta({
    description:
      'It ends early once each of its monitors had this many good rounds in a row. Null: at its end.',
  }),
  warnings: z.array(z.string()).meta({ description: 'Probable mistakes.' }),
  rrule: z.string().nullable().meta({ description: 'Recurrence rule; null for one occurrence.' }),
  starts_at: time.optional().meta({ description: 'Start of the first occurrence.' }),
  ends_at: time.optional(),
  timezone: z.string().optional(),
  monitors_total: z.int().optional(),
  monitors: ids.optional(),
  groups_total: z.int().optional(),
  groups: ids.optional(),
  tags_total: z.int().optional(),
  tags: z.array(z.string()).optional(),
});

const WINDOW_PATH = {
  id: { argument: 'maintenance_id', description: 'Id of the window, from list_maintenance.' },
};

const EFFECT = 'Checks go on, alerts wait until its end, and downtime in it does not count.';

export const MAINTENANCE_TOOLS: readonly Tool[] = [
  listTool({
    name: 'list_maintenance',
    operation: 'listMaintenanceWindows',
    description:
      'Lists maintenance windows: active and scheduled ones first, then those that are over.',
    hiddenQuery: ['sort', 'direction'],
    hasDetail: true,
    items: 'maintenance_windows',
    item: maintenanceWindow,
    viewItem: viewWindow,
  }),
  viewTool({
    name: 'get_maintenance',
    operation: 'getMaintenanceWindow',
    description:
      'Shows one maintenance window; with detail also its times, monitors, groups and tags.',
    path: WINDOW_PATH,
    hasDetail: true,
    output: maintenanceWindow,
    view: viewWindow,
    summary: sentenceOf,
  }),
  viewTool({
    name: 'start_maintenance',
    operation: 'startMaintenance',
    description: `Starts a maintenance window now, for deploys and for "mute X" for up to a day; for longer use schedule_maintenance with the present time as starts_at. Give ids in monitors or groups, or tags: without any of the three it covers the WHOLE TEAM, all monitors. It lasts minutes (60 by default, at most 1,440), and ends earlier after 5 good rounds unless good_rounds is null: send null to mute until a time. ${EFFECT}`,
    nullable: ['good_rounds'],
    output: maintenanceWindow,
    view: viewWindow,
    summary: sentenceOf,
  }),
  viewTool({
    name: 'schedule_maintenance',
    operation: 'createMaintenanceWindow',
    description: `Plans a maintenance window with a start and an end, at most 31 days long, that may recur (rrule). Times without an offset are in timezone. Give monitors, groups or tags: without any it covers the WHOLE TEAM, all monitors. ${EFFECT} For one that begins now and ends within a day, use start_maintenance.`,
    output: maintenanceWindow,
    view: viewWindow,
    summary: sentenceOf,
  }),
  viewTool({
    name: 'end_maintenance',
    operation: 'endMaintenance',
    description:
      'Ends the active occurrence of a maintenance window now: alerts that waited are sent if their problem is still there. Later occurrences still take place.',
    path: WINDOW_PATH,
    output: maintenanceWindow,
    view: viewWindow,
    summary: sentenceOf,
  }),
  finalTool({
    name: 'delete_maintenance',
    operation: 'deleteMaintenanceWindow',
    description:
      'Deletes a maintenance window with all later occurrences. What it covered in the past stays excluded from uptime. To end only the active occurrence, use end_maintenance.',
    path: WINDOW_PATH,
    shows: 'get_maintenance',
    effect: 'delete the maintenance window with all later occurrences',
  }),
];

function viewWindow(
  answer: WindowAnswer,
  { detail, itemLimit }: View,
): z.input<typeof maintenanceWindow> {
  const { monitors, groups, tags } = answer;
  return {
    id: answer.id,
    name: fromTeam(answer.name, 100),
    status: answer.status,
    active_until: answer.active_until,
    next_starts_at: answer.next_starts_at,
    next_ends_at: answer.next_ends_at,
    is_for_whole_team: monitors.length + groups.length + tags.length === 0,
    monitors_covered: answer.monitors_covered,
    good_rounds: answer.good_rounds,
    warnings: answer.warnings,
    rrule: fromTeam(answer.rrule, 200),
    ...(detail && {
      starts_at: answer.starts_at,
      ends_at: answer.ends_at,
      timezone: answer.timezone,
      monitors_total: monitors.length,
      monitors: monitors.slice(0, itemLimit),
      groups_total: groups.length,
      groups: groups.slice(0, itemLimit),
      tags_total: tags.length,
      tags: tags.slice(0, itemLimit).map((tag) => fromTeam(tag, 50)),
    }),
  };
}

function sentenceOf(shown: z.output<typeof maintenanceWindow>): string {
  const { id, name, status, active_until: until, next_starts_at: next } = shown;
  const scope = shown.is_for_whole_team ? 'the whole team, ' : '';
  const state = until !== null ? `active until ${until}` : status;
  const later = next === null ? '' : `, next from ${next}`;
  return `Maintenance ${id}, ${name}, is ${state}${later}. It covers ${scope}${counted(shown.monitors_covered, 'monitor')}.`;
}
