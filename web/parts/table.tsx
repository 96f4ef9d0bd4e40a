import { Fragment, type Key, type ReactNode } from 'react';

/** Head of a table: the names of its columns, with a class where they are aligned or shown otherwise. */
export function TableHead(props: {
  columns: readonly (string | { text: string; className?: string; isHidden?: boolean })[];
}) {
  const { columns } = props;
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const { text, className, isHidden } =
            typeof column === 'string' ? { text: column } : column;
          return (
            <th key={text} scope="col" className={className}>
              {isHidden ? <span className="vh">{text}</span> : text}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

export interface Column<Row> {
  name: string;
  render: (row: Row) => ReactNode;
  className?: string;
  /** In cards its name stands before a cell, unless it is bare; that of an unnamed one is for screen readers alone. */
  kind?: 'bare' | 'unnamed';
}

/** Table with a row for each thing. In a narrow window, one that is `stacked` shows them as cards, whose first cell is the heading. */
export function Table<Row>(props: {
  className?: string;
  caption?: string;
  /** Those that are false are left out. */
  columns: readonly (Column<Row> | false)[];
  rows: readonly Row[];
  keyOf: (row: Row) => Key;
  /** Title of the group of a row; those of a group follow each other. */
  groupOf?: (row: Row) => string;
}) {
  const { className = 'stacked', caption, columns, rows, keyOf, groupOf } = props;
  const shown = columns.filter((column) => column !== false);
  const isStacked = className.startsWith('stacked');
  return (
    <table className={className}>
      {caption !== undefined && <caption className="xs faint">{caption}</caption>}
      <TableHead
        columns={shown.map(({ name: text, className: of, kind }) => ({
          text,
          className: of,
          isHidden: kind === 'unnamed',
        }))}
      />
      <tbody>
        {rows.map((row, at) => (
          <Fragment key={keyOf(row)}>
            {groupOf && (at === 0 || groupOf(row) !== groupOf(rows[at - 1]!)) && (
              <tr className="group">
                <th colSpan={shown.length} scope="colgroup">
                  {groupOf(row)}
                </th>
              </tr>
            )}
            <tr>
              {shown.map(({ name, render, className: of, kind }, index) =>
                index === 0 && !isStacked ? (
                  <th key={name} scope="row" className={of}>
                    {render(row)}
                  </th>
                ) : (
                  <td
                    key={name}
                    className={of}
                    data-label={isStacked && index > 0 && kind === undefined ? name : undefined}
                  >
                    {render(row)}
                  </td>
                ),
              )}
            </tr>
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

/** Without focus the keyboard can't scroll (WCAG 2.1.1). */
const IN_TAB_ORDER = 0;

/** Region that scrolls by itself, such as a wide table: it takes the focus, so that the keyboard can scroll it. */
export function ScrollRegion(props: { label: string; className?: string; children: ReactNode }) {
  const { label, className = 'scroll-x', children } = props;
  return (
    <div className={className} tabIndex={IN_TAB_ORDER} role="region" aria-label={label}>
      {children}
    </div>
  );
}
