import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Clock } from '../lib/clock.ts';

/** Budgets of an account, shared by all tokens of a person. */
export type AccountBudget = 'standard' | 'monitor_check' | 'check_url' | 'webhook_test';
/**
 * `session` is the standard budget of one session of the dashboard. By client address: `anonymous` is for requests to the API without a valid token, `ping` for pings that concern no
 * monitor. Those of a monitor are counted where they are recorded. `auth` is for the routes of
 * sign-in, by address and by e-mail; `auth_hour` for those with an e-mail, by it, in an hour.
 */
export type Budget = AccountBudget | 'session' | 'anonymous' | 'ping' | 'auth' | 'auth_hour';

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
}

/** Creates the counter of one budget; `name` separates the keys of budgets. */
export type CounterFactory = (options: {
  name: Budget;
  points: number;
  /** Seconds. */
  duration: number;
}) => RateLimiterAbstract;

const WINDOW_SECONDS: Partial<Record<Budget, number>> = { auth_hour: 3600 };
const MINUTE = 60;

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
      // A window that is over may not be deleted yet.
      const isOver = window === null || window.msBeforeNext <= 0;
      return allowance(budget, true, isOver ? fullWindow(budget, limits[budget]) : window);
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

/** Key of an account, shared by all its tokens. */
export function accountKey(personId: number): string {
  return String(personId);
}

/** Key of a dashboard session. */
export function sessionKey(sessionId: number): string {
  return String(sessionId);
}

/** Key of an e-mail address used to sign in: one of 65,536, as for clients. */
export function emailKey(email: string): string {
  return `e${hash('sha256', email.trim().toLowerCase(), 'buffer').readUInt16BE(0)}`;
}

/**
 * Key of a client address: one of 65,536, so that floods from any number of addresses are counted in 30 MB. By a small
 * chance two clients share a key, at the cost of an answer 429 instead of 401.
 */
export function addressKey(address: string): string {
  return hash('sha256', clientOf(address), 'buffer').readUInt16BE(0).toString();
}

/**
 * Client of an address. An IPv6 network of 64 bits, the least a customer gets (RFC 6177), is one client, and so are all
 * texts that are not an address, as a forged header may contain.
 */
function clientOf(address: string): string {
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}

export const inMemory: CounterFactory = ({ name, points, duration }) =>
  new RateLimiterMemory({ keyPrefix: name, points, duration });
