/** What the live stream says, and which data it concerns. Pure. */

import type { SettingsEvent } from './api.gen.ts';
import type { OperationName } from './client.ts';

/** Event of `GET /events`. */
export interface LiveEvent {
  kind: string;
  data: Record<string, unknown>;
}

type Keys = readonly (readonly unknown[])[];

/** Where lists of `settings` show that show elsewhere than in what is read by their name. */
const SHOWN_IN: Partial<Record<SettingsEvent['data']['what'], Keys>> = {
  // Names of groups and where they stand are in the overview.
  groups: [['groups'], ['monitors']],
  subscribers: [['status-pages']],
  // Updates of an incident are those of its announcement.
  announcements: [['announcements'], ['incident']],
  // The preview of the routes names channels, and members as their owners.
  'alert-channels': [['alert-channels'], ['alert-routes']],
  // The role of the person is among their teams.
  members: [['members'], ['team', 'listTeams'], ['alert-routes', 'previewAlertRoutes']],
  team: [['team'], ['plan']],
  'configuration-sets': [['configuration']],
  // They change uptime, wherever it is shown.
  corrections: [['monitor'], ['monitors'], ['team', 'slo'], ['reports']],
};

/**
 * What each check and each ping changes of a monitor. Its days, figures and response times hold until its status changes, and are
 * read again every few minutes: together they are most of what its page reads.
 */
const AFTER_CHECK: Record<'result' | 'ping', readonly OperationName[]> = {
  result: ['getMonitor', 'listMonitorResults', 'listMonitorCertificates', 'listMonitorDns'],
  ping: ['getMonitor', 'listMonitorPings'],
};

/**
 * Keys of the data to read again after an event; null for all data. The first element of a key is a noun (`nounOf`); of one monitor
 * or incident the second element is its id: ['monitor', 7, 'getMonitorDays'].
 */
export function concerned({ kind, data }: LiveEvent): Keys | null {
  switch (kind) {
    case 'reset':
      return null;
    case 'hello':
      // What happened between the first reads of a page and the begin of its stream is in neither.
      return data['resumed'] === false ? null : [];
    case 'status':
      return [['monitors'], ['monitor', data['monitor_id']]];
    case 'monitor':
      return [
        ['monitors'],
        ['monitor', data['id']],
        ['team', 'slo', data['id']],
        ['alert-routes', 'previewAlertRoutes'],
        // Its usage counts monitors.
        ...(data['change'] === 'updated' ? [] : [['plan']]),
        ['audit-log'],
      ];
    case 'incident':
      return [
        ['incidents'],
        // There is nothing left to read of a deleted one.
        ...(data['state'] === 'deleted' ? [] : [['incident', data['id']]]),
        ['monitors'],
        ['monitor', data['monitor_id']],
        ['audit-log'],
      ];
    case 'result':
    case 'ping':
      return AFTER_CHECK[kind].map((name) => ['monitor', data['monitor_id'], name]);
    case 'settings': {
      const what = String(data['what']);
      return [...(new Map(Object.entries(SHOWN_IN)).get(what) ?? [[what]]), ['audit-log']];
    }
    default:
      return [];
  }
}
