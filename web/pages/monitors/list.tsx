import {
  lazy,
  memo,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type RefObject,
} from 'react';
import { useLocation } from 'wouter';
import { BASE } from '../../app/place.ts';
import type { MonitorOverview } from '../../app/api.gen.ts';
import { useRows } from '../../app/preferences.ts';
import type { Places } from '../../app/regions.ts';
import { useRowMoves } from '../../app/row-moves.ts';
import { whenReachable } from '../../lib/when-reachable.ts';
import { Icon } from '../../parts/icon.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { words } from '../../words/index.ts';
import type { Sort } from './filter.ts';
import { MonitorRow, type RowActions } from './row.tsx';
import { lineAt, rendered, startsOf } from './seen.ts';
import { displayStatusOfAll, nextMonitor, type Line } from './rows.ts';
import { groupAside } from './sentences.ts';

/** Loaded once the pointer is over the list. */
const ListTips = lazy(whenReachable(() => import('./list-tips.tsx')));

const GROUP_PX = 41;
const ROW_PX = { comfortable: 60, dense: 40 };
/** Height of a row where rows are cards. */
const CARD_PX = 95;
/** Space that the bar at the top of the window takes. */
const TOP_PX = 48;

/** The list, of which only the lines near the window are rendered: it may have 10,000. */
export function MonitorList(props: {
  lines: readonly Line[];
  overview: Pick<MonitorOverview, 'regions' | 'bar_starts_at' | 'slot_minutes'>;
  places: Places;
  selected: ReadonlySet<number>;
  sort: Sort;
  onSort: (sort: Sort) => void;
  /** The same object from one time to the next. */
  actions: RowActions;
  onToggleGroup: (id: number | null) => void;
}) {
  const { lines, overview, places, selected, sort, onSort, actions, onToggleGroup } = props;
  const list = useRef<HTMLDivElement>(null);
  const height = useRows();
  const isNarrow = useSyncExternalStore(onNarrow, () => NARROW.matches);
  useFollowedLinks(list);
  const [isPointed, setPointed] = useState(false);
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const active = activeKey === null ? -1 : lines.findIndex(({ key }) => key === activeKey);
  const rowPx = isNarrow ? CARD_PX : ROW_PX[height];
  const starts = useMemo(
    () => startsOf(lines.map(({ kind }) => (kind === 'group' ? GROUP_PX : rowPx))),
    [lines, rowPx],
  );
  const indexes = useRendered(list, starts, active);
  useKeyboard({ listRef: list, lines, starts, active, setActiveKey });
  return (
    <div
      role="table"
      aria-label={words.nav.monitors}
      aria-rowcount={lines.length + 1}
      className={selected.size > 0 ? 'm-table selecting' : 'm-table'}
    >
      <ColumnHeads sort={sort} onSort={onSort} />
      {isPointed && (
        <Suspense>
          <ListTips list={list} overview={overview} />
        </Suspense>
      )}
      <div
        ref={list}
        onPointerEnter={() => setPointed(true)}
        role="rowgroup"
        className={`m-list ${height}`}
        style={{ height: starts.at(-1) }}
      >
        {indexes.map((index) => {
          const line = lines[index]!;
          return (
            <div
              key={line.key}
              role="row"
              data-line={line.key}
              aria-rowindex={index + 2}
              style={{ transform: `translateY(${starts[index]}px)` }}
            >
              {line.kind === 'group' ? (
                <GroupHead line={line} onToggle={onToggleGroup} />
              ) : (
                <MonitorRow
                  row={line.row}
                  regions={overview.regions}
                  places={places}
                  isSelected={selected.has(line.row.monitor.id)}
                  actions={actions}
                />
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Opens links of rows inside of the dashboard. A `Link` in each row costs a tenth of what it takes to render the row. */
function useFollowedLinks(listRef: RefObject<HTMLElement | null>): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    const element = listRef.current;
    const follow = (event: MouseEvent) => {
      const link = (event.target as Element).closest('a');
      const isForBrowser = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
      if (link === null || isForBrowser || event.button !== 0) return;
      event.preventDefault();
      navigate(link.pathname.slice(BASE.length));
    };
    element?.addEventListener('click', follow);
    return () => element?.removeEventListener('click', follow);
  }, [listRef, navigate]);
}

/** Where rows are cards. */
const NARROW = matchMedia('(max-width: 640px)');

function onNarrow(listener: () => void): () => void {
  NARROW.addEventListener('change', listener);
  return () => NARROW.removeEventListener('change', listener);
}

/** Lines near the window of the browser, and the one that has the focus: it would lose it if it were removed. */
function useRendered(
  listRef: RefObject<HTMLElement | null>,
  starts: Float64Array,
  active: number,
): number[] {
  const [seen, setSeen] = useState(FIRST_LINES);
  useLayoutEffect(() => {
    const look = () => {
      const top = -listRef.current!.getBoundingClientRect().top;
      const [first, last] = [lineAt(starts, top), lineAt(starts, top + innerHeight)];
      setSeen((one) => (one.first === first && one.last === last ? one : { first, last }));
    };
    // It looks after the first layout, too, and when something above the list appears.
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    for (const name of MOVES) addEventListener(name, look, { passive: true });
    return () => {
      observer.disconnect();
      for (const name of MOVES) removeEventListener(name, look);
    };
  }, [listRef, starts]);
  // Lines beyond the edges follow, in steps that leave room for frames.
  const { first, last } = rendered(seen, useDeferredValue(seen, FIRST_LINES), starts.length - 1);
  const indexes = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  if (active < 0 || (active >= first && active <= last)) return indexes;
  return [...indexes, active].toSorted((one, other) => one - other);
}

/** Lines of the first frame, which is drawn before it is known where the list begins. */
const FIRST_LINES = { first: 0, last: 9 };
const MOVES = ['scroll', 'resize'];

/** Moves the focus by keys, to rows that are not rendered yet too. */
function useKeyboard({
  listRef,
  lines,
  starts,
  active,
  setActiveKey,
}: {
  listRef: RefObject<HTMLElement | null>;
  lines: readonly Line[];
  starts: Float64Array;
  active: number;
  setActiveKey: (key: string | null) => void;
}): void {
  const wanted = useRef<string | null>(null);
  const move = useCallback(
    (step: 1 | -1) => {
      const element = listRef.current!;
      const isInside = active >= 0 && element.contains(document.activeElement);
      const visible = lineAt(starts, TOP_PX - element.getBoundingClientRect().top);
      const index = nextMonitor(lines, isInside ? active : visible - 1, step);
      if (index === null) return false;
      wanted.current = lines[index]!.key;
      setActiveKey(wanted.current);
      return true;
    },
    [active, lines, listRef, setActiveKey, starts],
  );
  useRowMoves(move);
  useEffect(() => {
    const element = listRef.current;
    const follow = ({ target }: FocusEvent) => {
      const line = (target as Element).closest<HTMLElement>('[data-line]');
      setActiveKey(line?.dataset['line'] ?? null);
    };
    element?.addEventListener('focusin', follow);
    return () => element?.removeEventListener('focusin', follow);
  }, [listRef, setActiveKey]);
  // The row is rendered by now, since it is the active one.
  useEffect(() => {
    if (wanted.current === null) return;
    const row = listRef.current?.querySelector(`[data-monitor="${wanted.current}"]`);
    if (!row) return;
    row.scrollIntoView({ block: 'nearest' });
    row.querySelector<HTMLElement>('.name a')?.focus({ preventScroll: true });
    wanted.current = null;
  });
}

/** Which way each order goes, for people who cannot see the arrow. */
const DIRECTIONS = {
  name: 'ascending',
  response: 'descending',
  uptime: 'ascending',
} as const satisfies Partial<Record<Sort, string>>;

/** Heads of the columns; some sort the list, and a second press puts the worst first again. */
function ColumnHeads({ sort, onSort }: { sort: Sort; onSort: (sort: Sort) => void }) {
  const { columns } = words.monitors;
  return (
    <div role="row" className="m cols wide" aria-rowindex={1}>
      <span role="columnheader">
        <span className="vh">{words.monitors.selection}</span>
      </span>
      <SortHead text={words.labels.monitor} of="name" sort={sort} onSort={onSort} />
      <span role="columnheader">{words.labels.regions}</span>
      <span role="columnheader">{words.labels.lastDay}</span>
      <SortHead text={columns.now} of="response" sort={sort} onSort={onSort} />
      <SortHead text={columns.uptime} of="uptime" sort={sort} onSort={onSort} />
      <span role="columnheader">
        <span className="vh">{words.labels.actions}</span>
      </span>
    </div>
  );
}

function SortHead(props: {
  text: string;
  of: keyof typeof DIRECTIONS;
  sort: Sort;
  onSort: (sort: Sort) => void;
}) {
  const { text, of, sort, onSort } = props;
  const isSorted = sort === of;
  const direction = DIRECTIONS[of];
  return (
    <span
      role="columnheader"
      className={of === 'name' ? '' : 'num'}
      aria-sort={isSorted ? direction : 'none'}
    >
      <button
        type="button"
        title={words.monitors.sorts[of]}
        onClick={() => onSort(isSorted ? 'worst' : of)}
      >
        {text}
        {isSorted && <Icon name={direction === 'ascending' ? 'up' : 'down'} />}
      </button>
    </span>
  );
}

/** Head of a group, which opens and closes it. */
const GroupHead = memo(function GroupHead(props: {
  line: Extract<Line, { kind: 'group' }>;
  onToggle: (id: number | null) => void;
}) {
  const {
    line: { id, name, rows, isOpen },
    onToggle,
  } = props;
  const { down, rest } = groupAside(rows);
  const title = name ?? words.labels.noGroup;
  return (
    <div role="cell">
      <button
        type="button"
        className="line grp"
        aria-expanded={isOpen}
        onClick={() => onToggle(id)}
      >
        <StatusShape displayStatus={displayStatusOfAll(rows) ?? 'pending'} />
        <span className="clip" title={title}>
          {title}
        </span>
        <span className="faint n">{rows.length}</span>
        <span className="xs dim end">
          {down !== '' && <span className="down b">{down}</span>}
          {down !== '' && rest !== '' && ', '}
          {rest}
        </span>
        <Icon name={isOpen ? 'down' : 'right'} />
      </button>
    </div>
  );
});
