import { defaultRangeExtractor, useWindowVirtualizer, type Range } from '@tanstack/react-virtual';
import {
  lazy,
  memo,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
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
import { displayStatusOfAll, nextMonitor, type Line } from './rows.ts';
import { groupAside } from './sentences.ts';

/** Loaded once the pointer is over the list. */
const ListTips = lazy(
  whenReachable(() => import('./list-tips.tsx').then(({ ListTips: tips }) => ({ default: tips }))),
);

const GROUP_PX = 41;
const ROW_PX = { comfortable: 60, dense: 40 };
/** Lines beyond the edges of the window that are kept rendered. */
const OVERSCAN = 7;
/** Space that the bars at the top and the bottom of the window take, in pixels. */
const TOP_PX = 48;
const BOTTOM_PX = 72;

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
  const scrollMargin = useTop(list);
  const height = useRows();
  const isNarrow = useSyncExternalStore(onNarrow, () => NARROW.matches);
  useFollowedLinks(list);
  const [isPointed, setPointed] = useState(false);
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const active = activeKey === null ? -1 : lines.findIndex(({ key }) => key === activeKey);
  const virtual = useWindowVirtualizer({
    count: lines.length,
    // The same functions until the lines change: with others, all lines are placed anew at each turn of the wheel.
    estimateSize: useCallback(
      (index: number) => (lines[index]!.kind === 'group' ? GROUP_PX : ROW_PX[height]),
      [lines, height],
    ),
    getItemKey: useCallback((index: number) => lines[index]!.key, [lines]),
    overscan: OVERSCAN,
    // New rows are rendered after the frame that the wheel turned, and not in it: one that takes both is late.
    useFlushSync: false,
    scrollMargin,
    scrollPaddingStart: TOP_PX,
    scrollPaddingEnd: BOTTOM_PX,
    rangeExtractor: (range) => withActive(range, active),
  });
  useKeyboard({ listRef: list, lines, active, setActiveKey, virtual });
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
        style={{ height: virtual.getTotalSize() }}
      >
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const line = lines[index]!;
          return (
            <div
              key={key}
              role="row"
              ref={isNarrow ? virtual.measureElement : undefined}
              data-index={index}
              data-line={key}
              aria-rowindex={index + 2}
              style={{ transform: `translateY(${start - scrollMargin}px)` }}
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

/** Where rows are cards, as high as their text; elsewhere all are of one height, which nothing has to measure. */
const NARROW = matchMedia('(max-width: 640px)');

function onNarrow(listener: () => void): () => void {
  NARROW.addEventListener('change', listener);
  return () => NARROW.removeEventListener('change', listener);
}

/** Lines near the window, and the one that has the focus: it would lose it if it were removed. */
function withActive(range: Range, active: number): number[] {
  const indexes = defaultRangeExtractor(range);
  if (active < 0 || active >= range.count || indexes.includes(active)) return indexes;
  return [...indexes, active].toSorted((one, other) => one - other);
}

/** Distance of an element from the beginning of the page, in pixels, also when what is above it changes. */
function useTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () =>
      setTop(Math.round((element.current?.getBoundingClientRect().top ?? 0) + scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}

/** Moves the focus by keys, to rows that are not rendered yet too. */
function useKeyboard({
  listRef,
  lines,
  active,
  setActiveKey,
  virtual,
}: {
  listRef: RefObject<HTMLElement | null>;
  lines: readonly Line[];
  active: number;
  setActiveKey: (key: string | null) => void;
  virtual: ReturnType<typeof useWindowVirtualizer>;
}): void {
  const wanted = useRef<string | null>(null);
  const move = useCallback(
    (step: 1 | -1) => {
      const isInside = active >= 0 && listRef.current?.contains(document.activeElement) === true;
      const index = nextMonitor(lines, isInside ? active : firstVisible(virtual) - 1, step);
      if (index === null) return false;
      wanted.current = lines[index]!.key;
      setActiveKey(wanted.current);
      virtual.scrollToIndex(index, { align: 'auto' });
      return true;
    },
    [active, lines, listRef, setActiveKey, virtual],
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
    row?.querySelector<HTMLElement>('.name a')?.focus({ preventScroll: true });
    if (row) wanted.current = null;
  });
}

/** Index of the first line that is not above the window. */
function firstVisible(virtual: ReturnType<typeof useWindowVirtualizer>): number {
  const top = (virtual.scrollOffset ?? 0) + TOP_PX;
  return virtual.getVirtualItems().find(({ end }) => end > top)?.index ?? 0;
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
      <button type="button" className="grp" aria-expanded={isOpen} onClick={() => onToggle(id)}>
        <StatusShape displayStatus={displayStatusOfAll(rows) ?? 'pending'} />
        <span className="clip" title={title}>
          {title}
        </span>
        <span className="n">{rows.length}</span>
        <span className="right">
          {down !== '' && <span className="down b">{down}</span>}
          {down !== '' && rest !== '' && ', '}
          {rest}
        </span>
        <Icon name={isOpen ? 'down' : 'right'} />
      </button>
    </div>
  );
});
