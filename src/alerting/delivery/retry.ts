/** The outcome of one attempt. Reasons are sentences for people, without secrets. */
export interface Attempted {
  at: number;
  durationMs: number;
  /** Same values as in `ChannelOutcome` (channels/contract.ts). */
  outcome: 'delivered' | 'failed' | 'refused' | 'gone';
  reason: string | null;
  statusCode: number | null;
  /** Time that the other side asks to wait. */
  retryAfterMs: number | null;
  /** The beginning of the answer. */
  response: string | null;
}

export interface RetryDecision {
  status: 'delivered' | 'failed' | 'pending';
  /** Of the next attempt; null when there is none. */
  nextAt: number | null;
  /** First of the attempts in a row that failed; null when the destination works. */
  failingSince: number | null;
  failures: number;
  deactivates: boolean;
}

export interface RetryInput {
  attempted: Pick<Attempted, 'outcome' | 'retryAfterMs'>;
  /** A test is one attempt, and says nothing about the destination's state. */
  isTest: boolean;
  /** Attempts of this delivery, this one included. */
  attempts: number;
  expiresAt: number;
  failingSince: number | null;
  failures: number;
  /** Deliveries that were refused since the destination fails, this one excluded; 0 unless it refuses and has failed for long. */
  refusals: number;
  now: number;
  random: () => number;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Delays after the first failure, the second, and so on; the last one repeats until the delivery expires. */
const BACK_OFF_MS = [
  5 * SECOND_MS,
  15 * SECOND_MS,
  45 * SECOND_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
];
/** Spreads the retries of deliveries that failed together. */
const JITTER = 0.2;
/** Maximum delay that the other side may ask for. */
const MAX_ASKED_MS = HOUR_MS;

/** A destination that fails for this long is switched off (contract 29.28). */
export const DEACTIVATE_AFTER_MS = 3 * 24 * HOUR_MS;
/**
 * Attempts of one delivery before a temporary failure switches a destination off: one whose last attempt is days ago gets
 * a minute to answer now. Also the number of refused deliveries that do: one or two, days apart, prove nothing.
 */
export const TRIES_BEFORE_DEACTIVATION = 4;

/** Retries temporary failures with back-off; a refusal ends its delivery alone, and 410 switches the destination off. */
export function decideRetry(input: RetryInput): RetryDecision {
  const { attempted, isTest, attempts, refusals, expiresAt, now } = input;
  const { outcome } = attempted;
  const last = { nextAt: null, deactivates: false };
  if (isTest) {
    const { failingSince, failures } = input;
    const status = outcome === 'delivered' ? 'delivered' : 'failed';
    return { ...last, status, failingSince, failures };
  }
  if (outcome === 'delivered')
    return { ...last, status: 'delivered', failingSince: null, failures: 0 };
  const failingSince = Math.min(input.failingSince ?? now, now);
  const failures = input.failures + 1;
  const isLongEnough = now - failingSince >= DEACTIVATE_AFTER_MS;
  const isTemporary = outcome === 'failed';
  const tries = isTemporary ? attempts : refusals + 1;
  const deactivates = outcome === 'gone' || (isLongEnough && tries >= TRIES_BEFORE_DEACTIVATION);
  if (!isTemporary || deactivates)
    return { status: 'failed', nextAt: null, failingSince, failures, deactivates };
  const nextAt = Math.min(now + waitAfter(attempts, attempted, input.random), expiresAt);
  return { status: 'pending', nextAt, failingSince, failures, deactivates };
}

/** Milliseconds until the next attempt. */
function waitAfter(
  attempts: number,
  { retryAfterMs }: Pick<Attempted, 'retryAfterMs'>,
  random: () => number,
): number {
  const step = BACK_OFF_MS[Math.min(attempts, BACK_OFF_MS.length) - 1] ?? BACK_OFF_MS[0]!;
  const backOff = Math.round(step * (1 - JITTER + 2 * JITTER * random()));
  return Math.max(backOff, Math.min(retryAfterMs ?? 0, MAX_ASKED_MS));
}

/** Times are epoch milliseconds. */
export interface EndpointHealth {
  /** Failed rounds of requests in a row; 1 for an endpoint that answered with a refusal. */
  failures: number;
  failingSince: number | null;
  lastError: string | null;
  lastDeliveredAt: number | null;
  heldUntil: number | null;
}

export interface EndpointOutcome {
  delivery: { id: number; kind: string; attempts: number; expiresAt: number };
  attempted: Attempted;
}

interface HealthInput extends Pick<RetryInput, 'refusals' | 'now' | 'random'> {
  outcome: EndpointOutcome;
  /**
   * A request of the same round has failed: requests that were in flight then prove nothing new by failing, and do not
   * end the hold by succeeding.
   */
  hasFailed: boolean;
  /** Attempts made of all events that are pending, this one included. */
  pendingAttempts: number;
}

interface HealthChange {
  health: EndpointHealth;
  decision: RetryDecision;
  /** Whether the endpoint works again after more than one failed round: deliveries that wait for a retry are sent at once. */
  isRecovery: boolean;
}

/** Applies one attempt to the health of a webhook endpoint. A test changes neither hold nor failures. */
export function changeHealth(health: EndpointHealth, input: HealthInput): HealthChange {
  const { outcome, hasFailed, now } = input;
  const { delivery, attempted } = outcome;
  const isTest = delivery.kind === 'test';
  const { failingSince, failures } = health;
  const attempts = delivery.attempts + 1;
  const { expiresAt } = delivery;
  const retry = { ...input, attempted, isTest, attempts, expiresAt, failingSince, failures };
  const decision = decideRetry(retry);
  if (isTest) return { health, decision, isRecovery: false };
  const heldUntil = hasFailed ? health.heldUntil : null;
  // An answer ends the hold, also a refusal: the next event may go.
  const isRecovery =
    attempted.outcome !== 'failed' && !hasFailed && health.heldUntil !== null && failures > 1;
  if (attempted.outcome === 'delivered') {
    const works = { failures: 0, failingSince: null, lastError: null, lastDeliveredAt: now };
    return { health: { ...works, heldUntil }, decision, isRecovery };
  }
  const failing = {
    failingSince: decision.failingSince,
    lastError: attempted.reason,
    lastDeliveredAt: health.lastDeliveredAt,
  };
  if (attempted.outcome !== 'failed')
    return { health: { ...failing, failures: 1, heldUntil }, decision, isRecovery };
  const rounds = hasFailed ? Math.max(1, failures) : failures + 1;
  const until = now + holdAfter(rounds, attempted, input);
  const held = { failures: rounds, heldUntil: Math.max(until, heldUntil ?? until) };
  return { health: { ...failing, ...held }, decision, isRecovery };
}

/**
 * Milliseconds for which a webhook endpoint gets no event after a failure. Like the back-off of a delivery it grows with each
 * failed round, but starts again for an endpoint whose last attempts were for events that have ended meanwhile.
 *
 * @param rounds failed rounds of requests in a row, this one included.
 */
function holdAfter(
  rounds: number,
  attempted: Attempted,
  { hasFailed, pendingAttempts, random }: HealthInput,
): number {
  // The hold of an earlier request of this round counts already.
  if (hasFailed) return Math.min(attempted.retryAfterMs ?? 0, MAX_ASKED_MS);
  return waitAfter(Math.min(rounds, Math.max(1, pendingAttempts)), attempted, random);
}
