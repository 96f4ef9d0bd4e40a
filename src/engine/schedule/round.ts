import type { TeamBus } from '../bus/compose.ts';
import type { Clock } from '../../lib/clock.ts';
import {
  unknownResult,
  type CheckResult,
  type RegionResult,
  type CheckRequest,
} from '../../model/check.ts';
import type { Region } from '../../model/monitor.ts';
import type { Round, RoundSettings } from '../../model/round.ts';
import { hostOfRequest } from '../../monitor-types/registry.ts';
import type { InspectionKind } from '../../model/inspection.ts';
import type { MonitorSettings } from '../../monitor-types/fields.ts';
import { checkSettingsOf } from '../../monitor-types/settings.ts';
import type { ScheduledMonitorRow } from '../../store/engine/shards.ts';
import { runningInspections } from '../inspect/target.ts';
import { checkRequest, roundSettings } from './request.ts';

/** A region whose probe was last seen longer ago cannot vote (contract 18.3). */
const PROBE_SEEN_WITHIN_MS = 3_600_000;

/** Checks a monitor from all its regions at once. Never rejects. @param process id of the run whose steady clock times it. */
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

/** The settings that a monitor's rounds need, ready for use and compact: there may be 100,000 of them. */
export interface Plan {
  readonly monitorId: number;
  readonly teamId: number;
  readonly shard: number;
  readonly version: number;
  readonly revision: number;
  readonly regions: readonly Region[];
  readonly settings: RoundSettings;
  readonly request: CheckRequest;
}

/** Opens what is sealed in the database. Throws when no key fits. */
export interface Secrets {
  of(kind: 'monitor', teamId: number): { open(sealed: string, column: string): string };
}

/** Few sets of regions are in use: monitors share one array for each. Keyed by the stored text. */
export type SharedRegions = Map<string, readonly Region[]>;

const NO_INSPECTIONS: readonly InspectionKind[] = [];

/** Throws when the row can't be used: a secret that no key opens, or a column that holds no JSON. */
export function planOf(row: ScheduledMonitorRow, secrets: Secrets, shared: SharedRegions): Plan {
  const settings = checkSettingsOf(row, secrets.of('monitor', row.team_id).open);
  return {
    monitorId: row.id,
    teamId: row.team_id,
    shard: row.shard,
    version: row.version,
    revision: row.revision,
    regions: regionsOf(row.monitored_regions, shared),
    settings: roundSettings(settings, inspectionsOf(row.type, settings)),
    request: { ...checkRequest(row, settings), teamId: row.team_id },
  };
}

function inspectionsOf(type: string, settings: MonitorSettings): readonly InspectionKind[] {
  const { url, port, check_types: checkTypes } = settings;
  return checkTypes.length === 0
    ? NO_INSPECTIONS
    : runningInspections({ type, url, port, checkTypes });
}

function regionsOf(text: string, shared: SharedRegions): readonly Region[] {
  const known = shared.get(text);
  if (known) return known;
  const regions = JSON.parse(text) as Region[];
  shared.set(text, regions);
  return regions;
}
