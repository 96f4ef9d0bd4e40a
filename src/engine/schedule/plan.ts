import { runningInspections } from '../inspect/target.ts';
import type { CheckRequest, Credentials } from '../../model/check.ts';
import type { ContentCheck } from '../../model/content.ts';
import type { InspectionKind } from '../../model/inspection.ts';
import type { CheckType, Region } from '../../model/monitor.ts';
import type { RoundSettings } from '../../model/round.ts';
import type { PlanRow } from '../../store/engine/plans.ts';
import { contentCheckOf } from '../../monitor-types/content-check.ts';
import { checkRequest, intervalMsOf } from './request.ts';

/** What a monitor's rounds need, ready to be used, and small: there may be 100,000 of them. */
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
  open(sealed: string): string;
}

/** Few sets of regions are in use: monitors share one array for each. Keyed by the stored text. */
export type SharedRegions = Map<string, readonly Region[]>;

const NO_HEADERS: Record<string, string> = {};
const NO_CHECK_TYPES = '[]';
const NO_INSPECTIONS: readonly InspectionKind[] = [];

/** Throws when the row can't be used: a secret that no key opens, or a column that holds no JSON. */
export function planOf(row: PlanRow, secrets: Secrets, shared: SharedRegions): Plan {
  const headers =
    row.request_headers === null ? NO_HEADERS : JSON.parse(secrets.open(row.request_headers));
  const body = row.request_body === null ? null : secrets.open(row.request_body);
  const content = contentOf(row);
  return {
    monitorId: row.id,
    teamId: row.team_id,
    shard: row.shard,
    version: row.version,
    revision: row.revision,
    regions: regionsOf(row.monitored_regions, shared),
    settings: {
      intervalMs: intervalMsOf(row.check_interval ?? NaN),
      failureThreshold: row.failure_threshold,
      recoveryThreshold: row.recovery_threshold,
      slowResponseThresholdMs: row.slow_response_threshold,
      content: content?.kind ?? null,
      inspections: inspectionsOf(row),
      checkBothFamilies: row.check_both_families === 1,
    },
    request: {
      ...checkRequest(row, { headers, body, content, credentials: credentialsOf(row, secrets) }),
      teamId: row.team_id,
    },
  };
}

function contentOf(row: PlanRow): ContentCheck | null {
  if (row.check_types === NO_CHECK_TYPES) return null;
  return contentCheckOf(
    JSON.parse(row.check_types) as CheckType[],
    row.keyword_settings === null ? null : JSON.parse(row.keyword_settings),
    row.json_assertion_settings === null ? null : JSON.parse(row.json_assertion_settings),
  );
}

function inspectionsOf(row: PlanRow): readonly InspectionKind[] {
  if (row.check_types === NO_CHECK_TYPES) return NO_INSPECTIONS;
  const { type, url, port, check_types } = row;
  return runningInspections({ type, url, port, checkTypes: JSON.parse(check_types) });
}

function credentialsOf(row: PlanRow, secrets: Secrets): Credentials | null {
  const { auth_username: username, auth_password: password } = row;
  if (row.auth_type === null || username === null || password === null) return null;
  return { username: secrets.open(username), password: secrets.open(password) };
}

function regionsOf(text: string, shared: SharedRegions): readonly Region[] {
  const known = shared.get(text);
  if (known) return known;
  const regions = JSON.parse(text) as Region[];
  shared.set(text, regions);
  return regions;
}
