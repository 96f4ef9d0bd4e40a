import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useRef, type MouseEvent, type ReactNode } from 'react';
import { useRows } from '../../app/preferences.ts';
import { Icon } from '../../parts/icon.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { words } from '../../words/index.ts';
import { MonitorRow } from './row.tsx';
import { worstStanding, type Line, type Row } from './rows.ts';
import { groupAside } from './sentences.ts';

const GROUP_PX = 41;
const ROW_PX = { comfortable: 61, dense: 41 };
/** Lines beyond the edges of the window that are kept rendered. */
const OVERSCAN = 8;

/** The list, of which only the lines near the window are rendered: it may have 10,000. */
export function MonitorList({
  lines,
  regions,
  selected,
  onSelect,
  onMenu,
  onToggleGroup,
}: {
  lines: readonly Line[];
  regions: readonly string[];
  selected: ReadonlySet<number>;
  onSelect: (id: number, event: MouseEvent) => void;
  onMenu: (row: Row, anchor: HTMLElement) => void;
  onToggleGroup: (id: number | null) => void;
}): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  const height = useRows();
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => (lines[index]!.kind === 'group' ? GROUP_PX : ROW_PX[height]),
    getItemKey: (index) => lines[index]!.key,
    overscan: OVERSCAN,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  return (
    <ul
      ref={list}
      className={`m-list ${height}`}
      aria-label={words.monitors.title}
      style={{ height: virtual.getTotalSize() }}
    >
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const line = lines[index]!;
        return (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            aria-setsize={lines.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
          >
            {line.kind === 'group' ? (
              <GroupHead line={line} onToggle={onToggleGroup} />
            ) : (
              <MonitorRow
                row={line.row}
                regions={regions}
                isSelected={selected.has(line.row.monitor.id)}
                isSelecting={selected.size > 0}
                onSelect={onSelect}
                onMenu={onMenu}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Head of a group, which opens and closes it. */
function GroupHead({
  line: { id, name, rows, isOpen },
  onToggle,
}: {
  line: Extract<Line, { kind: 'group' }>;
  onToggle: (id: number | null) => void;
}): ReactNode {
  const { down, rest } = groupAside(rows);
  const standing = worstStanding(rows) ?? 'pending';
  return (
    <button type="button" className="grp" aria-expanded={isOpen} onClick={() => onToggle(id)}>
      <StatusShape standing={standing} />
      <span className="clip">{name ?? words.monitors.noGroup}</span>
      <span className="n">{rows.length}</span>
      <span className="right">
        {down !== '' && <span className="down b">{down}</span>}
        {down !== '' && rest !== '' && ', '}
        {rest}
      </span>
      <Icon name={isOpen ? 'down' : 'right'} />
    </button>
  );
}
