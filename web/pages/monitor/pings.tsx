import { Fragment, useState } from 'react';
import { useRead } from '../../app/api.ts';
import { type Incident, type MonitorDetail, type Ping } from '../../app/client.ts';
import type { DisplayStatus } from '../../lib/display-status.ts';
import { day, dayAndTime, duration } from '../../lib/format.ts';
import { Card, Loading, Waiting } from '../../parts/page.tsx';
import { Paging } from '../../parts/sections.tsx';
import { ScrollRegion, TableHead } from '../../parts/table.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { missedRuns, type Run } from './runs.ts';
import { useNow } from '../../app/clock.ts';
import { useSession } from '../../app/session.ts';
import { expectedAt } from './rules.ts';

const { log } = words.push;

export function usePings(id: number, kind: Ping['kind'] | null, page: number, perPage: number) {
  return useRead('listMonitorPings', {
    path: { id },
    query: { page, per_page: perPage, ...(kind !== null && { kind }) },
  });
}

const PER_PAGE = 20;
type Kind = Ping['kind'] | 'all';

const DISPLAY_STATUS: Record<Ping['kind'], DisplayStatus> = {
  success: 'online',
  failure: 'offline',
  start: 'pending',
  log: 'unknown',
};

/** All pings, with what they brought along, and the gaps between them. */
export function PingLog({ monitor }: { monitor: MonitorDetail }) {
  const [page, setPage] = useState(1);
  const [kind, setKind] = useState<Kind>('all');
  const read = usePings(monitor.id, kind === 'all' ? null : kind, page, PER_PAGE);
  const { data } = read;
  const choose = (next: Kind) => {
    setKind(next);
    setPage(1);
  };
  return (
    <Card
      title={log.title}
      aside={
        <Segmented<Kind>
          label={log.filter}
          value={kind}
          onChange={choose}
          choices={[
            { value: 'all', text: words.common.all },
            { value: 'success', text: log.kinds.success },
            { value: 'failure', text: log.kinds.failure },
            { value: 'start', text: log.kinds.start },
            { value: 'log', text: log.kinds.log },
          ]}
        />
      }
    >
      {data === undefined ? (
        <Loading reads={[read]} lines={4} />
      ) : data.total === 0 ? (
        <p className="inset sm dim">{kind === 'all' ? log.none : words.push.runs.none}</p>
      ) : (
        <>
          <Pings
            pings={data.data}
            incidents={kind === 'all' ? monitor.incidents : []}
            isNewest={page === 1}
          />
          <Paging page={page} last={data.last_page} onChange={setPage} />
        </>
      )}
    </Card>
  );
}

function Pings(props: {
  /** The newest first. */
  pings: readonly Ping[];
  incidents: readonly Incident[];
  /** Whether no ping is newer than these. */
  isNewest: boolean;
}) {
  const { pings, incidents, isNewest } = props;
  const missed = missedRuns(pings, incidents);
  return (
    <ScrollRegion label={words.monitor.tableOf(log.title)}>
      <table>
        <TableHead
          columns={[
            words.labels.time,
            words.labels.what,
            { text: log.took, className: 'r' },
            { text: words.labels.from, className: 'wide' },
          ]}
        />
        <tbody>
          {pings.map((ping, index) => {
            const newer = pings[index - 1];
            const until =
              newer !== undefined
                ? Date.parse(newer.received_at)
                : isNewest
                  ? Number.POSITIVE_INFINITY
                  : 0;
            return (
              <Fragment key={ping.id}>
                {missed
                  .filter((run) => run.at > Date.parse(ping.received_at) && run.at <= until)
                  .map((run) => (
                    <tr key={run.key} className="mo-gap">
                      <td colSpan={4}>
                        <StatusShape displayStatus="unknown" isDecoration />
                        {log.missed} <DayTime time={run.at} />
                      </td>
                    </tr>
                  ))}
                <PingRow ping={ping} />
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function PingRow({ ping }: { ping: Ping }) {
  const { kind, received_at, duration_ms, exit_code, run_id, source_address, user_agent } = ping;
  return (
    <tr>
      <th scope="row" className="nowrap">
        <DayTime time={received_at} />
      </th>
      <td>
        <span className="line">
          <StatusShape displayStatus={DISPLAY_STATUS[kind]} isDecoration />
          <span>
            {log.kinds[kind]}
            {exit_code !== null && (
              <>
                <span className="xs faint wide"> · </span>
                <span className="xs faint mo-exit">
                  {log.exit} {exit_code}
                </span>
              </>
            )}
          </span>
        </span>
        {ping.body !== null && ping.body !== '' && (
          <details className="mo-body">
            <summary className="xs dim">{log.showBody}</summary>
            <ScrollRegion className="mo-output" label={log.body}>
              <pre className="wrap">{ping.body}</pre>
            </ScrollRegion>
            {ping.body_truncated && <p className="xs faint">{log.truncated}</p>}
          </details>
        )}
      </td>
      <td className="r">{duration_ms === null ? '–' : duration(duration_ms)}</td>
      <td className="wide faint xs" title={[user_agent, run_id].filter(Boolean).join(' · ')}>
        {source_address}
      </td>
    </tr>
  );
}

const OUTCOMES = ['succeeded', 'failed', 'missed'] as const;

/** The newest runs: time across, duration up. */
export function RunsCard(props: {
  monitor: MonitorDetail;
  /** The oldest first; undefined while they are read. */
  runs: readonly Run[] | undefined;
}) {
  const { monitor, runs } = props;
  const { runs: text } = words.push;
  return (
    <Card
      title={text.title}
      aside={
        <span className="row xs dim legend wide">
          {OUTCOMES.map((outcome) => (
            <span key={outcome}>
              <i className={`mo-knob ${outcome}`} />
              {text[outcome]}
            </span>
          ))}
        </span>
      }
    >
      {runs === undefined ? (
        <Waiting lines={3} />
      ) : runs.length === 0 ? (
        <p className="inset sm dim">{text.none}</p>
      ) : (
        <Lollipops runs={runs} next={expectedAt(monitor)} />
      )}
    </Card>
  );
}

function Lollipops(props: {
  runs: readonly Run[];
  /** Epoch milliseconds. */
  next: number | null;
}) {
  const { runs, next } = props;
  const { zone } = useSession();
  const now = useNow(60_000);
  const { runs: text } = words.push;
  const first = runs[0]!.at;
  const last = Math.max(now, next ?? now);
  const longest = Math.max(1, ...runs.map((run) => run.duration ?? 0));
  const across = (moment: number) => ((moment - first) / Math.max(1, last - first)) * 100;
  const counted = (outcome: Run['outcome']) => runs.filter((run) => run.outcome === outcome).length;
  const hasDurations = runs.some((run) => run.duration !== null);
  return (
    <div className="under">
      {hasDurations && <p className="xs faint mo-longest">{duration(longest)}</p>}
      <div
        className={hasDurations ? 'mo-runs' : 'mo-runs strip'}
        role="img"
        aria-label={text.label(counted('succeeded'), counted('failed'), counted('missed'))}
      >
        {runs.map((run) => (
          <span
            key={run.key}
            className="mo-run"
            title={describe(run, dayAndTime(run.at, now, zone))}
            style={{ left: `${across(run.at)}%`, height: `${heightOf(run, longest)}%` }}
          >
            <i className={`mo-knob ${run.outcome}`} />
          </span>
        ))}
        {next !== null && next > now && (
          <span
            className="mo-run next"
            title={`${text.next} ${dayAndTime(next, now, zone)}`}
            style={{ left: `${across(next)}%` }}
          >
            <i className="mo-knob next" />
          </span>
        )}
      </div>
      <p className="line between xs faint mo-ends">
        <span>{day(first, now, zone)}</span>
        <span>{text.newest(runs.length)}</span>
        <span>{next !== null && next > now ? text.next : words.time.now}</span>
      </p>
    </div>
  );
}

/** Height of a run in percent: a missed one has none, one of an unknown duration a little. */
function heightOf({ outcome, duration: length }: Run, longest: number): number {
  if (outcome === 'missed') return 0;
  return length === null ? 12 : 8 + (length / longest) * 84;
}

function describe({ outcome, duration: length, exitCode }: Run, time: string): string {
  const { runs: text } = words.push;
  const took = length === null ? '' : duration(length);
  const exit = exitCode === null ? '' : `${log.exit} ${exitCode}`;
  return [time, text[outcome], took, exit].filter(Boolean).join(', ');
}
