/** How often each rule about maintenance had something to look at. */
export type MaintenanceCoverage = Record<
  'held' | 'neverNotified' | 'endedEarly' | 'excluded',
  number
>;

export function noMaintenanceCoverage(): MaintenanceCoverage {
  return { held: 0, neverNotified: 0, endedEarly: 0, excluded: 0 };
}
