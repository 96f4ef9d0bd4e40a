import { useEffect, useRef, useState } from 'react';
import { useLocation, useParams, useSearchParams } from 'wouter';
import { useRead } from '../../app/api.ts';
import { call, type Announcement, type StatusPage } from '../../app/client.ts';
import { collection } from '../../app/collection.ts';
import { useSession } from '../../app/session.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { MoreMenu, openMenu } from '../../parts/menu.tsx';
import { isLoaded, Loading, NeedsRole, PageHead } from '../../parts/page.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { NewAnnouncementDialog, UpdateDialog } from './announcement-dialogs.tsx';
import { useTitleOf } from './announcement-row.tsx';
import { AnnouncementsPanel } from './announcement.tsx';
import { DomainPanel, SharePanel } from './domain.tsx';
import { accessIcon, type Kind } from './facts.ts';
import { LookForm } from './look-form.tsx';
import { AccessForm, PageForm } from './page-form.tsx';
import { SubscribersPanel } from './subscribers.tsx';
import { BASE } from '../../app/place.ts';

const pageCollection = collection('StatusPage', {
  key: 'status-pages',
  concerns: ['announcements'],
  texts: () => {
    const { deletePage, deletedPage } = words.statusPages;
    return { deleteTitle: deletePage, deleted: deletedPage };
  },
});

const TABS = ['page', 'look', 'access', 'domain', 'share', 'subscribers', 'announcements'] as const;
type Tab = (typeof TABS)[number];

type Writing = { kind: Kind } | { announcement: Announcement };

/** A status page: what it shows and to whom, beside the page itself. */
export default function StatusPageEditorPage() {
  const id = Number(useParams<{ id: string }>().id);
  const page = useRead(['status-pages', id], () => call('getStatusPage', { path: { id } }));
  if (!isLoaded(page)) return <Loading reads={[page]} lines={6} />;
  return <Editor key={id} page={page.data} />;
}

function Editor({ page }: { page: StatusPage }) {
  const w = words.statusPages;
  const canEdit = useSession().isAtLeast('editor');
  const [version, setVersion] = useState(0);
  const [writing, setWriting] = useState<Writing | null>(null);
  const [search, setSearch] = useSearchParams();
  const tabs = canEdit ? TABS : (['announcements'] as const);
  const tab: Tab = tabs.find((name) => name === search.get('tab')) ?? tabs[0];
  const changed = () => setVersion((old) => old + 1);
  const saved = () => {
    showToast(w.saved);
    changed();
  };
  return (
    <>
      <PageHead
        title={page.name}
        crumbs={[{ text: words.nav.statusPages, href: '/status-pages' }, { text: page.name }]}
        text={<Visibility page={page} />}
        actions={<EditorActions page={page} canEdit={canEdit} onWrite={setWriting} />}
      />
      {page.warnings.length > 0 && (
        <ul className="notice sp-warnings">
          {page.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      {canEdit ? (
        <div className="sp-tabs">
          <Segmented
            label={w.parts}
            choices={tabs.map((value) => ({ value, text: w.tabs[value] }))}
            value={tab}
            onChange={(value) => setSearch({ tab: value }, { replace: true })}
          />
        </div>
      ) : (
        <p className="notice sp-warnings">
          <NeedsRole least="editor" />
        </p>
      )}
      <div className="sp-editor">
        <div className="stack">
          {canEdit && (
            <>
              <div hidden={tab !== 'page'}>
                <PageForm page={page} onSaved={saved} />
              </div>
              <div hidden={tab !== 'look'}>
                <LookForm page={page} onSaved={saved} />
              </div>
              <div hidden={tab !== 'access'}>
                <AccessForm page={page} onSaved={saved} />
              </div>
              <div hidden={tab !== 'domain'}>
                <DomainPanel page={page} onSaved={saved} />
              </div>
            </>
          )}
          {tab === 'share' && <SharePanel page={page} />}
          {tab === 'subscribers' && <SubscribersPanel page={page} />}
          {tab === 'announcements' && <AnnouncementsPanel page={page} onChanged={changed} />}
        </div>
        <Preview page={page} version={version} />
      </div>
      {writing !== null && 'kind' in writing && (
        <NewAnnouncementDialog
          kind={writing.kind}
          page={page}
          onClose={() => setWriting(null)}
          onPublished={changed}
        />
      )}
      {writing !== null && 'announcement' in writing && (
        <UpdateDialog
          announcement={writing.announcement}
          onClose={() => setWriting(null)}
          onPublished={changed}
        />
      )}
    </>
  );
}

/** Who sees the page, and where. */
function Visibility({ page: { access, url } }: { page: StatusPage }) {
  return (
    <span className="sp-visibility">
      <Icon name={accessIcon(access.type)} />
      <span>
        {words.statusPages.accessSentence[access.type]}{' '}
        <a className="link sp-address" href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
      </span>
    </span>
  );
}

function EditorActions({
  page,
  canEdit,
  onWrite,
}: {
  page: StatusPage;
  canEdit: boolean;
  onWrite: (writing: Writing) => void;
}) {
  const w = words.statusPages;
  const [, navigate] = useLocation();
  const titleOf = useTitleOf();
  const open = useRead(['announcements', 'open', page.id], () =>
    call('listAnnouncements', { query: { state: 'open', status_page: page.id, per_page: 100 } }),
  );
  if (!canEdit) return null;
  const publish = (anchor: HTMLElement) =>
    openMenu({
      label: w.publish,
      anchor,
      items: [
        ...(open.data?.data ?? []).slice(0, 8).map((announcement) => ({
          text: w.updateFor(titleOf(announcement)),
          icon: 'edit' as const,
          onSelect: () => onWrite({ announcement }),
        })),
        ...((open.data?.total ?? 0) > 0 ? (['line'] as const) : []),
        {
          text: w.newKind.incident,
          icon: 'incidents',
          onSelect: () => onWrite({ kind: 'incident' }),
        },
        {
          text: w.newKind.maintenance,
          icon: 'maintenance',
          onSelect: () => onWrite({ kind: 'maintenance' }),
        },
      ],
    });
  const askToDelete = () =>
    pageCollection.askToDelete(page, {
      text: w.deletePageText(page.url),
      typed: page.slug,
      leave: () => navigate('/status-pages'),
    });
  return (
    <>
      <Button
        look="primary"
        aria-haspopup="menu"
        onClick={({ currentTarget }) => publish(currentTarget)}
      >
        {w.publish}
        <Icon name="down" />
      </Button>
      <MoreMenu
        label={words.common.actionsFor(page.name)}
        items={() => [
          {
            text: w.openInTab,
            icon: 'external',
            onSelect: () => window.open(page.url, '_blank', 'noopener'),
          },
          'line',
          { text: w.deleteThis, icon: 'trash', isDanger: true, onSelect: askToDelete },
        ]}
      />
    </>
  );
}

/** Times after a change when the page is loaded anew: the server renders it within one to three seconds. */
const RELOADS_MS = [1_200, 4_000];
const WIDTHS = { wide: 1_024, phone: 375 } as const;
const HEIGHT = 720;

/** The page itself in a frame, at the width of a desk or a phone, whoever may see it. */
function Preview({ page, version }: { page: StatusPage; version: number }) {
  const w = words.statusPages;
  const [size, setSize] = useState<keyof typeof WIDTHS>(() =>
    innerWidth > 800 ? 'wide' : 'phone',
  );
  const [room, box] = useRoom();
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    if (version === 0) return undefined;
    const timers = RELOADS_MS.map((ms) => setTimeout(() => reload(frame.current, page.slug), ms));
    return () => timers.forEach(clearTimeout);
  }, [version, page.slug]);
  const scale = Math.min(1, (room ?? 0) / WIDTHS[size]);
  return (
    <section className="card sp-preview" aria-label={w.preview}>
      <header>
        <h2>{w.preview}</h2>
        <div className="right">
          <Segmented
            label={w.width}
            choices={[
              { value: 'wide', text: w.wide },
              { value: 'phone', text: w.phone },
            ]}
            value={size}
            onChange={setSize}
          />
          <IconButton
            look="ghost"
            icon="refresh"
            label={w.reload}
            onClick={() => reload(frame.current, page.slug)}
          />
        </div>
      </header>
      <div className="sp-frame" ref={box}>
        <div
          style={{ width: WIDTHS[size] * scale, height: HEIGHT }}
          className={room === null ? 'unmeasured' : ''}
        >
          <iframe
            key={page.slug}
            ref={frame}
            sandbox="allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"
            title={w.previewOf(page.name)}
            src={`${BASE}/status/${page.slug}.preview?preview`}
            onLoad={({ currentTarget }) => leadOut(currentTarget.contentDocument)}
            style={{
              width: WIDTHS[size],
              height: HEIGHT / (scale || 1),
              transform: `scale(${scale})`,
            }}
          />
        </div>
      </div>
    </section>
  );
}

/** Loads the page anew. Caches may keep its address for some seconds: another one is always fresh, and no step of "back". */
function reload(frame: HTMLIFrameElement | null, slug: string): void {
  frame?.contentWindow?.location.replace(`${BASE}/status/${slug}.preview?preview=${Date.now()}`);
}

/** Opens what the page leads to in a tab of its own: only the page itself is there for its editor, and may be framed. */
function leadOut(page: Document | null): void {
  const ways = page?.querySelectorAll<HTMLAnchorElement | HTMLFormElement>(
    'a[href]:not([href^="#"]), form',
  );
  for (const way of ways ?? []) way.target = '_blank';
}

/** Width that an element has, in pixels. */
function useRoom(): [number | null, (element: HTMLElement | null) => (() => void) | undefined] {
  // Nothing is drawn before the first measurement, which would move it.
  const [room, setRoom] = useState<number | null>(null);
  const [measure] = useState(() => (element: HTMLElement | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setRoom(Math.max(200, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  });
  return [room, measure];
}
