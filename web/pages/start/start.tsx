import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ask, queries, type ApiError } from '../../app/api.ts';
import { useMutation } from '@tanstack/react-query';
import { useSession } from '../../app/session.tsx';
import { createMonitor } from '../../client/sdk.gen.ts';
import type { Monitor } from '../../client/types.gen.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Empty } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { NeedsRole } from '../../parts/needs-role.tsx';
import { words } from '../../words/index.ts';
import { FirstPing, FirstResults } from './first-results.tsx';
import { TellMe } from './tell-me.tsx';
import { recognize } from './recognize.ts';

/** Minutes between checks of a monitor made here, or the least that the plan allows. */
const EVERY_MINUTES = 1;

/** First minutes: one field, the first result live, and a mail when it breaks. */
export default function StartPage(): ReactNode {
  const { isAtLeast } = useSession();
  const [made, setMade] = useState<Monitor | null>(null);
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
      <Steps step={made === null ? 1 : 2} />
      {made === null ? <Field onMade={setMade} /> : <Watching monitor={made} />}
    </div>
  );
}

/** Where one is: account, first monitor, alerts. */
function Steps({ step }: { step: number }): ReactNode {
  return (
    <ol className="st-steps">
      {words.start.steps.map((name, index) => (
        <li
          key={name}
          className={index < step ? 'done' : ''}
          aria-current={index === step ? 'step' : undefined}
        >
          {index < step ? <Icon name="check" /> : <span className="st-dot" aria-hidden="true" />}
          {name}
        </li>
      ))}
    </ol>
  );
}

function Field({ onMade }: { onMade: (monitor: Monitor) => void }): ReactNode {
  const { start } = words;
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const { plan } = useSession();
  const interval = Math.max(EVERY_MINUTES, plan?.limits.min_check_interval ?? 0);
  const create = useMutation<Monitor, ApiError, string>({
    mutationFn: (typed) => ask(createMonitor({ body: recognize(typed, start.jobName, interval) })),
    onSuccess: async (monitor) => {
      onMade(monitor);
      await Promise.all(
        ['monitors', 'plan'].map((noun) => queries.invalidateQueries({ queryKey: [noun] })),
      );
    },
  });
  useEffect(() => field.current?.focus(), []);
  const [message] = Object.values(create.error?.errors ?? {})[0] ?? [create.error?.message];
  return (
    <>
      <PageHead title={start.title} text={start.text} />
      <form
        className="st-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '' && !create.isPending) create.mutate(text);
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
          aria-invalid={create.error ? true : undefined}
          aria-describedby="start-error start-hint"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" look="primary" isBusy={create.isPending}>
          {start.watch}
        </Button>
      </form>
      <p id="start-error" className="st-error down" role="alert">
        {create.error && message}
      </p>
      <p id="start-hint" className="xs dim">
        {start.hint}
      </p>
      <div className="row st-next">
        <ButtonLink look="ghost" href="/monitors/new">
          {start.allSettings}
        </ButtonLink>
        <ButtonLink look="ghost" href="/monitors">
          {start.later}
        </ButtonLink>
      </div>
    </>
  );
}

/** The first monitor, live, then the next steps. */
function Watching({ monitor }: { monitor: Monitor }): ReactNode {
  const head = useRef<HTMLDivElement>(null);
  useEffect(() => head.current?.querySelector('h1')?.focus(), []);
  return (
    <div ref={head}>
      {monitor.monitor_type === 'heartbeat' ? (
        <FirstPing monitor={monitor} />
      ) : (
        <FirstResults monitor={monitor} />
      )}
      <TellMe />
      <section className="card st-card">
        <div>
          <h2>{words.start.pageTitle}</h2>
          <p className="dim">{words.start.pageText}</p>
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
      </div>
    </div>
  );
}
