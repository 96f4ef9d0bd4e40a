import type { ClientKeys } from './client-keys.ts';
import type { Allowance, Budget, RateLimits } from './rate-limits.ts';

/** One attempt to sign in with a password, counted before the password is compared. */
export interface SignInAttempt {
  /** The tightest of its budgets; `allowed` is false when the attempt must be refused. */
  allowance: Allowance;
  /** Keeps the attempt counted. The failure that uses the minute's budget up blocks its client for this address. */
  fail(): Promise<Allowance>;
  /** Stops counting the attempt, whose password was right. */
  giveBack(): Promise<Allowance>;
}

/**
 * Counts an attempt to sign in as failed until it is known to be none, so that parallel guesses do not slip through. All
 * its budgets belong to the client address: guesses can't keep the owner of the e-mail address from signing in
 * elsewhere. Unknown e-mail addresses are counted like known ones.
 */
export async function beginSignIn(
  { rateLimits, clientKeys }: { rateLimits: RateLimits; clientKeys: ClientKeys },
  { address, email }: { address: string; email: string },
): Promise<SignInAttempt> {
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
    allowance: tightest(taken),
    fail: async () =>
      ofMinute.remaining === 0 ? rateLimits.block('sign_in', key) : tightest(taken),
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
