import { useMemo, type ReactNode } from 'react';
import { useNow } from '../../app/clock.ts';
import { useOverview } from '../../app/overview.ts';
import { useSession } from '../../app/session.tsx';
import { ButtonLink } from '../../parts/button.tsx';
import { Empty, Failure, Waiting } from '../../parts/failure.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { NeedsRole } from '../../parts/needs-role.tsx';
import { words } from '../../words/index.ts';
import { Listing } from './listing.tsx';
import { OpenIncidents, openIncidentsOf } from './open-incidents.tsx';
import type { Overview } from './overview-types.ts';
import { rowsOf } from './rows.ts';
import { summary } from './sentences.ts';

/** All monitors: is anything down right now? */
export default function MonitorsPage(): ReactNode {
  const overview = useOverview();
  if (overview.error && overview.data === undefined)
    return <Failure error={overview.error} retry={() => void overview.refetch()} />;
  if (overview.data === undefined) return <Waiting lines={8} />;
  return <Monitors overview={overview.data} />;
}

function Monitors({ overview }: { overview: Overview }): ReactNode {
  const { isAtLeast } = useSession();
  const rows = useMemo(() => rowsOf(overview), [overview]);
  const now = useNow(5_000);
  const { standing, title, text } = useMemo(() => summary(rows, now), [rows, now]);
  const incidents = useMemo(() => openIncidentsOf(overview.monitors), [overview]);
  if (rows.length === 0) {
    return (
      <>
        <PageHead title={words.monitors.title} />
        <section className="card">
          <Empty title={words.monitors.emptyTitle} text={words.monitors.emptyText}>
            {isAtLeast('editor') ? (
              <ButtonLink look="primary" href="/start">
                {words.monitors.emptyAction}
              </ButtonLink>
            ) : (
              <p>
                <NeedsRole least="editor" />
              </p>
            )}
          </Empty>
        </section>
      </>
    );
  }
  return (
    <>
      <PageHead
        standing={standing}
        title={title}
        text={text}
        actions={
          <>
            <ButtonLink icon="globe" href="/check">
              {words.nav.check}
            </ButtonLink>
            {isAtLeast('editor') && (
              <ButtonLink look="primary" icon="plus" href="/monitors/new">
                {words.nav.newMonitor}
              </ButtonLink>
            )}
          </>
        }
      />
      <OpenIncidents monitors={incidents} regions={overview.regions} />
      <Listing overview={overview} rows={rows} />
    </>
  );
}
