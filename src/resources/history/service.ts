import { percentile, type Histogram } from '../../engine/history/summary.ts';
import type { Availability, TimesOnlyAvailability } from '../../engine/history/availability.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Vote } from '../../model/check.ts';
import type { Database } from '../../store/database/contract.ts';
import { listResults } from '../../store/engine/result-history.ts';
import type { ListedResult } from '../../store/engine/result-history.ts';
import { readResultsQuery, readUptimeQuery, resultListQuery } from './input.ts';
import { requireMonitorId } from '../monitors/find.ts';
import { viewTimings } from '../incidents/detail.ts';
import { pageOf, pagingOf } from '../common/page.ts';
import { perTeam, type Regions } from '../../model/regions.ts';
import { isoTime, tenths } from '../common/time.ts';
import { uptimeOf } from '../../engine/history/stored-uptime.ts';
import type { Call } from '../common/operation.ts';

/** Results and uptime of a monitor. */
export function createHistoryService(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
  regions: Regions;
}) {
  const { database, clock, regions } = deps;
  const schemas = perTeam(regions, resultListQuery);

  return {
    /** A page of results, newest round first; a push monitor has none. */
    async listMonitorResults({ caller, id, query, address }: Call) {
      await requireMonitorId(database.read, caller, id);
      const wanted = readResultsQuery(schemas(caller.team.id), query, clock.now());
      const paging = pagingOf(wanted, 'checked_at');
      const { results, total } = await listResults(database, id, {
        from: wanted.from,
        to: wanted.to,
        ...(wanted.region !== undefined && { region: wanted.region }),
        page: paging.page,
        perPage: paging.limit,
      });
      return pageOf(results.map(viewResult), total, paging, address);
    },

    async getMonitorUptime({ caller, id, query }: Call) {
      await requireMonitorId(database.read, caller, id);
      const now = clock.now();
      const wanted = readUptimeQuery(query, now);
      const { from, to, interval = null } = wanted;
      const corrected = wanted.corrected !== 'false';
      const period = { from, to, now };
      const [found] = await uptimeOf(database, [id], period, interval, { corrected });
      const { whole, pieces, uncorrected } = found!;
      return {
        monitor_id: id,
        ...viewAvailability(whole),
        corrected,
        uncorrected: uncorrected && viewAvailability(uncorrected.whole),
        ...(pieces && { data: pieces.map(viewAvailability) }),
      };
    },
  };
}

const IS_UP: Record<Vote, boolean | null> = { up: true, down: false, unknown: null };

function viewResult(result: ListedResult) {
  return {
    region: result.region,
    checked_at: isoTime(result.checkedAt),
    kind: result.kind,
    is_up: IS_UP[result.vote],
    vote: result.vote,
    response_time: tenths(result.responseTimeMs),
    status_code: result.statusCode,
    error: result.failure?.text ?? null,
    failure_code: result.failureCode,
    remote_address: result.remoteAddress,
    timings: viewTimings(result.timings),
  };
}

/** Figures of a period, as responses show them. */
export function viewAvailability(found: Availability) {
  return { ...viewTimes(found), response_time: viewResponseTimes(found.responseTimes) };
}

/** The same without response times. */
export function viewTimes(found: TimesOnlyAvailability) {
  const up = found.upMs + found.degradedMs;
  const period = found.to - found.from;
  return {
    from: isoTime(found.from),
    to: isoTime(found.to),
    uptime_percent: flooredPercent(up, up + found.downMs),
    observed_percent: flooredPercent(period - found.unobservedMs, period),
    up_seconds: found.upMs / 1_000,
    degraded_seconds: found.degradedMs / 1_000,
    down_seconds: found.downMs / 1_000,
    excluded_seconds: found.excludedMs / 1_000,
    unobserved_seconds: found.unobservedMs / 1_000,
    incidents: found.outages,
    mttr_seconds: wholeSeconds(found.mttrMs),
    mtbf_seconds: wholeSeconds(found.mtbfMs),
  };
}

/** Percentage to three decimals, never rounded up, so that 100 is exact; null when `whole` is 0. */
function flooredPercent(part: number, whole: number): number | null {
  return whole > 0 ? Math.floor((part * 100_000) / whole) / 1_000 : null;
}

const wholeSeconds = (ms: number | null) => (ms === null ? null : Math.round(ms / 1_000));

function viewResponseTimes(times: Histogram) {
  return {
    p50: tenths(percentile(times, 50)),
    p95: tenths(percentile(times, 95)),
    p99: tenths(percentile(times, 99)),
    count: times.count,
  };
}
