import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import {
  RateLimiterMemory,
  RateLimiterRes,
  type RateLimiterAbstract,
  RateLimiterPostgres,
} from 'rate-limiter-flexible';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { Database } from '../store/database/contract.ts';
import {
  rateLimitStore,
  RATE_LIMIT_TABLE,
  type RateLimitStore,
} from '../store/people/rate-limits.ts';
import { derivedKey } from '../lib/derived-key.ts';

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

/** Creates the counter of one budget; `name` separates the keys of budgets. */
type CounterFactory = (options: {
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
/** Blocks of a key are counted for this long, which bounds how many keys are remembered. */
const BLOCKS_WINDOW_SECONDS = 6 * HOUR;
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
}) {
  const { limits, clock, count = inMemory } = deps;
  const counters = Object.fromEntries(
    Object.entries(limits).map(([budget, points]) => {
      const name = budget as Budget;
      // Health checks must be answered while the database is away.
      const countOf = name === 'web' ? inMemory : count;
      return [name, countOf({ name, points, duration: windowOf(name) })];
    }),
  ) as Record<Budget, RateLimiterAbstract>;
  const blocks = count({ name: 'blocks', points: MAX_BLOCKS, duration: BLOCKS_WINDOW_SECONDS });

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
    /** Takes one request from a budget. */
    async spend(budget: Budget, key: string): Promise<Allowance> {
      try {
        return allowance(budget, true, await counters[budget].consume(key));
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return allowance(budget, false, refusal);
      }
    },
    async show(budget: Budget, key: string): Promise<Allowance> {
      const window = await counters[budget].get(key);
      // A window that is over may not be deleted yet.
      const isOver = window === null || window.msBeforeNext <= 0;
      return allowance(budget, true, isOver ? fullWindow(budget, limits[budget]) : window);
    },
    /** Returns a request that was taken from a budget, in the same window. */
    giveBack: async (budget: Budget, key: string): Promise<Allowance> =>
      allowance(budget, true, await counters[budget].reward(key)),
    /** Uses a budget up: for a minute, and for twice as long each further time within six hours, at most an hour. */
    async block(budget: Budget, key: string): Promise<Allowance> {
      const { consumedPoints: times } = await blocks.penalty(`${budget} ${key}`);
      const seconds = Math.min(MINUTE * 2 ** (times - 1), HOUR);
      return allowance(budget, false, await counters[budget].block(key, seconds));
    },
  };
}

export type RateLimits = ReturnType<typeof createRateLimits>;

/** Creates rate limits for RATE_LIMITS=off: nothing is counted, and every budget is full. */
export function createUncountedRateLimits(deps: { limits: Limits; clock: Pick<Clock, 'now'> }) {
  const full: RateLimits['spend'] = async (budget) => ({
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

/**
 * Counts an attempt to sign in as failed until it is known to be none, so that parallel guesses do not slip through. All
 * its budgets belong to the client address: guesses can't keep the owner of the e-mail address from signing in
 * elsewhere. Unknown e-mail addresses are counted like known ones.
 */
export async function beginSignIn(
  { rateLimits, clientKeys }: { rateLimits: RateLimits; clientKeys: ClientKeys },
  { address, email }: { address: string; email: string },
) {
  const key = clientKeys.signIn(address, email);
  const budgets: [Budget, string][] = [
    ['sign_in', key],
    ['sign_in_hour', key],
    ['sign_in_client', clientKeys.client(address)],
  ];
  const taken: Allowance[] = [];
  for (const [budget, counted] of budgets) {
    const allowance = await rateLimits.spend(budget, counted);
    taken.push(allowance);
    // What was counted before stays counted: a count given back when its window ends would widen the next one.
    if (!allowance.allowed) break;
  }
  const [ofMinute] = taken as [Allowance];
  return {
    /** The tightest of its budgets; `allowed` is false when the attempt must be refused. */
    allowance: tightest(taken),
    /** Keeps the attempt counted. The failure that uses the minute's budget up blocks its client for this address. */
    fail: async () =>
      ofMinute.remaining === 0 ? rateLimits.block('sign_in', key) : tightest(taken),
    /** Stops counting the attempt, whose password was right. */
    giveBack: async () =>
      tightest(
        await Promise.all(budgets.map(([budget, counted]) => rateLimits.giveBack(budget, counted))),
      ),
  };
}

function tightest(allowances: readonly Allowance[]): Allowance {
  return allowances.reduce((one, other) =>
    !other.allowed || (one.allowed && other.remaining < one.remaining) ? other : one,
  );
}

/** Counters that can go down again before their window ends. */
const GIVES_BACK: ReadonlySet<string> = new Set([
  'sign_in',
  'sign_in_hour',
  'sign_in_client',
  'check_host',
  'check_url',
  'monitor_check',
]);

/**
 * Creates counters that all processes on one Postgres share. Each process measures windows by its own clock, and counts
 * alone while the database is unavailable. Rows of people and addresses, whose number is bounded, are reused; those of
 * ended windows are deleted by retention.
 */
export function sharedCounters(deps: { database: Database; log: Log }): CounterFactory {
  const storeClient = reporting(rateLimitStore(deps.database), deps.log);
  return (budget) =>
    new RateLimiterPostgres({
      keyPrefix: budget.name,
      points: budget.points,
      duration: budget.duration,
      storeClient,
      storeType: 'client',
      tableName: RATE_LIMIT_TABLE,
      tableCreated: true,
      clearExpiredByTimeout: false,
      // A used-up budget is refused until the window ends without querying the database.
      ...(!GIVES_BACK.has(budget.name) && { inMemoryBlockOnConsumed: budget.points }),
      insuranceLimiter: inMemory(budget),
    });
}

/** Logs when counters stop being shared, and when they are shared again. */
function reporting(store: RateLimitStore, log: Log): RateLimitStore {
  let isAway = false;
  return {
    async query(statement) {
      try {
        const result = await store.query(statement);
        // Log: The database is back.
        if (isAway) log.info({}, 'Rate limits are shared with other processes again.');
        isAway = false;
        return result;
      } catch (error) {
        if (!isAway)
          // Log: Each process allows the whole budget until the database is back.
          log.warn(
            { error },
            'Rate limits are counted by this process alone: the database is unavailable.',
          );
        isAway = true;
        throw error;
      }
    },
  };
}

/**
 * Keys under which clients are counted. They depend on a secret, so that nobody can find an address that is counted
 * together with a chosen client. All processes with the same SECRET_KEY have the same keys; another one starts new counts.
 */
export type ClientKeys = ReturnType<typeof createClientKeys>;

const BUCKET_BYTES = 2;
const SIGN_IN_BYTES = 9;

/** @param key the first of SECRET_KEY. */
export function createClientKeys(key: string) {
  const secret = derivedKey(key, 'tocsin rate limits v1');
  const digest = (text: string) => createHmac('sha256', secret).update(text).digest();
  return {
    /**
     * Key of a client address: one of 65,536, so that floods from any number of addresses are counted in 30 MB. By a small
     * chance two clients share a key, at the cost of an answer 429 instead of 401.
     */
    client: (address: string) => digest(clientOf(address)).readUIntBE(0, BUCKET_BYTES).toString(),
    /** Key of a client address that signs in with an e-mail address: one of 2^72, so that no two share it. */
    signIn: (address: string, email: string) =>
      digest(`${clientOf(address)}\n${email.toLowerCase()}`)
        .subarray(0, SIGN_IN_BYTES)
        .toString('base64url'),
  };
}

/**
 * Client of an address. An IPv6 network of 64 bits, the least a customer gets (RFC 6177), is one client, and so are all
 * texts that are not an address, as a forged header may contain.
 */
export function clientOf(address: string): string {
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
