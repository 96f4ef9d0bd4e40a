import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, call, type AlertIncident, type SentAlert } from '../../app/client.ts';
import { useNow } from '../../app/clock.ts';
import { linkQuery } from '../../app/link-query.ts';
import { browserZone } from '../../app/session.ts';
import { absolute, duration } from '../../lib/format.ts';
import { Button } from '../../parts/button.tsx';
import { Cause } from '../../parts/cause.tsx';
import { Form } from '../../parts/form.tsx';
import { Facts } from '../../parts/sections.tsx';
import { words } from '../../words/index.ts';
import {
  causeOf,
  headlineOf,
  isInspected,
  isWaiting,
  problemOf,
  stateOf,
  unobservedMs,
  zoneOf,
} from './alert-text.ts';
import { EntryPage, Notice, PageLink } from './frame.tsx';
import { whoHasIt } from '../../lib/who-has-it.ts';

const { alertLink: texts } = words;

const token = linkQuery.get('token') ?? '';

/** Why the alert can't be shown, or is shown as it was. */
interface Trouble {
  text: string;
  mayRetry: boolean;
}

/** What the page shows: both are null until the server has answered. */
interface State {
  alert: SentAlert | null;
  trouble: Trouble | null;
}

const BEGINNING: State = { alert: null, trouble: null };

/**
 * Page `/alert?token=`, linked in messages: shows an alert and a button to acknowledge it. Only the button acknowledges, not the
 * link: mail scanners open links.
 */
export default function AlertPage() {
  const [{ alert, trouble }, setState] = useState<State>(BEGINNING);
  const load = useCallback(async () => {
    const next = await read();
    // What was shown stays, unless the link is no longer valid.
    setState((shown) => (next.trouble?.mayRetry ? { ...next, alert: shown.alert } : next));
  }, []);
  useEffect(() => {
    const onShown = () => {
      if (document.visibilityState === 'visible') void load();
    };
    onShown();
    // Phones show the page as it was when the person comes back to it.
    document.addEventListener('visibilitychange', onShown);
    return () => document.removeEventListener('visibilitychange', onShown);
  }, [load]);
  const title = alert === null ? texts.title : headlineOf(alert, texts);
  return (
    <EntryPage
      title={title}
      view={alert === null ? 'none' : 'shown'}
      aside={alert === null ? undefined : texts.sentTo(alert.team, alert.sent_to)}
      links={<Links alert={alert} />}
    >
      {trouble !== null && (
        <>
          <Notice tone="bad">
            {alert === null ? trouble.text : `${texts.outdated} ${trouble.text}`}
          </Notice>
          {trouble.mayRetry && <Button onClick={() => void load()}>{words.common.retry}</Button>}
        </>
      )}
      {alert === null && trouble === null && <Notice>{texts.loading}</Notice>}
      {alert !== null && <Shown alert={alert} load={load} />}
    </EntryPage>
  );
}

function Links({ alert }: { alert: SentAlert | null }) {
  const [only, ...others] = alert?.incidents ?? [];
  if (only === undefined) return <PageLink to="/sign-in">{words.entry.signIn.title}</PageLink>;
  const path = others.length === 0 ? `/incidents/${only.id}` : '/incidents';
  return <PageLink to={path}>{texts.toDashboard}</PageLink>;
}

function Shown({ alert, load }: { alert: SentAlert; load: () => Promise<void> }) {
  const now = useNow();
  const { tone, text } = stateOf(alert, now, texts, words.time);
  const mayNot = !alert.can_acknowledge && alert.incidents.some(isWaiting);
  const button = useRef<HTMLDivElement>(null);
  const state = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // Opened by the button of a message: the button may be below the fold on a small screen.
    if (linkQuery.has('acknowledge')) button.current?.scrollIntoView({ block: 'center' });
  }, []);
  const acknowledge = async () => {
    await call('acknowledgeAlertLink', { body: { token } });
    await load();
    // The button that had the focus is gone; the state says that it worked.
    state.current?.focus();
  };
  return (
    <>
      {/* No live region: its duration changes all the time. */}
      <p className={`notice ${tone}`} tabIndex={-1} ref={state}>
        {text}
        {alert.shared_cause !== null && ` ${texts.inCommon(alert.shared_cause)}`}
      </p>
      {alert.can_acknowledge && (
        <div ref={button}>
          <Form
            submit={alert.open_count > 1 ? texts.acknowledgeAll : words.labels.acknowledge}
            onSubmit={acknowledge}
          >
            {null}
          </Form>
        </div>
      )}
      {mayNot && <p className="faint">{texts.mayNot}</p>}
      <AlertIncidents alert={alert} now={now} />
    </>
  );
}

/** Reads the alert. Never rejects. */
async function read(): Promise<State> {
  if (token === '') return { alert: null, trouble: { text: texts.noToken, mayRetry: false } };
  try {
    return { alert: await call('getAlertLink', { query: { token } }), trouble: null };
  } catch (error) {
    return { alert: null, trouble: troubleOf(error) };
  }
}

function troubleOf(error: unknown): Trouble {
  if (!(error instanceof ApiError)) return { text: words.errors.broken, mayRetry: true };
  // A link that is not valid stays so.
  const mayRetry = error.status === 0 || error.status >= 429;
  return { text: mayRetry ? error.message : words.alertLink.invalid, mayRetry };
}

/** A longer list of incidents is collapsed. */
const MAX_OPENED = 3;

/** The incidents of an alert, and how many it has beyond those. */
function AlertIncidents({ alert, now }: { alert: SentAlert; now: number }) {
  const { incidents, incidents_count: count } = alert;
  const zone = zoneOf(alert.timezone, browserZone());
  const hidden = count - incidents.length;
  return (
    <>
      <ul className="stack wrap entry-incidents">
        {incidents.map((incident) => (
          <li key={incident.id}>
            <Item incident={incident} count={count} zone={zone} now={now} />
          </li>
        ))}
      </ul>
      {hidden > 0 && <p className="faint">{words.alertLink.more(hidden)}</p>}
    </>
  );
}

function Item(props: {
  incident: AlertIncident;
  /** Incidents of the alert. */
  count: number;
  zone: string;
  now: number;
}) {
  const { incident, count, zone, now } = props;
  const body = <Body incident={incident} zone={zone} />;
  // The name and state of a single incident are above.
  if (count === 1) return body;
  const { monitor, started_at, ended_at } = incident;
  const tone = ended_at === null ? 'down' : 'dim';
  const problem = problemOf(incident, words.alertLink);
  if (count <= MAX_OPENED) {
    return (
      <>
        <h2>{monitor}</h2>
        <p className={tone}>{problem}</p>
        {body}
      </>
    );
  }
  const end = ended_at === null ? now : Date.parse(ended_at);
  return (
    <details>
      <summary>
        <h2>{monitor}</h2>
        <span className={tone}>
          {problem}, {duration(end - Date.parse(started_at) - unobservedMs(incident))}
        </span>
      </summary>
      {body}
    </details>
  );
}

/** How long an outage was observed to last, and for how long it was not. */
function lastedOf(incident: AlertIncident, ms: number): string {
  const unseen = unobservedMs(incident);
  const lasted = duration(ms - unseen);
  return unseen === 0 ? lasted : `${lasted} · ${words.alertLink.notObservedFor(duration(unseen))}`;
}

function Body({ incident, zone }: { incident: AlertIncident; zone: string }) {
  const { locale } = words.time;
  const { monitor, url, regions, vantage, evidence, started_at, ended_at } = incident;
  const from = Date.parse(started_at);
  const time = (at: string) => absolute(Date.parse(at), zone);
  const cause = causeOf(incident, zone, locale);
  return (
    <>
      {cause !== '' && (
        <p>
          <Cause>{cause}</Cause>
        </p>
      )}
      <Facts
        rows={[
          [isInspected(incident) ? texts.noticedAt : texts.since, time(started_at)],
          [words.entry.until, ended_at && time(ended_at)],
          [texts.lasted, ended_at && lastedOf(incident, Date.parse(ended_at) - from)],
          vantage === null
            ? [words.labels.regions, regions.length === 0 ? null : regions.join(', ')]
            : [texts.seenFrom, vantage],
          [
            texts.evidence,
            evidence && (
              <span key="evidence" lang="en">
                {evidence}
              </span>
            ),
          ],
          [words.labels.address, url === monitor ? null : url],
          [texts.acknowledged, acknowledgedText(incident, time)],
        ]}
      />
    </>
  );
}

function acknowledgedText(incident: AlertIncident, time: (at: string) => string): string | null {
  const { acknowledged_at: at } = incident;
  return at && [whoHasIt(incident), time(at)].filter((part) => part !== null).join(', ');
}
