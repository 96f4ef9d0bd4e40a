import { may, type Caller } from '../../identity/caller.ts';
import { openIfPossible, type Open } from '../../lib/columns.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { knownUntil } from '../../model/observation.ts';
import { DEFINITIONS, takes } from '../../monitor-types/registry.ts';
import {
  blankOf,
  EDITORS_FIELDS,
  FIELD_LIST,
  readFields,
  SECRET_FIELDS,
} from '../../monitor-types/settings.ts';
import { nextDue } from '../../engine/schedule/due.ts';
import { intervalMsOf } from '../../engine/schedule/request.ts';
import { observationOf } from '../../store/engine/process-marks.ts';
import { parseNewest } from '../../store/engine/monitor-state.ts';
import type { MonitorRow } from '../../store/resources/monitors.ts';
import { isoOrNull, isoTime, tenths } from '../common/time.ts';

export interface ViewDeps {
  secretBox: SecretBox;
  /** Public address of this installation, without a slash at its end. */
  baseUrl: () => string;
}

/** A monitor as responses show it (contract 6.15, 6.16). */
export function viewMonitor(row: MonitorRow, caller: Caller, deps: ViewDeps, now: number) {
  const pingUrl = pingUrlOf(row, deps);
  // Only callers who may change the monitor see its secrets.
  const isEditor = may(caller, 'update');
  const open = isEditor
    ? openIfPossible(deps.secretBox.of('monitor', row.team_id))
    : () => undefined;
  return {
    // Comes first, as V8 copies an object fast at the beginning of another one only; it has the names of the next two.
    ...shownSettings(row, open, isEditor),
    id: row.id,
    monitor_type: row.type,
    url: pingUrl ?? row.url,
    ping_url: pingUrl,
    status: row.status,
    observed_until: isoOrNull(knownUntil(observationOf(row))),
    is_paused: row.is_paused === 1,
    last_checked_at: isoOrNull(row.last_checked_at),
    next_check_at: isoOrNull(nextCheckAt(row, now)),
    last_heartbeat_at: isoOrNull(row.last_heartbeat_at),
    heartbeat_expected_at: isoOrNull(row.heartbeat_expected_at),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

const SHOWN_FIELDS = FIELD_LIST.filter(({ field }) => field.secret !== 'never shown');
const BLANK_VIEW = blankOf(['id', 'monitor_type', ...SHOWN_FIELDS.map(({ name }) => name)]);
const SHOWN_SECRETS = SECRET_FIELDS.filter((name) => name in BLANK_VIEW);
const SHOWN_BY_TYPE = new Map<string, typeof SHOWN_FIELDS>(
  DEFINITIONS.map((type) => [
    type.name,
    SHOWN_FIELDS.filter(({ field }) => takes(type, field.group)),
  ]),
);

/** Settings as responses show them: null for fields of other types, and for what the caller may not see. */
function shownSettings(row: MonitorRow, open: Open, isEditor: boolean): Record<string, unknown> {
  // A type of a newer release shows whatever this one knows.
  const fields = SHOWN_BY_TYPE.get(row.type) ?? SHOWN_FIELDS;
  const view = readFields({ ...BLANK_VIEW }, fields, row, open);
  for (const name of SHOWN_SECRETS) view[name] ??= null;
  if (!isEditor) for (const name of EDITORS_FIELDS) view[name] = null;
  return view;
}

/** URL of a monitor; for a push monitor its ping URL, empty when no key decrypts it. */
export function urlOf(row: Pick<MonitorRow, 'team_id' | 'url' | 'ping_token'>, deps: ViewDeps) {
  return pingUrlOf(row, deps) ?? row.url;
}

function pingUrlOf(
  { team_id: teamId, ping_token: sealed }: Pick<MonitorRow, 'team_id' | 'ping_token'>,
  deps: ViewDeps,
): string | null {
  const open = openIfPossible(deps.secretBox.of('monitor', teamId));
  const token = sealed === null ? undefined : open(sealed, 'ping_token');
  return token === undefined ? null : `${deps.baseUrl()}/ping/${token}`;
}

/** Newest result of each monitored region that has one, in the monitor's order. */
export function viewResponseTimes(row: MonitorRow) {
  const newest = parseNewest(row.newest);
  const regions = JSON.parse(row.monitored_regions) as string[];
  return regions.flatMap((region) => {
    const result = newest[region];
    if (result === undefined) return [];
    return {
      region,
      response_time: tenths(result.responseTimeMs),
      status_code: result.statusCode,
      checked_at: isoTime(result.checkedAt),
    };
  });
}

/** Epoch milliseconds, null while paused. */
function nextCheckAt(row: MonitorRow, now: number): number | null {
  if (row.is_paused === 1 || row.check_interval === null) return null;
  const timing = {
    monitorId: row.id,
    intervalMs: intervalMsOf(row.check_interval),
    runAt: row.run_at,
    lastSlot: row.last_slot,
    lastCheckedAt: row.last_checked_at,
  };
  return nextDue(timing, now).at;
}
