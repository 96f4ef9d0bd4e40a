/** What a shape says of a monitor or a vote. Pure. */
export type Standing =
  | 'online'
  | 'offline'
  | 'degraded'
  | 'pending'
  | 'paused'
  | 'maintenance'
  | 'unknown';

/** Facts that the standing of a monitor follows from. */
export interface StandingFacts {
  status: 'online' | 'offline' | 'degraded' | 'pending';
  is_paused: boolean;
  in_maintenance?: boolean;
}

/** Standing of a monitor: paused and maintenance come before what was seen. */
export function standingOf({ status, is_paused, in_maintenance = false }: StandingFacts): Standing {
  if (is_paused) return 'paused';
  return in_maintenance ? 'maintenance' : status;
}
