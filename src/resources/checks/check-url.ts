import { z } from 'zod';
import { http } from '../../monitor-types/http.ts';
import type { Bus } from '../../engine/bus/contract.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Plans } from '../../identity/plans.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CheckResult, HttpCheckRequest } from '../../model/check.ts';
import type { Region } from '../../model/monitor.ts';
import { authorise } from '../common/errors.ts';
import { queryNumber, readQuery } from '../common/input.ts';
import { demandCheckUrl } from '../plan/gate.ts';
import type { NamedRegion } from '../regions/service.ts';
import { urlFault, type JudgeTarget } from '../monitors/target-url.ts';
import { isoTime } from '../common/time.ts';

const TIMEOUT_SECONDS = 15;
const LONGEST_TIMEOUT_SECONDS = 30;

export const REACH_STATUSES = ['online', 'offline', 'error', 'blocked'] as const;
type ReachStatus = (typeof REACH_STATUSES)[number];

export const URL_VERDICTS = ['up', 'partial', 'down', 'unknown'] as const;
type UrlVerdict = (typeof URL_VERDICTS)[number];

export interface CheckUrlDeps {
  bus: Pick<Bus, 'check' | 'vantageOf'>;
  clock: Pick<Clock, 'now'>;
  /** REGIONS, in their order. */
  regions: readonly NamedRegion[];
  judgeTarget: JudgeTarget;
  plans: Plans;
}

/** @param codes of the installation's regions; any text where they don't matter. */
export const checkUrlQuery = (codes: readonly Region[] | null, judgeTarget: JudgeTarget) =>
  z.object({
    url: z
      .string({
        error: ({ input }) =>
          input === undefined
            ? 'is required: give an absolute http or https URL'
            : 'must be given once',
      })
      .superRefine((url, context) => {
        const message = urlFault(http, url, judgeTarget);
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
          'Codes of the regions to look from; all of them unless given. A list such as `regions=ash,pdx` means the same.',
      }),
    timeout_seconds: queryNumber(1, LONGEST_TIMEOUT_SECONDS, 'a whole number')
      .optional()
      .meta({ description: `How long each region tries; ${TIMEOUT_SECONDS} unless given.` }),
  });

/**
 * Looks at a URL from several regions at once, and stores nothing (contract, section 10). The answer comes at the
 * latest `BUS_MARGIN_MS` after the asked time. Throws InvalidInput, and a refusal where the plan does not include it.
 */
export type CheckUrl = (caller: Caller, query: object) => Promise<object>;

export function createCheckUrl({
  bus,
  clock,
  regions,
  judgeTarget,
  plans,
}: CheckUrlDeps): CheckUrl {
  const schema = checkUrlQuery(
    regions.map(({ code }) => code),
    judgeTarget,
  );

  return async (caller, query) => {
    authorise(caller, 'read');
    demandCheckUrl(plans.of(caller.team.plan));
    const wanted = readQuery(schema, { ...query, regions: regionsSent(query) });
    const { url, timeout_seconds: seconds = TIMEOUT_SECONDS } = wanted;
    const asked = regions.filter(({ code }) => wanted.regions?.includes(code) ?? true);
    const request = plainRequest(url, seconds * 1_000);
    const checkedAt = clock.now();
    const results = await Promise.all(
      asked.map(async (region) => {
        const result = await bus.check(region.code, request);
        return viewRegion(region, bus.vantageOf(region.code), result);
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

/** All spellings of a list in a query: `regions[]=` and `regions=`, repeated, or with commas. */
function regionsSent(query: object): string[] | undefined {
  const sent = Object.entries(query as Record<string, string | string[]>)
    .filter(([name]) => /^regions(\[\d*\])?$/.test(name))
    .flatMap(([, value]) => value)
    .flatMap((value) => value.split(','))
    .map((code) => code.trim())
    .filter((code) => code !== '');
  return sent.length === 0 ? undefined : sent;
}

/** What a monitor with nothing but a url would ask. */
function plainRequest(url: string, timeoutMs: number): HttpCheckRequest {
  return {
    type: 'http',
    // None: ids begin at 1.
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
    response_time_ms: result.responseTimeMs,
    dns_ms: timings.dnsMs,
    tcp_ms: timings.tcpMs,
    tls_ms: timings.tlsMs,
    ttfb_ms: timings.ttfbMs,
    error: failure?.text ?? null,
  };
}

function statusOf({ vote, failure }: CheckResult): ReachStatus {
  if (vote === 'up') return 'online';
  if (vote === 'unknown') return 'error';
  return failure?.code === 'target_not_allowed' ? 'blocked' : 'offline';
}

/** Of the regions that could tell; `error` is one that could not. */
function verdictOf(statuses: readonly ReachStatus[]): UrlVerdict {
  const votes = statuses.filter((status) => status !== 'error');
  const reachable = votes.filter((status) => status === 'online').length;
  if (votes.length === 0) return 'unknown';
  if (reachable === 0) return 'down';
  return reachable === votes.length ? 'up' : 'partial';
}
