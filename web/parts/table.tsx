import type { ReactNode } from 'react';

/** Head of a table: the names of its columns, with a class where they are aligned or shown otherwise. */
export function TableHead(props: {
  columns: readonly (string | { text: string; className: string })[];
}) {
  const { columns } = props;
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const { text, className } =
            typeof column === 'string' ? { text: column, className: undefined } : column;
          return (
            <th key={text} scope="col" className={className}>
              {text}
            </th>
          );
        })}
      </tr>
    </thead>
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
