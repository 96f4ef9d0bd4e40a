import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { PING_KINDS, type RecordedPing } from '../../model/heartbeat.ts';
import type { Database } from '../../store/database/contract.ts';
import { listPings } from '../../store/engine/pings.ts';
import { authorize } from '../common/errors.ts';
import { addPeriodErrors } from '../history/input.ts';
import { Findings, readQuery } from '../common/input.ts';
import { oneOf } from '../../lib/schemas.ts';
import { requireMonitor } from '../monitors/find.ts';
import {
  UNSORTED_PAGE_QUERY,
  pageOf,
  pagingOf,
  type ListAddress,
  type Page,
} from '../common/page.ts';
import { queryTime } from '../common/time-input.ts';
import { isoTime } from '../common/time.ts';

/** Pings of push monitors. */
interface PingService {
  /** A page of a monitor's pings, newest first; other monitors have none. */
  list(caller: Caller, id: number, query: object, address: ListAddress): Promise<Page<object>>;
}

export const pingListQuery = z.object({
  kind: oneOf(PING_KINDS).optional().meta({ description: 'By default all kinds.' }),
  from: queryTime('from', 'Pings from this time on; by default all that are kept.').optional(),
  to: queryTime('to', 'Pings before this time; a date includes that day.').optional(),
  ...UNSORTED_PAGE_QUERY,
});

export function createPingService(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
}): PingService {
  const { database, clock } = deps;
  return {
    async list(caller, id, query, address) {
      authorize(caller, 'read');
      await requireMonitor(database.read, caller, id);
      const findings = new Findings();
      const { kind, from, to, ...paged } = readQuery(pingListQuery, query, findings);
      addPeriodErrors({ from, to }, clock.now(), findings);
      findings.throwIfAny();
      const paging = pagingOf(paged, 'received_at');
      const { offset, limit } = paging;
      const { pings, total } = await listPings(database, id, { kind, from, to, offset, limit });
      return pageOf(pings.map(viewPing), total, paging, address);
    },
  };
}

function viewPing(ping: RecordedPing) {
  return {
    id: ping.number,
    kind: ping.kind,
    received_at: isoTime(ping.at),
    duration_ms: ping.durationMs,
    exit_code: ping.exitCode,
    run_id: ping.runId,
    source_address: ping.sourceAddress,
    user_agent: ping.userAgent,
    body: ping.body,
    body_truncated: ping.isBodyCut,
  };
}
