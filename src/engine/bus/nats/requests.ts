import type { QueuedTimer } from '../../../lib/timer-queue.ts';
import type { Region } from '../../../model/monitor.ts';
import type { ProbeAnswer, ProbeRequest } from '../../../probe/agent/child.ts';
import type { SeenProbe } from './fleet.ts';
import { unknownResult, type CheckResult } from '../../../model/check.ts';
import type { InspectionResult } from '../../../model/inspection.ts';
import { MAX_SLOT_WAIT_MS } from '../../../model/probe-load.ts';
import { BUS_MARGIN_MS, noProbe, type ProbedResult } from '../contract.ts';

export interface PendingRequest extends QueuedTimer {
  id: number;
  region: Region;
  request: ProbeRequest;
  /** Its last loss; null while it was not lost. */
  lost: Loss | null;
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

export interface SentBatch {
  id: string;
  region: Region;
  keyId: string;
  requests: Map<number, PendingRequest>;
  probe: string | null;
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
const SILENT_MS = 7_000;
/** How long a request waits for a connection, or for a probe that was there a moment ago and is starting again. */
export const HOLD_MS = 10_000;
/** A request that was lost is sent once more: to another probe of the region, if there is one. */
export const MAX_SENT = 2;

/** How a request was lost. Monotonic times. */
export interface Loss {
  probe: string | null;
  sentAt: number;
  at: number;
}

interface Routes<R, P> {
  toAny: R[];
  toOne: Map<P, R[]>;
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

function isHeardSince({ probe, heardAt }: Pick<SeenProbe, 'probe' | 'heardAt'>, lost: Loss) {
  return heardAt > (probe === lost.probe ? lost.at : lost.sentAt);
}

/** What becomes of a batch: it goes on, or it is lost with the probe that has it. */
export function isLost(batch: Pick<SentBatch, 'takenBy' | 'heardAt'>, now: number): boolean {
  const limit = batch.takenBy === null ? TAKEN_WITHIN_MS : SILENT_MS;
  return now - batch.heardAt > limit;
}

/** The newest key of a region that a probe which takes checks holds; null without one. @param keyIds newest first. */
export function chooseKey(
  keyIds: readonly string[],
  taking: readonly { keyIds: ReadonlySet<string> }[],
): string | null {
  return keyIds.find((id) => taking.some((probe) => probe.keyIds.has(id))) ?? null;
}

export function inBatches<T>(requests: readonly T[], probes: number): T[][] {
  const size = Math.max(1, Math.min(MAX_BATCH, Math.ceil(requests.length / Math.max(1, probes))));
  const batches: T[][] = [];
  for (let at = 0; at < requests.length; at += size) batches.push(requests.slice(at, at + size));
  return batches;
}

const MAX_BATCH = 64;

export function placed(answer: ProbeAnswer, vantage: string): ProbeAnswer {
  if (!('vote' in answer)) return answer;
  const result: ProbedResult = { ...answer, vantage };
  return result;
}

/** Time after which a request is settled whatever happens. */
export function settleWithinMs(request: ProbeRequest): number {
  const mayWait = 'teamId' in request && request.teamId !== undefined;
  return request.timeoutMs + BUS_MARGIN_MS + (mayWait ? MAX_SLOT_WAIT_MS : 0);
}

export function uncheckedBecause(why: Unanswered, region: Region): CheckResult {
  switch (why) {
    case 'no_probe':
      return noProbe(region);
    case 'no_bus':
      return unknownResult('no_probe', 'The connection to NATS is lost');
    case 'lost':
      return unknownResult('probe_lost', 'The probe did not answer');
    case 'unreadable':
      return unknownResult('probe_error', "The probe's answer could not be read");
    case 'outdated':
      return unknownResult(
        'probe_unable',
        `The probe of region ${region} is of another release and can't run this check: upgrade it`,
      );
    case 'aborted':
      return unknownResult('aborted', 'The service stopped before the check ended');
  }
}

export function uninspectedBecause(
  why: Unanswered,
  region: Region | null = null,
): InspectionResult {
  if (why === 'no_probe' || region === null)
    return { state: 'unknown', reason: 'No probe is running' };
  const { failure } = uncheckedBecause(why, region);
  return { state: 'unknown', reason: failure!.text };
}
