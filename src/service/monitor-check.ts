import { BUS_MARGIN_MS, type Bus } from '../bus/contract.ts';
import type { Caller } from '../identity/caller.ts';
import type { Clock } from '../lib/clock.ts';
import type { SecretBox } from '../lib/secret-box.ts';
import type { CheckResult, RegionResult } from '../model/check.ts';
import { isPushType, shardOf, type CheckType, type Region } from '../model/monitor.ts';
import type { Round } from '../model/round.ts';
import type { OpenedFields } from '../schedule/request.ts';
import { checkRequest, intervalMsOf, sendsCredentials } from '../schedule/request.ts';
import type { Database } from '../store/contract.ts';
import { hastenMonitor } from '../store/monitor-changes.ts';
import { findMonitor, type MonitorRow } from '../store/monitors.ts';
import { ensureDays, insertRounds } from '../store/results.ts';
import { nextVersion } from '../store/shards.ts';
import { authorise, notFound, Problem } from './errors.ts';
import { viewTimings } from './incident-view.ts';
import { settingsOf } from './monitor-columns.ts';
import type { MonitorSettings } from './monitor-settings.ts';

/** The whole answer comes within 25 s (completions, section 5): this is left for the checks themselves. */
const CHECKING_MS = 22_000;
/** A check that is given less time than that says more of the deadline than of the target. */
const SHORTEST_CHECK_MS = 2_000;
/** A probe that was not seen for so long is not asked. */
const PROBE_ALIVE_MS = 30_000;

export interface MonitorCheckDeps {
  database: Database;
  bus: Pick<Bus, 'check' | 'lastSeen'>;
  clock: Clock;
  secretBox: SecretBox;
  nudge: (shard: number) => void;
}

/** Checks a monitor at once from one of its regions, and answers what was seen. */
export type CheckMonitor = (caller: Caller, id: number) => Promise<object>;

export function createMonitorCheck(deps: MonitorCheckDeps): CheckMonitor {
  const { database, bus, clock, secretBox, nudge } = deps;

  /** The first region that can tell; null when none can. */
  async function look(row: MonitorRow, settings: MonitorSettings): Promise<RegionResult | null> {
    const opened = openedFields(settings);
    const endsAt = clock.monotonic() + CHECKING_MS;
    for (const region of settings.monitored_regions.filter(isAlive)) {
      const left = Math.floor(endsAt - clock.monotonic() - BUS_MARGIN_MS);
      if (left < SHORTEST_CHECK_MS) return null;
      const checkedAt = clock.now();
      const result = await bus.check(region, checkRequest(row, opened, left));
      if (result.vote !== 'unknown') return { ...result, region, checkedAt };
    }
    return null;
  }

  function isAlive(region: Region): boolean {
    const seenAt = bus.lastSeen(region);
    return seenAt !== null && clock.now() - seenAt <= PROBE_ALIVE_MS;
  }

  /** Kept in the history without a vote; the next round comes now. A monitor deleted meanwhile is left alone. */
  async function record(caller: Caller, round: Round): Promise<void> {
    const id = round.monitorId;
    const kept = {
      round,
      kind: 'manual',
      class: round.results[0]?.vote === 'up' ? 'up' : 'down',
    } as const;
    await ensureDays(database, [round.startedAt]);
    await database.transaction(async (tx) => {
      const version = await nextVersion(tx, shardOf(id));
      if ((await findMonitor(tx, caller.team.id, id)) === undefined) throw notFound('monitor');
      await insertRounds(tx, database, [kept]);
      await hastenMonitor(tx, id, version, clock.now());
    });
    nudge(shardOf(id));
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
    const settings = settingsOf(row, secretBox);
    if (SEALED.some((name) => settings[name] === undefined)) {
      throw new Error(
        `The request of monitor ${id} is sealed with a key that SECRET_KEY does not hold.`,
      );
    }
    const startedAt = clock.now();
    const result = await look(row, settings);
    if (result === null) {
      throw new Problem(
        'no_probe',
        "No probe in the monitor's regions can check it right now. Try again in a minute.",
      );
    }
    await record(caller, manualRound(row, settings, startedAt, clock.now(), result));
    return viewCheck(result, settings);
  };
}

const SEALED = ['request_headers', 'request_body', 'auth_username', 'auth_password'] as const;

function openedFields(settings: MonitorSettings): OpenedFields {
  const { auth_username: username, auth_password: password } = settings;
  const isSent = sendsCredentials(settings.auth_type) && username && password;
  return {
    headers: settings.request_headers ?? {},
    body: settings.request_body ?? null,
    credentials: isSent ? { username, password } : null,
  };
}

function manualRound(
  row: MonitorRow,
  settings: MonitorSettings,
  startedAt: number,
  finishedAt: number,
  result: RegionResult,
): Round {
  return {
    monitorId: row.id,
    teamId: row.team_id,
    revision: row.revision,
    slot: startedAt,
    startedAt,
    finishedAt,
    settings: {
      intervalMs: intervalMsOf(settings.check_interval ?? NaN),
      failureThreshold: settings.failure_threshold,
      recoveryThreshold: settings.recovery_threshold,
      slowResponseThresholdMs: settings.slow_response_threshold,
    },
    knownRegions: [result.region],
    results: [result],
  };
}

/**
 * The answer of a manual check (specification, "Check result"; completions, section 5): each active sub-check stands
 * under its own name, and `not_run` says why one has no outcome.
 */
function viewCheck(result: CheckResult & { region: Region }, settings: MonitorSettings) {
  const active = settings.check_types;
  return {
    uptime: {
      is_up: result.vote === 'up',
      status: result.vote === 'up' ? 'online' : 'offline',
      response_time: result.responseTimeMs,
      status_code: result.statusCode,
      checked_from_region: result.region,
      error: result.failure?.text ?? null,
      timings: viewTimings(result.timings),
    },
    ssl: null,
    ...Object.fromEntries(active.map((type) => [type, null])),
    not_run: Object.fromEntries(active.map((type) => [type, whyNotRun(type, settings.url)])),
  };
}

function whyNotRun(type: CheckType, url: string): string {
  if (type === 'ssl' && !/^https:/i.test(url)) return 'It never runs: the url is not https.';
  return 'It has not run yet: this version stores its settings, and a later one evaluates it.';
}
