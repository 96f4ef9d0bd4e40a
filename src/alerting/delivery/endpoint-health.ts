import { holdAfter, ruleOn } from './retry.ts';
import type { Attempted, Ruling } from './retry.ts';

/** State of a webhook endpoint. Times are epoch milliseconds. */
export interface EndpointHealth {
  /** Failed rounds of requests in a row; 1 for an endpoint that answered with a refusal. */
  failures: number;
  failingSince: number | null;
  lastError: string | null;
  lastDeliveredAt: number | null;
  heldUntil: number | null;
}

/** An attempt of one delivery, before it is recorded. */
export interface EndpointOutcome {
  delivery: { id: number; kind: string; attempts: number; expiresAt: number };
  attempted: Attempted;
}

export interface HealthInput {
  outcome: EndpointOutcome;
  /**
   * A request of the same round has failed: requests that were in flight then prove nothing new by failing, and do not
   * end the hold by succeeding.
   */
  hasFailed: boolean;
  /** See `RulingInput` (retry.ts). */
  refusals: number;
  /** Attempts that were made of all events that are pending, this one among them. */
  pendingAttempts: number;
  now: number;
  /** From 0 to below 1. */
  random: () => number;
}

export interface HealthChange {
  health: EndpointHealth;
  ruling: Ruling;
  /** The endpoint failed for a while and works again: what waits for its next attempt is sent at once. */
  isRecovery: boolean;
}

/** What one attempt means for its delivery, and for the endpoint as a whole. A test changes neither hold nor failures. */
export function changeHealth(health: EndpointHealth, input: HealthInput): HealthChange {
  const { outcome, hasFailed, now } = input;
  const { delivery, attempted } = outcome;
  const ruling = ruleOn({
    attempted,
    isTest: delivery.kind === 'test',
    attempts: delivery.attempts + 1,
    expiresAt: delivery.expiresAt,
    failingSince: health.failingSince,
    failures: health.failures,
    refusals: input.refusals,
    now,
    random: input.random,
  });
  if (delivery.kind === 'test') return { health, ruling, isRecovery: false };
  const heldUntil = hasFailed ? health.heldUntil : null;
  if (attempted.outcome === 'delivered') {
    const works = { failures: 0, failingSince: null, lastError: null, lastDeliveredAt: now };
    const isRecovery = !hasFailed && health.heldUntil !== null && health.failures > 1;
    return { health: { ...works, heldUntil }, ruling, isRecovery };
  }
  const failing = {
    failingSince: ruling.failingSince,
    lastError: attempted.reason,
    lastDeliveredAt: health.lastDeliveredAt,
  };
  // A refusal is an answer: the next event may go.
  if (attempted.outcome !== 'failed') {
    const isRecovery = !hasFailed && health.heldUntil !== null && health.failures > 1;
    return { health: { ...failing, failures: 1, heldUntil }, ruling, isRecovery };
  }
  const failures = hasFailed ? Math.max(1, health.failures) : health.failures + 1;
  const hold = { failures, hasFailed, attempted, pendingAttempts: input.pendingAttempts };
  const until = now + holdAfter(hold, input.random);
  const held = { failures, heldUntil: Math.max(until, heldUntil ?? until) };
  return { health: { ...failing, ...held }, ruling, isRecovery: false };
}
