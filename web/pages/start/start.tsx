import { useCallback, useEffect, useRef, useState } from 'react';
import { useAnswer } from '../../app/answer.ts';
import { reread, useRead } from '../../app/api.ts';
import { call, type Monitor, type ResultEvent } from '../../app/client.ts';
import type { LiveEvent } from '../../app/live-changes.ts';
import { useLiveEvents, useWatched } from '../../app/live.ts';
import { BASE } from '../../app/place.ts';
import { usePlaces } from '../../app/regions.ts';
import { useSession } from '../../app/session.ts';
import { milliseconds } from '../../lib/format.ts';
import { monitorName } from '../../lib/monitor-name.ts';
import { faceOf } from '../../lib/monitor-types.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { withLabel } from '../../parts/field-labels.ts';
import { Tick } from '../../parts/form.tsx';
import { Empty, NeedsRole, PageHead } from '../../parts/page.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { Steps } from '../../parts/steps.tsx';
import { useAct } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { firstAnswer, rowsOf, speaksNoTls, type FirstRow } from './first-rows.ts';
import { recognize } from './recognize.ts';

/** Minutes between checks of a monitor made here, or the least that the plan allows. */
const EVERY_MINUTES = 1;

/** First minutes: one field, the first result live, and a mail when it breaks. */
export default function StartPage() {
  const { isAtLeast } = useSession();
  const [made, setMade] = useState<Monitor | null>(null);
  const onMade = (monitor: Monitor) => {
    history.replaceState(null, '', `?monitor=${monitor.id}`);
    setMade(monitor);
  };
  useEffect(() => {
    const id = Number(new URLSearchParams(location.search).get('monitor'));
    if (id > 0) void call('getMonitor', { path: { id } }).then(setMade, () => {});
  }, []);
  if (!isAtLeast('editor')) {
    return (
      <>
        <PageHead title={words.start.title} />
        <Empty title={words.monitors.emptyTitle} text={<NeedsRole least="editor" />} />
      </>
    );
  }
  return (
    <div className="st">
      <Steps names={words.start.steps} step={made === null ? 1 : 2} />
      {made === null ? <Field onMade={onMade} /> : <Watching monitor={made} onChange={setMade} />}
    </div>
  );
}

function Field({ onMade }: { onMade: (monitor: Monitor) => void }) {
  const { start } = words;
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { plan } = useSession();
  const interval = Math.max(EVERY_MINUTES, plan?.limits.min_check_interval ?? 0);
  const { isPending, error, send } = useAnswer(async (typed: string = text) => {
    onMade(await call('createMonitor', { body: recognize(typed, start.jobName, interval) }));
    await reread('monitors', 'plan');
  });
  useEffect(() => field.current?.focus(), []);
  const [[name, [message]] = ['', [error?.message]]] = Object.entries(error?.errors ?? {});
  return (
    <>
      <PageHead title={start.title} text={start.text} />
      <form
        className="beside st-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) void send();
        }}
      >
        <label className="vh" htmlFor="start-target">
          {start.field}
        </label>
        <input
          ref={field}
          id="start-target"
          className="control"
          placeholder="https://…"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={error ? true : undefined}
          aria-describedby="start-error start-hint"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" look="primary" isDisabled={isPending}>
          {start.watch}
        </Button>
      </form>
      <p id="start-error" className="st-error down" role="alert">
        {error && withLabel(message ?? '', name, start.field)}
      </p>
      <p id="start-hint" className="xs dim">
        {start.hint}
      </p>
      <div className="row st-next">
        <Button icon="clock" isDisabled={isPending} onClick={() => void send('job')}>
          {start.watchJob}
        </Button>
        <ButtonLink look="ghost" href="/monitors/new">
          {start.allSettings}
        </ButtonLink>
        <ButtonLink look="ghost" href="/import">
          {words.terms.importFrom}
        </ButtonLink>
        <ButtonLink look="ghost" href="/monitors">
          {start.later}
        </ButtonLink>
      </div>
    </>
  );
}

/** The first monitor, live, then the next steps. */
function Watching(props: { monitor: Monitor; onChange: (monitor: Monitor) => void }) {
  const { monitor, onChange } = props;
  const head = useRef<HTMLDivElement>(null);
  useEffect(() => head.current?.querySelector('h1')?.focus(), []);
  return (
    <div ref={head}>
      {faceOf(monitor.monitor_type).isPush ? (
        <FirstPing monitor={monitor} />
      ) : (
        <FirstResults key={monitor.url} monitor={monitor} onChange={onChange} />
      )}
      <NotifyMe />
      <section className="card row between below pad st-card">
        <div>
          <h2>{words.start.pageTitle}</h2>
          <p className="sm dim">{words.start.pageText}</p>
        </div>
        <ButtonLink href="/status-pages/new">{words.start.pageAction}</ButtonLink>
      </section>
      <div className="row st-next">
        <ButtonLink look="primary" href="/monitors">
          {words.start.toDashboard}
        </ButtonLink>
        <ButtonLink look="ghost" href={`/monitors/${monitor.id}`}>
          {words.start.toMonitor}
        </ButtonLink>
        <ButtonLink look="ghost" icon="edit" href={`/monitors/${monitor.id}/edit`}>
          {words.common.edit}
        </ButtonLink>
      </div>
    </div>
  );
}

/** Time between reads while the first result is awaited: the stream may come later than it. */
const READ_EVERY_MS = 2_000;

/** A row for each region, filled as the first results arrive. */
function FirstResults(props: { monitor: Monitor; onChange: (monitor: Monitor) => void }) {
  const { monitor, onChange } = props;
  const { id } = monitor;
  const [event, setEvent] = useState<ResultEvent['data'] | null>(null);
  useWatched(id);
  useLiveEvents(
    useCallback(
      ({ kind, data }: LiveEvent) => {
        if (kind === 'result' && data['monitor_id'] === id)
          setEvent(data as unknown as ResultEvent['data']);
      },
      [id],
    ),
  );
  const [isKnown, setKnown] = useState(false);
  const stored = useRead(
    'listMonitorResults',
    { path: { id }, query: { per_page: 20 } },
    isKnown ? {} : { refetchInterval: READ_EVERY_MS },
  );
  const rows = rowsOf(monitor.monitored_regions, stored.data?.data ?? [], event);
  const { displayStatus, isComplete } = firstAnswer(rows);
  if (isComplete && !isKnown) setKnown(true);
  const places = usePlaces();
  const plain = useAct(async () => {
    const url = monitor.url.replace(/^https:/i, 'http:');
    await call('updateMonitor', { path: { id }, body: { url, check_types: [] } });
    await reread('monitors', 'monitor');
    onChange(await call('getMonitor', { path: { id } }));
  });
  const machine = places.onlyMachine(monitor.monitored_regions ?? []);
  const name = monitorName(monitor);
  return (
    <>
      <PageHead
        displayStatus={displayStatus}
        title={words.start.heads[displayStatus](name)}
        tabTitle={words.start.title}
        text={
          machine === null ? (
            words.start.checkedEvery
          ) : (
            <>
              {words.start.onePlace(machine, rows.length)}{' '}
              <a className="link" href={`${BASE}/docs#listRegions`}>
                {words.start.secondPlace}
              </a>
            </>
          )
        }
      />
      <section className="card below st-rows" role="status" aria-label={words.start.firstResults}>
        <ul className="rows">
          {rows.map((row) => (
            <Row key={row.region} row={row} name={places.checkOf(row.region)} />
          ))}
        </ul>
        {displayStatus === 'offline' && speaksNoTls(monitor, rows) && (
          <div className="row over form-end">
            <Button isDisabled={plain.isBusy} onClick={() => void plain.run()}>
              {words.start.watchPlain}
            </Button>
          </div>
        )}
      </section>
    </>
  );
}

function Row({ row: { displayStatus, ms, code, text }, name }: { row: FirstRow; name: string }) {
  return (
    <li className={displayStatus === 'pending' ? '' : 'changed'}>
      <StatusShape displayStatus={displayStatus} />
      <span>{name}</span>
      <span className={displayStatus === 'offline' ? 't down' : 't'}>
        {displayStatus === 'pending'
          ? words.terms.checking
          : [
              text ?? (code === null ? words.status[displayStatus] : String(code)),
              ms === null ? '' : `${milliseconds(ms)} ms`,
            ]
              .filter(Boolean)
              .join(' · ')}
      </span>
    </li>
  );
}

/** URL that a job calls, and whether it has. */
function FirstPing({ monitor }: { monitor: Monitor }) {
  const { id } = monitor;
  useWatched(id);
  const read = useRead('getMonitor', { path: { id } });
  const hasCalled = (read.data?.last_heartbeat_at ?? null) !== null;
  return (
    <>
      <PageHead
        displayStatus={hasCalled ? 'online' : 'pending'}
        title={hasCalled ? words.start.jobCalled : words.start.jobWaits}
        tabTitle={words.start.title}
        text={words.start.jobText}
      />
      <section className="card below st-rows pad">
        <Copyable label={words.start.jobLine} text={`curl -fsS ${monitor.ping_url ?? ''}`} />
      </section>
    </>
  );
}

/** Turns the person's e-mail on; says what is missing where no mail can be sent. */
function NotifyMe() {
  const { user } = useSession();
  const { start } = words;
  const channels = useRead('listNotificationChannels');
  const email = channels.data?.data.find(({ id }) => id === 'email');
  const { isBusy, run } = useAct(async (enabled: boolean) => {
    await call('updateNotificationChannel', { path: { channel: 'email' }, body: { enabled } });
    await reread('notification-channels');
    return enabled ? start.mailOn : start.mailOff;
  });
  return (
    <section className="card row between below pad st-card">
      <div>
        <h2>{start.notifyTitle}</h2>
        {email !== undefined && !email.available && (
          <p className="sm dim">{email.verified === false ? start.notConfirmed : start.noMail}</p>
        )}
        {email?.available === true && (
          <Tick
            name="enabled"
            label={start.mailTo(email.email ?? user.email)}
            hint={start.mailHint}
            checked={email.enabled}
            disabled={isBusy}
            onChange={(isOn) => void run(isOn)}
          />
        )}
      </div>
      <ButtonLink href="/channels">{start.otherChannels}</ButtonLink>
    </section>
  );
}
