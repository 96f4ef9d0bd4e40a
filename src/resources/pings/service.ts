import { z } from 'zod';
import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { PING_KINDS, type RecordedPing } from '../../model/heartbeat.ts';
import type { Database } from '../../store/database/contract.ts';
import { findMonitor } from '../../store/resources/monitors.ts';
import { listPings } from '../../store/engine/ping-history.ts';
import { authorise, notFound } from '../common/errors.ts';
import { moment } from '../history/input.ts';
import { Findings, readQuery } from '../common/input.ts';
import { oneOf } from '../../lib/schemas.ts';
import { PAGE_QUERY, pageOf, pagingOf, type ListAddress, type Page } from '../common/page.ts';
import { isoTime } from '../common/time.ts';

/** What jobs told us. */
export interface PingService {
  /**
   * A page of a monitor's pings, newest first; a monitor that checks has none. A bad query is an InvalidInput; other
   * teams' monitors are not found.
   */
  list(caller: Caller, id: number, query: object, address: ListAddress): Promise<Page<object>>;
}

export const pingListQuery = z.object({
  kind: oneOf(PING_KINDS).optional().meta({ description: 'All kinds unless given.' }),
  from: moment('from', 'Pings from then on. The oldest that is kept unless given.').optional(),
  to: moment('to', 'Pings before then; a date includes that day.').optional(),
  page: PAGE_QUERY.page,
  per_page: PAGE_QUERY.per_page,
});

export function createPingService(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
}): PingService {
  const { database, clock } = deps;
  return {
    async list(caller, id, query, address) {
      authorise(caller, 'read');
      if ((await findMonitor(database.read, caller.team.id, id)) === undefined) {
        throw notFound('monitor');
      }
      const { kind, from, to, ...paged } = readPingsQuery(query, clock.now());
      const paging = pagingOf(paged, 'received_at');
      const { offset, limit } = paging;
      const { pings, total } = await listPings(database, id, { kind, from, to, offset, limit });
      return pageOf(pings.map(viewPing), total, paging, address);
    },
  };
}

/** Both ends may be open. What can hold no ping is refused, as it is for results. */
function readPingsQuery(query: object, now: number) {
  const findings = new Findings();
  const wanted = readQuery(pingListQuery, query, findings);
  const { from, to } = wanted;
  if (from !== undefined && from >= now) findings.add('from', 'must be in the past');
  else if (from !== undefined && to !== undefined && to <= from)
    findings.add('to', 'must be after from');
  findings.throwIfAny();
  return wanted;
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
