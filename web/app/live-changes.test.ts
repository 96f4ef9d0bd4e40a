import { expect, test } from 'vitest';
import { concerned } from './live-changes.ts';

test.each<[string, object, object | null]>([
  ['reset', {}, null],
  ['hello', { resumed: false }, null],
  ['hello', { resumed: true }, []],
  ['alive', {}, []],
  ['status', { monitor_id: 7 }, [['monitors'], ['monitor', 7]]],
  [
    'result',
    { monitor_id: 7 },
    [
      ['monitor', 7, 'getMonitor'],
      ['monitor', 7, 'listMonitorResults'],
      ['monitor', 7, 'listMonitorCertificates'],
      ['monitor', 7, 'listMonitorDns'],
    ],
  ],
  [
    'ping',
    { monitor_id: 7 },
    [
      ['monitor', 7, 'getMonitor'],
      ['monitor', 7, 'listMonitorPings'],
    ],
  ],
  ['settings', { what: 'reports' }, [['reports'], ['audit-log']]],
  ['settings', { what: 'groups' }, [['groups'], ['monitors'], ['audit-log']]],
  ['settings', { what: 'subscribers' }, [['status-pages'], ['audit-log']]],
  ['settings', { what: 'announcements' }, [['announcements'], ['incident'], ['audit-log']]],
  ['settings', { what: 'update-templates' }, [['update-templates'], ['audit-log']]],
  [
    'settings',
    { what: 'corrections' },
    [['monitor'], ['monitors'], ['team', 'slo'], ['reports'], ['audit-log']],
  ],
  ['settings', { what: 'of a newer server' }, [['of a newer server'], ['audit-log']]],
])('%s %j concerns %j', (kind, data, keys) => {
  expect(concerned({ kind, data: { ...data } })).toEqual(keys);
});

test.each([
  ['created', true],
  ['updated', false],
  ['deleted', true],
])('a monitor that is %s changes the usage of the plan: %s', (change, isPlan) => {
  const keys = concerned({ kind: 'monitor', data: { id: 7, change } });
  expect(keys).toEqual(
    expect.arrayContaining([['monitors'], ['monitor', 7], ['team', 'slo', 7], ['audit-log']]),
  );
  expect(keys).toHaveLength(isPlan ? 6 : 5);
});

test.each([
  ['opened', true],
  ['deleted', false],
])('an incident that is %s is read itself: %s', (state, isRead) => {
  const keys = concerned({ kind: 'incident', data: { id: 3, monitor_id: 7, state } });
  expect(keys).toContainEqual(['incidents']);
  expect(keys).toContainEqual(['monitor', 7]);
  expect(keys?.some(([noun]) => noun === 'incident')).toBe(isRead);
});
