import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { deleteShown, queries, useRead } from '../../app/api.ts';
import { useSession } from '../../app/session.tsx';
import { deleteAnnouncement, getAnnouncement } from '../../client/sdk.gen.ts';
import type { AnnouncementDetail, StatusPage } from '../../client/types.gen.ts';
import { Button } from '../../parts/button.tsx';
import { Card, Facts } from '../../parts/card.tsx';
import { confirm } from '../../parts/dialog.tsx';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { DayTime } from '../../parts/time.tsx';
import { say } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { useTitleOf } from './announcement-row.tsx';
import { EditAnnouncementDialog } from './edit-announcement.tsx';
import { standingOf } from './facts.ts';
import { PostMortemCard } from './post-mortem.tsx';
import { UpdateDialog } from './update-dialog.tsx';
import { UpdateItem } from './update-item.tsx';

/** One announcement: its updates, what it concerns, and its post-mortem. */
export function AnnouncementDetailCard({
  id,
  page,
  onBack,
  onChanged,
}: {
  id: number;
  page: StatusPage;
  onBack: () => void;
  onChanged: () => void;
}): ReactNode {
  const w = words.statusPages;
  const found = useRead(['announcements', id], () => getAnnouncement({ path: { id } }));
  const back = (
    <p className="sp-back">
      <Button look="ghost" icon="left" onClick={onBack}>
        {w.allAnnouncements}
      </Button>
    </p>
  );
  if (found.error) {
    return (
      <>
        {back}
        <Failure error={found.error} retry={() => void found.refetch()} />
      </>
    );
  }
  if (found.data === undefined) return <Waiting lines={4} />;
  return (
    <>
      {back}
      <Detail announcement={found.data} page={page} onBack={onBack} onChanged={onChanged} />
      <PostMortemCard key={id} announcement={found.data} onChanged={onChanged} />
    </>
  );
}

function Detail({
  announcement,
  page,
  onBack,
  onChanged,
}: {
  announcement: AnnouncementDetail;
  page: StatusPage;
  onBack: () => void;
  onChanged: () => void;
}): ReactNode {
  const w = words.statusPages;
  const canEdit = useSession().isAtLeast('editor');
  const [open, setOpen] = useState<'update' | 'edit' | null>(null);
  const { id } = announcement;
  const title = useTitleOf()(announcement);
  const askToDelete = () =>
    confirm({
      title: w.deleteAnnouncement(title),
      text: w.deleteAnnouncementText(announcement.updates.length),
      action: words.common.delete,
      onConfirm: async () => {
        await deleteShown(['announcements', id], () => deleteAnnouncement({ path: { id } }));
        onBack();
        onChanged();
        void queries.invalidateQueries({ queryKey: ['announcements'] });
        say(w.deletedAnnouncement);
      },
    });
  return (
    <Card
      title={
        <span className="row">
          <StatusShape standing={standingOf(announcement)} isDecoration />
          {title}
        </span>
      }
    >
      {canEdit && (
        <div className="sp-bar">
          <Button look="primary" onClick={() => setOpen('update')}>
            {w.writeUpdate}
          </Button>
          <Button icon="edit" onClick={() => setOpen('edit')}>
            {words.common.edit}
          </Button>
          <Button look="danger" icon="trash" onClick={askToDelete}>
            {words.common.delete}
          </Button>
        </div>
      )}
      <AnnouncementFacts announcement={announcement} page={page} />
      <ol className="tl">
        {announcement.updates.map((update) => (
          <UpdateItem
            key={update.id}
            announcement={announcement}
            update={update}
            canDelete={announcement.updates.length > 1}
            onChanged={onChanged}
          />
        ))}
      </ol>
      {open === 'update' && (
        <UpdateDialog
          announcement={announcement}
          onClose={() => setOpen(null)}
          onPublished={onChanged}
        />
      )}
      {open === 'edit' && (
        <EditAnnouncementDialog
          announcement={announcement}
          page={page}
          onClose={() => setOpen(null)}
          onSaved={onChanged}
        />
      )}
    </Card>
  );
}

function AnnouncementFacts({
  announcement,
  page,
}: {
  announcement: AnnouncementDetail;
  page: StatusPage;
}): ReactNode {
  const w = words.statusPages;
  const { state, kind, impact, started_at, planned_until, ended_at, monitors, incidents, origin } =
    announcement;
  const names = page.services
    .filter(({ monitor_id }) => monitors.includes(monitor_id))
    .map(
      ({ monitor_id, label, monitor_url }) => label ?? (monitor_url || w.monitorNumber(monitor_id)),
    );
  return (
    <Facts
      rows={[
        [w.state, w.states[state]],
        [w.impact, kind === 'incident' ? w.impacts[impact] : null],
        [w.begins, <DayTime key="begins" time={started_at} />],
        [
          w.plannedUntil,
          planned_until === null ? null : <DayTime key="until" time={planned_until} />,
        ],
        [w.ended, ended_at === null ? null : <DayTime key="ended" time={ended_at} />],
        [w.services, names.length === 0 ? w.wholePage : names.join(', ')],
        [w.origin, w.origins[origin]],
        [
          w.incidents,
          incidents.length === 0
            ? null
            : incidents.map((id) => (
                <Link key={id} className="link sp-ref" href={`/incidents/${id}`}>
                  #{id}
                </Link>
              )),
        ],
      ]}
    />
  );
}
