import { BUS_MARGIN_MS, type Bus } from '../../src/engine/bus/contract.ts';
import { NO_TIMINGS, type CheckResult } from '../../src/model/check.ts';
import type { AnyRequest } from '../../src/monitor-types/registry.ts';
import type { FailureCode } from '../../src/model/failure.ts';
import type { InspectionRequest, InspectionResult } from '../../src/model/inspection.ts';
import type { Region } from '../../src/model/monitor.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { certificateFault, inspectionAnswer } from './inspection/answers.ts';
import type { Scenario, ProbeState } from './scenario.ts';
import type { RegionView, Target } from './targets.ts';
import { fixedRandom } from './random.ts';
import { valueAt } from './segments.ts';
import { JITTER } from './ground-truth.ts';

/**
 * One check that was requested. Its number is sent as the remote address of its result, so that each vote can be
 * traced.
 */
export interface SeenCheck {
  number: number;
  monitorId: number;
  region: Region;
  host: string;
  /** Start: milliseconds since the world began, and wall time of the requesting process. */
  at: number;
  wall: number;
  result: CheckResult | null;
  /** Null while it is in flight. */
  endedAt: number | null;
}

export interface Probes {
  bus: Bus;
  checks: SeenCheck[];
}

/** Creates the probes of all regions and the targets behind them, as the scenario defines them. */
export function createProbes(
  scenario: Scenario,
  clock: FakeClock,
  checked: (check: SeenCheck) => void,
): Probes {
  const checks: SeenCheck[] = [];
  const origin = clock.now() - clock.monotonic();
  let inspections = 0;
  const hosts = new Map(scenario.targets.map((target) => [target.host, target]));

  const bus: Bus = {
    check(region, asked) {
      const at = clock.monotonic();
      const number = checks.length;
      const request = asked as AnyRequest;
      const host = hostOf(request);
      const check: SeenCheck = {
        number,
        monitorId: request.monitorId,
        region,
        host,
        at,
        wall: clock.now(),
        result: null,
        endedAt: null,
      };
      checks.push(check);
      checked(check);
      const target = hosts.get(host)!;
      const view = valueAt(target.segments, at)[region]!;
      const chance = (purpose: string) => fixedRandom(scenario.seed, number, purpose);
      const { result: seen, afterMs } = answerOf(
        view,
        scenario.probes[region]!,
        at,
        request.timeoutMs,
        chance,
      );
      const wall = { origin, now: clock.now() };
      const result = withSubChecks(seen, request, target, { region, at, wall });
      return new Promise((resolve) => {
        clock.after(Math.ceil(afterMs), () => {
          const isLate = clock.monotonic() - at > afterMs + BUS_MARGIN_MS;
          check.result = isLate && chance('slept') < 0.5 ? unknown('probe_lagged') : result;
          check.result = { ...check.result, remoteAddress: String(number) };
          check.endedAt = clock.monotonic();
          resolve(check.result);
        });
      });
    },
    inspect<Request extends InspectionRequest>(request: Request) {
      const wall = { origin, now: clock.now() };
      const chance = fixedRandom(scenario.seed, inspections, 'inspection');
      inspections += 1;
      const found = inspectionAnswer(scenario, request, clock.monotonic(), wall, chance);
      const result = found.result as InspectionResult<Request['kind']>;
      return new Promise<typeof result>((resolve) => {
        clock.after(Math.ceil(found.afterMs), () => resolve(result));
      });
    },
    lastSeen(region) {
      const at = clock.monotonic();
      const diedAt = lastAliveAt(scenario.probes[region]!, at);
      return diedAt === null ? null : clock.now() - (at - diedAt);
    },
    vantageOf: () => null,
    close: async () => undefined,
  };
  return { bus, checks };
}

function answerOf(
  view: RegionView,
  probe: { from: number; value: ProbeState }[],
  at: number,
  timeoutMs: number,
  chance: (purpose: string) => number,
): { result: CheckResult; afterMs: number } {
  const state = valueAt(probe, at);
  const lost = { result: unknown('probe_lost'), afterMs: timeoutMs + BUS_MARGIN_MS };
  if (state === 'dead') return { result: unknown('no_probe'), afterMs: 1 };
  if (state === 'split') {
    const afterMs = chance('split') < 0.5 ? 3 : timeoutMs;
    return { result: down('host_unreachable'), afterMs };
  }
  if (state === 'lossy' && chance('lost') < 0.4) {
    return chance('how') < 0.5 ? { result: unknown('probe_no_network'), afterMs: 2 } : lost;
  }
  const answer = seenBy(view, timeoutMs, chance);
  if (state === 'late') answer.afterMs += chance('late') * (timeoutMs + BUS_MARGIN_MS);
  if (answer.afterMs > timeoutMs + BUS_MARGIN_MS) return lost;
  return valueAt(probe, at + answer.afterMs) === 'dead' ? lost : answer;
}

function seenBy(
  view: RegionView,
  timeoutMs: number,
  chance: (purpose: string) => number,
): { result: CheckResult; afterMs: number } {
  const silence = { result: down('no_response'), afterMs: timeoutMs };
  if (view.kind === 'silent') return silence;
  const ms =
    view.kind === 'crawling'
      ? timeoutMs * (0.8 + chance('crawl') * 0.3)
      : view.ms * (1 + JITTER * (2 * chance('jitter') - 1));
  if (ms > timeoutMs) return silence;
  if (view.kind !== 'down') return { result: up(ms), afterMs: ms };
  const error = { ...down('http_status'), statusCode: 503, responseTimeMs: ms };
  return { result: view.isAnswer ? error : down('connection_refused'), afterMs: ms };
}

/** Adds the results of sub-checks to the answer. */
function withSubChecks(
  result: CheckResult,
  request: AnyRequest,
  target: Target,
  { region, at, wall }: { region: Region; at: number; wall: { origin: number; now: number } },
): CheckResult {
  if (result.statusCode === null) return result;
  const isIpv4Only = valueAt(target.isIpv4Only, at);
  const families = { ipv4: null, ipv6: isIpv4Only ? SILENT : null };
  const seen: CheckResult = { ...result, families };
  if (request.type !== 'http') return seen;
  const certificate = valueAt(target.inspected.ssl, at);
  if (request.isCertificateInspected && certificate.kind === 'certificate') {
    const fault = certificateFault(certificate, wall);
    if (fault !== null) seen.certificateFault = fault;
  }
  const { content } = request;
  const isWrong = valueAt(target.content, at).includes(region);
  if (content === undefined || result.vote !== 'up') return seen;
  // Every response is searched: no request of this world carries secrets that would be withheld.
  seen.content = { kind: content.kind, passed: !isWrong, outcomes: [] };
  if (!isWrong) return seen;
  const found = at % 2 === 0 ? 'keyword_found' : 'keyword_missing';
  const code = content.kind === 'json' ? 'json_assertion' : found;
  return { ...seen, vote: 'down', failure: { code, text: code } };
}

const SILENT = { code: 'connection_timeout', text: 'Connection timed out' } as const;

function up(ms: number): CheckResult {
  const responseTimeMs = Math.round(ms * 10) / 10;
  const timings = { ...NO_TIMINGS, totalMs: responseTimeMs };
  return {
    vote: 'up',
    failure: null,
    responseTimeMs,
    statusCode: 200,
    timings,
    remoteAddress: null,
    evidence: null,
  };
}

function down(code: FailureCode): CheckResult {
  return { ...unknown(code), vote: 'down' };
}

function unknown(code: FailureCode): CheckResult {
  return {
    vote: 'unknown',
    failure: { code, text: code },
    responseTimeMs: null,
    statusCode: null,
    timings: NO_TIMINGS,
    remoteAddress: null,
    evidence: null,
  };
}

function lastAliveAt(probe: { from: number; value: ProbeState }[], at: number): number | null {
  if (valueAt(probe, at) !== 'dead') return at;
  const past = probe.filter(({ from }) => from <= at);
  const lived = past.findLastIndex(({ value }) => value !== 'dead');
  return lived === -1 ? null : past[lived + 1]!.from;
}

function hostOf(request: AnyRequest): string {
  return request.type === 'http' ? new URL(request.url).hostname : request.host;
}
