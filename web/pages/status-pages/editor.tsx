import { useLocation, useParams, useSearchParams } from 'wouter';
import { reread, useRead } from '../../app/api.ts';
import { call, type StatusPage } from '../../app/client.ts';
import { collection } from '../../app/collection.ts';
import { useSession } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { openDialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { KeptGate, KeptMark } from '../../parts/kept.tsx';
import { DELETE, MoreMenu, openMenu } from '../../parts/menu.tsx';
import { isLoaded, Loading, NeedsRole, PageHead } from '../../parts/page.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { useAct } from '../../parts/toast.tsx';
import { words } from '../../words/index.ts';
import { NewAnnouncementDialog, UpdateDialog } from './announcement-dialogs.tsx';
import { useTitleOf } from './announcement-row.tsx';
import { AnnouncementsPanel } from './announcement.tsx';
import { DomainPanel, SharePanel } from './domain.tsx';
import { accessIcon, type Kind } from './facts.ts';
import { LookForm } from './look-form.tsx';
import { AccessForm, PageForm } from './page-form.tsx';
import { addressToOpen, Preview, reloadPreview } from './preview.tsx';
import { SubscribersPanel } from './subscribers.tsx';

const pageCollection = collection('StatusPage', { concerns: ['announcements'] });

const TABS = ['page', 'look', 'access', 'domain', 'share', 'subscribers', 'announcements'] as const;
type Tab = (typeof TABS)[number];

/** Tabs beside which the page is shown; the others have the whole width. */
const BESIDE: ReadonlySet<Tab> = new Set(['page', 'look', 'access', 'domain']);

/** A status page: what it shows and to whom, beside the page itself. */
export default function StatusPageEditorPage() {
  const id = Number(useParams<{ id: string }>().id);
  const page = useRead('getStatusPage', { path: { id } });
  if (!isLoaded(page)) return <Loading reads={[page]} lines={6} />;
  return <Editor key={id} page={page.data} />;
}

function Editor({ page }: { page: StatusPage }) {
  const w = words.statusPages;
  const canEdit = useSession().isAtLeast('editor');
  const [search, setSearch] = useSearchParams();
  const tabs = canEdit ? TABS : (['announcements'] as const);
  const tab: Tab = tabs.find((name) => name === search.get('tab')) ?? tabs[0];
  return (
    <>
      <PageHead
        title={page.name}
        crumbs={[{ text: words.nav.statusPages, href: '/status-pages' }, { text: page.name }]}
        text={<Visibility page={page} />}
        mark={<KeptMark section="status_pages" id={page.id} />}
        actions={canEdit && <EditorActions page={page} />}
      />
      {page.warnings.length > 0 && (
        <ul className="notice below">
          {page.warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      {canEdit ? (
        <div className="below sp-tabs">
          <Segmented
            label={w.parts}
            choices={tabs.map((value) => ({ value, text: w.tabs[value] }))}
            value={tab}
            onChange={(value) => setSearch({ tab: value }, { replace: true })}
          />
        </div>
      ) : (
        <p className="notice below">
          <NeedsRole least="editor" />
        </p>
      )}
      <div className={BESIDE.has(tab) ? 'cols2 sp-editor' : ''}>
        <div className="stack">
          {canEdit && (
            <KeptGate section="status_pages" id={page.id}>
              <div hidden={tab !== 'page'}>
                <PageForm page={page} />
              </div>
              <div hidden={tab !== 'look'}>
                <LookForm page={page} />
              </div>
              <div hidden={tab !== 'access'}>
                <AccessForm page={page} />
              </div>
              <div hidden={tab !== 'domain'}>
                <DomainPanel page={page} />
              </div>
            </KeptGate>
          )}
          {tab === 'share' && <SharePanel page={page} />}
          {tab === 'subscribers' && <SubscribersPanel page={page} />}
          {tab === 'announcements' && <AnnouncementsPanel page={page} />}
        </div>
        {BESIDE.has(tab) && canEdit && <Preview id={page.id} name={page.name} />}
      </div>
    </>
  );
}

/** Who sees the page, and where. */
function Visibility({ page: { access, url, draft } }: { page: StatusPage }) {
  if (draft) return <span className="sp-draft">{words.statusPages.draftHint}</span>;
  return (
    <span className="answer">
      <Icon name={accessIcon(access.type)} />
      <span>
        {words.statusPages.accessSentence[access.type]}{' '}
        <a className="link wrap" href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
      </span>
    </span>
  );
}

function EditorActions({ page }: { page: StatusPage }) {
  const w = words.statusPages;
  const [, navigate] = useLocation();
  const titleOf = useTitleOf();
  const open = useRead('listAnnouncements', {
    query: { state: 'open', status_page: page.id, per_page: 100 },
  });
  const setDraft = useAct(async (draft: boolean) => {
    await call('updateStatusPage', { path: { id: page.id }, body: { draft } });
    await reread('status-pages');
    reloadPreview();
    return draft ? w.nowDraft : w.created(page.name);
  });
  const announce = (kind: Kind) =>
    openDialog((onClose) => <NewAnnouncementDialog {...{ kind, page, onClose }} />);
  const publish = (anchor: HTMLElement) =>
    openMenu({
      label: w.publish,
      anchor,
      items: [
        ...(open.data?.data ?? []).slice(0, 8).map((announcement) => ({
          text: w.updateFor(titleOf(announcement)),
          icon: 'edit' as const,
          onSelect: () => openDialog((onClose) => <UpdateDialog {...{ announcement, onClose }} />),
        })),
        (open.data?.total ?? 0) > 0 && 'line',
        { text: w.newKind.incident, icon: 'incidents', onSelect: () => announce('incident') },
        {
          text: w.newKind.maintenance,
          icon: 'maintenance',
          onSelect: () => announce('maintenance'),
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
      {page.draft && (
        <Button
          look="primary"
          isDisabled={setDraft.isBusy}
          onClick={() => void setDraft.run(false)}
        >
          {w.publishPage}
        </Button>
      )}
      <Button
        look={page.draft ? 'plain' : 'primary'}
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
            onSelect: () => window.open(addressToOpen(page), '_blank', 'noopener'),
          },
          !page.draft && {
            text: w.makeDraft,
            icon: 'lock',
            onSelect: () => void setDraft.run(true),
          },
          'line',
          { ...DELETE, text: w.deleteThis, onSelect: askToDelete },
        ]}
      />
    </>
  );
}
