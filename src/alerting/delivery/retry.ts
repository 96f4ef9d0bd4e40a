/** What came of one attempt. Reasons are sentences for people, without secrets. */
export interface Attempted {
  /** Epoch milliseconds when it began. */
  at: number;
  durationMs: number;
  /** As `ChannelOutcome` (channels/contract.ts) has it. */
  outcome: 'delivered' | 'failed' | 'refused' | 'gone';
  reason: string | null;
  statusCode: number | null;
  /** How long the other side asks us to wait. */
  retryAfterMs: number | null;
  /** The beginning of what was answered. */
  response: string | null;
}

/** What the attempt means for its delivery and for the destination. */
export interface Ruling {
  status: 'delivered' | 'failed' | 'pending';
  /** Epoch ms of the next attempt; null when there is none. */
  againAt: number | null;
  /** Since when the destination fails: null when it does not. */
  failingSince: number | null;
  /** Attempts in a row that failed. */
  failures: number;
  /** Nothing is sent there any more. */
  deactivates: boolean;
}

export interface RulingInput {
  attempted: Pick<Attempted, 'outcome' | 'retryAfterMs'>;
  /** A test is one attempt, and says nothing about the destination's state. */
  isTest: boolean;
  /** Of this delivery, this one among them. */
  attempts: number;
  /** Epoch ms. */
  expiresAt: number;
  failingSince: number | null;
  failures: number;
  /** Deliveries that were refused before this one since it fails; looked up for one that refuses and has failed for long. */
  refusals: number;
  now: number;
  /** From 0 to below 1. */
  random: () => number;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** After the first failure, the second, and so on; the last one repeats until the delivery expires. */
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
/** So that those which failed together do not all come back together. */
const JITTER = 0.2;
/** However long the other side asks us to wait. */
const LONGEST_ASKED_MS = HOUR_MS;

/** What fails for so long is switched off (contract 29.28). */
export const DEACTIVATE_AFTER_MS = 3 * 24 * HOUR_MS;
/**
 * Of one delivery, until a failure that may pass counts for that: a destination that was last written to days ago, in
 * vain, gets a minute to answer now. And so many deliveries that were refused: one or two, days apart, prove nothing.
 */
export const TRIES_BEFORE_DEACTIVATION = 4;

/** Retries with back-off on what may pass; another refusal ends that delivery and lets the next go; 410 ends all. */
export function ruleOn(input: RulingInput): Ruling {
  const { attempted, isTest, attempts, refusals, expiresAt, now } = input;
  const { outcome } = attempted;
  if (isTest) {
    const { failingSince, failures } = input;
    const status = outcome === 'delivered' ? 'delivered' : 'failed';
    return { status, againAt: null, failingSince, failures, deactivates: false };
  }
  if (outcome === 'delivered') {
    return {
      status: 'delivered',
      againAt: null,
      failingSince: null,
      failures: 0,
      deactivates: false,
    };
  }
  const failingSince = Math.min(input.failingSince ?? now, now);
  const failures = input.failures + 1;
  const isLongEnough = now - failingSince >= DEACTIVATE_AFTER_MS;
  const mayPass = outcome === 'failed';
  const tries = mayPass ? attempts : refusals + 1;
  const deactivates = outcome === 'gone' || (isLongEnough && tries >= TRIES_BEFORE_DEACTIVATION);
  if (!mayPass || deactivates)
    return { status: 'failed', againAt: null, failingSince, failures, deactivates };
  const againAt = Math.min(now + waitAfter(input), expiresAt);
  return { status: 'pending', againAt, failingSince, failures, deactivates };
}

interface HoldInput {
  /** Failed rounds of requests in a row, this one among them. */
  failures: number;
  /** An earlier request of this round has failed, and the hold is counted already. */
  hasFailed: boolean;
  attempted: Pick<Attempted, 'retryAfterMs'>;
  /** Attempts that were made of all events that are pending now. */
  pendingAttempts: number;
}

/**
 * Milliseconds for which a webhook endpoint gets no event after a failure. Like the wait of a delivery it grows with each
 * failed round, but an endpoint that was last asked days ago, for events that are over now, gets its first minute again.
 */
export function holdAfter(input: HoldInput, random: () => number): number {
  const { failures, hasFailed, attempted, pendingAttempts } = input;
  if (hasFailed) return Math.min(attempted.retryAfterMs ?? 0, LONGEST_ASKED_MS);
  const attempts = Math.min(failures, Math.max(1, pendingAttempts));
  return waitAfter({ attempts, attempted, random });
}

/** Milliseconds until the next attempt. */
function waitAfter({
  attempts,
  attempted,
  random,
}: Pick<RulingInput, 'attempts' | 'random'> & {
  attempted: Pick<Attempted, 'retryAfterMs'>;
}): number {
  const step = BACK_OFF_MS[Math.min(attempts, BACK_OFF_MS.length) - 1] ?? BACK_OFF_MS[0]!;
  const backOff = Math.round(step * (1 - JITTER + 2 * JITTER * random()));
  return Math.max(backOff, Math.min(attempted.retryAfterMs ?? 0, LONGEST_ASKED_MS));
}

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
