import { createHash } from 'node:crypto';
import type { InspectionKind, InspectionResult } from '../../model/inspection.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Interval of each kind of inspection (contract 22.1). */
const PERIOD_MS: Record<InspectionKind, number> = {
  ssl: HOUR_MS,
  dns: 5 * MINUTE_MS,
  domain: 24 * HOUR_MS,
};

/** When nothing was found out it is tried again sooner, then less and less often, at last at the ordinary pace. */
const FIRST_RETRY_MS: Record<InspectionKind, number> = {
  ssl: 5 * MINUTE_MS,
  dns: MINUTE_MS,
  domain: HOUR_MS,
};

/** While a monitor of the target has a condition of that kind its end is waited for. */
const OPEN_PERIOD_MS: Record<InspectionKind, number> = {
  ssl: MINUTE_MS,
  dns: MINUTE_MS,
  domain: 6 * HOUR_MS,
};

/** Many targets that began together come apart by that share of the period. */
const SPREAD = 0.1;

/** Time limit of an inspection. */
export const TIMEOUT_MS: Record<InspectionKind, number> = {
  ssl: 15_000,
  dns: 20_000,
  domain: 40_000,
};

/**
 * Facts of a registration serve all its monitors for nearly a day: registries are not asked again at each edit. Shorter
 * than any pace, so that the daily run itself asks.
 */
const DOMAIN_KNOWN_MS = 21 * HOUR_MS;
/** An edit, or a requested run, may be about a renewal. */
const OPEN_DOMAIN_KNOWN_MS = HOUR_MS;
/** The recheck itself asks. */
const UNCONFIRMED_KNOWN_MS = 55_000;

/** Whether what is known will do, without asking anybody. */
export function isStillKnown(
  inspection: {
    kind: InspectionKind;
    knownAt: number | null;
    isRecheck: boolean;
    isOpen: boolean;
  },
  now: number,
): boolean {
  const { kind, knownAt, isRecheck, isOpen } = inspection;
  if (kind !== 'domain' || knownAt === null || now < knownAt) return false;
  const keptMs = isRecheck ? UNCONFIRMED_KNOWN_MS : isOpen ? OPEN_DOMAIN_KNOWN_MS : DOMAIN_KNOWN_MS;
  return now - knownAt < keptMs;
}

/** Requirements of a target's monitors for its next run. */
export interface FollowUp {
  /** Milliseconds after which what was found is to be confirmed; null when nothing is. */
  recheckAfterMs: number | null;
  /** Whether one of them has a condition of that kind. */
  isOpen: boolean;
}

/**
 * Milliseconds until the next run. `unknownRun` counts the results in a row that found nothing out, this one included.
 */
export function nextRunAfter(
  { kind, target }: { kind: InspectionKind; target: string },
  result: InspectionResult,
  unknownRun: number,
  { recheckAfterMs, isOpen }: FollowUp,
): number {
  if (result.state === 'unknown') {
    const retryMs = FIRST_RETRY_MS[kind] * 2 ** Math.min(unknownRun - 1, 20);
    return Math.max(Math.min(retryMs, PERIOD_MS[kind]), result.retryAfterMs ?? 0);
  }
  if (recheckAfterMs !== null) return recheckAfterMs;
  const periodMs = isOpen ? OPEN_PERIOD_MS[kind] : PERIOD_MS[kind];
  return Math.round(periodMs * (1 - SPREAD * share(target)));
}

/** 0 to 1, always the same for a target. */
function share(target: string): number {
  return createHash('sha256').update(target).digest().readUInt32BE() / 2 ** 32;
}
