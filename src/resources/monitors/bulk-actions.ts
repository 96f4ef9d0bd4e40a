import { shardOf } from '../../model/monitor.ts';
import { perTeam } from '../../model/regions.ts';
import { isPushType } from '../../monitor-types/registry.ts';
import { readableSettings } from '../../monitor-types/settings.ts';
import type { Caller } from '../../identity/caller.ts';
import { createTurns } from '../../lib/turns.ts';
import { markMonitorsRemoved, scheduleAlertsOfMonitors } from '../../store/alerting/alerts.ts';
import type { Tx } from '../../store/database/contract.ts';
import { inspectionAssignments } from '../../store/engine/inspection-assignments.ts';
import { nextVersions } from '../../store/engine/shards.ts';
import { isGroupOf } from '../../store/resources/groups.ts';
import { monitorChanges } from '../../store/resources/monitor-changes.ts';
import { createMonitorList } from '../../store/resources/monitor-list.ts';
import {
  findMonitors,
  labelsOfMonitors,
  type MonitorLabels,
  type MonitorRow,
} from '../../store/resources/monitors.ts';
import { type AuditChange } from '../audit-log/entry.ts';
import { recordChanges } from '../common/change.ts';
import { authorize } from '../common/errors.ts';
import { Findings, readBody, fieldIn } from '../common/input.ts';
import { auditedMonitor, monitorTarget } from './audit.ts';
import {
  actionOf,
  changes,
  hasRoomForTags,
  requireRoomForTags,
  tagsAfter,
  tagsOf,
  type BulkAction,
} from './bulk-action-rules.ts';
import { bulkActionBody, type BulkActionBody } from './bulk-input.ts';
import { expectedFrom } from './expected-pings.ts';
import { filterOf } from './filter.ts';
import { refuseDeletedGroup, targetsOf } from './new-monitor.ts';
import { UNKNOWN_GROUP } from './rules.ts';
import type { MonitorServiceDeps } from './service.ts';

export type BulkActionDeps = Pick<
  MonitorServiceDeps,
  'database' | 'clock' | 'secretBox' | 'regions' | 'wakeScheduler'
>;

/** Maximum number of monitors that one action may match. */
export const MAX_MATCHED = 10_000;
/** Monitors in one transaction: a fraction of a second of the writer, so that other edits pass in between. */
const AT_ONCE = 500;

/** A monitor that is changed, as it was before, with the version of the edit. */
type Changed = MonitorRow & { version: number };

/**
 * Runs an action on several monitors of the team, 500 in each transaction. All errors are found before the first change. It
 * can be repeated: a monitor that is as the action leaves it counts as matched and not as changed.
 */
export function createBulkAction(deps: BulkActionDeps) {
  const { database, clock, secretBox, regions, wakeScheduler } = deps;
  const list = createMonitorList(deps);
  const inputs = perTeam(regions, bulkActionBody);

  /** The monitors that are chosen. Throws InvalidInput for ids that are none of the team, and for too many matches. */
  async function choose(caller: Caller, { ids, filter = {} }: BulkActionBody) {
    const teamId = caller.team.id;
    if (ids !== undefined) {
      const found = await labelsOfMonitors(database.read, teamId, ids);
      requireAll(ids, found);
      return found;
    }
    const { tag, all: _all, ...others } = filter;
    const tags = typeof tag === 'string' ? [tag] : tag;
    const wanted = await filterOf(database.read, teamId, { ...others, tag: tags }, 'filter.');
    const matching = await list.all(teamId, wanted, MAX_MATCHED + 1);
    if (matching.length > MAX_MATCHED) {
      const findings = new Findings();
      findings.add('filter', `matches more than ${MAX_MATCHED} monitors: choose fewer at a time`);
      throw findings.asError();
    }
    const chosen: MonitorLabels[] = [];
    for (const part of inParts(matching))
      chosen.push(...(await labelsOfMonitors(database.read, teamId, part)));
    return chosen;
  }

  /** @returns the ids of the monitors that were changed. */
  async function run(caller: Caller, action: BulkAction, ids: readonly number[]) {
    const changed = await refuseDeletedGroup(() =>
      database.transaction(async (tx) => {
        const versions = await nextVersions(tx, ids.map(shardOf));
        const rows = await findMonitors(tx, caller.team.id, ids);
        // Other requests may have changed some in the meantime: what the action fits no longer is left out.
        const monitors = rows
          .filter((row) => changes(action, row) && hasRoomForTags(action, row))
          .map((row) => ({ ...row, version: versions.get(row.shard)! }));
        if (monitors.length > 0) await write(tx, caller, action, monitors);
        return monitors;
      }),
    );
    for (const shard of new Set(changed.map((row) => row.shard))) wakeScheduler(shard);
    return changed.map(({ id }) => id);
  }

  async function write(tx: Tx, caller: Caller, action: BulkAction, monitors: readonly Changed[]) {
    const now = clock.now();
    const ids = monitors.map(({ id }) => id);
    const entries = monitors.map((row) => auditEntry(action, row));
    switch (action.name) {
      case 'pause':
        await monitorChanges(tx).pauseAll(monitors, now);
        break;
      case 'resume':
        await resume(tx, monitors, now);
        break;
      case 'delete':
        await monitorChanges(tx).markAllDeleted(monitors, now);
        await markMonitorsRemoved(tx, ids, now);
        await inspectionAssignments(tx).unassign(ids);
        break;
      case 'move':
        await monitorChanges(tx).setGroup(monitors, action.groupId, now);
        // Other alert routes may apply now.
        await scheduleAlertsOfMonitors(tx, ids, now);
        break;
      default: {
        const tagged = monitors.map(({ id, version, tags }) => ({
          id,
          version,
          tags: tagsAfter(action, tagsOf({ tags })),
        }));
        await monitorChanges(tx).setTags(tagged, now);
        await scheduleAlertsOfMonitors(tx, ids, now);
      }
    }
    await recordChanges(tx, caller, entries, now);
  }

  async function resume(tx: Tx, monitors: readonly Changed[], now: number): Promise<void> {
    const resumed = monitors.map((row) => {
      const settings = readableSettings(row, secretBox);
      const heartbeatExpectedAt = isPushType(row.type)
        ? expectedFrom(row.type, settings, now)
        : null;
      const { id: monitorId, version } = row;
      return {
        id: monitorId,
        monitorId,
        version,
        heartbeatExpectedAt,
        targets: targetsOf(regions, row.team_id, row.type, settings),
      };
    });
    await monitorChanges(tx).resumeAll(resumed, now);
    await inspectionAssignments(tx).assignAll(resumed, now);
  }

  function auditEntry(action: BulkAction, row: MonitorRow): AuditChange {
    const target = monitorTarget(row.id, row);
    switch (action.name) {
      case 'pause':
      case 'resume': {
        const isPaused = action.name === 'pause';
        const verb = isPaused ? 'paused' : 'resumed';
        return { verb, target, before: { is_paused: !isPaused }, after: { is_paused: isPaused } };
      }
      case 'delete':
        return {
          verb: 'deleted',
          target,
          before: auditedMonitor(row.type, readableSettings(row, secretBox)),
        };
      case 'move':
        return {
          verb: 'updated',
          target,
          before: { group_id: row.group_id },
          after: { group_id: action.groupId },
        };
      default: {
        const tags = tagsOf(row);
        return {
          verb: 'updated',
          target,
          before: { tags },
          after: { tags: tagsAfter(action, tags) },
        };
      }
    }
  }

  return async function act(caller: Caller, body: unknown): Promise<object> {
    authorize(caller, 'update');
    if (wantsToDelete(body)) authorize(caller, 'delete');
    const findings = new Findings();
    const wanted = readBody(inputs(caller.team.id), body, findings);
    const action = actionOf(wanted, findings);
    requireNoEmptyGroup(body, findings);
    if (action?.name === 'move' && action.groupId !== null && !findings.has('group_id')) {
      const isKnown = await isGroupOf(database.read, caller.team.id, action.groupId);
      if (!isKnown) findings.add('group_id', UNKNOWN_GROUP);
    }
    findings.throwIfAny();
    const chosen = await choose(caller, wanted as BulkActionBody);
    const changing = chosen.filter((one) => changes(action!, one));
    requireRoomForTags(action!, changing);
    const ids = changing.map(({ id }) => id);
    if (wanted.dry_run === true) return { matched: chosen.length, changed: ids.length, ids };
    const changed: number[] = [];
    const turn = createTurns();
    const parts = inParts(ids);
    const { idempotencyKey: _key, ...keyless } = caller;
    for (const [index, part] of parts.entries()) {
      await turn();
      // The last part marks the key: a request that ended before it can be repeated.
      const isLast = index === parts.length - 1;
      changed.push(...(await run(isLast ? caller : keyless, action!, part)));
    }
    return { matched: chosen.length, changed: changed.length, ids: changed };
  };
}

function inParts(ids: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, part) =>
    ids.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
  );
}

/** Permissions are checked before the body is read as a whole (contract 2.18). */
function wantsToDelete(body: unknown): boolean {
  return fieldIn(body, 'action') === 'delete';
}

/** Elsewhere an empty text is null, but an empty variable of a script must not take monitors out of their groups. */
function requireNoEmptyGroup(body: unknown, findings: Findings): void {
  if (fieldIn(body, 'group_id') === '')
    findings.add('group_id', 'must be the id of a group of your team, or null for none');
}

/** Throws InvalidInput that names each id that is no monitor of the team. */
function requireAll(ids: readonly number[], found: readonly MonitorLabels[]): void {
  if (found.length === ids.length) return;
  const known = new Set(found.map(({ id }) => id));
  const findings = new Findings();
  for (const [index, id] of ids.entries())
    if (!known.has(id))
      findings.add(
        `ids.${index}`,
        `must be a monitor of your team: ${id} is none, and nothing was changed`,
      );
  findings.throwIfAny();
}
