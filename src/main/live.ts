import type { Registry } from 'prom-client';
import { clock } from './clock.ts';
import type { Log } from '../lib/log.ts';
import { exposeCount, exposeValue } from '../lib/metrics.ts';
import { createLiveFeed, type LiveFeed } from '../live/feed.ts';
import type { Resources } from './resources.ts';

/** Live stage: hands changes to the event streams that are open. */
export function createLive(
  parts: Pick<Resources, 'database'> & { registry: Registry; log: Log },
): LiveFeed {
  const live = createLiveFeed({ ...parts, clock });
  exposeValue(parts.registry, 'tocsin_event_streams_open', () => live.openStreams);
  exposeCount(parts.registry, 'tocsin_events_sent_total', () => live.sent);
  return live;
}
