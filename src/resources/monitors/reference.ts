import { z } from 'zod';
import { monitorListQuery } from './input.ts';
import { incident } from '../incidents/reference.ts';
import { http } from '../../monitor-types/http.ts';
import { defaultSettings } from '../../monitor-types/settings.ts';
import {
  checkResult,
  monitor,
  monitorBody,
  pauseResult,
  responseTime,
} from './reference-schema.ts';
import { operations } from '../common/operation.ts';
import { pageExample, pageOf } from '../common/page-reference.ts';
import { viewSettings } from './view.ts';

const monitorDetail = monitor
  .extend({
    incidents: z.array(incident).meta({ description: 'The 10 newest.' }),
    response_times: z
      .array(responseTime)
      .meta({ description: 'The newest result of each region that has one.' }),
  })
  .meta({ id: 'MonitorDetail', description: 'A monitor with what happened to it.' });

const REGIONS = ['ash', 'pdx', 'nbg', 'sin'];

const EXAMPLE = {
  id: 1,
  monitor_type: 'http',
  ...viewSettings('http', {
    ...defaultSettings(http, { regions: REGIONS, checkInterval: null }),
    ...(http.example as object),
    check_types: ['ssl', 'keyword'],
  }),
  url: http.example.url,
  ping_url: null,
  status: 'pending',
  is_paused: false,
  last_checked_at: null,
  next_check_at: '2030-01-01T00:00:00.000Z',
  last_heartbeat_at: null,
  heartbeat_expected_at: null,
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
};

const pauseExample = (isPaused: boolean) => ({
  answer: {
    success: true,
    message: isPaused ? 'The monitor is paused.' : 'The monitor is running already.',
    monitor: { id: 1, url: EXAMPLE.url, is_paused: isPaused },
  },
});

const resume = {
  description:
    'A running one is left as it is. http, ping and port are checked at once; heartbeat and cron are expected anew, counted from now.',
  answer: pauseResult,
  example: pauseExample(false),
} as const;

export const MONITOR_OPERATIONS = operations('Monitors', {
  listMonitors: {
    summary: 'List monitors',
    description:
      'The newest come first. A `sort` without `direction` is ascending; with equal values the id decides, and nulls come last.',
    query: monitorListQuery,
    answer: pageOf(monitor, 'MonitorPage'),
    example: { answer: pageExample('/monitors', [EXAMPLE]) },
  },
  createMonitor: {
    summary: 'Create a monitor',
    body: monitorBody,
    answer: monitor,
    example: { body: http.example, answer: EXAMPLE },
  },
  getMonitor: {
    summary: 'Get a monitor',
    answer: monitorDetail,
    example: { answer: { ...EXAMPLE, incidents: [], response_times: [] } },
  },
  updateMonitor: {
    summary: 'Update a monitor',
    description:
      'Only the keys that are present change; null puts the default back. A change of what the check is brings the next one forward to now and leaves the status as it is until then. Another `monitor_type` than the stored one is refused.',
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
    summary: 'Delete a monitor',
    description: 'With everything that belongs to it.',
  },
  checkMonitor: {
    summary: 'Check a monitor now',
    description:
      'From one of its regions; http, ping and port only. Its check types run with it: content of what was answered, certificate and DNS records as they are now, the registration as it was found within the last day. The answer comes within 25 seconds. It is kept in the history without a vote, and the next round comes now.',
    answer: checkResult,
    example: {
      answer: {
        uptime: {
          is_up: true,
          status: 'online',
          response_time: 87.4,
          status_code: 200,
          checked_from_region: 'ash',
          error: null,
          timings: { dns_ms: 2.1, tcp_ms: 9.8, tls_ms: 21.5, ttfb_ms: 48.7, total_ms: 87.4 },
        },
        ssl: {
          valid: true,
          expires_at: '2030-01-10T12:00:00.000Z',
          days_until_expiry: 9,
          issuer: 'R11',
          subject: 'example.com',
          protocol: 'TLSv1.3',
          error: 'TLS certificate expires in 9 days, on 2030-01-10',
        },
        keyword: {
          passed: false,
          failures: ['Keyword "Welcome back" is missing'],
          outcomes: [{ passed: false, text: 'Keyword "Welcome back" is missing' }],
        },
        not_run: {},
      },
    },
    refusals: ['unsupported', 'no_probe'],
  },
  pauseMonitor: {
    summary: 'Pause a monitor',
    description:
      'It keeps its status and its open incidents; until it is resumed it is not checked, and pings are ignored. A paused one is left as it is.',
    answer: pauseResult,
    example: pauseExample(true),
  },
  resumeMonitor: { ...resume, summary: 'Resume a monitor' },
  unpauseMonitor: { ...resume, summary: 'Resume a monitor (the same as resume)' },
});
