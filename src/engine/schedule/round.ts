import type { TeamBus } from '../bus/team-bus.ts';
import type { Clock } from '../../lib/clock.ts';
import { unknownResult } from '../../model/check.ts';
import type { CheckResult, RegionResult } from '../../model/check.ts';
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
  bus: TeamBus,
  clock: Clock,
  plan: Plan,
  slot: number,
  process: string,
): Promise<Round> {
  const startedAt = clock.now();
  const steadyStart = clock.monotonic();
  const results = await checkFromAll(bus, plan, startedAt);
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

async function checkFromAll(
  bus: TeamBus,
  { regions, request }: Plan,
  startedAt: number,
): Promise<RegionResult[]> {
  // Asked before the checks run: a probe that is lost meanwhile has probed from there all the same.
  const places = regions.map((region) => placeOf(bus, region));
  const checks =
    bus.checkAll === undefined
      ? await Promise.all(regions.map((region) => failsafe(() => bus.check(region, request))))
      : await bus
          .checkAll(regions, request)
          .catch((error: unknown) => regions.map(() => broken(error)));
  return checks.map((result, index) => ({
    ...places[index]!,
    // Names the place itself where the region has several.
    ...result,
    // A check that waited for a slot starts when its first packet leaves.
    checkedAt: Math.max(startedAt, result.sentAt ?? 0),
  }));
}

function placeOf(bus: TeamBus, region: Region): Pick<RegionResult, 'region' | 'vantage'> {
  const vantage = bus.vantageOf(region);
  return vantage === null ? { region } : { region, vantage };
}

/** The bus never rejects; if it did, the round would stay in flight and the monitor would never be checked again. */
async function failsafe(check: () => Promise<CheckResult>): Promise<CheckResult> {
  try {
    return await check();
  } catch (error) {
    return broken(error);
  }
}

function broken(error: unknown): CheckResult {
  return unknownResult('probe_error', `The check could not be run: ${String(error)}`);
}
