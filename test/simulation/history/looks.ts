/** How often each rule about history had something to look at. */
export type HistoryLooks = Record<
  | 'rolledUp'
  | 'daily'
  | 'keptDays'
  | 'droppedDays'
  | 'expired'
  | 'purged'
  | 'purgedTeams'
  | 'spared',
  number
>;

export function noHistoryLooks(): HistoryLooks {
  return {
    rolledUp: 0,
    daily: 0,
    keptDays: 0,
    droppedDays: 0,
    expired: 0,
    purged: 0,
    purgedTeams: 0,
    spared: 0,
  };
}
