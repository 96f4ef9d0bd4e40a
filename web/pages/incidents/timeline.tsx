import { useState } from 'react';
import { Link } from 'wouter';
import { reread, useRead } from '../../app/api.ts';
import {
  call,
  type BodyOf,
  type IncidentDetail,
  type IncidentNotification,
} from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { CauseSentence } from '../../parts/cause.tsx';
import { Choose, Form, TextArea, useForm } from '../../parts/form.tsx';
import { NotifyTick, withTexts } from '../../parts/mail-preview.tsx';
import { Card, Loading } from '../../parts/page.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { STATUS_OF_MESSAGE } from '../../lib/deliveries.ts';
import { StatusShape } from '../../parts/status.tsx';
import { at, ClockTime, DayTime, RelativeTime } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { MESSAGES_KEPT_MS, momentsOf, recipientsOf, type Moment, type Recipient } from './rules.ts';
import { useRounds } from './rounds.tsx';
import { useNow } from '../../app/clock.ts';

/** What happened, newest first, with a field for a note or an update of the status pages above. */
export function Timeline({ incident }: { incident: IncidentDetail }) {
  const { id } = incident;
  const { isAtLeast } = useSession();
  const path = { id };
  const updates = useRead('listIncidentUpdates', { path });
  const rounds = useRounds(incident.id);
  const moments = momentsOf(incident, updates.data?.data ?? [], rounds.data?.rounds ?? []);
  return (
    <Card title={words.incident.timeline}>
      {isAtLeast('editor') && <Composer incident={incident} />}
      <ol className="tl">
        {moments.map((moment) => (
          <li key={moment.key}>
            <span className="k">
              {moment.displayStatus === null ? (
                <i className="node" />
              ) : (
                <StatusShape displayStatus={moment.displayStatus} isDecoration />
              )}
            </span>
            <p>
              <Said moment={moment} />
            </p>
            <DayTime time={moment.at} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Said({ moment }: { moment: Moment }) {
  const { incident, statusPages } = words;
  switch (moment.kind) {
    case 'good':
      return incident.lastGood;
    case 'bad':
      return incident.firstBad(moment.down, moment.voting);
    case 'update':
      return (
        <>
          {incident.pageSays} <b className="b">{statusPages.states[moment.state]}</b>
          {moment.text !== null && `: ${moment.text}`}
        </>
      );
    case 'note':
      return (
        <>
          <b className="b">{incident.noteBy(moment.name)}</b>{' '}
          <span className="wrap inc-note">{moment.text}</span>
        </>
      );
    case 'opened':
    case 'resolved':
      return (
        <>
          <b className="b">{incident.activities[moment.kind](moment.name)}</b>{' '}
          {(moment.kind === 'opened' || moment.name === null) && (
            <CauseSentence>{moment.text}</CauseSentence>
          )}
        </>
      );
    case 'reopened':
    case 'acknowledged':
      return moment.name === null ? moment.text : incident.activities[moment.kind](moment.name);
    case 'root_cause_changed':
      return moment.name === null ? moment.text : `${moment.name}: ${moment.text}`;
    default:
      return moment.text;
  }
}

type State = NonNullable<BodyOf<'createIncidentUpdate'>['state']>;
const STATES = ['investigating', 'identified', 'monitoring', 'resolved'] as const satisfies State[];

/** Writes a note for the team, or an update for the status pages that show the monitor. Both keep what was typed. */
function Composer({ incident: { id, monitor_id, status } }: { incident: IncidentDetail }) {
  const { incident: texts } = words;
  const [kind, setKind] = useState<'note' | 'update'>('note');
  const { draft, set, form } = useForm(null, {
    text: '',
    state: (status === 'resolved' ? 'resolved' : 'investigating') as State,
    notify: true,
  });
  const pages = useRead('listStatusPages', { query: { per_page: 100 } });
  const showing = (pages.data?.data ?? []).filter(({ services }) =>
    services.some((service) => service.monitor_id === monitor_id),
  );
  const isNote = kind === 'note' || showing.length === 0;
  const note = async () => {
    await call('createIncidentNote', { path: { id }, body: { text: draft.text.trim() } });
    await reread('incident');
    set({ text: '' });
    showToast(texts.noted);
  };
  const body = { ...draft, status_pages: showing.map((page) => page.id) };
  const publish = async () => {
    await call('createIncidentUpdate', { path: { id }, body });
    await reread('incident', 'incidents', 'announcements', 'status-pages');
    set({ text: '' });
    showToast(texts.published);
  };
  return (
    <div className="box inside inc-composer">
      <div className="inc-kind">
        {showing.length > 0 && (
          <Segmented
            label={texts.writeWhat}
            value={kind}
            onChange={setKind}
            choices={[
              { value: 'note', text: texts.note },
              { value: 'update', text: texts.publicUpdate },
            ]}
          />
        )}
      </div>
      <Form
        key={String(isNote)}
        {...form}
        submit={isNote ? texts.addNote : words.terms.publish}
        onSubmit={isNote ? note : publish}
        isPrimary={false}
      >
        <div className="gap inc-write">
          {isNote ? (
            <TextArea
              name="text"
              label={texts.noteForTeam}
              hint={
                pages.data === undefined || showing.length > 0 ? undefined : texts.noPageShowsIt
              }
              placeholder={texts.noteHint}
            />
          ) : (
            <>
              <TextArea
                name="text"
                label={texts.forVisitors}
                hint={texts.shownOn(showing.map(({ name }) => name))}
                placeholder={texts.updateHint}
              />
              <Choose
                name="state"
                label={texts.state}
                options={STATES.map((value) => ({ value, text: words.statusPages.states[value] }))}
              />
              <NotifyTick
                publication={{
                  name: 'previewIncidentUpdate',
                  path: { id },
                  body: withTexts(body, 'text'),
                }}
              />
            </>
          )}
        </div>
      </Form>
    </div>
  );
}

const MAX_MESSAGES = 100;
/** The live stream does not report messages: those of an open incident are read again after this time. */
const READ_AGAIN_MS = 15_000;

/** Who was notified of the incident, by which channel, and whether it arrived. */
export function Notified({ incident }: { incident: IncidentDetail }) {
  const { id, status } = incident;
  const read = useRead(
    'listIncidentNotifications',
    { path: { id }, query: { per_page: MAX_MESSAGES } },
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
          <ul className="inset sm wrap gap">
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
  const { isAtLeast } = useSession();
  const { incident: text } = words;
  if (type === 'manual') return <p className="inset sm dim">{text.nobodyOfManual}</p>;
  if (now - at(started_at) > MESSAGES_KEPT_MS)
    return <p className="inset sm dim">{text.messagesNotKept}</p>;
  return (
    <p className="inset sm">
      {text.nobodyNotified}{' '}
      {isAtLeast('admin') && (
        <Link className="link" href="/alert-routes">
          {text.seeRoutes}
        </Link>
      )}
    </p>
  );
}

function RecipientRow({ recipient: { channel, person, messages } }: { recipient: Recipient }) {
  const types = words.channelTypes as Record<string, { title: string }>;
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
  const { incident } = words;
  const isDone = status === 'delivered';
  const error = last_error ?? (last_status_code === null ? null : `HTTP ${last_status_code}`);
  return (
    <div className="xs wrap inc-message">
      <StatusShape displayStatus={STATUS_OF_MESSAGE[status]} isDecoration />
      <div>
        {words.deliveries.kinds[kind]} · <DayTime time={created_at} />
        <span className="dim">
          {' · '}
          {words.deliveries.statuses[status]}
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
