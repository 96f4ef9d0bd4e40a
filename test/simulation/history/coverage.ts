/** How often each rule about history had something to look at. */
export type HistoryCoverage = Record<
  | 'rolledUp'
  | 'daily'
  | 'keptDays'
  | 'droppedDays'
  | 'expired'
  | 'purged'
  | 'purgedTeams'
  | 'retained',
  number
>;

export function noHistoryCoverage(): HistoryCoverage {
  return {
    rolledUp: 0,
    daily: 0,
    keptDays: 0,
    droppedDays: 0,
    expired: 0,
    purged: 0,
    purgedTeams: 0,
    retained: 0,
  };
}
