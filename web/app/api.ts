import {
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { client } from '../client/client.gen.ts';
import { words } from '../words/index.ts';
import { API, BASE } from './place.ts';

client.setConfig({ baseUrl: API });

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
type Answer<Data> = Promise<{
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
    if (response.status === 401) leaveForSignIn();
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

/** Paths that are open to visitors, who are not sent to the sign-in page. */
const OPEN_PATHS = /^\/(sign-in|setup|invitation|reset-password|verify-email|connect|alert)(\/|$)/;

let isLeaving = false;

/** Opens the sign-in page, which leads back here. */
function leaveForSignIn(): void {
  const path = location.pathname.slice(BASE.length);
  if (isLeaving || OPEN_PATHS.test(path)) return;
  isLeaving = true;
  const next = path + location.search;
  location.assign(`${BASE}/sign-in${next === '/' ? '' : `?next=${encodeURIComponent(next)}`}`);
}

/** Answers stay fresh until the live stream or a change says otherwise. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      retry: (failures, error) =>
        failures < 3 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500),
      refetchOnWindowFocus: false,
    },
  },
});

/**
 * Reads data and keeps it.
 *
 * @param key its first element is the noun that the live stream invalidates, such as 'monitors' or 'incidents'
 * (app/live-changes.ts has them all)
 */
export function useRead<Data>(
  key: QueryKey,
  read: () => Answer<Data>,
  options: { enabled?: boolean; refetchInterval?: number } = {},
): UseQueryResult<NonNullable<Data>, ApiError> {
  return useQuery<NonNullable<Data>, ApiError>({
    queryKey: key,
    queryFn: () => ask(read()),
    ...options,
  });
}

/**
 * Changes data, then reads what the change concerns again.
 *
 * @param concerns first elements of the keys
 */
export function useChange<Input, Data>(
  change: (input: Input) => Answer<Data>,
  concerns: readonly string[],
): UseMutationResult<NonNullable<Data>, ApiError, Input> {
  const cache = useQueryClient();
  return useMutation<NonNullable<Data>, ApiError, Input>({
    mutationFn: (input) => ask(change(input)),
    onSuccess: async () => {
      await Promise.all(concerns.map((noun) => cache.invalidateQueries({ queryKey: [noun] })));
    },
  });
}
