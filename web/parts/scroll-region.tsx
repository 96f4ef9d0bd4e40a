import type { ReactNode } from 'react';

/** Region that scrolls by itself, such as a wide table: it takes the focus, so that the keyboard can scroll it. */
export function ScrollRegion({
  label,
  className = 'scroll-x',
  children,
}: {
  label: string;
  className?: string;
  children: ReactNode;
}): ReactNode {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- WCAG 2.1.1: without focus the keyboard can't scroll it.
    <div className={className} tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}
