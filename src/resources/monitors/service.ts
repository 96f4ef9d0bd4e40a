import { shardOf } from '../../model/monitor.ts';
import { perTeam, type Regions } from '../../model/regions.ts';
import { isPushType, type MonitorType, PUSH } from '../../monitor-types/registry.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Plans } from '../../identity/plans.ts';
import type { FieldName, MonitorSettings } from '../../monitor-types/fields.ts';
import { changesTheCheck, columnsOf, readableSettings } from '../../monitor-types/settings.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database, Tx } from '../../store/database/contract.ts';
import { markMonitorsRemoved, scheduleAlertsOfMonitors } from '../../store/alerting/alerts.ts';
import { createNewestIncidents } from '../../store/resources/incidents.ts';
import { monitorChanges } from '../../store/resources/monitor-changes.ts';
import { inspectionAssignments } from '../../store/engine/inspection-assignments.ts';
import { keepFormerPingToken, MAX_FORMER_PING_TOKENS } from '../../store/engine/heartbeats.ts';
import { createChangeMark } from '../../store/resources/change-mark.ts';
import { createMonitorList } from '../../store/resources/monitor-list.ts';
import { createMonitorReads, type MonitorRow } from '../../store/resources/monitors.ts';
import { nextVersion } from '../../store/engine/shards.ts';
import { lockTeam } from '../../store/people/teams.ts';
import { auditedMonitor, monitorTarget } from './audit.ts';
import { recordChange } from '../common/change.ts';
import { authorize, notFound, Problem } from '../common/errors.ts';
import { isoTime } from '../common/time.ts';
import { expectedAfterEdit, expectedFrom } from './expected-pings.ts';
import { viewIncident } from '../incidents/facts.ts';
import { readBody, readQuery } from '../common/input.ts';
import { parentsIn, writeDependencies } from './dependencies.ts';
import { filterOf } from './filter.ts';
import { KEEP_OLD_PING_URL_SECONDS, monitorListQuery, pingUrlRotation } from './input.ts';
import { createListAnswers, createMonitorViews } from './list-answers.ts';
import { refuseSecretsSentElsewhere } from './kept-secrets.ts';
import { readMonitorUpdate, readNewMonitor, type RulesOfTeams } from './rules.ts';
import { requireMonitor } from './find.ts';
import {
  newColumns,
  newMonitor,
  newPingColumns,
  refuseDeletedGroup,
  targetsOf,
} from './new-monitor.ts';
import { requireCapacity, requireCapacityOfHost, teamRulesFor } from './team-rules.ts';
import { urlOf, viewMonitor, viewResponseTimes, type ViewDeps } from './view.ts';
import { pagingOf } from '../common/page.ts';
import { limitsMonitors } from '../plan/gate.ts';
import type { Call } from '../common/operation.ts';

export interface MonitorServiceDeps extends ViewDeps {
  database: Database;
  clock: Clock;
  monitorRules: RulesOfTeams;
  regions: Regions;
  plans: Plans;
  /** Makes the owner of a shard load edited monitors at once instead of at its next poll. */
  wakeScheduler: (shard: number) => void;
}

/** Number of incidents in the response for one monitor. */
const NEWEST_INCIDENTS = 10;

/**
 * Monitors of a team. Throws InvalidInput for invalid bodies and queries, and `not_found` for deleted monitors and those
 * of other teams.
 */
export function createMonitorService(deps: MonitorServiceDeps) {
  const { database, clock, secretBox, monitorRules: rules, regions, wakeScheduler } = deps;
  const listQueries = perTeam(regions, monitorListQuery);
  const reads = createMonitorReads(database);
  const listAnswers = createListAnswers({
    ...deps,
    list: createMonitorList(deps),
    views: createMonitorViews(deps, reads),
    readMark: createChangeMark(database),
  });
  const newestIncidents = createNewestIncidents(database.read, NEWEST_INCIDENTS);

  const sealFor = (caller: Caller) => secretBox.of('monitor', caller.team.id).seal;
  const view = (row: MonitorRow, caller: Caller) => viewMonitor(row, caller, deps, clock.now());

  /** Edits a monitor. Writing the shard's version first makes other edits of the shard wait until this one ends. */
  async function edit(
    caller: Caller,
    id: number,
    change: (tx: Tx, row: MonitorRow, version: number) => Promise<void>,
    isTeamLocked = false,
  ): Promise<MonitorRow> {
    const row = await database.transaction(async (tx) => {
      // Before the shard's version, in the order of `create`, to avoid deadlocks.
      if (isTeamLocked) await lockTeam(tx, caller.team.id);
      const version = await nextVersion(tx, shardOf(id));
      await change(tx, await requireMonitor(tx, caller, id), version);
      return requireMonitor(tx, caller, id);
    });
    wakeScheduler(shardOf(id));
    return row;
  }

  /** Time of the next expected ping of a push monitor, counted from now; null for other monitors. */
  function expectedNext(row: MonitorRow): number | null {
    return isPushType(row.type)
      ? expectedFrom(row.type, readableSettings(row, secretBox), clock.now())
      : null;
  }

  async function resume(tx: Tx, row: MonitorRow, version: number, now: number): Promise<void> {
    await monitorChanges(tx).resume(row.id, version, now, expectedNext(row));
    await inspectionAssignments(tx).assign(
      row.id,
      targetsOf(regions, row.team_id, row.type, readableSettings(row, secretBox)),
      now,
    );
  }

  async function writePaused(tx: Tx, caller: Caller, row: MonitorRow, version: number) {
    const now = clock.now();
    const wasPaused = row.is_paused === 1;
    if (wasPaused) await resume(tx, row, version, now);
    else await monitorChanges(tx).pause(row.id, version, now);
    const change = {
      verb: wasPaused ? 'resumed' : 'paused',
      target: monitorTarget(row.id, row),
      before: { is_paused: wasPaused },
      after: { is_paused: !wasPaused },
    };
    await recordChange(tx, caller, change, now);
  }

  async function setPaused(caller: Caller, id: number, isPaused: boolean): Promise<object> {
    authorize(caller, 'update');
    let row = await requireMonitor(database.read, caller, id);
    const isChange = (row.is_paused === 1) !== isPaused;
    if (isChange) {
      row = await edit(caller, id, async (tx, current, version) => {
        // Another request may have done it in the meantime.
        if ((current.is_paused === 1) !== isPaused) await writePaused(tx, caller, current, version);
      });
    }
    const done = isPaused ? 'paused' : 'resumed';
    return {
      success: true,
      message: isChange
        ? `The monitor is ${done}.`
        : `The monitor is ${isPaused ? 'paused' : 'running'} already.`,
      monitor: { id, url: urlOf(row, deps), is_paused: isPaused },
    };
  }

  return {
    async listMonitors({ caller, query, address }: Call) {
      const wanted = readQuery(listQueries(caller.team.id), query);
      const filter = () => filterOf(database.read, caller.team.id, wanted);
      const paging = pagingOf(wanted, 'created_at');
      return listAnswers.of(caller, { query: wanted, filter, paging, address });
    },

    async getMonitor({ caller, id }: Call) {
      const [row, incidents] = await Promise.all([
        reads.one(caller.team.id, id),
        newestIncidents(caller.team.id, id),
      ]);
      if (row === undefined) throw notFound('monitor');
      return {
        ...view(row, caller),
        incidents: incidents.map((incident) => viewIncident(incident, deps)),
        response_times: viewResponseTimes(row),
      };
    },

    async createMonitor({ caller, body }: Call) {
      const team = await teamRulesFor(deps, caller, null, body);
      const { plan } = team;
      await requireCapacity(database.read, plan, caller);
      const { type, settings } = readNewMonitor(body, rules(caller.team.id), team);
      const columns = newColumns(type, settings, sealFor(caller));
      const row = await refuseDeletedGroup(() =>
        database.transaction(async (tx) => {
          // Makes others that create a monitor wait, so that each counts those before it.
          if (limitsMonitors(plan) || settings.depends_on.length > 0)
            await lockTeam(tx, caller.team.id);
          await requireCapacity(tx, plan, caller);
          const change = { id: null, from: null, to: settings.url };
          await requireCapacityOfHost(tx, plan, caller, change);
          const now = clock.now();
          const added = [newMonitor(columns, settings, now)];
          const [id = 0] = await monitorChanges(tx).insertAll(caller.team.id, added, now);
          await inspectionAssignments(tx).assign(
            id,
            targetsOf(regions, caller.team.id, type, settings),
            now,
          );
          await writeDependencies(tx, caller.team.id, id, settings.depends_on);
          const after = auditedMonitor(type, settings);
          const target = monitorTarget(id, settings);
          await recordChange(tx, caller, { verb: 'created', target, after }, now);
          return requireMonitor(tx, caller, id);
        }),
      );
      wakeScheduler(row.shard);
      return view(row, caller);
    },

    /** Changes the given fields. */
    async updateMonitor({ caller, id, body }: Call) {
      const stored = await requireMonitor(database.read, caller, id);
      const parents = parentsIn(body);
      const team = await teamRulesFor(deps, caller, stored, body);
      const { plan } = team;
      const read = (row: MonitorRow) => {
        const before = readableSettings(row, secretBox);
        const wanted = readMonitorUpdate(
          row.type as MonitorType,
          before,
          body,
          rules(caller.team.id),
          team,
        );
        refuseSecretsSentElsewhere(before, wanted.settings, body);
        return wanted;
      };
      // Reads the body before it locks anything; most errors are found here.
      const first = read(stored);
      if (first.changed.length === 0) return view(stored, caller);
      const row = await refuseDeletedGroup(() =>
        edit(
          caller,
          id,
          async (tx, current, version) => {
            // Deleting a group or a dependency changes these columns without an edit.
            const isSame = STAMP.every((name) => current[name] === stored[name]);
            const { settings, changed } = isSame ? first : read(current);
            const type = current.type as MonitorType;
            const now = clock.now();
            const url = { id, from: current.url, to: settings.url };
            await requireCapacityOfHost(tx, plan, caller, url);
            const columns = { ...columnsOf(settings, sealFor(caller), changed), updated_at: now };
            const change = {
              verb: 'updated',
              target: monitorTarget(id, settings),
              before: pick(readableSettings(current, secretBox), changed),
              after: pick(settings, changed),
            };
            await recordChange(tx, caller, change, now);
            if (changed.includes('depends_on'))
              await writeDependencies(tx, caller.team.id, id, settings.depends_on);
            if (changed.some((name) => ROUTING_FIELDS.includes(name)))
              await scheduleAlertsOfMonitors(tx, [id], now);
            if (!changesTheCheck(changed)) return monitorChanges(tx).update(id, version, columns);
            if (!isPushType(type)) {
              await monitorChanges(tx).revise(id, version, columns, now);
              return inspectionAssignments(tx).assign(
                id,
                targetsOf(regions, caller.team.id, type, settings),
                now,
              );
            }
            const expected = expectedAfterEdit(type, settings, changed, now);
            return monitorChanges(tx).reviseHeartbeat(id, version, columns, expected, now);
          },
          // Makes others of the team wait, so that each counts those before it.
          parents.length > 0 || (limitsMonitors(plan) && first.changed.includes('url')),
        ),
      );
      return view(row, caller);
    },

    async deleteMonitor({ caller, id }: Call) {
      await requireMonitor(database.read, caller, id);
      await database.transaction(async (tx) => {
        const version = await nextVersion(tx, shardOf(id));
        const row = await requireMonitor(tx, caller, id);
        const now = clock.now();
        await monitorChanges(tx).markDeleted(id, version, now);
        await markMonitorsRemoved(tx, [id], now);
        await inspectionAssignments(tx).unassign([id]);
        const before = auditedMonitor(row.type, readableSettings(row, secretBox));
        const target = monitorTarget(id, row);
        await recordChange(tx, caller, { verb: 'deleted', target, before }, now);
      });
      wakeScheduler(shardOf(id));
    },

    pauseMonitor: ({ caller, id }: Call) => setPaused(caller, id, true),
    resume: (caller: Caller, id: number) => setPaused(caller, id, false),

    /** Gives a push monitor a new ping URL. Throws `unsupported` for other types. */
    async rotatePingUrl({ caller, id, body }: Call) {
      await requireMonitor(database.read, caller, id);
      const { keep_old_for: keepSeconds } = readBody(pingUrlRotation, body);
      const row = await edit(caller, id, async (tx, current, version) => {
        const tokenHash = current.ping_token_hash;
        if (tokenHash === null) throw new Problem('unsupported', NO_PING_URL_TO_ROTATE);
        const now = clock.now();
        const until = now + (keepSeconds ?? KEEP_OLD_PING_URL_SECONDS) * 1_000;
        if (!(await keepFormerPingToken(tx, { id, tokenHash }, { until, now })))
          throw new Problem('conflict', TOO_MANY_FORMER_PING_URLS);
        const columns = { ...newPingColumns(sealFor(caller)), updated_at: now };
        await monitorChanges(tx).reviseHeartbeat(id, version, columns, null, now);
        const change = {
          verb: 'ping_url_rotated',
          target: monitorTarget(id, current),
          after: { old_works_until: until > now ? isoTime(until) : null },
        };
        await recordChange(tx, caller, change, now);
      });
      return view(row, caller);
    },
  };
}

const NO_PING_URL_TO_ROTATE = `Only ${PUSH.and} monitors have a ping URL: there is none to replace.`;
const TOO_MANY_FORMER_PING_URLS = `${MAX_FORMER_PING_TOKENS} former ping URLs of this monitor still work. Wait until the first of them ends, or send "keep_old_for": 0, which ends all of them now.`;

/** Fields that decide who is notified of the monitor. */
const ROUTING_FIELDS: readonly FieldName[] = ['group_id', 'tags', 'notification_settings'];

/** Columns that show whether a monitor changed since it was read. */
const STAMP = ['version', 'group_id', 'depends_on'] as const;

function pick(settings: MonitorSettings, names: readonly FieldName[]): object {
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}
