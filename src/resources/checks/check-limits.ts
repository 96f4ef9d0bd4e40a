import type { Caller } from '../../identity/caller.ts';
import { accountKey, type RateLimits } from '../../identity/rate-limits.ts';
import { canonicalHostOf } from '../../lib/url-host.ts';
import { RateLimited } from '../common/errors.ts';

/** Budget of the person, which the request has spent already. */
type PersonBudget = 'monitor_check' | 'check_url';

/**
 * Spends one check that a person starts by hand from the budgets of their team: for that host, and in all. Throws
 * RateLimited, and gives the request of the person back, since a refused one costs nothing (contract 5.12).
 */
export type SpendCheck = (caller: Caller, budget: PersonBudget, url: string) => Promise<void>;

export function createSpendCheck(rateLimits: Pick<RateLimits, 'spend' | 'giveBack'>): SpendCheck {
  return async ({ team, person }, budget, url) => {
    const host = canonicalHostOf(url);
    const ofHost = `${team.id} ${host}`;
    const atHost = await rateLimits.spend('check_host', ofHost);
    const inAll = atHost.allowed ? await rateLimits.spend('check_team', String(team.id)) : atHost;
    if (inAll.allowed) return;
    if (atHost.allowed) await rateLimits.giveBack('check_host', ofHost);
    await rateLimits.giveBack(budget, accountKey(person.id));
    const where = atHost.allowed ? '' : ` of ${host}`;
    const what = `Your team has started ${inAll.limit} checks${where} by hand within a minute, which is the limit`;
    throw new RateLimited(inAll.limit, inAll.retryAfter, what);
  };
}
