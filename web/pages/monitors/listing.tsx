import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useSession } from '../../app/session.ts';
import type { MonitorOverview } from '../../app/api.gen.ts';
import { count } from '../../lib/format.ts';
import { whenReachable } from '../../lib/when-reachable.ts';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/page.tsx';
import { BarLegend } from '../../parts/time-bar.tsx';
import { words } from '../../words/index.ts';
import type { BulkDialog } from './bulk-bar.tsx';
import { isFiltering, NO_FILTER, readFilter, writeFilter, type Filter } from './filter.ts';
import { useClosedGroups } from './kept-state.ts';
import { MonitorList } from './list.tsx';
import type { RowActions } from './row.tsx';
import { filterRows, groupsBelow, linesOf, sortRows, type Line, type Row } from './rows.ts';
import { afterClick } from './selection.ts';
import { Chips, Toolbar } from './toolbar.tsx';

// Loaded when rows are selected or a menu is opened: the first view of the list needs none of them.
const BulkBar = lazy(whenReachable(() => import('./bulk-bar.tsx')));
const BulkDialogs = lazy(whenReachable(() => import('./bulk-dialogs.tsx')));
const loadRowMenu = whenReachable(() => import('./row-menu.ts'));

/** Filters, the list, and what can be done with the rows that are selected. */
export function Listing({ overview, rows }: { overview: MonitorOverview; rows: readonly Row[] }) {
  const { groups } = overview;
  const [filter, setFilter] = useFilter();
  // The list follows the filter a moment later, so that typing never waits for it.
  const wanted = useDeferredValue(filter);
  const [closed, toggleGroup] = useClosedGroups();
  const found = useMemo(
    () =>
      sortRows(
        filterRows(rows, wanted, (id) => groupsBelow(groups, id)),
        wanted.sort,
      ),
    [rows, wanted, groups],
  );
  const lines = useMemo(() => linesOf(found, groups, closed), [found, groups, closed]);
  const [dialog, setDialog] = useState<BulkDialog | null>(null);
  const { selected, chosen, setSelected, actions } = useSelection({ found, lines, setDialog });
  const { isAtLeast } = useSession();
  return (
    <>
      <Toolbar rows={rows} groups={groups} filter={filter} onChange={setFilter} />
      <Chips filter={filter} groups={groups} onChange={setFilter} />
      <section className="card list">
        {isAtLeast('editor') && found.length > 0 && (
          <div className={chosen.length > 0 ? 'm-head on' : 'm-head'}>
            <SelectAll
              all={found.length}
              selected={chosen.length}
              onChange={(isOn) => setSelected(new Set(isOn ? idsOf(found) : []))}
            />
            {chosen.length > 0 && (
              <Suspense>
                <BulkBar
                  rows={chosen}
                  onClear={() => setSelected(new Set())}
                  onDialog={setDialog}
                />
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
            regions={overview.regions}
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
      {dialog !== null && (
        <Suspense>
          <BulkDialogs dialog={dialog} onClose={() => setDialog(null)} />
        </Suspense>
      )}
    </>
  );
}

/** The filter of the address, and its change. */
function useFilter(): [Filter, (filter: Filter) => void] {
  const [, navigate] = useLocation();
  const search = useSearch();
  const filter = useMemo(() => readFilter(search), [search]);
  return [filter, (next) => navigate(`/monitors${writeFilter(next)}`, { replace: true })];
}

/** Which monitors are selected; an action is for those of them that the filter shows. */
function useSelection({
  found,
  lines,
  setDialog,
}: {
  found: readonly Row[];
  lines: readonly Line[];
  setDialog: (dialog: BulkDialog) => void;
}) {
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
            onDialog: setDialog,
            onSelect: (id) => setSelected((one) => new Set(one).add(id)),
          }),
        ),
    }),
    [isEditor, navigate, setDialog],
  );
  return { selected, chosen, setSelected, actions };
}

function idsOf(rows: readonly Row[]): number[] {
  return rows.map(({ monitor }) => monitor.id);
}

/** Box that selects all monitors that the filter shows; between on and off while some are. */
function SelectAll({
  all,
  selected,
  onChange,
}: {
  all: number;
  selected: number;
  onChange: (isOn: boolean) => void;
}) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = selected > 0 && selected < all;
  }, [all, selected]);
  const label = words.monitors.bulk.selectAll(count(all, words.time.locale));
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
