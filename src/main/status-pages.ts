import type { Config } from '../config/config.ts';
import { systemClock as clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createRecordLookup } from '../net/dns-records.ts';
import { createDomains, type Domains } from '../status-page/domains.ts';
import { createPublisher } from '../status-page/publisher/publisher.ts';
import { createSubscriberLinks } from '../status-page/subscribers/links.ts';
import { createMailings } from '../status-page/subscribers/mailings.ts';
import type { MailQueue } from '../store/alerting/mails.ts';
import type { Resources } from './resources.ts';

/** Status page stage: verifies custom domains, announces incidents and maintenance, and hands updates to subscribers. */
export interface StatusPages {
  domains: Domains;
  start(): void;
  stop(): Promise<void>;
}

export interface StatusPagesParts extends Pick<Resources, 'database' | 'keys' | 'secretBox'> {
  mailQueue: MailQueue;
  /** Messages were enqueued. */
  onDeliveries: () => void;
  baseUrl: () => string;
  log: Log;
}

export function createStatusPages(settings: Config, parts: StatusPagesParts): StatusPages {
  const { database, baseUrl, log, keys } = parts;
  const lookUp = createRecordLookup({ clock, servers: settings.dnsServers });
  const domains = createDomains({ database, clock, log, lookUp, baseUrl });
  const publisher = createPublisher({ database, clock, log });
  const mailings = createMailings({ ...parts, clock, links: createSubscriberLinks(keys) });
  return {
    domains,
    start() {
      publisher.start();
      mailings.start();
      domains.start();
    },
    async stop() {
      await Promise.all([publisher.stop(), mailings.stop(), domains.stop()]);
    },
  };
}
