import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { ApiError, ask } from '../../app/ask.ts';
import { useNow } from '../../app/clock.ts';
import { linkQuery } from '../../app/link-query.ts';
import { acknowledgeAlertLink, getAlertLink } from '../../client/sdk.gen.ts';
import type { SentAlert } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Form } from '../../parts/form.tsx';
import { words } from '../../words/index.ts';
import { AlertIncidents } from './alert-incidents.tsx';
import { headlineOf, isWaiting, stateOf } from './alert-text.ts';
import { EntryPage, Notice, PageLink } from './frame.tsx';

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
export default function AlertPage(): ReactNode {
  const { alert: texts } = words.entry;
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

function Links({ alert }: { alert: SentAlert | null }): ReactNode {
  const { alert: texts, signIn } = words.entry;
  const [only, ...others] = alert?.incidents ?? [];
  if (only === undefined) return <PageLink to="/sign-in">{signIn.title}</PageLink>;
  const path = others.length === 0 ? `/incidents/${only.id}` : '/incidents';
  return <PageLink to={path}>{texts.toDashboard}</PageLink>;
}

function Shown({ alert, load }: { alert: SentAlert; load: () => Promise<void> }): ReactNode {
  const { alert: texts } = words.entry;
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
    await ask(acknowledgeAlertLink({ body: { token } }));
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
            submit={alert.open_count > 1 ? texts.acknowledgeAll : texts.acknowledge}
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
  const { alert: texts } = words.entry;
  if (token === '') return { alert: null, trouble: { text: texts.noToken, mayRetry: false } };
  try {
    return { alert: await ask(getAlertLink({ query: { token } })), trouble: null };
  } catch (error) {
    return { alert: null, trouble: troubleOf(error) };
  }
}

function troubleOf(error: unknown): Trouble {
  if (!(error instanceof ApiError)) return { text: words.errors.broken, mayRetry: true };
  // A link that is not valid stays so.
  const mayRetry = error.status === 0 || error.status >= 429;
  return { text: mayRetry ? error.message : words.entry.alert.invalid, mayRetry };
}
