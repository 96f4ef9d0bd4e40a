import { useEffect, useRef, useState } from 'react';
import { useLocation, useParams, useSearchParams } from 'wouter';
import { useRead } from '../../app/api.ts';
import { call, type Report, type ReportRun } from '../../app/client.ts';
import { API } from '../../app/place.ts';
import { useNow } from '../../app/clock.ts';
import { useSession } from '../../app/session.ts';
import { day } from '../../lib/format.ts';
import { Button } from '../../parts/button.tsx';
import { confirm, Dialog } from '../../parts/dialog.tsx';
import { useForm } from '../../parts/form.tsx';
import { Icon } from '../../parts/icon.tsx';
import { KeptMark, openKept } from '../../parts/kept.tsx';
import { MoreMenu } from '../../parts/menu.tsx';
import { Card, isLoaded, Loading, PageHead } from '../../parts/page.tsx';
import { Paging } from '../../parts/sections.tsx';
import { Table } from '../../parts/table.tsx';
import { at, DayTime } from '../../parts/time.tsx';
import { showToast, useAct } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { PeriodBar } from './period-bar.tsx';
import { dataQuery, fileUrl, readPeriod, type Period } from './period.ts';
import { reportCollection, ReportForm, ScopeFields, type ReportScope } from './report-form.tsx';
import { ReportView } from './report-view.tsx';
import { runFile, Scope } from './reports.tsx';

const w = words.reports;

/** A saved report with its figures for a chosen period, or one that is not saved. */
export default function ReportPage() {
  const { id } = useParams<{ id: string }>();
  return id === 'at-once' ? <AdHocReport /> : <SavedReport id={Number(id)} />;
}

function SavedReport({ id }: { id: number }) {
  const read = useRead('getReport', { path: { id } });
  return isLoaded(read) ? <Opened report={read.data} /> : <Loading reads={[read]} lines={6} />;
}

function Opened({ report }: { report: Report }) {
  const [search] = useSearchParams();
  const period = readPeriod(search, report.period);
  const isCorrected = search.get('corrected') !== 'false';
  const query = dataQuery(period, isCorrected);
  const data = useRead('getReportData', { path: { id: report.id }, query });
  const isLarge = data.error?.status === 422 && !('from' in period);
  const url = `${API}/reports/${report.id}/data`;
  return (
    <>
      <PageHead
        title={report.name}
        crumbs={[{ text: words.nav.reports, href: '/reports' }, { text: report.name }]}
        text={<Summary report={report} />}
        mark={<KeptMark section="reports" id={report.id} />}
        actions={<ReportActions report={report} />}
      />
      <PeriodBar
        period={period}
        isCorrected={isCorrected}
        isCompared={data.data?.total.compared !== null && data.data !== undefined}
      >
        <RunButtons
          report={report}
          period={period}
          isCorrected={isCorrected}
          formats={isLarge ? ['pdf', 'csv', 'json'] : ['pdf']}
        />
        {!isLarge && (
          <Files base={url} query={query} name={report.name} formats={['csv', 'json']} />
        )}
      </PeriodBar>
      <Loading reads={[data]} lines={6} />
      {data.data && <ReportView data={data.data} />}
      <Runs report={report} />
    </>
  );
}

/** Files that were made of a report and are kept, those of mails too; nothing without one. */
function Runs({ report: { id, timezone } }: { report: Report }) {
  const { zone } = useSession();
  const now = useNow(60_000);
  const dayOf = (time: number, of = zone) => day(time, now, of);
  const [page, setPage] = useState(1);
  const read = useRead('listReportRuns', { path: { id }, query: { page, per_page: 10 } });
  if (read.data === undefined || read.data.total === 0) return null;
  return (
    <Card title={w.runs}>
      <Table
        rows={read.data.data}
        keyOf={(run) => run.id}
        columns={[
          {
            name: w.made,
            render: ({ ended_at, created_at }) => <DayTime time={ended_at ?? created_at} />,
          },
          {
            name: words.labels.period,
            render: ({ from, to }) => (
              <span>
                {dayOf(at(from), timezone)} {w.to} {dayOf(at(to) - 1, timezone)}
              </span>
            ),
          },
          { name: words.terms.file, render: (run) => <RunFile run={run} /> },
          { name: w.sending, render: ({ mailed }) => (mailed ? w.byMail : w.notSent) },
          { name: w.keptUntil, render: ({ expires_at }) => dayOf(at(expires_at)) },
        ]}
      />
      <Paging page={page} last={read.data.last_page} onChange={setPage} />
    </Card>
  );
}

function RunFile({ run: { id, status, error, format, progress } }: { run: ReportRun }) {
  const name = format.toUpperCase();
  if (status === 'failed') return <span className="down">{error}</span>;
  if (status !== 'done') return words.reports.making(name, progress);
  return (
    <a className="link" href={runFile(id)} download>
      {words.reports.download(name)}
    </a>
  );
}

/** What the report is about, and when it is sent next. */
function Summary({ report }: { report: Report }) {
  const { frequency, next_mail_at, recipients } = report;
  return (
    <span>
      <Scope report={report} />
      {' · '}
      {next_mail_at === null || recipients.length === 0 ? (
        w.notSent
      ) : (
        <>
          {w.sentTo(w.frequencies[frequency], w.recipientCount(recipients.length))}{' '}
          <DayTime time={next_mail_at} />
        </>
      )}
    </span>
  );
}

function ReportActions({ report }: { report: Report }) {
  const { isAtLeast } = useSession();
  const [, navigate] = useLocation();
  if (!isAtLeast('editor')) return null;
  const edit = () =>
    openKept('reports', report.id, (onClose) => (
      <Dialog title={words.labels.editNamed(report.name)} size="large" onClose={onClose}>
        <ReportForm report={report} onCancel={onClose} onSaved={onClose} />
      </Dialog>
    ));
  const askToDelete = () =>
    reportCollection.askToDelete(report, {
      text: w.deleteReportText(report.recipients.length),
      leave: () => navigate('/reports'),
    });
  const askToSend = () =>
    confirm({
      title: w.sendTitle(report.name),
      text: w.sendText(w.periods[report.period], report.recipients.join(', ')),
      action: w.sendNow,
      look: 'primary',
      onConfirm: async () => {
        await call('startReportRun', { path: { id: report.id }, body: { mail: true } });
        showToast(w.mailing(w.recipientCount(report.recipients.length)));
      },
    });
  return (
    <>
      {report.recipients.length > 0 && (
        <Button icon="channels" onClick={askToSend}>
          {w.sendNow}
        </Button>
      )}
      <Button icon="edit" onClick={edit}>
        {words.common.edit}
      </Button>
      <MoreMenu
        label={words.common.actionsFor(report.name)}
        items={() => [{ text: w.deleteThis, icon: 'trash', isDanger: true, onSelect: askToDelete }]}
      />
    </>
  );
}

/** Report that is not saved, about the monitors that are chosen here. */
function AdHocReport() {
  const { zone } = useSession();
  const [search] = useSearchParams();
  const { draft: scope, set: setScope } = useForm<ReportScope>(
    {},
    { monitors: [], group_id: null, tags: [] },
  );
  const period = readPeriod(search, 'last_30_days');
  const isCorrected = search.get('corrected') !== 'false';
  const query = {
    ...dataQuery(period, isCorrected),
    ...(scope.monitors.length > 0 && { 'monitors[]': scope.monitors }),
    ...(scope.group_id !== null && { group_id: scope.group_id }),
    ...(scope.tags.length > 0 && { tag: scope.tags }),
    timezone: zone,
  };
  const data = useRead('getUptimeReport', { query });
  const language = words.time.locale.startsWith('de') ? 'de' : 'en';
  return (
    <>
      <PageHead
        title={w.atOnce}
        crumbs={[{ text: words.nav.reports, href: '/reports' }, { text: w.atOnce }]}
        text={w.atOnceHint}
      />
      <PeriodBar
        period={period}
        isCorrected={isCorrected}
        isCompared={data.data?.total.compared !== null && data.data !== undefined}
      >
        <Files
          base={`${API}/reports/uptime`}
          query={{ ...query, language }}
          name="report"
          formats={['pdf', 'csv', 'json']}
        />
      </PeriodBar>
      <div className="stack">
        <Card>
          <details className="mo-fold">
            <summary>
              <h2>{w.chooseMonitors}</h2>
            </summary>
            <div className="inset gap">
              <ScopeFields value={scope} onChange={setScope} />
            </div>
          </details>
        </Card>
        <Loading reads={[data]} lines={6} />
        {data.data && <ReportView data={data.data} />}
      </div>
    </>
  );
}

/** Links to files with the data that is shown. */
function Files(props: {
  base: string;
  query: Record<string, unknown>;
  name: string;
  formats: readonly ReportRun['format'][];
}) {
  const { base, query, name, formats } = props;
  return formats.map((format) => (
    <a
      key={format}
      className="btn"
      href={fileUrl(base, query, format)}
      download={`${name}.${format}`}
    >
      <Icon name="download" />
      {format.toUpperCase()}
    </a>
  ));
}

/** The live stream says nothing of runs: they are asked for this often. */
const POLL_MS = 700;

/** Buttons that make files in the background, show how far they are, and then download the file. */
function RunButtons(props: {
  report: Report;
  period: Period;
  isCorrected: boolean;
  formats: readonly ReportRun['format'][];
}) {
  const { report, period, isCorrected, formats } = props;
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

function RunButton(props: {
  report: Report;
  period: Period;
  isCorrected: boolean;
  format: ReportRun['format'];
}) {
  const { report, period, isCorrected, format } = props;
  const [runId, setRunId] = useState<number | null>(null);
  const [isOver, setOver] = useState(false);
  const { isBusy, run: begin } = useAct(async () => {
    setOver(false);
    const body = { ...period, format, corrected: isCorrected };
    const { id } = await call('startReportRun', { path: { id: report.id }, body });
    setRunId(id);
  });
  const run = useRead(
    'getReportRun',
    { path: { id: runId ?? 0 } },
    { enabled: runId !== null, ...(!isOver && { refetchInterval: POLL_MS }) },
  );
  const status = run.data?.status ?? null;
  if (!isOver && (status === 'done' || status === 'failed' || run.error !== null)) setOver(true);
  const name = format.toUpperCase();
  const file = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (status !== 'done') return;
    // Who asked for the file gets it; the button stays for another copy, with the focus of the one before it.
    if (document.activeElement === document.body) file.current?.focus();
    file.current?.click();
  }, [status]);
  if (run.data?.status === 'done') {
    return (
      <a className="btn primary" href={runFile(run.data.id)} download ref={file}>
        <Icon name="download" />
        {w.download(name)}
      </a>
    );
  }
  const isRunning = runId !== null && !isOver;
  const problem = run.error?.message ?? run.data?.error ?? null;
  return (
    <>
      <Button icon="download" isDisabled={isBusy || isRunning} onClick={() => void begin()}>
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
