import { JobEnded, JobsWaiting } from '../../lib/child-jobs.ts';
import { TooManyPasswords } from '../../identity/password.ts';
import { DatabaseUnavailable, isBusy } from '../../store/database/errors.ts';
import { BudgetExceeded } from '../../store/people/budgets.ts';
import { budgetRefusal } from '../../model/budget-refusal.ts';
import {
  may,
  type Caller,
  type Permission,
  type Principal,
  type Role,
} from '../../identity/caller.ts';

/** Reasons to refuse a call; api/errors.ts maps them to HTTP status codes. */
export type ProblemCode =
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'malformed'
  | 'too_slow'
  | 'too_large'
  | 'not_json'
  | 'conflict'
  | 'precondition_failed'
  | 'invalid'
  | 'unsupported'
  | 'rate_limited'
  | 'no_probe'
  | 'busy'
  | 'job_ended'
  | 'database_unavailable';

/** Refusal with a message for the caller. */
export class Problem extends Error {
  override name = 'Problem';
  readonly code: ProblemCode;

  constructor(code: ProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** All errors of an input: sentences by field, with dotted names for nested fields. */
export class InvalidInput extends Problem {
  override name = 'InvalidInput';
  readonly errors: Record<string, string[]>;
  /** Further keys of the response, for programs. */
  readonly extra: Record<string, unknown>;

  constructor(errors: Record<string, string[]>, extra: Record<string, unknown> = {}) {
    super('invalid', summary(Object.values(errors).flat()));
    this.errors = errors;
    this.extra = extra;
  }
}

/** An input with a single error. @param predicate follows the name of the field, as in `must be …`. */
export function invalidField(field: string, predicate: string): InvalidInput {
  return new InvalidInput({ [field]: [`${field} ${predicate}.`] });
}

/** Refusal of a request above the rate limit. */
export class RateLimited extends Problem {
  override name = 'RateLimited';
  /** Whole seconds until the window ends. */
  readonly retryAfter: number;

  /**
   * @param limit requests per minute.
   * @param what what was too much, when it is not requests.
   */
  constructor(limit: number, retryAfter: number, what?: string) {
    const reached = what ?? `The limit of ${limit} requests a minute is reached`;
    super('rate_limited', `${reached}: try again in ${waitText(retryAfter)}.`);
    this.retryAfter = retryAfter;
  }
}

function waitText(seconds: number): string {
  if (seconds >= 120) return `${Math.ceil(seconds / 60)} minutes`;
  return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
}

/** Refusal of what a budget in the store no longer allows. */
class OverBudget extends RateLimited {
  constructor({ budget, retryAfterMs }: BudgetExceeded) {
    const seconds = Math.ceil(retryAfterMs / 1_000);
    super(budget.limit, seconds);
    this.message = budgetRefusal(budget, seconds);
  }
}

/** The refusal that an error stands for; null for an internal error. */
export function problemOf(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  if (error instanceof TooManyPasswords || error instanceof JobsWaiting)
    return new Problem('busy', error.message);
  // That of an image is handled where images are read.
  if (error instanceof JobEnded)
    return new Problem(
      'job_ended',
      'The PDF file could not be made: the process that drew it ended or took too long. Try again. If it fails again, choose fewer monitors or a shorter period, or another format.',
    );
  if (error instanceof BudgetExceeded) return new OverBudget(error);
  if (error instanceof DatabaseUnavailable) {
    return new Problem(
      'database_unavailable',
      isBusy(error)
        ? 'The database is busy. Try again in a few seconds.'
        : "The database can't be reached right now. Try again in a few seconds.",
    );
  }
  return null;
}

/**
 * Throws unless both the token and the role of its holder allow the call (contract 2.3, 3.10).
 *
 * @param least minimum role; by default the one for monitors.
 */
export function authorize(caller: Caller, permission: Permission, least?: Role): void {
  holdPermission(caller, permission);
  if (may(caller, permission, least)) return;
  const here = least === undefined ? '' : ' here';
  const hint =
    least === 'owner'
      ? 'only the owner of the team may do that'
      : 'ask an owner or admin of the team';
  throw new Problem(
    'forbidden',
    `Your role in this team, ${caller.role}, does not include the "${permission}" permission${here}: ${hint}.`,
  );
}

/** Throws unless the token has the permission, whatever the role of its holder. */
export function holdPermission(principal: Principal, permission: Permission): void {
  if (principal.permissions.includes(permission)) return;
  throw new Problem(
    'forbidden',
    `This token lacks the "${permission}" permission: use a token that has it.`,
  );
}

/** The caller with their current team. Throws for people without one. */
export function inTeam(principal: Principal): Caller {
  const { team, role, withheld, credential } = principal;
  if (team !== null && role !== null) return { ...principal, team, role };
  throw new Problem('forbidden', withheld === null ? NO_TEAM : lacksFactor(credential.kind));
}

const NO_TEAM =
  'You act on no team: create one with POST /api/v1/teams, switch to one of yours, or ask for an invitation.';
function lacksFactor(kind: Principal['credential']['kind']): string {
  const what = 'This team requires two-factor authentication';
  return kind === 'token' || kind === 'grant'
    ? `${what}, which the holder of this token has not set up: once they turn it on or add a passkey in their account, the token works again.`
    : `${what}: turn it on in your account, then sign in again.`;
}

export function notFound(noun: string): Problem {
  return new Problem('not_found', `There is no such ${noun} in your team.`);
}

function summary(texts: string[]): string {
  const [first = 'The input is not valid.', ...more] = texts;
  if (more.length === 0) return first;
  return `${first} (and ${more.length} more ${more.length === 1 ? 'error' : 'errors'})`;
}
