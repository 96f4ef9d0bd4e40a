import { words } from '../words/index.ts';
import { BASE } from './place.ts';

/** Failed request, with a message for people in the words of the API. */
export class ApiError extends Error {
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** Messages by field. */
  readonly errors: Record<string, string[]>;
  /** Seconds to wait after 429, else null. */
  readonly retryAfter: number | null;
  /** Short code of the error, such as `plan_limit`; empty when the API gives none. */
  readonly code: string;

  constructor(status: number, body: ErrorBody) {
    super(body.message ?? words.errors.status(status));
    this.status = status;
    this.errors = body.errors ?? {};
    this.retryAfter = body.retry_after ?? null;
    this.code = body.code ?? body.error ?? '';
  }
}

interface ErrorBody {
  message?: string;
  errors?: Record<string, string[]>;
  retry_after?: number;
  code?: string;
  error?: string;
}

/** What a function of the generated client returns. */
export type Answer<Data> = Promise<{
  data?: Data | undefined;
  error?: unknown;
  response?: Response | undefined;
}>;

/** Waits for an answer and returns its data. Throws an ApiError. */
export async function ask<Data>(answer: Answer<Data>): Promise<NonNullable<Data>> {
  let settled: Awaited<Answer<Data>>;
  try {
    settled = await answer;
  } catch {
    throw new ApiError(0, { message: words.errors.unreachable });
  }
  const { data, error, response } = settled;
  if (response === undefined) throw new ApiError(0, { message: words.errors.unreachable });
  if (!response.ok) {
    if (response.status === 401) onSignedOut();
    const body = typeof error === 'object' && error !== null ? (error as ErrorBody) : {};
    throw new ApiError(response.status, body);
  }
  return (data ?? {}) as NonNullable<Data>;
}

/** Calls a path of sign-in below `/api/auth`, which openapi.json does not describe. Throws an ApiError. */
export async function askAuth<Data>(
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Data> {
  let response: Response;
  try {
    response = await fetch(`${BASE}/api/auth${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  } catch {
    throw new ApiError(0, { message: words.errors.unreachable });
  }
  const answer: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiError(response.status, (answer ?? {}) as ErrorBody);
  return answer as Data;
}

/** What happens when an answer says that nobody is signed in. */
let onSignedOut = (): void => {};

/** Sets what happens when an answer says that nobody is signed in; nothing by default. */
export function whenSignedOut(act: () => void): void {
  onSignedOut = act;
}
