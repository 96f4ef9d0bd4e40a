import {
  lazy,
  memo,
  Suspense,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { reread } from '../../app/api.ts';
import { call, type MonitorOverview, type OverviewMonitor } from '../../app/client.ts';
import { useNow } from '../../app/clock.ts';
import { useOverview } from '../../app/overview.ts';
import { usePlaces, type View } from '../../app/regions.ts';
import { useSession } from '../../app/session.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Empty, isLoaded, Loading, NeedsRole, PageHead, Waiting } from '../../parts/page.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { ClockTime, DayTime, Since } from '../../parts/time.tsx';
import { useAct } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import {
  afterClick,
  filterRows,
  groupsBelow,
  isOfStatus,
  linesOf,
  rowsOf,
  sortRows,
  votesNow,
  type Line,
  type Row,
} from './rows.ts';
import { openCause, summary, whoSees } from './sentences.ts';
import { whoHasIt } from '../../lib/who-has-it.ts';
import { count } from '../../lib/format.ts';
import { whenReachable } from '../../lib/when-reachable.ts';
import { BarLegend } from '../../parts/bars.tsx';
import { isFiltering, NO_FILTER, readFilter, writeFilter, type Filter } from './filter.ts';
import { useClosedGroups, useSavedFilters } from './kept-state.ts';
import { MonitorList } from './list.tsx';
import type { RowActions } from './row.tsx';
import { Toolbar } from './toolbar.tsx';

/** All monitors: is anything down right now? */
export default function MonitorsPage() {
  const overview = useOverview();
  if (!isLoaded(overview)) return <Loading reads={[overview]} lines={8} />;
  return <Monitors overview={overview.data} />;
}

function Monitors({ overview }: { overview: MonitorOverview }) {
  const { isAtLeast } = useSession();
  const rows = useMemo(() => rowsOf(overview), [overview]);
  const now = useNow(5_000);
  const { displayStatus, title, text } = useMemo(() => summary(rows, now), [rows, now]);
  const incidents = useMemo(() => openIncidentsOf(overview.monitors), [overview]);
  // The heading answers the question of the page. The list follows it, in steps that leave room for input.
  const listed = useDeferredValue<MonitorOverview | null>(overview, null);
  if (rows.length === 0) {
    return (
      <>
        <PageHead title={words.nav.monitors} />
        <section className="card">
          <Empty title={words.monitors.emptyTitle} text={words.monitors.emptyText}>
            {isAtLeast('editor') ? (
              <div className="row">
                <ButtonLink look="primary" href="/start">
                  {words.monitors.emptyAction}
                </ButtonLink>
                <ButtonLink href="/import">{words.nav.import}</ButtonLink>
              </div>
            ) : (
              <p>
                <NeedsRole least="editor" />
              </p>
            )}
          </Empty>
        </section>
      </>
    );
  }
  return (
    <>
      <PageHead
        displayStatus={displayStatus}
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
      <OpenIncidents monitors={incidents} regions={overview.regions} />
      {listed === null ? <Waiting lines={8} /> : <Listing overview={listed} />}
    </>
  );
}

/** Incidents that are shown before the list; more are counted. */
const MAX_SHOWN = 6;
const DAY_MS = 86_400_000;

type WithIncident = OverviewMonitor & { incident: NonNullable<OverviewMonitor['incident']> };

const RANK = { critical: 0, warning: 1, info: 2 };

/** Open incidents, worst and oldest first, one for each monitor. */
function openIncidentsOf(monitors: readonly OverviewMonitor[]): WithIncident[] {
  return monitors
    .filter((monitor): monitor is WithIncident => monitor.incident !== undefined)
    .toSorted(
      ({ incident: one }, { incident: other }) =>
        RANK[one.severity] - RANK[other.severity] || one.since - other.since,
    );
}

/** What is wrong, before everything else. */
function OpenIncidents(props: {
  monitors: readonly WithIncident[];
  /** Codes, in the order of the letters of a monitor. */
  regions: readonly string[];
}) {
  const { monitors, regions } = props;
  if (monitors.length === 0) return null;
  const more = monitors.length - MAX_SHOWN;
  return (
    <section className="card broken open" aria-label={words.labels.openIncidents}>
      <ul>
        {monitors.slice(0, MAX_SHOWN).map((monitor) => (
          <OpenIncident key={monitor.incident.id} monitor={monitor} codes={regions} />
        ))}
        {more > 0 && (
          <li className="w">
            <span />
            <Link className="link" href="/incidents?status=open">
              {words.monitors.moreIncidents(more)}
            </Link>
          </li>
        )}
      </ul>
    </section>
  );
}

function OpenIncident({ monitor, codes }: { monitor: WithIncident; codes: readonly string[] }) {
  const { name, incident, is_paused: isPaused = false, observed_until: until } = monitor;
  const since = incident.since * 1_000;
  const now = useNow(60_000);
  const views = usePlaces().views(votesNow(monitor), codes);
  const isCritical = incident.severity === 'critical';
  return (
    <li className={isCritical ? '' : 'w'}>
      <StatusShape displayStatus={isCritical ? 'offline' : 'degraded'} />
      <div>
        <Link className="b" href={`/incidents/${incident.id}`}>
          {`${name}: ${openCause(incident.cause)}`}
        </Link>
        <div className="xs dim">{detailsOf(views, incident)}</div>
      </div>
      <div className="since sm dim nowrap">
        {!isPaused && (
          <>
            <span className="b text">
              <Since time={since} until={until === undefined ? null : until * 1_000} />
            </span>{' '}
            ·{' '}
          </>
        )}
        {words.labels.since}{' '}
        {now - since < DAY_MS ? <ClockTime time={since} /> : <DayTime time={since} />}
        {isPaused && ` · ${words.status.paused.toLowerCase()}`}
      </div>
      <Acknowledge incident={incident} />
    </li>
  );
}

function detailsOf(views: readonly View[], incident: WithIncident['incident']): string {
  const { monitors } = words;
  return [
    whoSees(views),
    incident.open > 1 ? monitors.furtherIncidents(incident.open - 1) : '',
    incident.acknowledged_at === undefined
      ? monitors.nobodyAcknowledged
      : monitors.hasIt(whoHasIt(incident)),
  ]
    .filter(Boolean)
    .join(' · ');
}

function Acknowledge({ incident }: { incident: WithIncident['incident'] }) {
  const { isAtLeast } = useSession();
  const { isBusy, run } = useAct(async () => {
    await call('acknowledgeIncident', { path: { id: incident.id } });
    await reread('monitors', 'incidents', 'incident');
  });
  if (incident.acknowledged_at !== undefined) {
    return (
      <span className="pill">
        <Icon name="check" />
        {words.monitors.acknowledged}
      </span>
    );
  }
  if (!isAtLeast('editor')) return <span />;
  return (
    <Button
      isDisabled={isBusy}
      onClick={({ currentTarget }) => {
        // The button goes away when somebody is on it.
        currentTarget.closest('li')?.querySelector('a')?.focus();
        void run();
      }}
    >
      {words.labels.acknowledge}
    </Button>
  );
}

// Loaded when rows are selected or a menu is opened: the first view of the list needs none of them.
const BulkBar = lazy(whenReachable(() => import('./bulk-bar.tsx')));
const Chips = lazy(whenReachable(() => import('./chips.tsx')));
const loadRowMenu = whenReachable(() => import('./row-menu.ts'));

/** Filters, the list, and what can be done with the rows that are selected. */
const Listing = memo(function Listing({ overview }: { overview: MonitorOverview }) {
  const { groups } = overview;
  const rows = useMemo(() => rowsOf(overview), [overview]);
  const [filter, setFilter] = useFilter();
  // The list follows the filter a moment later, so that typing never waits for it.
  const wanted = useDeferredValue(filter);
  const saved = useSavedFilters();
  const [closed, toggleGroup] = useClosedGroups();
  // Whatever their status, so that it is said how many there are of each.
  const matching = useMemo(
    () => filterRows(rows, { ...wanted, status: 'all' }, (id) => groupsBelow(groups, id)),
    [rows, wanted, groups],
  );
  const found = useMemo(
    () => sortRows(matching.filter(isOfStatus(wanted.status)), wanted.sort),
    [matching, wanted],
  );
  const lines = useMemo(() => linesOf(found, groups, closed), [found, groups, closed]);
  const places = usePlaces();
  const { selected, chosen, setSelected, actions } = useSelection(found, lines);
  const { isAtLeast } = useSession();
  return (
    <>
      <Toolbar {...{ rows, matching, groups, filter }} onChange={setFilter} />
      {(isFiltering(filter) || saved.length > 0) && (
        <Suspense>
          <Chips filter={filter} groups={groups} onChange={setFilter}>
            {isFiltering(wanted) && words.monitors.found(count(found.length), count(rows.length))}
          </Chips>
        </Suspense>
      )}
      <section className="card list">
        {isAtLeast('editor') && found.length > 0 && (
          <div className={chosen.length > 0 ? 'line apart m-head on' : 'line apart m-head'}>
            <SelectAll
              all={found.length}
              selected={chosen.length}
              onChange={(isOn) => setSelected(new Set(isOn ? idsOf(found) : []))}
            />
            {chosen.length > 0 && (
              <Suspense>
                <BulkBar rows={chosen} onClear={() => setSelected(new Set())} />
              </Suspense>
            )}
          </div>
        )}
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
            overview={overview}
            places={places}
            selected={selected}
            sort={filter.sort}
            onSort={(sort) => setFilter({ ...filter, sort })}
            actions={actions}
            onToggleGroup={toggleGroup}
          />
        )}
      </section>
      <div className="m-legend">
        <BarLegend />
      </div>
    </>
  );
});

/** The filter of the address, and its change. */
function useFilter(): [Filter, (filter: Filter) => void] {
  const [, navigate] = useLocation();
  const search = useSearch();
  const filter = useMemo(() => readFilter(search), [search]);
  return [filter, (next) => navigate(`/monitors${writeFilter(next)}`, { replace: true })];
}

/** Which monitors are selected; an action is for those of them that the filter shows. */
function useSelection(found: readonly Row[], lines: readonly Line[]) {
  const [, navigate] = useLocation();
  const { isAtLeast } = useSession();
  const isEditor = isAtLeast('editor');
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const chosen = useMemo(
    () => (selected.size === 0 ? [] : found.filter(({ monitor }) => selected.has(monitor.id))),
    [found, selected],
  );
  const before = useRef<number | null>(null);
  const newest = useRef(lines);
  useEffect(() => {
    newest.current = lines;
  }, [lines]);
  // The same functions each time: rows are drawn again only when they change.
  const actions = useMemo<RowActions>(
    () => ({
      select: isEditor
        ? (id, isRange) => {
            const click = { id, before: before.current, isRange };
            before.current = id;
            setSelected((one) => afterClick(one, newest.current, click));
          }
        : null,
      openMenu: (row, anchor) =>
        void loadRowMenu().then(({ openRowMenu }) =>
          openRowMenu(row, anchor, {
            navigate,
            isEditor,
            onSelect: (id) => setSelected((one) => new Set(one).add(id)),
          }),
        ),
    }),
    [isEditor, navigate],
  );
  return { selected, chosen, setSelected, actions };
}

function idsOf(rows: readonly Row[]): number[] {
  return rows.map(({ monitor }) => monitor.id);
}

/** Box that selects all monitors that the filter shows; between on and off while some are. */
function SelectAll(props: { all: number; selected: number; onChange: (isOn: boolean) => void }) {
  const { all, selected, onChange } = props;
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = selected > 0 && selected < all;
  }, [all, selected]);
  const label = words.monitors.selectAll(count(all));
  return (
    <input
      ref={box}
      type="checkbox"
      className="m-all"
      title={label}
      aria-label={label}
      checked={selected === all}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
}
