import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Announcement } from '../../client/types.gen.ts';
import { StatusShape } from '../../parts/status.tsx';
import { DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { standingOf } from './facts.ts';

/** Title that visitors see; automatic announcements are named after their services. */
export function titleOf({ title, kind }: Pick<Announcement, 'title' | 'kind'>): string {
  return title ?? words.statusPages.untitled[kind];
}

/** An announcement in a list. */
export function AnnouncementRow({
  announcement,
  href,
}: {
  announcement: Announcement;
  href: string;
}): ReactNode {
  const w = words.statusPages;
  const { state, started_at, ended_at, planned_until, impact, kind } = announcement;
  return (
    <li>
      <StatusShape standing={standingOf(announcement)} isDecoration />
      <div className="sp-announcement">
        <Link className="b" href={href}>
          {titleOf(announcement)}
        </Link>
        <p className="xs dim">
          {w.states[state]}
          {kind === 'incident' && impact !== 'none' && ` · ${w.impacts[impact]}`}
          {announcement.origin === 'automatic' && ` · ${w.automatic}`}
        </p>
      </div>
      <span className="t">
        <DayTime time={started_at} />
        {(ended_at ?? planned_until) !== null && (
          <>
            <br />
            {w.until} <DayTime time={(ended_at ?? planned_until)!} />
          </>
        )}
      </span>
    </li>
  );
}
