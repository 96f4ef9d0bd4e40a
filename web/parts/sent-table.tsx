import type { ReactNode } from 'react';
import type { ChannelDelivery } from '../app/api.gen.ts';
import { errorBeside, STATUS_OF_MESSAGE } from '../lib/deliveries.ts';
import { words } from '../words/index.ts';
import { StatusShape } from './status.tsx';
import { ScrollRegion, TableHead } from './table.tsx';
import { RelativeTime } from './time.tsx';

/** What was sent to a channel or a webhook endpoint, newest first: when, what it is, and what came of it. */
export function SentTable(props: {
  what: string;
  sent: readonly (Omit<ChannelDelivery, 'kind' | 'alert_id'> & { name: ReactNode })[];
}) {
  const { what, sent } = props;
  const { columns, statuses, httpStatus, nextAttempt } = words.deliveries;
  return (
    <ScrollRegion label={`${what}, ${columns.result}`}>
      <table className="stacked sent">
        <TableHead
          columns={[columns.when, what, columns.result, { text: columns.attempts, className: 'r' }]}
        />
        <tbody>
          {sent.map((one) => {
            const { status, last_error, last_status_code: code, next_attempt_at: next } = one;
            const error = status === 'delivered' ? null : errorBeside(last_error, code);
            return (
              <tr key={one.id}>
                <td>
                  <RelativeTime time={one.created_at} />
                </td>
                <td>{one.name}</td>
                <td>
                  <span className="line">
                    <StatusShape displayStatus={STATUS_OF_MESSAGE[status]} isDecoration />
                    {statuses[status]}
                    {code !== null && <span className="faint">{httpStatus(code)}</span>}
                  </span>
                  {error !== null && <p className="xs dim wrap">{error}</p>}
                  {next !== null && one.attempts_count > 0 && (
                    <p className="xs dim">
                      {nextAttempt} <RelativeTime time={next} />
                    </p>
                  )}
                </td>
                <td className="r" data-label={columns.attempts}>
                  {one.attempts_count}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
