import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useRead } from '../../app/api.ts';
import { useNow } from '../../app/clock.ts';
import { useSession } from '../../app/session.tsx';
import { listReports } from '../../client/sdk.gen.ts';
import type { Report } from '../../client/types.gen.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty, Failure, Waiting } from '../../parts/failure.tsx';
import { useMonitors } from '../../parts/monitor-picker.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Paging } from '../../parts/paging.tsx';
import { at, DayTime } from '../../parts/time.tsx';
import { relative } from '../../lib/format.ts';
import { words } from '../../words/index.ts';
import { BudgetsCard } from './budgets-card.tsx';

/** Saved reports, and when the next one is sent. */
export default function ReportsPage(): ReactNode {
  const w = words.reports;
  const { isAtLeast } = useSession();
  const [page, setPage] = useState(1);
  const reports = useRead(['reports', 'list', page], () =>
    listReports({ query: { page, sort: 'name' } }),
  );
  const actions = (
    <>
      <ButtonLink href="/reports/at-once">{w.atOnce}</ButtonLink>
      {isAtLeast('editor') && (
        <ButtonLink href="/reports/new" icon="plus" look="primary">
          {w.create}
        </ButtonLink>
      )}
    </>
  );
  if (reports.error) return <Failure error={reports.error} retry={() => void reports.refetch()} />;
  if (reports.data === undefined) return <Waiting lines={3} />;
  const { data, last_page, total } = reports.data;
  if (total === 0) {
    return (
      <>
        <PageHead title={w.title} />
        <div className="stack">
          <Card>
            <Empty title={w.empty} text={w.emptyHint}>
              <div className="row">{actions}</div>
            </Empty>
          </Card>
          <BudgetsCard />
        </div>
      </>
    );
  }
  return (
    <>
      <PageHead title={<Headline reports={data} />} tabTitle={w.title} actions={actions} />
      <div className="stack">
        <Card title={w.title}>
          <table className="stacked">
            <thead>
              <tr>
                <th>{w.name}</th>
                <th>{w.about}</th>
                <th>{w.period}</th>
                <th>{w.sending}</th>
                <th>{w.recipients}</th>
              </tr>
            </thead>
            <tbody>
              {data.map((report) => (
                <ReportRow key={report.id} report={report} />
              ))}
            </tbody>
          </table>
          <Paging page={page} last={last_page} onChange={setPage} />
        </Card>
        <BudgetsCard />
      </div>
    </>
  );
}

/** When the next report is sent. */
function Headline({ reports }: { reports: readonly Report[] }): ReactNode {
  const w = words.reports;
  const { zone } = useSession();
  const now = useNow(60_000);
  const next = reports
    .flatMap(({ name, next_mail_at }) =>
      next_mail_at === null ? [] : [{ name, time: at(next_mail_at) }],
    )
    .toSorted((a, b) => a.time - b.time)[0];
  return next === undefined
    ? w.noneSent
    : w.nextSent(next.name, relative(next.time, now, zone, words.time));
}

function ReportRow({ report }: { report: Report }): ReactNode {
  const w = words.reports;
  const { id, name, period, frequency, next_mail_at, recipients } = report;
  return (
    <tr>
      <td className="rp-name">
        <Link className="b clip" href={`/reports/${id}`} title={name}>
          {name}
        </Link>
      </td>
      <td data-label={w.about}>
        <Scope report={report} />
      </td>
      <td data-label={w.period}>{w.periods[period]}</td>
      <td data-label={w.sending}>
        <div>
          {w.frequencies[frequency]}
          {next_mail_at !== null && (
            <span className="xs dim rp-next">
              {w.next} <DayTime time={next_mail_at} />
            </span>
          )}
        </div>
      </td>
      <td data-label={w.recipients} title={recipients.join(', ')}>
        {recipients.length === 0 ? (
          <span className="faint">{words.common.none}</span>
        ) : (
          w.recipientCount(recipients.length)
        )}
      </td>
    </tr>
  );
}

/** Monitors that a report is about, in words. */
export function Scope({
  report: { monitors, group_id, tags },
}: {
  report: Pick<Report, 'monitors' | 'group_id' | 'tags'>;
}): ReactNode {
  const w = words.reports;
  const overview = useMonitors();
  const group = overview.data?.groups.find(({ id }) => id === group_id)?.name;
  const parts = [
    ...(group_id === null ? [] : [group ?? w.groupNumber(group_id)]),
    ...tags.map((tag) => w.tagged(tag)),
    ...(monitors.length === 0 ? [] : [w.monitorCount(monitors.length)]),
  ];
  return parts.length === 0 ? w.allMonitors : parts.join(', ');
}
