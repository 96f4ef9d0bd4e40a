import { assignedTargets, placeOfInspections } from '../../engine/inspect/target.ts';
import { hashToken, newPingToken } from '../../identity/token.ts';
import type { Seal } from '../../lib/columns.ts';
import type { Regions } from '../../model/regions.ts';
import type { MonitorSettings } from '../../monitor-types/fields.ts';
import { isPushType, type MonitorType } from '../../monitor-types/registry.ts';
import { columnsOf } from '../../monitor-types/settings.ts';
import { isForeignKeyViolation } from '../../store/database/errors.ts';
import type { MonitorColumns } from '../../store/resources/monitor-changes.ts';
import { invalidField } from '../common/errors.ts';
import { expectedFrom } from './expected-pings.ts';
import { UNKNOWN_GROUP } from './rules.ts';

/** The columns of a new monitor; a push monitor gets a new ping URL. */
export function newColumns(type: MonitorType, settings: MonitorSettings, seal: Seal) {
  return {
    type,
    ...columnsOf(settings, seal),
    ...(isPushType(type) ? newPingColumns(seal) : NO_PING_URL),
  };
}

/** A monitor to insert now: a push monitor expects its first ping by its schedule. */
export function newMonitor(columns: MonitorColumns, settings: MonitorSettings, now: number) {
  const { type } = columns;
  return {
    columns,
    heartbeatExpectedAt: isPushType(type) ? expectedFrom(type, settings, now) : null,
  };
}

/** Targets of the monitor's inspections; a push monitor has none. */
export function targetsOf(
  regions: Regions,
  teamId: number,
  type: string,
  settings: MonitorSettings,
) {
  const { url, port, check_types: checkTypes, monitored_regions: monitored } = settings;
  const place = placeOfInspections(regions, teamId, monitored);
  return assignedTargets({ type, url, port, checkTypes, place });
}

/** Throws InvalidInput when the group was deleted after the body was read. */
export async function refuseDeletedGroup<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error;
    throw invalidField('group_id', UNKNOWN_GROUP);
  }
}

/** Token of a new ping URL: encrypted to show it again, and hashed to find it. */
export function newPingColumns(seal: Seal) {
  const token = newPingToken();
  return { ping_token: seal(token, 'ping_token'), ping_token_hash: hashToken(token) };
}

const NO_PING_URL = { ping_token: null, ping_token_hash: null };
