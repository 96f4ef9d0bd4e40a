import { useEffect, useState } from 'react';
import { ApiError } from '../../app/client.ts';

/** What a link leads to: both are null until the server has answered. */
export interface LinkState<Data> {
  data: Data | null;
  problem: ApiError | null;
}

/**
 * Reads once what a link leads to.
 *
 * @param read calls the API; the same function at each render. Throws an ApiError.
 */
export function useLink<Data>(read: () => Promise<Data>): LinkState<Data> {
  const [state, setState] = useState<LinkState<Data>>({ data: null, problem: null });
  useEffect(() => {
    read().then(
      (data) => setState({ data, problem: null }),
      (error: unknown) => setState({ data: null, problem: asApiError(error) }),
    );
  }, [read]);
  return state;
}

function asApiError(error: unknown): ApiError {
  return error instanceof ApiError ? error : new ApiError(0, { message: String(error) });
}

/**
 * What is wrong with a link.
 *
 * @param refused words for a link that is not valid, after what the server says of it
 */
export function linkProblem(
  { status, message }: ApiError,
  refused: (message: string) => string,
): string {
  return status === 404 || status === 422 ? refused(message) : message;
}

/** The values that are not empty, without spaces around them. */
export function filled<Name extends string>(
  values: Readonly<Record<Name, string>>,
): Partial<Record<Name, string>> {
  const entries = Object.entries<string>(values).map(
    ([name, text]) => [name, text.trim()] as const,
  );
  return Object.fromEntries(entries.filter(([, text]) => text !== '')) as Partial<
    Record<Name, string>
  >;
}
