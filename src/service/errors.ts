import { DatabaseUnavailable } from '../store/errors.ts';
import { may, type Caller, type Permission } from '../identity/caller.ts';

/** Why a call was refused. The edges turn the code into a status (api/errors.ts). */
export type ProblemCode =
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'malformed'
  | 'too_large'
  | 'not_json'
  | 'conflict'
  | 'invalid'
  | 'unsupported'
  | 'rate_limited'
  | 'no_probe'
  | 'database_unavailable';

/** A refusal whose message is written for the person who called. */
export class Problem extends Error {
  override name = 'Problem';
  readonly code: ProblemCode;

  constructor(code: ProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Everything that is wrong with an input at once: field, dotted where nested, to sentences. */
export class InvalidInput extends Problem {
  override name = 'InvalidInput';
  readonly errors: Record<string, string[]>;
  /** Further keys of the answer, for programs. */
  readonly extra: Record<string, unknown>;

  constructor(errors: Record<string, string[]>, extra: Record<string, unknown> = {}) {
    super('invalid', summary(Object.values(errors).flat()));
    this.errors = errors;
    this.extra = extra;
  }
}

/** A budget of requests is used up until its window ends. */
export class RateLimited extends Problem {
  override name = 'RateLimited';
  /** Whole seconds until the window ends. */
  readonly retryAfter: number;

  /** @param limit requests per minute. */
  constructor(limit: number, retryAfter: number) {
    const wait = `${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}`;
    super(
      'rate_limited',
      `The limit of ${limit} requests a minute is reached: try again in ${wait}.`,
    );
    this.retryAfter = retryAfter;
  }
}

/** The refusal behind anything that was thrown; null when it is no refusal but a fault of ours. */
export function problemOf(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseUnavailable) {
    return new Problem(
      'database_unavailable',
      "The database can't be reached right now. Try again in a few seconds.",
    );
  }
  return null;
}

/** Throws unless token and role both allow it; the message names the permission (completions, section 2). */
export function authorise(caller: Caller, permission: Permission): void {
  if (may(caller, permission)) return;
  const missing = caller.token.permissions.includes(permission)
    ? `Your role in this team, ${caller.role}, does not include the "${permission}" permission: ask an owner or admin of the team.`
    : `This token lacks the "${permission}" permission: use a token that has it.`;
  throw new Problem('forbidden', missing);
}

export function notFound(what: string): Problem {
  return new Problem('not_found', `There is no such ${what} in your team.`);
}

function summary(texts: string[]): string {
  const [first = 'The input is not valid.', ...more] = texts;
  if (more.length === 0) return first;
  return `${first} (and ${more.length} more ${more.length === 1 ? 'error' : 'errors'})`;
}
