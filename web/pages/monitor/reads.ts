import type { UseQueryResult } from '@tanstack/react-query';
import { useRead, type ApiError } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import {
  getMonitor,
  getMonitorDays,
  getMonitorOverview,
  getMonitorResponseTimes,
  getMonitorUptime,
  listExpirations,
  listMonitorActivities,
  listMonitorCertificates,
  listMonitorCorrections,
  listMonitorDns,
  listMonitorIncidents,
  listMonitorPings,
  listMonitorResults,
  listSlos,
  previewAlertRoutes,
  previewCron,
} from '../../client/sdk.gen.ts';
import type {
  Expiration,
  ExpirationPage,
  MonitorDays,
  MonitorDetail,
  MonitorOverview,
  OverviewMonitor,
  Ping,
  ResponseTimes,
  SloPage,
  Uptime,
} from '../../client/types.gen.ts';

export type Period = '1h' | '24h' | '7d' | '30d' | '90d';

/** Milliseconds of each period. */
export const PERIOD_MS: Record<Period, number> = {
  '1h': 3_600_000,
  '24h': 86_400_000,
  '7d': 7 * 86_400_000,
  '30d': 30 * 86_400_000,
  '90d': 90 * 86_400_000,
};

type Read<Data> = UseQueryResult<Data, ApiError>;

/** Furthest end of a registration that is asked for, in days. */
const FAR_DAYS = 3_650;

export function useMonitor(id: number): Read<MonitorDetail> {
  return useRead(['monitor', id], () => getMonitor({ path: { id } }));
}

/** What the list of monitors says of this one: since when, votes of the regions, maintenance. */
export function useSummary(id: number): {
  summary: OverviewMonitor | undefined;
  overview: MonitorOverview | undefined;
  isPending: boolean;
} {
  const { data, isPending } = useRead(['monitors', 'overview'], () => getMonitorOverview());
  return {
    isPending,
    overview: data,
    summary: data?.monitors.find((monitor) => monitor.id === id),
  };
}

/** Uptime of a period that ends now. */
export function useUptime(id: number, period: Period): Read<Uptime> {
  return useRead(['monitor', id, 'uptime', period], () => {
    const from = new Date(Date.now() - PERIOD_MS[period]).toISOString();
    return getMonitorUptime({ path: { id }, query: { from } });
  });
}

export function useResponseTimes(id: number, period: Period): Read<ResponseTimes> {
  return useRead(['monitor', id, 'response-times', period], () =>
    getMonitorResponseTimes({ path: { id }, query: { period } }),
  );
}

/** The last 90 days in the zone of the person. */
export function useDays(id: number): Read<MonitorDays> {
  const { zone } = useSession();
  return useRead(['monitor', id, 'days', zone], () =>
    getMonitorDays({ path: { id }, query: { days: 90, timezone: zone } }),
  );
}

export function useResults(id: number, page: number, perPage: number) {
  return useRead(['monitor', id, 'results', page, perPage], () =>
    listMonitorResults({ path: { id }, query: { page, per_page: perPage } }),
  );
}

export function usePings(id: number, kind: Ping['kind'] | null, page: number, perPage: number) {
  return useRead(['monitor', id, 'pings', kind, page, perPage], () =>
    listMonitorPings({
      path: { id },
      query: { page, per_page: perPage, ...(kind !== null && { kind }) },
    }),
  );
}

export function useCertificates(id: number) {
  return useRead(['monitor', id, 'certificates'], () =>
    listMonitorCertificates({ path: { id }, query: { per_page: 1 } }),
  );
}

export function useDns(id: number) {
  return useRead(['monitor', id, 'dns'], () =>
    listMonitorDns({ path: { id }, query: { per_page: 1 } }),
  );
}

export function useActivities(id: number, page: number, perPage: number) {
  return useRead(['monitor', id, 'activities', page, perPage], () =>
    listMonitorActivities({ path: { id }, query: { page, per_page: perPage } }),
  );
}

export function useIncidents(id: number, perPage: number) {
  return useRead(['monitor', id, 'incidents', perPage], () =>
    listMonitorIncidents({ path: { id }, query: { per_page: perPage } }),
  );
}

export function useCorrections(id: number) {
  return useRead(['monitor', id, 'corrections'], () =>
    listMonitorCorrections({ path: { id }, query: { per_page: 50, include_removed: 'true' } }),
  );
}

/**
 * The SLO of a monitor: a list without entries where there is none.
 *
 * @param refetchInterval milliseconds
 */
export function useSlo(id: number, refetchInterval?: number): Read<SloPage> {
  return useRead(['team', 'slo', id], () => listSlos({ query: { monitor_id: id } }), {
    ...(refetchInterval !== undefined && { refetchInterval }),
  });
}

/** End of the registration of the monitor's domain; null where none is known. */
export function useDomainExpiration(id: number, isChecked: boolean): Expiration | null {
  const { data } = useRead<ExpirationPage>(
    ['monitors', 'expirations', 'domain'],
    () => listExpirations({ query: { within_days: FAR_DAYS, type: 'domain', per_page: 100 } }),
    { enabled: isChecked },
  );
  return data?.data.find(({ monitor }) => monitor.id === id) ?? null;
}

/** Who would be notified of a problem. Read again when routes, channels or the monitor change. */
export function useNotified(id: number, type: 'uptime' | 'heartbeat') {
  return useRead(['alert-routes', 'preview', id, type], () =>
    previewAlertRoutes({ query: { monitor_id: id, type } }),
  );
}

/** Next times of a cron job. */
export function useNextTimes(expression: string, timezone: string, isNeeded: boolean) {
  return useRead(
    ['plan', 'cron', expression, timezone],
    () => previewCron({ query: { expression, timezone, count: 10 } }),
    { enabled: isNeeded },
  );
}
