import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../app/api.ts';
import { API } from '../../app/place.ts';
import { useSession } from '../../app/session.tsx';
import { getReportRun, startReportRun } from '../../client/sdk.gen.ts';
import type { Report, ReportRun } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { sayError } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import type { Period } from './period.ts';

/** The live stream says nothing of runs: they are asked for this often, in milliseconds. */
const POLL_MS = 700;

/** Buttons that make files in the background, show how far they are, and then download the file. */
export function RunButtons({
  report,
  period,
  isCorrected,
  formats,
}: {
  report: Report;
  period: Period;
  isCorrected: boolean;
  formats: readonly ReportRun['format'][];
}): ReactNode {
  const { isAtLeast } = useSession();
  if (!isAtLeast('editor')) return null;
  return formats.map((format) => (
    // A file of another period is another file.
    <RunButton
      key={`${format} ${JSON.stringify(period)} ${isCorrected}`}
      {...{ report, period, isCorrected, format }}
    />
  ));
}

function RunButton({
  report,
  period,
  isCorrected,
  format,
}: {
  report: Report;
  period: Period;
  isCorrected: boolean;
  format: ReportRun['format'];
}): ReactNode {
  const w = words.reports;
  const [runId, setRunId] = useState<number | null>(null);
  const start = useChange(
    () =>
      startReportRun({
        path: { id: report.id },
        body: { ...period, format, corrected: isCorrected },
      }),
    [],
  );
  const [isOver, setOver] = useState(false);
  const run = useRead(['report-run', runId], () => getReportRun({ path: { id: runId ?? 0 } }), {
    enabled: runId !== null,
    ...(!isOver && { refetchInterval: POLL_MS }),
  });
  const status = run.data?.status ?? null;
  if (!isOver && (status === 'done' || status === 'failed' || run.error !== null)) setOver(true);
  const name = format.toUpperCase();
  const file = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // Who asked for the file gets it; the button stays for another copy.
    if (status === 'done') file.current?.click();
  }, [status]);
  if (run.data?.status === 'done') {
    return (
      <a
        className="btn primary"
        href={`${API}/report-runs/${run.data.id}/file`}
        download
        ref={file}
      >
        <Icon name="download" />
        {w.download(name)}
      </a>
    );
  }
  const isRunning = runId !== null && !isOver;
  const begin = () => {
    setOver(false);
    start.mutate(undefined, { onSuccess: ({ id }) => setRunId(id), onError: sayError });
  };
  const problem = run.error?.message ?? run.data?.error ?? null;
  return (
    <>
      <Button icon="download" isBusy={start.isPending || isRunning} onClick={begin}>
        {isRunning ? w.making(name, run.data?.progress ?? 0) : name}
      </Button>
      {isRunning && (
        <progress
          className="vh"
          max={100}
          value={run.data?.progress ?? 0}
          aria-label={w.making(name, run.data?.progress ?? 0)}
        />
      )}
      {isOver && problem !== null && (
        <span className="xs down" role="alert">
          {problem}
        </span>
      )}
    </>
  );
}
