import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Clock } from '../lib/clock.ts';

/** Budgets of an account, shared by all tokens of a person. */
export type AccountBudget =
  | 'standard'
  | 'monitor_check'
  | 'check_url'
  | 'webhook_test'
  | 'subscriber_import'
  | 'tool_server';
/**
 * Other budgets. `session` is the standard budget of a person's dashboard sessions together.
 *
 * By client address: `web` is for what lies outside the API, `anonymous` for requests to the API without a valid token, `ping` for pings that concern no
 * monitor (those of a monitor are counted where they are recorded), `auth_mail` for the routes of sign-in that send a mail
 * or take the token of one, and `auth` for the other ones.
 *
 * `register_client` is for applications that register, in an hour and by client address; `refresh_token` is for the
 * refreshes of a connected application, in an hour and by grant.
 *
 * `check_team` and `check_host` are for checks that people start by hand: of a team in all, and of a team at one host.
 *
 * Of failed sign-ins only: `sign_in` and, in an hour, `sign_in_hour` are those of a client for one e-mail address,
 * `sign_in_client` those of a client for all of them.
 */
export type Budget =
  | AccountBudget
  | 'session'
  | 'anonymous'
  | 'web'
  | 'ping'
  | 'auth'
  | 'auth_mail'
  | 'sign_in'
  | 'sign_in_hour'
  | 'sign_in_client'
  | 'register_client'
  | 'refresh_token'
  | 'check_team'
  | 'check_host';

/** Requests per window for each budget (contract 5.1 to 5.8); the window is a minute unless WINDOW_SECONDS says otherwise. */
export type Limits = Record<Budget, number>;

/** State of a key's budget after a request. */
export interface Allowance {
  /** False when the budget was used up before this request, which then costs nothing. */
  allowed: boolean;
  limit: number;
  remaining: number;
  /** End of the window in Unix seconds, rounded up. */
  resetAt: number;
  /** Whole seconds until then, at least 1. */
  retryAfter: number;
}

export interface RateLimits {
  /** Takes one request from a budget. */
  spend(budget: Budget, key: string): Promise<Allowance>;
  /** Returns the state of a budget without taking a request. */
  show(budget: Budget, key: string): Promise<Allowance>;
  /** Returns a request that was taken from a budget, in the same window. */
  giveBack(budget: Budget, key: string): Promise<Allowance>;
  /** Uses a budget up: for a minute, and for twice as long each further time within six hours, at most an hour. */
  block(budget: Budget, key: string): Promise<Allowance>;
}

/** Creates the counter of one budget; `name` separates the keys of budgets. */
export type CounterFactory = (options: {
  name: Budget | 'blocks';
  points: number;
  /** Seconds. */
  duration: number;
}) => RateLimiterAbstract;

const MINUTE = 60;
const HOUR = 3_600;
const WINDOW_SECONDS: Partial<Record<Budget, number>> = {
  sign_in_hour: HOUR,
  register_client: HOUR,
  refresh_token: HOUR,
};
/** Window in which blocks of a key are counted, in seconds: it bounds how many keys are remembered. */
const BLOCKS_WINDOW = 6 * HOUR;
const MAX_BLOCKS = 1_000;

/**
 * Creates rate limits with fixed windows that begin with a key's first request. Windows are measured by `Date.now`,
 * which rate-limiter-flexible reads itself; `clock` only dates their end.
 */
export function createRateLimits(deps: {
  limits: Limits;
  clock: Pick<Clock, 'now'>;
  /** In memory by default. */
  count?: CounterFactory;
}): RateLimits {
  const { limits, clock, count = inMemory } = deps;
  const counters = Object.fromEntries(
    Object.entries(limits).map(([budget, points]) => {
      const name = budget as Budget;
      // Health checks must be answered while the database is away.
      const countOf = name === 'web' ? inMemory : count;
      return [name, countOf({ name, points, duration: windowOf(name) })];
    }),
  ) as Record<Budget, RateLimiterAbstract>;
  const blocks = count({ name: 'blocks', points: MAX_BLOCKS, duration: BLOCKS_WINDOW });

  function allowance(budget: Budget, allowed: boolean, { remainingPoints, msBeforeNext }: Window) {
    return {
      allowed,
      limit: limits[budget],
      remaining: remainingPoints,
      resetAt: Math.ceil((clock.now() + msBeforeNext) / 1000),
      retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)),
    };
  }

  return {
    async spend(budget, key) {
      try {
        return allowance(budget, true, await counters[budget].consume(key));
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return allowance(budget, false, refusal);
      }
    },
    async show(budget, key) {
      const window = await counters[budget].get(key);
      // A window that is over may not be deleted yet.
      const isOver = window === null || window.msBeforeNext <= 0;
      return allowance(budget, true, isOver ? fullWindow(budget, limits[budget]) : window);
    },
    giveBack: async (budget, key) => allowance(budget, true, await counters[budget].reward(key)),
    async block(budget, key) {
      const { consumedPoints: times } = await blocks.penalty(`${budget} ${key}`);
      const seconds = Math.min(MINUTE * 2 ** (times - 1), HOUR);
      return allowance(budget, false, await counters[budget].block(key, seconds));
    },
  };
}

/** Creates rate limits for RATE_LIMITS=off: nothing is counted, and every budget is full. */
export function createUncountedRateLimits(deps: {
  limits: Limits;
  clock: Pick<Clock, 'now'>;
}): RateLimits {
  const full = async (budget: Budget): Promise<Allowance> => ({
    allowed: true,
    limit: deps.limits[budget],
    remaining: deps.limits[budget],
    resetAt: Math.ceil(deps.clock.now() / 1000) + windowOf(budget),
    retryAfter: windowOf(budget),
  });
  return { spend: full, show: full, giveBack: full, block: full };
}

type Window = Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'>;

/** Seconds. */
function windowOf(budget: Budget): number {
  return WINDOW_SECONDS[budget] ?? MINUTE;
}

function fullWindow(budget: Budget, points: number): Window {
  return { remainingPoints: points, msBeforeNext: windowOf(budget) * 1000 };
}

/** Key of an account, shared by all its tokens, and by all its sessions. */
export function accountKey(personId: number): string {
  return String(personId);
}

export const inMemory: CounterFactory = ({ name, points, duration }) =>
  new RateLimiterMemory({ keyPrefix: name, points, duration });
