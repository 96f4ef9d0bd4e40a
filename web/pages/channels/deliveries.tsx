import { useState, type ReactNode } from 'react';
import { useRead } from '../../app/api.ts';
import { listAlertChannelDeliveries } from '../../client/sdk.gen.ts';
import type { ChannelDelivery } from '../../client/types.gen.ts';
import type { Standing } from '../../lib/standing.ts';
import { Card } from '../../parts/card.tsx';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { Paging } from '../../parts/paging.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';

const STANDINGS: Record<ChannelDelivery['status'], Standing> = {
  pending: 'pending',
  delivered: 'online',
  failed: 'offline',
  expired: 'offline',
  superseded: 'paused',
};

/** What was sent to a channel of the team, newest first. */
export function Deliveries({ id }: { id: number }): ReactNode {
  const [page, setPage] = useState(1);
  const read = useRead(['alert-channels', id, 'deliveries', page], () =>
    listAlertChannelDeliveries({ path: { id }, query: { page, per_page: 10 } }),
  );
  const { channels } = words;
  return (
    <Card title={channels.deliveries}>
      {read.error && <Failure error={read.error} retry={() => void read.refetch()} />}
      {read.data === undefined && !read.error && <Waiting />}
      {read.data?.total === 0 && <p className="intro">{channels.deliveriesEmpty}</p>}
      {read.data !== undefined && read.data.total > 0 && (
        <>
          <ScrollRegion label={`${channels.columns.what}, ${channels.columns.result}`}>
            <table className="stacked sent">
              <thead>
                <tr>
                  <th scope="col">{channels.columns.when}</th>
                  <th scope="col">{channels.columns.what}</th>
                  <th scope="col">{channels.columns.result}</th>
                  <th scope="col" className="r">
                    {channels.columns.attempts}
                  </th>
                </tr>
              </thead>
              <tbody>
                {read.data.data.map((delivery) => (
                  <Row key={delivery.id} delivery={delivery} />
                ))}
              </tbody>
            </table>
          </ScrollRegion>
          <Paging page={page} last={read.data.last_page} onChange={setPage} />
        </>
      )}
    </Card>
  );
}

function Row({ delivery }: { delivery: ChannelDelivery }): ReactNode {
  const { channels } = words;
  const { status, last_error: error, last_status_code: code, next_attempt_at: next } = delivery;
  return (
    <tr>
      <td>
        <RelativeTime time={delivery.created_at} />
      </td>
      <td>{channels.kinds[delivery.kind]}</td>
      <td>
        <span className="cell">
          <StatusShape standing={STANDINGS[status]} isDecoration />
          {channels.statuses[status]}
          {code !== null && <span className="faint">{channels.httpStatus(code)}</span>}
        </span>
        {error !== null && <p className="xs dim wrap">{error}</p>}
        {next !== null && (
          <p className="xs dim">
            {channels.nextAttempt} <RelativeTime time={next} />
          </p>
        )}
      </td>
      <td className="r" data-label={channels.columns.attempts}>
        {delivery.attempts_count}
      </td>
    </tr>
  );
}
