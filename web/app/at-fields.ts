import { ApiError } from './ask.ts';

/**
 * Runs a call of the sign-in routes, whose errors have a code in place of a field, and shows an error at the field of its
 * code.
 *
 * @param fields names of fields by error code
 */
export async function atFields<Value>(
  fields: Readonly<Record<string, string>>,
  action: () => Promise<Value>,
): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    const field = error instanceof ApiError ? fields[error.code] : undefined;
    if (field === undefined || !(error instanceof ApiError)) throw error;
    const { status, message, code } = error;
    throw new ApiError(status, { message, code, errors: { [field]: [message] } });
  }
}
