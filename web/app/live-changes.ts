/** What the live stream says, and which data it concerns. Pure. */

/** Event of `GET /events`. */
export interface LiveEvent {
  kind: string;
  data: Record<string, unknown>;
}

/**
 * Nouns that data is kept by (first elements of query keys). A name ends in `s` where it stands for a list; one thing has its
 * id as the second element: ['monitor', 7, 'days'].
 */
export const NOUNS = [
  'account',
  'alert-channels',
  'alert-routes',
  'announcements',
  'audit-log',
  'groups',
  'incident',
  'incidents',
  'installation',
  'maintenance-windows',
  'members',
  'monitor',
  'monitors',
  'plan',
  'reports',
  'status-pages',
  'team',
  'webhook-endpoints',
] as const;

export type Noun = (typeof NOUNS)[number];

/** Keys of the data to read again after an event; null for all data. */
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
        ['incident', data['id']],
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
