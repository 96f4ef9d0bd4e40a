import type { Registry } from 'prom-client';
import type { ViewResult } from '../api/status/route.ts';
import { createHistogram, exposeCount, exposeCounts, exposeValue } from '../lib/metrics.ts';
import { createRecordLookup } from '../net/dns-channels.ts';
import { createPageAccessRules } from '../status-page/access.ts';
import { createDocuments } from '../status-page/documents.ts';
import { createDomains } from '../status-page/domains.ts';
import { createPages } from '../status-page/pages.ts';
import { createPublisher } from '../status-page/publisher/publisher.ts';
import { createSubscriberLinks } from '../status-page/subscribers/addresses.ts';
import { createMailings } from '../status-page/subscribers/mailings.ts';
import type { MailQueue } from '../store/alerting/mails.ts';
import { clock } from './clock.ts';
import type { Parts } from './resources.ts';

export type StatusPages = ReturnType<typeof createStatusPages>;

/** Status page stage: renders pages, verifies domains, announces incidents and maintenance, and hands updates to subscribers. */
export function createStatusPages(
  parts: Parts & { mailQueue: MailQueue; /** Messages were enqueued. */ onDeliveries: () => void },
) {
  const { settings, database, keys, registry, baseUrl, log } = parts;
  const lookUp = createRecordLookup({ clock, servers: settings.dnsServers });
  const domains = createDomains({ database, clock, log, lookUp, baseUrl });
  const publisher = createPublisher({ database, clock, log });
  const mailings = createMailings({ ...parts, clock, links: createSubscriberLinks(keys) });
  const documents = createDocuments({
    database,
    clock,
    installation: { canSubscribe: settings.smtpUrl !== null, baseUrl },
  });
  const meter = meterPages(registry);
  const pages = createPages({ database, clock, log, documents, onRender: meter.onRender });
  exposeValue(registry, 'tocsin_status_pages_cached', () => pages.size().pages);
  exposeValue(registry, 'tocsin_status_pages_cached_bytes', () => pages.size().bytes);
  exposeValue(registry, 'tocsin_status_pages_waiting', () => pages.size().waiting);
  const access = createPageAccessRules({ keys, database, clock, baseUrl });
  return {
    domains,
    public: { pages, access, onView: meter.onView },
    /** Starts to follow changes of pages, which are also served while nothing is checked. */
    startServing: () => pages.start(),
    start() {
      publisher.start();
      mailings.start();
      domains.start();
    },
    async stop() {
      await Promise.all([publisher.stop(), mailings.stop(), domains.stop(), pages.stop()]);
    },
  };
}

const BUCKETS = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1];

/** Counts views by what became of them, and rendered documents with the time they took. */
function meterPages(registry: Registry) {
  const views: Record<ViewResult, number> = {
    sent: 0,
    not_modified: 0,
    refused: 0,
    not_found: 0,
    limited: 0,
    unavailable: 0,
    failed: 0,
  };
  let renders = 0;
  const durations = createHistogram(
    registry,
    'tocsin_status_page_render_duration_seconds',
    BUCKETS,
  );
  exposeCounts(registry, 'tocsin_status_page_views_total', () => views);
  exposeCount(registry, 'tocsin_status_page_renders_total', () => renders);
  return {
    onView: (result: ViewResult) => void (views[result] += 1),
    onRender(milliseconds: number) {
      renders += 1;
      durations.observe(milliseconds / 1_000);
    },
  };
}
