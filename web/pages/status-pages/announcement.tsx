import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { deleteShown, reread, useRead } from '../../app/api.ts';
import { call, type AnnouncementDetail, type StatusPage } from '../../app/client.ts';
import { useSession } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { confirm, openDialog } from '../../parts/dialog.tsx';
import { Form, TextArea, Tick, useForm } from '../../parts/form.tsx';
import { Markdown } from '../../parts/markdown.tsx';
import { Card, isLoaded, Loading } from '../../parts/page.tsx';
import { Facts, Paging } from '../../parts/sections.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { DayTime } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { EditAnnouncementDialog, UpdateDialog } from './announcement-dialogs.tsx';
import { AnnouncementRow, useTitleOf } from './announcement-row.tsx';
import { displayStatusOf } from './facts.ts';
import { announced, reloadPreview } from './preview.tsx';
import { UpdateItem } from './update-item.tsx';

const w = words.statusPages;

/** One announcement: its updates, what it concerns, and its post-mortem. */
export function AnnouncementDetailCard(props: {
  id: number;
  page: StatusPage;
  onBack: () => void;
}) {
  const { id, page, onBack } = props;
  const found = useRead('getAnnouncement', { path: { id } });
  const back = (
    <p className="sp-back">
      <Button look="ghost" icon="left" onClick={onBack}>
        {w.allAnnouncements}
      </Button>
    </p>
  );
  if (!isLoaded(found)) {
    return (
      <>
        {found.error && back}
        <Loading reads={[found]} lines={4} />
      </>
    );
  }
  return (
    <>
      {back}
      <Detail announcement={found.data} page={page} onBack={onBack} />
      <PostMortemCard key={id} announcement={found.data} />
    </>
  );
}

function Detail(props: { announcement: AnnouncementDetail; page: StatusPage; onBack: () => void }) {
  const { announcement, page, onBack } = props;
  const canEdit = useSession().isAtLeast('editor');
  const { id } = announcement;
  const title = useTitleOf()(announcement);
  const write = () => openDialog((onClose) => <UpdateDialog {...{ announcement, onClose }} />);
  const edit = () =>
    openDialog((onClose) => <EditAnnouncementDialog {...{ announcement, page, onClose }} />);
  const askToDelete = () =>
    confirm({
      title: words.dialog.deleteTitle(title),
      text: w.deleteAnnouncementText(announcement.updates.length),
      action: words.common.delete,
      onConfirm: async () => {
        await deleteShown(['announcements', id], () =>
          call('deleteAnnouncement', { path: { id } }),
        );
        onBack();
        reloadPreview();
        void reread('announcements');
        showToast(w.deletedAnnouncement);
      },
    });
  return (
    <Card
      title={
        <span className="row">
          <StatusShape displayStatus={displayStatusOf(announcement)} isDecoration />
          {title}
        </span>
      }
    >
      {canEdit && (
        <div className="row under">
          <Button look="primary" onClick={write}>
            {w.writeUpdate}
          </Button>
          <Button icon="edit" onClick={edit}>
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
          />
        ))}
      </ol>
    </Card>
  );
}

function AnnouncementFacts(props: { announcement: AnnouncementDetail; page: StatusPage }) {
  const { announcement, page } = props;
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
        [w.plannedUntil, planned_until && <DayTime key="until" time={planned_until} />],
        [w.ended, ended_at && <DayTime key="ended" time={ended_at} />],
        [w.services, names.length === 0 ? w.wholePage : names.join(', ')],
        [w.origin, w.origins[origin]],
        [
          words.nav.incidents,
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

const FILTERS = ['open', 'ended'] as const;

/** Announcements of a page, and the one that is chosen in the address. */
export function AnnouncementsPanel({ page }: { page: StatusPage }) {
  const [search, setSearch] = useSearchParams();
  const [state, setState] = useState<(typeof FILTERS)[number]>('open');
  const [pageNumber, setPageNumber] = useState(1);
  const chosen = Number(search.get('announcement') ?? 0);
  const found = useRead('listAnnouncements', {
    query: { status_page: page.id, state, page: pageNumber },
  });
  if (chosen > 0) {
    return (
      <AnnouncementDetailCard
        id={chosen}
        page={page}
        onBack={() => setSearch({ tab: 'announcements' })}
      />
    );
  }
  return (
    <Card
      title={w.tabs.announcements}
      aside={
        <Segmented
          label={w.state}
          choices={FILTERS.map((value) => ({ value, text: w.filters[value] }))}
          value={state}
          onChange={(value) => {
            setState(value);
            setPageNumber(1);
          }}
        />
      }
    >
      <Loading reads={[found]} lines={3} />
      {found.data?.total === 0 && (
        <p className="pad dim">{state === 'open' ? w.nothingOpen : w.nothingEnded}</p>
      )}
      <ul className="rows">
        {found.data?.data.map((announcement) => (
          <AnnouncementRow
            key={announcement.id}
            announcement={announcement}
            href={`/status-pages/${page.id}?tab=announcements&announcement=${announcement.id}`}
          />
        ))}
      </ul>
      <Paging page={pageNumber} last={found.data?.last_page ?? 1} onChange={setPageNumber} />
    </Card>
  );
}

/** What was learned from an incident: a draft for the team until it is published. */
function PostMortemCard({ announcement }: { announcement: AnnouncementDetail }) {
  const canEdit = useSession().isAtLeast('editor');
  const { id, post_mortem, ended_at } = announcement;
  const { draft, set, form } = useForm(null, {
    text: post_mortem?.text ?? '',
    publish: post_mortem !== null && post_mortem.published_at !== null,
  });
  const [isOpen, setOpen] = useState(false);
  const save = async () => {
    await announced(
      call('setPostMortem', { path: { id }, body: draft }),
      draft.publish ? w.postMortemPublished : w.draftSaved,
    );
    setOpen(false);
  };
  const askToDelete = () =>
    confirm({
      title: w.deletePostMortem,
      text: w.deletePostMortemText,
      action: words.common.delete,
      onConfirm: async () => {
        await call('deletePostMortem', { path: { id } });
        await reread('announcements');
        set({ text: '', publish: false });
        reloadPreview();
      },
    });
  if (!canEdit && post_mortem === null) return null;
  return (
    <Card
      title={w.postMortem}
      aside={
        canEdit &&
        !isOpen && (
          <Button icon="edit" onClick={() => setOpen(true)}>
            {post_mortem === null ? w.writePostMortem : words.common.edit}
          </Button>
        )
      }
    >
      {isOpen ? (
        <Form {...form} submit={words.common.save} onCancel={() => setOpen(false)} onSubmit={save}>
          <div className="pad gap">
            <TextArea name="text" label={w.text} hint={w.markdownHint} rows={8} />
            <Tick
              name="publish"
              label={w.publishPostMortem}
              hint={ended_at === null ? w.publishAfterEnd : undefined}
              disabled={ended_at === null}
            />
          </div>
        </Form>
      ) : (
        <div className="inset gap">
          {post_mortem === null ? (
            <p className="dim">{w.noPostMortem}</p>
          ) : (
            <>
              <p>
                <span className="pill">
                  {post_mortem.published_at === null ? w.draft : w.visible}
                </span>
              </p>
              <Markdown text={post_mortem.text} />
              {canEdit && (
                <p>
                  <Button look="danger" icon="trash" onClick={askToDelete}>
                    {words.common.delete}
                  </Button>
                </p>
              )}
            </>
          )}
        </div>
      )}
    </Card>
  );
}
