import type { ReactNode } from 'react';
import type { ChannelDelivery } from '../app/client.ts';
import { errorBeside, STATUS_OF_MESSAGE } from '../lib/deliveries.ts';
import { words } from '../words/index.ts';
import { StatusShape } from './status.tsx';
import { ScrollRegion, Table } from './table.tsx';
import { RelativeTime } from './time.tsx';

/** A message or an event on its way to somewhere. */
type Sent = Omit<
  ChannelDelivery,
  'message_id' | 'kind' | 'alert_id' | 'incident_id' | 'finished_at'
>;

/** What was sent somewhere: when, what by its `name`, how that went, and in how many attempts. */
export function SentTable<Row extends Sent>(props: {
  rows: readonly Row[];
  name: string;
  render: (row: Row) => ReactNode;
}) {
  const { rows, name, render } = props;
  const { columns } = words.deliveries;
  return (
    <ScrollRegion label={`${name}, ${columns.result}`}>
      <Table
        className="stacked sent"
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { name: columns.when, render: ({ created_at }) => <RelativeTime time={created_at} /> },
          { name: name, render, kind: 'bare' },
          { name: columns.result, render: (row) => <Result sent={row} />, kind: 'bare' },
          {
            name: columns.attempts,
            render: ({ attempts_count }) => attempts_count,
            className: 'r',
          },
        ]}
      />
    </ScrollRegion>
  );
}

function Result({ sent }: { sent: Sent }) {
  const {
    status,
    attempts_count,
    last_error,
    last_status_code: code,
    next_attempt_at: next,
  } = sent;
  const { deliveries } = words;
  const error = status === 'delivered' ? null : errorBeside(last_error, code);
  return (
    <>
      <span className="line">
        <StatusShape displayStatus={STATUS_OF_MESSAGE[status]} isDecoration />
        {deliveries.statuses[status]}
        {code !== null && <span className="faint">{`HTTP ${code}`}</span>}
      </span>
      {error !== null && <p className="xs dim wrap">{error}</p>}
      {next !== null && attempts_count > 0 && (
        <p className="xs dim">
          {deliveries.nextAttempt} <RelativeTime time={next} />
        </p>
      )}
    </>
  );
}
