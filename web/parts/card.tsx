import { useId, type ReactNode } from 'react';

/** Section with a border and a title. */
export function Card({
  title,
  aside,
  className = '',
  children,
}: {
  title?: ReactNode;
  /** At the right of the title. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <section
      className={`card ${className}`}
      {...(title !== undefined && { 'aria-labelledby': id })}
    >
      {title !== undefined && (
        <header>
          <h2 id={id}>{title}</h2>
          {aside !== undefined && <div className="right">{aside}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

/** Names with values, one in a line. A value of null is left out. */
export function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }): ReactNode {
  return (
    <dl className="facts">
      {rows
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
