import type { ReactNode } from 'react';
import { Icon } from '../../parts/icon.tsx';
import { words } from '../../words/index.ts';
import type { Sort } from './filter.ts';

/** Which way each order goes, for people who cannot see the arrow. */
const DIRECTIONS = {
  name: 'ascending',
  response: 'descending',
  uptime: 'ascending',
} as const satisfies Partial<Record<Sort, string>>;

/** Heads of the columns; some sort the list, and a second press puts the worst first again. */
export function ColumnHeads({
  sort,
  onSort,
}: {
  sort: Sort;
  onSort: (sort: Sort) => void;
}): ReactNode {
  const { columns } = words.monitors;
  return (
    <div role="row" className="m cols wide" aria-rowindex={1}>
      <span role="columnheader">
        <span className="vh">{words.monitors.selection}</span>
      </span>
      <SortHead text={columns.monitor} of="name" sort={sort} onSort={onSort} />
      <span role="columnheader">{columns.regions}</span>
      <span role="columnheader">{columns.day}</span>
      <SortHead text={columns.now} of="response" sort={sort} onSort={onSort} />
      <SortHead text={columns.uptime} of="uptime" sort={sort} onSort={onSort} />
      <span role="columnheader">
        <span className="vh">{words.monitors.actions}</span>
      </span>
    </div>
  );
}

function SortHead({
  text,
  of,
  sort,
  onSort,
}: {
  text: string;
  of: keyof typeof DIRECTIONS;
  sort: Sort;
  onSort: (sort: Sort) => void;
}): ReactNode {
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
