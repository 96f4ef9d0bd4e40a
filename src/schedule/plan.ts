import type { CheckRequest } from '../model/check.ts';
import type { Region } from '../model/monitor.ts';
import type { RoundSettings } from '../model/round.ts';
import type { PlanRow } from '../store/plans.ts';
import { checkRequest, intervalMsOf, sendsCredentials } from './request.ts';
import type { Credentials } from './request.ts';

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

/** Throws when the row can't be used: a secret that no key opens, or a column that holds no JSON. */
export function planOf(row: PlanRow, secrets: Secrets, shared: SharedRegions): Plan {
  const headers =
    row.request_headers === null ? NO_HEADERS : JSON.parse(secrets.open(row.request_headers));
  const body = row.request_body === null ? null : secrets.open(row.request_body);
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
    },
    request: checkRequest(row, { headers, body, credentials: credentialsOf(row, secrets) }),
  };
}

function credentialsOf(row: PlanRow, secrets: Secrets): Credentials | null {
  const { auth_username: username, auth_password: password } = row;
  if (!sendsCredentials(row.auth_type) || username === null || password === null) return null;
  return { username: secrets.open(username), password: secrets.open(password) };
}

function regionsOf(text: string, shared: SharedRegions): readonly Region[] {
  const known = shared.get(text);
  if (known) return known;
  const regions = JSON.parse(text) as Region[];
  shared.set(text, regions);
  return regions;
}
