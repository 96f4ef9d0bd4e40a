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

/** @param {string} text @returns {any} undefined when it is no JSON */
function parsed(text) {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
