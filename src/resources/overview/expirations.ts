import { daysLeft } from '../../engine/inspect/finding.ts';
import { readStoredTarget } from '../../engine/inspect/target.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import type { DomainFacts, SslFacts } from '../../model/inspection.ts';
import type { Database } from '../../store/database/contract.ts';
import {
  EXPIRING_KINDS,
  listExpirations,
  type ListedExpiration,
} from '../../store/resources/expirations.ts';
import { authorize } from '../common/errors.ts';
import { readQuery } from '../common/input.ts';
import { pageOf, pagingOf, type ListAddress } from '../common/page.ts';
import { isoTime } from '../common/time.ts';
import { DEFAULT_WITHIN_DAYS, expirationsQuery } from './input.ts';
import { namedMonitor } from './monitor-name.ts';

const DAY_MS = 86_400_000;

/**
 * Lists the certificates and registrations of a team by the date on which they expire, soonest first (contract 47.9).
 * Throws InvalidInput for an invalid query.
 */
export type ListExpirations = (
  caller: Caller,
  query: object,
  address: ListAddress,
) => Promise<object>;

export function createListExpirations(deps: {
  database: Database;
  clock: Pick<Clock, 'now'>;
}): ListExpirations {
  const { database, clock } = deps;
  return async (caller, query, address) => {
    authorize(caller, 'read');
    const wanted = readQuery(expirationsQuery, query);
    const { within_days: days = DEFAULT_WITHIN_DAYS, type } = wanted;
    const paging = pagingOf(wanted, 'expires_at');
    const now = clock.now();
    const { rows, total } = await listExpirations(database.scan, caller.team.id, {
      kinds: type === undefined ? EXPIRING_KINDS : [type],
      until: now + days * DAY_MS,
      limit: paging.limit,
      offset: paging.offset,
    });
    return pageOf(
      rows.map((row) => viewExpiration(row, now)),
      total,
      paging,
      address,
    );
  };
}

function viewExpiration(row: ListedExpiration, now: number) {
  return {
    type: row.kind,
    monitor: namedMonitor(row.monitor),
    target: readStoredTarget(row.target).target,
    expires_at: isoTime(row.expiresAt),
    days_left: daysLeft(row.expiresAt, now),
    ...sourceOf(row),
    checked_at: isoTime(Math.max(row.knownAt, row.createdAt)),
    threshold_days: row.thresholdDays,
  };
}

/** Who issued the certificate, or sold the domain. */
function sourceOf({ kind, facts }: ListedExpiration) {
  if (kind === 'ssl')
    return { issuer: (JSON.parse(facts) as SslFacts).certificate.issuer, registrar: null };
  return { issuer: null, registrar: (JSON.parse(facts) as DomainFacts).registrar };
}
