/** What a shape says of a monitor or a vote. Pure. */
export type DisplayStatus =
  | 'online'
  | 'offline'
  | 'degraded'
  | 'pending'
  | 'paused'
  | 'maintenance'
  | 'unknown';

/** Facts that the displayStatus of a monitor follows from. */
export interface StatusFacts {
  status: 'online' | 'offline' | 'degraded' | 'pending';
  is_paused: boolean;
  in_maintenance?: boolean;
  /** Its checks do not come: what was seen says nothing of now. */
  is_unobserved?: boolean;
}

/** DisplayStatus of a monitor: paused and maintenance come before what was seen. */
export function displayStatusOf(facts: StatusFacts): DisplayStatus {
  const { status, is_paused, in_maintenance = false, is_unobserved = false } = facts;
  if (is_paused) return 'paused';
  if (in_maintenance) return 'maintenance';
  return is_unobserved ? 'unknown' : status;
}

/** What a shape says of a vote. */
export const VOTE_STATUS = { up: 'online', down: 'offline', unknown: 'unknown' } as const;
