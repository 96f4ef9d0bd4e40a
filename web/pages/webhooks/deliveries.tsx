import { useRef, useState } from 'react';
import { Link } from 'wouter';
import { reread, useRead } from '../../app/api.ts';
import { call, type WebhookDeliveryDetails } from '../../app/client.ts';
import { errorBeside } from '../../lib/deliveries.ts';
import { milliseconds } from '../../lib/format.ts';
import { Button } from '../../parts/button.tsx';
import { Card, Loading } from '../../parts/page.tsx';
import { Paging } from '../../parts/sections.tsx';
import { SentTable } from '../../parts/sent-table.tsx';
import { ScrollRegion } from '../../parts/table.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { DayTime } from '../../parts/time.tsx';
import { attempt } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { pretty } from './endpoint.ts';

const STATUSES = ['pending', 'delivered', 'failed', 'expired'] as const;
type Status = (typeof STATUSES)[number];

/** The stream does not report deliveries: the log is read again while it is open. */
const REREAD_MS = 10_000;

/** Log of what was and will be sent to an endpoint, with one of it in full beside the list: the newest until another is chosen. */
export function Deliveries(props: { id: number; isAdmin: boolean; isActive: boolean }) {
  const { id, isAdmin, isActive } = props;
  const [status, setStatus] = useState<Status | 'all'>('all');
  const [page, setPage] = useState(1);
  const [chosen, setChosen] = useState<number | null>(null);
  const beside = useRef<HTMLDivElement>(null);
  const read = useRead(
    'listWebhookDeliveries',
    { path: { id }, query: { page, per_page: 15, ...(status !== 'all' && { status }) } },
    { refetchInterval: REREAD_MS },
  );
  const { webhooks } = words;
  const choices = [
    { value: 'all' as const, text: words.common.all },
    ...STATUSES.map((value) => ({ value, text: words.deliveries.statuses[value] })),
  ];
  const shown = chosen ?? read.data?.data[0]?.id;
  const show = (delivery: number) => {
    setChosen(delivery);
    beside.current?.scrollIntoView({ block: 'nearest' });
  };
  const list = (
    <Card
      title={webhooks.deliveries}
      aside={
        <Segmented
          label={webhooks.filterLabel}
          choices={choices}
          value={status}
          onChange={(next) => {
            setStatus(next);
            setPage(1);
          }}
        />
      }
    >
      <Loading reads={[read]} lines={4} />
      {read.data?.data.length === 0 && <p className="sm dim intro">{webhooks.noDeliveries}</p>}
      {read.data !== undefined && read.data.data.length > 0 && (
        <>
          <SentTable
            rows={read.data.data}
            name={webhooks.columns.event}
            render={({ id: delivery, event }) => (
              <button
                type="button"
                className="name-button mono link"
                title={webhooks.show(event ?? '')}
                aria-current={delivery === shown}
                onClick={() => show(delivery)}
              >
                {event ?? `#${delivery}`}
              </button>
            )}
          />
          <Paging page={page} last={read.data.last_page} onChange={setPage} />
        </>
      )}
    </Card>
  );
  if (shown === undefined) return list;
  return (
    <div className="cols2 halves">
      {list}
      <div ref={beside}>
        <Delivery key={shown} endpoint={id} delivery={shown} mayRedeliver={isAdmin && isActive} />
      </div>
    </div>
  );
}

function Delivery(props: { endpoint: number; delivery: number; mayRedeliver: boolean }) {
  const { endpoint, delivery, mayRedeliver } = props;
  const path = { id: endpoint, delivery };
  const read = useRead('getWebhookDelivery', { path }, { refetchInterval: REREAD_MS });
  const { status, event } = read.data ?? {};
  const isOver = status !== undefined && status !== 'pending';
  const mayRepeat = mayRedeliver && isOver && event !== 'webhook.test';
  const redeliver = () =>
    attempt(async () => {
      const { message } = await call('redeliverWebhook', { path });
      void reread('webhook-endpoints');
      return message;
    });
  return (
    <Card
      title={event ?? words.webhooks.deliveries}
      aside={
        mayRepeat && (
          <Button icon="refresh" onClick={() => void redeliver()}>
            {words.webhooks.redeliver}
          </Button>
        )
      }
    >
      <div className="inset sm gap">
        <Loading reads={[read]} lines={8} />
        {read.data !== undefined && <Details delivery={read.data} />}
      </div>
    </Card>
  );
}

function Details({ delivery }: { delivery: WebhookDeliveryDetails }) {
  const { webhooks } = words;
  const { message_id: message, incident_id: incident, body, attempts } = delivery;
  return (
    <>
      <p className="dim wrap">
        webhook-id: <span className="mono">{message}</span>
        {incident !== null && (
          <>
            {' · '}
            <Link className="link" href={`/incidents/${incident}`}>
              {webhooks.incident(incident)}
            </Link>
          </>
        )}
      </p>
      <section className="sm gap tight">
        <h3>{webhooks.request}</h3>
        <ScrollRegion className="box exchange-text" label={webhooks.request}>
          <pre>{pretty(body)}</pre>
        </ScrollRegion>
      </section>
      {attempts.map(({ number, at, duration_ms, status_code: code, error, response }) => (
        <section key={number} className="sm gap tight">
          <h3>
            {webhooks.attempt(number)} · <DayTime time={at} /> ·{' '}
            {code === null ? words.terms.noAnswer : `HTTP ${code}`} ·{' '}
            {webhooks.took(milliseconds(duration_ms))}
          </h3>
          {errorBeside(error, code) !== null && <p className="down">{error}</p>}
          {code !== null && (
            <ScrollRegion
              className="box exchange-text"
              label={`${words.terms.answer}: ${webhooks.attempt(number)}`}
            >
              <pre>{response === null ? webhooks.noResponse : pretty(response)}</pre>
            </ScrollRegion>
          )}
        </section>
      ))}
    </>
  );
}
