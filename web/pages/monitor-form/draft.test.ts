import { describe, expect, it } from 'vitest';
import type { MonitorDetail } from '../../app/api.gen.ts';
import { parseAnswer } from '../../lib/exact-json.ts';
import {
  amountOf,
  numberOf,
  secondsOf,
  errorsOfLeft,
  notificationDraft,
  notificationSettings,
} from './parts.ts';
import {
  bodyOf,
  copyOf,
  draftOf,
  emptyDraft,
  KEPT,
  readValue,
  withAuth,
  writtenValue,
} from './draft.ts';

const ZONE = 'Europe/Berlin';

const STORED = {
  id: 7,
  monitor_type: 'http',
  url: 'https://example.com/',
  check_interval: 5,
  port: null,
  friendly_name: 'Shop',
  group_id: 3,
  tags: ['shop', 'live'],
  monitored_regions: ['ash', 'nbg'],
  accepted_status_codes: ['200', '4xx'],
  follow_redirects: false,
  request_timeout: 10,
  verify_ssl: false,
  ssl_expiry_threshold: 21,
  domain_expiry_threshold: 60,
  slow_response_threshold: 800,
  error_text_detection: true,
  failure_threshold: 3,
  recovery_threshold: 2,
  check_both_families: true,
  depends_on: [4],
  notification_settings: { enabled: true, channels: { sms: ['critical'] }, quiet_hours: null },
  heartbeat_interval: null,
  heartbeat_cron_expression: null,
  heartbeat_timezone: null,
  heartbeat_grace: null,
  heartbeat_wait_for_first_ping: null,
  heartbeat_max_runtime: null,
  check_types: ['ssl', 'json'],
  http_method: 'POST',
  request_headers: { Accept: 'application/json' },
  request_body: '{}',
  keyword_settings: null,
  json_assertion_settings: {
    assertions: [
      { path: 'count', operator: 'gte', value: 5 },
      { path: 'status', operator: 'equals', value: '5' },
      { path: 'error', operator: 'not_exists' },
    ],
  },
  auth_type: 'basic',
  auth_username: 'ada',
} as unknown as MonitorDetail;

describe('the draft of a monitor', () => {
  it('saves what is stored when nothing is changed, and keeps the password', () => {
    const body = bodyOf(draftOf(STORED, ZONE)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(body)) {
      if (name === 'auth_password') expect(value).toBe(KEPT);
      else expect({ [name]: value }).toEqual({ [name]: STORED[name as keyof MonitorDetail] });
    }
    expect(Object.keys(body)).toContain('json_assertion_settings');
  });

  it('sends the fields of its type alone', () => {
    const job = bodyOf({ ...emptyDraft('cron', ZONE), friendly_name: 'Backup' });
    expect(job).toMatchObject({
      monitor_type: 'cron',
      friendly_name: 'Backup',
      heartbeat_timezone: ZONE,
      heartbeat_grace: 300,
      heartbeat_max_runtime: null,
    });
    for (const name of ['url', 'check_interval', 'http_method', 'check_types'])
      expect(job).not.toHaveProperty(name);
    expect(bodyOf({ ...emptyDraft('ping', ZONE), inspections: ['ssl', 'dns'] })).toMatchObject({
      check_types: ['dns'],
    });
  });

  it('lets the API say what is wrong with a text that is no number', () => {
    expect(
      bodyOf({ ...emptyDraft('port', ZONE), port: 'smtp', slow_response_threshold: '0,5' }),
    ).toMatchObject({
      port: 'smtp',
      slow_response_threshold: 0.5,
    });
  });

  it('is copied without its password', () => {
    expect(copyOf(draftOf(STORED, ZONE), 'Shop 2')).toMatchObject({
      friendly_name: 'Shop 2',
      auth_password: '',
    });
  });
});

const credentials = (draft: Partial<ReturnType<typeof draftOf>>) => {
  const body = bodyOf({ ...draftOf(STORED, ZONE), ...draft }) as Record<string, unknown>;
  const { auth_type, auth_username, auth_password } = body;
  return { auth_type, auth_username, auth_password };
};

describe('a bearer token [8.23]', () => {
  it('is sent as the password, without a user name', () => {
    expect(
      credentials({ auth_type: 'bearer', auth_username: 'watcher', auth_password: 'token' }),
    ).toEqual({
      auth_type: 'bearer',
      auth_username: null,
      auth_password: 'token',
    });
  });

  it('that is stored stays where it is', () => {
    const stored = { auth_type: 'bearer', auth_username: 'token', auth_password: KEPT } as const;
    expect(credentials(stored)).toMatchObject({ auth_username: 'token', auth_password: KEPT });
  });

  it.each([
    ['basic', 'bearer', ''],
    ['bearer', 'digest', ''],
    ['basic', 'digest', KEPT],
  ] as const)('is none of the passwords: from %s to %s', (before, auth, password) => {
    const draft = { ...draftOf(STORED, ZONE), auth_type: before, auth_password: KEPT };
    expect(withAuth(draft, auth)).toEqual({ auth_type: auth, auth_password: password });
  });
});

describe('values of assertions', () => {
  it.each([
    ['5', 5],
    ['"5"', '5'],
    ['true', true],
    ['null', null],
    ['ok', 'ok'],
    ['{"a":1}', '{"a":1}'],
    ['', ''],
  ])('%s is read and written', (text, value) => {
    expect(readValue(text)).toEqual(value);
    expect(writtenValue(value)).toBe(text);
  });

  it.each(['9007199254740993', '1.0', '-1e400'])('%s keeps its digits [8.32]', (text) => {
    const value = readValue(text);
    expect(JSON.stringify({ value })).toBe(`{"value":${text}}`);
    expect(writtenValue(value)).toBe(text);
    const shown = parseAnswer(`{"value":${text}}`) as { value: typeof value };
    expect(writtenValue(shown.value)).toBe(text);
  });

  it('a text with a rawJSON of its own is a text', () => {
    expect(readValue('{"rawJSON":"1"}')).toBe('{"rawJSON":"1"}');
  });
});

describe('durations', () => {
  it.each([
    [30, { text: '30', unit: 's' }],
    [90, { text: '90', unit: 's' }],
    [300, { text: '5', unit: 'min' }],
    [7_200, { text: '2', unit: 'h' }],
    [86_400, { text: '1', unit: 'd' }],
    [0, { text: '0', unit: 's' }],
  ] as const)('%d s are written in their largest unit', (seconds, amount) => {
    expect(amountOf(seconds)).toEqual(amount);
    expect(secondsOf(amount)).toBe(seconds);
  });

  it('are null when empty, and stay as they are when they are no number', () => {
    expect(secondsOf(amountOf(null))).toBeNull();
    expect(secondsOf({ text: 'soon', unit: 'h' })).toBe('soon');
    expect(numberOf(' 1,5 ')).toBe(1.5);
  });
});

describe('who is notified', () => {
  it.each([
    null,
    { enabled: false, channels: null, quiet_hours: null },
    { enabled: true, channels: { email: ['critical'], slack: [] }, quiet_hours: null },
    { enabled: true, channels: { teams: ['info'] }, quiet_hours: null },
    {
      enabled: true,
      channels: null,
      quiet_hours: {
        enabled: true,
        start: '22:00',
        end: '06:00',
        timezone: 'UTC',
        bypass_critical: false,
      },
    },
  ] as const)('%o is saved as it was', (settings) => {
    const draft = notificationDraft(settings as never, ZONE);
    expect(notificationSettings(draft)).toEqual(settings);
  });
});

describe('errors while typing', () => {
  it('are those of fields that were left', () => {
    const errors = { url: ['a'], 'tags.0': ['b'], port: ['c'], tagsx: ['d'] };
    expect(errorsOfLeft(errors, new Set(['tags', 'port']))).toEqual({
      'tags.0': ['b'],
      port: ['c'],
    });
  });
});
