/** Calls of our own server. */

/** An answer that is no success, in words for people. */
export class Refusal extends Error {
  /**
   * @param {number} status 0 when there was no answer at all
   * @param {{ message?: string, errors?: Record<string, string[]>, code?: string }} body
   */
  constructor(status, { message, errors = {}, code = '' }) {
    super(message ?? `The server answered ${status}. Try again in a moment.`);
    this.status = status;
    /** By field. */
    this.errors = errors;
    /** Of the sign-in routes. */
    this.code = code;
  }
}

/**
 * @param {'GET' | 'POST' | 'PUT' | 'DELETE'} method
 * @param {string} path below `/api`
 * @param {object} [body]
 * @returns {Promise<any>} the answer's JSON; undefined without a body. Throws a Refusal otherwise.
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
    throw new Refusal(0, {
      message: "The server can't be reached. Check your connection, then try again.",
    });
  }
  const text = await response.text();
  const answer = parsed(text);
  if (response.ok) return answer;
  throw new Refusal(response.status, answer ?? {});
}

/** @param {string} text @returns {any} undefined when it is no JSON */
function parsed(text) {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
