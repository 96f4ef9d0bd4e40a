import { z } from 'zod';
import { DEFINITIONS, isPushType, PUSH } from '../monitor-types/registry.ts';
import { changeMonitors } from '../resources/monitors/bulk-reference.ts';
import { monitors } from '../resources/monitors/reference.ts';
import { counted } from './common.ts';
import { monitor, singleMonitor } from './monitor-view.ts';
import { as, cut, made, shown } from './shown.ts';
import { byId, finalTool, listTool, viewTool, type Tool } from './tool.ts';

export const MONITOR_PATH = byId('monitor_id', 'Id of the monitor, from list_monitors.');

const REQUIRED_BY_TYPE = DEFINITIONS.map(
  ({ name, required }) => `${name}: ${required.map(([field]) => field).join(', ')}`,
).join('; ');

/** The url in the answer may be a ping URL, a secret. */
const pauseState = shown(monitors.operations.pauseMonitor.answer, {
  id: as<number>('monitor.id'),
  is_paused: as('monitor.is_paused'),
  message: true,
});

const sumUpPause = ({ id, message }: ReturnType<typeof pauseState.view>) =>
  `Monitor ${id}: ${message}`;

/** Ids that count as one item of a list, since they are short. */
const IDS_PER_ITEM = 10;

export const MONITOR_TOOLS: readonly Tool[] = [
  listTool({
    name: 'list_monitors',
    operation: 'listMonitors',
    description:
      'Lists monitors with their status and ids, newest first unless sorted, which is ascending. Filter by status, type, tag, group, region or text (q) instead of reading all; get_monitor has the settings of one.',
    hiddenQuery: ['search', 'direction'],
    hasDetail: true,
    items: 'monitors',
    item: monitor,
  }),
  viewTool({
    name: 'get_monitor',
    operation: 'getMonitor',
    description:
      'Shows one monitor: its status, the newest response time of each region in milliseconds, and its newest incidents. With detail, its settings too; passwords and values of headers are eight bullets.',
    path: MONITOR_PATH,
    hasDetail: true,
    content: singleMonitor,
    summary: ({ id, name, status, is_paused: isPaused, not_observed_since: since }) =>
      since === undefined
        ? `Monitor ${id}, ${name}, is ${isPaused ? `paused (last status ${status})` : status}.`
        : `Monitor ${id}, ${name}, was ${status} when it was last observed. Nothing is known since ${since}.`,
  }),
  viewTool({
    name: 'create_monitor',
    operation: 'createMonitor',
    description: `Creates a monitor. Required by monitor_type: ${REQUIRED_BY_TYPE}. check_url tries a URL before, list_regions has the regions, and preview_cron explains a cron expression.`,
    hiddenFields: ['notification_settings'],
    hasDetail: true,
    content: monitor,
    summary: ({ id, name, type }) => {
      const isPush = isPushType(type);
      return `Monitor ${id}, ${name}, was created. ${isPush ? pingUrlHint(id) : 'It is pending until its first check.'}`;
    },
  }),
  viewTool({
    name: 'update_monitor',
    operation: 'updateMonitor',
    description:
      'Changes the settings of a monitor that are given; null restores the default. Lists and request_headers are replaced as a whole; eight bullets in auth_username, auth_password or a value of request_headers keep what is stored. To stop checks for a while, use pause_monitor.',
    path: MONITOR_PATH,
    hiddenFields: ['monitor_type', 'notification_settings'],
    hasDetail: true,
    content: monitor,
    summary: ({ id, name }) => `Monitor ${id}, ${name}, has the settings that were given.`,
  }),
  viewTool({
    name: 'pause_monitor',
    operation: 'pauseMonitor',
    description:
      'Stops the checks of a monitor, and ignores its pings, until resume_monitor. Status and open incidents stay. For planned work, a maintenance window keeps checking and holds alerts instead.',
    path: MONITOR_PATH,
    isIdempotent: true,
    content: pauseState,
    summary: sumUpPause,
  }),
  viewTool({
    name: 'resume_monitor',
    operation: 'resumeMonitor',
    isAdditive: true,
    description: 'Starts the checks of a paused monitor again, at once.',
    path: MONITOR_PATH,
    isIdempotent: true,
    content: pauseState,
    summary: sumUpPause,
  }),
  viewTool({
    name: 'rotate_ping_url',
    operation: 'rotatePingUrl',
    description: `Gives a ${PUSH.or} monitor a new ping URL, which is not shown here; the old one works for keep_old_for seconds more. The job must be changed by then.`,
    path: MONITOR_PATH,
    hasDetail: true,
    content: monitor,
    summary: ({ id, name }) => `Monitor ${id}, ${name}, has a new ping URL. ${pingUrlHint(id)}`,
  }),
  viewTool({
    name: 'change_monitors',
    operation: 'changeMonitors',
    title: 'Pause, resume, tag or move several monitors',
    description:
      'Pauses, resumes, tags or moves several monitors at once: those in ids, or those that match filter. Call it with dry_run true first: it says how many would change and which ones.',
    hiddenValues: { action: ['delete'] },
    nullable: ['group_id'],
    isIdempotent: true,
    content: shown(changeMonitors.operations.changeMonitors.answer, {
      is_dry_run: made(
        z.boolean().meta({ description: 'True when nothing was changed.' }),
        (_, { body }) => body?.['dry_run'] === true,
      ),
      matched: 'Monitors that were chosen.',
      changed: 'Those that were changed, or in a dry run would be; the others are so already.',
      monitor_ids: cut(true, {
        from: 'ids',
        most: ({ itemLimit }) => itemLimit * IDS_PER_ITEM,
        description: 'Of those that change, ascending.',
      }),
    }),
    summary: ({ is_dry_run: isDryRun, matched, changed }) =>
      isDryRun
        ? `Nothing was changed: a dry run. ${counted(matched, 'monitor')} matched; ${changed} would change.`
        : `${counted(matched, 'monitor')} matched; ${changed} changed.`,
  }),
  finalTool({
    name: 'delete_monitor',
    operation: 'deleteMonitor',
    description:
      'Deletes a monitor with its whole history, incidents included. To stop checks for a while, use pause_monitor.',
    path: MONITOR_PATH,
    shows: 'get_monitor',
    effect: 'delete the monitor with its whole history',
  }),
];

/** Where a person finds the ping URL of a new monitor. */
function pingUrlHint(id: number): string {
  return `Its job reports to a ping URL, which is a secret and not shown here: it is ping_url in the answer of GET /api/v1/monitors/${id}.`;
}
