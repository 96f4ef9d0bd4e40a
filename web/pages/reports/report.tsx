import { useState, type ReactNode } from 'react';
import { useLocation, useParams, useSearchParams } from 'wouter';
import { deleteShown, queries, useChange, useRead } from '../../app/api.ts';
import { API } from '../../app/place.ts';
import { useSession } from '../../app/session.tsx';
import { deleteReport, getReport, getReportData, startReportRun } from '../../client/sdk.gen.ts';
import type { Report } from '../../client/types.gen.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { confirm, Dialog } from '../../parts/dialog.tsx';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { openMenu } from '../../parts/menu.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { DayTime } from '../../parts/time.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { AdHocReport } from './ad-hoc.tsx';
import { dataQuery, fileUrl, readPeriod } from './period.ts';
import { PeriodBar } from './period-bar.tsx';
import { ReportForm } from './report-form.tsx';
import { ReportView } from './report-view.tsx';
import { RunButtons } from './runs.tsx';
import { Scope } from './reports.tsx';

/** A saved report with its figures for a chosen period, or one that is not saved. */
export default function ReportPage(): ReactNode {
  const { id } = useParams<{ id: string }>();
  return id === 'at-once' ? <AdHocReport /> : <SavedReport id={Number(id)} />;
}

function SavedReport({ id }: { id: number }): ReactNode {
  const report = useRead(['reports', id], () => getReport({ path: { id } }));
  if (report.error) return <Failure error={report.error} retry={() => void report.refetch()} />;
  return report.data === undefined ? <Waiting lines={6} /> : <Opened report={report.data} />;
}

function Opened({ report }: { report: Report }): ReactNode {
  const w = words.reports;
  const [search] = useSearchParams();
  const period = readPeriod(search, report.period);
  const isCorrected = search.get('corrected') !== 'false';
  const query = dataQuery(period, isCorrected);
  const data = useRead(['reports', report.id, 'data', query], () =>
    getReportData({ path: { id: report.id }, query }),
  );
  const isLarge = data.error?.status === 422 && !('from' in period);
  const url = `${API}/reports/${report.id}/data`;
  return (
    <>
      <PageHead
        title={report.name}
        crumbs={[{ text: w.title, href: '/reports' }, { text: report.name }]}
        text={<Summary report={report} />}
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
        {!isLarge &&
          (['csv', 'json'] as const).map((format) => (
            <a
              key={format}
              className="btn"
              href={fileUrl(url, query, format)}
              download={`${report.name}.${format}`}
            >
              <Icon name="download" />
              {format.toUpperCase()}
            </a>
          ))}
      </PeriodBar>
      {data.error && <Failure error={data.error} retry={() => void data.refetch()} />}
      {data.isPending && <Waiting lines={6} />}
      {data.data && <ReportView data={data.data} />}
    </>
  );
}

/** What the report is about, and when it is sent next. */
function Summary({ report }: { report: Report }): ReactNode {
  const w = words.reports;
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

function ReportActions({ report }: { report: Report }): ReactNode {
  const w = words.reports;
  const { isAtLeast } = useSession();
  const [, navigate] = useLocation();
  const [isEditing, setEditing] = useState(false);
  const send = useChange(
    () => startReportRun({ path: { id: report.id }, body: { mail: true } }),
    [],
  );
  if (!isAtLeast('editor')) return null;
  const askToDelete = () =>
    confirm({
      title: w.deleteReport(report.name),
      text: w.deleteReportText(report.recipients.length),
      action: words.common.delete,
      onConfirm: async () => {
        await deleteShown(['reports', report.id], () => deleteReport({ path: { id: report.id } }));
        say(w.deleted(report.name));
        navigate('/reports');
        void queries.invalidateQueries({ queryKey: ['reports'] });
      },
    });
  const askToSend = () =>
    confirm({
      title: w.sendTitle(report.name),
      text: w.sendText(w.periods[report.period], report.recipients.join(', ')),
      action: w.sendNow,
      look: 'primary',
      onConfirm: async () => {
        await send.mutateAsync(undefined);
        say(w.mailing(w.recipientCount(report.recipients.length)));
      },
    });
  return (
    <>
      {report.recipients.length > 0 && (
        <Button icon="channels" onClick={askToSend}>
          {w.sendNow}
        </Button>
      )}
      <Button icon="edit" onClick={() => setEditing(true)}>
        {words.common.edit}
      </Button>
      <IconButton
        icon="more"
        label={words.common.actionsFor(report.name)}
        aria-haspopup="menu"
        onClick={({ currentTarget }) =>
          openMenu({
            label: words.common.actionsFor(report.name),
            anchor: currentTarget,
            items: [{ text: w.deleteThis, icon: 'trash', isDanger: true, onSelect: askToDelete }],
          })
        }
      />
      {isEditing && (
        <Dialog title={w.edit(report.name)} size="large" onClose={() => setEditing(false)}>
          <ReportForm
            report={report}
            onCancel={() => setEditing(false)}
            onSaved={() => {
              say(w.saved);
              setEditing(false);
            }}
          />
        </Dialog>
      )}
    </>
  );
}
