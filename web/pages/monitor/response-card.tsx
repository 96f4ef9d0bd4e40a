import { lazy, Suspense, useMemo, useState } from 'react';
import { useRead } from '../../app/api.ts';
import { type MonitorDetail, type ResponseTimes } from '../../app/client.ts';
import { useNow } from '../../app/clock.ts';
import { usePlaces } from '../../app/regions.ts';
import { useSession } from '../../app/session.ts';
import { dayAndTime, duration } from '../../lib/format.ts';
import { faceOf } from '../../lib/monitor-types.ts';
import { whenReachable } from '../../lib/when-reachable.ts';
import { Card, Loading } from '../../parts/page.tsx';
import { inMilliseconds } from '../../parts/phases.tsx';
import { ScrollRegion, Table } from '../../parts/table.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { words } from '../../words/index.ts';
import {
  chartOf,
  hasValues,
  newestOf,
  ownValue,
  spansOf,
  tableRows,
  type Chart,
  type Line,
  type View,
} from './chart-data.ts';
import { PERIOD_MS, type Period } from './rules.ts';

const Plot = lazy(
  whenReachable(() => {
    ensureLanguageTag();
    return import('./plot.tsx');
  }),
);

/**
 * uPlot makes a number format of `navigator.language` when it is loaded. Chromium without a locale in its environment calls
 * that `en-US@posix`, which is no language tag (BCP 47): the page would fail.
 */
function ensureLanguageTag(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en-US', configurable: true });
  }
}

const PERIODS: Period[] = ['1h', '24h', '7d', '30d', '90d'];
const TABLE_ROWS = 60;
const MINUTE_MS = 60_000;

/** How fast it answered. */
export function ResponseCard({ monitor }: { monitor: MonitorDetail }) {
  const [period, setPeriod] = useState<Period>('24h');
  const [chosen, setChosen] = useState<View | null>(null);
  const view = chosen ?? (PERIOD_MS[period] >= PERIOD_MS['7d'] ? 'percentiles' : 'regions');
  const read = useRead(
    'getMonitorResponseTimes',
    { path: { id: monitor.id }, query: { period } },
    { refetchInterval: MINUTE_MS },
  );
  const { data } = read;
  const { chart } = words.monitor;
  const { isWeb: hasPhases } = faceOf(monitor.monitor_type);
  return (
    <Card
      className="mo-response"
      title={chart.title}
      aside={
        <>
          <Segmented<View>
            label={chart.shownAs}
            value={view}
            onChange={setChosen}
            choices={[
              { value: 'regions', text: words.labels.regions },
              ...(hasPhases ? [{ value: 'phases' as const, text: words.labels.phases }] : []),
              { value: 'percentiles', text: chart.percentiles },
            ]}
          />
          <Segmented<Period>
            label={words.labels.period}
            value={period}
            onChange={setPeriod}
            choices={PERIODS.map((value) => ({
              value,
              text: words.monitor.periods[value].short,
            }))}
          />
        </>
      }
    >
      {read.error && data === undefined ? (
        <Loading reads={[read]} />
      ) : data === undefined ? (
        <div className="under mo-plot-frame" role="status" aria-label={words.common.loading}>
          <div className="waiting mo-plot-waiting" />
        </div>
      ) : (
        <Loaded data={data} view={view} period={period} />
      )}
    </Card>
  );
}

function Loaded({ data, view, period }: { data: ResponseTimes; view: View; period: Period }) {
  const { zone } = useSession();
  const places = usePlaces();
  const chart = useMemo(() => {
    const place = places.onlyMachine(Object.keys(data.regions));
    return chartOf(data, view, {
      region: places.checkOf,
      place: place === null ? null : words.monitor.chart.from(place),
      phases: words.phases,
      percentiles: {
        p50: words.monitor.chart.half,
        p95: words.monitor.chart.most,
        p99: words.monitor.chart.slowest,
      },
    });
  }, [data, view, places]);
  const spans = useMemo(() => spansOf(data), [data]);
  // Without a value the chart still says why: an outage, maintenance or a time that nobody observed.
  if (!hasValues(chart) && (view === 'phases' || spans.length === 0)) {
    return (
      <div className="empty">
        <p>{view === 'phases' ? words.monitor.chart.emptyPhases : words.monitor.chart.empty}</p>
      </div>
    );
  }
  const newest = chart.lines
    .map((line, index) => `${line.label} ${newestText(chart, index)}`)
    .join(', ');
  return (
    <>
      <p className="row under xs dim key">
        {chart.lines.map((line, index) => (
          <span key={line.key}>
            <Sample line={line} />
            {line.label} <b>{newestText(chart, index)}</b>
          </span>
        ))}
      </p>
      <div className="under mo-plot-frame">
        <Suspense fallback={<div className="waiting mo-plot-waiting" />}>
          <Plot
            chart={chart}
            spans={spans}
            zone={zone}
            label={words.monitor.chart.label(words.monitor.periods[period].long, newest)}
          />
        </Suspense>
      </div>
      <Values chart={chart} step={data.step_seconds} />
    </>
  );
}

/** Newest value of a line itself. */
function newestText(chart: Chart, line: number): string {
  const index = chart.lines[line]!.values.findLastIndex((value) => value !== null);
  const value = index < 0 ? newestOf([]) : ownValue(chart.lines, line, index);
  return value === null ? '–' : inMilliseconds(value);
}

/** A piece of the line, as the chart draws it. */
function Sample({ line: { color, dash, shape } }: { line: Line }) {
  if (shape === 'area')
    return <i className="dot" style={{ background: `var(${color})` }} aria-hidden="true" />;
  return (
    <svg viewBox="0 0 16 8" aria-hidden="true">
      {shape === 'dots' ? (
        <circle cx="8" cy="4" r="2.5" fill={`var(${color})`} />
      ) : (
        <path
          d="M0 4h16"
          stroke={`var(${color})`}
          strokeWidth="2"
          strokeDasharray={dash.join(' ')}
        />
      )}
    </svg>
  );
}

/** The values for those who can't see the picture. */
function Values({ chart, step }: { chart: Chart; step: number }) {
  const { zone } = useSession();
  const now = useNow(60_000);
  const [isOpen, setOpen] = useState(false);
  const { times, lines } = chart;
  return (
    <details className="mo-details" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="under xs dim">{words.labels.asTable}</summary>
      {isOpen && (
        <ScrollRegion
          className="mo-scroll"
          label={words.monitor.tableOf(words.monitor.chart.title)}
        >
          <Table
            className=""
            caption={words.monitor.chart.step(duration(step * 1_000))}
            rows={tableRows(times.length, TABLE_ROWS)}
            keyOf={(index) => index}
            columns={[
              {
                name: words.labels.time,
                render: (index) => dayAndTime(times[index]! * 1_000, now, zone),
              },
              ...lines.map(({ label }, line) => ({
                name: label,
                className: 'r',
                render: (index: number) => {
                  const value = ownValue(lines, line, index);
                  if (value !== null) return inMilliseconds(value);
                  return <span className="faint">{words.monitor.chart.noValue}</span>;
                },
              })),
            ]}
          />
        </ScrollRegion>
      )}
    </details>
  );
}
