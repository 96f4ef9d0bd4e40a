import { DEFINITIONS, isPushType, PUSH } from '../monitor-types/registry.ts';
import { changeMonitors } from '../resources/monitors/bulk-reference.ts';
import { monitors } from '../resources/monitors/reference.ts';
import { counted } from './common.ts';
import { monitor, singleMonitor } from './monitor-view.ts';
import { as, cut, made, shown } from './shown.ts';
import { byId, finalTool, listTool, viewTool, type Tool } from './tool.ts';

export const MONITOR_PATH = byId('monitor_id');

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
    description:
      'Lists monitors with status and id, newest first. Filter by status, type, tag, group, region or text (q).',
    hiddenQuery: ['search', 'direction'],
    hasDetail: true,
    item: monitor,
  }),
  viewTool({
    name: 'get_monitor',
    description:
      'Shows a monitor: status, newest response times by region, newest incidents; with detail also its settings.',
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
    description: `Creates a monitor. Required by monitor_type: ${REQUIRED_BY_TYPE}.`,
    says: {
      url: 'A URL; for ping and port a host',
      monitored_regions: 'Codes of regions; by default all',
      check_types: 'Also checked; ping and port: dns, domain',
    },
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
    isTerse: true,
    description:
      'Changes the given settings of a monitor, which are those of create_monitor; null restores the default. Lists are replaced; eight bullets keep a stored secret.',
    path: MONITOR_PATH,
    hiddenFields: ['monitor_type', 'notification_settings'],
    hasDetail: true,
    content: monitor,
    summary: ({ id, name }) => `Monitor ${id}, ${name}, has the settings that were given.`,
  }),
  viewTool({
    name: 'pause_monitor',
    path: MONITOR_PATH,
    isIdempotent: true,
    content: pauseState,
    summary: sumUpPause,
  }),
  viewTool({
    name: 'resume_monitor',
    isAdditive: true,
    path: MONITOR_PATH,
    isIdempotent: true,
    content: pauseState,
    summary: sumUpPause,
  }),
  viewTool({
    name: 'rotate_ping_url',
    description: `Gives a ${PUSH.or} monitor a new ping URL, which is not shown here; the job must be changed before the old one ends.`,
    path: MONITOR_PATH,
    hasDetail: true,
    content: monitor,
    summary: ({ id, name }) => `Monitor ${id}, ${name}, has a new ping URL. ${pingUrlHint(id)}`,
  }),
  viewTool({
    name: 'change_monitors',
    title: 'Pause, resume, tag or move several monitors',
    description:
      'Pauses, resumes, tags or moves monitors: those in ids, or that match filter. Pausing stops checks until resumed. With dry_run true it says which ones would change.',
    hiddenValues: { action: ['delete'] },
    nullable: ['group_id'],
    isIdempotent: true,
    content: shown(changeMonitors.operations.changeMonitors.answer, {
      is_dry_run: made((_, { body }) => body?.['dry_run'] === true),
      matched: true,
      changed: true,
      monitor_ids: cut(true, {
        from: 'ids',
        most: ({ itemLimit }) => itemLimit * IDS_PER_ITEM,
      }),
    }),
    summary: ({ is_dry_run: isDryRun, matched, changed }) =>
      isDryRun
        ? `Nothing was changed: a dry run. ${counted(matched, 'monitor')} matched; ${changed} would change.`
        : `${counted(matched, 'monitor')} matched; ${changed} changed.`,
  }),
  finalTool({
    name: 'delete_monitor',
    description: 'Deletes a monitor with its whole history and incidents.',
    path: MONITOR_PATH,
    shows: 'get_monitor',
    effect: 'delete the monitor with its whole history',
  }),
];

/** Where a person finds the ping URL of a new monitor. */
function pingUrlHint(id: number): string {
  return `Its job reports to a ping URL, which is a secret and not shown here: it is ping_url in the answer of GET /api/v1/monitors/${id}.`;
}
