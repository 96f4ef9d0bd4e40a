import type { FastifyRequest } from 'fastify';
import type { Log } from '../lib/log.ts';
import {
  InvalidInput,
  Problem,
  problemOf,
  RateLimited,
  type ProblemCode,
} from '../resources/common/errors.ts';

interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** Status and headers of each refusal (contract, section 2). */
export const STATUS: Record<ProblemCode, { status: number; headers?: Record<string, string> }> = {
  malformed: { status: 400 },
  unauthenticated: { status: 401, headers: { 'www-authenticate': 'Bearer' } },
  forbidden: { status: 403 },
  not_found: { status: 404 },
  method_not_allowed: { status: 405 },
  too_slow: { status: 408 },
  too_large: { status: 413 },
  not_json: { status: 415 },
  conflict: { status: 409 },
  precondition_failed: { status: 412 },
  invalid: { status: 422 },
  unsupported: { status: 422 },
  rate_limited: { status: 429 },
  busy: { status: 503, headers: { 'retry-after': '5' } },
  job_ended: { status: 503, headers: { 'retry-after': '5' } },
  no_probe: { status: 503, headers: { 'retry-after': '30' } },
  database_unavailable: { status: 503, headers: { 'retry-after': '5' } },
};

export const NOT_JSON: [ProblemCode, string] = [
  'not_json',
  'The body must be JSON: send it with Content-Type: application/json.',
];

export function methodNotAllowed(method: string, allowed: readonly string[]): Problem {
  return new Problem(
    'method_not_allowed',
    `${method} is not possible here: use ${allowed.join(', ')}.`,
  );
}

/** Refusals whose cause is the operator's concern. */
const FAULTS: ReadonlySet<ProblemCode> = new Set(['database_unavailable', 'job_ended']);

/** Answer to a failed request; `isFault` marks internal errors, which are logged. */
export function errorAnswer(error: unknown, requestId: string): ErrorAnswer & { isFault: boolean } {
  const problem = problemOf(error) ?? frameworkProblem(error);
  if (problem === null) {
    const body = { message: 'Server error.', request_id: requestId };
    return { status: 500, headers: {}, body, isFault: true };
  }
  const { status, headers = {} } = STATUS[problem.code];
  return {
    status,
    headers:
      problem instanceof RateLimited ? { 'retry-after': String(problem.retryAfter) } : headers,
    body: bodyOf(problem),
    isFault: FAULTS.has(problem.code),
  };
}

export function logFault(log: Log, error: unknown, request: FastifyRequest): void {
  const { method, id } = request;
  // Log: A fault of Tocsin, answered with 500. The answer holds the same `request_id`.
  log.error(
    { error, request_id: id, method, route: request.routeOptions.url },
    'A request failed.',
  );
}

function bodyOf(problem: Problem): Record<string, unknown> {
  const { message } = problem;
  if (problem instanceof InvalidInput) return { message, errors: problem.errors, ...problem.extra };
  if (problem instanceof RateLimited)
    return { message, error: message, retry_after: problem.retryAfter };
  return problem.code === 'forbidden' ? { message, error: message } : { message };
}

function frameworkProblem(error: unknown): Problem | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Problem(...NOT_JSON);
  // Such as a truncated body.
  const isClientError = error instanceof Error && 'statusCode' in error && error.statusCode === 400;
  return isClientError
    ? new Problem('malformed', 'The request could not be read to its end.')
    : null;
}
