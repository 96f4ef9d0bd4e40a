import { Link } from 'wouter';
import { useRead } from '../../app/api.ts';
import { call, type IncidentDetail, type IncidentNotification } from '../../app/client.ts';
import { useNow } from '../../app/clock.ts';
import { Card, Loading } from '../../parts/page.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { at, ClockTime, DayTime, RelativeTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { MESSAGES_KEPT_MS, recipientsOf, STATUS_OF_MESSAGE, type Recipient } from './recipients.ts';

const MAX_MESSAGES = 100;
/** The live stream does not report messages: those of an open incident are read again after this time. */
const READ_AGAIN_MS = 15_000;

/** Who was notified of the incident, by which channel, and whether it arrived. */
export function Notified({ incident }: { incident: IncidentDetail }) {
  const { id, status } = incident;
  const read = useRead(
    ['incident', id, 'notifications'],
    () => call('listIncidentNotifications', { path: { id }, query: { per_page: MAX_MESSAGES } }),
    status === 'open' ? { refetchInterval: READ_AGAIN_MS } : {},
  );
  const { incident: text } = words;
  return (
    <Card title={text.notified}>
      {read.data === undefined ? (
        <Loading reads={[read]} lines={2} />
      ) : read.data.total === 0 ? (
        <Nobody incident={incident} />
      ) : (
        <>
          <ul className="inc-notified">
            {recipientsOf(read.data.data).map((recipient) => (
              <RecipientRow key={recipient.key} recipient={recipient} />
            ))}
          </ul>
          {read.data.total > MAX_MESSAGES && (
            <p className="pad xs dim">{text.newestMessages(MAX_MESSAGES, read.data.total)}</p>
          )}
        </>
      )}
    </Card>
  );
}

/** Why nobody was notified, and where that is decided. */
function Nobody({ incident: { type, started_at } }: { incident: IncidentDetail }) {
  const now = useNow(60_000);
  const { incident: text } = words;
  if (type === 'manual') return <p className="inc-nobody dim">{text.nobodyOfManual}</p>;
  if (now - at(started_at) > MESSAGES_KEPT_MS)
    return <p className="inc-nobody dim">{text.messagesNotKept}</p>;
  return (
    <p className="inc-nobody">
      {text.nobodyNotified}{' '}
      <Link className="link" href="/alert-routes">
        {text.seeRoutes}
      </Link>
    </p>
  );
}

function RecipientRow({ recipient: { channel, person, messages } }: { recipient: Recipient }) {
  const types = words.channels.types as Record<string, { title: string }>;
  const type = types[channel.type]?.title ?? channel.type;
  const name = person ?? channel.name ?? words.incident.teamChannel;
  return (
    <li>
      <p>
        {channel.id === null || person !== null ? (
          <b className="b">{name}</b>
        ) : (
          <Link className="b" href={`/channels/${channel.id}`}>
            {name}
          </Link>
        )}{' '}
        <span className="dim">{type}</span>
      </p>
      {messages.map((message) => (
        <MessageLine key={message.id} message={message} />
      ))}
    </li>
  );
}

/** "Alert, delivered 01:06:46", or why not. */
function MessageLine({ message }: { message: IncidentNotification }) {
  const { kind, status, created_at, finished_at, last_error, last_status_code } = message;
  const { channels, incident } = words;
  const isDone = status === 'delivered';
  const error =
    last_error ?? (last_status_code === null ? null : channels.httpStatus(last_status_code));
  return (
    <div className="inc-message">
      <StatusShape displayStatus={STATUS_OF_MESSAGE[status]} isDecoration />
      <div>
        {channels.kinds[kind]} · <DayTime time={created_at} />
        <span className="dim">
          {' · '}
          {channels.statuses[status]}
          {isDone && finished_at !== null && (
            <>
              {' '}
              <ClockTime time={finished_at} withSeconds />
            </>
          )}
        </span>
        {!isDone && error !== null && <p className="down">{error}</p>}
        {message.next_attempt_at !== null && message.attempts_count > 0 && (
          <p className="dim">
            {incident.nextAttempt} <RelativeTime time={message.next_attempt_at} />
          </p>
        )}
      </div>
    </div>
  );
}
