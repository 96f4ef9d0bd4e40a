import { useEffect, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useRead } from '../../app/api.ts';
import { type Announcement, type StatusPage } from '../../app/client.ts';
import { useOverview } from '../../app/overview.ts';
import { BASE } from '../../app/place.ts';
import { useSession } from '../../app/session.ts';
import { count } from '../../lib/format.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Card, Empty, isLoaded, Loading, NeedsRole, PageHead } from '../../parts/page.tsx';
import { Paging } from '../../parts/sections.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { StatusShape } from '../../parts/status.tsx';
import { Table } from '../../parts/table.tsx';
import { words } from '../../words/index.ts';
import { rowsOf } from '../monitors/rows.ts';
import { AnnouncementRow } from './announcement-row.tsx';
import { accessIcon, shortAddress } from './facts.ts';
import { addressToOpen } from './preview.tsx';
import { TemplatesCard } from './templates.tsx';

/** Status pages of the team, and what visitors read on them now. */
export default function StatusPagesPage() {
  const { isAtLeast } = useSession();
  const [pageNumber, setPageNumber] = useState(1);
  const [search, setSearch] = useSearchParams();
  const tab = search.get('tab') === 'templates' ? 'templates' : 'pages';
  const pages = useRead('listStatusPages', { query: { page: pageNumber, sort: 'title' } });
  const open = useRead('listAnnouncements', { query: { state: 'open', per_page: 100 } });
  if (!isLoaded(pages) || open.isPending) return <Loading reads={[pages, open]} lines={4} />;
  const w = words.statusPages;
  const { data, last_page } = pages.data;
  const current = (open.data?.data ?? []).toSorted((a, b) => rank(a) - rank(b));
  const create = isAtLeast('editor') && (
    <ButtonLink href="/status-pages/new" icon="plus" look="primary">
      {w.create}
    </ButtonLink>
  );
  if (pages.data.total === 0) {
    return (
      <>
        <PageHead title={words.nav.statusPages} />
        <Card>
          <Empty
            title={w.empty}
            text={isAtLeast('editor') ? w.emptyHint : <NeedsRole least="editor" />}
          >
            {create}
          </Empty>
        </Card>
      </>
    );
  }
  return (
    <>
      <PageHead
        title={headline(current)}
        tabTitle={words.nav.statusPages}
        displayStatus={displayStatus(current)}
        actions={create}
      />
      <div className="below sp-tabs">
        <Segmented
          label={words.nav.statusPages}
          choices={[
            { value: 'pages', text: words.nav.statusPages },
            { value: 'templates', text: w.templates },
          ]}
          value={tab}
          onChange={(value) =>
            setSearch(value === 'pages' ? {} : { tab: value }, { replace: true })
          }
        />
      </div>
      {tab === 'templates' && <TemplatesCard />}
      <div className="stack" hidden={tab === 'templates'}>
        {current.length > 0 && (
          <Card title={w.announcedNow}>
            <ul className="rows">
              {current.map((announcement) => (
                <AnnouncementRow
                  key={announcement.id}
                  announcement={announcement}
                  href={`/status-pages/${announcement.status_pages[0] ?? data[0]!.id}?tab=announcements&announcement=${announcement.id}`}
                />
              ))}
            </ul>
          </Card>
        )}
        <Card title={words.nav.statusPages}>
          <PagesTable pages={data} />
          <Paging page={pageNumber} last={last_page} onChange={setPageNumber} />
        </Card>
      </div>
    </>
  );
}

/** Incidents come first, then maintenance that is under way, then what is planned. */
function rank(announcement: Announcement): number {
  if (announcement.kind === 'incident') return 0;
  return isActive(announcement) ? 1 : 2;
}

function isActive({ kind, state }: Announcement): boolean {
  return kind === 'incident' || state === 'in_progress';
}

function headline(current: readonly Announcement[]): string {
  const active = current.filter(isActive);
  return words.statusPages.headline(
    active.filter(({ kind }) => kind === 'incident').length,
    active.filter(({ kind }) => kind === 'maintenance').length,
  );
}

function displayStatus(current: readonly Announcement[]) {
  const active = current.filter(isActive);
  if (active.some(({ impact }) => impact === 'critical' || impact === 'major')) return 'offline';
  if (active.some(({ kind }) => kind === 'incident')) return 'degraded';
  return active.length > 0 ? 'maintenance' : 'online';
}

/** Monitors that are down, as the list of monitors counts them. */
function useDown(): ReadonlySet<number> {
  const { data } = useOverview();
  return useMemo(() => {
    const down = rowsOf(data ?? { monitors: [] }).filter(
      ({ displayStatus: of }) => of === 'offline',
    );
    return new Set(down.map(({ monitor }) => monitor.id));
  }, [data]);
}

function PagesTable({ pages }: { pages: readonly StatusPage[] }) {
  const w = words.statusPages;
  const down = useDown();
  return (
    <Table
      className="stacked sp-table"
      rows={pages}
      keyOf={({ id }) => id}
      columns={[
        {
          name: w.tabs.page,
          render: (page) => (
            <>
              <Link className="b clip" href={`/status-pages/${page.id}`} title={page.name}>
                {page.name}
              </Link>
              <span className="mono dim clip" title={page.url}>
                {shortAddress(page)}
              </span>
              <Sentence page={page} />
            </>
          ),
          className: 'sp-name',
        },
        {
          name: w.visibleTo,
          render: ({ draft, access: { type } }) => (
            <span className="line">
              <Icon name={draft ? 'edit' : accessIcon(type)} />
              {draft ? w.draft : w.access[type]}
            </span>
          ),
        },
        {
          name: w.services,
          render: ({ services }) => {
            const isDown = services.some(({ monitor_id }) => down.has(monitor_id));
            return (
              <>
                {isDown && <span className="vh">{w.oneIsDown} </span>}
                <span className="near sp-count">
                  {isDown && <StatusShape displayStatus="offline" isDecoration />}
                  {count(services.length)}
                </span>
              </>
            );
          },
          className: 'r',
        },
        {
          name: w.tabs.subscribers,
          render: ({ id }) => <SubscriberCount id={id} />,
          className: 'r',
        },
        { name: words.labels.domain, render: (page) => <DomainState page={page} /> },
        {
          name: words.terms.open,
          render: (page) => (
            <a
              className="btn ghost"
              href={addressToOpen(page)}
              target="_blank"
              rel="noreferrer"
              aria-label={w.openPage(page.name)}
            >
              <Icon name="external" />
              {words.terms.open}
            </a>
          ),
          className: 'r',
          kind: 'unnamed',
        },
      ]}
    />
  );
}

/** What visitors read first on a page now, in the words of its summary. */
function Sentence({ page: { slug, updated_at } }: { page: StatusPage }) {
  const [sentence, setSentence] = useState<string | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    fetch(`${BASE}/status/${slug}.json?preview&at=${Date.parse(updated_at)}`, {
      signal: leaving.signal,
    })
      .then(async (answer) => (answer.ok ? ((await answer.json()) as Summary) : null))
      .then((summary) => setSentence(summary?.status.description ?? null))
      // Without an answer the row says nothing about visitors.
      .catch(() => setSentence(null));
    return () => leaving.abort();
  }, [slug, updated_at]);
  return <span className="xs sp-sentence">{sentence ?? '\u00A0'}</span>;
}

interface Summary {
  status: { description: string };
}

/** Number of active subscribers, for editors. */
function SubscriberCount({ id }: { id: number }) {
  const { isAtLeast } = useSession();
  const isAllowed = isAtLeast('editor');
  const found = useRead(
    'listSubscribers',
    { path: { id }, query: { per_page: 1, state: 'active' } },
    { enabled: isAllowed },
  );
  if (!isAllowed) return <span className="faint">–</span>;
  return found.data === undefined ? null : count(found.data.total);
}

function DomainState({ page: { custom_domain, domain_verified } }: { page: StatusPage }) {
  if (custom_domain === null) return <span className="faint">{words.common.none}</span>;
  return (
    <span className="line">
      <StatusShape displayStatus={domain_verified ? 'online' : 'pending'} isDecoration />
      <span>
        {custom_domain}
        <span className="vh">: </span>
        <span className={domain_verified ? 'xs dim' : 'xs warn'}>
          {' '}
          {domain_verified ? words.statusPages.domainVerified : words.statusPages.domainWaits}
        </span>
      </span>
    </span>
  );
}
