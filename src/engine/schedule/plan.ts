import type { CheckRequest } from '../../model/check.ts';
import type { InspectionKind } from '../../model/inspection.ts';
import type { Region } from '../../model/monitor.ts';
import type { RoundSettings } from '../../model/round.ts';
import type { MonitorSettings } from '../../monitor-types/fields.ts';
import { checkSettingsOf } from '../../monitor-types/settings.ts';
import type { ScheduledMonitorRow } from '../../store/engine/scheduled-monitors.ts';
import { runningInspections } from '../inspect/target.ts';
import { checkRequest, roundSettings } from './request.ts';

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
