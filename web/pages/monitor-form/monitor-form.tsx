import { useEffect, useRef, useState, type FocusEvent } from 'react';
import { useAnswer } from '../../app/answer.ts';
import { ApiError, call, type MonitorSettings, type MonitorTest } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { parseAnswer } from '../../lib/exact-json.ts';
import { faceOf, type MonitorType } from '../../lib/monitor-types.ts';
import { useAfterPause } from '../../parts/after-pause.ts';
import { withLabels } from '../../parts/field-labels.ts';
import { Form, useForm } from '../../parts/form.tsx';
import { useLeaveGuard } from '../../parts/leave-guard.ts';
import { words } from '../../words/index.ts';
import { CountsAsDown } from './down.tsx';
import { bodyOf, emptyDraft, type Draft } from './draft.ts';
import { errorsOfLeft, type Errors } from './parts.ts';
import { Section } from './fields.tsx';
import { Request } from './request.tsx';
import { HowOften, Notified, TypeCards, What, WhenExpected } from './schedule.tsx';
import { usePlaces } from '../../app/regions.ts';
import { VOTE_STATUS } from '../../lib/display-status.ts';
import { duration } from '../../lib/format.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/page.tsx';
import { inMilliseconds, PhaseBar, PhaseLegend, scaleOf } from '../../parts/phases.tsx';
import { StatusShape } from '../../parts/status.tsx';

/** Form of a monitor, with a test of what is typed beside it. */
export function MonitorForm({
  initial,
  id,
  onSave,
  onCancel,
}: {
  initial: Draft;
  /** Id of the monitor that is edited; null for a new one, which can still change its type. */
  id: number | null;
  onSave: (settings: MonitorSettings) => Promise<unknown>;
  onCancel: () => void;
}) {
  const { zone } = useSession();
  const { draft, saved, set, form } = useForm(null, initial);
  const body = () => bodyOf(draft);
  const live = useLiveErrors(bodyOf(draft), id);
  useLeaveGuard(draft, saved);
  const save = async () => {
    try {
      await onSave(body());
    } catch (error) {
      if (error instanceof ApiError) live.attempted();
      throw error;
    }
  };
  /** What both types have stays as it was typed. */
  const { isPush, isWeb } = faceOf(draft.type);
  const changeType = (type: MonitorType) =>
    set({ type, inspections: emptyDraft(type, zone).inspections });
  const parts = { draft, set };
  const test = useAnswer(() =>
    call('testMonitor', { body: { ...body(), ...(id !== null && { id }) } }),
  );
  return (
    <div className="cols2 mf" onBlur={live.onBlur}>
      <Form
        {...form}
        texts={words.monitorForm.fields}
        submit={id === null ? words.monitorForm.create : words.common.save}
        onSubmit={save}
        onCancel={onCancel}
        live={live.errors}
        actions={
          !isPush && (
            <span className="mf-test-too">
              <Button icon="play" isDisabled={test.isPending} onClick={() => void test.send()}>
                {words.monitorForm.testNow}
              </Button>
            </span>
          )
        }
      >
        <div className="stack">
          {id === null && <TypeCards type={draft.type} onChange={changeType} />}
          <What {...parts} />
          {isPush ? <WhenExpected draft={draft} /> : <HowOften {...parts} />}
          <CountsAsDown {...parts} ownId={id} />
          {isWeb && (
            <Section title={words.monitorForm.howAsked}>
              <Request {...parts} />
            </Section>
          )}
          <Notified {...parts} />
        </div>
      </Form>
      {!isPush && <TestPanel test={test} />}
    </div>
  );
}

/** Errors of what is typed. */
interface LiveErrors {
  /** Errors of the fields that were left; null before the first one. */
  errors: Errors | null;
  /** Validates when a field is left. For `onBlur` around the form. */
  onBlur: (event: FocusEvent) => void;
  /** Errors of an attempt to save count until something changes; then those of all fields are shown. */
  attempted: () => void;
}

/**
 * Validates a form when a field is left, and from then on while somebody types. Only the newest settings count.
 *
 * @param settings what is typed now
 * @param id of the monitor that is edited, else null
 */
function useLiveErrors(settings: MonitorSettings, id: number | null): LiveErrors {
  const [errors, setErrors] = useState<Errors | null>(null);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  /** Settings of the last attempt to save, whose errors the form shows itself. */
  const [attempt, setAttempt] = useState<string | null>(null);
  const text = JSON.stringify({ ...settings, ...(id !== null && { id }) });
  const isStarted = (left.size > 0 || attempt !== null) && text !== attempt;
  const validated = useRef('');
  useAfterPause(isStarted ? text : null, async (typed, signal) => {
    if (typed === validated.current) return;
    const found = await errorsOf(typed, signal);
    if (found === null || signal.aborted) return;
    validated.current = typed;
    setErrors(withLabels(found, document));
  });
  return {
    errors: errors === null || attempt !== null ? errors : errorsOfLeft(errors, left),
    onBlur: ({ target }) => {
      const name = target.getAttribute('name') ?? '';
      if (name !== '' && !left.has(name)) setLeft(new Set([...left, name]));
    },
    attempted: () => {
      validated.current = '';
      setAttempt(text);
      setErrors(null);
    },
  };
}

/** Errors of settings; null when they could not be validated. @param text JSON of them */
async function errorsOf(text: string, signal: AbortSignal): Promise<Errors | null> {
  try {
    const body = parseAnswer(text) as MonitorSettings;
    return (await call('validateMonitor', { body, signal })).errors;
  } catch {
    return null;
  }
}

type RegionTest = MonitorTest['regions'][number];

/** Checks what is typed, before it is saved, and shows what each region saw. */
function TestPanel(props: { test: ReturnType<typeof useAnswer<[], MonitorTest>> }) {
  const { monitorForm } = words;
  const { isPending, data, error, send } = props.test;
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isPending || data || error) result.current?.scrollIntoView({ block: 'nearest' });
  }, [isPending, data, error]);
  return (
    <Card
      className="stays"
      title={monitorForm.test}
      aside={
        <Button icon="play" isDisabled={isPending} onClick={() => void send()}>
          {monitorForm.testNow}
        </Button>
      }
    >
      <div className="inset sm wrap gap" role="status" aria-busy={isPending} ref={result}>
        {isPending && <p className="dim">{monitorForm.testing}</p>}
        {!isPending && !data && !error && <p className="dim">{monitorForm.testHint}</p>}
        {error && <TestError error={error} />}
        {data && <Outcome test={data} />}
      </div>
    </Card>
  );
}

/** Fields that keep the test from running, or why it failed. */
function TestError({ error }: { error: ApiError }) {
  const errors = withLabels(error.errors, document);
  const messages = Object.values(errors).flatMap(([message]) => message ?? []);
  if (messages.length === 0) {
    return (
      <p className="down">
        {error.message}
        {error.retryAfter !== null &&
          ` ${words.monitorForm.retryIn(duration(error.retryAfter * 1_000))}`}
      </p>
    );
  }
  return (
    <ul className="gap start mf-list">
      {messages.map((message) => (
        <li key={message} className="down">
          {message}
        </li>
      ))}
    </ul>
  );
}

function Outcome({ test }: { test: MonitorTest }) {
  const { monitorForm } = words;
  const { status, problems } = test.verdict;
  const scale = scaleOf(test.regions.map(({ timings }) => timings));
  return (
    <>
      <p className="line b">
        <StatusShape displayStatus={status} isDecoration />
        {monitorForm.wouldBe[status]}
      </p>
      {problems.map(({ type, text }) => (
        <p key={type} className="dim">
          {text}
        </p>
      ))}
      <ul className="gap mf-regions">
        {test.regions.map((region) => (
          <RegionLine key={region.region} {...{ region, scale }} />
        ))}
      </ul>
      <PhaseLegend />
      {Object.keys(test.not_run).length > 0 && (
        <p className="xs dim">
          {Object.entries(test.not_run)
            .map(([kind, why]) => (kind === 'ssl' ? words.monitor.certificate.notHttps : why))
            .join(' ')}
        </p>
      )}
    </>
  );
}

function RegionLine({ region, scale }: { region: RegionTest; scale: number }) {
  const { timings, content } = region;
  const places = usePlaces();
  // The error of content that fails is among its outcomes.
  const error = content?.passed === false ? null : region.error;
  return (
    <li>
      <div className="line">
        <StatusShape displayStatus={VOTE_STATUS[region.vote]} />
        <span>{places.checkOf(region.region)}</span>
        <span className="dim end">
          {[
            region.status_code === null ? '' : String(region.status_code),
            region.response_time === null ? '' : inMilliseconds(region.response_time),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </div>
      <PhaseBar times={timings} scale={scale} />
      {error !== null && <p className="xs down">{error}</p>}
      {content?.outcomes.map(({ passed, text }) => (
        <p key={text} className={passed ? 'xs up' : 'xs down'}>
          {text}
        </p>
      ))}
    </li>
  );
}
