import { describe, expect, test } from 'vitest';
import type { Severity } from '../../model/condition.ts';
import type { NotificationSettings } from '../../monitor-types/notification-settings.ts';
import { monitorQuietHours, monitorSettings, quietEnd } from './holds.ts';

const NONE = { kind: 'none' };
const at = (time: string) => Date.parse(time);

describe('which channels are notified of a monitor', () => {
  const CRITICAL_MAIL: NotificationSettings = { channels: { email: ['critical'], sms: [] } };
  test.each<[string, NotificationSettings | null, string, Severity[], boolean]>([
    ['no settings', null, 'email', ['info'], true],
    ['empty settings', {}, 'email', ['info'], true],
    ['null for all', { enabled: null, channels: null }, 'email', ['info'], true],
    ['off', { enabled: false }, 'email', ['critical'], false],
    ['off, of any type', { enabled: false }, 'pagerduty', ['critical'], false],
    ['off, webhook', { enabled: false }, 'webhook', ['critical'], true],
    ['a severity in the list', CRITICAL_MAIL, 'email', ['critical'], true],
    ['a severity that is not', CRITICAL_MAIL, 'email', ['warning'], false],
    ['an empty list', CRITICAL_MAIL, 'sms', ['critical'], false],
    ['a type without a list', CRITICAL_MAIL, 'slack', ['info'], true],
    ['a list of null', { channels: { slack: null } }, 'slack', ['info'], true],
    ['a type that has no word', CRITICAL_MAIL, 'telegram', ['info'], true],
    ['teams', { channels: { teams: [] } }, 'microsoft_teams', ['critical'], false],
    ['webhook', { channels: { webhook: ['critical'] } }, 'webhook', ['warning'], false],
    ['an end', { channels: { webhook: ['critical'] } }, 'webhook', ['info', 'critical'], true],
    ['off wins', { enabled: false, ...CRITICAL_MAIL }, 'email', ['critical'], false],
  ])('%s', (_what, settings, type, severities, isNotified) => {
    expect(monitorSettings({ settings, type, severities })).toEqual(isNotified ? null : NONE);
  });
});

const NIGHT = { start: '22:00', end: '07:00', timezone: 'Europe/Berlin' };

/** Until when people are not notified of an open incident, and of its end. */
function held(quiet_hours: NotificationSettings['quiet_hours'], severity: Severity, time: string) {
  const now = at(time);
  const settings = { quiet_hours: quiet_hours ?? null };
  const open = {
    monitor: {
      id: 1,
      groupIds: [],
      tags: [],
      isPaused: false,
      lastCheckedAt: null,
      notificationSettings: settings,
    },
    windows: [],
    problemSeverity: severity,
    startedAt: now,
    endedAt: null,
    notifiableAt: now,
    awaitsSuccessor: false,
    parents: [],
    outages: null,
  };
  const begun = monitorQuietHours(open, now)?.until ?? null;
  const ended = quietEnd({ settings, problemSeverity: severity, endSeenAt: now }, now);
  expect(ended?.until ?? null).toBe(begun);
  expect(monitorQuietHours({ ...open, endedAt: now }, now)).toBeNull();
  return begun === null ? null : new Date(begun).toISOString();
}

describe('quiet hours of a monitor', () => {
  test.each<[string, NotificationSettings['quiet_hours'], Severity, string, string | null]>([
    ['none', null, 'warning', '2030-01-10T23:00:00Z', null],
    ['empty', {}, 'warning', '2030-01-10T23:00:00Z', null],
    ['off', { ...NIGHT, enabled: false }, 'warning', '2030-01-10T23:00:00Z', null],
    [
      'on',
      { ...NIGHT, enabled: true },
      'warning',
      '2030-01-10T23:00:00Z',
      '2030-01-11T06:00:00.000Z',
    ],
    ['before them', NIGHT, 'warning', '2030-01-10T20:59:00Z', null],
    ['their begin', NIGHT, 'info', '2030-01-10T21:00:00Z', '2030-01-11T06:00:00.000Z'],
    ['after midnight', NIGHT, 'warning', '2030-01-11T05:59:59Z', '2030-01-11T06:00:00.000Z'],
    ['their end', NIGHT, 'warning', '2030-01-11T06:00:00Z', null],
    ['critical', NIGHT, 'critical', '2030-01-10T23:00:00Z', null],
    [
      'critical, held too',
      { ...NIGHT, bypass_critical: false },
      'critical',
      '2030-01-10T23:00:00Z',
      '2030-01-11T06:00:00.000Z',
    ],
    [
      'critical, let through',
      { ...NIGHT, bypass_critical: true },
      'critical',
      '2030-01-10T23:00:00Z',
      null,
    ],
    [
      'in UTC unless a zone is given',
      { start: '22:00', end: '07:00' },
      'warning',
      '2030-01-10T21:30:00Z',
      null,
    ],
    // The night in which clocks go forward is an hour shorter: 2030-03-31, 02:00 to 03:00.
    ['summer time begins', NIGHT, 'warning', '2030-03-30T22:00:00Z', '2030-03-31T05:00:00.000Z'],
    [
      'an end that no clock shows',
      { ...NIGHT, end: '02:30' },
      'warning',
      '2030-03-30T22:00:00Z',
      '2030-03-31T01:00:00.000Z',
    ],
  ])('%s', (_what, quiet, severity, time, until) => {
    expect(held(quiet, severity, time)).toBe(until);
  });

  test('an end in the past of a clock that was set back is held no longer than one of now', () => {
    const now = at('2030-01-10T12:00:00Z');
    const end = { settings: { quiet_hours: NIGHT }, problemSeverity: 'warning' as const };
    expect(quietEnd({ ...end, endSeenAt: at('2030-01-10T23:00:00Z') }, now)).toBeNull();
  });
});
