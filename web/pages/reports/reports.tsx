import { useState } from 'react';
import { Link } from 'wouter';
import { useRead } from '../../app/api.ts';
import { type ListedSlo, type Report } from '../../app/client.ts';
import { API } from '../../app/place.ts';
import { useNow } from '../../app/clock.ts';
import { useSession } from '../../app/session.ts';
import { duration, percent, relative } from '../../lib/format.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Meter } from '../../parts/bars.tsx';
import { useMonitors } from '../../parts/monitor-picker.tsx';
import { Card, Empty, Failure, isLoaded, Loading, PageHead } from '../../parts/page.tsx';
import { Paging } from '../../parts/sections.tsx';
import { Table } from '../../parts/table.tsx';
import { at, DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { byBudgetLeft, lookOf, objectiveOf, shareOf } from './budgets.ts';

const w = words.reports;

/** Saved reports, and when the next one is sent. */
export default function ReportsPage() {
  const { isAtLeast } = useSession();
  const [page, setPage] = useState(1);
  const reports = useRead('listReports', { query: { page, sort: 'name' } });
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
  if (!isLoaded(reports)) return <Loading reads={[reports]} lines={3} />;
  const { data, last_page, total } = reports.data;
  if (total === 0) {
    return (
      <>
        <PageHead title={words.nav.reports} />
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
      <PageHead
        title={<Headline reports={data} />}
        tabTitle={words.nav.reports}
        actions={actions}
      />
      <div className="stack">
        <Card title={words.nav.reports}>
          <Table
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              {
                name: words.labels.name,
                render: ({ id, name }) => (
                  <Link className="b clip" href={`/reports/${id}`} title={name}>
                    {name}
                  </Link>
                ),
                className: 'rp-name',
              },
              { name: w.about, render: (report) => <Scope report={report} /> },
              { name: words.labels.period, render: ({ period }) => w.periods[period] },
              {
                name: w.sending,
                render: ({ frequency, next_mail_at: next }) => (
                  <div>
                    {w.frequencies[frequency]}
                    {next !== null && (
                      <span className="xs dim block nowrap">
                        {words.terms.next} <DayTime time={next} />
                      </span>
                    )}
                  </div>
                ),
              },
              {
                name: w.recipients,
                render: ({ recipients }) =>
                  recipients.length === 0 ? (
                    <span className="faint">{words.common.none}</span>
                  ) : (
                    <span title={recipients.join(', ')}>{w.recipientCount(recipients.length)}</span>
                  ),
              },
              {
                name: w.lastFile,
                render: ({ last_run: run }) =>
                  run === null ? (
                    <span className="faint">{words.common.none}</span>
                  ) : (
                    <a className="link" href={runFile(run.id)} download>
                      <DayTime time={run.ended_at} />
                    </a>
                  ),
              },
            ]}
          />
          <Paging page={page} last={last_page} onChange={setPage} />
        </Card>
        <BudgetsCard />
      </div>
    </>
  );
}

/** When the next report is sent. */
function Headline({ reports }: { reports: readonly Report[] }) {
  const { zone } = useSession();
  const now = useNow(60_000);
  const next = reports
    .flatMap(({ name, next_mail_at }) =>
      next_mail_at === null ? [] : [{ name, time: at(next_mail_at) }],
    )
    .toSorted((a, b) => a.time - b.time)[0];
  return next === undefined ? w.noneSent : w.nextSent(next.name, relative(next.time, now, zone));
}

/** Address of the file of a run. */
export const runFile = (id: number) => `${API}/report-runs/${id}/file`;

/** Monitors that a report is about, in words. */
export function Scope(props: { report: Pick<Report, 'monitors' | 'group_id' | 'tags'> }) {
  const {
    report: { monitors, group_id, tags },
  } = props;
  const overview = useMonitors();
  const group = overview.data?.groups.find(({ id }) => id === group_id)?.name;
  const parts = [
    ...(group_id === null ? [] : [group ?? w.groupNumber(group_id)]),
    ...tags.map((tag) => w.tagged(tag)),
    ...(monitors.length === 0 ? [] : [words.terms.monitorCount(monitors.length)]),
  ];
  return parts.length === 0 ? w.allMonitors : parts.join(', ');
}

/** Budgets move with time, without an event of the live stream */
const REFRESH_MS = 60_000;
/** Budgets that are shown until all are asked for. */
const SHOWN_AT_FIRST = 8;

/** Error budgets of the team, those with the least left first; nothing where no monitor has an objective. */
function BudgetsCard() {
  const [isWhole, setWhole] = useState(false);
  const read = useRead('listSlos', { query: { per_page: 100 } }, { refetchInterval: REFRESH_MS });
  if (read.error) return <Failure error={read.error} retry={() => void read.refetch()} />;
  if (read.data === undefined || read.data.total === 0) return null;
  const { data, total } = read.data;
  const sorted = byBudgetLeft(data);
  const shown = isWhole ? sorted : sorted.slice(0, SHOWN_AT_FIRST);
  return (
    <Card
      title={w.budgets}
      aside={total > data.length && <span className="xs dim">{w.shownOf(data.length, total)}</span>}
    >
      <Table
        rows={shown}
        keyOf={({ id }) => id}
        columns={[
          {
            name: words.nav.monitors,
            render: ({ monitor_id: id, name }) => (
              <Link className="b clip" href={`/monitors/${id}`} title={name ?? undefined}>
                {name ?? `#${id}`}
              </Link>
            ),
            className: 'rp-name',
          },
          { name: w.target, render: (slo) => objectiveOf(slo) },
          {
            name: w.budgetShare,
            render: ({ error_budget: budget }) => (
              <Meter
                share={shareOf(budget)}
                look={lookOf(budget)}
                label={words.slo.bar(percent(shareOf(budget)))}
              />
            ),
            className: 'rp-meter',
            kind: 'bare',
          },
          {
            name: words.slo.spent,
            render: ({ error_budget }) => duration(error_budget.spent_seconds * 1_000),
          },
          { name: w.left, render: (slo) => <Left slo={slo} /> },
        ]}
      />
      {shown.length < sorted.length && (
        <div className="row over form-end">
          <Button onClick={() => setWhole(true)}>{words.terms.showAll(sorted.length)}</Button>
        </div>
      )}
    </Card>
  );
}

function Left({ slo: { error_budget: budget, burning } }: { slo: ListedSlo }) {
  const look = lookOf(budget);
  const length = duration(Math.abs(budget.left_seconds) * 1_000);
  return (
    <div className={look === 'up' ? '' : `b ${look}`}>
      {look === 'down' ? words.reports.budgetOver(length) : length}
      {burning !== null && <span className="xs block nowrap">{words.slo.burning[burning]}</span>}
    </div>
  );
}
