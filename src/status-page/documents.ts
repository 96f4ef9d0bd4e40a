import type { Clock } from '../lib/clock.ts';
import type { Database } from '../store/database/contract.ts';
import { unobservedFrom } from '../model/observation.ts';
import { readPageImage } from '../store/resources/page-facts.ts';
import type { AnnouncementPageFacts, MonthFacts, PageFacts } from './facts/model.ts';
import type { DocumentRequest } from './facts/paths.ts';
import { FEEDS } from './facts/urls.ts';
import type { Rendered } from './kept-document.ts';
import {
  readAnnouncementFacts,
  readMonthFacts,
  readPageFacts,
  type Installation,
} from './read-facts.ts';
import { renderAnnouncement, renderMonth } from './render/announcements.ts';
import { assetPath } from './render/assets.ts';
import { ownCss } from './render/brand.ts';
import { renderBadge } from './render/badge.ts';
import { renderFeed } from './render/feeds.ts';
import { renderEmbed, renderPage, renderUncorrected } from './render/page.ts';
import { renderSummary } from './render/summary.ts';

/** Documents of pages: which facts each is made of, and how. */
export type DocumentSet = ReturnType<typeof createDocuments>;

const HTML = 'text/html; charset=utf-8';

export function createDocuments(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
  installation: Installation;
}) {
  const { database, clock, installation } = deps;

  function renderOfPage(
    request: Exclude<DocumentRequest, { name: 'announcement' | 'month' | 'image' }>,
    facts: PageFacts,
  ): Rendered | null {
    const now = clock.now();
    switch (request.name) {
      case 'page':
      case 'preview':
        return text(HTML, renderPage(facts, now, request.name === 'page'));
      case 'embed':
        return text(HTML, renderEmbed(facts, now, request.variant));
      case 'uncorrected': {
        const both = renderUncorrected(facts);
        return both === null ? null : text(HTML, both);
      }
      case 'atom':
      case 'rss':
      case 'jsonFeed':
        return text(`${FEEDS[request.name].type}; charset=utf-8`, renderFeed(facts, request.name));
      case 'summary':
        return text('application/json; charset=utf-8', JSON.stringify(renderSummary(facts, now)));
      case 'badge':
        return hasService(facts, request.monitorId)
          ? text('image/svg+xml; charset=utf-8', renderBadge(facts, request, now))
          : null;
      case 'style': {
        const css = ownCss(facts.page, `../${assetPath('')}`);
        return css === '' ? null : text('text/css; charset=utf-8', css);
      }
    }
  }

  return {
    sourceOf,
    /** When the facts say something else by the passage of time (epoch ms): a service is not observed any more. Null if never. */
    changesAt(request: DocumentRequest, facts: unknown): number | null {
      if (sourceOf(request) !== 'page' || facts === null) return null;
      const { groups, readAt } = facts as PageFacts;
      const times = groups
        .flatMap(({ services }) => services)
        .flatMap((service) => unobservedFrom(service) ?? [])
        .filter((at) => at >= readAt);
      return times.length === 0 ? null : Math.min(...times) + 1;
    },
    read(pageId: number, request: DocumentRequest): Promise<unknown> {
      const now = clock.now();
      if (request.name === 'announcement')
        return readAnnouncementFacts(database, pageId, request.id, now, installation);
      if (request.name === 'month')
        return readMonthFacts(database, pageId, request.month, now, installation);
      if (request.name === 'image') return readPageImage(database.read, pageId, request.image);
      return readPageFacts(database, pageId, now, installation);
    },
    /** Renders a document; null when the facts have none, as a badge of a monitor that is not on the page. */
    render(request: DocumentRequest, facts: unknown): Rendered | null {
      if (request.name === 'announcement')
        return text(HTML, renderAnnouncement(facts as AnnouncementPageFacts, clock.now()));
      if (request.name === 'month')
        return text(HTML, renderMonth(facts as MonthFacts, clock.now()));
      if (request.name === 'image') {
        const { type, bytes } = facts as { type: string; bytes: Uint8Array };
        return { type, body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
      }
      return renderOfPage(request, facts as PageFacts);
    },
  };
}

function sourceOf(request: DocumentRequest): string {
  if (request.name === 'announcement') return `announcement ${request.id}`;
  if (request.name === 'month') return `month ${request.month}`;
  return request.name === 'image' ? request.image : 'page';
}

const text = (type: string, body: string): Rendered => ({ type, body: Buffer.from(body) });

function hasService({ groups }: PageFacts, monitorId: number | null): boolean {
  return (
    monitorId === null ||
    groups.some(({ services }) => services.some((service) => service.monitorId === monitorId))
  );
}
