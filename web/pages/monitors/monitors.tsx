import { useDeferredValue, useMemo, useState, type ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { getMonitorOverview } from '../../client/sdk.gen.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Empty, Failure, Waiting } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { BarLegend } from '../../parts/time-bar.tsx';
import { words } from '../../words/index.ts';
import { MonitorList } from './list.tsx';
import { OpenIncidents, openIncidentsOf } from './open-incidents.tsx';
import type { Overview } from './overview-types.ts';
import {
  filterRows,
  groupsBelow,
  isFiltering,
  linesOf,
  NO_FILTER,
  readFilter,
  rowsOf,
  writeFilter,
  type Filter,
} from './rows.ts';
import { openRowMenu } from './row-menu.ts';
import { summary } from './sentences.ts';
import { Toolbar } from './toolbar.tsx';

/** All monitors: is anything down right now? */
export default function MonitorsPage(): ReactNode {
  const overview = useRead(['monitors', 'overview'], () => getMonitorOverview());
  if (overview.error && overview.data === undefined)
    return <Failure error={overview.error} retry={() => void overview.refetch()} />;
  if (overview.data === undefined) return <Waiting lines={8} />;
  return <Monitors overview={overview.data} />;
}

function Monitors({ overview }: { overview: Overview }): ReactNode {
  const { isAtLeast } = useSession();
  const rows = useMemo(() => rowsOf(overview), [overview]);
  const { standing, title, text } = useMemo(() => summary(rows), [rows]);
  const incidents = useMemo(() => openIncidentsOf(overview.monitors), [overview]);
  if (rows.length === 0) {
    return (
      <>
        <PageHead title={words.monitors.title} />
        <section className="card">
          <Empty title={words.monitors.emptyTitle} text={words.monitors.emptyText}>
            {isAtLeast('editor') ? (
              <ButtonLink look="primary" href="/start">
                {words.monitors.emptyAction}
              </ButtonLink>
            ) : (
              <p>{words.errors.needsRole(words.roles.editor)}</p>
            )}
          </Empty>
        </section>
      </>
    );
  }
  return (
    <>
      <PageHead
        standing={standing}
        title={title}
        text={text}
        actions={
          <>
            <ButtonLink icon="globe" href="/check">
              {words.nav.check}
            </ButtonLink>
            {isAtLeast('editor') && (
              <ButtonLink look="primary" icon="plus" href="/monitors/new">
                {words.nav.newMonitor}
              </ButtonLink>
            )}
          </>
        }
      />
      <OpenIncidents monitors={incidents} />
      <Listing overview={overview} />
    </>
  );
}

/** Filters and the list. The list follows the filter a moment later, so that typing never waits for it. */
function Listing({ overview }: { overview: Overview }): ReactNode {
  const [, navigate] = useLocation();
  const search = useSearch();
  const filter = useMemo(() => readFilter(search), [search]);
  const setFilter = (next: Filter) => navigate(`/monitors${writeFilter(next)}`, { replace: true });
  const deferred = useDeferredValue(filter);
  const [closed, setClosed] = useState<ReadonlySet<number | null>>(new Set());
  const rows = useMemo(() => rowsOf(overview), [overview]);
  const found = useMemo(
    () => filterRows(rows, deferred, (id) => groupsBelow(overview.groups, id)),
    [rows, deferred, overview],
  );
  const lines = useMemo(
    () => linesOf(found, overview.groups, deferred.sort, closed),
    [found, overview, deferred, closed],
  );
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  return (
    <>
      <Toolbar rows={rows} filter={filter} onChange={setFilter} />
      <section className="card list">
        <div className="m cols wide" aria-hidden="true">
          <span />
          <span>{words.monitors.columns.monitor}</span>
          <span>{words.monitors.columns.regions}</span>
          <span>{words.monitors.columns.day}</span>
          <span className="num">{words.monitors.columns.now}</span>
          <span className="num">{words.monitors.columns.uptime}</span>
          <span />
        </div>
        {found.length === 0 ? (
          <Empty title={words.monitors.noMatch}>
            {isFiltering(filter) && (
              <Button onClick={() => setFilter({ ...NO_FILTER, sort: filter.sort })}>
                {words.monitors.clearFilters}
              </Button>
            )}
          </Empty>
        ) : (
          <MonitorList
            lines={lines}
            regions={overview.regions}
            selected={selected}
            onSelect={(id) => setSelected(toggled(selected, id))}
            onMenu={openRowMenu}
            onToggleGroup={(id) => setClosed(toggled(closed, id))}
          />
        )}
      </section>
      <div className="m-legend">
        <BarLegend />
      </div>
    </>
  );
}

function toggled<Value>(set: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}
