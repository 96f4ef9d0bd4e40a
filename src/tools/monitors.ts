import { z } from 'zod';
import { MONITOR_STATUSES, type MonitorStatus } from '../model/monitor.ts';
import { MONITOR_TYPES, type MonitorType } from '../monitor-types/registry.ts';
import { name, nameOf, shownUrl, time } from './common.ts';
import { fromTeam } from './target-text.ts';
import { listTool, removalTool, viewTool, type Tool, type View } from './tool.ts';

/** What tools read of a monitor as the API answers it. */
interface MonitorAnswer {
  id: number;
  monitor_type: MonitorType;
  friendly_name: string | null;
  url: string;
  status: MonitorStatus;
  is_paused: boolean;
  check_interval: number | null;
  group_id: number | null;
  tags: string[];
  monitored_regions: string[];
  check_types: string[];
  last_checked_at: string | null;
  next_check_at: string | null;
  last_heartbeat_at: string | null;
  heartbeat_expected_at: string | null;
}

const monitor = z.object({
  id: z.int(),
  name,
  type: z.enum(MONITOR_TYPES),
  url: z.string().nullable().meta({
    description: 'Without its query, which may hold secrets. Null for heartbeat and cron.',
  }),
  status: z.enum(MONITOR_STATUSES),
  is_paused: z.boolean(),
  last_checked_at: time.nullable(),
  check_interval_minutes: z.number().nullable().optional(),
  group_id: z.int().nullable().optional(),
  tags: z.array(z.string()).optional(),
  regions: z.array(z.string()).optional(),
  check_types: z.array(z.string()).optional(),
  next_check_at: time.nullable().optional(),
  last_heartbeat_at: time.nullable().optional(),
  heartbeat_expected_at: time.nullable().optional(),
});

const MONITOR_PATH = {
  id: { argument: 'monitor_id', description: 'Id of the monitor, from list_monitors.' },
};

export const MONITOR_TOOLS: readonly Tool[] = [
  listTool({
    name: 'list_monitors',
    operation: 'listMonitors',
    description:
      'Lists monitors with their status, newest first unless sorted. Filter by status, type, tag, group, region or text (q) instead of reading all.',
    hasDetail: true,
    items: 'monitors',
    item: monitor,
    viewItem: viewMonitor,
  }),
  viewTool({
    name: 'get_monitor',
    operation: 'getMonitor',
    description: 'Shows one monitor with its settings and status.',
    path: MONITOR_PATH,
    hasDetail: true,
    output: monitor,
    view: viewMonitor,
    summary: ({ id, name: called, status, is_paused: isPaused }) =>
      `Monitor ${id}, ${called}, is ${isPaused ? `paused (last status ${status})` : status}.`,
  }),
  removalTool({
    name: 'delete_monitor',
    operation: 'deleteMonitor',
    description:
      'Deletes a monitor with its whole history, incidents included. To stop checks for a while, use pause_monitor.',
    path: MONITOR_PATH,
    shows: 'get_monitor',
    effect: 'delete the monitor with its whole history',
  }),
];

function viewMonitor(answer: MonitorAnswer, { detail, itemLimit }: View): z.input<typeof monitor> {
  return {
    id: answer.id,
    name: nameOf(answer),
    type: answer.monitor_type,
    url: shownUrl(answer.url),
    status: answer.status,
    is_paused: answer.is_paused,
    last_checked_at: answer.last_checked_at,
    ...(detail && {
      check_interval_minutes: answer.check_interval,
      group_id: answer.group_id,
      tags: answer.tags.slice(0, itemLimit).map((tag) => fromTeam(tag, 50)),
      regions: answer.monitored_regions,
      check_types: answer.check_types,
      next_check_at: answer.next_check_at,
      last_heartbeat_at: answer.last_heartbeat_at,
      heartbeat_expected_at: answer.heartbeat_expected_at,
    }),
  };
}
