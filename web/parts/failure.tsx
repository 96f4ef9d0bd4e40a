import { useRef, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { ApiError } from '../app/ask.ts';
import { useArrival } from '../app/arrival.ts';
import { useAuditLog } from '../app/session-context.ts';
import { words } from '../words/index.ts';
import { Button } from './button.tsx';
import { useTitle } from './page-head.tsx';

/** Error of a request: what happened, and what to do. */
export function Failure({ error, retry }: { error: ApiError; retry?: () => void }): ReactNode {
  if (error.status === 404) return <NotFound hint={words.errors.deletedHint} />;
  return (
    <div className="empty" role="alert">
      <p>{error.message}</p>
      {retry !== undefined && error.status !== 403 && (
        <Button onClick={retry}>{words.common.retry}</Button>
      )}
    </div>
  );
}

/** Page for an address with nothing behind it. */
export function NotFound({ hint = words.errors.notFoundHint }: { hint?: string }): ReactNode {
  const hasAuditLog = useAuditLog();
  const heading = useRef<HTMLHeadingElement>(null);
  useArrival(heading);
  useTitle(words.errors.notFound);
  return (
    <div className="empty">
      <h1 tabIndex={-1} ref={heading}>
        {words.errors.notFound}
      </h1>
      <p>{hint}</p>
      <Link className="btn" href="/monitors">
        {words.nav.monitors}
      </Link>
      {hasAuditLog && (
        <Link className="link" href="/audit-log">
          {words.errors.auditLog}
        </Link>
      )}
    </div>
  );
}

/** Nothing here yet: says what to do next. */
export function Empty({
  title,
  text,
  children,
}: {
  title: string;
  text?: ReactNode;
  children?: ReactNode;
}): ReactNode {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {text !== undefined && <p>{text}</p>}
      {children}
    </div>
  );
}

/** Place of something that is being loaded. `lines` rows of 44 px. */
export function Waiting({ lines = 3 }: { lines?: number }): ReactNode {
  return (
    <div className="pad gap" role="status" aria-label={words.common.loading}>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className="waiting" />
      ))}
    </div>
  );
}
