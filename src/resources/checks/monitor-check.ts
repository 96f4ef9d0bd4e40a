import { BUS_MARGIN_MS, type Bus } from '../../engine/bus/contract.ts';
import type { Caller } from '../../identity/caller.ts';
import { runningInspections } from '../../engine/inspect/target.ts';
import type { InspectedMonitor } from '../../engine/inspect/target.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { RegionResult } from '../../model/check.ts';
import { shardOf, type Region } from '../../model/monitor.ts';
import { isPushType } from '../../monitor-types/registry.ts';
import type { Round } from '../../model/round.ts';
import { checkRequest, roundSettings } from '../../engine/schedule/request.ts';
import type { Database } from '../../store/database/contract.ts';
import { makeInspectionsDue } from '../../store/engine/inspection-assignments.ts';
import { scheduleNow } from '../../store/resources/monitor-changes.ts';
import { lockStates } from '../../store/engine/monitor-state.ts';
import { findMonitor, type MonitorRow } from '../../store/resources/monitors.ts';
import { ensureDays, insertRounds } from '../../store/engine/results.ts';
import { nextVersion } from '../../store/engine/shards.ts';
import { isRecheckComing } from '../../engine/record/condition.ts';
import { viewCheck } from './check-view.ts';
import { authorise, notFound, Problem } from '../common/errors.ts';
import { createInspectNow } from './inspect-now.ts';
import type { MonitorSettings } from '../../monitor-types/fields.ts';
import { settingsOf } from '../../monitor-types/settings.ts';

/** The whole answer comes within 25 s (contract 9.11): this is left for the checks themselves. */
const CHECKING_MS = 22_000;
/** A check that is given less time than that says more of the deadline than of the target. */
const SHORTEST_CHECK_MS = 2_000;
/** A probe that was not seen for so long is not asked. */
export const PROBE_ALIVE_MS = 30_000;

export interface MonitorCheckDeps {
  database: Database;
  bus: Pick<Bus, 'check' | 'inspect' | 'lastSeen' | 'vantageOf'>;
  clock: Clock;
  secretBox: SecretBox;
  wakeScheduler: (shard: number) => void;
}

/** Checks a monitor at once from one of its regions, and answers what was seen. */
export type CheckMonitor = (caller: Caller, id: number) => Promise<object>;

export function createMonitorCheck(deps: MonitorCheckDeps): CheckMonitor {
  const { database, bus, clock, secretBox, wakeScheduler } = deps;
  const inspectNow = createInspectNow(deps);

  /** From the first region that can tell. Throws when none can. */
  async function look(row: MonitorRow, settings: MonitorSettings): Promise<RegionResult> {
    const endsAt = clock.monotonic() + CHECKING_MS;
    for (const region of settings.monitored_regions.filter(isAlive)) {
      const left = Math.floor(endsAt - clock.monotonic() - BUS_MARGIN_MS);
      if (left < SHORTEST_CHECK_MS) break;
      const checkedAt = clock.now();
      const result = await bus.check(region, checkRequest(row, settings, left));
      if (result.vote !== 'unknown') return { ...result, region, checkedAt };
    }
    throw new Problem(
      'no_probe',
      "No probe in the monitor's regions can check it right now. Try again in a minute.",
    );
  }

  function isAlive(region: Region): boolean {
    const seenAt = bus.lastSeen(region);
    return seenAt !== null && clock.now() - seenAt <= PROBE_ALIVE_MS;
  }

  /**
   * Kept in the history without a vote. What is scheduled comes now, but for the rechecks of a confirmation. A monitor
   * deleted meanwhile is left alone.
   */
  async function record(caller: Caller, round: ManualRound): Promise<void> {
    const id = round.monitorId;
    const kept = {
      round,
      kind: 'manual',
      class: round.results[0].vote === 'up' ? 'up' : 'down',
    } as const;
    await ensureDays(database, [round.startedAt]);
    await database.transaction(async (tx) => {
      const version = await nextVersion(tx, shardOf(id));
      if ((await findMonitor(tx, caller.team.id, id)) === undefined) throw notFound('monitor');
      await insertRounds(tx, database, [kept]);
      const state = (await lockStates(tx, [id])).get(id);
      const isLeftAlone = state !== undefined && isRecheckComing(state, clock.now());
      if (!isLeftAlone) await scheduleNow(tx, id, version, clock.now());
      await makeInspectionsDue(tx, id, clock.now());
    });
    wakeScheduler(shardOf(id));
  }

  return async (caller, id) => {
    authorise(caller, 'update');
    const row = await findMonitor(database.read, caller.team.id, id);
    if (row === undefined) throw notFound('monitor');
    if (isPushType(row.type)) {
      throw new Problem(
        'unsupported',
        `A ${row.type} monitor can't be checked from here: its job reports to the ping_url itself.`,
      );
    }
    const settings = settingsOf(row, (sealed) => secretBox.open(sealed));
    const startedAt = clock.now();
    const looking = look(row, settings).then((result) =>
      manualRound(row, settings, startedAt, clock.now(), result),
    );
    const inspecting = inspectNow(inspectedPart(row, settings), CHECKING_MS - BUS_MARGIN_MS);
    const [round, inspections] = await Promise.all([looking, inspecting]);
    await record(caller, round);
    return viewCheck(round.results[0], inspections, settings, clock.now());
  };
}

function inspectedPart({ type }: MonitorRow, settings: MonitorSettings): InspectedMonitor {
  const { url, port, check_types: checkTypes } = settings;
  return { type, url, port, checkTypes };
}

/** One region looked. */
type ManualRound = Round & { results: [RegionResult] };

function manualRound(
  row: MonitorRow,
  settings: MonitorSettings,
  startedAt: number,
  finishedAt: number,
  result: RegionResult,
): ManualRound {
  return {
    monitorId: row.id,
    teamId: row.team_id,
    revision: row.revision,
    slot: startedAt,
    startedAt,
    finishedAt,
    settings: roundSettings(settings, runningInspections(inspectedPart(row, settings))),
    knownRegions: [result.region],
    results: [result],
  };
}
