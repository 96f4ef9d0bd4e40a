import { describe, expect, test } from 'vitest';
import { mergeNotificationSettings, notificationInput } from './notification-settings.ts';

const schema = notificationInput();
const read = (settings: unknown) => schema.safeParse(settings);

const NIGHT = { start: '22:00', end: '07:00', timezone: 'Europe/Berlin' };

test.each<[string, unknown]>([
  ['nothing', {}],
  ['notifications that are off', { enabled: false }],
  ['lists by kind, and an empty one', { channels: { email: ['critical'], sms: [], teams: null } }],
  ['every kind', { channels: everyKind(['critical', 'warning', 'info']) }],
  ['quiet hours', { quiet_hours: { ...NIGHT, enabled: true, bypass_critical: false } }],
  ['quiet hours without a zone', { quiet_hours: { start: '00:00', end: '23:59' } }],
  ['quiet hours that are off', { quiet_hours: { enabled: false, start: null, end: '07:00' } }],
  ['empty quiet hours', { quiet_hours: {} }],
  ['blocks that are null', { enabled: null, channels: null, quiet_hours: null }],
])('%s come back as they were sent', (_what, settings) => {
  expect(read(settings)).toEqual({ success: true, data: settings });
});

test('a list that is no object is null', () => {
  expect(read([])).toEqual({ success: true, data: null });
});

describe('what is wrong is told on its own field', () => {
  test.each<[string, unknown, string[]]>([
    ['text', 'off', ['']],
    ['a number', 5, ['']],
    ['a list', [false], ['']],
    ['unknown keys', { enabledd: true, chanels: {} }, ['enabledd', 'chanels']],
    ['text for a flag', { enabled: 'false' }, ['enabled']],
    ['a list for channels', { channels: ['email'] }, ['channels']],
    ['an unknown kind', { channels: { telegram: [] } }, ['channels.telegram']],
    ['text for a list', { channels: { sms: 'critical' } }, ['channels.sms']],
    ['an unknown severity', { channels: { email: ['info', 'high'] } }, ['channels.email.1']],
    ['one twice', { channels: { email: ['info', 'info'] } }, ['channels.email']],
    ['an hour that is none', { quiet_hours: { ...NIGHT, start: '24:00' } }, ['quiet_hours.start']],
    [
      'a time of day with seconds',
      { quiet_hours: { ...NIGHT, end: '07:00:00' } },
      ['quiet_hours.end'],
    ],
    [
      'no known zone',
      { quiet_hours: { ...NIGHT, timezone: 'Mars/Base' } },
      ['quiet_hours.timezone'],
    ],
    [
      'text for a bypass',
      { quiet_hours: { ...NIGHT, bypass_critical: 'no' } },
      ['quiet_hours.bypass_critical'],
    ],
    ['an unknown key inside', { quiet_hours: { ...NIGHT, days: ['mon'] } }, ['quiet_hours.days']],
    ['no end', { quiet_hours: { start: '22:00' } }, ['quiet_hours.end']],
    ['no start', { quiet_hours: { start: null, end: '07:00' } }, ['quiet_hours.start']],
    [
      'neither, though they are on',
      { quiet_hours: { enabled: true } },
      ['quiet_hours.start', 'quiet_hours.end'],
    ],
    ['hours of no length', { quiet_hours: { ...NIGHT, end: '22:00' } }, ['quiet_hours.end']],
    [
      'all at once',
      { enabled: 1, channels: { email: 1 }, quiet_hours: 1 },
      ['enabled', 'channels.email', 'quiet_hours'],
    ],
    ['17 KiB', { channels: { email: Array.from({ length: 2_000 }, () => 'critical') } }, ['']],
  ])('%s', (_what, settings, fields) => {
    const issues = read(settings).error?.issues ?? [];
    expect([...new Set(issues.map(({ path }) => path.join('.')))]).toEqual(fields);
  });
});

test('a block that is sent replaces that block, and the others stay', () => {
  const stored = { enabled: false, quiet_hours: NIGHT, channels: { email: ['info' as const] } };
  const sent = { channels: { sms: ['critical' as const] }, quiet_hours: null };
  expect(mergeNotificationSettings(stored, sent)).toEqual({ enabled: false, ...sent });
  expect(mergeNotificationSettings(stored, {})).toEqual(stored);
  expect(mergeNotificationSettings(null, sent)).toEqual(sent);
});

function everyKind(severities: string[]): object {
  const kinds = ['email', 'sms', 'slack', 'discord', 'teams', 'webhook'];
  return Object.fromEntries(kinds.map((kind) => [kind, severities]));
}
