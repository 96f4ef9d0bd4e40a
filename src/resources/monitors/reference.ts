import { noun } from '../common/operation.ts';
import { createMonitorService } from './service.ts';
import { z } from 'zod';
import { CHANGING } from '../common/changing.ts';
import { monitorListQuery, pingUrlRotation } from './input.ts';
import { incident } from '../incidents/facts.ts';
import { http } from '../../monitor-types/http.ts';
import { heartbeat } from '../../monitor-types/heartbeat.ts';
import { defaultSettings } from '../../monitor-types/settings.ts';
import { monitor, monitorBody, pauseResult, responseTime } from './reference-schema.ts';
import { pageExample, pageSchema } from '../common/page-reference.ts';
import { PULL, PUSH } from '../../monitor-types/registry.ts';

const monitorDetail = monitor
  .extend({
    incidents: z.array(incident).meta({ description: 'The 10 newest incidents.' }),
    response_times: z
      .array(responseTime)
      .meta({ description: 'Newest result of each region that has one.' }),
  })
  .meta({
    id: 'MonitorDetail',
    description: 'A monitor with its newest incidents and response times.',
  })
  .register(CHANGING, {
    fields: [
      'status',
      'observed_until',
      'last_checked_at',
      'next_check_at',
      'last_heartbeat_at',
      'heartbeat_expected_at',
      'incidents',
      'response_times',
    ],
  });

const REGIONS = ['ash', 'pdx', 'nbg', 'sin'];

/** Settings of a type as answers show them. */
function exampleSettings(type: typeof http | typeof heartbeat) {
  const { auth_password: _neverShown, ...shown } = {
    ...defaultSettings(type, { regions: REGIONS, checkInterval: null }),
    ...type.example,
  };
  return shown;
}

/** The answer about the monitor of `http.example`. */
export const EXAMPLE = {
  id: 1,
  monitor_type: 'http',
  ...exampleSettings(http),
  check_types: ['ssl', 'keyword'],
  url: http.example.url,
  ping_url: null,
  status: 'pending',
  observed_until: null,
  is_paused: false,
  last_checked_at: null,
  next_check_at: '2030-01-01T00:00:00.000Z',
  last_heartbeat_at: null,
  heartbeat_expected_at: null,
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
};

const PING_URL = 'https://up.example.com/ping/8Kq2ZrJv0WnT5yXbLd3mHf';

const EXAMPLE_JOB = {
  ...EXAMPLE,
  ...exampleSettings(heartbeat),
  id: 2,
  monitor_type: heartbeat.name,
  url: PING_URL,
  ping_url: PING_URL,
  next_check_at: null,
  heartbeat_expected_at: '2030-01-01T00:05:00.000Z',
};

const pauseExample = (isPaused: boolean) => ({
  answer: {
    success: true,
    message: isPaused ? 'The monitor is paused.' : 'The monitor is running already.',
    monitor: { id: 1, url: EXAMPLE.url, is_paused: isPaused },
  },
});

const resume = {
  description: `Has no effect on a running monitor. ${PULL.and} are checked at once; the schedule of ${PUSH.and} restarts now.`,
  answer: pauseResult,
  example: pauseExample(false),
} as const;

export const monitors = noun('Monitors', createMonitorService, {
  listMonitors: {
    at: 'GET /monitors',
    summary: 'List monitors',
    description:
      'Newest first by default. A `sort` without `direction` is ascending; equal values are sorted by id, and nulls come last.',
    query: monitorListQuery(null),
    answer: pageSchema(monitor, 'MonitorPage'),
    example: { answer: pageExample('/monitors', [EXAMPLE]) },
  },
  createMonitor: {
    at: 'POST /monitors',
    summary: 'Create a monitor',
    body: monitorBody,
    answer: monitor,
    example: { body: http.example, answer: EXAMPLE },
  },
  getMonitor: {
    at: 'GET /monitors/:id',
    summary: 'Get a monitor',
    answer: monitorDetail,
    example: { answer: { ...EXAMPLE, incidents: [], response_times: [] } },
  },
  updateMonitor: {
    at: 'PUT /monitors/:id',
    summary: 'Update a monitor',
    description:
      'Changes the given fields; null restores the default. A change that affects checks makes the next one run at once; the status stays the same until then. The `monitor_type` cannot be changed.',
    body: monitorBody,
    answer: monitor,
    example: {
      body: { friendly_name: 'Login', check_interval: 0.5 },
      answer: {
        ...EXAMPLE,
        friendly_name: 'Login',
        check_interval: 0.5,
        updated_at: '2030-01-01T00:05:00.000Z',
      },
    },
  },
  deleteMonitor: {
    at: 'DELETE /monitors/:id',
    summary: 'Delete a monitor',
    description: 'Deletes a monitor with all its data.',
  },
  pauseMonitor: {
    at: 'POST /monitors/:id/pause',
    needs: 'update',
    summary: 'Pause a monitor',
    description:
      'Stops checks, and ignores pings, until the monitor is resumed. Its status and open incidents stay. Has no effect on a paused monitor.',
    answer: pauseResult,
    example: pauseExample(true),
  },
  resumeMonitor: {
    at: 'POST /monitors/:id/resume',
    needs: 'update',
    ...resume,
    summary: 'Resume a monitor',
    handle: (its, { caller, id }) => its.resume(caller, id),
  },
  unpauseMonitor: {
    at: 'POST /monitors/:id/unpause',
    needs: 'update',
    ...resume,
    summary: 'Resume a monitor (the same as resume)',
    handle: (its, { caller, id }) => its.resume(caller, id),
  },
  rotatePingUrl: {
    at: 'POST /monitors/:id/rotate-ping-url',
    needs: 'update',
    summary: 'Replace the ping URL',
    description: `Gives a ${PUSH.or} monitor a new \`ping_url\`, and keeps its history. The old URL works for \`keep_old_for\` seconds more, so that the job can change over; URLs from earlier rotations work no longer than that.`,
    body: pingUrlRotation,
    answer: monitor,
    example: { id: 2, body: { keep_old_for: 3600 }, answer: EXAMPLE_JOB },
    refusals: ['unsupported', 'conflict'],
  },
});
