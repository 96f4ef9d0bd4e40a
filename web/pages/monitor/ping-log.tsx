import { Fragment, useState } from 'react';
import { useRead } from '../../app/api.ts';
import { call, type Incident, type MonitorDetail, type Ping } from '../../app/client.ts';
import type { DisplayStatus } from '../../lib/display-status.ts';
import { duration } from '../../lib/format.ts';
import { Card, Loading, Paging } from '../../parts/page.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { TableHead } from '../../parts/table-head.tsx';
import { DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { missedRuns } from './runs.ts';

export function usePings(id: number, kind: Ping['kind'] | null, page: number, perPage: number) {
  return useRead(['monitor', id, 'pings', kind, page, perPage], () =>
    call('listMonitorPings', {
      path: { id },
      query: { page, per_page: perPage, ...(kind !== null && { kind }) },
    }),
  );
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
  const { log } = words.push;
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
        <p className="mo-none">{kind === 'all' ? log.none : words.push.runs.none}</p>
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

function Pings({
  pings,
  incidents,
  isNewest,
}: {
  /** The newest first. */
  pings: readonly Ping[];
  incidents: readonly Incident[];
  /** Whether no ping is newer than these. */
  isNewest: boolean;
}) {
  const { log } = words.push;
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
                <Row ping={ping} />
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function Row({ ping }: { ping: Ping }) {
  const { log } = words.push;
  const { kind, received_at, duration_ms, exit_code, run_id, source_address, user_agent } = ping;
  return (
    <tr>
      <th scope="row" className="mo-row mo-nowrap">
        <DayTime time={received_at} />
      </th>
      <td>
        <span className="cell">
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
            <summary>{log.showBody}</summary>
            <ScrollRegion className="mo-output" label={log.body}>
              <pre>{ping.body}</pre>
            </ScrollRegion>
            {ping.body_truncated && <p className="xs faint">{log.truncated}</p>}
          </details>
        )}
      </td>
      <td className="r">{duration_ms === null ? '–' : duration(duration_ms, words.time)}</td>
      <td className="wide faint xs" title={[user_agent, run_id].filter(Boolean).join(' · ')}>
        {source_address}
      </td>
    </tr>
  );
}
