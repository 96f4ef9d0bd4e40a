import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { listMaintenanceWindows } from '../../client/sdk.gen.ts';
import type { MaintenanceWindow } from '../../client/types.gen.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Empty, Failure, Waiting } from '../../parts/failure.tsx';
import { Icon } from '../../parts/icon.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Paging } from '../../parts/paging.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { words } from '../../words/index.ts';
import { askToEnd } from './actions.tsx';
import { WindowFacts, WindowTime } from './facts.tsx';
import { StartDialog } from './start-dialog.tsx';

const SECTIONS = ['active', 'upcoming', 'recurring', 'past'] as const;
type Section = (typeof SECTIONS)[number];

function sectionOf({ status, rrule }: MaintenanceWindow): Section {
  if (status === 'active') return 'active';
  if (status === 'over') return 'past';
  return rrule === null ? 'upcoming' : 'recurring';
}

/** Maintenance: what is active now? */
export default function MaintenancePage(): ReactNode {
  const { isAtLeast } = useSession();
  const [isStarting, setStarting] = useState(false);
  const [page, setPage] = useState(1);
  // The stream says when a window is changed, and not when its time comes.
  const read = useRead(
    ['maintenance-windows', 'page', page],
    () => listMaintenanceWindows({ query: { page, per_page: 100 } }),
    { refetchInterval: 60_000 },
  );
  if (read.error) return <Failure error={read.error} retry={() => void read.refetch()} />;
  if (read.data === undefined) return <Waiting lines={6} />;
  const { maintenance } = words;
  const windows = read.data.data;
  const active = windows.filter((window) => sectionOf(window) === 'active').length;
  const mayPlan = isAtLeast('editor');
  return (
    <>
      <PageHead
        {...(active > 0 && { standing: 'maintenance' as const })}
        title={active === 0 ? maintenance.none : maintenance.active(active)}
        tabTitle={maintenance.title}
        text={maintenance.headText}
        actions={
          mayPlan && (
            <>
              <Button icon="play" onClick={() => setStarting(true)}>
                {maintenance.startNow}
              </Button>
              <ButtonLink look="primary" icon="plus" href="/maintenance/new">
                {maintenance.plan}
              </ButtonLink>
            </>
          )
        }
      />
      {windows.length === 0 ? (
        <Card>
          <Empty title={maintenance.emptyTitle} text={maintenance.emptyText} />
        </Card>
      ) : (
        <div className="stack">
          {SECTIONS.map((section) => (
            <Windows
              key={section}
              section={section}
              windows={inOrder(
                section,
                windows.filter((window) => sectionOf(window) === section),
              )}
            />
          ))}
          <Paging page={page} last={read.data.last_page} onChange={setPage} />
        </div>
      )}
      {isStarting && <StartDialog onClose={() => setStarting(false)} />}
    </>
  );
}

/** What is over stands newest first, the rest by what comes first. */
function inOrder(section: Section, windows: MaintenanceWindow[]): MaintenanceWindow[] {
  if (section === 'past') return windows;
  return windows.toSorted((a, b) => when(a).localeCompare(when(b)));
}

function when({ active_until: until, next_starts_at: next }: MaintenanceWindow): string {
  return until ?? next ?? '';
}

function Windows({
  section,
  windows,
}: {
  section: Section;
  windows: readonly MaintenanceWindow[];
}): ReactNode {
  const { isAtLeast } = useSession();
  const { maintenance } = words;
  if (windows.length === 0) return null;
  return (
    <Card title={maintenance.sections[section]}>
      <ul className="entry-list">
        {windows.map((window) => (
          <li key={window.id} className="entry has-acts">
            {section === 'past' ? (
              <Icon name="check" />
            ) : (
              <StatusShape
                standing={section === 'active' ? 'maintenance' : 'pending'}
                isDecoration
              />
            )}
            <div>
              <p className="name">
                <Link href={`/maintenance/${window.id}`} className="clip" title={window.name}>
                  {window.name}
                </Link>
              </p>
              <p className="sub">
                <WindowFacts window={window} />
              </p>
              {section !== 'past' &&
                window.warnings.map((warning) => (
                  <p key={warning} className="sub warn">
                    {window.monitors_covered === 0 ? maintenance.coversNothing : warning}
                  </p>
                ))}
            </div>
            <p className="at">
              <WindowTime window={window} />
            </p>
            <div className="acts">
              {section === 'active' && isAtLeast('editor') && (
                <Button onClick={() => askToEnd(window)}>{maintenance.end}</Button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
