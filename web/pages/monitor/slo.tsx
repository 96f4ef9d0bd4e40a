import { useRead } from '../../app/api.ts';
import { call, type MonitorDetail, type Slo } from '../../app/client.ts';
import { duration, percent } from '../../lib/format.ts';
import { Meter } from '../../parts/meter.tsx';
import { Card, Facts } from '../../parts/page.tsx';
import { words } from '../../words/index.ts';

/** The budget moves with time, without an event of the live stream */
const REFRESH_MS = 60_000;

/** The SLO of a monitor: a list without entries where there is none. */
function useSlo(id: number, options?: { refetchInterval: number }) {
  const query = { monitor_id: id };
  return useRead(['team', 'slo', id], () => call('listSlos', { query }), options);
}

/** Error budget, where the monitor has an objective. */
export function SloCard({ monitor }: { monitor: MonitorDetail }) {
  const { data } = useSlo(monitor.id);
  const slo = data?.data[0];
  return slo === undefined ? null : <Known slo={slo} />;
}

function Known({ slo: data }: { slo: Slo }) {
  useSlo(data.monitor_id, { refetchInterval: REFRESH_MS });
  const { slo } = words.monitor;
  const { locale } = words.time;
  const { budget_seconds, spent_seconds, left_seconds, left_percent, burn_rate_1h, burn_rate_6h } =
    data.error_budget;
  const isKept = left_seconds >= 0;
  const share = Math.min(100, Math.max(0, left_percent ?? 0));
  const look = !isKept ? 'down' : share < 25 ? 'warn' : 'up';
  const plain = (value: number) => new Intl.NumberFormat(locale).format(value);
  const rate = (value: number) =>
    slo.times(new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 }).format(value));
  return (
    <Card
      title={words.labels.errorBudget}
      aside={
        <span className={`xs b ${data.burning === 'fast' ? 'down' : look}`}>
          {data.burning === null ? (isKept ? slo.kept : slo.missed) : slo.burning[data.burning]}
        </span>
      }
    >
      <div className="mo-budget">
        <p className="b">
          {isKept ? slo.left(length(left_seconds)) : slo.over(length(left_seconds))}
        </p>
        <Meter share={share} look={look} label={slo.bar(percent(share, locale))} />
        <p className="xs dim">{slo.target(plain(data.target_percent), data.window_days)}</p>
      </div>
      <Facts
        rows={[
          [slo.spent, slo.spentOf(length(spent_seconds), length(budget_seconds))],
          [slo.burnHour, rate(burn_rate_1h)],
          [slo.burnSix, rate(burn_rate_6h)],
        ]}
      />
    </Card>
  );
}

function length(seconds: number): string {
  return duration(Math.abs(seconds) * 1_000, words.time);
}
