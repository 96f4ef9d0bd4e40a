import { useEffect, useRef, type ReactNode } from 'react';
import { Link } from 'wouter';
import { setTabTitle } from '../app/tab.ts';
import { useArrival } from '../app/arrival.ts';
import { words } from '../words/index.ts';
import { Icon } from './icon.tsx';
import { StatusShape, type Standing } from './status.tsx';

/** Sets the title of the tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    setTabTitle(title);
  }, [title]);
}

/**
 * Head of a page: the sentence that answers its question, with a shape before it, and what can be done.
 */
export function PageHead({
  title,
  tabTitle,
  standing,
  crumbs = [],
  text,
  actions,
}: {
  title: ReactNode;
  /** Title of the tab; needed where `title` is not a text. */
  tabTitle?: string;
  standing?: Standing;
  crumbs?: readonly { text: string; href?: string }[];
  text?: ReactNode;
  actions?: ReactNode;
}): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useArrival(heading);
  useTitle(tabTitle ?? (typeof title === 'string' ? title : ''));
  return (
    <>
      {crumbs.length > 0 && (
        <nav className="crumbs" aria-label={words.nav.breadcrumb}>
          {crumbs.map(({ text: name, href }, index) => (
            <span key={name} className="row">
              {index > 0 && <Icon name="right" />}
              {href === undefined ? <span>{name}</span> : <Link href={href}>{name}</Link>}
            </span>
          ))}
        </nav>
      )}
      <div className="head">
        <div>
          <h1 className="title" tabIndex={-1} ref={heading}>
            {standing !== undefined && <StatusShape standing={standing} />}
            <span>{title}</span>
          </h1>
          {text !== undefined && <div className="head-text">{text}</div>}
        </div>
        {actions !== undefined && <div className="acts">{actions}</div>}
      </div>
    </>
  );
}
