/** How often each rule about maintenance had something to look at. */
export type MaintenanceLooks = Record<'held' | 'heldForGood' | 'endedEarly' | 'excluded', number>;

export function noMaintenanceLooks(): MaintenanceLooks {
  return { held: 0, heldForGood: 0, endedEarly: 0, excluded: 0 };
}
