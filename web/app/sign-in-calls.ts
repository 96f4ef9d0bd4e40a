import { words } from '../words/index.ts';
import { ApiError, callAuth } from './client.ts';

/**
 * Runs calls of sign-in routes. Their errors have a code in place of a field, and English messages: errors whose code is known
 * are said in the words of the dashboard, at the field that the code is about. Throws an ApiError.
 *
 * @param fields names of the fields of the form by code, where the form has one
 */
export async function atFields<Value>(
  fields: Readonly<Record<string, string>>,
  action: () => Promise<Value>,
): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof ApiError ? inWords(error, fields) : error;
  }
}

/** Calls a sign-in route, with errors as `atFields` has them. */
export const askInWords = <Data>(
  path: string,
  body: object,
  fields: Readonly<Record<string, string>> = {},
): Promise<Data> => atFields(fields, () => callAuth<Data>('POST', path, body));

/** The same error in the words of the dashboard, where it is a known one. */
export function inWords(error: ApiError, fields: Readonly<Record<string, string>> = {}): ApiError {
  const { status, code, retryAfter } = error;
  const { refusals, tooMany } = words.entry;
  const known: Readonly<Record<string, string>> = refusals;
  const message =
    status === 429 && retryAfter !== null ? tooMany(retryAfter) : (known[code] ?? error.message);
  const field = fields[code];
  return new ApiError(status, {
    message,
    code,
    errors: field === undefined ? error.errors : { [field]: [message] },
    ...(retryAfter !== null && { retry_after: retryAfter }),
  });
}

/**
 * Sends the browser's time zone as `timezone` with a body; without it when the server does not know that zone.
 *
 * @param send calls the API. Throws an ApiError.
 */
export async function withTimeZone<Data>(
  send: (zone: { timezone?: string }) => Promise<Data>,
): Promise<Data> {
  const { timeZone: timezone } = new Intl.DateTimeFormat().resolvedOptions();
  try {
    return await send({ timezone });
  } catch (error) {
    if (error instanceof ApiError && error.errors['timezone'] !== undefined) return send({});
    throw error;
  }
}
