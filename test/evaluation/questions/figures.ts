import { from, type Question } from '../question.ts';

const above = (limit: number) => (value: unknown) => typeof value === 'number' && value > limit;
const below = (limit: number) => (value: unknown) => typeof value === 'number' && value < limit;

/** Uptime, response times and reports. */
export const FIGURES: readonly Question[] = [
  {
    asks: 'How was our uptime in the last seven days?',
    who: 'viewer',
    calls: [
      {
        tool: 'get_uptime_summary',
        args: { period: 'last_7_days' },
        answers: {
          incidents: 6,
          open_incidents: 4,
          // Checkout 24,600 s, backup 18,000 s, API 1,500 s, payment provider 720 s.
          downtime_seconds: 44_820,
          worst_monitors: [
            { monitor: 'Checkout', downtime_seconds: 24_600 },
            { monitor: 'Nightly backup', downtime_seconds: 18_000 },
            { monitor: 'API', downtime_seconds: 1_500 },
          ],
        },
      },
    ],
  },
  {
    asks: 'How reliable was production in the last 24 hours?',
    who: 'viewer',
    calls: [
      {
        tool: 'get_uptime_summary',
        args: { period: 'last_24_hours', tag: 'production' },
        answers: { monitors: 17, incidents: 4, downtime_seconds: 43_320 },
      },
    ],
  },
  {
    asks: 'On which day last week did the API have problems?',
    who: 'reader',
    calls: [
      {
        tool: 'get_uptime_history',
        args: {
          monitor_id: 'API',
          from: '2030-01-08T00:00:00Z',
          to: '2030-01-15T00:00:00Z',
          interval: 'day',
        },
        answers: {
          down_seconds: 1_500,
          observed_percent: 100,
          intervals: [
            { from: '2030-01-09T00:00:00.000Z', uptime_percent: below(99), incidents: 1 },
            { from: '2030-01-10T00:00:00.000Z', uptime_percent: 100, down_seconds: 0 },
          ],
        },
      },
    ],
    before: [
      { tool: 'list_monitors', args: { q: 'api' } },
      {
        tool: 'get_uptime_history',
        args: {
          monitor_id: from(0, 'monitors', { name: 'API' }, 'id'),
          from: '2030-01-08T00:00:00Z',
          to: '2030-01-15T00:00:00Z',
          interval: 'day',
        },
      },
    ],
  },
  {
    asks: 'Which monitors are slow?',
    who: 'viewer',
    calls: [
      {
        tool: 'get_uptime_report',
        args: { period: 'last_7_days' },
        answers: {
          slowest_monitors: [
            { name: 'API', response_time_p95_ms: above(1_500) },
            { name: 'Search', response_time_p95_ms: above(800) },
          ],
        },
      },
    ],
  },
  {
    asks: 'How fast is the API right now, by region?',
    who: 'viewer',
    calls: [
      {
        tool: 'get_monitor',
        args: { monitor_id: 'API' },
        answers: {
          response_times: [
            { region: 'ash', response_time_ms: 1_900 },
            { region: 'sin', response_time_ms: 1_900 },
          ],
        },
      },
    ],
    before: [
      { tool: 'list_monitors', args: { q: 'api.acme' } },
      { tool: 'get_monitor', args: { monitor_id: from(0, 'monitors', { name: 'API' }, 'id') } },
    ],
  },
  {
    asks: 'What are the figures for the board?',
    who: 'viewer',
    calls: [
      {
        tool: 'get_report_data',
        args: { report_id: 'For the board' },
        answers: {
          from: '2030-01-08T00:00:00.000Z',
          to: '2030-01-15T00:00:00.000Z',
          total: { monitors_count: 17, uptime_percent: 99.978, down_seconds: 2_220 },
        },
        hides: ['board@customer.example'],
      },
    ],
    before: [
      { tool: 'list_reports' },
      {
        tool: 'get_report_data',
        args: { report_id: from(0, 'reports', { name: 'For the board' }, 'id') },
      },
    ],
  },
];
