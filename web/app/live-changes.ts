/** What the live stream says, and which data it concerns. Pure. */

/** Event of `GET /events`. */
export interface LiveEvent {
  kind: string;
  data: Record<string, unknown>;
}

/**
 * Keys of the data to read again after an event; null for all data. The first element of a key is a noun: account,
 * alert-channels, alert-routes, announcements, audit-log, groups, incidents, installation, maintenance-windows, members, monitors,
 * plan, reports, status-pages, team and webhook-endpoints are lists; of one monitor or incident the second element is its id:
 * ['monitor', 7, 'days'].
 */
export function concerned({ kind, data }: LiveEvent): readonly (readonly unknown[])[] | null {
  switch (kind) {
    case 'reset':
      return null;
    case 'status':
    case 'monitor':
      return [['monitors'], ['monitor', data['monitor_id'] ?? data['id']]];
    case 'incident':
      return [
        ['incidents'],
        // There is nothing left to read of a deleted one.
        ...(data['state'] === 'deleted' ? [] : [['incident', data['id']]]),
        ['monitors'],
        ['monitor', data['monitor_id']],
      ];
    case 'result':
    case 'ping':
      return [['monitor', data['monitor_id']]];
    case 'settings':
      return typeof data['what'] === 'string' ? [[data['what']]] : [];
    default:
      return [];
  }
}
