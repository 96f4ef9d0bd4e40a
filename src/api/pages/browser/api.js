/** Calls to the API. */

/** Failed request, with a message for people. */
export class ApiError extends Error {
  /**
   * @param {number} status 0 without an answer
   * @param {{ message?: string, errors?: Record<string, string[]>, code?: string }} body
   */
  constructor(status, { message, errors = {}, code = '' }) {
    super(message ?? `The server answered ${status}. Try again in a moment.`);
    this.status = status;
    /** Errors by field. */
    this.errors = errors;
    /** Error code of the sign-in routes. */
    this.code = code;
  }
}

/**
 * @param {'GET' | 'POST' | 'PUT' | 'DELETE'} method
 * @param {string} path below `/api`
 * @param {object} [body]
 * @returns {Promise<any>} the answer's JSON; undefined without a body. Throws an ApiError otherwise.
 */
export async function call(method, path, body) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(`api${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
  } catch {
    throw new ApiError(0, {
      message: "The server can't be reached. Check your connection, then try again.",
    });
  }
  const text = await response.text();
  const answer = parsed(text);
  if (response.ok) return answer;
  throw new ApiError(response.status, answer ?? {});
}

/**
 * Calls with the browser's time zone as `timezone`; without it when the server does not know that zone.
 *
 * @param {'POST' | 'PUT'} method
 * @param {string} path
 * @param {object} body
 * @returns {Promise<any>}
 */
export async function callWithTimeZone(method, path, body) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  try {
    return await call(method, path, { ...body, timezone: timeZone });
  } catch (error) {
    if (error instanceof ApiError && error.errors['timezone']) return call(method, path, body);
    throw error;
  }
}

/** @param {string} text @returns {any} undefined when it is no JSON */
function parsed(text) {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
