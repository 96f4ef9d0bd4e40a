import { knownUntil, unobservedSince } from '../../model/observation.ts';
import type { PageFacts, ServiceFacts } from '../facts/model.ts';

/** Condition of a service as visitors see it. */
export type Condition =
  | { type: 'up' }
  | { type: 'down' | 'degraded'; since: number | null; unobservedMs: number }
  | { type: 'maintenance'; until: number }
  | { type: 'unobserved'; since: number; last: 'up' | 'down' | 'degraded' }
  | { type: 'pending' }
  | { type: 'paused' };

/** Facts that are older could not be refreshed: what happened since is not known. */
export const MAX_FACTS_AGE_MS = 2 * 60_000;

const LAST = { online: 'up', degraded: 'degraded', offline: 'down' } as const;

/** Whether the facts are too old to tell the present. */
export function isStale({ readAt }: Pick<PageFacts, 'readAt'>, now: number): boolean {
  return now - readAt > MAX_FACTS_AGE_MS;
}

/** Condition of a service now. Never `up` when that is not known. */
export function conditionOf(service: ServiceFacts, readAt: number, now: number): Condition {
  const { status, statusSince, statusUnobservedMs, maintenanceUntil } = service;
  if (service.isPaused) return { type: 'paused' };
  if (maintenanceUntil !== null && maintenanceUntil > now)
    return { type: 'maintenance', until: maintenanceUntil };
  const until = knownUntil(service);
  if (status === 'pending' || until === null) return { type: 'pending' };
  const since = isStale({ readAt }, now) ? Math.min(until, readAt) : unobservedSince(service, now);
  if (since !== null) return { type: 'unobserved', since, last: LAST[status] };
  if (status === 'online') return { type: 'up' };
  return {
    type: LAST[status] as 'down' | 'degraded',
    since: statusSince,
    unobservedMs: statusUnobservedMs,
  };
}
