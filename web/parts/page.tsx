import { useEffect, useId, useRef, type ReactNode, type RefObject } from 'react';
import { Link } from 'wouter';
import type { ApiError } from '../app/client.ts';
import { useAuditLog, type Role } from '../app/session.ts';
import { setTabTitle } from '../app/tab.ts';
import { words } from '../words/index.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { StatusShape, type DisplayStatus } from './status.tsx';

/** Error of a request: what happened, and what to do. */
export function Failure({ error, retry }: { error: ApiError; retry?: () => void }) {
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
export function NotFound({ hint = words.errors.notFoundHint }: { hint?: string }) {
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
export function Empty(props: { title: string; text?: ReactNode; children?: ReactNode }) {
  const { title, text, children } = props;
  return (
    <div className="empty">
      <h2>{title}</h2>
      {text !== undefined && <p>{text}</p>}
      {children}
    </div>
  );
}

/** Place of something that is being loaded. `lines` rows of 44 px. */
export function Waiting({ lines = 3 }: { lines?: number }) {
  return (
    <div className="pad gap" role="status" aria-label={words.common.loading}>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className="waiting" />
      ))}
    </div>
  );
}

/** Sets the title of the tab. */
function useTitle(title: string): void {
  useEffect(() => {
    setTabTitle(title);
  }, [title]);
}

/**
 * Head of a page: the sentence that answers its question, with a shape before it, and what can be done.
 */
export function PageHead(props: {
  title: ReactNode;
  /** Title of the tab; needed where `title` is not a text. */
  tabTitle?: string;
  displayStatus?: DisplayStatus;
  crumbs?: readonly { text: string; href?: string }[];
  text?: ReactNode;
  actions?: ReactNode;
  /** Beside the crumbs. */
  mark?: ReactNode;
}) {
  const { title, tabTitle, displayStatus, crumbs = [], text, actions, mark } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useArrival(heading);
  useTitle(tabTitle ?? (typeof title === 'string' ? title : ''));
  return (
    <>
      {crumbs.length > 0 && (
        <nav className="line tight sm faint crumbs" aria-label={words.nav.breadcrumb}>
          {crumbs.map(({ text: name, href }, index) => (
            <span key={name} className="row">
              {index > 0 && <Icon name="right" />}
              {href === undefined ? <span>{name}</span> : <Link href={href}>{name}</Link>}
            </span>
          ))}
          {mark}
        </nav>
      )}
      <div className="head">
        <div>
          <h1 className="title" tabIndex={-1} ref={heading}>
            {displayStatus !== undefined && <StatusShape displayStatus={displayStatus} />}
            <span>{title}</span>
          </h1>
          {text !== undefined && <div className="head-text">{text}</div>}
        </div>
        {actions !== undefined && <div className="acts">{actions}</div>}
      </div>
    </>
  );
}

/** Section with a border and a title. */
export function Card(props: {
  title?: ReactNode;
  /** At the right of the title. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  const { title, aside, className = '', children } = props;
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

/** Says that the person may not change something, which takes a role of at least `least`, and where to find who may. */
export function NeedsRole({ least }: { least: Role }) {
  return (
    <>
      {words.errors.needsRole(words.roles[least])}{' '}
      <Link className="link" href="/members">
        {words.nav.members}
      </Link>
    </>
  );
}

/** Whether a page was opened whose heading has not been shown yet. */
let isDue = false;

/** Call when another page is opened: its heading takes the focus, so that the keyboard and screen readers begin there. */
export function pageOpened(): void {
  isDue = true;
}

/** Goes to another step of a page, whose heading takes the focus. @param change what shows the step */
export function goToStep(change: () => void): void {
  pageOpened();
  scrollTo(0, 0);
  change();
}

/** Gives the focus to the heading of a page that was just opened, unless a field of the page has it. */
function useArrival(heading: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (!isDue) return;
    isDue = false;
    const focused = document.activeElement;
    const isTaken = focused?.closest('main, [role=dialog], [role=alertdialog]') ?? null;
    if (isTaken === null || focused?.id === 'content')
      heading.current?.focus({ preventScroll: true });
  }, [heading]);
}

interface Read {
  data: unknown;
  error: ApiError | null;
  refetch: () => unknown;
}

/** Whether data is there to show. What was deleted or is not allowed any more is not, though it was read before. */
export function isLoaded<One extends Read>(
  read: One,
): read is One & { data: NonNullable<One['data']> } {
  return read.data !== undefined && ![403, 404].includes(read.error?.status ?? 0);
}

/** Place of data until all of it has been read: why it can't be, or that it is under way. */
export function Loading({ reads, lines }: { reads: readonly Read[]; lines?: number }) {
  const missing = reads.filter((read) => !isLoaded(read));
  const failed = missing.find(({ error }) => error !== null);
  if (failed?.error)
    return (
      <Failure
        error={failed.error}
        retry={() => missing.forEach(({ refetch }) => void refetch())}
      />
    );
  return missing.length === 0 ? null : <Waiting lines={lines} />;
}
