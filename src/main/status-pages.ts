import type { Config } from '../config/config.ts';
import { systemClock as clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createRecordLookup } from '../net/dns-records.ts';
import { createDomains, type Domains } from '../status-page/domains.ts';
import { createPublisher } from '../status-page/publisher/publisher.ts';
import type { Resources } from './resources.ts';

/** Status page stage: verifies custom domains, and announces incidents and maintenance. */
export interface StatusPages {
  domains: Domains;
  start(): void;
  stop(): Promise<void>;
}

export interface StatusPagesParts extends Pick<Resources, 'database'> {
  baseUrl: () => string;
  log: Log;
}

export function createStatusPages(settings: Config, parts: StatusPagesParts): StatusPages {
  const { database, baseUrl, log } = parts;
  const lookUp = createRecordLookup({ clock, servers: settings.dnsServers });
  const domains = createDomains({ database, clock, log, lookUp, baseUrl });
  const publisher = createPublisher({ database, clock, log });
  return {
    domains,
    start() {
      publisher.start();
      domains.start();
    },
    async stop() {
      await Promise.all([publisher.stop(), domains.stop()]);
    },
  };
}
