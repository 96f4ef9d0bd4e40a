import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Clock } from '../lib/clock.ts';

/** Budgets of an account: all tokens of a person spend from the same one. */
export type AccountBudget = 'standard' | 'monitor_check' | 'check_url' | 'webhook_test';
/**
 * `session` is the standard budget of one session of the dashboard. By client address: `anonymous` is for requests to the API without a valid token, `ping` for pings that concern no
 * monitor. Those of a monitor are counted where they are recorded. `auth` is for the routes of
 * sign-in, by address and by e-mail; `auth_hour` for those with an e-mail, by it, in an hour.
 */
export type Budget = AccountBudget | 'session' | 'anonymous' | 'ping' | 'auth' | 'auth_hour';

/** Requests per window for each budget (contract 5.1 to 5.8); the window is a minute unless WINDOW_SECONDS says otherwise. */
export type Limits = Record<Budget, number>;

/** What is left of a key's budget after a request. */
export interface Allowance {
  /** False when the budget was used up before this request, which then cost nothing. */
  allowed: boolean;
  limit: number;
  remaining: number;
  /** The Unix second at which the window is over, rounded up. */
  resetAt: number;
  /** Whole seconds until then, 1 or more. */
  retryAfter: number;
}

export interface RateLimits {
  /** Takes one request from a budget. */
  spend(budget: Budget, key: string): Promise<Allowance>;
  /** The same figures, and nothing is taken. */
  show(budget: Budget, key: string): Promise<Allowance>;
}

/** Makes what counts one budget; `name` keeps the keys of budgets apart. */
export type CounterFactory = (options: {
  name: Budget;
  points: number;
  /** Seconds. */
  duration: number;
}) => RateLimiterAbstract;

const WINDOW_SECONDS: Partial<Record<Budget, number>> = { auth_hour: 3600 };
const MINUTE = 60;

/**
 * Fixed windows of a minute that begin with a key's first request. Windows are measured by `Date.now`, which
 * rate-limiter-flexible reads itself; `clock` only dates the end of one.
 */
export function createRateLimits(deps: {
  limits: Limits;
  clock: Pick<Clock, 'now'>;
  /** In this process' memory unless told otherwise. */
  count?: CounterFactory;
}): RateLimits {
  const { limits, clock, count = inMemory } = deps;
  const counters = Object.fromEntries(
    Object.entries(limits).map(([budget, points]) => {
      const name = budget as Budget;
      return [name, count({ name, points, duration: windowOf(name) })];
    }),
  ) as Record<Budget, RateLimiterAbstract>;

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
      // One that is over and not yet forgotten.
      const isOver = window === null || window.msBeforeNext <= 0;
      return allowance(budget, true, isOver ? fullWindow(budget, limits[budget]) : window);
    },
  };
}

/** RATE_LIMITS=off: every answer shows a full budget, and nothing is counted. */
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
  return { spend: full, show: full };
}

type Window = Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'>;

/** Seconds. */
function windowOf(budget: Budget): number {
  return WINDOW_SECONDS[budget] ?? MINUTE;
}

function fullWindow(budget: Budget, points: number): Window {
  return { remainingPoints: points, msBeforeNext: windowOf(budget) * 1000 };
}

/** The key of an account, for all its tokens together. */
export function accountKey(personId: number): string {
  return String(personId);
}

/** The key of a session of the dashboard. */
export function sessionKey(sessionId: number): string {
  return String(sessionId);
}

/** The key of an e-mail address that somebody tries to sign in with: one of 65,536, like those of clients. */
export function emailKey(email: string): string {
  return `e${hash('sha256', email.trim().toLowerCase(), 'buffer').readUInt16BE(0)}`;
}

/**
 * The key of a client address: one of 65,536, so that a flood from any number of addresses is counted in 30 MB. Two
 * clients may so share a key, by a small chance; all they can lose by it is that they are told 429 instead of 401.
 */
export function addressKey(address: string): string {
  return hash('sha256', clientOf(address), 'buffer').readUInt16BE(0).toString();
}

/**
 * An IPv6 network of 64 bits is one client: the least that a customer is given (RFC 6177). Texts that are no address,
 * as a forged header may hold, are all one.
 */
function clientOf(address: string): string {
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}

export const inMemory: CounterFactory = ({ name, points, duration }) =>
  new RateLimiterMemory({ keyPrefix: name, points, duration });
