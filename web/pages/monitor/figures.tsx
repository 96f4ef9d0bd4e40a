import { useReadBy } from '../../app/api.ts';
import { call, type MonitorDetail, type Uptime } from '../../app/client.ts';
import { useNow } from '../../app/clock.ts';
import { useSummary } from '../../app/overview.ts';
import { duration, milliseconds, percent } from '../../lib/format.ts';
import { faceOf } from '../../lib/monitor-types.ts';
import { STATUS_CLASS } from '../../parts/status.tsx';
import { DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { lastSeen } from '../monitors/sentences.ts';
import {
  HISTORY_MS,
  monitorDisplayStatus,
  openIncidents,
  PERIOD_MS,
  type Period,
} from './rules.ts';

/** Share of a period below which the observed share is shown beside the uptime, in percent. */
const FULLY_OBSERVED = 99.5;

/** Share of a period below which others are not compared with it, in percent, as in reports. */
const LEAST_OBSERVED = 90;

const UPTIME_PERIODS = ['24h', '7d', '30d', '90d'] as const;

/** How long it has been like this, and how it was over four periods. */
export function Figures({ monitor }: { monitor: MonitorDetail }) {
  const { isPush } = faceOf(monitor.monitor_type);
  return (
    <dl
      className={isPush ? 'card below kpis mo-five' : 'card below kpis'}
      aria-label={words.monitor.figures}
    >
      <Current monitor={monitor} />
      {UPTIME_PERIODS.map((period, index) => (
        <UptimeFigure
          key={period}
          monitor={monitor}
          period={period}
          shorter={UPTIME_PERIODS[index - 1] ?? null}
        />
      ))}
      {!isPush && <ResponseFigure monitor={monitor} />}
    </dl>
  );
}

/** "Down for 14 min", counting. */
function Current({ monitor }: { monitor: MonitorDetail }) {
  const now = useNow();
  const { summary } = useSummary(monitor.id);
  const displayStatus = monitorDisplayStatus(monitor, summary, now);
  const [incident] = openIncidents(monitor);
  const since = summary
    ? summary.since * 1_000
    : incident && monitor.status !== 'online'
      ? Date.parse(incident.started_at)
      : null;
  const { status, is_paused } = monitor;
  if (displayStatus === 'unknown' && summary !== undefined) {
    return (
      <div>
        <dt>{words.status.unknown}</dt>
        <dd className={STATUS_CLASS.unknown}>–</dd>
        <dd className="obs">{lastSeen(summary, now)}</dd>
      </div>
    );
  }
  const title = is_paused
    ? words.status.paused
    : {
        online: words.monitor.upFor,
        offline: words.monitor.downFor,
        degraded: words.monitor.degradedFor,
        pending: words.monitor.waiting,
      }[status];
  const shown = is_paused ? 'paused' : status;
  if (is_paused || status === 'pending' || since === null) {
    return (
      <div>
        <dt>{title}</dt>
        <dd className={STATUS_CLASS[displayStatus]}>–</dd>
        {is_paused && (
          <dd className="obs">{words.monitor.lastStatus(words.status[monitor.status])}</dd>
        )}
      </div>
    );
  }
  return (
    <div>
      <dt>{title}</dt>
      <dd className={shown === 'online' ? '' : STATUS_CLASS[shown]}>
        <WithUnits text={duration(now - since)} />
      </dd>
      <dd className="obs">
        {words.labels.since} <DayTime time={since} />
      </dd>
    </div>
  );
}

/** Writes the units of "14 min 7 s" smaller than its numbers. */
function WithUnits({ text }: { text: string }) {
  return [...text.replaceAll('\u202f', ' ').matchAll(/(\d+)(\D*)/g)].map(([, number, unit]) => (
    <span key={unit}>
      {number}
      <small>{unit}</small>
    </span>
  ));
}

/** Uptime of a period that ends now, or that ended some of its lengths ago. */
function useUptime(id: number, period: Period, { ago = 0, enabled = true } = {}) {
  const read = () => {
    const to = Date.now() - ago * PERIOD_MS[period];
    const [from, until] = [to - PERIOD_MS[period], to].map((at) => new Date(at).toISOString());
    return call('getMonitorUptime', {
      path: { id },
      query: { from, ...(ago > 0 && { to: until }) },
    });
  };
  const key = ['monitor', id, 'uptime', period, ago];
  return useReadBy(key, read, { refetchInterval: HISTORY_MS, enabled });
}

/** Figures of the period of the same length before; undefined of a monitor that is younger, or that was hardly observed then. */
function useUptimeBefore({ id, created_at: createdAt }: MonitorDetail, period: Period) {
  const enabled = useNow(60_000) - Date.parse(createdAt) >= 2 * PERIOD_MS[period];
  const { data } = useUptime(id, period, { ago: 1, enabled });
  return (data?.observed_percent ?? 0) >= LEAST_OBSERVED ? data : undefined;
}

/** @param props.shorter the period before it, which has the same figures where the monitor is younger than both */
function UptimeFigure(props: { monitor: MonitorDetail; period: Period; shorter: Period | null }) {
  const { monitor, period, shorter } = props;
  const { id, created_at: createdAt } = monitor;
  const { data, error } = useUptime(id, period);
  const ageMs = useNow(60_000) - Date.parse(createdAt);
  const before = useUptimeBefore(monitor, period)?.uptime_percent;
  const isSame = shorter !== null && ageMs < PERIOD_MS[shorter];
  const title = words.monitor.periods[period].long;
  return (
    <div>
      <dt>{title}</dt>
      {data === undefined ? (
        <dd>{error ? '–' : <span className="waiting mo-figure" />}</dd>
      ) : (
        <Share uptime={data} since={isSame ? createdAt : null} />
      )}
      {before != null && <dd className="obs">{words.monitor.before(`${percent(before)} %`)}</dd>}
    </div>
  );
}

function Share({ uptime, since }: { uptime: Uptime; since: string | null }) {
  const { uptime_percent, observed_percent, down_seconds, corrected, uncorrected } = uptime;
  if (uptime_percent === null) {
    return (
      <>
        <dd className="none">–</dd>
        <dd className="obs">{words.labels.notObserved}</dd>
      </>
    );
  }
  const before = uncorrected?.uptime_percent ?? null;
  const isCorrected = corrected && before !== null && before !== uptime_percent;
  const isObserved = (observed_percent ?? 0) >= FULLY_OBSERVED;
  const down =
    down_seconds === 0
      ? words.monitor.noDowntime
      : words.labels.down(duration(down_seconds * 1_000));
  return (
    <>
      <dd>
        {percent(uptime_percent)}
        <small> %</small>
      </dd>
      <dd className="obs" title={down}>
        {since !== null ? (
          <>
            {words.labels.since} <DayTime time={since} />
          </>
        ) : isObserved ? (
          down
        ) : (
          words.labels.observed(percent(observed_percent ?? 0))
        )}
      </dd>
      {isCorrected && (
        <dd className="obs" title={words.monitor.uncorrected(percent(before))}>
          {words.monitor.corrected}
          <span className="vh">: {words.monitor.uncorrected(percent(before))}</span>
        </dd>
      )}
    </>
  );
}

function ResponseFigure({ monitor }: { monitor: MonitorDetail }) {
  const { data } = useUptime(monitor.id, '24h');
  const before = useUptimeBefore(monitor, '24h')?.response_time.p50;
  const times = data?.response_time;
  return (
    <div>
      <dt>{words.monitor.response24}</dt>
      {times === undefined ? (
        <dd>
          <span className="waiting mo-figure" />
        </dd>
      ) : times.p50 === null ? (
        <>
          <dd className="none">–</dd>
          <dd className="obs">{words.monitor.noResponse}</dd>
        </>
      ) : (
        <>
          <dd title={words.monitor.median}>
            {write(times.p50)} <small>ms</small>
          </dd>
          <dd className="obs">{`p95 ${write(times.p95)} · p99 ${write(times.p99)} ms`}</dd>
          {before != null && <dd className="obs">{words.monitor.before(`${write(before)} ms`)}</dd>}
        </>
      )}
    </div>
  );
}

const write = (value: number | null) => (value === null ? '–' : milliseconds(value));
