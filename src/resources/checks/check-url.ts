import { busOfTeam } from '../../engine/bus/compose.ts';
import { z } from 'zod';
import { http, type HttpCheckRequest } from '../../monitor-types/http.ts';
import type { Bus } from '../../engine/bus/contract.ts';
import type { Plans } from '../../identity/plans.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CheckResult } from '../../model/check.ts';
import type { Region } from '../../model/monitor.ts';
import { isInsideOnly, perTeam, type NamedRegion, type Regions } from '../../model/regions.ts';
import { shownAs } from '../common/answer.ts';
import { markRead } from '../common/ignored-fields.ts';
import { listIn, queryNumber, readQuery, required } from '../common/input.ts';
import type { SpendCheck } from './check-limits.ts';
import { requireCheckUrl } from '../plan/gate.ts';
import { urlError, type TargetRule } from '../monitors/target-url.ts';
import { isoTime, tenths } from '../common/time.ts';
import { type Call, noun } from '../common/operation.ts';
import { phases, responseTimeMs, textOrNull, time } from '../common/reference-schemas.ts';

const DEFAULT_TIMEOUT_SECONDS = 15;
const MAX_TIMEOUT_SECONDS = 30;

export const REACH_STATUSES = ['online', 'offline', 'error', 'blocked'] as const;
type ReachStatus = (typeof REACH_STATUSES)[number];

export const URL_VERDICTS = ['up', 'partial', 'down', 'unknown'] as const;
type UrlVerdict = (typeof URL_VERDICTS)[number];

interface CheckUrlDeps {
  bus: Pick<Bus, 'check' | 'vantageOf' | 'lastSeen'>;
  clock: Pick<Clock, 'now'>;
  regions: Regions;
  targetRule: TargetRule;
  plans: Plans;
  spendCheck: SpendCheck;
}

/** @param codes codes of the installation's regions; null to accept any text. */
const checkUrlQuery = (codes: readonly Region[] | null, targetRule: TargetRule) =>
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
    details: z
      .enum(['true', 'false'], { error: 'must be true or false' })
      .optional()
      .meta({ description: 'Whether results have the redirects, headers and certificates.' }),
  });

/**
 * Checks a URL from several regions at once and stores nothing (contract, section 10). Takes at most the given timeout
 * and `BUS_MARGIN_MS`. Throws InvalidInput, or a Problem when the plan does not include it.
 */
function createCheckUrl(deps: CheckUrlDeps) {
  const { clock, regions, targetRule, plans } = deps;
  const schemas = perTeam(regions, (codes) => ({
    outside: checkUrlQuery(codes, targetRule),
    // From private regions alone: the guard of their probes decides.
    inside: checkUrlQuery(codes, () => null),
  }));

  return async ({ caller, query }: Call) => {
    requireCheckUrl(plans.of(caller.team.plan));
    const teamId = caller.team.id;
    const { inside, outside } = schemas(teamId);
    const given = withRegions(outside, query);
    const isInside = isInsideOnly(regions, teamId, given.regions ?? []);
    const wanted = readQuery(isInside ? inside : outside, given);
    const { url, timeout_seconds: seconds = DEFAULT_TIMEOUT_SECONDS } = wanted;
    const isDetailed = wanted.details === 'true';
    await deps.spendCheck(caller, 'check_url', url);
    const named = wanted.regions;
    const asked = regions
      .of(teamId)
      .filter(({ code, isPrivate }) => named?.includes(code) ?? !isPrivate);
    const bus = busOfTeam(deps.bus, regions, teamId);
    const request = defaultRequest(url, seconds * 1_000, isDetailed);
    const checkedAt = clock.now();
    const results = await Promise.all(
      asked.map(async (region) => {
        const result = await bus.check(region.code, request);
        const vantage = result.vantage ?? bus.vantageOf(region.code);
        const shown = fields.view({ region, vantage, result });
        return isDetailed ? { ...shown, details: details.view(result) } : shown;
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
  const { names, items: regions } = listIn(query, 'regions');
  markRead(query, [...names, ...Object.keys(schema.shape)]);
  return { ...query, regions };
}

/** Check of a monitor with default settings. */
function defaultRequest(url: string, timeoutMs: number, capturesAll: boolean): HttpCheckRequest {
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
    errorTextDetection: false,
    ...(capturesAll && { capturesAll }),
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

interface Reached {
  region: NamedRegion;
  vantage: string | null;
  result: CheckResult;
}

const fields = shownAs<Reached>()({
  region: [
    z.string().meta({ description: 'Code of the region.' }),
    ({ region }) => region.code,
    'ash',
  ],
  name: [
    z.string().meta({ description: 'Title of the region, such as Ashburn.' }),
    ({ region }) => region.title,
    'Ashburn',
  ],
  vantage: [
    textOrNull.meta({
      description:
        'Name of the machine that ran the check. Regions with the same vantage are one place, whatever their titles.',
    }),
    ({ vantage }) => vantage,
    'probe-ash-1',
  ],
  status: [
    z.enum(REACH_STATUSES).meta({
      description:
        'online: it responded with 2xx or 3xx. offline: it did not. error: Tocsin itself could not check, so the result says nothing about the target. blocked: the name resolves to an address that this installation does not check.',
    }),
    ({ result }) => statusOf(result),
    'online',
  ],
  status_code: [
    z.int().nullable().meta({ description: 'Null without a response.' }),
    ({ result }) => result.statusCode,
    200,
  ],
  response_time_ms: [responseTimeMs, ({ result }) => tenths(result.responseTimeMs), 87.4],
  dns_ms: [phases.dns_ms, ({ result }) => tenths(result.timings.dnsMs), 2.1],
  tcp_ms: [phases.tcp_ms, ({ result }) => tenths(result.timings.tcpMs), 9.8],
  tls_ms: [phases.tls_ms, ({ result }) => tenths(result.timings.tlsMs), 21.5],
  ttfb_ms: [phases.ttfb_ms, ({ result }) => tenths(result.timings.ttfbMs), 48.7],
  error: [
    textOrNull.meta({ description: 'Why it is not online, as text.' }),
    ({ result }) => result.failure?.text ?? null,
    null,
  ],
});

/** What a person who looks into a response wants to see besides, without secrets. */
const details = shownAs<CheckResult>()({
  remote_address: [
    textOrNull.meta({ description: 'Address that responded, or was tried last.' }),
    ({ remoteAddress }) => remoteAddress,
    '192.0.2.7',
  ],
  redirects: [
    z.array(z.string()).meta({
      description: 'Addresses that it was redirected to, in order, without credentials and query.',
    }),
    ({ evidence }) => evidence?.redirects ?? [],
    [],
  ],
  headers: [
    z.record(z.string(), z.string()).nullable().meta({
      description:
        'Headers of the last response, at most 64, without cookies and tokens; null without a response.',
    }),
    ({ evidence }) => (evidence?.statusLine == null ? null : evidence.headers),
    { 'content-type': 'text/html; charset=utf-8', server: 'nginx' },
  ],
  certificate: [
    z
      .object({ subject: textOrNull, issuer: textOrNull, valid_to: textOrNull })
      .nullable()
      .meta({ description: 'Certificate of the last response; null without TLS.' }),
    ({ evidence }) => {
      const tls = evidence?.tls ?? null;
      return tls && { subject: tls.subject, issuer: tls.issuer, valid_to: tls.validTo };
    },
    { subject: 'example.com', issuer: "Let's Encrypt", valid_to: '2030-03-01T00:00:00.000Z' },
  ],
});

const reach = z
  .object({
    ...fields.shape,
    details: z.object(details.shape).optional().meta({ description: 'With `details=true`.' }),
  })
  .meta({ id: 'UrlReach', description: 'Result of one region.' });

const { regions, ...others } = checkUrlQuery(null, () => null).shape;

export const checkUrl = noun('Monitors', createCheckUrl, {
  checkUrl: {
    at: 'GET /check-url',
    grantNeeds: 'check_url',
    budget: 'check_url',
    summary: 'Check a URL now',
    description:
      'Sends a GET from all regions at once, follows redirects and verifies certificates. Nothing is stored. The response takes at most two seconds longer than the timeout.',
    query: z.object({ ...others, 'regions[]': regions }),
    answer: z
      .object({
        url: z.string().meta({ description: 'As sent.' }),
        checked_at: time,
        verdict: z.enum(URL_VERDICTS).meta({
          description:
            'Of the regions without error. up: online in all of them. partial: in some. down: in none. unknown: all regions have an error.',
        }),
        reachable_regions: z
          .int()
          .min(0)
          .meta({ description: 'Number of regions that are online.' }),
        total_regions: z.int().min(1).meta({ description: 'Number of regions that checked.' }),
        vantage_points: z.int().min(0).meta({
          description:
            'Number of different `vantage` machines. With 1, all regions check from the same place.',
        }),
        results: z.array(reach).meta({
          description: "One per region, in the installation's order.",
        }),
      })
      .meta({ id: 'UrlCheck', description: 'Reachability of a URL now.' }),
    example: {
      query: 'url=https://example.com/login&regions[]=ash&regions[]=nbg&timeout_seconds=10',
      answer: {
        url: 'https://example.com/login',
        checked_at: '2030-01-01T00:00:00.000Z',
        verdict: 'partial',
        reachable_regions: 1,
        total_regions: 2,
        vantage_points: 2,
        results: [
          fields.example,
          {
            region: 'nbg',
            name: 'Nuremberg',
            vantage: 'probe-nbg-1',
            status: 'offline',
            status_code: null,
            response_time_ms: null,
            dns_ms: 1.8,
            tcp_ms: null,
            tls_ms: null,
            ttfb_ms: null,
            error: 'Connection refused by 192.0.2.7 port 443',
          },
        ],
      },
    },
  },
});
