import { Link } from 'wouter';
import type { Announcement } from '../../app/api.gen.ts';
import { useMonitors } from '../../parts/monitor-picker.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { DayTime } from '../../parts/time.tsx';
import { words } from '../../words/index.ts';
import { displayStatusOf } from './facts.ts';

/** Names announcements by the title that visitors see; those without one by their services. */
export function useTitleOf(): (
  announcement: Pick<Announcement, 'title' | 'kind' | 'monitors' | 'impact' | 'ended_at'>,
) => string {
  const monitors = useMonitors();
  return ({ title, kind, impact, ended_at, monitors: ids }) => {
    if (title !== null) return title;
    const names = (monitors.data?.monitors ?? [])
      .filter(({ id }) => ids.includes(id))
      .map(({ name }) => name);
    return words.statusPages.automaticTitle({ kind, impact, names, isEnded: ended_at !== null });
  };
}

export function AnnouncementRow(props: { announcement: Announcement; href: string }) {
  const { announcement, href } = props;
  const w = words.statusPages;
  const titleOf = useTitleOf();
  const { state, started_at, ended_at, planned_until, impact, kind } = announcement;
  return (
    <li>
      <StatusShape displayStatus={displayStatusOf(announcement)} isDecoration />
      <div className="opens wrap">
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
            {words.labels.until} <DayTime time={(ended_at ?? planned_until)!} />
          </>
        )}
      </span>
    </li>
  );
}
