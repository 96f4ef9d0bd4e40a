import { z } from 'zod';
import { http } from '../../monitor-types/http.ts';
import type { Bus } from '../../engine/bus/contract.ts';
import { busOfTeam } from '../../engine/bus/compose.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Plans } from '../../identity/plans.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CheckResult, HttpCheckRequest } from '../../model/check.ts';
import type { Region } from '../../model/monitor.ts';
import { isInsideOnly, perTeam, type NamedRegion, type Regions } from '../../model/regions.ts';
import { authorize } from '../common/errors.ts';
import { markRead } from '../common/ignored-fields.ts';
import { queryNumber, readQuery, required } from '../common/input.ts';
import type { SpendCheck } from './check-limits.ts';
import { requireCheckUrl } from '../plan/gate.ts';
import { urlError, type TargetRule } from '../monitors/target-url.ts';
import { isoTime, tenths } from '../common/time.ts';

const DEFAULT_TIMEOUT_SECONDS = 15;
const MAX_TIMEOUT_SECONDS = 30;

export const REACH_STATUSES = ['online', 'offline', 'error', 'blocked'] as const;
type ReachStatus = (typeof REACH_STATUSES)[number];

export const URL_VERDICTS = ['up', 'partial', 'down', 'unknown'] as const;
type UrlVerdict = (typeof URL_VERDICTS)[number];

export interface CheckUrlDeps {
  bus: Pick<Bus, 'check' | 'vantageOf' | 'lastSeen'>;
  clock: Pick<Clock, 'now'>;
  regions: Regions;
  targetRule: TargetRule;
  plans: Plans;
  spendCheck: SpendCheck;
}

/** @param codes codes of the installation's regions; null to accept any text. */
export const checkUrlQuery = (codes: readonly Region[] | null, targetRule: TargetRule) =>
  z.object({
    url: z
      .string({
        error: required('is required: give an absolute http or https URL', 'must be given once'),
      })
      .superRefine((url, context) => {
        const message = urlError(http, url, targetRule);
        if (message !== null) context.addIssue({ code: 'custom', message });
      })
      .meta({
        description: 'An absolute http or https URL without credentials, percent-encoded.',
        override: { minLength: 1, maxLength: 2048 },
      }),
    regions: z
      .array(z.string())
      .superRefine((asked, context) => {
        const refuse = (message: string) => context.addIssue({ code: 'custom', message });
        if (codes !== null && asked.some((code) => !codes.includes(code))) {
          refuse(`must be any of ${codes.join(', ')}`);
        }
        if (new Set(asked).size < asked.length) refuse('must not name a region twice');
      })
      .optional()
      .meta({
        description:
          'Codes of the regions; by default all of them but the private ones of your team. `regions=ash,pdx` works too.',
      }),
    timeout_seconds: queryNumber(1, MAX_TIMEOUT_SECONDS, 'a whole number')
      .optional()
      .meta({
        description: `Seconds until each region gives up; ${DEFAULT_TIMEOUT_SECONDS} by default.`,
      }),
  });

/**
 * Checks a URL from several regions at once and stores nothing (contract, section 10). Takes at most the given timeout
 * and `BUS_MARGIN_MS`. Throws InvalidInput, or a Problem when the plan does not include it.
 */
type CheckUrl = (caller: Caller, query: object) => Promise<object>;

export function createCheckUrl(deps: CheckUrlDeps): CheckUrl {
  const { clock, regions, targetRule, plans } = deps;
  const schemas = perTeam(regions, (codes) => ({
    outside: checkUrlQuery(codes, targetRule),
    // From private regions alone: the guard of their probes decides.
    inside: checkUrlQuery(codes, () => null),
  }));

  return async (caller, query) => {
    authorize(caller, 'read');
    requireCheckUrl(plans.of(caller.team.plan));
    const teamId = caller.team.id;
    const { inside, outside } = schemas(teamId);
    const given = withRegions(outside, query);
    const isInside = isInsideOnly(regions, teamId, given.regions ?? []);
    const wanted = readQuery(isInside ? inside : outside, given);
    const { url, timeout_seconds: seconds = DEFAULT_TIMEOUT_SECONDS } = wanted;
    await deps.spendCheck(caller, 'check_url', url);
    const named = wanted.regions;
    const asked = regions
      .of(teamId)
      .filter(({ code, isPrivate }) => named?.includes(code) ?? !isPrivate);
    const bus = busOfTeam(deps.bus, regions, teamId);
    const request = defaultRequest(url, seconds * 1_000);
    const checkedAt = clock.now();
    const results = await Promise.all(
      asked.map(async (region) => {
        const result = await bus.check(region.code, request);
        return viewRegion(region, result.vantage ?? bus.vantageOf(region.code), result);
      }),
    );
    const statuses = results.map(({ status }) => status);
    return {
      url,
      checked_at: isoTime(checkedAt),
      verdict: verdictOf(statuses),
      reachable_regions: statuses.filter((status) => status === 'online').length,
      total_regions: results.length,
      vantage_points: new Set(results.flatMap(({ vantage }) => vantage ?? [])).size,
      results,
    };
  };
}

/** The query with a list of regions, from `regions[]=` and `regions=`, repeated or with commas. */
function withRegions(schema: z.ZodObject, query: object): { regions: string[] | undefined } {
  const values = query as Record<string, string | string[]>;
  const names = Object.keys(values).filter((name) => /^regions(\[\d*\])?$/.test(name));
  const codes = names
    .flatMap((name) => values[name]!)
    .flatMap((value) => value.split(','))
    .map((code) => code.trim())
    .filter((code) => code !== '');
  const regions = codes.length === 0 ? undefined : codes;
  markRead(query, [...names, ...Object.keys(schema.shape)]);
  return { ...query, regions };
}

/** Check of a monitor with default settings. */
function defaultRequest(url: string, timeoutMs: number): HttpCheckRequest {
  return {
    type: 'http',
    // No monitor has this id.
    monitorId: 0,
    timeoutMs,
    url,
    method: 'GET',
    headers: {},
    body: null,
    acceptedStatusCodes: null,
    followRedirects: true,
    verifySsl: true,
    errorTextDetection: false,
  };
}

function viewRegion({ code, title }: NamedRegion, vantage: string | null, result: CheckResult) {
  const { timings, failure } = result;
  return {
    region: code,
    name: title,
    vantage,
    status: statusOf(result),
    status_code: result.statusCode,
    response_time_ms: tenths(result.responseTimeMs),
    dns_ms: tenths(timings.dnsMs),
    tcp_ms: tenths(timings.tcpMs),
    tls_ms: tenths(timings.tlsMs),
    ttfb_ms: tenths(timings.ttfbMs),
    error: failure?.text ?? null,
  };
}

function statusOf({ vote, failure }: CheckResult): ReachStatus {
  if (vote === 'up') return 'online';
  if (vote === 'unknown') return 'error';
  return failure?.code === 'target_not_allowed' ? 'blocked' : 'offline';
}

/** Verdict of the regions that have a result. */
function verdictOf(statuses: readonly ReachStatus[]): UrlVerdict {
  const votes = statuses.filter((status) => status !== 'error');
  const reachable = votes.filter((status) => status === 'online').length;
  if (votes.length === 0) return 'unknown';
  if (reachable === 0) return 'down';
  return reachable === votes.length ? 'up' : 'partial';
}
