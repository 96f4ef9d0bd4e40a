import { useState, type ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { useRead } from '../../app/api.ts';
import { listAnnouncements } from '../../client/sdk.gen.ts';
import type { StatusPage } from '../../client/types.gen.ts';
import { Card } from '../../parts/card.tsx';
import { Failure, Waiting } from '../../parts/failure.tsx';
import { Paging } from '../../parts/paging.tsx';
import { Segmented } from '../../parts/segmented.tsx';
import { words } from '../../words/index.ts';
import { AnnouncementDetailCard } from './announcement.tsx';
import { AnnouncementRow } from './announcement-row.tsx';

const FILTERS = ['open', 'ended'] as const;

/** Announcements of a page, and the one that is chosen in the address. */
export function AnnouncementsPanel({
  page,
  onChanged,
}: {
  page: StatusPage;
  onChanged: () => void;
}): ReactNode {
  const w = words.statusPages;
  const [search, setSearch] = useSearchParams();
  const [state, setState] = useState<(typeof FILTERS)[number]>('open');
  const [pageNumber, setPageNumber] = useState(1);
  const chosen = Number(search.get('announcement') ?? 0);
  const found = useRead(['announcements', 'of', page.id, state, pageNumber], () =>
    listAnnouncements({ query: { status_page: page.id, state, page: pageNumber } }),
  );
  if (chosen > 0) {
    return (
      <AnnouncementDetailCard
        id={chosen}
        page={page}
        onBack={() => setSearch({ tab: 'announcements' })}
        onChanged={onChanged}
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
      {found.error && <Failure error={found.error} retry={() => void found.refetch()} />}
      {found.isPending && <Waiting lines={3} />}
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
