import type { Bus } from '../bus/contract.ts';
import type { Clock } from '../../lib/clock.ts';
import { unknownResult } from '../../model/check.ts';
import type { RegionResult } from '../../model/check.ts';
import type { Region } from '../../model/monitor.ts';
import type { Round } from '../../model/round.ts';
import { hostOfRequest } from '../../monitor-types/registry.ts';
import type { Plan } from './plan.ts';

/** A region whose probe was last seen longer ago cannot vote (contract 18.3). */
const PROBE_SEEN_WITHIN_MS = 3_600_000;

/**
 * Runs a round: checks a monitor from all its regions at once. Settles when all have answered; never rejects.
 *
 * @param process id of this process run, whose monotonic clock times the round.
 */
export async function runRound(
  bus: Bus,
  clock: Clock,
  plan: Plan,
  slot: number,
  process: string,
): Promise<Round> {
  const startedAt = clock.now();
  const steadyStart = clock.monotonic();
  const results = await Promise.all(
    plan.regions.map((region) => checkFrom(bus, plan, region, startedAt)),
  );
  const finishedAt = clock.now();
  return {
    monitorId: plan.monitorId,
    teamId: plan.teamId,
    revision: plan.revision,
    slot,
    startedAt,
    finishedAt,
    steady: { process, startedAt: steadyStart, finishedAt: clock.monotonic() },
    settings: plan.settings,
    host: hostOfRequest(plan.request),
    knownRegions: plan.regions.filter(
      (region) => (bus.lastSeen(region) ?? -Infinity) >= finishedAt - PROBE_SEEN_WITHIN_MS,
    ),
    results,
  };
}

async function checkFrom(
  bus: Bus,
  { request }: Plan,
  region: Region,
  checkedAt: number,
): Promise<RegionResult> {
  const vantage = bus.vantageOf(region);
  const place = { region, checkedAt, ...(vantage !== null && { vantage }) };
  try {
    const result = await bus.check(region, request);
    // A check that waited for a slot starts when its first packet leaves.
    return { ...result, ...place, checkedAt: Math.max(checkedAt, result.sentAt ?? 0) };
  } catch (error) {
    // The bus never rejects; if it did, the round would stay in flight and the monitor would never be checked again.
    const result = unknownResult('probe_error', `The check could not be run: ${String(error)}`);
    return { ...result, ...place };
  }
}
