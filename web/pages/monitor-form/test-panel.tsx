import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call, type ApiError, type MonitorSettings, type MonitorTest } from '../../app/client.ts';
import { usePlaces } from '../../app/regions.ts';
import { VOTE_STATUS } from '../../lib/display-status.ts';
import { duration } from '../../lib/format.ts';
import { Button } from '../../parts/button.tsx';
import { withLabels } from '../../parts/field-labels.ts';
import { Card } from '../../parts/page.tsx';
import { inMilliseconds, PhaseBar, PhaseLegend, scaleOf } from '../../parts/phases.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { words } from '../../words/index.ts';

type RegionTest = MonitorTest['regions'][number];

/** Checks what is typed, before it is saved, and shows what each region saw. */
export function TestPanel({ body, id }: { body: () => MonitorSettings; id: number | null }) {
  const { monitorForm } = words;
  const test = useMutation<MonitorTest, ApiError>({
    mutationFn: () => call('testMonitor', { body: { ...body(), ...(id !== null && { id }) } }),
  });
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (test.data !== undefined) result.current?.scrollIntoView({ block: 'nearest' });
  }, [test.data]);
  return (
    <Card
      className="mf-test"
      title={monitorForm.test}
      aside={
        <Button icon="play" isDisabled={test.isPending} onClick={() => test.mutate()}>
          {monitorForm.testNow}
        </Button>
      }
    >
      <div className="mf-test-body" role="status" aria-busy={test.isPending} ref={result}>
        {test.isPending && <p className="dim">{monitorForm.testing}</p>}
        {test.isIdle && <p className="dim">{monitorForm.testHint}</p>}
        {test.error && !test.isPending && <TestError error={test.error} />}
        {test.data && !test.isPending && <Outcome test={test.data} />}
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
          ` ${words.monitorForm.retryIn(duration(error.retryAfter * 1_000, words.time))}`}
      </p>
    );
  }
  return (
    <ul className="mf-list">
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
      <p className="mf-verdict b">
        <StatusShape displayStatus={status} isDecoration />
        {monitorForm.wouldBe[status]}
      </p>
      {problems.map(({ type, text }) => (
        <p key={type} className="dim">
          {text}
        </p>
      ))}
      <ul className="mf-regions">
        {test.regions.map((region) => (
          <RegionLine key={region.region} {...{ region, scale }} />
        ))}
      </ul>
      <PhaseLegend />
      {Object.keys(test.not_run).length > 0 && (
        <p className="xs dim">{Object.values(test.not_run).join(' ')}</p>
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
      <div className="mf-region">
        <StatusShape displayStatus={VOTE_STATUS[region.vote]} />
        <span>{places.checkOf(region.region)}</span>
        <span className="dim">
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
