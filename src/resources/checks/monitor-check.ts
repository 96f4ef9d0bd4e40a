import { BUS_MARGIN_MS, type Bus } from '../../engine/bus/contract.ts';
import { busOfTeam } from '../../engine/bus/compose.ts';
import type { Caller } from '../../identity/caller.ts';
import {
  placeOfInspections,
  runningInspections,
  type InspectedMonitor,
} from '../../engine/inspect/target.ts';
import { sleep, type Clock } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import type { RegionResult } from '../../model/check.ts';
import { shardOf, type Region } from '../../model/monitor.ts';
import type { Regions } from '../../model/regions.ts';
import { isPushType, PULL } from '../../monitor-types/registry.ts';
import type { Round } from '../../model/round.ts';
import { checkRequest, roundSettings } from '../../engine/schedule/request.ts';
import type { Database } from '../../store/database/contract.ts';
import { inspectionAssignments } from '../../store/engine/inspection-assignments.ts';
import { monitorChanges } from '../../store/resources/monitor-changes.ts';
import { lockStates, writeStates } from '../../store/engine/monitor-state.ts';
import type { MonitorRow } from '../../store/resources/monitors.ts';
import { ensureDays, insertRounds } from '../../store/engine/results.ts';
import { nextVersion } from '../../store/engine/shards.ts';
import { withManualResult } from '../../engine/verdict/newest-results.ts';
import { isRecheckComing } from '../../engine/record/condition.ts';
import { checkResult, viewCheck } from './check-view.ts';
import { requireMonitor } from '../monitors/find.ts';
import { Problem } from '../common/errors.ts';
import type { SpendCheck } from './check-limits.ts';
import { createInspectNow } from './inspect-now.ts';
import type { MonitorSettings } from '../../monitor-types/fields.ts';
import { settingsOf } from '../../monitor-types/settings.ts';
import { noun, type Call } from '../common/operation.ts';

/** Time for the checks, of the 25 s for the whole request (contract 9.11). */
const CHECK_TIMEOUT_MS = 22_000;
/** Minimum time for a check; less would mostly measure the deadline. */
const MIN_CHECK_MS = 2_000;
const RETRY_MS = 1_000;
/** Maximum number of attempts at a check that the probe refuses: some, such as a ping without its program, never work. */
const MAX_REFUSALS = 4;
/** Failures of a probe that is starved or being restarted: it is asked again while there is time. */
const BUSY_CODES: ReadonlySet<string> = new Set(['probe_lagged', 'probe_lost', 'no_probe']);
/** Time since the last message of a probe after which it is not used. */
export const PROBE_ALIVE_MS = 30_000;

export interface MonitorCheckDeps {
  database: Database;
  bus: Pick<Bus, 'check' | 'inspect' | 'lastSeen' | 'vantageOf'>;
  regions: Regions;
  clock: Clock;
  secretBox: SecretBox;
  wakeScheduler: (shard: number) => void;
  spendCheck: SpendCheck;
}

/** Checks a monitor at once from one of its regions and returns the result. */
function createMonitorCheck(deps: MonitorCheckDeps) {
  const { database, regions, clock, secretBox, wakeScheduler } = deps;
  const inspectNow = createInspectNow(deps);

  /** Result of the first region that has one, of several attempts while there is time. Throws when none has. */
  async function check(row: MonitorRow, settings: MonitorSettings): Promise<RegionResult> {
    const bus = busOfTeam(deps.bus, regions, row.team_id);
    const endsAt = clock.monotonic() + CHECK_TIMEOUT_MS;
    const live = () => settings.monitored_regions.filter((code) => isAlive(bus, code));
    const leftMs = () => Math.floor(endsAt - clock.monotonic() - BUS_MARGIN_MS);
    /** Why the last live probe had no result. */
    let unable: string | null = null;
    let refusals = 0;
    while (live().length > 0 && leftMs() >= MIN_CHECK_MS && refusals < MAX_REFUSALS) {
      let isBusy = false;
      for (const region of live()) {
        if (leftMs() < MIN_CHECK_MS) break;
        const checkedAt = clock.now();
        const result = await bus.check(region, checkRequest(row, settings, leftMs()));
        if (result.vote !== 'unknown') return { ...result, region, checkedAt };
        const { code, text } = result.failure!;
        if (code !== 'no_probe') unable = text;
        isBusy ||= BUSY_CODES.has(code);
      }
      if (!isBusy) refusals += 1;
      if (refusals < MAX_REFUSALS) await sleep(clock, RETRY_MS);
    }
    throw new Problem(
      'no_probe',
      unable === null
        ? "No probe in the monitor's regions can check it right now. Try again in a minute."
        : `The probe could not tell: ${unable}. Try again in a minute.`,
    );
  }

  function isAlive(bus: Pick<Bus, 'lastSeen'>, region: Region): boolean {
    const seenAt = bus.lastSeen(region);
    return seenAt !== null && clock.now() - seenAt <= PROBE_ALIVE_MS;
  }

  /**
   * Stores and shows the result without a vote, and makes the next round and the inspections due now, unless a recheck is
   * coming.
   * Throws when the monitor was deleted in the meantime.
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
      await requireMonitor(tx, caller, id);
      const state = (await lockStates(tx, [id])).get(id);
      await insertRounds(tx, database, [kept]);
      // A result of other settings is only stored.
      if (state?.revision === round.revision) {
        const times = { startedAt: round.startedAt, now: clock.now() };
        const after = withManualResult(state, round.results[0], times);
        await writeStates(tx, [{ before: state, after }]);
      }
      const isRechecked = state !== undefined && isRecheckComing(state, clock.now());
      if (!isRechecked) await monitorChanges(tx).scheduleNow(id, version, clock.now());
      await inspectionAssignments(tx).makeDue(id, clock.now());
    });
    wakeScheduler(shardOf(id));
  }

  return async ({ caller, id }: Call) => {
    const row = await requireMonitor(database.read, caller, id);
    if (isPushType(row.type)) {
      throw new Problem(
        'unsupported',
        `A ${row.type} monitor can't be checked from here: its job reports to the ping_url itself.`,
      );
    }
    const settings = settingsOf(row, secretBox.of('monitor', row.team_id).open);
    await deps.spendCheck(caller, 'monitor_check', settings.url);
    const startedAt = clock.now();
    const checking = check(row, settings).then((result) =>
      manualRound(row, settings, startedAt, clock.now(), result),
    );
    const inspecting = inspectNow(
      inspectedPart(regions, row, settings),
      CHECK_TIMEOUT_MS - BUS_MARGIN_MS,
    );
    const [round, inspections] = await Promise.all([checking, inspecting]);
    await record(caller, round);
    return viewCheck(round.results[0], inspections, settings, clock.now());
  };
}

function inspectedPart(
  regions: Regions,
  { type, team_id: teamId }: MonitorRow,
  settings: MonitorSettings,
): InspectedMonitor {
  const { url, port, check_types: checkTypes, monitored_regions: monitored } = settings;
  const place = placeOfInspections(regions, teamId, monitored);
  return { type, url, port, checkTypes, place };
}

/** Round of one region. */
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
    settings: roundSettings(
      settings,
      runningInspections({ ...row, checkTypes: settings.check_types }),
    ),
    knownRegions: [result.region],
    results: [result],
  };
}

export const checkMonitor = noun('Monitors', createMonitorCheck, {
  checkMonitor: {
    at: 'POST /monitors/:id/check',
    needs: 'update',
    budget: 'monitor_check',
    summary: 'Check a monitor now',
    description: `Checks a monitor from one of its regions; ${PULL.and} only. Its check types run too: content, certificate and DNS records as they are now, and the registration as found within the last day. The response takes at most 25 seconds. The result is stored without a vote, and the next round runs at once.`,
    answer: checkResult,
    example: {
      answer: {
        uptime: {
          is_up: true,
          status: 'online',
          response_time: 87.4,
          status_code: 200,
          checked_from_region: 'ash',
          error: null,
          timings: { dns_ms: 2.1, tcp_ms: 9.8, tls_ms: 21.5, ttfb_ms: 48.7, total_ms: 87.4 },
        },
        ssl: {
          valid: true,
          expires_at: '2030-01-10T12:00:00.000Z',
          days_until_expiry: 9,
          issuer: 'R11',
          subject: 'example.com',
          protocol: 'TLSv1.3',
          error: 'TLS certificate expires in 9 days, on 2030-01-10',
        },
        keyword: {
          passed: false,
          failures: ['Keyword "Welcome back" is missing'],
          outcomes: [{ passed: false, text: 'Keyword "Welcome back" is missing' }],
        },
        not_run: {},
      },
    },
    refusals: ['unsupported', 'no_probe'],
  },
});
