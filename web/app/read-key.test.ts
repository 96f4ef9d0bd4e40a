import { expect, test } from 'vitest';
import { keyOf } from './read-key.ts';

const path = { id: 7 };
const query = { per_page: 5 };

test.each([
  [keyOf('listMonitors', { query }), ['monitors', 'listMonitors', { query }]],
  [keyOf('getMonitorOverview'), ['monitors', 'getMonitorOverview']],
  [keyOf('getMonitorOverview', {}), ['monitors', 'getMonitorOverview']],
  [keyOf('getMonitor', { path }), ['monitor', 7, 'getMonitor', { path }]],
  [keyOf('listIncidentRounds', { path }), ['incident', 7, 'listIncidentRounds', { path }]],
  [keyOf('getStatusPage', { path }), ['status-pages', 7, 'getStatusPage', { path }]],
  [keyOf('whoAmI'), ['account', 'whoAmI']],
  [keyOf('listInvitations'), ['members', 'listInvitations']],
])('the key %j follows from the operation and what it takes', (key, expected) => {
  expect(key).toEqual(expected);
});
