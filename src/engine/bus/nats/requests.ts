import type { QueuedTimer } from '../../../lib/timer-queue.ts';
import type { Region } from '../../../model/monitor.ts';
import type { ProbeAnswer, ProbeRequest } from '../../../probe/agent/child.ts';
import type { SeenProbe } from './fleet.ts';

/** A request for a probe of a region, until it is answered. */
export interface PendingRequest extends QueuedTimer {
  id: number;
  region: Region;
  request: ProbeRequest;
  /** Its last loss; null while it was not lost. */
  lost: Loss | null;
  /** How often it was sent. */
  sent: number;
  /** Monotonic time since which it waits for a connection or a probe; null while it does not. */
  heldSince: number | null;
  settle(answer: ProbeAnswer): void;
  unanswered(why: Unanswered): ProbeAnswer;
}

/**
 * `no_probe`: the region has none. `no_bus`: there is no connection to NATS. `lost`: a probe took the request and fell
 * silent, twice. `unreadable`: its answer is none. `outdated`: the probe is of another release. `aborted`: this process
 * ends.
 */
export type Unanswered = 'no_probe' | 'no_bus' | 'lost' | 'unreadable' | 'outdated' | 'aborted';

/** Requests that were sent in one message. */
export interface SentBatch {
  id: string;
  region: Region;
  keyId: string;
  requests: Map<number, PendingRequest>;
  /** Id of the probe that it was sent to; null for any one. */
  probe: string | null;
  /** Both clocks as it was sent. */
  sentAt: number;
  sentAtSteady: number;
  /** The probe that took it and how long its word took, there and back; null before. */
  takenBy: { probe: string; roundTripMs: number } | null;
  /** Monotonic time of the last sign that somebody works on it. */
  heardAt: number;
}

/** A probe takes a message at once: after this time the message or the probe is lost. */
export const TAKEN_WITHIN_MS = 3_000;
/** Probes report every two seconds what they work on. */
export const SILENT_MS = 7_000;
/** How long a request waits for a connection, or for a probe that was there a moment ago and is starting again. */
export const HOLD_MS = 10_000;
/** A request that was lost is sent once more: to another probe of the region, if there is one. */
export const MAX_SENT = 2;

/** How a request was lost. Monotonic times. */
export interface Loss {
  /** The probe that had taken it; null if none had. */
  probe: string | null;
  sentAt: number;
  /** When it was given up as lost. */
  at: number;
}

/** Which probes get which requests. */
export interface Routes<R, P> {
  /** To any probe of the region. */
  toAny: R[];
  toOne: Map<P, R[]>;
  /** To none yet. */
  waiting: R[];
}

/**
 * Divides the requests to a region among its probes. A request that was lost goes to a probe that was heard of since, and
 * waits for one: the queue group might choose the silent one again.
 *
 * @param taking probes that take checks.
 * @param options whether another probe of the queue group is silent; and a number that grows, by which probes take turns.
 */
export function routesOf<
  R extends Pick<PendingRequest, 'lost'>,
  P extends Pick<SeenProbe, 'probe' | 'heardAt' | 'takesDirect'>,
>(
  requests: readonly R[],
  taking: readonly P[],
  { hasSilent, turn }: { hasSilent: boolean; turn: number },
): Routes<R, P> {
  const routes: Routes<R, P> = { toAny: [], toOne: new Map(), waiting: [] };
  for (const [index, request] of requests.entries()) {
    const { lost } = request;
    const able = lost === null ? taking : taking.filter((probe) => isHeardSince(probe, lost));
    const chosen = able[(turn + index) % able.length];
    if (chosen === undefined) routes.waiting.push(request);
    else if (!chosen.takesDirect || (lost === null && !hasSilent)) routes.toAny.push(request);
    else {
      const sent = routes.toOne.get(chosen);
      if (sent === undefined) routes.toOne.set(chosen, [request]);
      else sent.push(request);
    }
  }
  return routes;
}

function isHeardSince(
  { probe, heardAt }: Pick<SeenProbe, 'probe' | 'heardAt'>,
  lost: Loss,
): boolean {
  return heardAt > (probe === lost.probe ? lost.at : lost.sentAt);
}

/** What becomes of a batch: it goes on, or it is lost with the probe that has it. */
export function isLost(batch: Pick<SentBatch, 'takenBy' | 'heardAt'>, now: number): boolean {
  const limit = batch.takenBy === null ? TAKEN_WITHIN_MS : SILENT_MS;
  return now - batch.heardAt > limit;
}

/**
 * The key for the next batch to a region: the newest one that a probe which takes checks holds. Null without such a
 * probe.
 *
 * @param keyIds of the region, newest first.
 */
export function chooseKey(
  keyIds: readonly string[],
  taking: readonly { keyIds: ReadonlySet<string> }[],
): string | null {
  return keyIds.find((id) => taking.some((probe) => probe.keyIds.has(id))) ?? null;
}

/** Divides requests into batches, so that the probes of a region share them. */
export function inBatches<T>(requests: readonly T[], probes: number): T[][] {
  const size = Math.max(1, Math.min(MAX_BATCH, Math.ceil(requests.length / Math.max(1, probes))));
  const batches: T[][] = [];
  for (let at = 0; at < requests.length; at += size) batches.push(requests.slice(at, at + size));
  return batches;
}

const MAX_BATCH = 64;
