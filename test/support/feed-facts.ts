import type { PageFacts, PageIdentity } from '../../src/status-page/facts/model.ts';
import { incidentFacts, PAGE_NOW, pageFacts, serviceFacts } from './page-facts.ts';

const MINUTE_MS = 60_000;

/** A page with two groups, an incident with three updates, a resolved one and a maintenance to come. */
export function eventfulFacts(page: Partial<PageIdentity> = {}): PageFacts {
  const checkout = serviceFacts('Checkout', { monitorId: 11, status: 'offline' });
  const search = serviceFacts('Search', { monitorId: 12 });
  const mail = serviceFacts('Mail', { monitorId: 13, observedUntil: PAGE_NOW - 60 * MINUTE_MS });
  return pageFacts([], {
    page,
    groups: [
      { name: null, services: [search] },
      { name: 'Shop', services: [checkout, mail] },
    ],
    announcements: [
      incidentFacts({
        id: 7,
        title: 'Payments <fail> & stay',
        services: [{ monitorId: 11, name: 'Checkout' }],
        updates: [
          update(3, 'monitoring', 'A **fix** is [out](https://a.test/?b&c).', 5),
          update(2, 'identified', 'Found it.', 8),
          update(1, 'investigating', null, 14),
        ],
      }),
      incidentFacts({
        id: 8,
        kind: 'maintenance',
        state: 'scheduled',
        impact: 'none',
        title: 'Storage',
        startedAt: PAGE_NOW + 60 * MINUTE_MS,
        plannedUntil: PAGE_NOW + 120 * MINUTE_MS,
        updates: [update(4, 'scheduled', null, 300)],
        updatedAt: PAGE_NOW - 300 * MINUTE_MS,
      }),
      incidentFacts({
        id: 5,
        impact: 'minor',
        state: 'resolved',
        endedAt: PAGE_NOW - 900 * MINUTE_MS,
        services: [{ monitorId: 12, name: 'Search' }],
        updates: [update(6, 'resolved', null, 900)],
        postMortem: { text: 'Because.', at: PAGE_NOW - 400 * MINUTE_MS },
        updatedAt: PAGE_NOW - 400 * MINUTE_MS,
      }),
    ],
  });
}

function update(
  id: number,
  state: 'investigating' | 'identified' | 'monitoring' | 'resolved' | 'scheduled',
  text: string | null,
  minutesAgo: number,
) {
  return { id, state, text, at: PAGE_NOW - minutesAgo * MINUTE_MS, editedAt: null };
}
